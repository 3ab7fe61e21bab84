"""The old evenings as the panel shows them; implements `web.history_port.HistoryPort`."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from companion.table.history.chronicle import EveningsNow, KeptEvening
from companion.table.history.people import People
from companion.table.history.picture import result_png
from companion.table.history.results import Result, Results
from scoring.board.board import Board
from scoring.errors import ScoringError
from scoring.sheet.sheet import Sheet, score
from web.history_port import EveningSummary, OldEvening

RESULTS_NAME = "history.json"
"""The results' file in a table's data folder."""


class Kept(Protocol):
    """Where the evenings come from."""

    boards: dict[str, Board]

    def evenings_now(self) -> EveningsNow:
        """The finished evenings at this moment."""
        ...


class History:
    """The evenings of one table."""

    def __init__(self, kept: Kept, data: Path) -> None:
        self._kept = kept
        self._results = Results(data / RESULTS_NAME, self._sheet)

    def prepare(self) -> None:
        """Work out missing results on a thread of its own, so that no page waits for them."""
        if self._kept.evenings_now().kept:
            threading.Thread(target=self.evenings, name="history", daemon=True).start()

    def evenings(self) -> Sequence[EveningSummary]:
        """Every finished evening that can be scored, the newest first, with those in the bin."""
        now = self._kept.evenings_now()
        pairs = zip(now.kept, self._results.of(now.kept), strict=True)
        return [_summary(kept, result, now) for kept, result in pairs if result is not None]

    def evening(self, id: str) -> OldEvening | None:
        """One evening with its sheet; None where there is none."""
        now = self._kept.evenings_now()
        kept = next((one for one in now.kept if one.id == id), None)
        if kept is None:
            return None
        result = self._results.of(now.kept)[now.kept.index(kept)]
        if result is None:
            return None
        try:
            board, people = self._kept.boards[kept.board], People(now.joined_names)
            game = kept.played_on(board, people.named(kept.names))
        except ScoringError:  # its result is known from before its board's file was changed
            return None
        return OldEvening(_summary(kept, result, now), board, game, score(game))

    def picture(self, id: str, language: str) -> bytes | None:
        """The result as a PNG picture, None where there is no such evening."""
        opened = self.evening(id)
        return None if opened is None else result_png(opened, language)

    def joined_names(self) -> Sequence[tuple[str, str]]:
        """Names that are one person with another, each with the name that stands for both today."""
        joined = self._kept.evenings_now().joined_names
        people = People(joined)
        return [(alias, people.of(alias)) for alias, _ in joined]

    def named_today(self, names: Sequence[str]) -> Sequence[str]:
        """The players of one game by the names of today."""
        return People(self._kept.evenings_now().joined_names).named(names)

    def have_met(self, one: str, other: str) -> bool:
        """Whether two names have played in one game: they are two people then."""
        return self._kept.evenings_now().have_met(one, other)

    def _sheet(self, kept: KeptEvening) -> Sheet:
        return score(kept.played_on(self._kept.boards[kept.board]))


def _summary(kept: KeptEvening, result: Result, now: EveningsNow) -> EveningSummary:
    typed = [player.name for player in result.players]
    names = dict(zip(typed, People(now.joined_names).named(typed), strict=True))
    return EveningSummary(
        id=kept.id,
        board=kept.board,
        began_s=kept.began_s,
        ended_s=kept.ended_s,
        players=tuple(replace(one, name=names[one.name]) for one in result.players),
        winners=tuple(names[name] for name in result.winners),
        is_deleted=kept.id in now.deleted,
        is_current=kept.id == now.current,
        dated_s=kept.dated_s,
    )
