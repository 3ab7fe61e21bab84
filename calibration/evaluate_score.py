"""Compares a proposal with what is printed."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import turned_deg
from calibration.studio.proposal import BoardProposal
from vision.registration.geometry import Points, fit_bending

NEAR_MM, NEAR_DEG = 1.5, 5.0
"""A printed space is proposed if a proposed one lies within this."""

FEWEST_PAIRS = 30
"""Under this labels aren't bent: a cubic would fit anything."""

FAR_MM = 6.0
"""Pairs farther apart than this are no pairs."""


@dataclass(frozen=True, slots=True)
class Score:
    """Shares of 0..1 and millimetres.

    `strict`: printed spaces proposed, where the labels say that they are. Labels laid out by four
    corners know nothing of the lens, so for all that follows they are first bent smoothly (a cubic,
    as registration bends) to what is proposed. `spaces`: printed spaces proposed. `false`: proposed
    ones that are not so near to any printed one. `routes`: routes strung of exactly their spaces.
    `lengths`: those whose line has at least the right length. `colours`: named rightly, of the
    routes strung. `error_mm`: median distance of paired centres as labelled, `settled_mm`: as bent.
    """

    strict: float
    spaces: float
    false: float
    routes: float
    lengths: float
    colours: float
    error_mm: float
    settled_mm: float

    def __str__(self) -> str:
        return (
            f"spaces {100 * self.spaces:5.1f} % (strictly {100 * self.strict:5.1f} %)  "
            f"false {100 * self.false:4.1f} %  "
            f"routes {100 * self.routes:5.1f} %  lengths {100 * self.lengths:5.1f} %  "
            f"colours {100 * self.colours:5.1f} %  "
            f"error {self.error_mm:.2f} mm, settled {self.settled_mm:.2f} mm"
        )

    @classmethod
    def mean(cls, several: "Sequence[Score]") -> "Score":
        """The mean of each figure."""
        return cls(*(float(np.mean([getattr(s, f.name) for s in several])) for f in fields(cls)))


def score(
    proposal: BoardProposal,
    truth_mm: Points,
    lengths: Sequence[int],
    colours: Sequence[str],
    size_mm: tuple[float, float],
) -> Score:
    """How good a proposal is; `truth_mm` (N, 4, 2) are the printed spaces in route order."""
    centres = proposal.spaces[:, :2] * size_mm
    labelled = truth_mm.mean(axis=1)
    along = truth_mm[:, 1] - truth_mm[:, 0]
    turn = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    printed = _bent(labelled, centres)
    pairs = _pairs(centres, printed)
    off, as_labelled = (_apart(centres, there, pairs) for there in (printed, labelled))
    skew = turned_deg(proposal.spaces[pairs[:, 0], 2], turn[pairs[:, 1]])
    right = (off <= NEAR_MM) & (skew <= NEAR_DEG)
    strung, long_enough, named = _routes(proposal, pairs, lengths, colours)
    return Score(
        strict=float(((as_labelled <= NEAR_MM) & (skew <= NEAR_DEG)).sum() / len(labelled)),
        spaces=float(right.sum() / len(labelled)),
        false=float(1 - right.sum() / max(len(centres), 1)),
        routes=strung,
        lengths=long_enough,
        colours=named,
        error_mm=float(np.median(as_labelled)),
        settled_mm=float(np.median(off)),
    )


def offsets_mm(proposal: BoardProposal, truth_mm: Points, size_mm: tuple[float, float]) -> Points:
    """From each label, bent as in `Score`, to the space proposed there, (N, 2); NaN without one."""
    centres = proposal.spaces[:, :2] * size_mm
    printed = _bent(truth_mm.mean(axis=1), centres)
    pairs = _pairs(centres, printed)
    offsets = np.full((len(printed), 2), np.nan)
    offsets[pairs[:, 1]] = centres[pairs[:, 0]] - printed[pairs[:, 1]]
    return offsets


@dataclass(frozen=True, slots=True)
class Repeatability:
    """One print in several pictures; medians over its spaces, mm.

    `spread_mm`: how far a space lies from its mean over the pictures, which no label enters.
    `beside_mm`: how far that mean lies from the label, which is the label's error or one that all
    proposals share. `far`: spaces whose mean lies more than `NEAR_MM` from the label.
    """

    pictures: int
    spread_mm: float
    beside_mm: float
    far: int

    def __str__(self) -> str:
        return (
            f"the same space in {self.pictures} pictures: {self.spread_mm:.2f} mm about its mean, "
            f"that {self.beside_mm:.2f} mm beside its label; of {self.far} more than {NEAR_MM} mm"
        )


def repeatability(offsets: Sequence[Points]) -> Repeatability:
    """How one print's spaces lie in several pictures of it, from their `offsets_mm`."""
    every = np.stack(offsets)
    seen = ~np.isnan(every).any(axis=(0, 2))
    mean = every[:, seen].mean(axis=0)
    beside = np.linalg.norm(mean, axis=1)
    apart = np.linalg.norm(every[:, seen] - mean, axis=2)
    return Repeatability(
        pictures=len(offsets),
        spread_mm=float(np.median(apart)),
        beside_mm=float(np.median(beside)),
        far=int((beside > NEAR_MM).sum()),
    )


def _bent(labelled: Points, centres: Points) -> Points:
    """The labelled centres after the smooth bending that brings most of them to proposed ones."""
    bent = labelled
    for linear in (True, False, False):
        pairs = _pairs(centres, bent)
        if len(pairs) < FEWEST_PAIRS:
            return labelled
        here, there = labelled[pairs[:, 1]], centres[pairs[:, 0]]
        bent = labelled + fit_bending(here, there - here, 1.0, linear=linear)(labelled)
    return bent


def _apart(centres: Points, printed: Points, pairs: NDArray[np.int64]) -> Points:
    return np.asarray(np.hypot(*(centres[pairs[:, 0]] - printed[pairs[:, 1]]).T), np.float64)


def _pairs(centres: Points, true_centres: Points) -> NDArray[np.int64]:
    """Proposed and printed spaces that are each other's nearest, (M, 2), none twice."""
    apart = np.hypot(*(centres[:, None] - true_centres).transpose(2, 0, 1))
    nearest, owner = apart.argmin(axis=1), apart.argmin(axis=0)
    mutual = [(k, int(n)) for k, n in enumerate(nearest) if owner[n] == k and apart[k, n] < FAR_MM]
    return np.array(mutual, np.int64).reshape(-1, 2)


def _routes(
    proposal: BoardProposal,
    pairs: NDArray[np.int64],
    lengths: Sequence[int],
    colours: Sequence[str],
) -> tuple[float, float, float]:
    """Shares of routes strung of exactly their spaces, of the right length, named rightly."""
    printed_of = dict(pairs.tolist())
    route_of = np.repeat(np.arange(len(lengths)), lengths)
    strung, long_enough, named = 0, set[int](), 0
    for line in proposal.lines:
        printed = [printed_of.get(space, -1) for space in line.spaces]
        routes = [int(route_of[space]) for space in printed if space >= 0]
        if not routes:
            continue
        route = max(set(routes), key=routes.count)
        if len(line.spaces) == lengths[route] and routes.count(route) * 2 > len(routes):
            long_enough.add(route)
        if len(line.spaces) == lengths[route] and set(routes) == {route} and -1 not in printed:
            strung += 1
            named += line.colour == colours[route]
    return strung / len(lengths), len(long_enough) / len(lengths), named / max(strung, 1)
