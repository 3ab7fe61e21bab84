"""Works out the finished games of tables whose events have changed, one table after another."""

import logging
import time
from collections.abc import Callable, Iterable

from companion.errors import CommandError
from companion.hub.database import Database
from companion.hub.evidence import keep_evenings, replayed
from companion.hub.room import Room
from companion.relay.wire import Have

PAUSE_S = 0.3
"""Games are worked out when a table has been quiet for so long."""

SHARE = 10
"""A table whose games took a second is not looked at again for ten: the others wait for it."""

log = logging.getLogger(__name__)


class Replays:
    """Which tables' games are to be worked out, and when; `have_of` tells how far a table is here.

    `work_out_due` is for one thread, all else for any.
    """

    def __init__(
        self, database: Database, room: Room, have_of: Callable[[str], Have | None]
    ) -> None:
        self._database = database
        self._room = room
        self._have_of = have_of
        self._due_s: dict[str, float] = {}
        """When games of tables are to be worked out."""
        self._rested_s: dict[str, float] = {}
        """When games of tables may be worked out again."""
        self._kept: dict[str, dict[str, bytes]] = {}

    def work_out_soon(self, tables: Iterable[str]) -> None:
        """Their events have changed: once they are quiet, and have let the others have a turn."""
        due_s = time.monotonic() + PAUSE_S
        for table in tables:
            self._due_s[table] = max(due_s, self._rested_s.get(table, 0.0))

    def work_out_anew(self, tables: Iterable[str]) -> None:
        """Now, also where a table's are being worked out just now."""
        self._due_s.update(dict.fromkeys(tables, time.monotonic()))

    def forget_kept(self) -> None:
        """The database is another one: what was kept in the one before need not be in it."""
        self._kept.clear()

    def work_out_due(self) -> None:
        """Work out those whose time has come; where the database is gone they wait for the next."""
        now_s = time.monotonic()
        for table in [one for one, due_s in list(self._due_s.items()) if due_s <= now_s]:
            due_s, began_s = self._due_s[table], time.monotonic()
            try:
                self._work_out(table)
            except CommandError:
                break
            except Exception:
                log.exception("The games of a table could not be worked out.")
            over_s = time.monotonic()
            self._rested_s[table] = over_s + SHARE * (over_s - began_s)
            if self._due_s.get(table) == due_s:
                self._due_s.pop(table, None)

    def _work_out(self, table: str) -> None:
        boards, have = self._room.boards, self._have_of(table)
        if have is None:
            return  # the database is another one, and has nothing of it
        found = replayed(self._database, table, have.chain, boards)
        kept = self._kept.get(table, {})
        self._kept[table] = keep_evenings(self._database, table, found, boards, kept)
        self._room.hear_evidence(table, found.lying, found.nameless, have.place)
