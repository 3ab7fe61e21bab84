"""Plane geometry of registration: homographies, and the smooth distortion that remains."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


BEND_POINTS = 700
"""Known points kept for the local correction: more cost time and memory, and change nothing."""

NEAREST = 25
"""Known points about each place of which the median residual is taken."""

STIFFNESS = 1e-4
"""Holds the higher terms of a bending back where few points speak for them."""


def project(homography: Points, points: Points) -> Points:
    """Points of shape (..., 2) through a homography."""
    flat = cv2.perspectiveTransform(
        np.ascontiguousarray(points, np.float64).reshape(-1, 1, 2), homography
    )
    return np.asarray(flat, np.float64).reshape(points.shape)


def homography_of_quads(source: Points, target: Points) -> Points:
    """The homography that takes four points to four others, both of shape (4, 2)."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, np.float64)


def is_seen_from_above(corners_px: Points) -> bool:
    """Whether corners (4, 2) run clockwise and convex, as in any unmirrored view of a plane."""
    edges = np.roll(corners_px, -1, axis=0) - corners_px
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool(np.all(turns > 0))


def px_per_mm(corners_px: Points, outline: Points) -> float:
    """Mean resolution of the board in an image, from its corners in both; shape (4, 2) each."""
    return float(np.sqrt(area_of(corners_px) / area_of(outline)))


def corners_of_size(size: tuple[float, float]) -> Points:
    """Corners (4, 2) of a (width, height) with its first at the origin, clockwise where y is down.

    >>> corners_of_size((3, 2)).tolist()
    [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0]]
    """
    width, height = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def area_of(corners: Points) -> float:
    """Area within corners of shape (4, 2), in the square of their unit."""
    return abs(float(cv2.contourArea(corners.astype(np.float32))))


def share_inside(points_px: Points, image_bgr: NDArray[np.uint8]) -> float:
    """Share of points of shape (N, 2) that lie within the image."""
    height, width = image_bgr.shape[:2]
    inside = np.all((points_px >= 0) & (points_px < (width, height)), axis=-1)
    return float(inside.mean())


def bend(at: Points, known: Points, residuals: Points) -> Points:
    """Smooth local correction: the median residual of the `NEAREST` known points.

    `at` has shape (N, 2), `known` and `residuals` (M, 2); returns (N, 2). The median stands up to
    half of the neighbours being wrong, as beside a hand or a row of wagons.
    """
    step = max(1, len(known) // BEND_POINTS)
    known, residuals = known[::step], residuals[::step]
    nearest = min(NEAREST, len(known))
    middle = known.mean(axis=0)
    here, there = (at - middle).astype(np.float32), (known - middle).astype(np.float32)
    squared = (there**2).sum(axis=1) - 2 * here @ there.T  # but for a constant a row
    chosen = np.argpartition(squared, nearest - 1, axis=1)[:, :nearest]
    if nearest % 2 == 0:
        return np.asarray(np.median(residuals[chosen], axis=1))
    middle_one = nearest // 2  # what np.median gives, in half the time
    return np.asarray(np.partition(residuals[chosen], middle_one, axis=1)[:, middle_one])


@dataclass(frozen=True, slots=True, eq=False)
class Bending:
    """What a homography leaves over, as a cubic in its source points.

    Lens distortion of either camera and a curled board are smooth, so ten coefficients an axis
    hold nearly all of it, and reach to the board's corners where no feature is.
    `middle` (2,) and `scale` normalise the source; `coefficients` has shape (10, 2), target pixels.
    """

    middle: Points
    scale: float
    coefficients: Points

    def __call__(self, at: Points) -> Points:
        """Displacement at points of shape (N, 2)."""
        return np.asarray(_cubic_terms((at - self.middle) / self.scale) @ self.coefficients)


def fit_bending(
    at: Points,
    residuals: Points,
    spread: float,
    *,
    weights: Points | None = None,
    linear: bool = False,
) -> Bending:
    """Fit a cubic, or only a linear map, to residuals (N, 2) robustly.

    `spread` is the residual, in target pixels, from which a point counts for little (Cauchy
    weights), besides the `weights` (N,) given.
    """
    middle = at.mean(axis=0)
    scale = float(np.abs(at - middle).max()) or 1.0
    terms = _cubic_terms((at - middle) / scale)
    if linear:
        terms[:, 3:] = 0
    given = np.ones(len(at)) if weights is None else weights
    ridge = np.diag([1e-9] + [STIFFNESS] * 9) * max(float(given.sum()), 1.0)
    counted = given
    coefficients: Points = np.zeros((10, 2))
    for _ in range(8):
        weighted = terms * counted[:, None]
        coefficients = np.asarray(
            np.linalg.solve(weighted.T @ terms + ridge, weighted.T @ residuals), np.float64
        )
        left = residuals - terms @ coefficients
        counted = given / (1 + (left**2).sum(axis=1) / spread**2)
    return Bending(middle, scale, np.asarray(coefficients))


def _cubic_terms(points: Points) -> Points:
    x, y = points[:, 0], points[:, 1]
    one = np.ones_like(x)
    return np.stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=1)
