"""Who elsewhere is told what goes on at a table: a home, and a club's hub."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from companion.cli.troubles import Report
from companion.config import BoxConfig
from companion.errors import UsageError
from companion.home_assistant.link import HomeLink
from companion.log.store import LOG_NAME
from companion.mqtt.address import parse_address
from companion.mqtt.hub_settings import HubSettings
from companion.mqtt.settings import HomeSettings, table_name
from companion.relay.outbox import Outbox
from companion.table.table import Table
from scoring.language import SpokenError


def home_settings(words: str | None, config: BoxConfig) -> HomeSettings | None:
    """The broker of the command line, else of the configuration; raises UsageError."""
    if words is None:
        return config.home
    address = parse_address(words)
    return replace(config.home or HomeSettings(address, table_name()), address=address)


class Teller(Protocol):
    """Tells somebody elsewhere what goes on at the table, from `start` to `close`."""

    def start(self) -> None: ...

    def close(self) -> None: ...


Tell = Callable[[SpokenError | None], None]


def start_tellers(
    table: Table,
    home: HomeSettings | None,
    hub: HubSettings | None,
    data: Path,
    language: str,
    report: Report,
) -> list[Teller]:
    """Begin to tell a home and a club's hub; what is in the way is reported, nothing stops.

    Who is told no longer is in no trouble any more.
    """
    makers: dict[str, Callable[[Tell], Teller]] = {}
    if home is not None:
        makers["mqtt"] = lambda tell: HomeLink(table, home, language, tell)
    if hub is not None:
        makers["hub"] = lambda tell: Outbox(
            table,
            data / LOG_NAME,
            hub,
            tell,
            show_round=table.show_round,
        )
    for part in {"mqtt", "hub"} - makers.keys():
        report(part, None)
    begun = []
    for part, make in makers.items():
        try:
            teller = make(partial(report, part))
        except UsageError as error:
            report(part, error)
            continue
        teller.start()
        begun.append(teller)
    return begun
