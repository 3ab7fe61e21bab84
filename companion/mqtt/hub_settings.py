"""What a table's configuration says of a club's hub."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address, told_address
from companion.mqtt.settings import table_name
from scoring.language import text
from scoring.printable import is_printable

KEYS = ("address", "name")

TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A table's name in topics, which is also its user name at the broker."""

NUMBERED = re.compile(r"table-([1-9][0-9]*)")
"""The ids for which the set-up of a hub makes credentials."""

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The club's broker, this table's id there, and its name for people."""

    address: BrokerAddress
    table: str
    name: str
    is_named: bool = True
    """Whether somebody gave that name; else it is the id made readable."""

    def told_in(self, language: str) -> "HubSettings":
        """With the name that the room's other tables have in a language, unless it was given."""
        numbered = NUMBERED.fullmatch(self.table)
        if self.is_named or numbered is None:
            return self
        return replace(self, name=text("companion.hub.setup.table", language, number=numbered[1]))


def hub_settings(section: Any) -> HubSettings:
    """The section [hub] of a configuration. Raises UsageError for all that is wrong at once."""
    if not isinstance(section, Mapping):
        raise UsageError("companion.relay.keys", known=", ".join(KEYS))
    wrong: list[UsageError] = []
    if not set(section) <= set(KEYS):
        wrong.append(UsageError("companion.relay.keys", known=", ".join(KEYS)))
    hub = told_address(section.get("address"), hub_of, wrong)
    name = section.get("name", "Table")
    if not isinstance(name, str) or not is_printable(name) or not 0 < len(name) <= LONGEST_NAME:
        wrong.append(UsageError("companion.relay.name", longest=LONGEST_NAME))
    if hub is None or wrong:
        raise UsageError.of_all(wrong)
    return replace(hub, name=section.get("name", hub.name), is_named="name" in section)


def hub_of(words: object) -> HubSettings:
    """A hub by its broker's address: who logs in there is the table. Raises UsageError."""
    address = parse_address(words)
    table = address.user or table_name()
    if not TABLE_ID.fullmatch(table):
        raise UsageError("companion.relay.table")
    return HubSettings(address, table, table.replace("-", " ").capitalize(), is_named=False)


def hub_for_now(words: object, usual: HubSettings | None) -> HubSettings:
    """A hub by its address for one evening. The table keeps the name that it has there usually.

    Raises UsageError.
    """
    hub = hub_of(words)
    if usual is None or usual.table != hub.table:
        return hub
    return replace(hub, name=usual.name, is_named=usual.is_named)
