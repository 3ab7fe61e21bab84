"""Whether an event fits the board in play: a session knows colours and hands, but no map; pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.errors import RefusalError
from companion.session.event_fields import fields_of
from companion.session.events import Event, ProposedPlace, RouteProposal, SeatedPlayer
from companion.session.state import State
from scoring.board.board import Board
from scoring.game.mapless import MaplessGame
from scoring.language.foreign import shown

TYPED_ON_A_MAP = frozenset({"from", "to", "points"})
"""What a ticket says that the board's set does not have."""


def check_event(event: Event, board: Board) -> None:
    """Raise RefusalError for what the board does not have, whatever field it stands in."""
    for one in fields_of(type(event)):
        check = _CHECKS.get(one.kind.name) if one.kind is not None else None
        if check is not None:
            check(getattr(event, one.name), board)


def check_number_of_players(state: State, board: Board) -> None:
    """Raise RefusalError where more or fewer play than the game is for."""
    low, high = board.players
    if not low <= len(state.facts.players) <= high:
        raise RefusalError("companion.refused.player-count", low=low, high=high)


def check_state(state: State, board: Board) -> None:
    """Raise RefusalError where a whole game does not fit its board, which was changed since."""
    facts, proposed = state.facts, state.proposed
    try:
        _check_players(facts.players, board)
        _check_routes(facts.answers, board)
        _check_proposals(proposed.routes, board)
        _check_places(proposed.places.values(), board)
        for entry in facts.entries.values():
            _check_tickets(entry.tickets, board)
            _check_passengers(entry.passengers, board)
    except RefusalError as error:
        raise RefusalError("companion.refused.board-changed", board=board.name) from error


def _check_players(players: Iterable[SeatedPlayer], board: Board) -> None:
    _check_colours((player.colour for player in players), board)


def _check_colours(colours: Iterable[str | None], board: Board) -> None:
    for colour in colours:
        if colour is not None and colour not in board.player_colours:
            raise RefusalError("companion.refused.unknown-colour", colour=colour)


def _check_routes(routes: Iterable[str], board: Board) -> None:
    for route in routes:
        if route not in board.route_by_id:
            raise RefusalError("companion.refused.unknown-route", route=route)


def _check_proposals(proposals: Mapping[str, RouteProposal], board: Board) -> None:
    """The camera may see colours that nobody plays, but none that the game does not have."""
    _check_routes(proposals, board)
    for proposal in proposals.values():
        owners = [proposal.owner, *(owner for owner, _ in proposal.alternatives)]
        _check_colours(owners, board)


def _check_track_line(route: str, board: Board) -> None:
    _check_routes([route], board)
    if route not in board.track_lines:
        raise RefusalError("companion.refused.no-track-line")


def _check_lines(routes: Iterable[str], board: Board) -> None:
    """Several routes of one event are lines of equal length of one double."""
    lines = tuple(routes)
    _check_routes(lines, board)
    doubles = {(board.route_by_id[r].parallel_group, board.route_by_id[r].length) for r in lines}
    is_double = len(doubles) == 1 and None not in {group for group, _ in doubles}
    if len(set(lines)) < len(lines) or (len(lines) > 1 and not is_double):
        raise RefusalError("companion.refused.not-one-place")


def _check_places(places: Iterable[ProposedPlace], board: Board) -> None:
    for place in places:
        _check_lines(place.routes, board)


def _check_tickets(tickets: Iterable[Any], board: Board) -> None:
    """A ticket by its id; of one that is typed for a map, that it is whole. `scoring` does more."""
    for ticket in tickets:
        is_unknown = isinstance(ticket, str) and ticket not in board.ticket_by_id
        is_typed = isinstance(ticket, dict) and not isinstance(board, MaplessGame)
        if is_unknown or (is_typed and not set(ticket) >= TYPED_ON_A_MAP):
            named = ticket if isinstance(ticket, str) else shown(ticket)
            raise RefusalError("companion.refused.unknown-ticket", ticket=named)


def _check_passengers(passengers: Mapping[str, int], board: Board) -> None:
    for colour, count in passengers.items():
        if count > board.passengers_in_bag.get(colour, 0):
            raise RefusalError("companion.refused.not-in-bag", colour=colour)


_CHECKS: Mapping[str, Callable[[Any, Board], None]] = {
    "players": _check_players,
    "free-colour": lambda colour, board: _check_colours([colour], board),
    "route": lambda route, board: _check_routes([route], board),
    "routes": _check_proposals,
    "track-line": _check_track_line,
    "lines": _check_lines,
    "places": _check_places,
    "ticket": lambda ticket, board: _check_tickets([ticket], board),
    "tickets": _check_tickets,
    "passengers": _check_passengers,
}
"""The check of each type of field, by its name; the other types need no board."""
