"""What the referee says while they play: the last round, and lines that are closed now."""

from collections.abc import Collection, Iterator, Sequence

from scoring.board.names import route_name
from scoring.game.closed_routes import CROSSING, closed_routes
from scoring.game.game import Game
from scoring.referee.last_round import last_round, wagons_left
from scoring.referee.remark import Remark, make_remark


def remark_on_last_round(
    game: Game, begun_by: str | None = None, asked: Collection[str] = ()
) -> Remark | None:
    """Who has two pieces or fewer, and whose turn is the last as far as that is known; None where
    nobody has. `begun_by` and `asked` as in `last_round`.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "route_lengths": {"1": 13}}
    >>> game = parse_game({"game": "paris", "players": [ada, {"name": "Bo"}]})
    >>> str(remark_on_last_round(game).message)
    "Last round, wagons left: Ada (2). Everybody has one more turn; the last one is Ada's."
    """
    found = last_round(game, begun_by, asked)
    if found is None:
        return None
    if not found.low:
        routes = _asked_of(game, found.perhaps, asked)
        names = {"who": _counted(game, found.perhaps)}
        return make_remark("last-round-asked", found.perhaps, routes, **names)
    who = _counted(game.without(asked), found.low)
    if found.last is None:
        return make_remark("last-round-open", found.low, who=who)
    turns = ", ".join(found.turns)
    return make_remark("last-round", found.low, who=who, turns=turns, last=found.last)


def remarks_on_closed_lines(game: Game) -> Iterator[Remark]:
    """Why nobody may claim a line any more: the first route of a remark is that line.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["dallas--houston-1"]}
    >>> game = parse_game({"game": "usa", "players": [ada, {"name": "Bo"}]})
    >>> [str(remark.message) for remark in remarks_on_closed_lines(game)]
    ['Dallas – Houston (2) is closed now: with 2 players only one line of a double is open.']
    """
    for closed in closed_routes(game):
        route, by = (route_name(game.board, name) for name in (closed.route, closed.by))
        routes = (closed.route, closed.by)
        if closed.by not in game.owner_by_route:
            yield make_remark("crossing-built", (), routes, route=route, by=by)
            continue
        owner = game.players[game.owner_by_route[closed.by]].name
        if closed.why == CROSSING:
            yield make_remark("crossing-closed", (owner,), routes, route=route, by=by, who=owner)
        else:
            count = len(game.players)
            yield make_remark("double-closed", (owner,), routes, route=route, count=count)


def _counted(game: Game, names: Sequence[str]) -> str:
    left = wagons_left(game)
    return ", ".join(f"{name} ({left[name]})" for name in names)


def _asked_of(game: Game, names: Sequence[str], asked: Collection[str]) -> tuple[str, ...]:
    """The routes of these players that are still asked about."""
    held = (route for player in game.players if player.name in names for route in player.routes)
    return tuple(route for route in held if route in asked)
