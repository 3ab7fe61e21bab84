"""What `companion scan --json` printed, as a game that can be scored."""

import sys
from typing import Any

from companion.cli.names import Speaker
from scoring.game.colours import SYMBOL
from scoring.language import text


def game_of(document: Any, language: str) -> Any:
    """The game that a reading shows, its players called by their colours; else the document itself.

    Routes that a person would be asked about count as they were read, and are told on stderr.

    >>> claimed = {"denver--omaha": {"owner": "red"}, "boston--montreal-1": {"owner": None}}
    >>> game_of({"board": "usa", "registration": {}, "routes": claimed, "review": []}, "en")
    {'game': 'usa', 'players': [{'name': 'red', 'colour': 'red', 'routes': ['denver--omaha']}]}
    """
    if not _is_reading(document):
        return document
    held: dict[str, list[str]] = {}
    for route, read in document["routes"].items():
        owner = read.get("owner") if isinstance(read, dict) else None
        if isinstance(owner, str):
            held.setdefault(owner, []).append(route)
    if document["review"]:
        routes = ", ".join(map(str, document["review"]))
        print(text("companion.score.in-doubt", language, routes=routes), file=sys.stderr)
    speaker = Speaker(language, None)
    players = [
        {
            "name": speaker.colour(colour) if colour in SYMBOL else colour,
            "colour": colour,
            "routes": routes,
        }
        for colour, routes in held.items()
    ]
    return {"game": document["board"], "players": players}


def _is_reading(document: Any) -> bool:
    if not isinstance(document, dict) or "players" in document or "registration" not in document:
        return False
    return isinstance(document.get("routes"), dict) and isinstance(document.get("review"), list)
