"""What one player's own pieces are worth, before anything is compared with the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game, Player
from scoring.longest_path.search import NO_TRAIL, Trail, longest_trail
from scoring.network import edges, joins, pieces
from scoring.sheet.violations import pieces_used


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's own account."""

    route_points: int
    tickets_done: tuple[bool, ...]
    """For each ticket in hand, in the player's order."""
    ticket_points: int
    """Completed tickets less the others, those of a first pass included."""
    completed: int
    """Completed tickets, those of a first pass included."""
    trail: Trail | None
    """None where no map is known."""
    pieces_used: int
    passengers: int
    flags: int
    by_hand: int
    """Points of stations that were never built and of bonuses that the table gave by name."""


def tally(game: Game, player: Player, done: Sequence[bool] | None = None) -> Tally:
    """One player's account; `done` settles the tickets where no map can (the Card Game)."""
    settled = tuple(tickets_done(game, player) if done is None else done)
    early = sum(ticket.points for ticket in player.first_pass)
    late = sum(
        ticket.points if is_done else -ticket.points
        for ticket, is_done in zip(player.tickets, settled, strict=True)
    )
    return Tally(
        route_points=route_points(game, player),
        tickets_done=settled,
        ticket_points=early + late,
        completed=sum(settled) + len(player.first_pass),
        trail=_trail(game, player),
        pieces_used=pieces_used(game, player),
        passengers=sum(player.passengers.values()),
        flags=player.flags,
        by_hand=station_points(game, player) + sum(player.bonuses.values()),
    )


def station_points(game: Game, player: Player) -> int:
    """Points of the stations that the player never built."""
    return (player.stations_left or 0) * game.rules.bonuses.station


def route_points(game: Game, player: Player) -> int:
    """Points of all routes by the game's table."""
    table = game.route_points
    if player.route_lengths is not None:
        return sum(table[length] * count for length, count in player.route_lengths.items())
    if game.board is None:
        return 0
    return sum(table[game.board.route_by_id[name].length] for name in player.routes)


def tickets_done(game: Game, player: Player) -> list[bool]:
    """Which tickets are completed: by the player's own routes, or as stated where no map helps."""
    if game.board is None or player.route_lengths is not None:
        return [bool(ticket.stated) for ticket in player.tickets]
    found = pieces(game.board, player.ticket_routes)
    return [
        joins(found, ticket.places) if ticket.places else bool(ticket.stated)
        for ticket in player.tickets
    ]


def _trail(game: Game, player: Player) -> Trail | None:
    if game.board is None or player.route_lengths is not None:
        return None
    return longest_trail(edges(game.board, player.routes)) if player.routes else NO_TRAIL
