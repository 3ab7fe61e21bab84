"""Recognises a sheet's JSON document and checks it before it is compared."""

from typing import TypeGuard

from scoring.documents.fields import Spot
from scoring.game.colours import COLOURS
from scoring.message import Message

KINDS: tuple[str, ...] = (
    "routes",
    "ticket",
    "longest-path",
    "globetrotter",
    "passengers",
    "flags",
    "big-city",
    "stations",
    "bonus",
)
"""Every kind of line."""

FAR = 100_000
"""No total is further from zero."""


def is_sheet(document: object) -> TypeGuard[dict[str, object]]:
    """Whether a document is a sheet rather than a game to be scored."""
    return isinstance(document, dict) and "winners" in document


def sheet_problems(document: dict[str, object]) -> list[Message]:
    """Every breach of a sheet's shape that would keep it from being compared."""
    problems: list[Message] = []
    spot = Spot("sheet", "document", problems)
    spot.at("game").word(document.get("game"))
    for name in spot.at("winners").items(document.get("winners")):
        spot.at("winners").word(name)
    for number, value in enumerate(_given(document, "violations", spot), start=1):
        _breach(value, spot.at("violations").inside(number))
    players = spot.at("players").items(document.get("players"))
    for number, player in enumerate(players, start=1):
        _player(player, Spot(f"player {number}", "player", problems))
    return problems


def _given(document: dict[str, object], key: str, spot: Spot) -> list[object]:
    """A list that an older sheet may lack."""
    return spot.at(key).items(document.get(key, []))


def _breach(value: object, spot: Spot) -> None:
    entries = spot.entries(value)
    for key in ("code", "text"):
        spot.inside(key).word(entries.get(key))
    for key in ("players", "routes"):
        for name in spot.inside(key).items(entries.get(key, [])):
            spot.inside(key).word(name)


def _player(value: object, spot: Spot) -> None:
    player = spot.entries(value)
    spot.at("name").word(player.get("name"))
    spot.at("total").number(player.get("total"), low=-FAR, high=FAR)
    spot.at("rank").number(player.get("rank"), low=1)
    for number, line in enumerate(spot.at("lines").items(player.get("lines")), start=1):
        _line(line, spot.at("lines").inside(number))


def _line(value: object, spot: Spot) -> None:
    line = spot.entries(value)
    kind = spot.inside("kind").one_of(line.get("kind"), KINDS)
    spot.inside("points").number(line.get("points"), low=-FAR, high=FAR)
    if kind == "ticket" and line.get("ticket") is not None:
        for place in spot.inside("ticket").items(line["ticket"]):
            spot.inside("ticket").word(place)
    if kind == "passengers":
        spot.inside("colour").one_of(line.get("colour"), COLOURS)
    if kind == "big-city":
        spot.inside("city").word(line.get("city"))
    if kind == "bonus":
        spot.inside("bonus").word(line.get("bonus"))
