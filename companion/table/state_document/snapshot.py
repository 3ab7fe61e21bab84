"""The moment at the table as the panel wants it: plain data, in the words of `web.table_state`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.session.events import SeatedPlayer
from companion.session.state import (
    Facts,
    State,
    first_pass_is_on,
    lines_with,
    owner_of,
    track_pieces,
)
from companion.table.box import BoxCursor, lamps, settle
from companion.table.choices import choices_for
from companion.table.live_score import Reckoning, routes_of, wagons_used
from companion.table.questions import LIKELY, Questions
from companion.table.state_document.check import (
    agreed_before,
    check_of,
    closed_of,
    default_settings,
    markers_of,
    settings_of,
)
from companion.table.state_document.doubts import doubts_of
from companion.table.state_document.hands import (
    figures_of,
    hands_of,
    points_before,
    set_aside,
    table_points,
    tickets_before,
)
from companion.table.state_document.notices import notice_of, notices_of
from companion.table.state_document.steps import (
    action_name,
    last_players,
    recent_claims,
    redo_of,
    undo_step_of,
)
from scoring.board.board import Board
from scoring.game.game import Game
from scoring.game.mapless import MaplessGame
from scoring.language import Message, MessageJson
from scoring.sheet.sheet import Sheet
from web.pieces import has_buses
from web.ports import GameInPlay
from web.table_state import (
    BoardChoice,
    CameraState,
    ClubRound,
    PanelCursor,
    PanelPlayer,
    RevealState,
    RouteState,
    StandingRow,
    TableState,
)


@dataclass(frozen=True, slots=True)
class TableView:
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
    claimed: Sequence[str] = ()
    reveal: RevealState | None = None
    photo: Message | None = None
    box: Message | None = None
    disk: Message | None = None
    hand_photos: str | None = None
    hand_camera: bool = False
    club_round: ClubRound | None = None
    covered: frozenset[str] | None = None
    """The routes over which something lies, as the camera has seen since its last look."""

    @property
    def final_sheet(self) -> Sheet | None:
        """The sheet in its own phase, None before."""
        if self.state.facts.phase != "sheet" or self.reckoning is None:
            return None
        return self.reckoning.sheet

    @property
    def final_game(self) -> Game | None:
        """The game that the final sheet scores."""
        return None if self.final_sheet is None or self.reckoning is None else self.reckoning.game


def snapshot(view: TableView) -> TableState:
    """The whole state of the panel."""
    facts = view.state.facts
    undoes = view.state.undoes
    cursor = settle(view.state, view.cursor)
    state = TableState(
        version=view.version,
        phase=facts.phase,
        boards=[_board_choice(one, agreed_before(view.state, one)) for one in view.boards],
        board=facts.board,
        players=[PanelPlayer(name=p.name, colour=p.colour) for p in facts.players],
        extras=_extras(view.board),
        routes=_routes(view),
        doubts=doubts_of(view.state, view.questions, view.covered),
        likely=LIKELY,
        standing=_standing(view),
        tickets=hands_of(view.state, view.board, view.reckoning.sheet if view.reckoning else None),
        passengers=_passengers(view),
        flags=_flags(view),
        figures=figures_of(view.state),
        table_points=table_points(facts),
        first_pass_is_on=first_pass_is_on(facts),
        set_aside=set_aside(view.state, view.board),
        sheet=None if view.final_sheet is None else view.final_sheet.to_json(),
        camera=view.camera,
        notices=[
            *map(notice_of, view.extra_notices),
            *notices_of(view.state, view.board, view.reckoning, view.covered),
        ],
        undo=None if undoes is None else action_name(undoes),
        undo_step=undo_step_of(view.state),
        lamps=_lamps(view),
        cursor=_cursor(view.state, cursor),
        virtual_box=view.virtual_box,
        check=check_of(view.state, view.board, view.reckoning),
        settings=settings_of(view.state, view.board),
        markers=markers_of(view.state, view.reckoning),
        closed=closed_of(view.state, view.reckoning),
        track_lines=sorted(view.board.track_lines) if view.board else [],
        track_pieces=list(track_pieces(view.state)),
        photo=_json(view.photo),
        box=_json(view.box),
        disk=_json(view.disk),
        last_players=last_players(view.state),
        redo=redo_of(view.state),
        reveal=None if view.final_sheet is None else view.reveal,
        recent=recent_claims(view.state),
        hand_camera=view.hand_camera,
    )
    if view.hand_photos is not None:
        state["hand_photos"] = view.hand_photos
    if isinstance(view.board, MaplessGame) and facts.phase == "tickets":
        state["points_before"] = points_before(view.state)
        state["tickets_before"] = tickets_before(view.state)
    if view.club_round is not None:
        state["club_round"] = view.club_round
    return state


def game_in_play(
    facts: Facts,
    board: Board | None,
    boards: Sequence[Board],
    began_ms: int | None,
    began_s: float | None = None,
) -> GameInPlay:
    """What a request of the panel is checked against."""
    return GameInPlay(
        boards=[_board_choice(one) for one in boards],
        board=board,
        players=[PanelPlayer(name=p.name, colour=p.colour) for p in facts.players],
        passengers={colour: dict(one.passengers) for colour, one in facts.entries.items()},
        figures={colour: dict(one.typed) for colour, one in facts.entries.items()},
        settings=dict(facts.settings),
        known_boards=boards,
        began_ms=began_ms,
        began_s=began_s,
    )


def _board_choice(board: Board, agreed: Mapping[str, Any] = MappingProxyType({})) -> BoardChoice:
    return BoardChoice(
        id=board.id,
        title=board.title,
        edition=board.edition,
        players=board.players,
        player_colours=board.player_colours,
        settings=default_settings(board),
        agreed=dict(agreed),
        has_map=not isinstance(board, MaplessGame),
        has_wagons=board.wagons_per_player > 0,
        has_buses=has_buses(board),
    )


def _extras(board: Board | None) -> list[str]:
    if board is None:
        return []
    if isinstance(board, MaplessGame):
        return list(board.asks)
    asked = {
        "passengers": board.passengers_in_bag,
        "flags": board.rules.bonuses.flag,
        "stations": board.stations,
        "bonuses": board.hand_bonuses,
    }
    return [name for name, is_asked in asked.items() if is_asked]


def _routes(view: TableView) -> dict[str, RouteState]:
    if view.board is None:
        return {}
    doubtful = frozenset(view.questions.routes)
    return {
        route.id: _route(view.state, route.id, route.id in doubtful)
        for route in view.board.routes
        if route.id in view.state.proposed.routes or route.id in view.state.facts.answers
    }


def _route(state: State, route: str, is_doubtful: bool) -> RouteState:
    answered = route in state.facts.answers
    status = "doubtful" if is_doubtful else "confirmed" if answered else "proposed"
    proposal = state.proposed.routes.get(route)
    confidence = 1.0 if proposal is None or status == "confirmed" else proposal.confidence
    return RouteState(owner=owner_of(state, route), status=status, confidence=confidence)


def _standing(view: TableView) -> list[StandingRow]:
    """Points of the board alone, most first; seat order among equals."""
    if view.board is None or isinstance(view.board, MaplessGame):
        return []
    players = view.state.facts.players
    used = wagons_used(view.state, view.board)
    rows = [_standing_row(view.state, view.board, one, used[one.colour]) for one in players]
    return sorted(rows, key=lambda row: -row["points"])


def _standing_row(state: State, board: Board, player: SeatedPlayer, used: int) -> StandingRow:
    routes = [board.route_by_id[name] for name in routes_of(state, board, player.colour)]
    return StandingRow(
        name=player.name,
        colour=player.colour,
        points=sum(board.route_points[route.length] for route in routes),
        routes=len(routes),
        wagons_used=used,
        wagons_left=max(0, board.wagons_per_player - used),
    )


def _passengers(view: TableView) -> dict[str, Mapping[str, int]]:
    if view.board is None or not view.board.passengers_in_bag:
        return {}
    return {c: dict(entry.passengers) for c, entry in view.state.facts.entries.items()}


def _flags(view: TableView) -> dict[str, int]:
    if "flags" not in _extras(view.board) or isinstance(view.board, MaplessGame):
        return {}
    entries = view.state.facts.entries
    return {colour: int(entry.typed.get("flags", 0)) for colour, entry in entries.items()}


def _json(message: Message | None) -> MessageJson | None:
    return None if message is None else message.to_json()


def _lamps(view: TableView) -> dict[str, str]:
    looking = view.camera["status"] == "looking"
    winners = view.reckoning.winning_colours if view.reckoning is not None else ()
    states = lamps(view.state, view.cursor, looking, winners, view.told_to_wait, view.claimed)
    colours = view.state.facts.colours
    return {colour: str(lamp) for colour, lamp in zip(colours, states, strict=True)}


def _cursor(state: State, cursor: BoxCursor) -> PanelCursor:
    """Only what the phase's buttons act on is marked."""
    facts = state.facts
    asked = cursor.route if facts.phase == "doubts" else None
    lines = lines_with(state, asked) if asked else ()
    owners = choices_for(state, asked)[cursor.choice].owners if asked else ()
    seat = facts.players[cursor.seat].colour if facts.phase == "tickets" else None
    return PanelCursor(
        route=asked,
        choice=dict(zip(lines, owners, strict=True)).get(asked or ""),
        player=seat,
        routes=list(lines),
        owners=list(owners),
    )
