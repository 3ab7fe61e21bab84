"""A sentence for people, kept as a catalogue key and values: it can be said in any language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.language import text

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

LONGEST_SHOWN = 40
"""Characters of a foreign value that a message repeats; the rest is cut with an ellipsis."""


@dataclass(frozen=True, slots=True)
class Message:
    """`key` is a catalogue key such as `scoring.problem.not_a_list`."""

    key: str
    values: Mapping[str, object]

    def text(self, language: str = "en") -> str:
        """The sentence in that language."""
        return text(self.key, language, **self.values)

    def __str__(self) -> str:
        return self.text()


def message(name: str, **values: object) -> Message:
    """A message of this room; `name` is its key without `scoring.`."""
    return Message(f"scoring.{name}", MappingProxyType(values))


def shown(value: object) -> str:
    """A value from a file as a one-line message may repeat it: short, printable, text quoted."""
    words = f'"{value}"' if isinstance(value, str) else _literal(value)
    clean = "".join(sign if sign.isprintable() else REPLACEMENT for sign in words)
    return clean if len(clean) <= LONGEST_SHOWN else clean[: LONGEST_SHOWN - 1] + "…"


def _literal(value: object) -> str:
    """JSON's own spelling of the simple values, the kind in brackets for the others."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**LONGEST_SHOWN else "…"
    if isinstance(value, float):
        return repr(value)
    return "{…}" if isinstance(value, dict) else "[…]"
