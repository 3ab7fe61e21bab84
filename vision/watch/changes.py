"""Fast comparison of a fixed camera's frames: straighten the board small, compare it, follow it.

Everything here happens on a straightened board of `PX_PER_MM`; a whole comparison costs a few
milliseconds, so that a frame in which nothing moved never reaches the network.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import Points, project
from vision.spaces.camera_pose import board_to_image

PX_PER_MM = 0.8
"""Resolution of the straightened board: a wagon of 24 x 9 mm covers 19 x 7 px."""

BoardView = NDArray[np.uint8]
"""A straightened board, shape (H, W, 3), uint8, BGR."""

Mask = NDArray[np.uint8]
"""Pixels of a view: 255 where it is set, 0 elsewhere; shape (H, W), uint8."""


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """When a picture counts as changed; levels are of 255, lengths in millimetres."""

    changed_level: int = 16
    """Least difference of a pixel's brightest-changing channel, after evening out the light.
    Noise of a dim phone frame reaches 9 on this small view; a red wagon on red print gives 25."""
    least_area_mm2: float = 60.0
    """Least changed area: a third of a wagon's foot."""
    thick_mm: float = 17.0
    """Half thickness from which a change can't be wagons: three lines of wagons side by side reach
    16 mm, an arm 30 mm."""
    saturated: int = 235
    """The sensor clips in glare: two levels above this count as equal."""
    followed: float = 0.5
    """Part of the tracked points outside a hand that must agree on how the board moved."""
    least_points: int = 24


CHANGE_LIMITS = ChangeLimits()


@dataclass(frozen=True, slots=True, eq=False)
class ViewDifference:
    """Where two views of one board differ.

    `changed` and `thick` are masks of shape (H, W); `thick` holds what is too broad for wagons.
    `gain` (3,) is the factor of blue, green and red from the earlier view to the later.
    """

    changed: Mask
    thick: Mask
    gain: NDArray[np.float64]

    @property
    def area_mm2(self) -> float:
        return cv2.countNonZero(self.changed) / PX_PER_MM**2

    @property
    def is_any(self) -> bool:
        return self.area_mm2 >= CHANGE_LIMITS.least_area_mm2

    @property
    def share(self) -> float:
        """Part of the board that changed, 0..1."""
        return cv2.countNonZero(self.changed) / self.changed.size

    @property
    def thick_share(self) -> float:
        """Part of the board under something broad, 0..1."""
        return cv2.countNonZero(self.thick) / self.thick.size


class BoardRectifier:
    """Straightens frames of one camera position, and knows the printed spaces there.

    `spaces_px` is an ndarray of shape (N, 4, 2), the spaces in frame pixels.
    """

    def __init__(self, board: Board, spaces_px: Points) -> None:
        self.spaces_px = spaces_px
        homography = board_to_image(spaces_px, board)
        low, _, high, _ = outline_mm(board)
        width, height = np.round((high - low) * PX_PER_MM).astype(int)
        self.size_px = (int(width), int(height))
        scale = 1 / PX_PER_MM
        self._to_frame = homography @ np.array(
            [[scale, 0, low[0]], [0, scale, low[1]], [0, 0, 1.0]]
        )
        self._shrink = _shrink_factor(spaces_px, board)
        self._space_of_pixel = self._paint_spaces()
        counts = np.bincount(self._space_of_pixel.ravel(), minlength=len(spaces_px) + 1)
        self._areas = np.maximum(counts[1:], 1)

    def straighten(self, frame_bgr: NDArray[np.uint8]) -> BoardView:
        """The board of a frame (H, W, 3), BGR, seen from above."""
        k = self._shrink
        matrix = self._to_frame
        if k > 1:
            size = (frame_bgr.shape[1] // k, frame_bgr.shape[0] // k)
            even = frame_bgr[: size[1] * k, : size[0] * k]
            frame_bgr = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
            middle = 0.5 / k - 0.5
            matrix = np.array([[1 / k, 0, middle], [0, 1 / k, middle], [0, 0, 1.0]]) @ matrix
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(frame_bgr, matrix, self.size_px, flags=flags))

    def share_of_spaces(self, mask: Mask) -> NDArray[np.float64]:
        """Part of each printed space that a mask covers, ndarray of shape (N,)."""
        counts = np.bincount(self._space_of_pixel[mask > 0], minlength=len(self._areas) + 1)
        return np.asarray(counts[1:] / self._areas)

    def spaces_after(self, shift: Points) -> Points:
        """The spaces in frame pixels after the view moved by a homography (3, 3)."""
        return self.points_after(shift, self.spaces_px)

    def points_after(self, shift: Points, points_px: Points) -> Points:
        """Points (..., 2), frame pixels, after the view moved by a homography (3, 3)."""
        moved = self._to_frame @ shift @ np.linalg.inv(self._to_frame)
        return project(moved, points_px)

    def shift_mm(self, spaces_px: Points) -> float:
        """Median distance in mm of spaces (N, 4, 2), frame pixels, from where they are expected."""
        back = np.linalg.inv(self._to_frame)
        moved = project(back, spaces_px) - project(back, self.spaces_px)
        return float(np.median(np.linalg.norm(moved.reshape(-1, 2), axis=1))) / PX_PER_MM

    def _paint_spaces(self) -> NDArray[np.int32]:
        """The number of the space (from 1) that each pixel of a view belongs to, 0 for none."""
        width, height = self.size_px
        painted = np.zeros((height, width), np.int32)
        quads = project(np.linalg.inv(self._to_frame), self.spaces_px)
        for number, quad in enumerate(quads, start=1):
            cv2.fillConvexPoly(painted, np.round(quad).astype(np.int32), number)
        return painted


def _shrink_factor(spaces_px: Points, board: Board) -> int:
    """Whole factor by which a frame is averaged first, so that no pixel is skipped."""
    along = np.linalg.norm(spaces_px[:, 1] - spaces_px[:, 0], axis=1) / board.space_size_mm[0]
    return max(1, int(float(np.median(along)) / PX_PER_MM))


def compare(before: BoardView, now: BoardView) -> ViewDifference:
    """What changed between two views (H, W, 3) of one size, a change of light evened out."""
    gain = _gain(before, now)
    levels = np.clip(np.arange(256)[:, None] * gain[None], 0, 255)
    evened = cv2.LUT(before, levels.astype(np.uint8)[None])
    first, second = cv2.blur(evened, (3, 3)), cv2.blur(now, (3, 3))
    first, second = (np.minimum(view, CHANGE_LIMITS.saturated) for view in (first, second))
    blue, green, red = cv2.split(cv2.absdiff(first, second))
    most = cv2.max(cv2.max(blue, green), red)
    _, changed = cv2.threshold(most, CHANGE_LIMITS.changed_level, 255, cv2.THRESH_BINARY)
    changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    mask = np.asarray(changed, np.uint8)
    return ViewDifference(mask, _thick_part(mask), gain)


def _gain(before: BoardView, now: BoardView) -> NDArray[np.float64]:
    """Factor of each channel, (3,): the middle of what well-exposed pixels changed by.

    The median stands up to a hand over less than half of the board.
    """
    first = before[::6, ::6].reshape(-1, 3).astype(np.float64)
    second = now[::6, ::6].reshape(-1, 3).astype(np.float64)
    usable = (
        (first > 25) & (first < CHANGE_LIMITS.saturated) & (second < CHANGE_LIMITS.saturated)
    ).all(axis=1)
    if usable.sum() < 100:
        return np.ones(3)
    return np.asarray(np.median(second[usable] / first[usable], axis=0))


def _thick_part(changed: Mask) -> Mask:
    """What is left of a mask after opening it with a disc of `thick_mm`; small holes filled."""
    if cv2.countNonZero(changed) < 3 * (CHANGE_LIMITS.thick_mm * PX_PER_MM) ** 2:
        return np.zeros_like(changed)
    filled = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    radius = CHANGE_LIMITS.thick_mm * PX_PER_MM
    outside = np.where(cv2.distanceTransform(filled, cv2.DIST_L2, 3) > radius, 0, 255)
    if outside.all():
        return np.zeros_like(changed)
    near = cv2.distanceTransform(outside.astype(np.uint8), cv2.DIST_L2, 3) <= radius
    return np.where(near, 255, 0).astype(np.uint8)


def follow(before: BoardView, now: BoardView, ignore: Mask) -> Points | None:
    """How the board moved between two views, as a homography (3, 3) in view pixels.

    `ignore` marks what must not be looked at (a hand). None where too few points can be followed,
    which means that it moved far or is hidden.
    """
    first, second = _grey(before), _grey(now)
    start = _points_to_track(first, ignore)
    moved = _track(first, second, start)
    kept = np.abs(_track(second, first, moved) - start).max(axis=(1, 2), initial=0) < 0.5
    if kept.sum() < max(CHANGE_LIMITS.least_points, CHANGE_LIMITS.followed * len(start)):
        return None
    matrix, inliers = cv2.findHomography(start[kept], moved[kept], cv2.USAC_MAGSAC, 0.6)
    if matrix is None or inliers.sum() < CHANGE_LIMITS.followed * kept.sum():
        return None
    return np.asarray(matrix, np.float64)


def _grey(view: BoardView) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)


def _points_to_track(grey: NDArray[np.uint8], ignore: Mask) -> NDArray[np.float32]:
    """Corners outside the mask, ndarray of shape (K, 1, 2)."""
    seen = np.where(ignore > 0, 0, 255).astype(np.uint8)
    points = cv2.goodFeaturesToTrack(grey, 240, 0.02, 8, mask=seen)
    return np.zeros((0, 1, 2), np.float32) if points is None else np.asarray(points, np.float32)


def _track(
    first: NDArray[np.uint8], second: NDArray[np.uint8], start: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Points (K, 1, 2) followed from one grey view into another by optical flow."""
    if len(start) == 0:
        return start
    moved, _, _ = cv2.calcOpticalFlowPyrLK(
        first, second, start, start.copy(), winSize=(17, 17), maxLevel=3
    )
    return np.asarray(moved, np.float32)


def is_blind(frame_bgr: NDArray[np.uint8]) -> bool:
    """Whether a frame (H, W, 3), BGR, is black or shows one even surface close before the lens."""
    thin = cv2.cvtColor(np.ascontiguousarray(frame_bgr[::16, ::16]), cv2.COLOR_BGR2GRAY)
    return float(np.percentile(thin, 95)) < 22 or float(thin.std()) < 6
