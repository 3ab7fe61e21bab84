"""Routes that nobody may claim any more because of a route that somebody holds."""

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.game.game import Game

DOUBLE, CROSSING = "double", "crossing"


@dataclass(frozen=True, slots=True)
class Closed:
    """One free route that is closed now."""

    route: str
    why: str
    """DOUBLE: with few players only one line is open. CROSSING: the lines cut each other."""
    by: str
    """The route that closed it: claimed, or a line with a track piece."""


def closed_routes(game: Game) -> tuple[Closed, ...]:
    """Every free route that the rules have closed for everybody, in the order of the board.

    A line that a track piece lies on closes what crosses it, too (rulebook 002). Where all lines
    of a double are open, the second one is closed for its holder only, which is no matter of the
    board.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["dallas--houston-1"]}
    >>> game = parse_game({"game": "usa", "players": [ada, {"name": "Bo"}]})
    >>> [closed.route for closed in closed_routes(game)]
    ['dallas--houston-2']
    """
    if game.board is None:
        return ()
    order = {route.id: place for place, route in enumerate(game.board.routes)}
    found = {closed.route: closed for closed in (*_crossings(game), *_doubles(game))}
    return tuple(sorted(found.values(), key=lambda closed: order[closed.route]))


def _doubles(game: Game) -> Iterator[Closed]:
    assert game.board is not None, "only a board has doubles"
    if len(game.players) >= game.rules.doubles_open_from:
        return
    for lines in game.board.parallel_groups.values():
        held = [line.id for line in lines if line.id in game.owner_by_route]
        for line in lines if held else ():
            if line.id not in game.owner_by_route:
                yield Closed(line.id, DOUBLE, held[0])


def _crossings(game: Game) -> Iterator[Closed]:
    assert game.board is not None, "only a board has crossings"
    for pair in game.board.crossings:
        for mine, other in (pair, pair[::-1]):
            if game.is_built(mine) and not game.is_built(other):
                yield Closed(other, CROSSING, mine)
