"""Tells a home what goes on at the table, and lets it ask for a scan."""

import json
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from companion.home_assistant.discovery import Topics, discovery_messages
from companion.home_assistant.document import home_document
from companion.mqtt.connection import BrokerConnection, BrokerError, Listener
from companion.mqtt.settings import HomeSettings
from web.errors import ActionRefusedError
from web.ports import TablePort

LOOK_S = 1.0
"""How often the thread looks whether it should end; a change of the table wakes it at once."""

PAUSE_S = 0.25
"""Least time between two documents: many answers in a row are one change for a home."""

installed_version = cache(version)
"""Read from the disk once, not at every change of the table."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Said:
    """What the broker was told since the last connection, by topic."""

    retained: dict[str, str] = field(default_factory=dict)


class HomeLink:
    """Publishes one table from `start` to `close`, on threads of its own; never holds it up.

    `tell` hears what is wrong with the connection, None when it works. Raises UsageError where
    paho-mqtt is missing.
    """

    def __init__(
        self,
        table: TablePort,
        settings: HomeSettings,
        language: str,
        tell: Callable[[BrokerError | None], None] = lambda trouble: None,
    ) -> None:
        self._table = table
        self._language = language
        self._topics = Topics(settings.name, settings.discovery)
        self._stop = threading.Event()
        self._said = _Said()
        name = f"companion-{settings.name}-{secrets.token_hex(3)}"
        listener = Listener(self._begin_anew, tell)
        self._connection = BrokerConnection(settings.address, name, self._topics.status, listener)
        self._connection.subscribe(self._topics.scan, self._scan, retained=False)
        # Home Assistant says there that it has started: it may have lost what it knew.
        self._connection.subscribe(
            f"{settings.discovery}/status", lambda topic, payload: self._begin_anew()
        )
        self._is_scan_asked = threading.Event()
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (("home", self._run), ("home-scan", self._scan_when_asked))
        ]

    def start(self) -> None:
        """Begin to connect and to tell."""
        self._connection.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Say that the table is gone, and end."""
        self._stop.set()
        self._is_scan_asked.set()
        for thread in self._threads:
            thread.join(2 * LOOK_S)
        self._connection.close()

    def _begin_anew(self) -> None:
        """What was said may be lost: say all of it again."""
        self._said = _Said()

    def _run(self) -> None:
        told = (-1, self._said)
        while not self._stop.is_set():
            now = (self._table.wait(told[0], LOOK_S), self._said)
            if now[0] == told[0] and now[1] is told[1]:
                continue
            is_told = self._publish_or_log(now[1])
            if is_told:
                told = now
            self._stop.wait(PAUSE_S if is_told else LOOK_S)

    def _publish_or_log(self, said: _Said) -> bool:
        """A fault of the program is not repeated every second: the next change is told again."""
        try:
            return self._publish(said)
        except Exception:
            log.exception("The home could not be told.")
            return True

    def _publish(self, said: _Said) -> bool:
        """Publish what has changed; returns whether all of it is on its way."""
        state = self._table.state()
        document = json.dumps(home_document(state, self._language), ensure_ascii=False)
        messages = discovery_messages(
            self._topics, state["players"], self._language, installed_version("ttr-companion")
        )
        for topic, payload in {**messages, self._topics.state: document}.items():
            if said.retained.get(topic) == payload:
                continue
            if not self._connection.publish(topic, payload, retain=True):
                return False
            said.retained[topic] = payload
        return True

    def _scan(self, _topic: str, _payload: bytes) -> None:
        """A scan was asked for; several requests during a scan are one more scan."""
        self._is_scan_asked.set()

    def _scan_when_asked(self) -> None:
        """Where there is nothing to scan nothing happens."""
        while self._is_scan_asked.wait() and not self._stop.is_set():
            self._is_scan_asked.clear()
            try:
                self._table.act("scan", {})
            except ActionRefusedError as refused:
                log.info("A scan that the home asked for was refused: %s", refused)
            except Exception:
                log.exception("A scan that the home asked for failed.")
