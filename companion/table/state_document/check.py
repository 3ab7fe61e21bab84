"""What the panel shows of the referee's remarks, the settings and the score markers; pure."""

from collections.abc import Mapping
from typing import Any

from companion.session.state import State
from companion.table.live_score import Reckoning
from companion.table.referee import closed_lines, suspects, told_before_sheet
from scoring.board.board import Board
from scoring.documents.settings import settings_in_force
from scoring.game.game import Game
from scoring.game.rules import Settings
from scoring.language import MessageJson
from scoring.referee.last_round import wagons_left
from scoring.referee.remark import Remark
from web.table_state import MarkerState, PanelRemark, SheetCheck, WagonsLeft


def check_of(state: State, board: Board | None, reckoning: Reckoning | None) -> SheetCheck:
    """What is to be looked at before the sheet: wagons left, remarks, likely misread routes."""
    game = None if reckoning is None else reckoning.game
    if reckoning is None or game is None or board is None:
        return SheetCheck(wagons=[], remarks=[])
    left = wagons_left(game)
    wagons = [
        WagonsLeft(
            colour=player.colour,
            left=left[player.name],
            counted=state.facts.entries[player.colour].wagons,
            suspects=list(suspects(state, board, player.colour, left[player.name])),
        )
        for player in state.facts.players
        if player.name in left
    ]
    remarks = told_before_sheet(state, reckoning, game)
    return SheetCheck(wagons=wagons, remarks=[_remark(state, one) for one in remarks])


def closed_of(state: State, reckoning: Reckoning | None) -> dict[str, MessageJson]:
    """Why a free line is closed, by its id."""
    if reckoning is None or reckoning.game is None:
        return {}
    closed = closed_lines(reckoning.game)
    return {route: remark.message.to_json() for route, remark in closed.items()}


def default_settings(board: Board) -> dict[str, Any]:
    """What the rulebooks leave open on a board, with the defaults."""
    game = Game(board.id, board.rules, Settings(), (), board)
    choices = settings_in_force(game)
    if board.score_track:
        choices["score-track"] = board.score_track
    return {**choices, "fewest-tickets": game.fewest_tickets} if board.tickets else choices


def settings_of(state: State, board: Board | None) -> dict[str, Any]:
    """What the table has agreed, defaults included."""
    return {} if board is None else {**default_settings(board), **state.facts.settings}


def agreed_before(state: State, board: Board) -> dict[str, Any]:
    """What the table had agreed in its last game on a board, without what is as ever; empty while a
    game is on. Of a game whose start was just taken back it is what was to be played."""
    if state.facts.board is not None:
        return {}
    games = (one.facts for one in (*state.future[-1:], *reversed(state.past)))
    settings = next((game.settings for game in games if game.board == board.id), {})
    return {name: settings[name] for name in default_settings(board) if name in settings}


def markers_of(state: State, reckoning: Reckoning | None) -> Mapping[str, MarkerState]:
    """Every typed marker and the field where the board puts it, by colour."""
    if reckoning is None or reckoning.sheet is None:
        return {}
    checks = {check.name: check for check in reckoning.sheet.marker_checks}
    return {
        player.colour: MarkerState(
            marker=checks[player.name].marker,
            expected=checks[player.name].expected,
            difference=checks[player.name].difference,
        )
        for player in state.facts.players
        if player.name in checks
    }


def _remark(state: State, remark: Remark) -> PanelRemark:
    colours = {player.name: player.colour for player in state.facts.players}
    return PanelRemark(
        code=remark.code,
        message=remark.message.to_json(),
        mend=remark.mend.to_json(),
        players=[colours[name] for name in remark.players if name in colours],
        routes=list(remark.routes),
    )
