"""The table's settings in words: what can be chosen where the rulebooks are silent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import Any

from scoring.game.rules import BIG_CITY_TIES
from web.language import say

YES_OR_NO: tuple[str, ...] = (
    "longest-path-needs-a-route",
    "globetrotter-needs-a-ticket",
    "passengers-second-needs-one",
)
"""Settings that hold or don't."""

ONE_OF: Mapping[str, tuple[str, ...]] = MappingProxyType({"big-city-tie": BIG_CITY_TIES})
"""Settings that are one of several words."""

NUMBERS: tuple[str, ...] = ("score-track", "fewest-tickets")
"""Settings that are a number."""

ORDERS: tuple[str, ...] = ("tie-breaks",)
"""Settings that are rules in an order."""

CHOSEN: tuple[str, ...] = (*YES_OR_NO, *ONE_OF, *ORDERS, *NUMBERS)
"""Settings that the panel knows words for."""


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
            title=say(f"setting.{name}", language),
            value=_sent(present.get(name, defaults[name])),
            options=_options(name, defaults[name], language),
            default=_sent(defaults[name]),
        )
        for name in CHOSEN
        if name in defaults
    )


def settings_in_words(settings: Mapping[str, Any], language: str) -> tuple[tuple[str, str], ...]:
    """Title and answer of every setting that a sheet depends on."""
    return tuple(
        (say(f"setting.{name}", language), _in_words(name, settings[name], language))
        for name in CHOSEN
        if name in settings
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
        SettingOption(_sent(value), _in_words(name, value, language), value == default)
        for value in values
    )


def _in_words(name: str, value: Any, language: str) -> str:
    if name in YES_OR_NO:
        answer = "yes" if value else "no"
        return say(f"setting.{name}.{answer}", language)
    if name in ONE_OF:
        return say(f"setting.{name}.{value}", language)
    if name in ORDERS:
        if not value:
            return say("setting.tie.nothing", language)
        rules = [say(f"setting.tie.{rule}", language) for rule in value]
        return ", ".join([*rules, say("setting.tie.shared", language)])
    return str(value)


def _sent(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
