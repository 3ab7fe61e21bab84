"""`companion calibrate --print-markers`: a page to print, and nothing else to say."""

from pathlib import Path

import pytest

from companion.cli.main import main


@pytest.mark.parametrize(("name", "first"), [("m.png", b"\x89PNG"), ("m.pdf", b"%PDF-1")])
def test_the_page_is_written_without_naming_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, first: bytes
) -> None:
    path = tmp_path / name
    assert main(["calibrate", "--print-markers", str(path), "--language", "it"]) == 0
    assert path.read_bytes().startswith(first)
    assert "stampalo al 100 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--print-markers {folder}/page.gif", "ends in .pdf or .png"),
        ("--print-markers {folder}/none/page.pdf", "cannot be written"),
        ("--empty {folder}/a.jpg -o {folder}/c", "needs --board"),
        ("--empty {folder}/a.jpg --board usa", "needs --board B and -o FILE"),
    ],
)
def test_a_wrong_wish_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, sentence: str
) -> None:
    assert main(["calibrate", *words.format(folder=tmp_path).split()]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1
