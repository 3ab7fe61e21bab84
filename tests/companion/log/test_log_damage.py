"""Damage of the log's files is always told, and what is readable in them goes on."""

import errno
import hashlib
import json
import os
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.log.copy import LogCopy, line_of
from companion.log.file import StoreError, read_log, write_log
from companion.log.inspect import inspect_log
from companion.log.pages import find_records
from companion.log.paths import copy_of
from companion.log.replay import replay, rescue_notices
from companion.log.rows import Row, seal_row
from companion.log.store import EventStore, Unusable
from companion.session.event_json import event_to_json
from companion.session.events import (
    Event,
    ReadingProposed,
    RouteProposal,
    SeatedPlayer,
    Started,
    TicketAdded,
    Undone,
)
from companion.session.reducer import fold

MAIN = "evening.sqlite3"
WAL = "evening.sqlite3-wal"
COPY = "evening.copy.jsonl"

VERSION_1 = """
PRAGMA journal_mode = WAL;
CREATE TABLE events (
    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
PRAGMA application_id = 1414812227;
PRAGMA user_version = 1;
"""
"""The tables as the first version made them."""


def evening(length: int) -> list[Event]:
    """A game, a reading too large for one page, and tickets; no two events are equal."""
    routes = {f"route-{n}": RouteProposal("red", 0.6, True, (("red", 0.6),)) for n in range(100)}
    start = Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
    tickets = [TicketAdded("red", f"ticket-{n}") for n in range(length - 2)]
    return [start, ReadingProposed(routes), *tickets]


def rows_of(events: list[Event]) -> list[Row]:
    rows: list[Row] = []
    for event in events:
        data = json.dumps(event_to_json(event))
        rows.append(seal_row(rows[-1] if rows else None, 1.5, event.kind, data))
    return rows


@dataclass(frozen=True)
class Files:
    """What lay on disk when the plug was pulled, by the files' names."""

    events: list[Event]
    parts: dict[str, bytes]

    def lay_out(self, folder: Path, **changed: bytes | None) -> Path:
        for name, content in {**self.parts, **changed}.items():
            if content is not None:
                (folder / name).write_bytes(content)
        return folder / MAIN


@pytest.fixture(scope="module")
def pulled(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """300 events, the last 30 of which came in before the plug was pulled: most are in the WAL."""
    folder = tmp_path_factory.mktemp("pulled")
    path, events = folder / MAIN, evening(300)
    write_log(path, rows_of(events[:270]))
    with EventStore(path) as store:
        for event in events[270:]:
            store.append(event)
        parts = {name: (folder / name).read_bytes() for name in (MAIN, WAL, COPY)}
    assert len(parts[WAL]) > 50_000
    return Files(events, parts)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A log of 400 events after a clean stop: one file, whatever the second copy holds."""
    path, events = tmp_path_factory.mktemp("closed") / MAIN, evening(400)
    write_log(path, rows_of(events))
    return Files(events, {MAIN: path.read_bytes()})


def flip(content: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content))
    changed = content[place] ^ 1 << chance.randrange(8)
    return content[:place] + bytes([changed]) + content[place + 1 :]


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def is_told(store: EventStore) -> bool:
    return store.rescue is not None or store.copy_renewed


def opened(path: Path) -> tuple[list[Event], bool]:
    """The events of a log after a start, and whether the start told of damage."""
    with EventStore(path) as store:
        return store.events(), is_told(store)


def test_after_a_pulled_plug_everything_is_there_and_nothing_is_told(
    pulled: Files, tmp_path: Path
) -> None:
    assert opened(pulled.lay_out(tmp_path)) == (pulled.events, False)
    assert list(tmp_path.glob("*damaged*")) == []


@pytest.mark.parametrize("damage", [flip, cut])
@pytest.mark.parametrize("name", [MAIN, WAL, COPY])
def test_one_damaged_file_loses_nothing(
    pulled: Files, tmp_path: Path, name: str, damage: Callable[[bytes, random.Random], bytes]
) -> None:
    chance = random.Random(name + damage.__name__)
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        events, _ = opened(pulled.lay_out(folder, **{name: damage(pulled.parts[name], chance)}))
        assert events == pulled.events


@pytest.mark.parametrize("left", [0, 1, 150])
def test_a_second_copy_that_was_cut_is_told_kept_and_written_anew(
    pulled: Files, tmp_path: Path, left: int
) -> None:
    lines = pulled.parts[COPY].splitlines(keepends=True)
    path = pulled.lay_out(tmp_path, **{COPY: b"".join(lines[:left])})
    assert opened(path) == (pulled.events, True)
    assert (tmp_path / "evening.damaged-1.copy.jsonl").read_bytes() == b"".join(lines[:left])
    assert (tmp_path / COPY).read_bytes() == pulled.parts[COPY]
    assert opened(path) == (pulled.events, False)


@pytest.mark.parametrize("damage", [flip, cut])
@pytest.mark.parametrize("name", [MAIN, WAL])
@pytest.mark.parametrize("copy", ["gone", "damaged"])
def test_a_loss_in_both_copies_is_told(
    pulled: Files,
    tmp_path: Path,
    name: str,
    damage: Callable[[bytes, random.Random], bytes],
    copy: str,
) -> None:
    chance = random.Random(name + damage.__name__ + copy)
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        second = None if copy == "gone" else damage(pulled.parts[COPY], chance)
        changed = {name: damage(pulled.parts[name], chance), COPY: second}
        events, told = opened(pulled.lay_out(folder, **changed))
        assert events == pulled.events or told


def test_missing_events_are_named_and_what_was_found_is_kept(pulled: Files, tmp_path: Path) -> None:
    """The file ends with event 200; the second copy goes on, but lacks the lines 250 to 252."""
    path = tmp_path / MAIN
    write_log(path, rows_of(pulled.events[:200]))
    main = path.read_bytes()
    lines = [line_of(row) for row in rows_of(pulled.events)]
    copy = b"".join([*lines[:249], b"x" * 40 + b"\n", b"\n", b"{}\n", *lines[252:]])
    copy_of(path).write_bytes(copy)
    with EventStore(path) as store:
        assert store.rescue is not None
        assert store.rescue.missing == ((250, 252),)
        assert store.events() == pulled.events[:249] + pulled.events[252:]
        kept = store.rescue.kept_at
    assert kept.read_bytes() == main
    assert copy_of(kept).read_bytes() == copy
    assert opened(path) == (pulled.events[:249] + pulled.events[252:], False)


@pytest.mark.parametrize("percent", [90, 75, 50])
def test_a_file_that_was_cut_gives_back_what_lies_whole_in_it(
    closed: Files, tmp_path: Path, percent: int
) -> None:
    whole = closed.parts[MAIN]
    left = whole[: len(whole) * percent // 100]
    readable = [row.number for row in rows_of(closed.events) if row.seal.encode() in left]
    assert len(readable) > 400 * (percent - 15) / 100
    with EventStore(closed.lay_out(tmp_path, **{MAIN: left})) as store:
        events = store.events()
    assert len(events) >= 0.95 * len(readable)
    assert [event for event in closed.events if event in events] == events


def test_flipped_bytes_cost_no_more_than_the_rows_they_stand_in(
    closed: Files, tmp_path: Path
) -> None:
    chance = random.Random(9)
    damaged = closed.parts[MAIN]
    for _ in range(40):
        damaged = flip(damaged, chance)
    with EventStore(closed.lay_out(tmp_path, **{MAIN: damaged})) as store:
        events = store.events()
        assert store.rescue is not None
    assert 360 <= len(events) < 400
    assert [event for event in closed.events if event in events] == events


def write_version_1(path: Path, events: list[Event]) -> sqlite3.Connection:
    """A log as the first version wrote it; open, so that its write-ahead log lies beside it."""
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    for event in events:
        data = json.dumps(event_to_json(event), ensure_ascii=False, separators=(",", ":"))
        connection.execute(
            "INSERT INTO events (at, kind, data) VALUES (?, ?, ?)", (1.5, event.kind, data)
        )
    connection.commit()
    return connection


def test_a_log_of_version_1_is_read_sealed_and_kept(tmp_path: Path) -> None:
    path, events = tmp_path / MAIN, evening(60)
    write_version_1(path, events).close()
    before = path.read_bytes()
    assert opened(path) == (events, False)
    assert (tmp_path / "evening.version-1-1.sqlite3").read_bytes() == before
    assert opened(path) == (events, False)
    with EventStore(path) as store:
        assert store.append(TicketAdded("red", "another")) == 61


def test_a_log_of_version_1_with_a_damaged_write_ahead_log_gives_back_what_is_in_it(
    tmp_path: Path,
) -> None:
    path, events = tmp_path / "live" / MAIN, evening(120)
    path.parent.mkdir()
    connection = write_version_1(path, events)
    main, wal = path.read_bytes(), path.with_name(WAL).read_bytes()
    connection.close()
    # A flip in the middle: SQLite drops this frame and all after it, without an error.
    middle = len(wal) // 2
    damaged = wal[:middle] + bytes([wal[middle] ^ 1]) + wal[middle + 1 :]
    path = tmp_path / MAIN
    path.write_bytes(main)
    path.with_name(WAL).write_bytes(damaged)
    with EventStore(path) as store:
        assert store.rescue is not None
        assert len(store.events()) >= 119
    assert (tmp_path / "evening.version-1-1.sqlite3-wal").read_bytes() == damaged


def test_a_full_disk_refuses_an_event_in_a_sentence_and_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, events = tmp_path / MAIN, evening(4)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with EventStore(path) as store:
        store.append(events[0])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", full)
            with pytest.raises(StoreError, match="there is no space left"):
                store.append(events[1])
        assert store.append(events[2]) == 2
    assert opened(path) == ([events[0], events[2]], False)


@pytest.mark.parametrize("goes_on", [True, False])
def test_an_event_that_the_log_itself_refuses_comes_back_at_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    """It lay in the second copy already, as one does that a power cut left there alone; whoever was
    told that it was not written does it again."""
    path, events = tmp_path / MAIN, evening(4)

    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    with EventStore(path) as store:
        store.append(events[0])
        with monkeypatch.context() as patch:
            patch.setattr("companion.log.store.insert", refuse)
            with pytest.raises(StoreError, match="in use already"):
                store.append(events[1])
        if goes_on:
            assert store.append(events[2]) == 2
    assert opened(path) == ([events[0], events[2]] if goes_on else [events[0]], False)


@pytest.mark.parametrize("length", [3, 5, 9])
def test_another_logs_second_copy_is_kept_and_none_of_it_counts(
    tmp_path: Path, length: int
) -> None:
    """A folder was put together from two boxes: each file is whole, and they tell two evenings."""
    path, events = tmp_path / MAIN, evening(5)
    write_log(path, rows_of(events))
    foreign = b"".join(map(line_of, rows_of([*evening(9)[::-1][:length]])))
    copy_of(path).write_bytes(foreign)
    assert opened(path) == (events, True)
    assert (tmp_path / "evening.damaged-1.copy.jsonl").read_bytes() == foreign
    assert opened(path) == (events, False)


def test_a_row_of_another_evening_behind_the_last_one_is_not_taken_over_unsaid(
    tmp_path: Path,
) -> None:
    """It has the number that a power cut's row would have, and follows another row."""
    path, events = tmp_path / MAIN, evening(5)
    write_log(path, rows_of(events))
    copy_of(path).write_bytes(line_of(rows_of(evening(9)[::-1])[5]))
    with EventStore(path) as store:
        assert store.rescue is not None, "and not only that the second copy is written anew"
        assert store.events()[:5] == events


def test_an_event_that_only_the_second_copy_holds_was_cut_off_by_a_power_cut(
    tmp_path: Path,
) -> None:
    path, events = tmp_path / MAIN, evening(5)
    write_log(path, rows_of(events)[:4])
    with EventStore(path):
        pass
    with LogCopy(copy_of(path)) as copy:
        copy.append(rows_of(events)[4])
    with EventStore(path) as store:
        assert (store.events(), is_told(store)) == (events, False)
        store.append(TicketAdded("blue", "the next one"))
    assert read_log(path)[1][4].seal == rows_of(events)[4].seal, "it lies in both now"
    assert opened(path) == ([*events, TicketAdded("blue", "the next one")], False)


def test_a_row_of_another_evening_between_the_others_is_damage(tmp_path: Path) -> None:
    """It is whole, and its number is right: only what it follows tells."""
    path, events = tmp_path / MAIN, evening(5)
    rows = rows_of(events)
    other = rows_of([*events[:2], TicketAdded("blue", "of another"), *events[3:]])
    write_log(path, [*rows[:3], other[3], rows[4]])
    copy_of(path).write_bytes(b"".join(map(line_of, rows)))
    with EventStore(path) as store:
        assert store.events() == events
        assert store.rescue is not None


def test_of_two_rows_of_one_number_the_one_counts_that_follows(tmp_path: Path) -> None:
    """The log's beginning is damaged, and its second copy holds a row of another evening."""
    path, events = tmp_path / MAIN, evening(5)
    rows = rows_of(events)
    other = rows_of(events[::-1])
    write_log(path, rows)
    path.write_bytes(b"\0\0\0\0" + path.read_bytes()[4:])
    copy_of(path).write_bytes(b"".join(map(line_of, [*rows[:3], other[3], rows[4]])))
    assert opened(path) == (events, True)


def test_where_the_end_is_cut_off_nobody_says_that_nothing_is_missing(tmp_path: Path) -> None:
    path, events = tmp_path / MAIN, evening(5)
    lines = b"".join(map(line_of, rows_of(events)))
    copy_of(path).write_bytes(lines[:-9])
    with EventStore(path) as store:
        assert store.events() == events[:4]
        (notice,) = rescue_notices(store)
    assert notice.key == "companion.store.rescued", "and not as restored to its end"


@pytest.mark.parametrize("ticket", [1, 2])
def test_a_line_of_the_second_copy_that_was_changed_does_not_count_and_is_told(
    tmp_path: Path, ticket: int
) -> None:
    """The log itself is gone, and somebody, or a worn card, has put another ticket there; also in
    the last line, behind which no other one tells that it is missing."""
    path, events = tmp_path / MAIN, evening(5)
    lines = b"".join(map(line_of, rows_of(events)))
    copy_of(path).write_bytes(lines.replace(b"ticket-%d" % ticket, b"ticket-7"))
    number = ticket + 3
    with EventStore(path) as store:
        assert store.events() == [*events[: number - 1], *events[number:]]
        assert store.rescue is not None
        assert store.rescue.missing == ((number, number),)


def test_an_undo_behind_a_damaged_event_takes_back_nothing_that_can_be_read() -> None:
    """It took the damaged one back; the ticket before it would be gone from the score."""
    start, _, ticket = evening(3)
    told: list[Event | Unusable] = [start, ticket, Unusable(3, is_newer=False), Undone()]
    state, _ = replay([(1.5, one) for one in told], {}, lambda *_: None)
    assert state == fold([start, ticket])


def test_a_row_is_sealed_as_in_every_log_that_is_there_already() -> None:
    """With another seal every evening before would be called damaged."""
    words = f'["{"0" * 32}",1,1.5,"put-away","{{}}"]'
    first = hashlib.sha256(words.encode()).hexdigest()[:32]
    row = seal_row(None, 1.5, "put-away", "{}")
    assert row.seal == first
    words = f'["{first}",2,2.5,"shown","{{\\"phase\\":\\"look\\"}}"]'
    second = seal_row(row, 2.5, "shown", '{"phase":"look"}')
    assert second.seal == hashlib.sha256(words.encode()).hexdigest()[:32]


def test_a_log_that_was_deleted_comes_back_from_its_second_copy(tmp_path: Path) -> None:
    path, events = tmp_path / MAIN, evening(20)
    with EventStore(path) as store:
        for event in events:
            store.append(event)
    path.unlink()
    with EventStore(path) as store:
        assert store.events() == events
        assert store.rescue is not None
        assert store.rescue.knows_end


def test_a_write_ahead_log_without_its_file_is_saved(tmp_path: Path) -> None:
    """SQLite takes it for one of another file and would delete it."""
    events = evening(12)
    with EventStore(tmp_path / MAIN) as store:
        for event in events:
            store.append(event)
        left = (tmp_path / WAL).read_bytes()
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / MAIN).write_bytes(b"")
    (alone / WAL).write_bytes(left)
    with EventStore(alone / MAIN) as store:
        assert store.rescue is not None
        assert store.events() == events


@pytest.mark.parametrize("name", [MAIN, COPY])
def test_a_pipe_in_a_log_file_s_place_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(StoreError, match=r"\(this is no ordinary file\)"):
        EventStore(tmp_path / MAIN)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("evening.lock", "The data folder {} cannot be used (it is a folder). Give another one"),
        (MAIN, "The log {}/evening.sqlite3 cannot be opened (this is no ordinary file). Make room"),
        (COPY, "The log {}/evening.sqlite3 cannot be opened (this is no ordinary file). Make room"),
    ],
)
def test_why_a_log_cannot_be_opened_is_told_in_words(
    tmp_path: Path, name: str, sentence: str
) -> None:
    """It read "[Errno 21] Is a directory: '…'"."""
    (tmp_path / name).mkdir()
    with pytest.raises(StoreError) as told:
        EventStore(tmp_path / MAIN)
    assert told.value.sentence("en").startswith(sentence.format(tmp_path))


@pytest.mark.parametrize("more", range(4))  # with one of them the page's number is in its place
def test_a_page_that_goes_on_in_itself_is_no_row(more: int) -> None:
    size = 4096
    text = 2**40 + more
    types = b"\x00\x07" + as_varint(15) + as_varint(13 + 2 * text) + as_varint(13) * 2
    header = bytes([len(types) + 1]) + types
    payload = len(header) + 8 + 1 + text
    cell = as_varint(payload) + as_varint(1) + header
    page = cell + (2).to_bytes(4, "big") * ((size - len(cell)) // 4)
    endless = (2).to_bytes(4, "big") * (size // 4)
    assert list(find_records(page.ljust(size, b"\x02") + endless)) == []


def as_varint(value: int) -> bytes:
    """SQLite's form of a whole number: seven bits a byte, all but the last with the high bit."""
    parts = [value >> shift & 0x7F for shift in range(56, -1, -7) if value >> shift]
    return bytes([*(part | 0x80 for part in parts[:-1]), parts[-1]])


def test_a_damaged_description_of_the_tables_is_damage_and_nothing_is_lost(tmp_path: Path) -> None:
    """SQLite names what it cannot read, in bytes that are no text."""
    path = tmp_path / MAIN
    start = Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
    with EventStore(path) as store:
        store.append(start)
    path.write_bytes(path.read_bytes().replace(b"CREATE TRIGGER", b"CREATE TRIG\xffER"))
    with EventStore(path) as store:
        assert store.events() == [start]
        assert store.rescue is not None


def test_a_log_is_said_to_be_whole_where_the_next_start_takes_it_as_it_is(
    pulled: Files, tmp_path: Path
) -> None:
    """The write-ahead log is cut within its last commits, one row of which may still be read."""
    wal = pulled.parts[WAL]
    for number, missing in enumerate(range(0, 13_000, 500)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = pulled.lay_out(folder, **{WAL: wal[: len(wal) - missing]})
        is_sound = inspect_log(path).is_sound
        events, told = opened(path)
        assert (events, is_sound) == (pulled.events, not told), missing


def failing(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> None:
    """The card gives only the first block of these files, wherever they are moved."""
    bad = {path.stat().st_ino for path in paths}
    read_bytes, pread, read = Path.read_bytes, os.pread, read_log
    gone = OSError(errno.EIO, os.strerror(errno.EIO))

    def whole(path: Path) -> bytes:
        if path.stat().st_ino in bad:
            raise gone
        return read_bytes(path)

    def block(handle: int, size: int, at: int) -> bytes:
        if at >= 4096 and os.fstat(handle).st_ino in bad:
            raise gone
        return pread(handle, size, at)

    def by_sqlite(path: Path) -> tuple[int, list[Row]]:
        if path.exists() and path.stat().st_ino in bad:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", whole)
    monkeypatch.setattr(os, "pread", block)
    monkeypatch.setattr("companion.log.store.read_log", by_sqlite)


def test_a_log_that_another_program_has_open_is_no_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody looks into it with a browser for SQLite's files: both of its files are whole, and
    none of them is moved away."""
    path, events = tmp_path / MAIN, evening(5)
    write_log(path, rows_of(events))
    opened(path)
    files = {part.name: part.read_bytes() for part in (path, copy_of(path))}

    def locked(path: Path) -> tuple[int, list[Row]]:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("companion.log.store.read_log", locked)
        with pytest.raises(StoreError, match="in use already"):
            EventStore(path)
    assert {part.name: part.read_bytes() for part in (path, copy_of(path))} == files
    assert list(tmp_path.glob("*damaged*")) == []
    assert opened(path) == (events, False)


@pytest.mark.parametrize("name", [MAIN, COPY])
def test_a_file_of_which_a_failing_card_gives_a_part_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The other one has all of it; no table could be opened."""
    events = evening(60)
    with EventStore(tmp_path / MAIN) as store:
        for event in events:
            store.append(event)
    failing(monkeypatch, tmp_path / name)
    report = inspect_log(tmp_path / MAIN)
    assert (len(report.rows), report.missing, report.is_sound) == (60, (), False)
    with EventStore(tmp_path / MAIN) as store:
        assert store.events() == events
        if name == MAIN:
            assert store.rescue is not None
            assert (store.rescue.events, store.rescue.missing) == (60, ())
            assert store.rescue.kept_at.stat().st_size > 4096
        assert store.copy_renewed == (name == COPY)
    with EventStore(tmp_path / MAIN) as store:
        assert store.events() == events
        assert store.rescue is None


def test_where_both_files_fail_nothing_is_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card may give them another time."""
    with EventStore(tmp_path / MAIN) as store:
        for event in evening(60):
            store.append(event)
    files = sorted(tmp_path.iterdir())
    failing(monkeypatch, tmp_path / MAIN, tmp_path / COPY)
    with pytest.raises(StoreError, match="the disk cannot be read or written"):
        EventStore(tmp_path / MAIN)
    assert sorted(tmp_path.iterdir()) == files
