"""Random legal end positions: players claim routes in turn until somebody runs out of wagons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from scoring.board.board import Board, Route

LAST_WAGONS = 2
"""The last round begins once somebody has this many wagons left or fewer (rulebook 000)."""


@dataclass(slots=True)
class _Table:
    """A game under way; `connected` is how often a player builds on from their own network."""

    board: Board
    players: tuple[str, ...]
    random: Random
    connected: float
    held: dict[str, list[str]] = field(default_factory=dict)
    wagons: dict[str, int] = field(default_factory=dict)
    closed: dict[str, set[str]] = field(default_factory=dict)
    """Routes that a player may not claim any more."""

    def __post_init__(self) -> None:
        self.held = {player: [] for player in self.players}
        self.wagons = dict.fromkeys(self.players, self.board.wagons_per_player)
        self.closed = {player: set() for player in self.players}

    def turn(self, player: str) -> None:
        """Claim a route that is open to the player and for which the wagons suffice, if any."""
        route = self._choose(player)
        if route is None:
            return
        self.held[player].append(route.id)
        self.wagons[player] -= route.length
        self._close(player, route)

    def _choose(self, player: str) -> Route | None:
        closed, wagons = self.closed[player], self.wagons[player]
        open_to_player = [
            route
            for route in self.board.routes
            if route.length <= wagons and route.id not in closed
        ]
        if self.random.random() < self.connected:
            own = {end for name in self.held[player] for end in self.board.route_by_id[name].ends}
            near = [
                route for route in open_to_player if route.ends[0] in own or route.ends[1] in own
            ]
            open_to_player = near or open_to_player
        return self.random.choice(open_to_player) if open_to_player else None

    def _close(self, player: str, route: Route) -> None:
        """Nobody gets this route again; doubles and crossings close with it."""
        crossed = {name for pair in self.board.crossings if route.id in pair for name in pair}
        siblings = {
            line.id for line in self.board.parallel_groups.get(route.parallel_group or "", ())
        }
        doubles_open = len(self.players) >= self.board.doubles_open_from
        for other in self.players:
            self.closed[other] |= {route.id} | crossed
            if other == player or not doubles_open:
                self.closed[other] |= siblings


def end_position(
    board: Board, random: Random, *, players: int, connected: float = 0.7
) -> Mapping[str, tuple[str, ...]]:
    """Routes of every player, by colour, as a legal game may leave them.

    The game ends after the turn in which somebody has two wagons or fewer, and one turn more
    for everybody; who finds no open route that fits passes.
    """
    colours = board.player_colours[:players]
    table = _Table(board, colours, random, connected)
    for _ in range(len(board.routes)):
        for player in colours:
            table.turn(player)
            if table.wagons[player] <= LAST_WAGONS:
                return _last_round(table, player)
    return _result(table)


def _last_round(table: _Table, ender: str) -> Mapping[str, tuple[str, ...]]:
    start = table.players.index(ender) + 1
    for player in table.players[start:] + table.players[:start]:
        table.turn(player)
    return _result(table)


def _result(table: _Table) -> Mapping[str, tuple[str, ...]]:
    return {player: tuple(routes) for player, routes in table.held.items()}


def any_end_position(board: Board, random: Random) -> Mapping[str, tuple[str, ...]]:
    """An end position of two to five players who build more or less in one piece."""
    return end_position(
        board,
        random,
        players=random.randint(*board.players),
        connected=random.choice((0.0, 0.5, 0.9, 1.0)),
    )
