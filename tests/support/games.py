"""Random games with legal end positions, tickets of the set and passengers from the bag."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scoring.board.board import Board, Ticket
from tests.support.positions import any_end_position

MOST_TICKETS = 8
MOST_PASSENGERS = 12


def any_game(
    board: Board, random: Random, held: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """The document of a game as it may end, with any end position or with this one."""
    held = held or any_end_position(board, random)
    deck = list(board.tickets)
    bag = [c for c, count in board.passengers_in_bag.items() for _ in range(count)]
    random.shuffle(deck)
    random.shuffle(bag)
    players = []
    for colour, routes in held.items():
        tickets = _draw_tickets(deck, board, routes, random)
        player: dict[str, Any] = {
            "name": colour.title(),
            "colour": colour,
            "routes": list(routes),
            "tickets": [list(ticket.places) for ticket in tickets],
        }
        if bag:
            drawn = [bag.pop() for _ in range(random.randint(0, min(MOST_PASSENGERS, len(bag))))]
            player["passengers"] = {c: drawn.count(c) for c in sorted(set(drawn))}
        players.append(player)
    return {"game": board.id, "players": players}


def _draw_tickets(
    deck: list[Ticket], board: Board, routes: Sequence[str], random: Random
) -> list[Ticket]:
    """Take tickets out of the deck, some of them between places that the routes touch."""
    touched = {end for name in routes for end in board.route_by_id[name].ends}
    near = [ticket for ticket in deck if touched.issuperset(ticket.places)]
    wanted = near[: random.randint(0, 5)] + deck[: random.randint(0, 3)]
    tickets = list({ticket.id: ticket for ticket in wanted}.values())[:MOST_TICKETS]
    for ticket in tickets:
        deck.remove(ticket)
    return tickets
