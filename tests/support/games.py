"""Random finished games as the documents that `companion score` reads."""

from random import Random
from typing import Any

from scoring.board import Board
from tests.support.positions import any_end_position, end_position

TICKETS = 6
"""Tickets in one hand at most."""


def random_game(board: Board, random: Random, players: int | None = None) -> dict[str, Any]:
    """A legal end position with tickets and, where the board has them, passengers."""
    if players is None:
        position = any_end_position(board, random)
    else:
        position = end_position(board, random, players=players, connected=random.random())
    tickets = random.sample(board.tickets, k=len(board.tickets))
    bag = dict(board.passengers_in_bag)
    documents = []
    for number, (colour, routes) in enumerate(position.items(), start=1):
        hand = [tickets.pop() for _ in range(random.randint(1, TICKETS))]
        document: dict[str, Any] = {
            "name": f"Player {number}",
            "colour": colour,
            "routes": list(routes),
            "tickets": [list(ticket.places) for ticket in hand],
        }
        if bag:
            document["passengers"] = _draw(bag, random)
        documents.append(document)
    return {"game": board.id, "players": documents}


def _draw(bag: dict[str, int], random: Random) -> dict[str, int]:
    """Passengers of one player, taken out of the bag."""
    drawn = {colour: random.randint(0, min(4, left)) for colour, left in bag.items()}
    for colour, count in drawn.items():
        bag[colour] -= count
    return drawn
