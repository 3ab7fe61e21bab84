"""A new box takes a copy for its table, once, and says in one sentence why it takes none."""

import errno
import os
import shutil
import subprocess
import sys
from datetime import datetime
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import IO

import pytest

from companion.copies import restore as restore_module
from companion.copies.restore import WAITING, RestoreDesk, take_waiting
from companion.copies.sticks import Stick
from companion.errors import UnusableInputError
from companion.log.store import LOG_NAME, EventStore
from companion.log.table_file import pack_table
from companion.session.events import Finished
from tests.companion.log.log_writer import story
from web.errors import ActionRefusedError, BusyError

EVENTS = 21

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of a table of 21 events, with a board of its own."""
    folder = tmp_path_factory.mktemp("old")
    with EventStore(folder / LOG_NAME) as store:
        for number in range(1, EVENTS):
            store.append(story(number))
        store.append(Finished())
    (folder / "boards").mkdir()
    (folder / "boards" / "attic.json").write_text("{}")
    out = folder / "copy.zip"
    pack_table(folder, out, is_private=False)
    return out


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A box that was switched on, and on which nothing was played."""
    folder = tmp_path / "data"
    EventStore(folder / LOG_NAME).close()
    return folder


@pytest.fixture
def stick(tmp_path: Path, copy: Path) -> Stick:
    folder = tmp_path / "stick"
    folder.mkdir()
    shutil.copy(copy, folder / "companion-salon-2026-01-31-2015.zip")
    return Stick("k", "KINGSTON", folder, is_mounted=False)


class Box:
    """A box with a stick; counts how often it would be started anew."""

    def __init__(self, data: Path, *sticks: Stick) -> None:
        self.starts = 0
        self.is_new = True
        self.desk = RestoreDesk(data, lambda: self.is_new, self._start, lambda: sticks)

    def _start(self) -> None:
        self.starts += 1

    def refused(self, key: str) -> str:
        """What it says instead of taking a copy."""
        with pytest.raises(ActionRefusedError) as refused:
            self.desk.restore(key)
        assert self.starts == 0
        return str(refused.value)


def number_of_events(data: Path) -> int:
    with EventStore(data / LOG_NAME) as store:
        return len(store.entries())


def test_a_copy_becomes_the_table_of_a_new_box(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    (found,) = box.desk.found()
    assert (found.table, found.at) == ("salon", datetime(2026, 1, 31, 20, 15))
    assert not box.desk.is_under_way
    box.desk.restore(found.key)
    assert box.desk.is_under_way
    assert box.starts == 1
    assert (data / WAITING).stat().st_mode & 0o077 == 0, "its configuration may hold passwords"
    assert number_of_events(data) == 0, "the program that runs keeps its own until it ends"
    assert take_waiting(data) == EVENTS
    assert number_of_events(data) == EVENTS
    assert (data / "boards" / "attic.json").read_text() == "{}"
    assert not (data / WAITING).exists()
    assert take_waiting(data) is None


def test_a_copy_that_a_device_has_sent_becomes_it_too(data: Path, copy: Path) -> None:
    box = Box(data)
    with copy.open("rb") as file:
        file.seek(0, os.SEEK_END)  # whoever received it has counted its bytes
        box.desk.restore_sent("companion-salon-2026-01-31-2015 (1).zip", file)
    assert box.desk.is_under_way
    assert box.starts == 1
    assert take_waiting(data) == EVENTS


def test_another_file_of_a_device_is_refused_by_its_name(data: Path) -> None:
    box = Box(data)
    with pytest.raises(ActionRefusedError, match=r"holiday\.jpg is no copy of a table"):
        box.desk.restore_sent("holiday.jpg", BytesIO(b"no archive"))
    assert box.starts == 0
    assert not box.desk.is_under_way
    assert list(data.glob("restore*")) == []


def test_the_newest_copies_come_first_and_only_copies_are_shown(data: Path, stick: Stick) -> None:
    first = stick.folder / "companion-salon-2026-01-31-2015.zip"
    for name in ("companion-club-2026-02-01-0900-1.zip", "companion-salon-1970-01-01-0005.zip"):
        shutil.copy(first, stick.folder / name)
    shutil.copy(first, stick.folder / "holiday.zip")
    (stick.folder / "companion-link-2026-03-01-2015.zip").symlink_to(first)
    (stick.folder / "companion-folder-2026-03-01-2015.zip").mkdir()
    shown = [(one.file, one.table, one.at is None) for one in Box(data, stick).desk.found()]
    assert shown == [
        ("companion-club-2026-02-01-0900-1.zip", "club", False),
        ("companion-salon-2026-01-31-2015.zip", "salon", False),
        ("companion-salon-1970-01-01-0005.zip", "salon", True),  # of a clock that was never set
    ]


def test_what_was_played_here_is_never_replaced(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    (found,) = box.desk.found()
    box.is_new = False
    assert "A copy goes on a new one" in str(box.desk.in_the_way())
    assert "A copy goes on a new one" in box.refused(found.key)
    assert not (data / WAITING).exists()


def test_a_board_of_this_box_is_not_replaced(data: Path, stick: Stick) -> None:
    (data / "boards").mkdir()
    (data / "boards" / "attic.json").write_text('{"mine": true}')
    box = Box(data, stick)
    assert "A copy goes on a new one" in box.refused(box.desk.found()[0].key)
    assert not (data / WAITING).exists()


def test_a_damaged_copy_is_refused_and_nothing_is_kept(data: Path, stick: Stick) -> None:
    path = stick.folder / "companion-salon-2026-01-31-2015.zip"
    path.write_bytes(path.read_bytes()[:-200])
    box = Box(data, stick)
    assert "is no copy of a table, or it is damaged" in box.refused(box.desk.found()[0].key)
    assert not (data / WAITING).exists()


def test_a_copy_with_a_board_whose_size_was_lost_is_refused(data: Path, stick: Stick) -> None:
    """The board would be there, empty."""
    path = stick.folder / "companion-salon-2026-01-31-2015.zip"
    damaged = bytearray(path.read_bytes())
    size_at = damaged.rindex(b"PK\x01\x02") + 24  # of the last file, the board's two bytes
    assert damaged[size_at : size_at + 4] == b"\2\0\0\0"
    damaged[size_at] = 0
    path.write_bytes(damaged)
    box = Box(data, stick)
    assert "is no copy of a table, or it is damaged" in box.refused(box.desk.found()[0].key)


def test_a_stick_that_is_pulled_meanwhile_is_asked_for_again(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    (found,) = box.desk.found()
    shutil.rmtree(stick.folder)
    assert box.desk.found() == []
    assert "no longer plugged in" in box.refused(found.key)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "no room for the copy"),
        (errno.EIO, "cannot be read"),
        (errno.EROFS, "The disk can only be read now"),
    ],
)
def test_a_full_or_failing_card_and_a_failing_stick_are_told_apart(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(restore_module.shutil, "copyfileobj", fail)
    box = Box(data, stick)
    assert words in box.refused(box.desk.found()[0].key)
    assert not (data / WAITING).exists()


def test_a_failing_card_asks_nobody_to_plug_in_what_a_phone_has_sent(
    data: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(restore_module.shutil, "copyfileobj", fail)
    with copy.open("rb") as file, pytest.raises(ActionRefusedError) as refused:
        Box(data).desk.restore_sent("companion.zip", file)
    assert str(refused.value) == (
        "The copy could not be put on this box: the disk cannot be read or written: it may be"
        " broken. Nothing was lost; try it once more."
    )
    assert list(data.glob("restore*")) == []


def test_two_taps_at_once_are_one(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    (found,) = box.desk.found()

    def tap_again() -> bool:
        with pytest.raises(BusyError):
            other.desk.restore(found.key)
        return True

    other = Box(data, stick)
    other.desk = RestoreDesk(data, tap_again, other._start, lambda: [stick])
    other.desk.restore(found.key)
    assert other.starts == 1


def test_a_second_tap_before_the_new_start_changes_nothing(data: Path, stick: Stick) -> None:
    """Another tablet's, on another copy: who tapped first gets what was asked for."""
    (stick.folder / "companion-club-2026-02-01-0900.zip").write_bytes(b"another copy")
    box = Box(data, stick)
    other, first = box.desk.found()
    box.desk.restore(first.key)
    box.desk.restore(other.key)
    assert box.starts == 1
    assert take_waiting(data) == EVENTS


def test_a_game_that_begins_while_the_stick_is_read_goes_on(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Box(data, stick)

    def read_slowly(source: IO[bytes], out: IO[bytes]) -> None:
        shutil.copyfileobj(source, out)
        box.is_new = False  # somebody starts a game on another tablet

    reading = SimpleNamespace(copyfileobj=read_slowly)
    monkeypatch.setattr(restore_module, "shutil", reading)
    assert "A copy goes on a new one" in box.refused(box.desk.found()[0].key)
    assert list(data.glob("restore*")) == []


def test_a_name_that_is_no_text_hides_no_copy(data: Path, stick: Stick) -> None:
    """A stick of an old computer may hold one; every page is written as text."""
    (good,) = stick.folder.iterdir()
    odd = os.fsencode(stick.folder) + b"/companion-caf\xe9-2026-02-01-0900.zip"
    shutil.copy(good, odd)
    shutil.copy(good, os.fsencode(stick.folder) + b"/companion-\xe9.zip")
    box = Box(data, stick)
    found = box.desk.found()
    assert [(one.table, one.file) for one in found] == [
        ("caf\ufffd", "companion-caf\ufffd-2026-02-01-0900.zip"),
        ("salon", "companion-salon-2026-01-31-2015.zip"),
        ("", "companion-\ufffd.zip"),
    ]
    Path(os.fsdecode(odd)).write_bytes(b"damaged")
    assert "companion-caf\ufffd-2026-02-01-0900.zip is no copy" in box.refused(found[0].key)
    box.desk.restore(found[2].key)
    assert take_waiting(data) == EVENTS


def test_a_game_that_began_meanwhile_stays_and_the_copy_waits_no_more(
    data: Path, stick: Stick
) -> None:
    box = Box(data, stick)
    box.desk.restore(box.desk.found()[0].key)
    with EventStore(data / LOG_NAME) as store:
        store.append(story(1))
    with pytest.raises(UnusableInputError):
        take_waiting(data)
    assert number_of_events(data) == 1
    assert not (data / WAITING).exists()


def test_a_power_cut_behind_the_last_file_is_no_fault(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    box.desk.restore(box.desk.found()[0].key)
    waiting = (data / WAITING).read_bytes()
    assert take_waiting(data) == EVENTS
    (data / WAITING).write_bytes(waiting)  # the cut came before it was deleted
    assert take_waiting(data) == EVENTS
    assert number_of_events(data) == EVENTS
    assert not (data / WAITING).exists()


def start_cut_off_in(function: str, data: Path) -> None:
    """A start whose program is gone in the middle of taking the copy that waits."""
    lines = (
        "import os, pathlib",
        "from companion.copies import restore",
        "from companion.log import table_file",
        f"{function} = lambda *_: os._exit(9)",
        f"restore.take_waiting(pathlib.Path({str(data)!r}))",
    )
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, check=False)
    assert ended.returncode == 9


def test_a_power_cut_among_the_files_is_made_good(data: Path, stick: Stick) -> None:
    box = Box(data, stick)
    box.desk.restore(box.desk.found()[0].key)
    start_cut_off_in("table_file.write_first_log", data)
    assert take_waiting(data) == EVENTS
    assert number_of_events(data) == EVENTS
    assert list(data.glob("restore*")) == []


def test_a_copy_that_breaks_off_two_starts_is_not_tried_a_third_time(
    data: Path, stick: Stick
) -> None:
    """One that takes more memory than the box has would end every start."""
    box = Box(data, stick)
    box.desk.restore(box.desk.found()[0].key)
    for left in ("restore.new.zip", "restore.new.zip.draft"):
        (data / left).write_bytes(b"what a kill left of a copy that was coming")
    for _ in range(2):
        start_cut_off_in("restore.unpack_table", data)
    with pytest.raises(UnusableInputError, match="two starts broke off"):
        take_waiting(data)
    assert take_waiting(data) is None, "told once"
    assert number_of_events(data) == 0
    assert list(data.glob("restore*")) == []


def test_a_copy_without_games_that_was_not_taken_is_no_taken_one(
    data: Path, tmp_path: Path
) -> None:
    """Both logs are empty then, and nothing was told of the board that stayed away."""
    old = tmp_path / "old"
    for folder, content in ((old, "{}"), (data, '{"mine": true}')):
        (folder / "boards").mkdir(parents=True)
        (folder / "boards" / "attic.json").write_text(content)
    pack_table(old, data / WAITING, [], is_private=False)
    with pytest.raises(UnusableInputError):
        take_waiting(data)
    assert (data / "boards" / "attic.json").read_text() == '{"mine": true}'
