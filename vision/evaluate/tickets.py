"""How well hands of tickets are read on labelled photos: `python -m vision.evaluate --tickets DIR`.

DIR holds photos and a labels.json: for each photo `board`, a board's id or the name of a board file
in DIR, and `tickets`, a list of [from, to, points, corners]; corners are not needed.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.board.board import Board, board_from_json, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.errors import BoardDataError
from vision.errors import VisionError
from vision.evaluate.labels import LABELS, EvaluationError
from vision.images.photo import load_photo
from vision.tickets.reader import read_tickets
from vision.tickets.reading import HandReading, Pair


@dataclass(frozen=True, slots=True)
class LabelledHand:
    """A photo and the tickets in it, each pair of places in alphabetical order."""

    path: Path
    board: Board
    tickets: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class HandResult:
    """The figures of one photo. `asked` are tickets under review and unread cards.

    `read` are right tickets nobody is asked about, `named` right ones with those under review.
    """

    name: str
    cards: int
    read: int
    named: int
    wrong_unasked: tuple[Pair, ...]
    asked: int
    counted: int
    seconds: float
    failure: str = ""

    @property
    def counted_right(self) -> bool:
        return self.counted == self.cards


def load_hands(folder: Path) -> list[LabelledHand]:
    """Every labelled photo of a folder; raises EvaluationError where the labels can't be used."""
    try:
        document = json.loads((folder / LABELS).read_text("utf-8"))
        return [
            LabelledHand(
                folder / name,
                _board(folder, str(entry["board"])),
                tuple(_pair(ticket[0], ticket[1]) for ticket in entry["tickets"]),
            )
            for name, entry in document.items()
        ]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        path = folder / LABELS
        raise EvaluationError("vision.evaluate.ticket-labels", path=path, why=error) from error


def _board(folder: Path, words: str) -> Board:
    if words in BOARDS_WITH_DATA:
        return load_board(words)
    try:
        return board_from_json(json.loads((folder / words).read_text("utf-8")))
    except (OSError, BoardDataError) as error:
        raise ValueError(f"board {words}: {error}") from error


def _pair(one: str, other: str) -> Pair:
    first, second = sorted((str(one), str(other)))
    return first, second


def evaluate_hands(hands: Sequence[LabelledHand]) -> Iterator[HandResult]:
    """Read every photo."""
    for hand in hands:
        started = time.perf_counter()
        try:
            reading = read_tickets([load_photo(hand.path)], hand.board)
        except (VisionError, OSError) as error:
            cards = len(hand.tickets)
            spent = time.perf_counter() - started
            yield HandResult(hand.path.name, cards, 0, 0, (), 0, 0, spent, str(error))
            continue
        yield compare(hand, reading, time.perf_counter() - started)


def compare(hand: LabelledHand, reading: HandReading, seconds: float) -> HandResult:
    """Count what was read rightly, wrongly and with doubt, whichever place comes first."""
    true = set(hand.tickets)
    sure = [_pair(*seen.ticket) for seen in reading.tickets if not seen.review]
    return HandResult(
        name=hand.path.name,
        cards=len(hand.tickets),
        read=len(true & set(sure)),
        named=len(true & {_pair(*seen.ticket) for seen in reading.tickets}),
        wrong_unasked=tuple(ticket for ticket in sure if ticket not in true),
        asked=len(reading.tickets) - len(sure) + reading.unread,
        counted=reading.cards,
        seconds=seconds,
    )


def hand_lines(results: Sequence[HandResult]) -> Iterator[str]:
    """The figures in words, a photo a line and then all together."""
    for result in results:
        yield _line(result)
    cards, photos = sum(result.cards for result in results), len(results)
    if not photos:
        return
    seconds = [result.seconds for result in results]
    right = sum(result.counted_right for result in results)
    yield ""
    yield f"tickets read {_of(sum(r.read for r in results), cards)}"
    yield f"right with those asked about {_of(sum(r.named for r in results), cards)}"
    yield f"wrong unasked {sum(len(r.wrong_unasked) for r in results)}"
    yield f"asked {_of(sum(r.asked for r in results), cards)}"
    yield f"cards counted right in {_of(right, photos)} photos"
    yield f"seconds a photo {np.median(seconds):.2f} (median), {max(seconds):.2f} (most)"


def _line(result: HandResult) -> str:
    if result.failure:
        return f"{result.name}: {result.failure}"
    wrong = ", ".join("--".join(ticket) for ticket in result.wrong_unasked)
    return (
        f"{result.name}: {result.read} of {result.cards} read, {result.asked} asked, "
        f"{result.counted} counted, {result.seconds:.2f} s" + (f", WRONG {wrong}" if wrong else "")
    )


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(whole, 1):.1%})"
