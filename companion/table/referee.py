"""What the referee says of a state: of the last round, of closed lines, and before the sheet; pure.

A remark stops nobody. Those that still stand when the sheet is made were waved through.
"""

from collections.abc import Iterator, Mapping

from companion.session.events import SeatedPlayer
from companion.session.state import (
    State,
    doubtful_routes,
    has_seen_owners,
    owner_of,
)
from companion.table.live_score import Reckoning, wagons_used
from scoring.board.board import Board
from scoring.game.game import Game
from scoring.game.rules import LAST_ROUND_AT
from scoring.language import Message
from scoring.referee.before_sheet import remarks_before_sheet
from scoring.referee.during_play import remark_on_last_round, remarks_on_closed_lines
from scoring.referee.remark import Remark
from scoring.sheet.sheet import Sheet
from scoring.sheet.violations import CROSSING_BY_TRACKS

WAGONS_QUESTION = "wagons-left"
"""The remark that is a question to everybody, whatever the position."""

UNANSWERED = "unanswered"
"""The remark that questions about the board are open, which pages of a game in play ask."""

NOBODY_ENDED = "nobody-ended"
"""The remark that nobody is down to the last wagons: an open question may hold what is missing."""

SHARED_TICKET = "ticket-shared"
"""The remark that two players have entered one ticket."""

BREACHES_ON_THE_BOARD = frozenset(
    {"double-by-one", "double-closed", "too-many-wagons", *CROSSING_BY_TRACKS}
)
"""Breaches that a route set right mends; those of hands are secret."""

MOST_SUSPECTS = 6
"""Routes that are offered as misread; whoever has looked at so many looks at the board instead."""


def remarks_on(state: State, game: Game) -> tuple[Remark, ...]:
    """What is odd before the sheet; the question about the wagons only where a count differs.

    A ticket in two hands is told once all hands are in: told at once, it would name the ticket.
    That nobody ended the game is told once the board's questions are answered.
    """
    untold = {WAGONS_QUESTION, UNANSWERED}
    if state.facts.phase != "sheet" and doubtful_routes(state):
        untold.add(NOBODY_ENDED)
    if not all(state.facts.entries[colour].tickets for colour in state.facts.colours):
        untold.add(SHARED_TICKET)
    return tuple(one for one in remarks_before_sheet(game) if one.code not in untold)


def told_before_sheet(state: State, reckoning: Reckoning, game: Game) -> tuple[Remark, ...]:
    """What the rules forbid on the board, which a sheet tells by itself, and all remarks."""
    return (*_breaches_on_the_board(state, reckoning.sheet), *remarks_on(state, game))


def _breaches_on_the_board(state: State, sheet: Sheet | None) -> Iterator[Remark]:
    if sheet is None or state.facts.phase == "sheet":
        return
    for one in sheet.violations:
        if one.code in BREACHES_ON_THE_BOARD:
            has_map = state.facts.has_map
            mend = Message("companion.mend.breach" if has_map else "companion.mend.breach-count")
            yield Remark(one.code, one.message, mend, one.players, one.routes)


def colours_of(state: State, remarks: tuple[Remark, ...]) -> tuple[str, ...]:
    """Whom the remarks concern, in seat order; everybody, where one of them names nobody."""
    if any(not remark.players for remark in remarks):  # such as a ticket in two hands
        return state.facts.colours
    names = {name for remark in remarks for name in remark.players}
    return tuple(player.colour for player in state.facts.players if player.name in names)


def said_of_last_round(state: State, board: Board, game: Game) -> Remark | None:
    """That the last round has begun, and whose turn is the last, or that a question decides it."""
    return remark_on_last_round(game, _begun_by(state, board), doubtful_routes(state))


def closed_lines(game: Game) -> Mapping[str, Remark]:
    """Why nobody may claim a free line any more, by the line's id."""
    return {one.routes[0]: one for one in remarks_on_closed_lines(game)}


def suspects(state: State, board: Board, colour: str, left: int) -> tuple[str, ...]:
    """The routes that a wrong count of wagons most likely comes from, the likeliest first.

    `left` are the wagons that the board leaves the player. With more counted than that a route too
    many was read: the least certain of the colour come first; so with more on the board than
    the box holds, whatever was counted. With fewer counted one is missing: those that the camera
    most nearly gave to the colour.
    """
    counted = state.facts.entries[colour].wagons
    too_many = wagons_used(state, board)[colour] > board.wagons_per_player
    if not too_many and counted in (None, left):
        return ()
    odds = {route.id: _odds(state, route.id, colour) for route in board.routes}
    if too_many or (counted is not None and counted > left):
        mine = [name for name in odds if owner_of(state, name) == colour]
        return tuple(sorted(mine, key=lambda name: odds[name])[:MOST_SUSPECTS])
    others = [name for name in odds if owner_of(state, name) != colour and odds[name] > 0]
    return tuple(sorted(others, key=lambda name: -odds[name])[:MOST_SUSPECTS])


def _odds(state: State, route: str, colour: str) -> float:
    """How surely a route is a colour's; what a person said is certain.

    Unless the camera saw another owner: a finger may have slipped.
    """
    proposal = state.proposed.routes.get(route)
    agreed = route in state.facts.answers and has_seen_owners(state, route)
    if agreed or proposal is None:
        return float(owner_of(state, route) == colour)
    return proposal.odds.get(colour, 0.0)


def _begun_by(state: State, board: Board) -> str | None:
    """Who got down to two wagons first, as far as the steps of the evening tell it."""
    first: list[SeatedPlayer] = _low(state, board)
    for checkpoint in reversed(state.past):
        earlier = State(facts=checkpoint.facts, proposed=checkpoint.proposed)
        low = _low(earlier, board) if checkpoint.facts.number == state.facts.number else []
        if not low:
            break
        first = low
    return first[0].name if len(first) == 1 else None


def _low(state: State, board: Board) -> list[SeatedPlayer]:
    """The players with so few wagons left that the last round begins."""
    used = wagons_used(state, board)
    most = board.wagons_per_player - LAST_ROUND_AT
    return [player for player in state.facts.players if used[player.colour] >= most]
