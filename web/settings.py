"""What of the table's settings can be chosen, with the answers to each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from scoring.documents.settings_in_words import (
    IN_WORDS,
    ONE_OF,
    ORDERS,
    YES_OR_NO,
    answer_of,
    title_of,
)


@dataclass(frozen=True, slots=True)
class SettingOption:
    """One answer to a setting, as a form sends it and as people read it."""

    value: str
    words: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting with its present value; one without options is a number."""

    name: str
    title: str
    value: str
    options: tuple[SettingOption, ...]
    default: str


def view_settings(
    defaults: Mapping[str, Any], present: Mapping[str, Any], language: str
) -> tuple[SettingView, ...]:
    """The settings that a game leaves open, each with its answers, in a fixed order."""
    return tuple(
        SettingView(
            name=name,
            title=title_of(name, language),
            value=_sent(present.get(name, defaults[name])),
            options=_options(name, defaults[name], language),
            default=_sent(defaults[name]),
        )
        for name in IN_WORDS
        if name in defaults
    )


def _options(name: str, default: object, language: str) -> tuple[SettingOption, ...]:
    values: Sequence[object] = ()
    if name in YES_OR_NO:
        values = (True, False)
    elif name in ONE_OF:
        values = ONE_OF[name]
    elif name in ORDERS and isinstance(default, list):
        counts = range(len(default), -1, -1)
        values = [list(order) for n in counts for order in permutations(default, n)]
    return tuple(
        SettingOption(_sent(value), answer_of(name, value, language), value == default)
        for value in values
    )


def _sent(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
