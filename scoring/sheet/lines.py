"""Writes the lines of a player's sheet, each with the evidence that earned it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.board.board import Board
from scoring.game.closed_routes import closed_routes
from scoring.game.game import Game, HeldTicket, Player
from scoring.game.rules import CARD_GAME_ID
from scoring.network import dead_ends, joining_path, missing_link
from scoring.sheet.account import Account
from scoring.sheet.bonuses import Bonus
from scoring.sheet.card_choice import CardChoice

Evidence = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """One item of a player's score: `detail` are its own keys, `evidence` is what earned it."""

    kind: str
    points: int
    evidence: Evidence
    detail: Evidence = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The line's JSON document."""
        start: dict[str, object] = {"kind": self.kind, "points": self.points}
        return {**start, **self.detail, "evidence": dict(self.evidence)}


def place_key(place: str, counts: Mapping[str, int]) -> str:
    """How the key of a place among passengers ends, as in `scoring.sheet.place.most`.

    >>> place_key("most", {"Ada": 2, "Ben": 1})
    'most'
    >>> place_key("most", {"Ada": 2, "Ben": 2, "Cyd": 1})
    'most-tied'
    """
    held = list(counts.values())
    return "most-tied" if place == "most" and held.count(max(held)) > 1 else place


@dataclass(frozen=True, slots=True)
class LineContext:
    """What the lines of one player are written from."""

    game: Game
    player: Player
    account: Account
    bonuses: Sequence[Bonus]
    free_routes: Sequence[str]
    """Routes that nobody holds and that the rules leave open."""
    choice: CardChoice | None
    """Card Game: which cards complete which tickets."""


def write_lines(context: LineContext) -> tuple[Line, ...]:
    """Every line of one player, in the order of the sheet.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.sheet.account import account_of
    >>> game = parse_game({"game": "usa", "players": [{"name": "Ada"}]})
    >>> (ada,) = game.players
    >>> context = LineContext(game, ada, account_of(game, ada), (), (), None)
    >>> [line.kind for line in write_lines(context)]
    ['routes']
    """
    return tuple(_lines(context))


def free_routes(game: Game) -> tuple[str, ...]:
    """Routes that nobody holds and that neither a closed double nor a crossing forbids.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["dallas--houston-1"]}
    >>> game = parse_game({"game": "usa", "players": [ada, {"name": "Ben"}]})
    >>> "dallas--houston-2" in free_routes(game)  # closed: fewer than four players
    False
    """
    if game.board is None:
        return ()
    closed = {route.route for route in closed_routes(game)} | set(game.owner_by_route)
    return tuple(route.id for route in game.board.routes if route.id not in closed)


def _lines(context: LineContext) -> Iterator[Line]:
    if context.game.id != CARD_GAME_ID:
        yield _routes(context)
    for ticket in context.player.first_pass:
        yield _ticket(ticket, done=True, evidence={"pass": 1})
    for index, ticket in enumerate(context.player.tickets):
        done = context.account.tickets_done[index]
        yield _ticket(ticket, done=done, evidence=_ticket_evidence(context, index, done=done))
    for bonus in context.bonuses:
        yield _bonus(context, bonus)
    if context.player.flags and context.game.rules.bonuses.flag:
        points = context.player.flags * context.game.rules.bonuses.flag
        yield Line("flags", points, {"flags": context.player.flags})
    if context.player.stations_left is not None:
        yield _stations(context, context.player.stations_left)
    for name, points in context.player.bonuses.items():
        yield Line("bonus", points, {"stated": True}, {"bonus": name})


def _stations(context: LineContext, left: int) -> Line:
    each, board = context.game.rules.bonuses.station, context.game.board
    evidence: dict[str, object] = {"left": left, "each": each}
    if board is not None:
        owner = context.game.owner_by_route
        lent = context.player.borrowed
        evidence["built"] = [
            {
                "city": city,
                "route": lent.get(city),
                "owner": context.game.players[owner[lent[city]]].name if city in lent else None,
            }
            for city in context.player.stations
        ]
    return Line("stations", left * each, evidence)


def _routes(context: LineContext) -> Line:
    points = context.account.route_points
    table = context.game.route_points
    lengths = _lengths(context)
    by_length = {
        str(length): {"routes": count, "points": count * table[length]}
        for length, count in sorted(lengths.items())
        if count
    }
    return Line("routes", points, {"routes": list(context.player.routes), "by_length": by_length})


def _lengths(context: LineContext) -> Mapping[int, int]:
    """Number of the player's routes by length."""
    if context.player.route_lengths is not None:
        return context.player.route_lengths
    board = context.game.board
    if board is None:
        return {}
    return Counter(board.route_by_id[name].length for name in context.player.routes)


def _ticket(ticket: HeldTicket, *, done: bool, evidence: Evidence) -> Line:
    points = ticket.points if done else -ticket.points
    places = None if ticket.places is None else list(ticket.places)
    return Line("ticket", points, evidence, {"ticket": places, "completed": done})


def _ticket_evidence(context: LineContext, index: int, *, done: bool) -> Evidence:
    ticket = context.player.tickets[index]
    if context.choice is not None and ticket.stated is None:
        return context.choice.evidence(index)
    board = context.game.board
    if board is None or context.player.route_lengths is not None or ticket.places is None:
        return {"stated": done}
    if done:
        return _way(board, context.player, ticket.places)
    own = context.player.ticket_routes
    missing = missing_link(board, own, context.free_routes, ticket.places)
    evidence: dict[str, object] = {"path": [], "missing": None}
    if missing is not None:
        evidence |= {"missing": list(missing.routes), "missing_wagons": missing.wagons}
    if ends := dead_ends(board, own, ticket.places):
        evidence["dead_ends"] = list(ends)
    return evidence


def _way(board: Board, player: Player, places: tuple[str, str]) -> Evidence:
    """The shortest way over the player's own routes, else over those that stations lend too."""
    own = joining_path(board, player.routes, places)
    if own is not None:
        return {"path": list(own)}
    path = joining_path(board, player.ticket_routes, places) or ()
    lent = player.borrowed.values()
    return {"path": list(path), "borrowed": [route for route in path if route in lent]}


def _bonus(context: LineContext, bonus: Bonus) -> Line:
    names = [player.name for player in context.game.players]
    counts = dict(zip(names, bonus.counts, strict=True))
    if bonus.kind == "longest-path" and context.account.trail is not None:
        trail = context.account.trail
        path: Evidence = {"length": trail.length, "path": list(trail.path)}
        return Line(bonus.kind, bonus.points, {**path, "lengths": counts})
    if bonus.kind == "passengers":
        detail: Evidence = {"colour": bonus.subject}
        place = {1: "most", 2: "second"}[bonus.place]
        return Line(bonus.kind, bonus.points, {"counts": counts, "place": place}, detail)
    if bonus.kind == "big-city":
        return Line(bonus.kind, bonus.points, {"counts": counts}, {"city": bonus.subject})
    return Line(bonus.kind, bonus.points, {"counts": counts})
