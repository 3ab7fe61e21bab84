"""What the panel tells of a reading as a whole, and of breaches of the rules; pure."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from companion.session.proposals import FOUND_FREE, NOT_IN_PLAY, Notice
from companion.session.state import State, doubtful_routes, lines_with, owner_of
from companion.table.live_score import Reckoning
from companion.table.referee import said_of_last_round
from scoring.board.board import Board
from scoring.game.closed_routes import closed_routes
from scoring.game.game import Game
from scoring.language import Message
from vision.reading import COVERED, warning_message
from web.table_state import PanelNotice

TOLD_BY_THE_SHEET = frozenset({"too-many-wagons", "double-held-twice", "crossing-built-over"})
"""Warnings of a reading that are breaches of the rules, which a sheet reports itself."""

TOLD_WITH_THE_HANDS = frozenset({"ticket-twice", "ticket-disagrees", "too-many-cards"})
"""Breaches that name who holds which ticket or cards: nobody hears of them before the sheet."""

IN_PLAY = frozenset({"look", "doubts"})
"""Phases in which somebody may still be playing."""

COUNTED = frozenset({COVERED, NOT_IN_PLAY})
"""Warnings whose sentence needs no more than the number of routes, so it can be said anew."""


def notice_of(message: Message, routes: Sequence[str] = ()) -> PanelNotice:
    """A message as the panel takes it, with the routes that it speaks about."""
    document = message.to_json()
    return PanelNotice(key=document["key"], values=document["values"], routes=list(routes))


def notices_of(
    state: State,
    board: Board | None,
    reckoning: Reckoning | None,
    covered: Collection[str] | None = None,
) -> Iterator[PanelNotice]:
    """What the reading and the sheet have to say; `covered` are the routes over which something
    lies by now, where the camera has seen that since.

    A final sheet is about the game: what the last photo was like no longer helps anybody, and
    questions that it left open are told in a sentence of their own.
    """
    open_hands = state.facts.phase == "sheet"
    if not open_hands:
        yield from _reading_notices(state, covered, None if reckoning is None else reckoning.game)
    if reckoning is None:
        return
    if board is not None and reckoning.game is not None and state.facts.phase in IN_PLAY:
        remark = said_of_last_round(state, board, reckoning.game)
        if remark is not None:
            yield notice_of(remark.message, remark.routes)
    for violation in reckoning.sheet.violations if reckoning.sheet else ():
        if violation.code in TOLD_WITH_THE_HANDS and not open_hands:
            continue
        yield notice_of(violation.message, violation.routes)
    if reckoning.error is not None:
        yield from map(notice_of, reckoning.error.messages)


def _reading_notices(
    state: State, covered: Collection[str] | None, game: Game | None
) -> Iterator[PanelNotice]:
    """What the reading said as a whole, as long as it bears on a route nobody has answered yet.

    What the rules forbid is not taken from here: the sheet says it of the owners as they now stand.
    """
    for notice in state.proposed.notices:
        routes = [route for route in notice.routes if not _is_answered(state, route)]
        if notice.code == COVERED:
            routes = _hidden(routes, state, covered, game)
        if notice.code == FOUND_FREE:
            routes = [route for route in routes if owner_of(state, route) is None]
        if notice.code in TOLD_BY_THE_SHEET or (notice.routes and not routes):
            continue
        yield notice_of(_said_of(notice, len(routes)), routes)


def _said_of(notice: Notice, count: int) -> Message:
    if notice.code == FOUND_FREE:
        return Message("companion.notice.found-free", count=count)
    return warning_message(notice.code, count) if notice.code in COUNTED else notice.message


def _hidden(
    routes: Iterable[str], state: State, covered: Collection[str] | None, game: Game | None
) -> list[str]:
    """Of these routes those over which something still lies that may hide an owner.

    What lies over a closed route hides nothing. While tickets are entered only what lies over open
    questions still matters.
    """
    doubtful = frozenset(doubtful_routes(state))
    closed = frozenset() if game is None else _closed_for_sure(doubtful, game)
    is_read = state.facts.phase not in IN_PLAY
    return [
        route
        for route in routes
        if (covered is None or route in covered)
        and route not in closed
        and (route in doubtful or not is_read)
    ]


def _closed_for_sure(doubtful: Collection[str], game: Game) -> frozenset[str]:
    """Undoubted routes on which no wagon may stand, because of a route that is held for sure."""
    return frozenset(
        closed.route
        for closed in closed_routes(game)
        if closed.route not in doubtful and closed.by not in doubtful
    )


def _is_answered(state: State, route: str) -> bool:
    """Whether a person has said whose a route is, or who owns the lines of its place, where an
    answer keeps the camera's word for the lines that nobody doubted."""
    answers, proposed = state.facts.answers, state.proposed.routes
    lines = (line for line in lines_with(state, route) if line in proposed)
    asked = [line for line in lines if proposed[line].review]
    return route in answers or (bool(asked) and all(line in answers for line in asked))
