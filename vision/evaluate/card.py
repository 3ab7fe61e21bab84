"""The table of figures in the model card, written between two markers of its page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.evaluate.labels import EvaluationError
from vision.evaluate.result import Result

BEGIN = "<!-- figures: begin (python -m vision.evaluate --card) -->"
END = "<!-- figures: end -->"

MODES = ("rig", "none")
"""What the card compares: beside a photo of the empty board, and the photo alone."""

Measured = tuple[str, Sequence[Sequence[Result]]]
"""A folder's name, and the results of its images in each of `MODES`."""

HEADING = (
    "| images | read | routes right, % | in view, % | silent errors | questions, median (worst) |",
    "| --- | --- | --- | --- | --- | --- |",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of several images that were read in one mode; None where none was read."""

    read: int
    images: int
    right: float | None = None
    right_in_view: float | None = None
    silent: int = 0
    questions_median: float = 0.0
    questions_worst: int = 0


def figures_of(results: Sequence[Result]) -> Figures:
    """Count the results; routes that are wholly hidden are left out of `right_in_view`.

    Questions and silent errors are places: the lines of a double are asked about together, and two
    of them that were taken for each other score alike.
    """
    read = [r for r in results if r.reading is not None]
    if not read:
        return Figures(0, len(results))
    questions = [len(r.places.asked) for r in read]
    return Figures(
        read=len(read),
        images=len(results),
        right=_share(sum(len(r.wrong) for r in read), sum(r.routes for r in read)),
        right_in_view=_share(
            sum(len(set(r.wrong) - r.hidden) for r in read),
            sum(r.routes - len(r.hidden) for r in read),
        ),
        silent=sum(len(r.places.silent) for r in read),
        questions_median=float(np.median(questions)),
        questions_worst=max(questions),
    )


def _share(wrong: int, count: int) -> float | None:
    return 1 - wrong / count if count else None


def row(name: str, figures: Sequence[Figures]) -> str:
    """A row of the table: one value per mode, or a single one where all modes agree."""
    columns = (
        [f"{f.read} of {f.images}" for f in figures],
        [_percent(f.right) for f in figures],
        [_percent(f.right_in_view) for f in figures],
        [str(f.silent) for f in figures],
        [f"{f.questions_median:g} ({f.questions_worst})" for f in figures],
    )
    cells = (" / ".join(values if len(set(values)) > 1 else values[:1]) for values in columns)
    return f"| {name} | {' | '.join(cells)} |"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def table(folders: Iterable[Measured]) -> str:
    """The table: per folder a row for each board, and one for all if there are several."""
    return "\n".join([*HEADING, *(line for name, modes in folders for line in _rows(name, modes))])


def _rows(name: str, modes: Sequence[Sequence[Result]]) -> Iterator[str]:
    boards = sorted({result.image.board.id for result in modes[0]})
    for board in boards:
        alike = [[r for r in results if r.image.board.id == board] for results in modes]
        yield row(f"{name}: {board}", [figures_of(results) for results in alike])
    if len(boards) > 1:
        yield row(f"{name}: all", [figures_of(results) for results in modes])


def write_card(page: Path, folders: Iterable[Measured]) -> None:
    """Write the table between the page's markers, which are checked before anything is measured.

    Raises EvaluationError if the page has no markers, OSError if it cannot be read or written.
    """
    words = page.read_text("utf-8")
    before, begin, rest = words.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise EvaluationError("vision.evaluate.no-markers", path=page, begin=BEGIN, end=END)
    page.write_text(f"{before}{BEGIN}\n{table(folders)}\n{END}{after}", "utf-8")
