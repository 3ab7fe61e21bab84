"""Checks of plain JSON values that a damaged log or any program in the network may have written.

Every function returns the value in its right type or raises FieldError.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from scoring.language import SpokenError

DEPTH = 8
"""How deep a free value may nest: a ticket of the Card Game needs three."""

T = TypeVar("T")


class FieldError(SpokenError, ValueError):
    """A field is missing or holds something of another type."""


def document(value: object) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise FieldError("companion.field.no-object")
    return value


def text(value: object) -> str:
    """A text that can be written out; a lone half of a surrogate pair cannot."""
    if not isinstance(value, str):
        raise FieldError("companion.field.no-text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise FieldError("companion.field.no-unicode") from error
    return value


def text_or_none(value: object) -> str | None:
    """A text, or nothing."""
    return None if value is None else text(value)


def boolean(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise FieldError("companion.field.no-boolean")
    return value


def boolean_or_none(value: object) -> bool | None:
    """True, false, or nothing."""
    return None if value is None else boolean(value)


def whole_number(value: object) -> int:
    """A whole number from 0 on, of a size that somebody might count to."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1_000_000:
        raise FieldError("companion.field.no-count")
    return value


LONGEST_S = 10_000_000_000
"""Three hundred years: no clock is farther off that counts from 1970."""


def seconds(value: object) -> int:
    """Whole seconds, to later or to earlier."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LONGEST_S:
        raise FieldError("companion.field.no-seconds")
    return value


def probability(value: object) -> float:
    """A number from 0 to 1, with room for rounding."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -0.01 <= value <= 1.01:
        raise FieldError("companion.field.no-probability")
    return float(value)


def items(value: object, read: Callable[[object], T]) -> tuple[T, ...]:
    """A JSON list, each of its items read."""
    if not isinstance(value, list | tuple):
        raise FieldError("companion.field.no-list")
    return tuple(read(item) for item in value)


def table(value: object, read: Callable[[object], T]) -> dict[str, T]:
    """A JSON object, each of its values read."""
    return {text(name): read(item) for name, item in document(value).items()}


def free(value: object, depth: int = DEPTH) -> Any:
    """Any JSON value without endless numbers, broken texts and bottomless nesting."""
    if depth == 0:
        raise FieldError("companion.field.deep")
    match value:
        case str():
            return text(value)
        case float() if not math.isfinite(value):
            raise FieldError("companion.field.no-finite")
        case None | bool() | int() | float():
            return value
        case dict():
            return table(value, lambda item: free(item, depth - 1))
        case list():
            return list(items(value, lambda item: free(item, depth - 1)))
        case _:
            raise FieldError("companion.field.no-value")
