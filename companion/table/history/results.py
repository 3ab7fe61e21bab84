"""What came out of each evening, kept in a file beside the log so that a list needs no scoring.

The file is no truth: a result that is missing, or that belongs to another state of the game, is
worked out anew from the log. So is everything where the file's seal is not that of its results: a
single bit of a worn card makes other points of them. Earlier versions wrote no seal.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.table.history.chronicle import KeptEvening
from companion.whole_file import write_whole
from scoring.errors import ScoringError
from scoring.sheet.sheet import Sheet
from vision.images.plain_file import read_plain
from web.history_port import PlayerResult

FORMAT = 1

LARGEST_BYTES = 30_000_000
"""An evening takes a few hundred."""


@dataclass(frozen=True, slots=True)
class Result:
    """Players in seat order, and who won."""

    players: tuple[PlayerResult, ...]
    winners: tuple[str, ...]


def result_of(sheet: Sheet) -> Result:
    """The result of a sheet."""
    players = tuple(
        PlayerResult(
            name=one.name,
            colour=one.colour or "grey",
            total=one.total,
            rank=one.rank,
            tickets_completed=one.tickets_completed,
            longest_path=None if one.longest_path is None else one.longest_path.length,
        )
        for one in sheet.players
    )
    return Result(players, sheet.winners)


class Results:
    """Results by evening; `score` works out one that the file does not have."""

    def __init__(self, path: Path, score: Callable[[KeptEvening], Sheet]) -> None:
        self._path = path
        self._score = score
        self._lock = threading.Lock()
        self._known = _read(path)

    def of(self, evenings: Sequence[KeptEvening]) -> list[Result | None]:
        """The results of these evenings, in order; None for one that cannot be scored.

        The file forgets all others.
        """
        with self._lock:
            found = {
                one.id: (one.mark, result)
                for one in evenings
                if (result := self._result(one)) is not None
            }
            if found != self._known:
                self._known = found
                with suppress(OSError):  # the next start works them out again
                    _write(self._path, found)
        return [found[one.id][1] if one.id in found else None for one in evenings]

    def _result(self, evening: KeptEvening) -> Result | None:
        mark, known = self._known.get(evening.id, ("", None))
        if known is not None and mark == evening.mark:
            return known
        try:
            return result_of(self._score(evening))
        except ScoringError:  # its board's file has changed, or its log was written into
            return None


Known = dict[str, tuple[str, Result]]
"""The mark of the game that was scored, and its result, by the evening's id."""


def _read(path: Path) -> Known:
    try:
        document = json.loads(read_plain(path, LARGEST_BYTES))
        evenings = document["evenings"]
        if document["format"] != FORMAT or document.get("seal") not in (None, _seal(evenings)):
            return {}
        return {str(id): _entry(value) for id, value in evenings.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _entry(value: Any) -> tuple[str, Result]:
    """Raises KeyError or TypeError where it is none."""
    players = tuple(PlayerResult(**player) for player in value["players"])
    words = [value["mark"], *value["winners"]]
    figures = []
    for one in players:
        words += [one.name, one.colour]
        figures += [one.total, one.rank, one.tickets_completed, one.longest_path or 0]
    if {*map(type, words)} - {str} or {*map(type, figures)} - {int}:
        raise TypeError
    return value["mark"], Result(players, tuple(value["winners"]))


def _write(path: Path, known: Known) -> None:
    evenings = {
        id: {
            "mark": mark,
            "winners": list(result.winners),
            "players": [asdict(player) for player in result.players],
        }
        for id, (mark, result) in known.items()
    }
    document = {"format": FORMAT, "seal": _seal(evenings), "evenings": evenings}
    write_whole(path, json.dumps(document, ensure_ascii=False).encode(), lasting=False)


def _seal(evenings: object) -> str:
    return hashlib.sha256(json.dumps(evenings).encode()).hexdigest()
