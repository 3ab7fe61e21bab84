"""Reads a JSON document that anybody may have written, before anything else looks at it."""

import json
from collections.abc import Mapping
from typing import Any

from web.errors import BadRequestError

DEEPEST = 16
"""Levels within levels; the panel's own documents have three."""


def read_document(raw: bytes) -> Mapping[str, Any]:
    """The JSON object in these bytes.

    Raises BadRequestError where it is none, is nested deeper than DEEPEST levels, or holds text
    that no file and no page can hold (half a character, as in "\\ud800").
    """
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        raise BadRequestError("web.error.json") from None
    if not isinstance(document, Mapping):
        raise BadRequestError("web.error.json")
    _check(document)
    return document


def _check(document: Mapping[str, Any]) -> None:
    """Look at everything in the document, level by level."""
    level: list[Any] = [document]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return
    raise BadRequestError("web.error.nested")


def _inside(value: object) -> list[Any]:
    if isinstance(value, Mapping):
        return [*value, *value.values()]
    if isinstance(value, str) and not _is_whole(value):
        raise BadRequestError("web.error.text")
    return value if isinstance(value, list) else []


def _is_whole(words: str) -> bool:
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
