"""Tells a club's hub what the log holds: everything once, in order, however long it was away.

The log is the queue. What the hub has not confirmed is sent (again) from the log: after a lost
connection, a restart of table, broker or hub, and where the hub's database was set back.
"""

import logging
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from companion.mqtt.connection import BrokerConnection, BrokerError, Listener
from companion.mqtt.hub_settings import HubSettings
from companion.relay.delivery import Delivery
from companion.relay.round_word import round_from_json
from companion.relay.wire import Topics
from web.ports import TablePort
from web.table_state import ClubRound

LOOK_S = 1.0
"""How often the thread looks whether anything is to be done; a change wakes it at once."""

SOON_S = 0.05
"""The same while messages are under way."""

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
        log_path: Path,
        settings: HubSettings,
        tell: Callable[[BrokerError | None], None] = lambda trouble: None,
        show_round: Callable[[ClubRound | None], None] = lambda club_round: None,
    ) -> None:
        self._table = table
        self._stop = threading.Event()
        topics, instance = Topics(settings.table), secrets.token_hex(8)
        self._connection = BrokerConnection(
            settings.address,
            f"companion-{settings.table}-{instance}",
            topics.status,
            Listener(
                lambda: self._delivery.begin_anew(), tell, lambda: self._delivery.subscribed()
            ),
            LONGEST_PAUSE_S,
        )
        self._delivery = Delivery(table, log_path, settings, self._connection, instance)
        self._connection.subscribe(
            topics.have, lambda topic, payload: self._delivery.hub_has(payload)
        )
        self._connection.subscribe(
            topics.round, lambda topic, payload: show_round(round_from_json(payload))
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

    def _run(self) -> None:
        version, told_of = -1, -1
        while not self._stop.is_set():
            is_waiting = self._delivery.is_under_way or told_of != version
            is_busy = self._connection.is_online and is_waiting
            version = self._table.wait(version, SOON_S if is_busy else LOOK_S)
            try:
                told_of = self._delivery.look(version, told_of)
            except Exception:
                log.exception("The hub could not be told.")
                self._stop.wait(LOOK_S)
