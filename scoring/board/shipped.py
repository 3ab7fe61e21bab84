"""The documents of the boards that ship with the program, and other names of their places."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

BOARDS_WITH_DATA: tuple[str, ...] = ("usa", "germany", "france")
"""Boards whose routes and tickets ship with the program."""


def shipped_document(board_id: str) -> dict[str, Any] | None:
    """The board file of that id as it ships, or None if there is none.

    >>> shipped_document("nowhere") is None
    True
    """
    if board_id not in BOARDS_WITH_DATA:
        return None
    text = (resources.files("scoring.board") / "data" / f"{board_id}.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@cache
def other_names() -> Mapping[str, tuple[str, ...]]:
    """Short names of places and those in other languages, by the place's id.

    >>> other_names()["koeln"]
    ('Cologne', 'Colonia')
    """
    text = (resources.files("scoring.board") / "other_names.json").read_text("utf-8")
    return {place: tuple(names) for place, names in json.loads(text).items()}
