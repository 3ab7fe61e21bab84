"""Lays a board's spaces once it is found: where each lies on this print.

Wagons beside their boxes, and wagons that lean, pull what is seen of their line along. On a print
like the board file's no line lies elsewhere; on another one each does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import Points, project
from vision.registration.heatmaps import SpaceHeatmaps, doubled_direction, evidence_at, gather
from vision.registration.snapping import (
    REACHES_OF_LINES_MM,
    Bend,
    PatternFit,
    SnappedSpaces,
    axes_of,
    bent,
    groups_of,
    snapped_at,
)

BENDS: Sequence[Bend] = ((9.0, 2.0, True), (6.0, 2.0, True), (5.0, 1.0, False), (3.0, 1.0, False))
"""Spaces with wagons count for little sooner than in the search: free ones are to settle it."""

NOISE_ALONG, NOISE_ACROSS = 0.9, 0.55
"""By how much whole lines seem to lie beside their place, along and across themselves, in units of
how far single spaces seem to lie beside their line, where the print is the board file's."""

MOST_SEEMING_MM = 0.8
"""They seem to no farther: where spaces scatter more, it is the file's that lie beside theirs."""

FEWEST_SEEN, SEVERAL_SEEN = 0.8, 1.5
"""Of so many spaces seen a line tells of the print; of so many, of how its spaces scatter."""

SEEN_OF_MOST = 2.5
"""So many spaces of a line are seen as a rule, by their weight."""


def lay(heatmaps: SpaceHeatmaps, fit: PatternFit, pull_mm: Points | float = 0.0) -> SnappedSpaces:
    """The spaces of a board that is found, each line moved as far as this print differs from the
    board file: by up to a line's width. The two lines of a double move as one.

    `pull_mm` (N, 2) is how far beside each space it seems to lie, in straightened millimetres."""
    quads, double = bent(heatmaps, fit.quads_mm, BENDS, pull_mm), doubled_direction(fit.quads_mm)
    laid, groups = quads.mean(axis=1), groups_of(fit.board)
    centres = laid
    for reach_mm in REACHES_OF_LINES_MM:
        seen, weight = gather(heatmaps, centres, double, reach_mm)
        centres = laid
        for axis, noise in zip(axes_of(double), (NOISE_ALONG, NOISE_ACROSS), strict=True):
            beside = ((seen - pull_mm - laid) * axis).sum(axis=1)
            centres = centres + _shifts(beside, weight, groups, noise)[groups, None] * axis
    return snapped_at(heatmaps, quads, centres, double)


@dataclass(frozen=True, slots=True, eq=False)
class LaidBoard:
    """A board that was laid, and can be laid again once it is known what pulls at its spaces."""

    heatmaps: SpaceHeatmaps
    fit: PatternFit
    quads_mm: Points

    def __call__(self, pull_px: Points) -> Points:
        """Where the spaces lie, photo pixels (N, 4, 2), if each seems to lie `pull_px` (N, 2)
        beside its place."""
        to_photo, centres_mm = self.heatmaps.to_photo, self.quads_mm.mean(axis=1)
        pulled_px = project(to_photo, centres_mm) + pull_px
        pulled_mm = project(np.asarray(np.linalg.inv(to_photo), np.float64), pulled_px)
        laid = lay(self.heatmaps, self.fit, pulled_mm - centres_mm)
        return project(to_photo, laid.quads_mm)


def evidence_as_laid(heatmaps: SpaceHeatmaps, fit: PatternFit) -> float:
    """Mean evidence a space before single lines are moved. It tells prints of a board apart: with
    lines moved, each of another print finds what is near."""
    quads = bent(heatmaps, fit.quads_mm, BENDS)
    double = doubled_direction(fit.quads_mm)
    return float(evidence_at(heatmaps, quads.mean(axis=1), double).mean())


def _shifts(
    beside: Points, weight: Points, groups: NDArray[np.int64], noise: float
) -> NDArray[np.float64]:
    """How far each group (G,) lies beside its place, by how far its spaces (N,) seem to.

    Believed is as much of it as lines differ from the board file by more than the scatter of their
    spaces explains: nothing, where the print is the file's (empirical Bayes: Efron & Morris 1973).
    """
    seen = np.bincount(groups, weights=weight)
    mean = np.bincount(groups, weights=weight * beside) / np.maximum(seen, 1e-9)
    several, told = seen > SEVERAL_SEEN, seen > FEWEST_SEEN
    if not several.any():
        return np.zeros(len(seen))
    squares = np.bincount(groups, weights=weight * (beside - mean[groups]) ** 2)
    scatter2 = squares[several].sum() / (seen[several] - 1).sum()
    seeming2 = min(noise**2 * scatter2, MOST_SEEMING_MM**2)
    true2 = max(0.0, (1.4826 * float(np.median(np.abs(mean[told])))) ** 2 - seeming2)
    of_fewer = (1 + 1 / np.maximum(seen, 1e-3)) / (1 + 1 / SEEN_OF_MOST)
    return np.asarray(mean * true2 / (true2 + seeming2 * of_fewer + 1e-9))
