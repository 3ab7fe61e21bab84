"""`companion hub`: what is told before its pages are served."""

import sys
from pathlib import Path

import pytest

from companion.cli.commands import hub
from companion.cli.main import main
from companion.hub.room import Room
from companion.server.let_in_file import open_let_in_file
from tests.support.mosquitto import needs_mosquitto


def test_packages_that_are_missing_are_got_for_the_python_that_lacks_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's own pip is not there, or refuses; without -e a clone would run a copy of itself."""
    monkeypatch.setattr(hub, "PACKAGES", ("a_package_that_is_nowhere",))
    assert main(["hub", "--language", "en"]) == 2
    assert f"`{sys.executable} -m pip install -e '.[hub]'`" in capsys.readouterr().err


def test_an_empty_address_of_the_broker_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a command line makes one from a file that it cannot read; the room would hear nobody."""
    words = ["hub", "--broker", "", "--data", str(tmp_path), "--port", "0", "--language", "en"]
    assert main([*words, "--database", f"host={tmp_path} dbname=companion"]) == 2
    assert "mqtt" in capsys.readouterr().err


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


@needs_mosquitto
@pytest.mark.parametrize(
    ("name", "reason"),
    [("round", "a file of that name is in its place"), ("\udcffclub", "cannot be printed")],
)
def test_a_folder_that_the_broker_s_files_cannot_go_to_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    """A link that leads back to itself; a name in the letters of an older system."""
    (tmp_path / "round").symlink_to(tmp_path / "round")
    folder = str(tmp_path / name)
    assert main(["hub", "setup", "--folder", folder, "--broker-host", "club.local"]) == 2
    printed = capsys.readouterr().err
    assert reason in printed
    assert len(printed.splitlines()) == 1


@pytest.mark.parametrize(
    ("said", "lets_in", "troubles"), [("482913", True, 0), ("123456", False, 1), ("", False, 0)]
)
def test_the_organisers_own_pin_comes_from_the_environment(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    lets_in: bool,
    troubles: int,
) -> None:
    """One that guests would try is told on the pages, and the hub is open all the same."""
    monkeypatch.setenv("COMPANION_PIN", said)
    room = Room({})
    access = hub._access_to_room(open_let_in_file(tmp_path), room, "en")
    assert access.pin.guess(said, "phone") is lets_in
    assert len(room.troubles()) == troubles
    assert ("COMPANION_PIN is 6 to 12 digits" in capsys.readouterr().err) is bool(troubles)
