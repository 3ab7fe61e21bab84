"""Tells a club's hub what the log holds: everything once, in order, however long it was away.

The log is the queue. What the hub has not confirmed is sent (again) from the log: after a lost
connection, a restart of table, broker or hub, and where the hub's database was set back.
"""

import json
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.log.rows import FIRST, Row
from companion.mqtt.connection import BrokerConnection, BrokerError, Listener
from companion.mqtt.hub_settings import HubSettings
from companion.relay.position import Position, open_position, save_position
from companion.relay.round_word import round_from_json
from companion.relay.state_document import room_document
from companion.relay.telling import Teller
from companion.relay.wire import Have, Link, Topics, have_from_json, link_to_json
from scoring.board.board import Board
from web.ports import ClubRound, TablePort

LOOK_S = 1.0
"""How often the thread looks whether anything is to be done; a change wakes it at once."""

SOON_S = 0.05
"""The same while messages are under way."""

STATE_PAUSE_S = 0.1
"""Least time between two states."""

STATE_AT_LEAST_S = 60.0
"""A state is sent that often even if nothing changes: the hub sees the table's clock by it."""

MOST_UNDER_WAY = 200
"""Messages sent and not yet confirmed by the hub."""

AGAIN_S = 5.0
"""Messages that the hub has not confirmed by then are sent again."""

HAVE_S = 2.0
"""So long after a connection the hub's word is waited for before anything is sent."""

SAVE_S = 1.0
"""Least time between two notes of the position."""

LONGEST_PAUSE_S = 10
"""Between attempts to reach the broker: the room is meant to be live."""

log = logging.getLogger(__name__)


class Outbox:
    """Tells the hub of one table from `start` to `close`, on threads of its own.

    `log` is the log's file; it is only read. `tell` hears what is wrong with the connection, None
    when it works; `show_round` hears the round of a tournament. Raises UsageError where paho-mqtt
    is missing or the folder cannot be written.
    """

    def __init__(
        self,
        table: TablePort,
        boards: Mapping[str, Board],
        log_path: Path,
        settings: HubSettings,
        tell: Callable[[BrokerError | None], None] = lambda trouble: None,
        now: Callable[[], float] = time.time,
        show_round: Callable[[ClubRound | None], None] = lambda club_round: None,
    ) -> None:
        self._table = table
        self._boards = boards
        self._log_path = log_path
        self._settings = settings
        self._now = now
        self._topics = Topics(settings.table)
        self._instance = secrets.token_hex(8)
        self._position = open_position(log_path.parent)
        self._saved = (0.0, self._position)
        self._lock = threading.Lock()
        self._heard: Have | None = None
        self._connected_s: float | None = None
        self._stop = threading.Event()
        self._chain = _Chain(self._position, boards)
        self._sent = 0
        self._hub = ""
        self._progress_s = 0.0
        self._state_s = 0.0
        name = f"companion-{settings.table}-{self._instance}"
        listener = Listener(self._online, tell)
        self._connection = BrokerConnection(
            settings.address, name, self._topics.status, listener, LONGEST_PAUSE_S
        )
        self._connection.subscribe(self._topics.have, self._hub_has)
        self._connection.subscribe(
            self._topics.round, lambda topic, payload: show_round(round_from_json(payload))
        )
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        """Begin to connect and to tell."""
        self._connection.start()
        self._thread.start()

    def close(self) -> None:
        """Say that the table is gone, and end."""
        self._stop.set()
        self._thread.join(2 * LOOK_S)
        self._connection.close()

    def _online(self) -> None:
        with self._lock:
            self._heard, self._connected_s = None, time.monotonic()

    def _hub_has(self, _topic: str, payload: bytes) -> None:
        have = have_from_json(payload)
        if have is not None:
            with self._lock:
                self._heard = have

    def _run(self) -> None:
        version, told_of = -1, -1
        while not self._stop.is_set():
            is_busy = self._connection.is_online and (
                self._sent > self._position.place or told_of != version
            )
            version = self._table.wait(version, SOON_S if is_busy else LOOK_S)
            try:
                told_of = self._round(version, told_of)
            except Exception:
                log.exception("The hub could not be told.")
                self._stop.wait(LOOK_S)

    def _round(self, version: int, told_of: int) -> int:
        """Send what is to be sent now; returns the version that the last state told."""
        self._read_log()
        if not self._connection.is_online:
            with self._lock:
                self._connected_s = None
            return -1
        is_known = self._take_word()
        if is_known:
            self._send()
        now_s = time.monotonic()
        is_due = version != told_of or now_s - self._state_s > STATE_AT_LEAST_S
        if is_due and now_s - self._state_s >= STATE_PAUSE_S and self._send_state():
            self._state_s = now_s
            return version
        return told_of

    def _read_log(self) -> None:
        """Take in what was written since; a log that is another one begins another chain."""
        if not self._chain.read(self._log_path):
            self._begin_another_chain()

    def _begin_another_chain(self) -> None:
        position = self._position
        self._position = Position(position.key, position.generation + 1)
        save_position(self._log_path.parent, self._position, lasting=True)
        self._chain = _Chain(self._position, self._boards)
        self._sent = 0
        self._chain.read(self._log_path)

    def _take_word(self) -> bool:
        """Follow the hub's word; returns whether it is known how far the hub is.

        Without a word for a while the kept position holds: the hub is not there yet.
        """
        with self._lock:
            heard, since_s = self._heard, self._connected_s
            self._connected_s = since_s if heard is None else None
            self._heard = None
        if heard is None:
            if since_s is not None and time.monotonic() - since_s < HAVE_S:
                return False
            if since_s is not None:
                with self._lock:
                    self._connected_s = None
                self._sent = self._position.place
            return True
        if heard.chain == self._position.chain and not self._chain.has(heard.place, heard.id):
            self._begin_another_chain()  # the folder was restored: the hub has what is lost here
        place = heard.place if heard.chain == self._position.chain else 0
        is_other = heard.hub != self._hub
        self._hub = heard.hub
        if since_s is not None or is_other or place < self._position.place:
            self._sent = max(0, place)  # a new connection or hub, or the hub was set back
        self._has(max(0, min(place, self._chain.length)))
        return True

    def _has(self, place: int) -> None:
        if place != self._position.place:
            self._progress_s = time.monotonic()
        self._sent = max(self._sent, place)
        number, seal = self._chain.row_of(place)
        self._position = replace(self._position, place=place, number=number, seal=seal)
        at_s, saved = self._saved
        if saved != self._position and time.monotonic() - at_s >= SAVE_S:
            save_position(self._log_path.parent, self._position)
            self._saved = (time.monotonic(), self._position)

    def _send(self) -> None:
        now_s = time.monotonic()
        if self._sent > self._position.place and now_s - self._progress_s > AGAIN_S:
            self._sent = self._position.place
        last = min(self._chain.length, self._position.place + MOST_UNDER_WAY)
        if self._sent >= last:
            return
        if self._sent == self._position.place:
            self._progress_s = now_s
        for link in self._chain.links(self._sent, last):
            if not self._connection.publish(self._topics.event, link_to_json(link)):
                return
            self._sent = link.place

    def _send_state(self) -> bool:
        document = room_document(
            self._table.state(),
            name=self._settings.name,
            instance=self._instance,
            sent_at_s=self._now(),
            place=self._chain.length,
        )
        return self._connection.publish(self._topics.state, _dumped(document), retain=True)


class _Chain:
    """The messages that the log makes; those that the hub has are made anew where it asks."""

    def __init__(self, position: Position, boards: Mapping[str, Board]) -> None:
        self._start = position
        self._boards = boards
        self._teller = self._new_teller()
        self._read = 0
        self._waiting: list[Link] = []
        self._rows: list[tuple[int, str]] = [(0, FIRST)]
        """Number and seal of the row last read at each place."""
        self._ids = [""]
        """Id of the message at each place."""

    @property
    def length(self) -> int:
        """The place of the last message."""
        return len(self._rows) - 1

    def has(self, place: int, id: str) -> bool:
        """Whether the chain comes so far, with this message there; an empty id is not compared."""
        if place > self.length:
            return False
        return place <= 0 or not id or self._ids[place] == id

    def row_of(self, place: int) -> tuple[int, str]:
        """Number and seal of the row that a place tells; of the start for 0."""
        return self._rows[place]

    def read(self, log_path: Path) -> bool:
        """Take in new rows; False where the log is not the one that was told before."""
        self._log_path = log_path
        number, seal = self._rows[-1]
        with closing(_connect(log_path)) as connection:
            if number and not _holds(connection, number, seal):
                return False
            for row in _rows_after(connection, number):
                for link in self._teller.tell(row):
                    self._rows.append((row.number, row.seal))
                    self._ids.append(link.id)
                    self._waiting.append(link)
        start = self._start
        if start.place and (
            self.length < start.place or self._rows[start.place] != (start.number, start.seal)
        ):
            return False
        del self._waiting[: max(0, len(self._waiting) - 2 * MOST_UNDER_WAY)]
        return True

    def links(self, after: int, last: int) -> list[Link]:
        """The messages from behind place `after` to `last`."""
        if self._waiting and self._waiting[0].place <= after + 1:
            return [link for link in self._waiting if after < link.place <= last]
        teller, found = self._new_teller(), []
        with closing(_connect(self._log_path)) as connection:
            for row in _rows_after(connection, 0):
                found += [link for link in teller.tell(row) if after < link.place <= last]
                if found and found[-1].place >= last:
                    break
        return found

    def _new_teller(self) -> Teller:
        return Teller(self._start.chain, bytes.fromhex(self._start.key), self._boards)


def _connect(log_path: Path) -> sqlite3.Connection:
    """The log, to be read only."""
    return sqlite3.connect(f"file:{log_path}?mode=ro", uri=True, timeout=5.0)


def _holds(connection: sqlite3.Connection, number: int, seal: str) -> bool:
    found = connection.execute("SELECT seal FROM events WHERE number = ?", (number,)).fetchone()
    return found is not None and found[0] == seal


def _rows_after(connection: sqlite3.Connection, number: int) -> list[Row]:
    query = (
        "SELECT number, at, kind, data, before, seal FROM events WHERE number > ? ORDER BY number"
    )
    return [Row(*columns) for columns in connection.execute(query, (number,))]


def _dumped(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
