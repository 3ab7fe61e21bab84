"""The moment at the table as the panel wants it: plain data in the words of `web.ports`; pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.session.events import Player
from companion.session.state import Facts, State, owner_of
from companion.table.box import BoxCursor, choices_for, lamps, settle
from companion.table.live_score import Reckoning, routes_of
from companion.table.questions import Questions
from scoring.board.board import Board
from scoring.language import Message, MessageJson
from scoring.sheet.sheet import Sheet
from vision.reading import warning_message
from web.ports import (
    Alternative,
    BoardChoice,
    CameraState,
    Doubt,
    GameInPlay,
    HandTicket,
    PanelCursor,
    PanelNotice,
    PanelPlayer,
    RouteState,
    StandingRow,
    TableState,
    UndoStep,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything that a snapshot is made of; `board` and `reckoning` are None without a game."""

    version: int
    state: State
    board: Board | None
    boards: Sequence[Board]
    reckoning: Reckoning | None
    cursor: BoxCursor
    questions: Questions
    camera: CameraState
    extra_notices: Sequence[Message] = ()
    virtual_box: bool = False
    told_to_wait: bool = False
    photo: Message | None = None
    box: Message | None = None


TOLD_BY_THE_SHEET = frozenset({"too-many-wagons", "double-held-twice", "crossing-built-over"})
"""Warnings of a reading that are breaches of the rules, which a sheet reports itself."""

TOLD_WITH_THE_HANDS = frozenset({"ticket-twice", "ticket-disagrees"})
"""Breaches that name who holds which ticket: nobody hears of them before the sheet."""

COUNTED = frozenset({"covered", "not-in-play"})
"""Warnings whose sentence needs no more than the number of routes, so it can be said anew."""


def snapshot(moment: Moment) -> TableState:
    """The whole state of the panel."""
    facts = moment.state.facts
    undoes = moment.state.undoes
    cursor = settle(moment.state, moment.cursor)
    return TableState(
        version=moment.version,
        phase=facts.phase,
        boards=[_board_choice(board) for board in moment.boards],
        board=facts.board,
        players=[PanelPlayer(name=p.name, colour=p.colour) for p in facts.players],
        extras=_extras(moment.board),
        routes=_routes(moment),
        doubts=[_doubt(moment, route) for route in moment.questions.routes],
        standing=_standing(moment),
        tickets=_tickets(moment),
        passengers=_passengers(moment),
        flags=_flags(moment),
        sheet=_sheet(moment),
        camera=moment.camera,
        notices=list(_notices(moment)),
        undo=None if undoes is None else undoes.action,
        undo_step=_undo_step(moment.state),
        lamps=_lamps(moment),
        cursor=_cursor(moment.state, cursor),
        virtual_box=moment.virtual_box,
        photo=_json(moment.photo),
        box=_json(moment.box),
    )


def game_in_play(facts: Facts, boards: Sequence[Board]) -> GameInPlay:
    """What a request of the panel is checked against."""
    board = next((one for one in boards if one.id == facts.board), None)
    return GameInPlay(
        boards=[_board_choice(one) for one in boards],
        board=board,
        players=[PanelPlayer(name=p.name, colour=p.colour) for p in facts.players],
        passengers={colour: dict(one.passengers) for colour, one in facts.entries.items()},
    )


def _undo_step(state: State) -> UndoStep | None:
    """What an undo would take back; which ticket it was is nobody else's business."""
    if not state.past:
        return None
    last = state.past[-1]
    event = last.left_by
    route = getattr(event, "route", None)
    after = state.facts.answers.get(route) if route is not None else None
    return UndoStep(
        step=last.step,
        action=event.action,
        asks=last.crosses_games,
        player=getattr(event, "colour", None),
        route=route,
        owner=after.owner if after is not None else None,
    )


def winning_colours(reckoning: Reckoning | None) -> tuple[str, ...]:
    """The colours of the sheet's winners, none without a sheet."""
    if reckoning is None or reckoning.sheet is None:
        return ()
    sheet = reckoning.sheet
    return tuple(p.colour for p in sheet.players if p.name in sheet.winners and p.colour)


def _board_choice(board: Board) -> BoardChoice:
    return BoardChoice(
        id=board.id,
        title=board.title,
        edition=board.edition,
        players=board.players,
        player_colours=board.player_colours,
    )


def _extras(board: Board | None) -> list[str]:
    if board is None:
        return []
    passengers = ["passengers"] if board.passengers_in_bag else []
    return [*passengers, "flags"] if board.rules.bonuses.flag else passengers


def _routes(moment: Moment) -> dict[str, RouteState]:
    if moment.board is None:
        return {}
    doubtful = frozenset(moment.questions.routes)
    return {
        route.id: _route(moment.state, route.id, route.id in doubtful)
        for route in moment.board.routes
        if route.id in moment.state.proposed.routes or route.id in moment.state.facts.answers
    }


def _route(state: State, route: str, is_doubtful: bool) -> RouteState:
    answered = route in state.facts.answers
    status = "doubtful" if is_doubtful else "confirmed" if answered else "proposed"
    proposal = state.proposed.routes.get(route)
    confidence = 1.0 if proposal is None or status == "confirmed" else proposal.confidence
    return RouteState(owner=owner_of(state, route), status=status, confidence=confidence)


def _doubt(moment: Moment, route: str) -> Doubt:
    """Every owner on offer, in the box's order, with the camera's probability (0 if not named)."""
    state, decisive = moment.state, moment.questions.decisive
    proposal = state.proposed.routes[route]
    said = {proposal.owner: proposal.confidence, **dict(proposal.alternatives)}
    return Doubt(
        route=route,
        alternatives=[
            Alternative(owner=owner, probability=said.get(owner, 0.0))
            for owner in choices_for(state, route)
        ],
        decisive=None if decisive is None else route in decisive,
    )


def _standing(moment: Moment) -> list[StandingRow]:
    """Points of the board alone, most first; seat order among equals."""
    if moment.board is None:
        return []
    players = moment.state.facts.players
    rows = [_standing_row(moment.state, moment.board, player) for player in players]
    return sorted(rows, key=lambda row: -row["points"])


def _standing_row(state: State, board: Board, player: Player) -> StandingRow:
    routes = [board.route_by_id[name] for name in routes_of(state, board, player.colour)]
    used = sum(route.length for route in routes)
    return StandingRow(
        name=player.name,
        colour=player.colour,
        points=sum(board.route_points[route.length] for route in routes),
        routes=len(routes),
        wagons_used=used,
        wagons_left=max(0, board.wagons_per_player - used),
    )


def _tickets(moment: Moment) -> dict[str, list[HandTicket]]:
    """Tickets named by id; whether each is done is the sheet's word."""
    if moment.board is None:
        return {}
    done = _completed(moment.reckoning.sheet if moment.reckoning else None)
    return {
        colour: [
            HandTicket(ticket=ticket, completed=_places(moment, ticket) in done.get(colour, ()))
            for ticket in entry.tickets
            if isinstance(ticket, str)
        ]
        for colour, entry in moment.state.facts.entries.items()
    }


def _places(moment: Moment, ticket: str) -> frozenset[str]:
    """The two places of a ticket of the board, none if it has no such ticket."""
    known = moment.board.ticket_by_id.get(ticket) if moment.board else None
    return frozenset(known.places if known else ())


def _completed(sheet: Sheet | None) -> Mapping[str, set[frozenset[str]]]:
    """The places of every completed ticket, by colour."""
    done: dict[str, set[frozenset[str]]] = {}
    for player in sheet.players if sheet else ():
        document: Any = player.to_json()
        done[player.colour or ""] = {
            frozenset(line["ticket"])
            for line in document["lines"]
            if line["kind"] == "ticket" and line["completed"] and "ticket" in line
        }
    return done


def _passengers(moment: Moment) -> dict[str, Mapping[str, int]]:
    if moment.board is None or not moment.board.passengers_in_bag:
        return {}
    return {c: dict(entry.passengers) for c, entry in moment.state.facts.entries.items()}


def _flags(moment: Moment) -> dict[str, int]:
    if "flags" not in _extras(moment.board):
        return {}
    entries = moment.state.facts.entries
    return {colour: int(entry.typed.get("flags", 0)) for colour, entry in entries.items()}


def _sheet(moment: Moment) -> Mapping[str, Any] | None:
    if moment.state.facts.phase != "sheet" or moment.reckoning is None:
        return None
    return moment.reckoning.sheet.to_json() if moment.reckoning.sheet else None


def _json(message: Message | None) -> MessageJson | None:
    return None if message is None else message.to_json()


def _notice(message: Message, routes: Sequence[str] = ()) -> PanelNotice:
    document = message.to_json()
    return PanelNotice(key=document["key"], values=document["values"], routes=list(routes))


def _notices(moment: Moment) -> Iterator[PanelNotice]:
    yield from map(_notice, moment.extra_notices)
    yield from _reading_notices(moment.state)
    if moment.reckoning is None:
        return
    open_hands = moment.state.facts.phase == "sheet"
    for violation in moment.reckoning.sheet.violations if moment.reckoning.sheet else ():
        if violation.code in TOLD_WITH_THE_HANDS and not open_hands:
            continue
        yield _notice(violation.message, violation.routes)
    if moment.reckoning.error is not None:
        yield from map(_notice, moment.reckoning.error.messages)


def _reading_notices(state: State) -> Iterator[PanelNotice]:
    """What the reading said as a whole, as long as it bears on a route nobody has answered yet.

    What the rules forbid is not taken from here: the sheet says it of the owners as they now stand.
    """
    for notice in state.proposed.notices:
        routes = [route for route in notice.routes if route not in state.facts.answers]
        if notice.code in TOLD_BY_THE_SHEET or (notice.routes and not routes):
            continue
        counted = notice.code in COUNTED
        yield _notice(
            warning_message(notice.code, len(routes)) if counted else notice.message, routes
        )


def _lamps(moment: Moment) -> dict[str, str]:
    looking = moment.camera["status"] == "looking"
    winners = winning_colours(moment.reckoning)
    states = lamps(moment.state, moment.cursor, looking, winners, moment.told_to_wait)
    colours = moment.state.facts.colours
    return {colour: str(lamp) for colour, lamp in zip(colours, states, strict=True)}


def _cursor(state: State, cursor: BoxCursor) -> PanelCursor:
    """Only what the phase's buttons act on is marked."""
    facts = state.facts
    asked = cursor.route if facts.phase == "doubts" else None
    choice = choices_for(state, asked)[cursor.choice] if asked else None
    seat = facts.players[cursor.seat].colour if facts.phase == "tickets" else None
    return PanelCursor(route=asked, choice=choice, player=seat)
