"""Fits a board's known spaces to what is seen: which turn, which board, and where each space lies.

The board file's pattern of spaces is laid over the heatmaps in every turn, and bent to them where
it fits best. So a board is searched for; once it is found, `laying.py` lays its spaces.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.registration.board_geometry import board_quads_mm, outline_mm
from vision.registration.geometry import Points, fit_bending, homography_of_quads, project
from vision.registration.heatmaps import (
    MARGIN_MM,
    SpaceHeatmaps,
    cells_at,
    doubled_direction,
    evidence_at,
    evidence_in,
    gather,
    rectangle,
)

SHIFTS_MM = np.arange(-16.0, 17.0, 4.0)
SCALES = (0.965, 1.0, 1.035)
"""Search about the rough outline: it is off by some millimetres, and borders differ by edition."""

Bend = tuple[float, float, bool]
"""Of a bending of the whole: how far about a space is looked (mm), from what residual one counts
for little (mm), and whether it is linear."""

BENDS: Sequence[Bend] = ((9.0, 2.0, True), (6.0, 2.0, True), (5.0, 2.0, False), (4.0, 2.0, False))

REACHES_OF_LINES_MM = (5.0, 3.0)
"""How far about a space is looked when single lines are moved."""

HOLD_ALONG, HOLD_ACROSS = 20.0, 2.0
"""Damping of a line's shift along and across itself, in spaces seen: of seven settings the best on
a print like the board file's and on one unlike it."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """A board's pattern of spaces fitted to heatmaps as one rigid whole.

    `turn` is how many corners on the print's top left is; `score` the mean evidence a space, 0..1;
    `quads_mm` (N, 4, 2) and `outline_mm` (4, 2) are in the heatmaps's straightened millimetres, the
    latter as the board file has it.
    """

    board: Board
    turn: int
    score: float
    quads_mm: Points
    outline_mm: Points


@dataclass(frozen=True, slots=True, eq=False)
class SnappedSpaces:
    """The spaces after bending to what is seen: straightened millimetres, and what is left.

    `evidence` (N,) is how surely each space is seen there, 0..1; `error_mm` the scatter of single
    spaces about their lines.
    """

    quads_mm: Points
    evidence: Points
    error_mm: float

    @property
    def score(self) -> float:
        """Mean evidence a space."""
        return float(self.evidence.mean())


def best_fit(heatmaps: SpaceHeatmaps, board: Board) -> PatternFit:
    """The board's pattern in the turn, shift and size in which it fits best."""
    fits = [_fit_turn(heatmaps, board, turn) for turn in _possible_turns(heatmaps, board)]
    return max(fits, key=lambda fit: fit.score)


def _possible_turns(heatmaps: SpaceHeatmaps, board: Board) -> tuple[int, ...]:
    """All four for a nearly square outline, otherwise the two that match long side to long side."""
    seen = np.log(heatmaps.size_mm[0] / heatmaps.size_mm[1])
    outline = outline_mm(board)
    own = np.log((outline[1, 0] - outline[0, 0]) / (outline[2, 1] - outline[1, 1]))
    turns = tuple(t for t in range(4) if abs(seen - (own if t % 2 == 0 else -own)) < 0.35)
    return turns or (0, 1, 2, 3)


def _fit_turn(heatmaps: SpaceHeatmaps, board: Board, turn: int) -> PatternFit:
    outline, quads = outline_mm(board), board_quads_mm(board)
    corners = np.roll(rectangle(heatmaps.size_mm), -turn, axis=0)
    laid = project(homography_of_quads(outline, corners), quads)
    scale, shift, score = _coarse(heatmaps, laid)
    middle = corners.mean(axis=0)
    return PatternFit(
        board,
        turn,
        score,
        (laid - middle) * scale + middle + shift,
        (corners - middle) * scale + middle + shift,
    )


def in_print(fit: PatternFit, board: Board) -> PatternFit:
    """Another print of the fitted board, fitted in the same way."""
    laid = homography_of_quads(outline_mm(board), fit.outline_mm)
    return replace(fit, board=board, quads_mm=project(laid, board_quads_mm(board)))


def _coarse(heatmaps: SpaceHeatmaps, quads: Points) -> tuple[Points, Points, float]:
    """Scale (2,), shift (2,) and score with the most evidence, by trying them all."""
    centres, double = quads.mean(axis=1), doubled_direction(quads)
    middle = np.array(heatmaps.size_mm) / 2 + MARGIN_MM
    shifts = np.stack(np.meshgrid(SHIFTS_MM, SHIFTS_MM, indexing="ij"), axis=-1).reshape(-1, 2)
    best = (np.ones(2), np.zeros(2), -1.0)
    # Columns depend on the scale and shift in x alone, rows on those in y: (scales, shifts, N).
    scaled = (centres - middle) * np.array(SCALES)[:, None, None] + middle
    moved = scaled[:, None] + SHIFTS_MM[:, None, None]
    columns, rows = cells_at(heatmaps, moved)
    for x, scale_x in enumerate(SCALES):
        for y, scale_y in enumerate(SCALES):
            cells = (rows[y][None] + columns[x][:, None]).reshape(len(shifts), -1)
            scores = evidence_in(heatmaps, cells, double).mean(axis=1)
            chosen = int(scores.argmax())
            if scores[chosen] > best[2]:
                best = (np.array([scale_x, scale_y]), shifts[chosen], float(scores[chosen]))
    return best


def snap(heatmaps: SpaceHeatmaps, fit: PatternFit) -> SnappedSpaces:
    """Bend a fitted pattern to the centres that the network sees, as a whole and then line by line.

    A double moves as one, so that its lines can't both snap to the same boxes.
    """
    quads, double = bent(heatmaps, fit.quads_mm, BENDS), doubled_direction(fit.quads_mm)
    centres, groups = quads.mean(axis=1), groups_of(fit.board)
    for reach_mm in REACHES_OF_LINES_MM:
        seen, weight = gather(heatmaps, centres, double, reach_mm)
        centres = centres + _shared_shift(seen - centres, weight, double, groups)
    return snapped_at(heatmaps, quads, centres, double)


def bent(
    heatmaps: SpaceHeatmaps, quads: Points, bends: Sequence[Bend], pull_mm: Points | float = 0.0
) -> Points:
    """The boxes (N, 4, 2), bent as a whole to the centres that are seen; `pull_mm` (N, 2) is how
    far beside its own each of these lies."""
    double = doubled_direction(quads)
    for reach_mm, spread_mm, linear in bends:
        centres = quads.mean(axis=1)
        seen, weight = gather(heatmaps, centres, double, reach_mm)
        left = seen - pull_mm - centres
        bending = fit_bending(centres, left, spread_mm, weights=weight, linear=linear)
        quads = quads + bending(quads.reshape(-1, 2)).reshape(quads.shape)
    return quads


def snapped_at(
    heatmaps: SpaceHeatmaps, quads: Points, centres: Points, double: Points
) -> SnappedSpaces:
    """The boxes (N, 4, 2), moved to these centres (N, 2), and what is left there."""
    seen, weight = gather(heatmaps, centres, double, REACHES_OF_LINES_MM[-1])
    sure = weight > 0.3
    scatter = np.hypot(*(seen - centres)[sure].T) if sure.any() else np.array([np.inf])
    moved = quads + (centres - quads.mean(axis=1))[:, None, :]
    return SnappedSpaces(moved, evidence_at(heatmaps, centres, double), float(np.median(scatter)))


def groups_of(board: Board) -> NDArray[np.int64]:
    """A number for every space that those of the same line, or lines side by side, share; (N,)."""
    names = [route.parallel_group or route.id for route in board.routes for _ in route.spaces]
    return np.asarray(np.unique(names, return_inverse=True)[1], np.int64)


def axes_of(double: Points) -> tuple[Points, Points]:
    """Along and across spaces with these doubled directions (N, 2): unit vectors, each (N, 2)."""
    angle = np.arctan2(double[:, 1], double[:, 0]) / 2
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return along, np.stack([-along[:, 1], along[:, 0]], axis=1)


def _shared_shift(
    left: Points, weight: Points, double: Points, groups: NDArray[np.int64]
) -> Points:
    """Weighted mean of what is left (N, 2) in each group, held back where little is seen.

    A line's boxes are sharp across it and blurred along it, so a shift along it is damped far more.
    """
    total = np.bincount(groups, weights=weight)
    shift = np.zeros_like(left)
    for axis, hold in zip(axes_of(double), (HOLD_ALONG, HOLD_ACROSS), strict=True):
        beside = np.bincount(groups, weights=weight * (left * axis).sum(axis=1)) / (total + hold)
        shift += beside[groups, None] * axis
    return shift
