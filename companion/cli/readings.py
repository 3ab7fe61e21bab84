"""What `companion scan --json` printed, as a game that can be scored."""

import sys
from collections.abc import Mapping
from typing import Any

from companion.cli.names import Speaker
from companion.cli.outputs import tell
from companion.errors import UnusableInputError
from companion.user_files.score_documents import NO_ASSUMPTIONS
from scoring.documents.sheet import is_sheet
from scoring.game.colours import SYMBOL, colour_named
from scoring.language import text
from scoring.language.foreign import repeated, shown


def game_of(
    document: Any, language: str, assumptions: Mapping[str, str | None] = NO_ASSUMPTIONS
) -> Any:
    """The game that a reading shows, its players called by their colours; else the document itself.

    Routes that a person would be asked about count as they were read, and are told on stderr; those
    that `assumptions` answers are asked about no more. Whoever holds nothing but these plays too.
    Raises UnusableInputError for an owner that is no colour, and for a sheet: as a game it would be
    one in which nobody has a route.

    >>> claimed = {"denver--omaha": {"owner": "red"}, "boston--montreal-1": {"owner": None}}
    >>> game_of({"board": "usa", "registration": {}, "routes": claimed, "review": []}, "en")
    {'game': 'usa', 'players': [{'name': 'red', 'colour': 'red', 'routes': ['denver--omaha']}]}
    """
    if is_sheet(document):
        raise UnusableInputError("companion.error.sheet-no-game")
    if not _is_reading(document):
        return document
    held: dict[str, list[str]] = {}
    for route, read in document["routes"].items():
        owner = read.get("owner", read) if isinstance(read, dict) else read
        if not _may_own(owner):
            raise UnusableInputError(
                "companion.error.reading-owner", route=_named(route), owner=shown(owner)
            )
        if isinstance(owner, str):
            held.setdefault(colour_named(owner), []).append(route)
    for owner in filter(None, assumptions.values()):
        if colour_named(owner) in SYMBOL:
            held.setdefault(colour_named(owner), [])
    doubts = [_named(route) for route in document["review"] if str(route) not in assumptions]
    if doubts:
        routes = ", ".join(doubts)
        tell(text("companion.score.in-doubt", language, routes=routes), sys.stderr)
    speaker = Speaker(language, None)
    players = [
        {"name": speaker.colour(colour), "colour": colour, "routes": routes}
        for colour, routes in held.items()
    ]
    return {"game": document["board"], "players": players}


def _named(route: object) -> str:
    """A route of a reading; a file from elsewhere may hold anything in its place."""
    return repeated(route) if isinstance(route, str) else shown(route)


def _may_own(owner: object) -> bool:
    return owner is None or (isinstance(owner, str) and colour_named(owner) in SYMBOL)


def only_game(document: Any) -> Any:
    """The one game of a document; a list of one will do. Raises UnusableInputError for others."""
    if not isinstance(document, list):
        return document
    if len(document) != 1:
        raise UnusableInputError("companion.error.one-game", count=len(document))
    return document[0]


def _is_reading(document: Any) -> bool:
    if not isinstance(document, dict) or "players" in document:
        return False
    if not {"registration", "board"} <= document.keys():
        return False
    return isinstance(document.get("routes"), dict) and isinstance(document.get("review"), list)
