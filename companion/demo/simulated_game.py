"""Simulates a game by the rules: who claims which route to complete their tickets."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import networkx as nx

from companion.session.events import SeatedPlayer
from scoring.board.board import Board, Route, terminal

TICKETS_DEALT = 4
"""Tickets that a player begins with; more are drawn while wagons are left."""

WAGONS_FOR_ANOTHER_TICKET = 12
"""With fewer wagons left a player draws no more tickets."""

LAST_WAGONS = 2
"""The game ends after the turn that leaves somebody this many or fewer, plus one turn for all."""


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A finished game: owners of every route, and the tickets (ids) of each colour."""

    players: tuple[SeatedPlayer, ...]
    owners: dict[str, str | None]
    tickets: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class _Hand:
    wagons: int
    tickets: list[str] = field(default_factory=list)


class _Game:
    """A game in progress."""

    def __init__(self, board: Board, players: Sequence[SeatedPlayer], seed: int) -> None:
        self._board = board
        self._luck = random.Random(seed)
        self._deck = [ticket.id for ticket in board.tickets]
        self._luck.shuffle(self._deck)
        self._players = tuple(players)
        self._hands = {player.colour: _Hand(board.wagons_per_player) for player in players}
        self.owners: dict[str, str | None] = {route.id: None for route in board.routes}

    def play(self) -> SimulatedGame:
        """Take turns until the wagons run out."""
        for hand in self._hands.values():
            hand.tickets = [self._deck.pop() for _ in range(TICKETS_DEALT)]
        for colour in self._turns():
            self._take_turn(colour)
        tickets = {colour: tuple(hand.tickets) for colour, hand in self._hands.items()}
        return SimulatedGame(self._players, self.owners, tickets)

    def _turns(self) -> Iterator[str]:
        """Whose turn it is, to the last round."""
        for _ in range(len(self._board.routes)):
            yield from self._hands
            if min(hand.wagons for hand in self._hands.values()) <= LAST_WAGONS:
                yield from self._hands
                return

    def _take_turn(self, colour: str) -> None:
        hand = self._hands[colour]
        route = next(self._wanted(colour), None)
        if route is None and hand.wagons >= WAGONS_FOR_ANOTHER_TICKET and self._deck:
            hand.tickets.append(self._deck.pop())
            route = next(self._wanted(colour), None)
        route = route or self._longest_free(colour)
        if route is not None:
            self.owners[route.id] = colour
            hand.wagons -= route.length

    def _wanted(self, colour: str) -> Iterator[Route]:
        """The routes still missing on the cheapest paths of the player's tickets."""
        network = self._network(colour)
        for ticket in self._hands[colour].tickets:
            start, goal = self._board.ticket_by_id[ticket].places
            if not (start in network and goal in network and nx.has_path(network, start, goal)):
                continue
            way = nx.shortest_path(network, start, goal, weight="cost")
            missing = [network.edges[pair]["route"] for pair in pairwise(way)]
            missing = [route for route in missing if self.owners[route.id] is None]
            if sum(route.length for route in missing) <= self._hands[colour].wagons:
                yield from missing

    def _network(self, colour: str) -> nx.Graph:
        """Places joined by what the player holds (free) or could still claim (its length)."""
        network = nx.Graph()
        for route in self._board.routes:
            mine = self.owners[route.id] == colour
            if not mine and not self._is_open(route, colour):
                continue
            ends = [terminal(self._board, route, end) for end in route.ends]
            cost = 0.0 if mine else route.length + 0.5
            known = network.get_edge_data(*ends)
            if known is None or cost < known["cost"]:
                network.add_edge(*ends, cost=cost, route=route)
        return network

    def _is_open(self, route: Route, colour: str) -> bool:
        if self.owners[route.id] is not None or self._hands[colour].wagons < route.length:
            return False
        lines = self._board.parallel_groups.get(route.parallel_group or "", ())
        taken = [owner for line in lines if (owner := self.owners[line.id]) is not None]
        doubles_open = len(self._players) >= self._board.doubles_open_from
        return not taken or (doubles_open and colour not in taken)

    def _longest_free(self, colour: str) -> Route | None:
        free = [route for route in self._board.routes if self._is_open(route, colour)]
        self._luck.shuffle(free)
        return max(free, key=lambda route: route.length, default=None)


def simulate_game(board: Board, players: Sequence[SeatedPlayer], seed: int) -> SimulatedGame:
    """A game on a board without countries or crossings, from the deal to the last turn."""
    return _Game(board, players, seed).play()
