"""What one player's own pieces are worth, before anything is compared with the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game, Player
from scoring.longest_path.search import Trail, longest_trail
from scoring.network import components, edges, joins
from scoring.sheet.violations import pieces_used


@dataclass(frozen=True, slots=True)
class Account:
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


def account_of(game: Game, player: Player, done: Sequence[bool] | None = None) -> Account:
    """One player's account; `done` says which tickets are completed where no map can (Card Game).

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> account_of(game, game.players[0]).route_points  # a route of 4
    7
    """
    settled = tuple(tickets_done(game, player) if done is None else done)
    early = sum(ticket.points for ticket in player.first_pass)
    late = sum(
        ticket.points if is_done else -ticket.points
        for ticket, is_done in zip(player.tickets, settled, strict=True)
    )
    return Account(
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
    """Points of the stations that the player never built.

    >>> from scoring.documents.game import parse_game
    >>> game = parse_game({"game": "any-map", "players": [{"name": "Ada", "stations": 2}]})
    >>> station_points(game, game.players[0])  # 4 points each
    8
    """
    return (player.stations_left or 0) * game.rules.bonuses.station


def route_points(game: Game, player: Player) -> int:
    """Points of all routes by the game's table.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["atlanta--miami"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> route_points(game, game.players[0])  # a route of 5
    10
    """
    table = game.route_points
    if player.route_lengths is not None:
        return sum(table[length] * count for length, count in player.route_lengths.items())
    if game.board is None:
        return 0
    return sum(table[game.board.route_by_id[name].length] for name in player.routes)


def tickets_done(game: Game, player: Player) -> list[bool]:
    """Which tickets are completed: by the player's own routes, or as stated where no map is known.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "tickets": ["las-vegas--miami"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> tickets_done(game, game.players[0])
    [False]
    """
    if game.board is None or player.route_lengths is not None:
        return [bool(ticket.stated) for ticket in player.tickets]
    found = components(game.board, player.ticket_routes)
    return [
        joins(found, ticket.places) if ticket.places else bool(ticket.stated)
        for ticket in player.tickets
    ]


def _trail(game: Game, player: Player) -> Trail | None:
    if game.board is None or player.route_lengths is not None:
        return None
    return longest_trail(edges(game.board, player.routes))
