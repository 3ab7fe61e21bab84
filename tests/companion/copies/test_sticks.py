"""What is plugged in is found by name; a copy on it is whole, or one sentence says why not."""

import errno
import os
import resource
import shutil
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.copies import desk as desk_module
from companion.copies.desk import CopyDesk
from companion.copies.sticks import Stick, find_sticks
from companion.errors import RefusalError
from companion.log.rows import Row
from companion.log.store import LOG_NAME, EventStore, Unusable
from companion.log.table_file import unpack_table
from companion.session.events import Event, Finished, PutAway, Redone, TicketAdded, Undone
from companion.session.forgetting import leads_to_unfinished
from companion.session.reducer import advance, fold
from scoring.language import Message
from tests.companion.log.log_writer import story
from tests.companion.log.test_table_file import lose
from web.errors import ActionRefusedError, BusyError

MOUNTS = r"""22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
90 22 8:17 / /media/sdb1 rw,nosuid shared:50 - vfat /dev/sdb1 rw,uid=990
91 22 8:33 / /run/media/ada/MY\040GAMES rw,nosuid shared:51 - exfat /dev/sdc1 rw
92 22 0:50 / /media/auto rw shared:52 - autofs systemd-1 rw
93 22 8:49 / /srv/backup rw shared:53 - ext4 /dev/sdd1 rw
"""


def test_sticks_are_told_by_their_names(tmp_path: Path) -> None:
    mounts, labels = tmp_path / "mountinfo", tmp_path / "by-label"
    mounts.write_text(MOUNTS)
    labels.mkdir()
    (labels / r"CLUB\x20NIGHT").symlink_to("/dev/sdb1")
    found = find_sticks(Path("/srv/copies"), mounts, labels)
    assert [(one.name, str(one.folder), one.is_mounted) for one in found] == [
        ("CLUB NIGHT", "/media/sdb1", True),
        ("MY GAMES", "/run/media/ada/MY GAMES", True),
        ("/srv/copies", "/srv/copies", False),
    ]
    assert len({one.key for one in found}) == 3


def test_another_stick_in_the_same_place_is_another_one(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    first = find_sticks(None, mounts, tmp_path)[1]
    mounts.write_text(MOUNTS.replace("90 22 8:17", "95 22 8:17"))
    assert find_sticks(None, mounts, tmp_path)[1].key != first.key


def test_without_mounts_nothing_is_plugged_in(tmp_path: Path) -> None:
    assert find_sticks(None, tmp_path / "none", tmp_path / "none") == []


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with EventStore(folder / LOG_NAME) as store:
        for number in range(1, 21):
            store.append(story(number))
        store.append(Finished())
    (folder / "companion.toml").write_text('[mqtt]\naddress = "mqtt://a:PASSWORD@b"\n')
    (folder / "devices.json").write_text("secret")
    return folder


@pytest.fixture
def data(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "data"))


@pytest.fixture
def stick(tmp_path: Path) -> Stick:
    folder = tmp_path / "stick"
    folder.mkdir()
    return Stick("k", "KINGSTON", folder, is_mounted=False)


class WrittenEvening:
    """The evening of a log that nobody holds open."""

    def __init__(self, data: Path) -> None:
        self.lock = threading.Condition()
        self.no_room: Message | None = None
        self._log = data / LOG_NAME
        with EventStore(self._log) as store:
            self.state = fold(event for event in store.events() if not isinstance(event, Unusable))

    def record(self, *events: Event) -> None:
        with EventStore(self._log) as store:
            for event in events:
                self.state = advance(self.state, event)
                store.append(event)


@contextmanager
def room_for_files_of(size: int) -> Iterator[None]:
    """The system refuses every byte of a file behind these."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.fixture
def evening(data: Path) -> WrittenEvening:
    return WrittenEvening(data)


def desk_on(data: Path, stick: Stick) -> CopyDesk:
    return CopyDesk(data, lambda: WrittenEvening(data), "salon", lambda: [stick])


@pytest.fixture
def desk(evening: WrittenEvening, data: Path, stick: Stick) -> CopyDesk:
    return CopyDesk(data, lambda: evening, "salon", lambda: [stick])


def test_one_tap_writes_the_whole_table(data: Path, stick: Stick, tmp_path: Path) -> None:
    saved = desk_on(data, stick).save("k")
    assert (saved.place, saved.events) == ("KINGSTON", 21)
    assert [one.name for one in stick.folder.iterdir()] == [saved.file]
    assert saved.file.startswith("companion-salon-20")
    assert unpack_table(stick.folder / saved.file, tmp_path / "there") == 21


def test_a_copy_takes_no_other_copys_place(
    data: Path, stick: Stick, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two boxes that are called the same, in one minute; or of one box whose clock was never
    set, on two evenings. Of two copies one was left."""
    monkeypatch.setattr(desk_module.time, "strftime", lambda form: "1970-01-01-0005")
    other = tmp_path / "other"
    with EventStore(other / LOG_NAME) as store:
        store.append(story(1))
        store.append(PutAway())
    names = [desk_on(one, stick).save("k").file for one in (data, other, data)]
    assert names == [f"companion-salon-1970-01-01-0005{n}.zip" for n in ("", "-1", "-2")]
    unpacked = [unpack_table(stick.folder / name, tmp_path / name) for name in names]
    assert unpacked == [21, 3, 21], "the other box also notes that it was copied"


def test_what_a_power_cut_left_of_a_copy_goes_with_the_next_one(data: Path, stick: Stick) -> None:
    """Its name never comes again, and its room lacked. What others are writing stays."""
    cut = stick.folder / "companion-salon-2026-11-28-1503.zip.draft"
    others = ["companion-salon-2-2026-11-28-1503.zip.draft", "notes.draft"]
    for name in (cut.name, *others):
        (stick.folder / name).write_bytes(b"PK")
    saved = desk_on(data, stick).save("k")
    assert sorted(one.name for one in stick.folder.iterdir()) == sorted([saved.file, *others])


def test_no_password_and_no_key_leaves_the_box(data: Path, stick: Stick) -> None:
    with desk_on(data, stick).packed().file as file, zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["log.json"]


NEW_GAME = story(1)
TICKET = TicketAdded("red", "boston--miami")


def test_hands_that_are_still_secret_are_in_no_copy(
    desk: CopyDesk, evening: WrittenEvening, stick: Stick
) -> None:
    evening.record(NEW_GAME)
    desk.packed().file.close()
    evening.record(TICKET, Undone())
    for copy in (lambda: desk.save("k"), desk.packed):
        with pytest.raises(ActionRefusedError) as refused:
            copy()
        assert "still secret" in refused.value.sentence("en")
    assert list(stick.folder.iterdir()) == []
    evening.record(Finished())
    assert desk.save("k").events == 25


def test_a_start_that_was_taken_back_opens_no_secret_hand(
    desk: CopyDesk, evening: WrittenEvening
) -> None:
    evening.record(NEW_GAME, TICKET, NEW_GAME, Undone())
    with pytest.raises(ActionRefusedError) as refused:
        desk.packed()
    assert "still secret" in refused.value.sentence("en")


@pytest.mark.parametrize("since", [(NEW_GAME,), (PutAway(),), (NEW_GAME, Finished())])
def test_no_undo_brings_a_game_back_whose_hands_are_in_a_copy(
    desk: CopyDesk, evening: WrittenEvening, stick: Stick, tmp_path: Path, since: tuple[Event, ...]
) -> None:
    evening.record(NEW_GAME, TICKET, *since)
    number = evening.state.facts.number
    assert desk.forgets()
    saved = desk.save("k")
    assert not desk.forgets()
    unpack_table(stick.folder / saved.file, tmp_path / "there")
    for one in (evening, WrittenEvening(tmp_path / "there")):
        assert one.state.facts.number == number
        while one.state.past:
            one.record(Undone())
        assert one.state.facts.number == number


def test_a_card_that_can_only_be_read_keeps_no_unfinished_game_from_a_copy(
    desk: CopyDesk, evening: WrittenEvening, data: Path, stick: Stick, tmp_path: Path
) -> None:
    """The way back is closed in the copy: it asked for one, and refused it."""
    evening.record(NEW_GAME, TICKET, PutAway())
    before = (data / LOG_NAME).read_bytes()
    evening.no_room = Message("companion.store.read-only")
    saved = desk.save("k")
    assert saved.events == 25
    assert (data / LOG_NAME).read_bytes() == before
    unpack_table(stick.folder / saved.file, tmp_path / "there")
    there = WrittenEvening(tmp_path / "there")
    assert not leads_to_unfinished(there.state)


def test_no_redo_brings_a_game_back_whose_hands_are_in_a_copy(
    desk: CopyDesk, evening: WrittenEvening
) -> None:
    evening.record(NEW_GAME, TICKET, Undone(), Undone())
    assert evening.state.facts.number == 1
    desk.packed().file.close()
    with pytest.raises(RefusalError):
        evening.record(Redone())


def test_undo_still_leads_back_to_a_finished_game(desk: CopyDesk, evening: WrittenEvening) -> None:
    evening.record(NEW_GAME)
    assert not desk.forgets()
    desk.packed().file.close()
    evening.record(Undone())
    assert evening.state.facts.number == 1


def test_a_refused_copy_costs_no_undo(desk: CopyDesk, evening: WrittenEvening) -> None:
    evening.record(NEW_GAME, TICKET, NEW_GAME, TICKET)
    with pytest.raises(ActionRefusedError):
        desk.packed()
    assert desk.forgets()


def test_a_hand_that_is_entered_while_the_copy_is_rehearsed_is_in_no_copy(
    desk: CopyDesk, evening: WrittenEvening, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game was put away and another begun; its first ticket is entered as the stick is tried."""
    evening.record(NEW_GAME, TICKET, PutAway(), NEW_GAME)
    rehearse = CopyDesk._try_room

    def meanwhile(desk: CopyDesk, stick: Stick, rows: Sequence[Row]) -> None:
        rehearse(desk, stick, rows)
        evening.record(TICKET)

    monkeypatch.setattr(CopyDesk, "_try_room", meanwhile)
    with pytest.raises(ActionRefusedError, match="still secret"):
        desk.save("k")
    assert list(stick.folder.iterdir()) == []
    assert desk.forgets(), "nor did it cost an undo"


def test_a_copy_that_a_stick_cannot_take_costs_no_undo(
    desk: CopyDesk, data: Path, evening: WrittenEvening, stick: Stick
) -> None:
    (data / "calibrations").mkdir()
    (data / "calibrations" / "usa.calibration").write_bytes(os.urandom(300_000))
    evening.record(NEW_GAME, TICKET, PutAway())
    with pytest.raises(ActionRefusedError, match="no longer plugged in"):
        desk.save("another")
    with room_for_files_of(200_000), pytest.raises(ActionRefusedError, match="is full"):
        desk.save("k")
    odd = data / "calibrations" / "a\\b.calibration"
    odd.touch()
    for save in (lambda: desk.save("k"), desk.packed):
        with pytest.raises(ActionRefusedError, match="No copy can be made"):
            save()
    odd.unlink()
    assert list(stick.folder.iterdir()) == []
    assert desk.forgets()
    desk.save("k")
    assert not desk.forgets()


@pytest.mark.parametrize(
    ("number", "is_mounted", "words"),
    [
        (errno.ENOSPC, True, "KINGSTON is full"),
        (errno.EROFS, True, "small switch"),
        (errno.EACCES, True, "small switch"),
        (errno.EIO, True, "pulled out before"),
        (errno.ENOENT, True, "pulled out before"),
        (errno.EACCES, False, "The folder KINGSTON"),
    ],
)
def test_what_is_in_the_way_is_one_sentence_and_leaves_nothing(
    data: Path,
    stick: Stick,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    is_mounted: bool,
    words: str,
) -> None:
    def refuse(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("companion.whole_file.os.fsync", refuse)
    monkeypatch.setattr(Stick, "is_there", lambda self, handle: True)
    plugged = Stick("k", stick.name, stick.folder, is_mounted)
    with pytest.raises(ActionRefusedError) as refused:
        desk_on(data, plugged).save("k")
    assert words in refused.value.sentence("en")
    assert list(stick.folder.iterdir()) == []


def test_no_copy_is_called_saved_that_no_box_unpacks(data: Path, stick: Stick) -> None:
    (data / "boards").mkdir()
    (data / "boards" / "a\\b.json").write_text("{}")
    desk = desk_on(data, stick)
    for save in (lambda: desk.save(stick.key), desk.packed):
        with pytest.raises(ActionRefusedError) as refused:
            save()
        told = refused.value.sentence("it")
        assert told.startswith("Non si può fare la copia: ")
        assert "a\\b.json" in told
    assert list(stick.folder.iterdir()) == []


def test_a_pulled_stick_is_not_written_beside(data: Path, stick: Stick) -> None:
    """Its folder is still there, but on the box's own card."""
    with pytest.raises(ActionRefusedError, match="pulled out"):
        desk_on(data, Stick("k", stick.name, stick.folder)).save("k")
    with pytest.raises(ActionRefusedError, match="no longer plugged in"):
        desk_on(data, stick).save("another")
    assert list(stick.folder.iterdir()) == []


def test_a_stick_that_gives_back_something_else_is_told(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = desk_module.pack_table

    def forget(folder: Path, out: Path, *rest: object, **names: object) -> int:
        count = pack(folder, out, *rest, **names)  # type: ignore[arg-type]
        content = out.read_bytes()
        out.write_bytes(content[:60] + bytes(100) + content[160:])
        return count

    monkeypatch.setattr(desk_module, "pack_table", forget)
    with pytest.raises(ActionRefusedError, match="does not give back"):
        desk_on(data, stick).save("k")


def test_two_taps_at_once_write_one_copy(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(*sent: object, **names: object) -> int:
        begun.set()
        assert go_on.wait(20)
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(desk_module, "pack_table", slowly)
    desk = desk_on(data, stick)
    refusals: list[Exception] = []

    def tap() -> None:
        try:
            desk.save("k")
        except ActionRefusedError as error:
            refusals.append(error)

    first = threading.Thread(target=tap)
    first.start()
    assert begun.wait(20)
    with pytest.raises(BusyError):
        desk.packed()
    go_on.set()
    first.join()
    assert len(refusals) == 1
    desk.packed().file.close()


def test_a_copy_lacks_what_the_disk_does_not_give_and_says_so(
    data: Path, desk: CopyDesk, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is all the more wanted; who is only sent a file would not hear what is not in it."""
    (data / "boards").mkdir()
    (data / "boards" / "mine.json").write_text("{}")
    lose(monkeypatch, "mine.json")
    saved = desk.save("k")
    assert saved.events == 21
    assert saved.left_out is not None
    lacks = "Not in the copy, because the disk no longer gives it: boards/mine.json."
    assert saved.left_out.text("en") == lacks
    assert desk.save_by_button().text("en") == f"All games are saved in KINGSTON. {lacks}"
    with pytest.raises(ActionRefusedError, match="no longer gives boards/mine"):
        desk.packed()


def test_the_button_saves_where_no_choice_is_needed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stick, "is_there", lambda stick, handle: True)
    first, second, folder = (Stick(n, n, tmp_path / n, n != "own") for n in ("A", "B", "own"))
    for one in (first, second, folder):
        one.folder.mkdir()
    there = list[Stick]()
    evening = WrittenEvening(data)
    desk = CopyDesk(data, lambda: evening, "salon", lambda: there)
    with pytest.raises(ActionRefusedError, match="No stick is plugged in"):
        desk.save_by_button()
    there.append(folder)
    assert desk.save_by_button().text("en") == "All games are saved in own."
    there.append(first)
    assert desk.save_by_button().text("en") == "All games are saved on A. You can pull it out now."
    assert len(list(first.folder.iterdir())) == len(list(folder.folder.iterdir())) == 1
    evening.record(NEW_GAME, TICKET, PutAway())
    said = desk.save_by_button().text("en")
    assert said.startswith("All games are saved on A. You can pull it out now. Undo no longer")
    there.append(second)
    with pytest.raises(ActionRefusedError, match="More than one stick"):
        desk.save_by_button()
    assert not list(second.folder.iterdir())
