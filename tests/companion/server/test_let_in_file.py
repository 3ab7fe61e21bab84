"""Who has been let in survives a restart; a damaged file lets nobody in."""

import errno
import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.server.let_in_file import FILE_NAME, LetInError, open_let_in_file
from web.access.club import LetIn

KNOWN = LetIn(["tablet"], {"red": "phone"}, {"red": "ada"}, 1_600_000_000_000)


def test_what_was_kept_is_there_again_and_nobody_else_reads_it(tmp_path: Path) -> None:
    first = open_let_in_file(tmp_path)
    first.save(KNOWN)
    again = open_let_in_file(tmp_path)
    assert (again.key, again.let_in) == (first.key, KNOWN)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_clubs_table_is_remembered_until_the_configuration_says_no(tmp_path: Path) -> None:
    open_let_in_file(tmp_path).save(KNOWN)
    for said, is_club in ((None, False), (True, True), (None, True), (False, False), (None, False)):
        assert open_let_in_file(tmp_path).remembering(said).is_club is is_club
        again = open_let_in_file(tmp_path)
        again.save(again.let_in)
        assert (again.is_club, again.let_in) == (is_club, KNOWN)


@pytest.mark.parametrize(
    "damaged", ["", "[", "[]", "{}", '{"key": 1}', '{"key": "00", "hosts": [], "seats": {}}']
)
def test_a_damaged_file_lets_nobody_in_and_signs_with_another_key(
    tmp_path: Path, damaged: str
) -> None:
    key = open_let_in_file(tmp_path).key
    (tmp_path / FILE_NAME).write_text(damaged)
    again = open_let_in_file(tmp_path)
    assert again.let_in == LetIn()
    assert again.key != key
    assert len(again.key) == len(key), "a short one can be tried out"


def test_hosts_and_seats_that_are_no_names_let_nobody_in(tmp_path: Path) -> None:
    open_let_in_file(tmp_path).save(KNOWN)
    whole = json.loads((tmp_path / FILE_NAME).read_text())
    for wrong in (
        {"hosts": [""]},
        {"hosts": 3},
        {"seats": {"red": ""}},
        {"seats": ["red"]},
        {"players": ["red"]},
        {"players": {"red": 3}},
        {"game_ms": "now"},
        {"is_club": "yes"},
    ):
        (tmp_path / FILE_NAME).write_text(json.dumps(whole | wrong))
        assert open_let_in_file(tmp_path).let_in == LetIn()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        open_let_in_file(tmp_path / "file" / "data")


def test_a_disk_that_refuses_is_told_and_so_is_that_it_takes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, told = open_let_in_file(tmp_path), []
    save = kept.save_and_tell(told.append)
    with monkeypatch.context() as full:
        full.setattr("os.fsync", _full)
        with pytest.raises(LetInError, match=r"The disk is full\. Who has been let in"):
            save(KNOWN)
    assert open_let_in_file(tmp_path).let_in == LetIn()
    save(KNOWN)
    assert [None if one is None else one.message.key for one in told] == [
        "companion.let-in.disk-full",
        None,
    ]
    assert open_let_in_file(tmp_path).let_in == KNOWN


def test_a_disk_that_took_not_even_the_folder_takes_it_once_it_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub that began on a full disk said for ever after that there is no such folder."""
    with monkeypatch.context() as full:
        full.setattr("os.mkdir", lambda *_: _full(0))
        kept = open_let_in_file(tmp_path / "hub")
        with pytest.raises(LetInError, match=r"The disk is full\. Who has been let in"):
            kept.save(KNOWN)
    kept.save(KNOWN)
    assert open_let_in_file(tmp_path / "hub").let_in == KNOWN


def _full(handle: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")
