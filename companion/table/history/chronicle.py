"""Which evenings the log holds: follows every event and keeps each finished game as it was left.

Nothing here is written: the log is the truth, and a restart reads the same evenings from it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.log.rows import is_date
from companion.session.events import OF_NO_GAME, ClockSet, Event, Started, Undone
from companion.session.state import State
from companion.table.history.people import People
from companion.table.live_score import game_json
from scoring.board.board import Board
from scoring.documents.game import parse_game
from scoring.game.game import Game
from scoring.game.mapless import MaplessGame
from web.days import CLOCK_SET_S


@dataclass(frozen=True, slots=True)
class KeptEvening:
    """A finished game. `document` is its `GAME.json` as text; times are in seconds since 1970.

    The id is made of the moment at which the game began, so that it stays whatever happens to
    the numbers of the log's rows.
    """

    id: str
    board: str
    began_s: float
    ended_s: float
    document: str
    mark: str
    """Of the game: another one has another mark."""
    dated_s: float | None = None
    """When it began by the clock that was put right later; where that is not known, when the clock
    was first right during the game. None where it was right at the start, or never."""

    @property
    def day_s(self) -> float:
        """The moment by which the evening is dated."""
        return self.began_s if self.dated_s is None else self.dated_s

    @property
    def game(self) -> dict[str, Any]:
        """The game as `companion score` reads it."""
        document: dict[str, Any] = json.loads(self.document)
        return document

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names as they were typed, in seat order."""
        return tuple(player["name"] for player in self.game["players"])

    def played_on(self, board: Board, names: Sequence[str] | None = None) -> Game:
        """The game on its board as that is now, its players by other names, in seat order, if they
        are given; raises ScoringError where it no longer fits."""
        taught = board.card_set if isinstance(board, MaplessGame) else board
        game = _without_lost_notes(self.game, board)
        game = game if names is None else _with_names(game, names)
        return parse_game(game, taught, shared_tickets=True)


def _without_lost_notes(game: Mapping[str, Any], board: Board) -> dict[str, Any]:
    """A game without notes on lines that the board no longer has: they score nothing."""
    notes = {"track_pieces": board.track_lines, "unanswered": board.route_by_id}
    kept = {
        key: [route for route in game[key] if route in known]
        for key, known in notes.items()
        if key in game
    }
    return {**game, **kept}


def _with_names(game: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A game's document with other names of its players, in seat order."""
    players = [{**one, "name": name} for one, name in zip(game["players"], names, strict=True)]
    return {**game, "players": players}


@dataclass(frozen=True, slots=True)
class EveningsNow:
    """The finished evenings at one moment, the newest first; `current` is the game in play."""

    kept: tuple[KeptEvening, ...]
    deleted: frozenset[str]
    current: str | None
    joined_names: tuple[tuple[str, str], ...] = ()
    """Names, each with another name of the same person."""
    playing: tuple[str, ...] = ()
    """The players of the game in play."""

    def have_met(self, one: str, other: str) -> bool:
        """Whether both have played in one game, the one in play or one in the bin too."""
        people = People(self.joined_names)
        pair = people.of(one), people.of(other)
        games = (*(game.names for game in self.kept), self.playing)
        return any(all(people.plays(name, names) for name in pair) for names in games)


@dataclass(slots=True)
class _Begun:
    id: str
    began_s: float
    ended_s: float
    dated_s: float | None = None


class Chronicle:
    """The finished evenings of a log, the present one apart."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        self._boards = boards
        self._begun: dict[int, _Begun] = {}
        self._finished: set[str] = set()
        """Ids of games that had a result once."""
        self._left: dict[str, KeptEvening] = {}
        """As they were left; when that was is told by `_begun`, which a clock that is set moves."""

    def follow(self, at_s: float, before: State, event: Event, after: State) -> None:
        """Take in an event of the log and what it changed."""
        if before.facts.board is not None and after.facts.number != before.facts.number:
            self._leave(before, takes_back=_takes_back_start(before, event))
        if isinstance(event, Started):
            began = self._begun[after.facts.number] = _Begun(self._new_id(at_s), at_s, at_s)
            self._left.pop(began.id, None)
        if isinstance(event, ClockSet):
            self._date(event)
            return
        now = self._begun.get(after.facts.number)
        if now is None:
            return
        self._left.pop(now.id, None)  # where an undo leads back into a game, it goes on
        is_within = after.facts.number == before.facts.number
        if is_within and not isinstance(event, OF_NO_GAME):
            now.ended_s = at_s
            if now.dated_s is None and now.began_s < CLOCK_SET_S <= at_s:
                now.dated_s = at_s
        if after.facts.phase == "sheet":
            self._finished.add(now.id)

    def evenings(self, state: State) -> list[KeptEvening]:
        """Every finished evening, the newest first; the present one with `state` as it stands.

        The log knows their order: the clock of a box that lost its power goes back.
        """
        now = self._kept(state)
        kept = self._left if now is None else {**self._left, now.id: now}
        return [
            replace(kept[begun.id], ended_s=begun.ended_s, dated_s=begun.dated_s)
            for begun in reversed(self._begun.values())
            if begun.id in kept
        ]

    def dropped(self, state: State) -> frozenset[str]:
        """Ids of the games that had a result, and were left without one."""
        kept = {evening.id for evening in self.evenings(state)}
        return frozenset(self._finished - kept - {self.id_of(state)})

    def id_of(self, state: State) -> str | None:
        """The id of the game in play, None without one."""
        begun = self._begun.get(state.facts.number)
        return None if begun is None or state.facts.board is None else begun.id

    def _date(self, event: ClockSet) -> None:
        """A clock that is set twice, as from one mistake to the next, moves a day twice."""
        for begun in self._begun.values():
            if begun.id in event.games:
                so_far_s = begun.began_s if begun.dated_s is None else begun.dated_s
                begun.dated_s = _later(so_far_s, event)
                begun.ended_s = _later(begun.ended_s, event)

    def _leave(self, state: State, takes_back: bool) -> None:
        kept = None if takes_back else self._kept(state)
        if kept is not None:
            self._left[kept.id] = kept

    def _kept(self, state: State) -> KeptEvening | None:
        """The state as an evening; None where it is not finished or its board is not here."""
        begun = self._begun.get(state.facts.number)
        board = self._boards.get(state.facts.board or "")
        if begun is None or board is None or state.facts.phase != "sheet":
            return None
        game = game_json(state, board)
        mark = hashlib.sha256(_text(_in_one_order(game)).encode()).hexdigest()[:16]
        return KeptEvening(
            begun.id, board.id, begun.began_s, begun.ended_s, _text(game), mark, begun.dated_s
        )

    def _new_id(self, at_s: float) -> str:
        number = int(at_s * 1000)
        taken = {begun.id for begun in self._begun.values()} | set(self._left)
        while str(number) in taken:
            number += 1
        return str(number)


def _later(at_s: float, event: ClockSet) -> float:
    """A moment by the clock that was put right; a log from elsewhere may say what is no date."""
    moved_s = at_s + event.behind_s
    return moved_s if is_date(moved_s) else at_s


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _in_one_order(game: Mapping[str, Any]) -> dict[str, Any]:
    """The game with every player's routes in an order that no change of the board's file moves."""
    players = [
        {**one, "routes": sorted(one["routes"])} if "routes" in one else one
        for one in game["players"]
    ]
    return {**game, "players": players}


def _takes_back_start(before: State, event: Event) -> bool:
    """Whether an undo takes back that this game was begun at all."""
    return isinstance(event, Undone) and isinstance(before.undoes, Started)
