"""The figures of an evaluation as text: a line for each image, then totals by board, state, table.

The printed report and the page say the same, because both take their lines from here.
"""

import resource
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from vision.evaluate.result import Result


def print_report(results: Sequence[Result]) -> None:
    """The figures, an image a line and then by board, state and condition."""
    for result in results:
        print(_line(result))
    print()
    for line in summary_lines(results):
        print(line)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB (this whole process, all images and references)")


def summary_lines(results: Sequence[Result]) -> list[str]:
    """The figures of all images and of each group of them, and the confusion table."""
    groups = [line for name, rows in _groups(results) for line in _of_group(name, rows)]
    return [*groups, "", *_confusion_lines(results)]


def _of_group(name: str, results: Sequence[Result]) -> Iterator[str]:
    yield summary(name, results)
    if any(r.reading is not None for r in results):
        yield places_summary(results)


def _groups(results: Sequence[Result]) -> Iterator[tuple[str, Sequence[Result]]]:
    yield "all", results
    for board in sorted({r.image.board.id for r in results}):
        yield f"board {board}", [r for r in results if r.image.board.id == board]
    yield from _states(results)
    for condition in sorted({r.image.condition for r in results}):
        yield f"table {condition}", [r for r in results if r.image.condition == condition]


def _states(results: Sequence[Result]) -> Iterator[tuple[str, Sequence[Result]]]:
    """The arrangements of wagons that are on several images.

    An image without a label for it has its file's name instead, which files of several folders
    share without sharing anything else.
    """
    keys = {(r.image.board.id, r.image.state) for r in results}
    for board, state in sorted(keys):
        rows = [r for r in results if (r.image.board.id, r.image.state) == (board, state)]
        if len(rows) > 1 and any(r.image.path.stem != state for r in rows):
            yield f"state {state}", rows


def summary(name: str, results: Sequence[Result]) -> str:
    """One line of figures over several images."""
    read = [r for r in results if r.reading is not None]
    if not read:
        return f"{name}: none of {len(results)} read"
    routes, wrong = sum(r.routes for r in read), sum(len(r.wrong) for r in read)
    in_view = sum(r.routes - len(r.hidden) for r in read)
    wrong_in_view = sum(len(set(r.wrong) - r.hidden) for r in read)
    spaces, right = sum(r.spaces for r in read), sum(r.spaces_right for r in read)
    silent = sum(len(r.silent) for r in read)
    reviews = sorted(len(r.review) for r in read)
    return (
        f"{name}: {len(read)}/{len(results)} images, spaces {_percent(right, spaces)}, "
        f"routes {_percent(routes - wrong, routes)} (of those not wholly hidden "
        f"{_percent(in_view - wrong_in_view, in_view)}), silent {silent}, "
        f"reviews median {np.median(reviews):.1f} worst {reviews[-1]}, boards wholly right "
        f"{sum(not r.wrong for r in read)}, median {np.median([r.seconds for r in read]):.2f} s"
    )


def places_summary(results: Sequence[Result]) -> str:
    """One line of figures by place, what scores: lines of one double count as one."""
    read = [r.places for r in results if r.reading is not None]
    known, seen = sum(p.known for p in read), sum(p.in_sight for p in read)
    wrong, unseen = sum(len(p.wrong) for p in read), sum(len(p.wrong_in_sight) for p in read)
    return (
        f"  places {_percent(known - wrong, known)}, in sight {_percent(seen - unseen, seen)}, "
        f"silent {sum(len(p.silent) for p in read)}, "
        f"asked {_spread([len(p.asked) for p in read])}, "
        f"in sight {_spread([len(p.asked_in_sight) for p in read])}"
    )


def _spread(counts: Sequence[int]) -> str:
    return f"median {np.median(counts):.1f} mean {np.mean(counts):.2f} worst {max(counts)}"


def _percent(part: int, whole: int) -> str:
    """A share; a dash where there is nothing to have a share of."""
    return f"{100 * part / whole:.2f} %" if whole else "– %"


def _line(result: Result) -> str:
    name = result.image.path.name
    if result.reading is None:
        return f"{name:28} NOT READ: {result.failure}"
    return (
        f"{name:28} spaces {result.spaces_right}/{result.spaces} routes wrong {len(result.wrong)} "
        f"silent {len(result.silent)} review {len(result.review)} "
        f"corners {result.corner_error_px:.1f} px {result.seconds:.2f} s"
        + (f"  wrong: {' '.join(result.wrong)}" if result.wrong else "")
    )


def _confusion_lines(results: Sequence[Result]) -> Iterator[str]:
    total: Counter[tuple[str, str]] = Counter()
    for result in results:
        total += result.confusion
    words = sorted({truth for truth, _ in total} | {label for _, label in total})
    yield "truth \\ read".ljust(13) + "".join(f"{word:>9}" for word in words)
    for truth in words:
        yield truth.ljust(13) + "".join(f"{total[(truth, word)]:>9}" for word in words)
