"""Recognises a sheet's JSON document and checks it before it is compared."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeGuard

from scoring.fields import FieldReader
from scoring.game.colours import COLOURS
from scoring.language import Message

KINDS: tuple[str, ...] = (
    "routes",
    "ticket",
    "flags",
    "stations",
    "bonus",
    "passengers",
    "big-city",
    "globetrotter",
    "longest-path",
)
"""Every kind of line, in the order in which the reveal gives its points."""

SUBJECT_OF: Mapping[str, str] = MappingProxyType(
    {"passengers": "colour", "big-city": "city", "bonus": "bonus"}
)
"""The key of a line that tells several of one kind apart; a ticket's are its places."""

LARGEST_TOTAL = 100_000
"""No total is further from zero."""


def is_sheet(document: object) -> TypeGuard[dict[str, object]]:
    """Whether a document is a sheet rather than a game to be scored.

    >>> is_sheet({"game": "usa", "players": []}), is_sheet({"game": "usa", "winners": []})
    (False, True)
    """
    return isinstance(document, dict) and "winners" in document


def sheet_problems(document: dict[str, object]) -> list[Message]:
    """Every breach of a sheet's shape that would keep it from being compared.

    >>> sheet_problems({"game": "usa", "winners": ["Ada"], "players": []})
    []
    """
    problems: list[Message] = []
    reader = FieldReader("sheet", "document", problems)
    reader.at("game").word(document.get("game"))
    for name in reader.at("winners").items(document.get("winners")):
        reader.at("winners").word(name)
    for number, value in enumerate(_given(document, "violations", reader), start=1):
        _breach(value, reader.at("violations").inside(number))
    players = reader.at("players").items(document.get("players"))
    reader.at("players").unique([one.get("name") for one in players if isinstance(one, dict)])
    for number, player in enumerate(players, start=1):
        _player(player, FieldReader(f"player {number}", "player", problems))
    return list(dict.fromkeys(problems))


def _given(document: dict[str, object], key: str, reader: FieldReader) -> list[object]:
    """A list that an older sheet may lack."""
    return reader.at(key).items(document.get(key, []))


def _breach(value: object, reader: FieldReader) -> None:
    entries = reader.entries(value)
    for key in ("code", "text"):
        reader.inside(key).word(entries.get(key))
    for key in ("players", "routes"):
        for name in reader.inside(key).items(entries.get(key, [])):
            reader.inside(key).word(name)


def _player(value: object, reader: FieldReader) -> None:
    player = reader.entries(value)
    reader.at("name").word(player.get("name"))
    reader.at("total").number(player.get("total"), low=-LARGEST_TOTAL, high=LARGEST_TOTAL)
    reader.at("rank").number(player.get("rank"), low=1)
    for number, line in enumerate(reader.at("lines").items(player.get("lines")), start=1):
        _line(line, reader.at("lines").inside(number))


def _line(value: object, reader: FieldReader) -> None:
    line = reader.entries(value)
    kind = reader.inside("kind").one_of(line.get("kind"), KINDS)
    reader.inside("points").number(line.get("points"), low=-LARGEST_TOTAL, high=LARGEST_TOTAL)
    if kind == "ticket" and line.get("ticket") is not None:
        for place in reader.inside("ticket").items(line["ticket"]):
            reader.inside("ticket").word(place)
    subject = SUBJECT_OF.get(kind or "")
    if subject == "colour":
        reader.inside(subject).one_of(line.get(subject), COLOURS)
    elif subject is not None:
        reader.inside(subject).word(line.get(subject))
