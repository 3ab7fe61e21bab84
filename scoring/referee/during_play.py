"""What the referee says while they play: the last round, closed routes, more wagons than exist."""

from collections.abc import Collection, Iterator, Sequence

from scoring.board.names import route_name
from scoring.game.closed_routes import CROSSING, closed_routes
from scoring.game.game import Game
from scoring.referee.last_round import last_round, wagons_left
from scoring.referee.remark import Remark, make_remark
from scoring.sheet.violations import pieces_used


def remarks_during_play(
    game: Game,
    begun_by: str | None = None,
    seats: Sequence[str] | None = None,
    since: Collection[str] | None = None,
    asked: Collection[str] = (),
) -> tuple[Remark, ...]:
    """Every remark on a position during play.

    `begun_by`, `seats` and `asked` as in `last_round`. `since` are the routes claimed since the
    table was last told: of closed routes only those that one of them closed are told; None tells
    all.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["dallas--houston-1"]}
    >>> game = parse_game({"game": "usa", "players": [ada, {"name": "Bo"}]})
    >>> [str(remark.message) for remark in remarks_during_play(game)]
    ['Dallas – Houston (2) is closed now: with 2 players only one line of a double is open.']
    """
    return (
        *_too_many_wagons(game),
        *_last_round(game, begun_by, seats, asked),
        *_closed(game, since),
    )


def _last_round(
    game: Game, begun_by: str | None, seats: Sequence[str] | None, asked: Collection[str]
) -> Iterator[Remark]:
    """Who has two pieces or fewer, and whose turn is the last as far as that is known."""
    found = last_round(game, begun_by, seats, asked)
    if found is None:
        return
    if not found.low:
        routes = _asked_of(game, found.perhaps, asked)
        names = {"who": _counted(game, found.perhaps)}
        yield make_remark("last-round-asked", found.perhaps, routes, **names)
        return
    who = _counted(game.without(asked), found.low)
    if found.last is None:
        yield make_remark("last-round-open", found.low, who=who)
    else:
        turns = ", ".join(found.turns)
        yield make_remark("last-round", found.low, who=who, turns=turns, last=found.last)


def _counted(game: Game, names: Sequence[str]) -> str:
    left = wagons_left(game)
    return ", ".join(f"{name} ({left[name]})" for name in names)


def _asked_of(game: Game, names: Sequence[str], asked: Collection[str]) -> tuple[str, ...]:
    """The routes of these players that are still asked about."""
    held = (route for player in game.players if player.name in names for route in player.routes)
    return tuple(route for route in held if route in asked)


def _closed(game: Game, since: Collection[str] | None) -> Iterator[Remark]:
    for closed in closed_routes(game):
        if since is not None and closed.by not in since:
            continue
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


def _too_many_wagons(game: Game) -> Iterator[Remark]:
    most = game.rules.pieces
    for player in game.players:
        used = pieces_used(game, player)
        if most is not None and used > most:
            yield make_remark(
                "too-many-wagons", (player.name,), who=player.name, used=used, most=most
            )
