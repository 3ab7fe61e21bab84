"""Reads labelled images as the reader would, each with the empty board that fits it."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.empty_board import make_reference
from vision.errors import VisionError
from vision.evaluate.labels import LABELS, Labelled
from vision.evaluate.result import Result, count
from vision.images.photo import load_photo
from vision.reader import read_photos
from vision.registration.reference import Reference


def evaluate(
    images: Sequence[Labelled], mode: str, exclude: Sequence[str] = ()
) -> Iterator[Result]:
    """The result of every image with wagons; `mode` is "rig", "other", "none" or "corners".

    States in `exclude` are left out. An image that can't be read is a result too: it says why.
    """
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
    at_fault = "" if empty is None else f"its empty board {empty.path.name}: "
    try:
        reference = None if empty is None else _reference(empty, made)
        at_fault = ""
        corners = np.array(image.corners_px) if mode == "corners" else None
        started = time.perf_counter()
        photo = load_photo(image.path)
        reading = read_photos(
            [photo], image.board, reference=reference, corners_px=corners, players=image.players
        )
        result.seconds = time.perf_counter() - started
    except (VisionError, OSError) as error:
        result.failure = at_fault + _reason(error)
        return result
    count(result, reading)
    return result


def _reference(empty: Labelled, made: dict[Path, Reference]) -> Reference:
    if empty.path not in made:
        made[empty.path] = make_reference(load_photo(empty.path), empty.board)
    return made[empty.path]


def _reason(error: VisionError | OSError) -> str:
    """Why an image was not read, in the words of the report."""
    if isinstance(error, FileNotFoundError):
        return f"there is no such file: put it beside {LABELS}, or take its entry out"
    if isinstance(error, VisionError) or not error.strerror:
        return str(error)
    return f"the file can't be read ({error.strerror}): copy it again or mend its rights"
