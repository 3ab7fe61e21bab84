"""Photos of one moment in, one reading out: register, read the spaces, decide the routes."""

import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import VisionError
from vision.reading import Reading, ReadingWarning, Registration, Why, warning
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.registration.vouching import ask_unvouched, heed_vouching
from vision.routes.decide import DECISIONS, WITHOUT_EMPTY_BOARD, decide_routes, rule_warnings
from vision.routes.places import ask_by_place, read_places
from vision.spaces.classifier import Look, SpaceEvidence, read_spaces
from vision.spaces.patches import leans_of_spaces_mm

APART_MM = 4.0
"""Photos are witnesses of their own where wagons, 9 mm high, lean otherwise by so much: at 70 cm,
the camera has moved by 30. From one place all photos see the same, and err the same."""

LEAST_ALIKE = 0.5
"""However far apart they were taken, photos of one moment share print, wagons and lamps: two count
as one and a third."""


def read_photos(
    photos_bgr: Sequence[NDArray[np.uint8]],
    board: Board,
    *,
    reference: Reference | None = None,
    corners_px: NDArray[np.float64] | None = None,
    players: Sequence[str] | None = None,
) -> Reading:
    """Read one or several photos of the same moment.

    `photos_bgr` are ndarrays of shape (H, W, 3), uint8, BGR. `reference` is the empty board;
    `corners_px` (4, 2) the outer corners in the first photo where a person gave them. `players`
    are the colours in play; all colours of the board if None. The registration that is reported is
    the first photo's. Raises BoardNotFoundError where the board cannot be found; its `photo` says
    in which of them.
    """
    colours = tuple(players or board.player_colours)
    started = time.perf_counter()
    found = [
        _find(k, photo, board, reference, corners_px if k == 0 else None)
        for k, photo in enumerate(photos_bgr)
    ]
    registered = time.perf_counter()
    readings = [
        _read_one(photo, where, board, colours, reference)
        for photo, where in zip(photos_bgr, found, strict=True)
    ]
    evidence = (
        readings[0] if len(readings) == 1 else fuse(readings, _leans(photos_bgr, found, board))
    )
    decisions = WITHOUT_EMPTY_BOARD if reference is None else DECISIONS
    decided = ask_unvouched(decide_routes(evidence, board, decisions), reference)
    places = read_places(decided, board)
    routes = ask_by_place(decided, places)
    finished = time.perf_counter()
    return Reading(
        board=board.id,
        registration=found[0],
        routes=routes,
        warnings=(*rule_warnings(routes, board), *_strangers(evidence, board)),
        timing_ms={
            "register": 1000 * (registered - started),
            "read": 1000 * (finished - registered),
            "total": 1000 * (finished - started),
        },
        places=places,
    )


def _find(
    which: int,
    photo_bgr: NDArray[np.uint8],
    board: Board,
    reference: Reference | None,
    corners_px: NDArray[np.float64] | None,
) -> Registration:
    try:
        return register(photo_bgr, board, reference=reference, corners_px=corners_px)
    except VisionError as error:
        error.photo = which
        raise


def _strangers(evidence: SpaceEvidence, board: Board) -> Iterator[ReadingWarning]:
    """The routes most of whose spaces bear wagons of a colour that nobody was said to play."""
    strange = np.zeros(board.space_count)
    strange[list(evidence.doubts.get(Why.NOT_PLAYING, ()))] = 1.0
    names = tuple(name for name, own in board.spaces_of.items() if strange[own].mean() > 0.5)
    if names:
        yield warning("not-in-play", names)


def _read_one(
    photo_bgr: NDArray[np.uint8],
    where: Registration,
    board: Board,
    colours: Sequence[str],
    reference: Reference | None,
) -> SpaceEvidence:
    empty = None if reference is None else Look(reference.image_bgr, reference.spaces_px)
    seen = Look(photo_bgr, where.spaces_px)
    return heed_vouching(read_spaces(seen, board, colours, empty), seen, reference, board)


def _leans(
    photos_bgr: Sequence[NDArray[np.uint8]], found: Sequence[Registration], board: Board
) -> list[NDArray[np.float64]]:
    return [
        leans_of_spaces_mm(where.spaces_px, board, photo)
        for photo, where in zip(photos_bgr, found, strict=True)
    ]


def fuse(
    readings: Sequence[SpaceEvidence], leans_mm: Sequence[NDArray[np.float64]]
) -> SpaceEvidence:
    """One distribution a space from several photos of one moment.

    Where a photo shows a space hidden it says nothing about what is under, so its word counts by
    the part of it that is seen. `leans_mm` are the `vision.spaces.patches.lean_mm` of each photo's
    spaces, ndarrays of shape (N, 2): photos from far apart are nearly independent witnesses, and
    those from one place have one word together.
    """
    if len(readings) == 1:
        return readings[0]
    stacked = np.stack([reading.probabilities for reading in readings])
    hidden = stacked[:, :, 1]
    seen = np.delete(stacked, 1, axis=2)
    seen = seen / np.maximum(seen.sum(axis=2, keepdims=True), 1e-9)
    weight = _words(1 - hidden, likeness(leans_mm))[..., None]
    logs = (np.log(np.clip(seen, 1e-4, 1)) * weight).sum(axis=0)
    joined = np.exp(logs - logs.max(axis=1, keepdims=True))
    joined /= joined.sum(axis=1, keepdims=True)
    covered = hidden.min(axis=0)[:, None]
    parts = [joined[:, :1] * (1 - covered), covered, joined[:, 1:] * (1 - covered)]
    doubts = {
        why: frozenset[int]().union(*(reading.doubts.get(why, ()) for reading in readings))
        for why in Why
    }
    return SpaceEvidence(readings[0].labels, np.concatenate(parts, axis=1), doubts)


def likeness(leans_mm: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """How much any two photos are one witness, (P, P): 1 from one place, less from elsewhere."""
    stacked = np.stack(leans_mm)
    apart = np.linalg.norm(stacked[:, None] - stacked[None], axis=-1)
    return np.asarray(np.maximum(1 - np.median(apart, axis=-1) / APART_MM, LEAST_ALIKE))


def _words(seen: NDArray[np.float64], alike: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each photo's word about each space, (P, N), from the part of it that it sees.

    The photo that sees most of a space counts as if it were alone, one like it shares its word.
    """
    witnesses = np.einsum("pq,qn->pn", alike, seen)
    of_best = seen / np.maximum(seen.max(axis=0), 1e-9)
    return np.asarray(of_best * seen / np.maximum(witnesses, 1e-9))
