"""The log survives what happens to a box on a shelf: power cuts, damage, two programs at once."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.log.file import StoreError
from companion.log.paths import copy_of
from companion.log.store import EventStore
from companion.session.events import Event, EventError, Finished, SeatedPlayer, Started, TicketAdded
from companion.session.reducer import fold
from tests.companion.log.log_writer import story

START = Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
EVENING: list[Event] = [START, TicketAdded("red", "t1"), TicketAdded("blue", "t2"), Finished()]


def write(path: Path, events: list[Event]) -> None:
    with EventStore(path) as store:
        for event in events:
            store.append(event)


def read(path: Path) -> list[Event]:
    with EventStore(path) as store:
        return store.events()


def test_what_is_written_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "evening.sqlite3"
    write(path, EVENING[:2])
    write(path, EVENING[2:])
    assert read(path) == EVENING


def test_what_was_added_since_the_start_is_read_back_too(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, EVENING[:2])
    with EventStore(path) as store:
        store.append(EVENING[2])
        assert store.events() == EVENING[:3]
        store.append(EVENING[3])
        assert store.events() == EVENING


def test_what_could_not_be_read_back_is_refused_at_once(tmp_path: Path) -> None:
    """Half a character: its ticket counted until the next start, which left it out."""
    path = tmp_path / "evening.sqlite3"
    with EventStore(path) as store:
        store.append(START)
        with pytest.raises(EventError):
            store.append(TicketAdded("red", "\ud800"))
        assert store.append(EVENING[1]) == 2
    assert read(path) == EVENING[:2]


@pytest.mark.parametrize("later", [[], EVENING[2:3]])
def test_what_the_disk_refused_is_not_done_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: list[Event]
) -> None:
    """The second copy takes a row first: it must not bring back what the table was told has failed,
    alone or in the place of what was entered then."""
    path = tmp_path / "evening.sqlite3"

    def refused(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with EventStore(path) as store:
        store.append(START)
        with monkeypatch.context() as patch:
            patch.setattr("companion.log.store.insert", refused)
            with pytest.raises(StoreError):
                store.append(EVENING[1])
        for event in later:
            assert store.append(event) == 2
    assert read(path) == [START, *later]


def test_the_log_cannot_be_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, EVENING)
    connection = sqlite3.connect(path)
    for statement in ("DELETE FROM events", "UPDATE events SET kind = 'undone'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_killed_at_any_moment_it_comes_back_to_the_same_state(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    told = 0
    for kill in range(24):
        told = write_until_killed(path, lines=(kill * 5) % 17, told=told)
        events = read(path)
        assert len(events) in (told, told + 1), "an event told to be on disk is there"
        script = [story(number) for number in range(1, len(events) + 1)]
        assert fold(events) == fold(script)
        told = len(events)
    assert told > 100


def write_until_killed(path: Path, lines: int, told: int) -> int:
    """Run the writer, SIGKILL it after so many lines; returns the last number it told."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.companion.log.log_writer", str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert writer.stdout is not None
    for _ in range(lines):
        told = max(told, number_in(writer.stdout.readline()))
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read()
    writer.wait()
    writer.stdout.close()
    return max([told, *(number_in(line) for line in rest.splitlines(keepends=True))])


def number_in(line: str) -> int:
    """The event number that a whole line tells, 0 for another or a torn one."""
    return int(line) if line.endswith("\n") and line.strip().isdigit() else 0


def test_a_half_written_file_is_kept_aside_and_the_readable_part_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, [START, *(TicketAdded("red", f"ticket {n}" + "x" * 500) for n in range(40))])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 4])
    with EventStore(path) as store:
        assert store.rescue is not None
        assert store.rescue.kept_at.read_bytes() == whole[: len(whole) * 3 // 4]
        events = store.events()
    assert store.rescue.events == len(events)
    assert fold(events).version == len(events)
    assert read(path) == events


@pytest.mark.parametrize("content", [b"not a database at all, " * 99, b"\0" * 4096])
def test_a_file_of_something_else_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "evening.sqlite3"
    path.write_bytes(content)
    with EventStore(path) as store:
        assert store.events() == []
        store.append(START)
        assert store.rescue is not None
        assert store.rescue.kept_at.read_bytes() == content
    assert read(path) == [START]


@pytest.mark.parametrize("copied", [True, False])
def test_an_event_that_turned_to_rubbish_costs_no_other(tmp_path: Path, copied: bool) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, EVENING)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER events_stay")
    connection.execute("UPDATE events SET data = '{\"colour\": ' WHERE number = 3")
    connection.commit()
    connection.close()
    if not copied:
        copy_of(path).unlink()
    with EventStore(path) as store:
        assert store.events() == (EVENING if copied else [*EVENING[:2], EVENING[3]])
        assert store.rescue is not None
        assert store.rescue.missing == (() if copied else ((3, 3),))


def test_a_second_rescue_does_not_overwrite_the_first(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    for content in (b"first" * 300, b"second" * 300):
        path.write_bytes(content)
        EventStore(path).close()
        path.unlink()
    kept = sorted(file.read_bytes()[:5] for file in tmp_path.glob("*damaged*.sqlite3"))
    assert kept == [b"first", b"secon"]


def test_a_rescue_cut_off_by_a_power_cut_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, EVENING)
    path.rename(tmp_path / "evening.sqlite3.draft")
    assert read(path) == EVENING


def test_a_log_that_is_moved_away_takes_nothing_until_it_is_back(tmp_path: Path) -> None:
    """The files that are open would go on taking events, which no start would find."""
    folder, away = tmp_path / "table", tmp_path / "away"
    with EventStore(folder / "evening.sqlite3") as store:
        store.append(EVENING[0])
        folder.rename(away)
        with pytest.raises(StoreError, match=r"log evening\.sqlite3 was moved or deleted"):
            store.append(EVENING[1])
        write(folder / "evening.sqlite3", EVENING[:1])  # another program, on another log
        with pytest.raises(StoreError, match="moved or deleted"):
            store.append(EVENING[1])
        folder.rename(tmp_path / "other")
        away.rename(folder)
        assert store.append(EVENING[1]) == 2
    assert read(folder / "evening.sqlite3") == EVENING[:2]


def test_two_programs_cannot_write_one_log(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with EventStore(path), pytest.raises(StoreError, match="Another Companion"):
        EventStore(path)


def test_a_newer_log_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    write(path, EVENING)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer Companion"):
        EventStore(path)
    assert list(tmp_path.glob("*damaged*")) == []


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"):
        EventStore(tmp_path / "file" / "evening.sqlite3")
