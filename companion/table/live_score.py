"""From a state to a sheet: who holds what, what that scores, and what is still to be asked."""

from dataclasses import dataclass, field
from typing import Any, TypeVar

from companion.session.events import SeatedPlayer
from companion.session.state import State, doubtful_routes, owner_of, track_pieces
from companion.table.questions import Questions, open_questions
from scoring.board.board import Board
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.game.checks import table_problems
from scoring.game.game import Game, Player, held
from scoring.game.mapless import MaplessGame
from scoring.game.rules import Settings
from scoring.sheet.sheet import Sheet, score

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The game and the sheet of a state, or the error that says why there is none."""

    game: Game | None = None
    sheet: Sheet | None = None
    error: GameError | None = None

    @property
    def winning_colours(self) -> tuple[str, ...]:
        """The colours of the sheet's winners, none without a sheet."""
        if self.sheet is None:
            return ()
        won = self.sheet.winners
        return tuple(p.colour for p in self.sheet.players if p.name in won and p.colour)


@dataclass(slots=True)
class LiveScore:
    """Sheets and open questions of the newest states, each worked out once."""

    _reckonings: list[tuple[State, Reckoning]] = field(default_factory=list)
    _questions: list[tuple[State, Questions]] = field(default_factory=list)

    def reckoning(self, state: State, board: Board) -> Reckoning:
        """The state's sheet as if the game ended now."""
        known = _kept(self._reckonings, state)
        return known or _keep(self._reckonings, state, reckon(state, board))

    def questions(self, state: State, board: Board | None) -> Questions:
        """The state's open questions in the order in which they are asked."""
        known = _kept(self._questions, state)
        return known or _keep(self._questions, state, self._open_questions(state, board))

    def _open_questions(self, state: State, board: Board | None) -> Questions:
        return open_questions(
            state, board, lambda: None if board is None else self.reckoning(state, board).game
        )


def reckon(state: State, board: Board) -> Reckoning:
    """Score the state as if the game ended now."""
    try:
        game = game_of(state, board)
    except GameError as error:
        return Reckoning(error=error)
    return Reckoning(game, score(game))


def game_of(state: State, board: Board) -> Game:
    """The state as a game; raises GameError with every problem.

    What was chosen from the board has been checked with its event. Tickets, figures and settings
    that were typed freely are read as from a document.
    """
    if isinstance(board, MaplessGame):
        return parse_game(game_json(state, board), board.card_set, shared_tickets=True)
    if _has_typed(state) or board.stations:
        return parse_game(game_json(state, board), board, shared_tickets=True)
    players = tuple(_player(state, board, player) for player in state.facts.players)
    game = Game(
        board.id,
        board.rules,
        Settings(),
        players,
        board,
        track_pieces=_lines_with_tracks(state, board),
        unanswered=_unanswered(state, board),
    )
    problems = list(table_problems(game, shared_tickets=True))
    if problems:
        raise GameError(problems)
    return game


def game_json(state: State, board: Board) -> dict[str, Any]:
    """The state as the document that `companion score` reads (`GAME.json`)."""
    document: dict[str, Any] = {
        "game": board.game if isinstance(board, MaplessGame) else board.id,
        "players": [_player_json(state, board, player) for player in state.facts.players],
    }
    if state.facts.settings:
        document["settings"] = dict(state.facts.settings)
    tracks, left = _lines_with_tracks(state, board), _unanswered(state, board)
    if tracks:
        document["track_pieces"] = list(tracks)
    if left:
        document["unanswered"] = list(left)
    return document


def routes_of(state: State, board: Board, colour: str) -> tuple[str, ...]:
    """The routes that a player holds, in board order."""
    return tuple(route.id for route in board.routes if owner_of(state, route.id) == colour)


def _lines_with_tracks(state: State, board: Board) -> tuple[str, ...]:
    """The lines that a track piece lies on; an old game may tell of lines that can bear none."""
    laid = track_pieces(state)
    return tuple(one.id for one in board.routes if one.id in laid and one.id in board.track_lines)


def _unanswered(state: State, board: Board) -> tuple[str, ...]:
    doubtful = doubtful_routes(state)
    return tuple(route.id for route in board.routes if route.id in doubtful)


def wagons_used(state: State, board: Board) -> dict[str, int]:
    """The wagons that stand on the board, by player colour."""
    used = dict.fromkeys(state.facts.colours, 0)
    for route in board.routes:
        owner = owner_of(state, route.id)
        if owner in used:
            used[owner] += route.length
    return used


def _lost_routes(state: State, board: Board, colour: str) -> tuple[str, ...]:
    """Routes of an old game that its board no longer has: left out, it would score less."""
    told = dict.fromkeys((*state.facts.answers, *state.proposed.routes))
    lost = (route for route in told if route not in board.route_by_id)
    return tuple(route for route in lost if owner_of(state, route) == colour)


def _has_typed(state: State) -> bool:
    """Whether anything was typed freely instead of being chosen from the board."""
    facts = state.facts
    tickets = (ticket for entry in facts.entries.values() for ticket in entry.tickets)
    return (
        bool(facts.settings)
        or any(entry.typed for entry in facts.entries.values())
        or not all(isinstance(ticket, str) for ticket in tickets)
    )


def _player(state: State, board: Board, player: SeatedPlayer) -> Player:
    entry = state.facts.entries[player.colour]
    return Player(
        name=player.name,
        colour=player.colour,
        routes=routes_of(state, board, player.colour),
        tickets=tuple(held(board.ticket_by_id[ticket]) for ticket in entry.tickets),
        passengers=dict(entry.passengers) if board.passengers_in_bag else {},
        wagons_counted=entry.wagons,
    )


def _player_json(state: State, board: Board, player: SeatedPlayer) -> dict[str, Any]:
    entry = state.facts.entries[player.colour]
    document: dict[str, Any] = {"name": player.name, "colour": player.colour}
    if board.routes and "route_lengths" not in entry.typed:
        document["routes"] = [
            *routes_of(state, board, player.colour),
            *_lost_routes(state, board, player.colour),
        ]
    document["tickets"] = list(entry.tickets)
    if board.passengers_in_bag:
        document["passengers"] = dict(entry.passengers)
    if entry.wagons is not None:
        document["wagons_counted"] = entry.wagons
    return {**document, **entry.typed}


def _kept(kept: list[tuple[State, T]], state: State) -> T | None:
    return next((value for one, value in kept if one is state), None)


def _keep(kept: list[tuple[State, T]], state: State, value: T) -> T:
    """Keep the newest two: the state that stands, and the one that an event would lead to."""
    kept[:] = [*kept[-1:], (state, value)]
    return value
