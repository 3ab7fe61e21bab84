"""What photos say about each space as probabilities, and how several photos are put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.reading import Why

EMPTY_COLUMN, OCCLUDED_COLUMN, FIRST_COLOUR_COLUMN = 0, 1, 2
"""What the columns of a space's probabilities mean; from the last on they are player colours."""


@dataclass(frozen=True, slots=True, eq=False)
class SpaceEvidence:
    """Distributions of all spaces of a board, in board order.

    `labels` names the columns ("empty", "occluded", then colours); `probabilities` is an ndarray
    of shape (N, len(labels)), float64, whose rows sum to 1. `doubts` are the spaces that may be
    misread, by why: wagons of another colour than these (NOT_PLAYING), roofs that contradict what
    was read (ROOF_COLOUR, SHADOW), glare. `by_route` (R, 1 + colours), float64, is how likely each
    route is nobody's or a colour's by the network that sees all its spaces at once; `alone`, of the
    shape of `probabilities`, what is seen of each space without those around it; None where it was
    not asked. `at_odds` are the spaces of which two photos surely show different things, `tinted`
    those whose blue may be that of light laid over them (`tint.py`) in every photo that shows them.
    The arrays cannot be written to any more once they are handed over.
    """

    labels: tuple[str, ...]
    probabilities: NDArray[np.float64]
    doubts: Mapping[Why, frozenset[int]] = field(default_factory=dict)
    by_route: NDArray[np.float64] | None = None
    alone: NDArray[np.float64] | None = None
    at_odds: frozenset[int] = frozenset()
    tinted: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for array in (self.probabilities, self.by_route, self.alone):
            if array is not None:
                array.setflags(write=False)

    @property
    def colours(self) -> tuple[str, ...]:
        """The player colours, in the order of their columns."""
        return self.labels[FIRST_COLOUR_COLUMN:]

    @property
    def shows_wagon(self) -> NDArray[np.bool_]:
        """Which spaces likelier show a wagon, of whatever colour, than none, (N,)."""
        return np.asarray(self.probabilities[:, FIRST_COLOUR_COLUMN:].sum(axis=1) > 0.5)


APART_MM = 4.0
"""Photos count as independent where wagons, 9 mm high, lean differently by this much: the camera,
70 cm away, has moved by 30 cm. Photos from one place share their errors."""


SURELY = 0.95
"""A space's label this likely is what its photo shows. By it no route is at odds in 78 pairs of
real photos of one moment, and in each of 11 pairs of two moments at least one is."""

LEAST_ALIKE = 0.5
"""Least correlation of two photos: however far apart they were taken, they share print, wagons and
lamps, so two count as one and a third."""


def fuse(
    readings: Sequence[SpaceEvidence], leans_mm: Sequence[NDArray[np.float64]]
) -> SpaceEvidence:
    """One distribution a space from several photos of one moment.

    A photo in which a space is hidden says nothing about what is under it, so it counts by the part
    that is seen. `leans_mm` are `camera_pose.lean_mm` of each photo's spaces, ndarrays of shape
    (N, 2): photos from far apart count as nearly independent, those from one place as one.
    """
    if len(readings) == 1:
        return readings[0]
    stacked = np.stack([reading.probabilities for reading in readings])
    hidden = stacked[:, :, OCCLUDED_COLUMN]
    seen = np.delete(stacked, OCCLUDED_COLUMN, axis=2)
    seen = seen / np.maximum(seen.sum(axis=2, keepdims=True), 1e-9)
    weight = _weights(1 - hidden, likeness(leans_mm))[..., None]
    logs = (np.log(np.clip(seen, 1e-4, 1)) * weight).sum(axis=0)
    joined = np.exp(logs - logs.max(axis=1, keepdims=True))
    joined /= joined.sum(axis=1, keepdims=True)
    covered = hidden.min(axis=0)[:, None]
    parts = [joined[:, :1] * (1 - covered), covered, joined[:, 1:] * (1 - covered)]
    doubts = {
        why: frozenset[int]().union(*(reading.doubts.get(why, ()) for reading in readings))
        for why in Why
    }
    return SpaceEvidence(
        readings[0].labels,
        np.concatenate(parts, axis=1),
        doubts,
        _mean([reading.by_route for reading in readings]),
        _mean([reading.alone for reading in readings]),
        _at_odds(stacked),
        _tinted(readings),
    )


def _tinted(readings: Sequence[SpaceEvidence]) -> frozenset[int]:
    """The spaces that no photo shows without that light."""
    clear = [set(np.flatnonzero(r.probabilities[:, OCCLUDED_COLUMN] <= 0.5)) for r in readings]
    untinted = (seen - reading.tinted for seen, reading in zip(clear, readings, strict=True))
    return frozenset().union(*(r.tinted for r in readings)).difference(*untinted)


def _at_odds(stacked: NDArray[np.float64]) -> frozenset[int]:
    """The spaces of which one photo surely shows something else than another, from (P, N, labels);
    one in which a space is hidden says nothing of it."""
    sure = np.delete(stacked, OCCLUDED_COLUMN, axis=2) >= SURELY
    return frozenset(np.flatnonzero(sure.any(axis=0).sum(axis=1) > 1).tolist())


def _mean(told: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    """The mean of all photos' arrays, None where one of them has none."""
    arrays = [array for array in told if array is not None]
    return np.mean(arrays, axis=0) if len(arrays) == len(told) else None


def likeness(leans_mm: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """How strongly any two photos are correlated, (P, P): 1 from one place, less from elsewhere."""
    stacked = np.stack(leans_mm)
    apart = np.linalg.norm(stacked[:, None] - stacked[None], axis=-1)
    return np.asarray(np.maximum(1 - np.median(apart, axis=-1) / APART_MM, LEAST_ALIKE))


def _weights(seen: NDArray[np.float64], alike: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of each photo for each space, (P, N), from the part of the space that it sees.

    The photo that sees most of a space counts fully; a correlated one shares its weight.
    """
    witnesses = np.einsum("pq,qn->pn", alike, seen)
    of_best = seen / np.maximum(seen.max(axis=0), 1e-9)
    return np.asarray(of_best * seen / np.maximum(witnesses, 1e-9))
