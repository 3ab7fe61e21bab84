"""`companion hub`: what is told before its pages are served."""

from pathlib import Path

import pytest

from companion.cli.main import main


def test_a_folder_of_boards_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a database the hub ends there, and its boards were told before."""
    (tmp_path / "boards").symlink_to("boards")  # a loop, which not even root can read
    words = ["hub", "--data", str(tmp_path), "--port", "0", "--language", "en"]
    assert main([*words, "--database", f"host={tmp_path} dbname=companion"]) == 3
    boards, database = capsys.readouterr().err.splitlines()
    assert boards.startswith("companion hub: ")
    assert f"{tmp_path}/boards, which holds boards of your own, cannot be read" in boards
    assert database.startswith("companion hub: The database does not answer")
