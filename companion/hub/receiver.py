"""Hears the tables on the broker, has the database take their messages, and tells how far it is."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from companion.errors import CommandError
from companion.hub.database import Database, DatabaseGoneError
from companion.hub.inbox import NO_MESSAGE, Inbox
from companion.hub.intake import Aside, Intake, Taken, aside_of, which
from companion.hub.replays import Replays
from companion.hub.room import Room
from companion.hub.told_state import told_state
from companion.hub.waiting import LatestStates
from companion.mqtt.address import BrokerAddress
from companion.mqtt.connection import (
    AT_MOST_ONCE,
    ONLINE,
    BrokerConnection,
    BrokerError,
    Listener,
)
from companion.mqtt.hub_settings import TABLE_ID
from companion.relay.round_word import round_to_json
from companion.relay.wire import (
    ROOT,
    Have,
    Link,
    Topics,
    have_to_json,
)
from web.table_state import ClubRound

STATUS_TOPIC = f"{ROOT}-hub/status"

MOST_AT_ONCE = 500
"""Messages that the database takes in one transaction."""

LOOK_S = 0.5
"""The longest that a thread sleeps before it looks whether the hub ends."""

AGAIN_S = 1.0
"""After so long a database that was gone is asked again."""

LOOK_AT_DATABASE_S = 10.0
"""So often the database is asked for though nobody tells anything: it may be another one since."""

SETTLE_S = 2.0
"""So long the tables' retained states are waited for at the start, where there is a broker."""

SETTLED_S = 0.1
"""No further table for so long: all are there."""

log = logging.getLogger(__name__)


class Receiver:
    """Works from `start` to `close`, on threads of its own.

    One takes messages into the database, one hears what tables show now, and one has finished games
    worked out and tells of new names.
    """

    def __init__(self, address: BrokerAddress, database: Database, room: Room) -> None:
        self._database = database
        self._room = room
        self._intake = Intake(database)
        self._have: dict[str, Have] = {}
        self._told_nothing: set[str] = set()
        """Tables that were told that nothing of theirs is here."""
        self._generation = database.generation
        self._looked_s = time.monotonic()
        self._inbox = Inbox(room)
        self._states = LatestStates()
        self._replays = Replays(database, room, lambda table: self._have.get(table))
        self._rounds: dict[str, str] = {}
        self._renamed: Callable[[], None] = lambda: None
        self._names: dict[str, str] = {}
        """The tables' names when that was last called."""
        self._stop = threading.Event()
        self._is_anew = threading.Event()
        self._run = secrets.token_hex(4)
        # A secret: the broker ends the connection of whoever has a name that another comes with.
        name = f"companion-hub-{secrets.token_hex(8)}"
        self._is_subscribed = threading.Event()
        listener = Listener(self._is_anew.set, self._told, self._is_subscribed.set)
        self._connection = BrokerConnection(address, name, STATUS_TOPIC, listener, 5)
        for part, heard in (
            ("status", self._status),
            ("state", self._states.put),
            ("event", self._inbox.put),
        ):
            self._connection.subscribe(f"{ROOT}/+/{part}", self._of_table(heard))
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (
                ("intake", self._take_in),
                ("states", self._hear_states),
                ("replay", self._replay),
            )
        ]

    def start(self, renamed: Callable[[], None] = lambda: None) -> None:
        """Know what the database knows, and begin to hear. Raises DatabaseGoneError.

        `renamed` is called when a table has come, or has another name.
        """
        self._renamed = renamed
        self._have = self._intake.have()
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT id, name, is_shut_out FROM tables").fetchall()
        self._room.remember_names({row["id"]: row["name"] for row in rows})
        for row in rows:
            if row["is_shut_out"]:
                self._room.note_shut_out(row["id"], True)
        self._replays.work_out_anew(self._have)
        self._connection.start()
        for thread in self._threads:
            thread.start()

    def settle(self, limit_s: float = SETTLE_S) -> None:
        """Wait until what the broker kept of the tables has come, if it does.

        A page that asks before would be shown an empty room, and then each table anew.
        """
        end_s = time.monotonic() + limit_s
        self._is_subscribed.wait(limit_s)
        known = -1
        while known != (known := len(self._room.names())) and time.monotonic() < end_s:
            self._stop.wait(SETTLED_S)

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

    def work_out_anew(self) -> None:
        """A name went out of what tables told: every game is worked out without it, also where one
        is being worked out with it just now."""
        self._replays.work_out_anew(self._have)

    def _told(self, trouble: BrokerError | None) -> None:
        self._room.trouble("broker", None if trouble is None else trouble.message)

    def _of_table(self, heard: Callable[[str, bytes], None]) -> Callable[[str, bytes], None]:
        """Take a message of a table; of one that is shut out only whether it is there."""

        def take(topic: str, payload: bytes) -> None:
            table = topic.split("/")[-2]
            is_taken = heard == self._status or not self._room.is_shut_out(table)
            if TABLE_ID.fullmatch(table) and is_taken and self._room.has_place(table):
                heard(table, payload)

        return take

    def _status(self, table: str, payload: bytes) -> None:
        self._room.hear_status(table, payload.decode("utf-8", "replace") == ONLINE)

    def _hear_states(self) -> None:
        while not self._stop.is_set():
            for table, payload in self._states.take(LOOK_S).items():
                state = told_state(payload)
                if state is None:
                    self._inbox.refuse(table, payload, NO_MESSAGE)
                else:
                    self._room.hear_state(table, state)

    def _take_in(self) -> None:
        while not self._stop.is_set():
            if self._is_anew.is_set():
                self._is_anew.clear()
                for table, have in self._have.items():
                    self._publish(table, have)
                for table, word in list(self._rounds.items()):
                    self._connection.publish(Topics(table).round, word, retain=True)
            self._look_at_database()
            self._tell_nothing()
            batch = self._inbox.take(MOST_AT_ONCE, LOOK_S)
            while batch or self._inbox.has_aside:
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

    def _look_at_database(self) -> None:
        """Whether it is there, and still the same one: another one is told everything anew."""
        now_s = time.monotonic()
        is_due = now_s - self._looked_s > LOOK_AT_DATABASE_S
        try:
            if is_due:
                self._looked_s = now_s
                with self._database.transaction() as connection:
                    connection.execute("SELECT FROM chains LIMIT 1")
            if self._generation != self._database.generation:
                self._begin_anew()
        except DatabaseGoneError as error:
            self._room.trouble("database", error.message)
        except Exception:
            log.exception("The database could not be looked at.")
        else:
            if is_due:
                self._room.trouble("database", None)

    def _begin_anew(self) -> None:
        """The database is another one: what it has holds. Raises DatabaseGoneError."""
        generation = self._database.generation
        have = self._intake.have()
        for table in self._room.tables():
            if table.is_shut_out:
                self._database.keep_shut_out(table.id, True)
        self._generation, self._have = generation, have
        self._told_nothing.clear()
        self._replays.forget_kept()
        self._names = {}  # the rounds are told anew
        self._replays.work_out_anew(have)
        self._is_anew.set()

    def _tell_nothing(self) -> None:
        """The broker may have kept for a table how far another database was."""
        for table in self._room.names():
            if table not in self._have and table not in self._told_nothing:
                self._told_nothing.add(table)
                self._publish(table, Have("", 0))

    def _write(self, batch: list[tuple[str, Link]]) -> None:
        """Raises DatabaseGoneError: then all of it is to be given again."""
        self._inbox.set_aside(self._set_aside)
        if batch:
            self._take_or(batch, self._take_by_table)
        self._room.trouble("database", None)

    def _set_aside(self, one: Aside) -> bool:
        """Returns whether it is the first time. Raises DatabaseGoneError."""
        try:
            return self._intake.set_aside(one)
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
        for table, link in batch:
            self._room.hear_aside(table, NO_MESSAGE)
            if self._set_aside(aside_of(table, which(link), NO_MESSAGE)):
                log.exception("A message of %s could not be taken.", table)

    def _follow(self, taken: Taken) -> None:
        """Tell how far the database is now."""
        for one in taken.aside:
            self._inbox.put_aside(one)
        for table, have in taken.have.items():
            self._have[table] = have
            self._publish(table, have)
        self._replays.work_out_soon(taken.turned)

    def _publish(self, table: str, have: Have) -> None:
        """At most once: the newest is retained, and a table that hears none tells again. Else the
        broker would keep each for every session that somebody left behind with its credentials."""
        word = have_to_json(replace(have, hub=self._run))
        self._connection.publish(Topics(table).have, word, retain=True, qos=AT_MOST_ONCE)

    def _replay(self) -> None:
        """Work out the finished games of tables that have turned; tell of new names, and of tables
        that have fallen silent."""
        while not self._stop.wait(LOOK_S / 2):
            self._tell_renamed()
            self._room.note_silence()
            self._replays.work_out_due()

    def _tell_renamed(self) -> None:
        names = self._room.names()
        if names == self._names:
            return
        try:
            self._renamed()
        except CommandError:
            return  # the database is gone: later
        except Exception:
            log.exception("The tables could not be told their rounds.")
        self._names = names
