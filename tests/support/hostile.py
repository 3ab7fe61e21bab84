"""Documents as somebody would write them who wants the program to fall over."""

import json
from collections.abc import Iterator
from typing import Any

from tests.support.documents import changed

DEEP = 10_000
"""Levels of nesting: more than Python's own reader of JSON follows."""

DEEP_LIST = "[" * DEEP + "]" * DEEP
DEEP_OBJECT = '{"a":' * DEEP + "1" + "}" * DEEP

VALUES: tuple[Any, ...] = (
    "\ud800",
    "a\x00b",
    "",
    "x" * 5_000,
    None,
    True,
    -1,
    10**400,
    float("nan"),
    float("inf"),
    [],
    {},
    ["\ud800"],
    {"\ud800": "\x00"},
    json.loads("[" * 200 + "]" * 200),
)
"""What may stand in any field: half a character, NUL, other types, numbers beyond all numbers."""


def leaves(document: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a document that holds no others, and to every list and object."""
    if path:
        yield path
    pairs = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in pairs:
        if isinstance(value, dict | list):
            yield from leaves(value, *path, key)
        else:
            yield (*path, key)


def variations(document: Any) -> Iterator[str]:
    """The document as JSON with each of its values in turn replaced by each hostile one."""
    for path in leaves(document):
        for value in VALUES:
            yield json.dumps(changed(document, *path, to=value))
        for deep in (DEEP_LIST, DEEP_OBJECT):
            hole = json.dumps(changed(document, *path, to="the hole"))
            yield hole.replace('"the hole"', deep)


def wholes() -> Iterator[str]:
    """Documents that are nothing of what is expected."""
    yield from (DEEP_LIST, DEEP_OBJECT, "[" * DEEP, "", "\x00", "[]", "null", "1e999", '"\\ud800"')
