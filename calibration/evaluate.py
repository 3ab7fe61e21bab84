"""How good the studio's proposals are: `python -m calibration.evaluate DIR… [--drawn N]`.

DIR holds labelled images as `vision.evaluate` reads them; those of empty boards are taken. The
proposal is told the board's corners and outer size, as a person at the studio would see to, and is
compared with the printed spaces. `--drawn N` adds N made-up maps of our own drawing, of styles and
maps that no training has seen.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError, StudioError
from calibration.evaluate_score import Score, offsets_mm, repeatability, score
from calibration.studio.proposal import propose
from scoring.board.board import Board
from vision.errors import VisionError
from vision.evaluate.labelled import LabelledImage, photos, renders
from vision.evaluate.labels import LABELS
from vision.images.photo import load_photo
from vision.registration.geometry import Points, corners_of_size, homography_of_quads, project
from vision.synthetic import Oddities, draw_photo
from vision.synthetic.maps import make_map

DONE, WRONG_USAGE, UNUSABLE = 0, 2, 3
"""Exit codes, as those of `companion`."""

FEWEST_PICTURES = 3
"""So many pictures of one print tell how well its spaces are found again."""

DRAWN_PHOTO_PX = (2400, 1800)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A photo of an empty board with its printed spaces, (N, 4, 2), photo pixels."""

    name: str
    print_id: str
    board: Board
    image_bgr: NDArray[np.uint8]
    corners_px: Points
    size_mm: tuple[float, float]
    spaces_px: Points


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate as the command line says; what can't be done ends it with one line on stderr."""
    parser = argparse.ArgumentParser(prog="calibration.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--drawn", type=int, default=0, metavar="N", help="made-up maps as well")
    parser.add_argument("--no-size", action="store_true", help="keep the outer size to yourself")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except (CalibrationError, VisionError) as error:
        parser.exit(UNUSABLE, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror or error}")


def _run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    scores: dict[str, list[Score]] = {}
    offsets: dict[str, list[Points]] = {}
    for example in _examples(options.folders, options.drawn):
        found, beside = _judged(example, with_size=not options.no_size)
        print(f"{example.name:24} {found}", flush=True)
        scores.setdefault(_kind(example), []).append(found)
        offsets.setdefault(example.print_id, []).append(beside)
    if not scores:
        raise StudioError("calibration.evaluate.nothing", path=", ".join(map(str, options.folders)))
    for kind, several in scores.items():
        print(f"{kind:24} {Score.mean(several)}")
    for name, of_one in offsets.items():
        if len(of_one) >= FEWEST_PICTURES:
            print(f"{name:24} {repeatability(of_one)}")
    return DONE


def _kind(example: Example) -> str:
    return f"all of {example.name.partition('-')[0]}" if "-" in example.name else "all of photo"


def _judged(example: Example, with_size: bool) -> tuple[Score, Points]:
    """Propose, and compare with what is printed."""
    size = example.size_mm if with_size else None
    proposal = propose(example.image_bgr, example.corners_px, size)
    truth_mm = project(_to_mm(example), example.spaces_px)
    lengths = [route.length for route in example.board.routes]
    colours = [route.colour for route in example.board.routes]
    found = score(proposal, truth_mm, lengths, colours, example.size_mm)
    return found, offsets_mm(proposal, truth_mm, example.size_mm)


def _to_mm(example: Example) -> Points:
    return homography_of_quads(example.corners_px, corners_of_size(example.size_mm))


def _examples(folders: Sequence[Path], drawn: int) -> Iterator[Example]:
    for folder in folders:
        for image in _labelled(folder):
            if image.is_empty:
                yield _example(image)
    for seed in range(1, drawn + 1):
        yield _drawn(seed)


def _labelled(folder: Path) -> Iterator[LabelledImage]:
    """The images of a folder of photos, or of one of renders."""
    labels = folder / LABELS
    with labels.open("rb") as told:
        is_photos = b'"photos"' in told.read(4000)
    return photos(folder.parent) if is_photos else renders(folder)


def _example(image: LabelledImage) -> Example:
    return Example(
        image.path.stem,
        image.print_id,
        image.board,
        load_photo(image.path),
        image.corners_px,
        image.outer_mm,
        image.spaces_px,
    )


def _drawn(seed: int) -> Example:
    """A photo of a made-up map; training begins with seed 60,000."""
    board = make_map(seed)
    photo = draw_photo(board, {}, seed=seed, oddities=Oddities.none(), size_px=DRAWN_PHOTO_PX)
    return Example(
        f"map-{seed}",
        f"map-{seed}",
        board,
        photo.image_bgr,
        photo.corners_px,
        board.frame.size_mm,
        photo.spaces_px,
    )


if __name__ == "__main__":
    sys.exit(main())
