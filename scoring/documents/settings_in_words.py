"""The table's settings in words: what they decide where the rulebooks are silent, and how."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scoring.game.rules import BIG_CITY_TIES
from scoring.language import text

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

IN_WORDS: tuple[str, ...] = (*YES_OR_NO, *ONE_OF, *ORDERS, *NUMBERS)
"""Settings that there are words for, in the order in which they are shown."""


def settings_in_words(settings: Mapping[str, Any], language: str) -> tuple[tuple[str, str], ...]:
    """Title and answer of every setting that a sheet depends on.

    >>> settings_in_words({"longest-path-needs-a-route": True}, "en")
    (('Longest path, if nobody has a route', 'nobody gets it'),)
    """
    return tuple(
        (title_of(name, language), answer_of(name, settings[name], language))
        for name in IN_WORDS
        if name in settings
    )


def title_of(name: str, language: str) -> str:
    """What a setting decides.

    >>> title_of("fewest-tickets", "it")
    'Biglietti che ognuno deve avere come minimo'
    """
    return text(f"scoring.setting.{name}", language)


def answer_of(name: str, value: Any, language: str) -> str:
    """How a setting with this value decides it.

    >>> answer_of("tie-breaks", ["tickets"], "en")
    'completed tickets, then the win is shared'
    """
    if name in YES_OR_NO:
        return text(f"scoring.setting.{name}.{'yes' if value else 'no'}", language)
    if name in ONE_OF:
        return text(f"scoring.setting.{name}.{value}", language)
    if name in ORDERS:
        if not value:
            return text("scoring.setting.tie.nothing", language)
        rules = [text(f"scoring.setting.tie.{rule}", language) for rule in value]
        return ", ".join([*rules, text("scoring.setting.tie.shared", language)])
    return str(value)
