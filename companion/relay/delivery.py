"""What a club's hub lacks of a table's log is told it, once and in order, with the table's state.

Without threads and without a broker: `Outbox` has both.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from companion.mqtt.hub_settings import HubSettings
from companion.relay.log_chain import MOST_UNDER_WAY, LogChain
from companion.relay.position import Position, open_position, save_position
from companion.relay.state_document import room_document
from companion.relay.wire import Have, Topics, have_from_json, link_to_json
from companion.whole_file import UNWRITABLE
from web.ports import TablePort

STATE_PAUSE_S = 0.1
"""Least time between two states."""

STATE_AT_LEAST_S = 60.0
"""A state is sent that often even if nothing changes: the hub sees the table's clock by it."""

AGAIN_S = 5.0
"""Messages that the hub has not confirmed by then are sent again."""

LONGEST_AGAIN_S = 60.0
"""The pause doubles up to this while no word of the hub arrives."""

HAVE_S = 1.0
"""So long after the subscription the hub's retained word is waited for before anything is sent.

Some brokers send what they retained only after they have confirmed the subscription.
"""

SAVE_S = 1.0
"""Least time between two notes of the position."""


class Way(Protocol):
    """The way to the hub: a broker."""

    @property
    def is_online(self) -> bool:
        """Whether anything can be sent now."""
        ...

    def publish(self, topic: str, payload: str, *, retain: bool = False) -> bool:
        """Send a message; returns whether it is on its way."""
        ...


class Delivery:
    """Tells the hub of one table over a way. `look` is for one thread, all else for any.

    `log_path` is the log's file; it is only read. `instance` tells one run of the program from
    another. Raises UsageError where the folder cannot be written.
    """

    def __init__(
        self, table: TablePort, log_path: Path, settings: HubSettings, way: Way, instance: str
    ) -> None:
        self._table = table
        self._log_path = log_path
        self._settings = settings
        self._topics = Topics(settings.table)
        self._way = way
        self._instance = instance
        self._position, self._is_noted = open_position(log_path.parent)
        self._saved = (0.0, self._position)
        self._lock = threading.Lock()
        self._heard: Have | None = None
        self._is_new = False
        self._subscribed_s: float | None = None
        self._chain = LogChain(log_path, self._position)
        self._sent = 0
        self._hub = ""
        self._progress_s = 0.0
        self._again_s = AGAIN_S
        self._state_s = 0.0

    @property
    def chain(self) -> str:
        """The name of the chain that is told."""
        return self._position.chain

    def begin_anew(self) -> None:
        """The way is there again: the hub's word comes, or nothing of the table is there."""
        with self._lock:
            self._heard, self._is_new, self._subscribed_s = None, True, None

    def subscribed(self) -> None:
        """The hub's word comes about now, if there is one."""
        with self._lock:
            self._subscribed_s = time.monotonic()

    def hub_has(self, payload: bytes) -> None:
        """The hub says how far it is."""
        have = have_from_json(payload)
        if have is not None:
            with self._lock:
                self._heard = have

    @property
    def is_under_way(self) -> bool:
        """Whether a word of a hub that answers is waited for."""
        return self._sent > self._position.place and self._again_s <= AGAIN_S

    def look(self, version: int, told_of: int) -> int:
        """Send what is to be sent now; returns the version that the last state told.

        A table that waits for room on its disk may have no log to read, or no room for the name of
        its chain: it tells nothing then.
        """
        try:
            self._read_log()
        except sqlite3.OperationalError:
            if self._table.state().get("disk") is None:
                raise
            return version
        if not self._note_chain():
            return version
        if not self._way.is_online:
            return -1
        is_known = self._take_word()
        if is_known and self._is_noted:
            self._send()
        now_s = time.monotonic()
        is_due = version != told_of or now_s - self._state_s > STATE_AT_LEAST_S
        if is_due and now_s - self._state_s >= STATE_PAUSE_S and self._send_state():
            self._state_s = now_s
            return version
        return told_of

    def _read_log(self) -> None:
        """Take in what was written since; a log that is another one begins another chain."""
        if not self._chain.read():
            self._begin_another_chain()

    def _begin_another_chain(self) -> None:
        position = self._position
        self._position = Position(position.key, position.generation + 1)
        self._is_noted = False
        self._chain = LogChain(self._log_path, self._position)
        self._sent = 0
        self._chain.read()
        self._note_chain()

    def _note_chain(self) -> bool:
        """Whether the data folder holds the chain's name, which on a full disk it does later.

        Nothing is told of a chain before: a restart would tell it again as another one.
        """
        if not self._is_noted:
            try:
                save_position(self._log_path.parent, self._position, lasting=True)
            except OSError as error:
                if error.errno not in UNWRITABLE:
                    raise
            else:
                self._is_noted = True
        return self._is_noted

    def _take_word(self) -> bool:
        """Follow the hub's word; returns whether it is known how far the hub is.

        Where the broker has kept none the noted position holds: the hub is not there yet.
        """
        with self._lock:
            heard, is_new, since_s = self._heard, self._is_new, self._subscribed_s
            is_late = since_s is not None and time.monotonic() - since_s >= HAVE_S
            self._heard = None
            self._is_new = is_new and heard is None and not is_late
        if heard is not None or is_new:
            self._again_s = AGAIN_S
        if heard is None:
            if is_new and is_late:
                self._sent = self._position.place
            return is_late or not is_new
        if heard.chain == self._position.chain and not self._chain.has(heard.place, heard.id):
            self._begin_another_chain()  # the folder was restored: the hub has what is lost here
        place = heard.place if heard.chain == self._position.chain else 0
        is_other = heard.hub != self._hub
        self._hub = heard.hub
        if is_new or is_other or place < self._position.place:
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
            self._save(saved)

    def _save(self, saved: Position) -> None:
        """Note the position; on a full disk the one `saved` before stands a while longer."""
        try:
            save_position(self._log_path.parent, self._position)
            saved = self._position
        except OSError as error:
            if error.errno not in UNWRITABLE:
                raise
        self._saved = (time.monotonic(), saved)

    def _send(self) -> None:
        now_s = time.monotonic()
        if self._sent > self._position.place and now_s - self._progress_s > self._again_s:
            self._sent = self._position.place
            self._again_s = min(2 * self._again_s, LONGEST_AGAIN_S)
        last = min(self._chain.length, self._position.place + MOST_UNDER_WAY)
        if self._sent >= last:
            return
        if self._sent == self._position.place:
            self._progress_s = now_s
        for link in self._chain.links(self._sent, last):
            if not self._way.publish(self._topics.event, link_to_json(link)):
                return
            self._sent = link.place

    def _send_state(self) -> bool:
        document = room_document(
            self._table.state(),
            name=self._settings.name,
            instance=self._instance,
            sent_at_s=time.time(),
            place=self._chain.length,
        )
        return self._way.publish(self._topics.state, _dumped(document), retain=True)


def _dumped(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
