"""A table that starts on a full disk shows what it has, and goes on once there is room."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from companion.copies.desk import CopyDesk
from companion.errors import UsageError
from companion.log import file, store
from companion.log.file import StoreError
from companion.log.paths import copy_of
from companion.log.store import LOG_NAME, EventStore
from companion.relay.position import open_position, save_position
from companion.server.let_in_file import FILE_NAME, open_let_in_file
from companion.session.events import RouteCorrected
from tests.companion.tables import ADA_AND_BEN, new_table
from web.app import create_app
from web.errors import ActionRefusedError

ROUTE = "denver--omaha"


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """No byte is free below this folder: SQLite can open no log, and no file can be written."""
    connect = file.connect

    def no_room(path: Path) -> sqlite3.Connection:
        if path.is_relative_to(folder):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return connect(path)

    def no_sync(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "connect", no_room)
        patch.setattr(store, "connect", no_room)
        patch.setattr(os, "fsync", no_sync)
        yield


def test_the_game_is_shown_and_goes_on_once_there_is_room(tmp_path: Path) -> None:
    before = new_table(tmp_path)
    before.act("start", ADA_AND_BEN)
    before.close()
    files = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with full(tmp_path):
        table = new_table(tmp_path)
        assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]
        with pytest.raises(ActionRefusedError) as refused:
            table.act("correct-route", {"route": ROUTE, "owner": "red"})
        assert refused.value.key == "companion.store.no-room"
        assert table.state()["routes"].get(ROUTE, {}).get("owner") is None
        for language, sentence in (("en", "No room is left"), ("it", "Sul disco non c")):
            client = create_app(table).test_client()
            page = client.get("/board", headers={"Accept-Language": language}).text
            assert sentence in page
        assert {name: (tmp_path / name).read_bytes() for name in files} == files
    table.act("correct-route", {"route": ROUTE, "owner": "red"})
    assert table.state()["disk"] is None
    table.close()
    with EventStore(tmp_path / LOG_NAME) as again:
        assert again.rescue is None
        assert [event.kind for event in again.events()] == ["started", "route-corrected"]
        assert again.events()[1] == RouteCorrected(ROUTE, "red")


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The kernel lets nothing below this folder be written any more: its card fails."""
    connect, open_file = file.connect, os.open

    def refused(path: Path) -> sqlite3.Connection:
        if path.is_relative_to(folder):
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return connect(path)

    def open_to_read(path: Path, flags: int, *more: int, **options: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and Path(path).is_relative_to(folder):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return open_file(path, flags, *more, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "connect", refused)
        patch.setattr(store, "connect", refused)
        patch.setattr(os, "open", open_to_read)
        yield


def test_a_game_on_a_card_that_can_only_be_read_is_shown_and_saved_as_a_copy(
    tmp_path: Path,
) -> None:
    """Whoever starts the box again because nothing can be entered finds its panel."""
    data = tmp_path / "data"
    before = new_table(data)
    before.act("start", ADA_AND_BEN)
    before.close()
    files = {one.name: one.read_bytes() for one in data.iterdir()}
    with read_only(data):
        table = new_table(data)
        assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]
        with pytest.raises(ActionRefusedError) as refused:
            table.act("correct-route", {"route": ROUTE, "owner": "red"})
        assert refused.value.key == "companion.store.read-only"
        for language, sentence in (("en", "can only be read now"), ("it", "si può solo leggere")):
            client = create_app(table).test_client()
            page = client.get("/board", headers={"Accept-Language": language}).text
            assert sentence in page
        with pytest.raises(StoreError, match="Another Companion"):
            EventStore(data / LOG_NAME, may_wait=True)
        with CopyDesk(data, lambda: table.evening, "table", list).packed().file as copy:
            assert copy.read(2) == b"PK"
    assert {name: (data / name).read_bytes() for name in files} == files
    table.act("correct-route", {"route": ROUTE, "owner": "red"})
    assert table.state()["disk"] is None
    table.close()
    with EventStore(data / LOG_NAME) as again:
        assert [event.kind for event in again.events()] == ["started", "route-corrected"]


def test_of_a_damaged_log_on_a_card_that_can_only_be_read_what_can_be_saved_is_shown(
    tmp_path: Path,
) -> None:
    """A failing card damages the file first, and then lets nothing be written."""
    data = tmp_path / "data"
    before = new_table(data)
    before.act("start", ADA_AND_BEN)
    before.act("correct-route", {"route": ROUTE, "owner": "red"})
    before.close()
    log = data / LOG_NAME
    whole = log.read_bytes()
    log.write_bytes(b"\xff" * 4096 + whole[4096:])
    files = {one.name: one.read_bytes() for one in data.iterdir()}
    with read_only(data):
        table = new_table(data)
        assert table.state()["routes"][ROUTE]["owner"] == "red"
        assert [one["key"] for one in table.state()["notices"]] == ["companion.store.restored"]
        with CopyDesk(data, lambda: table.evening, "table", list).packed().file as copy:
            assert copy.read(2) == b"PK"
    assert {name: (data / name).read_bytes() for name in files} == files
    table.act("correct-route", {"route": ROUTE, "owner": "blue"})
    assert table.state()["disk"] is None
    table.close()
    with EventStore(log) as again:
        assert [event.kind for event in again.events()] == [
            "started",
            "route-corrected",
            "route-corrected",
        ]


def test_a_first_start_opens_too_and_begins_once_there_is_room(tmp_path: Path) -> None:
    with full(tmp_path):
        table = new_table(tmp_path)
        assert table.state()["disk"] == {"key": "companion.store.no-room", "values": {}}
        with pytest.raises(ActionRefusedError):
            table.act("start", ADA_AND_BEN)
        page = create_app(table).test_client().get("/start").text
        assert "no game can be started" in page
    table.act("start", ADA_AND_BEN)
    assert table.state()["board"] == "usa"
    assert table.state()["disk"] is None


def test_a_damaged_log_waits_for_room_untouched(tmp_path: Path) -> None:
    """It has to be saved first, which takes room."""
    new_table(tmp_path).close()
    (tmp_path / LOG_NAME).write_bytes(b"no log")
    with full(tmp_path), pytest.raises(StoreError, match="Make room on the disk"):
        EventStore(tmp_path / LOG_NAME, may_wait=True)
    assert (tmp_path / LOG_NAME).read_bytes() == b"no log"
    EventStore(tmp_path / LOG_NAME).close()
    assert (tmp_path / "evening.damaged-1.sqlite3").read_bytes() == b"no log"


def test_a_log_that_was_changed_while_it_waited_is_not_written_on(tmp_path: Path) -> None:
    """Somebody put a copy back: what the table shows is not what lies there."""
    path = tmp_path / LOG_NAME
    with full(tmp_path):
        waiting = EventStore(path, may_wait=True)
    kept = tmp_path / "kept"
    with EventStore(kept / LOG_NAME) as other:
        other.append(RouteCorrected(ROUTE, "blue"))
    for part in (path, copy_of(path)):
        shutil.copy(kept / part.name, part)
    with pytest.raises(StoreError) as refused:
        waiting.append(RouteCorrected(ROUTE, "red"))
    assert refused.value.key == "companion.store.changed"
    assert waiting.why_it_waits is not None
    waiting.close()
    with EventStore(path) as again:
        assert again.events() == [RouteCorrected(ROUTE, "blue")]


def test_a_disk_that_is_gone_is_told_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    with full(folder):
        waiting = EventStore(folder / LOG_NAME, may_wait=True)
    shutil.rmtree(folder)
    with pytest.raises(StoreError, match="cannot be written"):
        waiting.append(RouteCorrected(ROUTE, "red"))
    waiting.close()


def test_only_a_table_waits_and_only_for_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full(tmp_path), pytest.raises(StoreError, match="cannot be opened"):
        EventStore(tmp_path / LOG_NAME)

    def refused(path: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    monkeypatch.setattr(file, "connect", refused)
    with pytest.raises(StoreError, match="the disk cannot be read or written"):
        EventStore(tmp_path / LOG_NAME, may_wait=True)


@pytest.mark.parametrize("refusing", [full, read_only])
def test_who_is_let_in_holds_without_room_and_is_kept_later(
    tmp_path: Path, refusing: Callable[[Path], AbstractContextManager[None]]
) -> None:
    with refusing(tmp_path):
        kept = open_let_in_file(tmp_path)
    assert not (tmp_path / FILE_NAME).exists()
    kept.save(kept.let_in)
    assert open_let_in_file(tmp_path).key == kept.key


@pytest.mark.parametrize("refusing", [full, read_only])
def test_how_far_a_hub_is_holds_without_room_and_is_kept_later(
    tmp_path: Path, refusing: Callable[[Path], AbstractContextManager[None]]
) -> None:
    with refusing(tmp_path):
        position, is_kept = open_position(tmp_path)
    assert not is_kept
    save_position(tmp_path, position)
    assert open_position(tmp_path) == (position, True)


def test_a_pipe_in_the_place_of_how_far_a_hub_is_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "relay.json")
    position, is_kept = open_position(tmp_path)
    assert is_kept
    assert open_position(tmp_path) == (position, True)


def test_a_folder_of_somebody_else_is_still_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(handle: int) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "fsync", refused)
    with pytest.raises(UsageError, match="cannot be written"):
        open_let_in_file(tmp_path)


@pytest.mark.parametrize(
    ("free", "told"), [(0, "non c'è più spazio"), (10**9, "forse è guasto")], ids=["full", "broken"]
)
def test_a_disk_that_fills_up_is_not_called_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, told: str
) -> None:
    """SQLite calls both a fault of the disk."""

    def fault(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
        raise error

    table = new_table(tmp_path)
    table.act("start", ADA_AND_BEN)
    room = shutil.disk_usage(tmp_path)._replace(free=free)
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", fault)
        patch.setattr(shutil, "disk_usage", lambda path: room)
        with pytest.raises(ActionRefusedError) as refused:
            table.act("correct-route", {"route": ROUTE, "owner": "red"})
    assert told in refused.value.sentence("it")
    table.act("correct-route", {"route": ROUTE, "owner": "red"})
    assert table.state()["routes"][ROUTE]["owner"] == "red"
    table.close()


def test_a_folder_that_can_only_be_read_and_never_held_a_log_is_told_as_that(
    tmp_path: Path,
) -> None:
    """It was told that there is no such folder, and it was there."""
    with read_only(tmp_path), pytest.raises(StoreError, match="it can only be read"):
        EventStore(tmp_path / LOG_NAME, may_wait=True)
