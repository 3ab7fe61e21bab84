"""What a table's configuration says of home automation."""

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address

KEYS = ("address", "name", "discovery")

DISCOVERY = "homeassistant"
"""Where Home Assistant looks for devices unless it was told otherwise."""

LEVEL = re.compile(r"[a-z0-9_-]{1,40}")
"""One level of a topic that is also a good id in Home Assistant."""


@dataclass(frozen=True, slots=True)
class HomeSettings:
    """The broker, the table's name in its topics, and where Home Assistant looks for devices."""

    address: BrokerAddress
    name: str
    discovery: str = DISCOVERY


def table_name() -> str:
    """This machine's name as a level of a topic."""
    name = re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().partition(".")[0].lower())
    return name.strip("-")[:40] or "companion"


def home_settings(section: Any) -> HomeSettings:
    """The section [mqtt] of a configuration. Raises UsageError."""
    if not isinstance(section, Mapping) or not set(section) <= set(KEYS):
        raise UsageError("companion.mqtt.keys", known=", ".join(KEYS))
    address = section.get("address")
    if not isinstance(address, str):
        raise UsageError("companion.mqtt.address")
    name, discovery = section.get("name", table_name()), section.get("discovery", DISCOVERY)
    for key, level in (("name", name), ("discovery", discovery)):
        if not isinstance(level, str) or not LEVEL.fullmatch(level):
            raise UsageError("companion.mqtt.name", key=key)
    return HomeSettings(parse_address(address), name, discovery)
