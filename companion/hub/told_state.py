"""A table's public state as it came from the broker, checked before any page shows it."""

import json
from collections.abc import Mapping
from typing import Any

from companion.log.rows import is_date
from scoring.game.colours import COLOURS
from scoring.printable import is_printable
from web.table_state import CAMERA_STATUSES, PHASES

LARGEST_BYTES = 100_000

LONGEST_NAME = 60

MOST_PLAYERS = len(COLOURS)
"""A map without a file lets as many play as there are colours."""

MOST_ROUTES = 1_000


def told_state(payload: bytes) -> Mapping[str, Any] | None:
    """The document of `companion.relay.state_document`; None where it is none."""
    if len(payload) > LARGEST_BYTES:
        return None
    try:
        return _checked(json.loads(payload))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def _checked(sent: Any) -> dict[str, Any]:
    """Only what is known, each of its type; raises ValueError and what lookups raise."""
    sent_at_s = float(sent["sent_at"])
    _need(is_date(sent_at_s))
    _need(sent["phase"] in PHASES and sent["camera"] in CAMERA_STATUSES)
    _need(len(sent["players"]) <= MOST_PLAYERS and len(sent["standing"]) <= MOST_PLAYERS)
    _need(len(sent["routes"]) <= MOST_ROUTES and len(sent["doubtful"]) <= MOST_ROUTES)
    return {
        "name": _text(sent["name"]).strip(),
        "instance": _text(sent["instance"]),
        "sent_at": sent_at_s,
        "place": _count(sent["place"]),
        "phase": sent["phase"],
        "board": None if sent["board"] is None else _text(sent["board"]),
        "title": _text(sent["title"]),
        "players": [_player(one) for one in sent["players"]],
        "standing": [_standing(one) for one in sent["standing"]],
        "winners": [_text(name) for name in sent["winners"]][:MOST_PLAYERS],
        "routes": {_text(route): _colour(owner) for route, owner in sent["routes"].items()},
        "doubtful": [_text(route) for route in sent["doubtful"]],
        "questions": _count(sent["questions"]),
        "camera": sent["camera"],
    }


def _player(sent: Any) -> dict[str, Any]:
    return {"name": _text(sent["name"]), "colour": _colour(sent["colour"])}


def _standing(sent: Any) -> dict[str, Any]:
    points = sent["points"]
    _need(type(points) is int and abs(points) < 10_000)
    left = sent.get("wagons_left")
    colour = sent["colour"]
    return {
        "name": _text(sent["name"]),
        "colour": "grey" if colour is None else _colour(colour),
        "points": points,
        "wagons_left": None if left is None else _count(left),
    }


def _colour(sent: Any) -> str:
    _need(sent in COLOURS)
    return str(sent)


def _text(sent: Any) -> str:
    _need(isinstance(sent, str) and is_printable(sent))
    sent.encode("utf-8")
    return str(sent)[:LONGEST_NAME]


def _count(sent: Any) -> int:
    _need(type(sent) is int and 0 <= sent < 2**31)
    return int(sent)


def _need(is_so: bool) -> None:
    if not is_so:
        raise ValueError("not a state")
