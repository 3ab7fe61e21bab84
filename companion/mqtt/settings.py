"""What a table's configuration says of home automation."""

import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address, told_address

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
    """The section [mqtt] of a configuration. Raises UsageError for all that is wrong at once."""
    if not isinstance(section, Mapping):
        raise UsageError("companion.mqtt.keys", known=", ".join(KEYS))
    wrong: list[UsageError] = []
    if not set(section) <= set(KEYS):
        wrong.append(UsageError("companion.mqtt.keys", known=", ".join(KEYS)))
    address = told_address(section.get("address"), parse_address, wrong)
    wrong += _wrong_levels(section)
    if address is None or wrong:
        raise UsageError.of_all(wrong)
    name, discovery = section.get("name", table_name()), section.get("discovery", DISCOVERY)
    return HomeSettings(address, name, discovery)


def _wrong_levels(section: Mapping[str, Any]) -> Iterator[UsageError]:
    for key in ("name", "discovery"):
        level = section.get(key, DISCOVERY)
        if not isinstance(level, str) or not LEVEL.fullmatch(level):
            yield UsageError("companion.mqtt.name", key=key)
