"""How well the reader does on labelled images: `python -m vision.evaluate DIR`.

DIR holds images and a labels.json: one entry an image with `board`, `corners`, `routes` (owner of
each claimed route, single spaces where they differ) and, where known, `players`, `rig` and
`hidden_spaces`. An image without any owner serves as empty reference for the others of its board:
the one of the same rig where there is one, else another.
"""

import argparse
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring.board import Board, load_board
from vision.errors import VisionError
from vision.evaluate_page import write_page
from vision.network import use_instead
from vision.photo import load_photo
from vision.reader import read_photos
from vision.reading import EMPTY, OCCLUDED, Reading
from vision.reference import Reference, make_reference


@dataclass(frozen=True, slots=True)
class Labelled:
    """One image with what is true of it."""

    path: Path
    board: Board
    state: str
    rig: str
    condition: str
    players: tuple[str, ...]
    corners_px: tuple[tuple[float, float], ...]
    routes: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        return not any(entry.get("owner") for entry in self.routes.values())

    def owner(self, route_id: str) -> str | None:
        owner = self.routes.get(route_id, {}).get("owner")
        return None if owner is None else str(owner)

    def space_label(self, route_id: str, index: int) -> str | None:
        """What is on a space; None where the labels themselves are in doubt."""
        entry = self.routes.get(route_id, {})
        if index in entry.get("ambiguous_spaces", ()):
            return None
        if index in entry.get("hidden_spaces", ()):
            return OCCLUDED
        spaces = entry.get("spaces")
        return str(spaces[index]) if spaces else entry.get("owner") or EMPTY


@dataclass(slots=True)
class Result:
    """What the reader said about one image, counted."""

    image: Labelled
    reading: Reading | None = None
    failure: str = ""
    spaces: int = 0
    spaces_right: int = 0
    routes: int = 0
    hidden: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    corner_error_px: float = float("nan")
    seconds: float = 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    cv2.setNumThreads(1)
    if options.spaces:
        use_instead("spaces", options.spaces)
    images = [image for folder in options.folders for image in load_labels(folder)]
    results = list(evaluate(images, options.reference, options.exclude.split(",")))
    print_report(results)
    if options.html:
        write_page(results, options.html)
    return 0


def load_labels(folder: Path) -> list[Labelled]:
    """All images of a folder's labels.json; raises FileNotFoundError without one."""
    data = json.loads((folder / "labels.json").read_text("utf-8"))
    common = data.get("board") if isinstance(data.get("board"), str) else None
    entries = data["photos"] if common else data
    return [_labelled(folder / name, entry, common) for name, entry in entries.items()]


def _labelled(path: Path, entry: Mapping[str, Any], board_id: str | None) -> Labelled:
    board = load_board(board_id or entry["board"])
    return Labelled(
        path=path,
        board=board,
        state=str(entry.get("state", path.stem)),
        rig=str(entry.get("rig", path.stem)),
        condition=str(entry.get("conditions") or entry.get("table") or ""),
        players=tuple(entry.get("players", board.player_colours)),
        corners_px=tuple((float(x), float(y)) for x, y in entry["corners"]),
        routes=entry["routes"],
    )


def evaluate(
    images: Sequence[Labelled], mode: str, exclude: Sequence[str] = ()
) -> Iterator[Result]:
    """Read every image with wagons; `mode` is "rig", "other", "none" or "corners"."""
    empties = [image for image in images if image.is_empty]
    made: dict[Path, Reference] = {}
    for image in images:
        if image.is_empty or image.state in exclude:
            continue
        yield _read(image, _pick_empty(image, empties, mode), made, mode)


def _pick_empty(image: Labelled, empties: Sequence[Labelled], mode: str) -> Labelled | None:
    same = [e for e in empties if e.board.id == image.board.id]
    rig = [e for e in same if e.rig == image.rig]
    other = [e for e in same if e.rig != image.rig]
    ranked = {"rig": rig + other, "other": other + rig}.get(mode, [])
    return ranked[0] if ranked else None


def _read(
    image: Labelled, empty: Labelled | None, made: dict[Path, Reference], mode: str
) -> Result:
    result = Result(image)
    try:
        reference = None if empty is None else _reference(empty, made)
        corners = np.array(image.corners_px) if mode == "corners" else None
        started = time.perf_counter()
        photo = load_photo(image.path)
        reading = read_photos(
            [photo], image.board, reference=reference, corners_px=corners, players=image.players
        )
        result.seconds = time.perf_counter() - started
    except VisionError as error:
        result.failure = str(error)
        return result
    _count(result, reading)
    return result


def _reference(empty: Labelled, made: dict[Path, Reference]) -> Reference:
    if empty.path not in made:
        made[empty.path] = make_reference(load_photo(empty.path), empty.board)
    return made[empty.path]


def _count(result: Result, reading: Reading) -> None:
    image = result.image
    result.reading = reading
    result.review = list(reading.review)
    corners = np.array(image.corners_px)
    result.corner_error_px = float(
        np.linalg.norm(reading.registration.corners_px - corners, axis=1).max()
    )
    for route in image.board.routes:
        read = reading.routes[route.id]
        _count_spaces(result, route.id, [space.label for space in read.spaces])
        truth = {image.space_label(route.id, k) for k in range(route.length)}
        if truth == {None}:
            continue
        result.routes += 1
        if truth == {OCCLUDED}:
            result.hidden.add(route.id)
        if read.owner != image.owner(route.id):
            result.wrong.append(route.id)
            if not read.review:
                result.silent.append(route.id)


def _count_spaces(result: Result, route_id: str, labels: Sequence[str]) -> None:
    for index, label in enumerate(labels):
        truth = result.image.space_label(route_id, index)
        if truth is None:
            continue
        result.confusion[(truth, label)] += 1
        if truth != OCCLUDED:
            result.spaces += 1
            result.spaces_right += truth == label


def print_report(results: Sequence[Result]) -> None:
    """The figures, an image a line and then by board and condition."""
    for result in results:
        print(_line(result))
    keys = [("all", results)]
    keys += [
        (f"board {b}", [r for r in results if r.image.board.id == b])
        for b in sorted({r.image.board.id for r in results})
    ]
    keys += [
        (f"table {c}", [r for r in results if r.image.condition == c])
        for c in sorted({r.image.condition for r in results})
    ]
    print()
    for name, rows in keys:
        print(summary(name, rows))
    _print_confusion(results)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB (this whole process, all images and references)")


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


def summary(name: str, results: Sequence[Result]) -> str:
    """One line of figures over several images."""
    read = [r for r in results if r.reading is not None]
    if not read:
        return f"{name}: none of {len(results)} read"
    routes, wrong = sum(r.routes for r in read), sum(len(r.wrong) for r in read)
    in_view = sum(r.routes - len(r.hidden) for r in read)
    wrong_in_view = sum(len(set(r.wrong) - r.hidden) for r in read)
    spaces, right = sum(r.spaces for r in read), sum(r.spaces_right for r in read)
    reviews = sorted(len(r.review) for r in read)
    return (
        f"{name}: {len(read)}/{len(results)} images, spaces {100 * right / spaces:.2f} %, "
        f"routes {100 * (1 - wrong / routes):.2f} % (of those not wholly hidden "
        f"{100 * (1 - wrong_in_view / in_view):.2f} %), silent {sum(len(r.silent) for r in read)}, "
        f"reviews median {np.median(reviews):.0f} worst {reviews[-1]}, boards wholly right "
        f"{sum(not r.wrong for r in read)}, median {np.median([r.seconds for r in read]):.2f} s"
    )


def _print_confusion(results: Sequence[Result]) -> None:
    total: Counter[tuple[str, str]] = Counter()
    for result in results:
        total += result.confusion
    words = sorted({truth for truth, _ in total} | {label for _, label in total})
    print("\ntruth \\ read".ljust(14) + "".join(f"{word:>9}" for word in words))
    for truth in words:
        print(truth.ljust(13) + "".join(f"{total[(truth, word)]:>9}" for word in words))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument(
        "--reference",
        choices=("rig", "other", "none", "corners"),
        default="rig",
        help="empty board of the same rig, of another, none at all, or only the labelled corners",
    )
    parser.add_argument("--exclude", default="", help="states to leave out, by comma")
    parser.add_argument(
        "--spaces", type=Path, metavar="FILE", help="another space network than the one that ships"
    )
    parser.add_argument("--html", type=Path, help="write a page with every wrong or doubtful patch")
    return parser


if __name__ == "__main__":
    sys.exit(main())
