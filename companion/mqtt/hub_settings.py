"""What a table's configuration says of a club's hub."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address
from companion.mqtt.settings import table_name

KEYS = ("address", "name")

TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A table's name in topics, which is also its user name at the broker."""

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The club's broker, this table's id there, and its name for people."""

    address: BrokerAddress
    table: str
    name: str


def hub_settings(section: Any) -> HubSettings:
    """The section [hub] of a configuration. Raises UsageError."""
    if not isinstance(section, Mapping) or not set(section) <= set(KEYS):
        raise UsageError("companion.relay.keys", known=", ".join(KEYS))
    address = section.get("address")
    if not isinstance(address, str):
        raise UsageError("companion.mqtt.address")
    return hub_of(address, section.get("name"))


def hub_of(words: str, name: Any = None) -> HubSettings:
    """A hub by its broker's address: who logs in there is the table. Raises UsageError."""
    address = parse_address(words)
    table = address.user or table_name()
    if not TABLE_ID.fullmatch(table):
        raise UsageError("companion.relay.table")
    shown = table.replace("-", " ").capitalize() if name is None else name
    if not isinstance(shown, str) or not shown.isprintable() or not 0 < len(shown) <= LONGEST_NAME:
        raise UsageError("companion.relay.name", longest=LONGEST_NAME)
    return HubSettings(address, table, shown)
