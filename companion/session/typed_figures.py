"""What is typed of a player beside tickets and passengers: its names, and how each is checked."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from companion.session.event_fields import ticket
from companion.session.json_values import items, table, text, whole_number

Check = Callable[[object], Any]
"""Raises FieldError where a value is none of its kind."""


def _stations(value: object) -> tuple[str, ...] | int:
    """On a map the cities where they stand, else the number of those that were never built."""
    return items(value, text) if isinstance(value, list | tuple) else whole_number(value)


FIGURES: Mapping[str, Check] = MappingProxyType(
    {
        "flags": whole_number,
        "stations": _stations,
        "route_lengths": lambda value: table(value, whole_number),
        "cards": lambda value: table(value, whole_number),
        "bonuses": lambda value: table(value, whole_number),
    }
)
"""Those that the panel asks for (`set-flags` and so on)."""

TYPED: Mapping[str, Check] = MappingProxyType(
    {
        **FIGURES,
        **dict.fromkeys(("first_pass", "completed", "failed"), lambda value: items(value, ticket)),
        "marker": whole_number,
    }
)
"""All keys of a player in `GAME.json` that are typed by hand."""

POINTS: tuple[str, ...] = ("route-points", "big-cities")
"""Settings of `GAME.json` that hold points printed on the table's own board or cards."""
