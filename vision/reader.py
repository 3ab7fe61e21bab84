"""Photos of one moment in, one reading out: register, read the spaces, decide the routes."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.decide import DECISIONS, WITHOUT_EMPTY_BOARD, decide_routes, rule_warnings
from vision.reading import Reading, Registration
from vision.reference import Reference
from vision.registration import register
from vision.spaces import Look, SpaceEvidence, read_spaces


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
    the first photo's. Raises BoardNotFoundError where the board cannot be found.
    """
    colours = tuple(players or board.player_colours)
    started = time.perf_counter()
    found = [
        register(photo, board, reference=reference, corners_px=corners_px if k == 0 else None)
        for k, photo in enumerate(photos_bgr)
    ]
    registered = time.perf_counter()
    evidence = fuse(
        [
            _read_one(photo, where, board, colours, reference)
            for photo, where in zip(photos_bgr, found, strict=True)
        ]
    )
    decisions = WITHOUT_EMPTY_BOARD if reference is None else DECISIONS
    routes = decide_routes(evidence, board, decisions)
    finished = time.perf_counter()
    return Reading(
        board=board.id,
        registration=found[0],
        routes=routes,
        warnings=tuple(rule_warnings(routes, board)),
        timing_ms={
            "register": 1000 * (registered - started),
            "read": 1000 * (finished - registered),
            "total": 1000 * (finished - started),
        },
    )


def _read_one(
    photo_bgr: NDArray[np.uint8],
    where: Registration,
    board: Board,
    colours: Sequence[str],
    reference: Reference | None,
) -> SpaceEvidence:
    empty = None if reference is None else Look(reference.image_bgr, reference.spaces_px)
    return read_spaces(Look(photo_bgr, where.spaces_px), board, colours, empty)


def fuse(readings: Sequence[SpaceEvidence]) -> SpaceEvidence:
    """One distribution a space from several photos of one moment.

    Where a photo shows a space hidden it says nothing about what is under, so its word counts by
    the part of it that is seen; what the photos see is combined as independent evidence.
    """
    if len(readings) == 1:
        return readings[0]
    stacked = np.stack([reading.probabilities for reading in readings])
    hidden = stacked[:, :, 1]
    seen = np.delete(stacked, 1, axis=2)
    seen = seen / np.maximum(seen.sum(axis=2, keepdims=True), 1e-9)
    weight = (1 - hidden)[..., None]
    logs = (np.log(np.clip(seen, 1e-4, 1)) * weight).sum(axis=0)
    joined = np.exp(logs - logs.max(axis=1, keepdims=True))
    joined /= joined.sum(axis=1, keepdims=True)
    covered = hidden.prod(axis=0)[:, None]
    parts = [joined[:, :1] * (1 - covered), covered, joined[:, 1:] * (1 - covered)]
    return SpaceEvidence(readings[0].labels, np.concatenate(parts, axis=1))
