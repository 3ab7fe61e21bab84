"""Whether an event fits the board in play: a session knows colours and hands, but no map; pure."""

from collections.abc import Iterable
from typing import Any

from companion.refusals import RefusalError
from companion.session.events import (
    Event,
    PassengersSet,
    ReadingProposed,
    RouteConfirmed,
    RouteCorrected,
    Started,
    TicketAdded,
    TicketsSet,
)
from scoring.board.board import Board


def check_event(event: Event, board: Board) -> None:
    """Raise RefusalError for what the board does not have."""
    match event:
        case Started():
            _check_players(event, board)
        case RouteCorrected() | RouteConfirmed():
            _check_routes([event.route], board)
        case ReadingProposed():
            _check_routes(event.routes, board)
        case TicketAdded():
            _check_tickets([event.ticket], board)
        case TicketsSet():
            _check_tickets(event.tickets, board)
        case PassengersSet():
            _check_passengers(event, board)
        case _:
            pass


def _check_players(event: Started, board: Board) -> None:
    for player in event.players:
        if player.colour not in board.player_colours:
            raise RefusalError("companion.refused.unknown-colour", colour=player.colour)


def _check_routes(routes: Iterable[str], board: Board) -> None:
    for route in routes:
        if route not in board.route_by_id:
            raise RefusalError("companion.refused.unknown-route", route=route)


def _check_tickets(tickets: Iterable[Any], board: Board) -> None:
    """A ticket by its id; one that is typed the referee judges."""
    for ticket in tickets:
        if isinstance(ticket, str) and ticket not in board.ticket_by_id:
            raise RefusalError("companion.refused.unknown-ticket", ticket=ticket)


def _check_passengers(event: PassengersSet, board: Board) -> None:
    for colour, count in event.passengers.items():
        if count > board.passengers_in_bag.get(colour, 0):
            raise RefusalError("companion.refused.not-in-bag", colour=colour)
