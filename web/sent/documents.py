"""Reads a JSON document that anybody may have written, before anything else looks at it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from web.errors import BadRequestError

DEEPEST = 16
"""Levels within levels; the panel's own documents have three."""


def read_document(raw: bytes) -> Mapping[str, Any]:
    """The JSON object in these bytes.

    Raises BadRequestError where it is none, is nested deeper than DEEPEST levels, has a key twice,
    or holds text that no file and no page can hold (half a character, as in "\\ud800").
    """
    document = read_json(raw, "web.error.json")
    if not isinstance(document, Mapping):
        raise BadRequestError("web.error.json")
    _check(document)
    return document


def read_json(raw: bytes | str, key: str, **values: object) -> Any:
    """Any JSON value. Raises BadRequestError: of `key` where it is none, and for a key that stands
    twice in one object, because one of the values would be lost."""
    try:
        return json.loads(raw, object_pairs_hook=_each_key_once)
    except BadRequestError:
        raise
    except (ValueError, RecursionError):
        raise BadRequestError(key, **values) from None


def _each_key_once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            said = key[:40].encode("utf-8", "replace").decode()
            raise BadRequestError("web.error.key-twice", key=said)
        entries[key] = value
    return entries


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
