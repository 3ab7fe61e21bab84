"""Writes the lines of a player's sheet, each with the evidence that earned it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.board.board import Board
from scoring.game.game import Game, HeldTicket, Player
from scoring.network import joining_path, missing_link
from scoring.sheet.account import Tally
from scoring.sheet.bonuses import Bonus
from scoring.sheet.card_choice import Choice

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


@dataclass(frozen=True, slots=True)
class Account:
    """What the lines of one player are written from."""

    game: Game
    player: Player
    tally: Tally
    bonuses: Sequence[Bonus]
    free_routes: Sequence[str]
    """Routes that nobody holds and that the rules leave open."""
    choice: Choice | None
    """Card Game: which cards complete which tickets."""


def write_lines(account: Account) -> tuple[Line, ...]:
    """Every line of one player, in the order of the sheet."""
    return tuple(_lines(account))


def free_routes(game: Game) -> tuple[str, ...]:
    """Routes that nobody holds and that neither a closed double nor a crossing forbids."""
    if game.board is None:
        return ()
    taken = game.owner_by_route
    closed: set[str] = set(taken)
    for pair in game.board.crossings:
        if any(route in taken for route in pair):
            closed.update(pair)
    if len(game.players) < game.rules.doubles_open_from:
        for routes in game.board.parallel_groups.values():
            if any(route.id in taken for route in routes):
                closed.update(route.id for route in routes)
    return tuple(route.id for route in game.board.routes if route.id not in closed)


def _lines(account: Account) -> Iterator[Line]:
    if account.game.id != "card-game":
        yield _routes(account)
    for ticket in account.player.first_pass:
        yield _ticket(ticket, done=True, evidence={"pass": 1})
    for index, ticket in enumerate(account.player.tickets):
        done = account.tally.tickets_done[index]
        yield _ticket(ticket, done=done, evidence=_ticket_evidence(account, index, done=done))
    for bonus in account.bonuses:
        yield _bonus(account, bonus)
    if account.player.flags and account.game.rules.bonuses.flag:
        points = account.player.flags * account.game.rules.bonuses.flag
        yield Line("flags", points, {"flags": account.player.flags})
    if account.player.stations_left is not None:
        yield _stations(account, account.player.stations_left)
    for name, points in account.player.bonuses.items():
        yield Line("bonus", points, {"stated": True}, {"bonus": name})


def _stations(account: Account, left: int) -> Line:
    each, board = account.game.rules.bonuses.station, account.game.board
    evidence: dict[str, object] = {"left": left, "each": each}
    if board is not None:
        owner = account.game.owner_by_route
        lent = account.player.borrowed
        evidence["built"] = [
            {
                "city": city,
                "route": lent.get(city),
                "owner": account.game.players[owner[lent[city]]].name if city in lent else None,
            }
            for city in account.player.stations
        ]
    return Line("stations", left * each, evidence)


def _routes(account: Account) -> Line:
    points = account.tally.route_points
    table = account.game.route_points
    lengths = _lengths(account)
    by_length = {
        str(length): {"routes": count, "points": count * table[length]}
        for length, count in sorted(lengths.items())
        if count
    }
    return Line("routes", points, {"routes": list(account.player.routes), "by_length": by_length})


def _lengths(account: Account) -> Mapping[int, int]:
    """Number of the player's routes by length."""
    if account.player.route_lengths is not None:
        return account.player.route_lengths
    board = account.game.board
    if board is None:
        return {}
    return Counter(board.route_by_id[name].length for name in account.player.routes)


def _ticket(ticket: HeldTicket, *, done: bool, evidence: Evidence) -> Line:
    points = ticket.points if done else -ticket.points
    places = None if ticket.places is None else list(ticket.places)
    return Line("ticket", points, evidence, {"ticket": places, "completed": done})


def _ticket_evidence(account: Account, index: int, *, done: bool) -> Evidence:
    ticket = account.player.tickets[index]
    if account.choice is not None and ticket.stated is None:
        return account.choice.evidence(index)
    board = account.game.board
    if board is None or account.player.route_lengths is not None or ticket.places is None:
        return {"stated": done}
    if done:
        return _way(board, account.player, ticket.places)
    own = account.player.ticket_routes
    missing = missing_link(board, own, account.free_routes, ticket.places)
    if missing is None:
        return {"path": [], "missing": None}
    return {"path": [], "missing": list(missing.routes), "missing_wagons": missing.wagons}


def _way(board: Board, player: Player, places: tuple[str, str]) -> Evidence:
    """The shortest way over the player's own routes, else over those that stations lend too."""
    own = joining_path(board, player.routes, places)
    if own is not None:
        return {"path": list(own)}
    path = joining_path(board, player.ticket_routes, places) or ()
    lent = player.borrowed.values()
    return {"path": list(path), "borrowed": [route for route in path if route in lent]}


def _bonus(account: Account, bonus: Bonus) -> Line:
    names = [player.name for player in account.game.players]
    counts = dict(zip(names, bonus.counts, strict=True))
    if bonus.kind == "longest-path" and account.tally.trail is not None:
        trail = account.tally.trail
        path: Evidence = {"length": trail.length, "path": list(trail.path)}
        return Line(bonus.kind, bonus.points, {**path, "lengths": counts})
    if bonus.kind == "passengers":
        detail: Evidence = {"colour": bonus.subject}
        place = {1: "most", 2: "second"}[bonus.place]
        return Line(bonus.kind, bonus.points, {"counts": counts, "place": place}, detail)
    if bonus.kind == "big-city":
        return Line(bonus.kind, bonus.points, {"counts": counts}, {"city": bonus.subject})
    return Line(bonus.kind, bonus.points, {"counts": counts})
