"""Hears the tables on the broker, has the database take their messages, and tells how far it is."""

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from companion.errors import CommandError
from companion.hub.database import Database, DatabaseGoneError
from companion.hub.evidence import keep_evenings, replayed
from companion.hub.intake import Intake, Taken
from companion.hub.room import Room
from companion.hub.told_state import told_state
from companion.mqtt.address import BrokerAddress
from companion.mqtt.connection import ONLINE, BrokerConnection, BrokerError, Listener
from companion.mqtt.hub_settings import TABLE_ID
from companion.relay.round_word import round_to_json
from companion.relay.wire import (
    ROOT,
    Have,
    Link,
    Topics,
    WireError,
    have_to_json,
    link_from_json,
)
from scoring.language import Message
from web.table_state import ClubRound

STATUS_TOPIC = f"{ROOT}-hub/status"

MOST_WAITING = 20_000
"""Messages that wait for the database; more are dropped, for the tables send them again."""

MOST_AT_ONCE = 500

LOOK_S = 0.5

AGAIN_S = 1.0
"""After so long a database that was gone is asked again."""

REPLAY_PAUSE_S = 0.3
"""Finished games are worked out when a table has been quiet for so long."""

log = logging.getLogger(__name__)


class Receiver:
    """Works from `start` to `close`, on threads of its own."""

    def __init__(self, address: BrokerAddress, database: Database, room: Room) -> None:
        self._database = database
        self._room = room
        self._intake = Intake(database)
        self._have: dict[str, Have] = {}
        self._queue: queue.Queue[tuple[str, Link]] = queue.Queue(MOST_WAITING)
        self._aside: queue.Queue[tuple[str, bytes, Message]] = queue.Queue(1_000)
        self._turned: dict[str, float] = {}
        self._rounds: dict[str, str] = {}
        self._stop = threading.Event()
        self._is_anew = threading.Event()
        self._run = secrets.token_hex(4)
        name = f"companion-hub-{self._run}"
        listener = Listener(self._is_anew.set, self._told)
        self._connection = BrokerConnection(address, name, STATUS_TOPIC, listener, 5)
        for part, heard in (
            ("status", self._status),
            ("state", self._state),
            ("event", self._event),
        ):
            self._connection.subscribe(f"{ROOT}/+/{part}", self._of_table(heard))
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (("intake", self._take_in), ("replay", self._replay))
        ]

    def start(self) -> None:
        """Know what the database knows, and begin to hear. Raises DatabaseGoneError."""
        self._have = self._intake.have()
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT id, is_shut_out FROM tables").fetchall()
        for row in rows:
            if row["is_shut_out"]:
                self._room.note_shut_out(row["id"], True)
        self._turned = dict.fromkeys(self._have, 0.0)
        self._connection.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Hear no more, and end."""
        self._stop.set()
        for thread in self._threads:
            thread.join(3 * LOOK_S)
        self._connection.close()

    def tell_round(self, table: str, club_round: ClubRound | None) -> None:
        """Tell a table the round that is played at it; after a broken connection again."""
        word = round_to_json(club_round)
        if self._rounds.get(table) != word:
            self._rounds[table] = word
            self._connection.publish(Topics(table).round, word, retain=True)

    def _told(self, trouble: BrokerError | None) -> None:
        self._room.trouble("broker", None if trouble is None else trouble.message)

    def _of_table(self, heard: Callable[[str, bytes], None]) -> Callable[[str, bytes], None]:
        """Take a message of a table; of one that is shut out only whether it is there."""

        def take(topic: str, payload: bytes) -> None:
            table = topic.split("/")[-2]
            is_taken = heard == self._status or not self._room.is_shut_out(table)
            if TABLE_ID.fullmatch(table) and is_taken:
                heard(table, payload)

        return take

    def _status(self, table: str, payload: bytes) -> None:
        self._room.hear_status(table, payload.decode("utf-8", "replace") == ONLINE)

    def _state(self, table: str, payload: bytes) -> None:
        state = told_state(payload)
        if state is None:
            self._refuse(table, payload, Message("companion.relay.no-message"))
        else:
            self._room.hear_state(table, state)

    def _event(self, table: str, payload: bytes) -> None:
        try:
            self._queue.put_nowait((table, link_from_json(payload)))
        except WireError as error:
            self._refuse(table, payload, error.message)
        except queue.Full:
            return  # the table sends it again

    def _refuse(self, table: str, payload: bytes, reason: Message) -> None:
        self._room.hear_aside(table, reason)
        try:
            self._aside.put_nowait((table, payload, reason))
        except queue.Full:
            return  # somebody floods: the first thousand tell enough

    def _take_in(self) -> None:
        while not self._stop.is_set():
            if self._is_anew.is_set():
                self._is_anew.clear()
                for table, have in self._have.items():
                    self._publish(table, have)
                for table, word in list(self._rounds.items()):
                    self._connection.publish(Topics(table).round, word, retain=True)
            batch = self._batch()
            while batch or not self._aside.empty():
                try:
                    self._write(batch)
                    break
                except DatabaseGoneError as error:
                    self._room.trouble("database", error.message)
                    if self._stop.wait(AGAIN_S):
                        return
                except Exception:
                    log.exception("Messages of tables could not be taken.")
                    break

    def _batch(self) -> list[tuple[str, Link]]:
        """What waits, or what comes next; empty after a while."""
        try:
            batch = [self._queue.get(timeout=LOOK_S)]
        except queue.Empty:
            return []
        while len(batch) < MOST_AT_ONCE:
            try:
                batch.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return batch

    def _write(self, batch: list[tuple[str, Link]]) -> None:
        """Raises DatabaseGoneError: then all of it is to be given again."""
        self._write_aside()
        if batch:
            self._take_or(batch, self._take_by_table)
        self._room.trouble("database", None)

    def _write_aside(self) -> None:
        while not self._aside.empty():
            self._set_aside(*self._aside.queue[0])
            self._aside.get_nowait()

    def _set_aside(self, table: str, payload: bytes, reason: Message) -> bool:
        """Returns whether it is the first time. Raises DatabaseGoneError."""
        try:
            return self._intake.set_aside(table, payload, reason)
        except DatabaseGoneError:
            raise
        except Exception:
            log.exception("A message could not be set aside.")
            return False

    def _take_or(
        self, batch: list[tuple[str, Link]], otherwise: Callable[[list[tuple[str, Link]]], None]
    ) -> None:
        """Take a batch; one that cannot be taken, though the database is there, goes elsewhere."""
        try:
            taken = self._intake.take(batch, self._room.names())
        except DatabaseGoneError:
            raise
        except Exception:
            otherwise(batch)
        else:
            self._follow(taken)

    def _take_by_table(self, batch: list[tuple[str, Link]]) -> None:
        """One table's message must not keep back the others'."""
        for table in dict.fromkeys(table for table, _ in batch):
            self._take_or([one for one in batch if one[0] == table], self._take_one_by_one)

    def _take_one_by_one(self, batch: list[tuple[str, Link]]) -> None:
        for one in batch:
            self._take_or([one], self._refuse_all)

    def _refuse_all(self, batch: list[tuple[str, Link]]) -> None:
        """Set aside, and tell the log the fault once: the table sends its message again."""
        reason = Message("companion.relay.no-message")
        for table, link in batch:
            self._room.hear_aside(table, reason)
            which = f"{link.chain} {link.place} {link.id}".encode()
            if self._set_aside(table, which, reason):
                log.exception("A message of %s could not be taken.", table)

    def _follow(self, taken: Taken) -> None:
        """Tell how far the database is now."""
        for table, reason in taken.aside.items():
            self._room.hear_aside(table, reason)
        for table, have in taken.have.items():
            self._have[table] = have
            self._publish(table, have)
        now_s = time.monotonic()
        self._turned.update(dict.fromkeys(taken.turned, now_s))

    def _publish(self, table: str, have: Have) -> None:
        self._connection.publish(
            Topics(table).have, have_to_json(replace(have, hub=self._run)), retain=True
        )

    def _replay(self) -> None:
        """Work out the finished games of tables that have turned."""
        while not self._stop.wait(LOOK_S / 2):
            due_s = time.monotonic() - REPLAY_PAUSE_S
            for table in [one for one, at_s in list(self._turned.items()) if at_s <= due_s]:
                turned_s = self._turned[table]
                try:
                    self._work_out(table)
                except CommandError:
                    break  # the database is gone: later
                except Exception:
                    log.exception("The games of a table could not be worked out.")
                if self._turned.get(table) == turned_s:
                    self._turned.pop(table, None)

    def _work_out(self, table: str) -> None:
        boards = self._room.boards
        found = replayed(self._database, table, self._have[table].chain, boards)
        keep_evenings(self._database, table, found, boards)
        self._room.hear_evidence(table, found.lying)
