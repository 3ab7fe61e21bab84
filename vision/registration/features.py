"""Registration against a photo of the same board: features, then a dense local correction."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.resize import shrunk
from vision.registration.geometry import Bending, Points, bend, fit_bending, project
from vision.registration.keypoints import find_keypoints

GREY_SIDE_PX = 1000
"""Photos are shrunk to this long side; larger costs time and gains nothing."""

FEATURE_SIDE_PX = 600
"""Features are looked for in a yet smaller photo, in half the time: what is followed from there
lies as exactly. Of 138 registrations each is found as at 700 pixels, with three quarters of the
matches (42 at least), and 95 of 100 spaces within 0.25 mm of there, at worst 2.2 mm."""

FEATURES = 2400

FINE_PX = 2.5
"""The smallest features have 1.9 pixels. Where none is smaller than this the photo is blurred, by
more than what a closer look would show: it found fewer that agree in all of 30 such photos."""

CLOSER_SIDE_PX, CLOSER_FEATURES = 2000, 5000
"""For a last try, where the board is small in the photo; takes a second."""

ERROR_FACTOR = 2.3
"""True error over the scatter of neighbours, median of 232 registrations of photos and renders."""

NEAR_PX = 3.0
"""How far a match may be off and still count, in pixels of the shrunk photo."""

FLOW_REACH_PX = 10.0
"""How far optical flow may move a point; a curled corner moves by up to 10 shrunk pixels."""

FLOW_POINTS = 800

FLOW_WINDOW_PX = 15
"""Side of what is compared about a point; 25 pixels cost a third more and gain nothing."""

RATIO = 0.85
"""A match must be this much nearer than the second best (Lowe 2004)."""

MIN_INLIERS = 24
"""Other boards and mirrored photos reach 8 at most, the hardest right pair of 232 has 49. Of what
one board leaves unexplained in 231 photos 9 at most agree on a second; where one lies, 65."""

MOVED = 0.1
"""A second board's middle lies at least so far from the first's, in parts of a board's side: what
is nearer is the first, folded or curled."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Keypoints of an image in its own pixels (M, 2), unit descriptors (M, 128), and the shrunk
    grey image in which they are followed (scale: its pixels over the image's). `is_fine` says
    whether any is so small that there may be smaller ones, which a larger image would show."""

    points_px: Points
    descriptors: NDArray[np.float32]
    grey: NDArray[np.uint8]
    scale: float
    is_fine: bool


@dataclass(frozen=True, slots=True, eq=False)
class PhotoMap:
    """From reference pixels to photo pixels: a homography, its bending, and what is left over.

    `known_px` (reference pixels) and `residuals_px` (photo pixels) have shape (M, 2); `error_px`,
    in photo pixels, is estimated from how much neighbouring residuals still differ.
    """

    homography: Points
    bending: Bending
    known_px: Points
    residuals_px: Points
    error_px: float

    def __call__(self, points_px: Points) -> Points:
        """Reference points of shape (..., 2) in the photo."""
        flat = points_px.reshape(-1, 2)
        moved = project(self.homography, flat) + self.bending(flat)
        return np.asarray(
            (moved + bend(flat, self.known_px, self.residuals_px)).reshape(points_px.shape)
        )


def extract(
    image_bgr: NDArray[np.uint8],
    inside_px: Points | None = None,
    *,
    side_px: int = FEATURE_SIDE_PX,
    count: int = FEATURES,
    spread: bool = False,
) -> Features:
    """Features of an image, only those inside the quadrilateral (4, 2) if one is given.

    The strongest are taken, or with `spread`, which takes half as long again, the strongest of
    every part of the image: otherwise a checked cloth beside the board would take them all.
    """
    long_side_px = max(image_bgr.shape[:2])
    scale = min(1.0, max(side_px, GREY_SIDE_PX) / long_side_px)
    small_scale = min(scale, side_px / long_side_px)
    grey = _shrunk_grey(image_bgr, scale)
    small = shrunk(grey, small_scale / scale)
    part, corner, mask = _part_inside(small, inside_px, small_scale)
    keypoints, descriptors = find_keypoints(part, mask, count, spread=spread)
    if len(keypoints) == 0:
        return Features(
            np.zeros((0, 2)), np.zeros((0, 128), np.float32), grey, scale, is_fine=False
        )
    points = np.array([k.pt for k in keypoints], np.float64).reshape(-1, 2) + corner
    return Features(
        (points + 0.5) / small_scale - 0.5,
        _root(np.asarray(descriptors, np.float32)),
        grey,
        scale,
        is_fine=min(k.size for k in keypoints) < FINE_PX,
    )


def _part_inside(
    grey: NDArray[np.uint8], inside_px: Points | None, scale: float
) -> tuple[NDArray[np.uint8], Points, NDArray[np.uint8] | None]:
    """The part of a shrunk image about the quadrilateral, its first corner, and its mask."""
    if inside_px is None:
        return grey, np.zeros(2), None
    quad = np.round(inside_px * scale).astype(np.int32)
    left, top = np.maximum(quad.min(axis=0), 0)
    right, bottom = quad.max(axis=0) + 1
    part = np.ascontiguousarray(grey[top:bottom, left:right])
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, quad - (left, top), 255)
    return part, np.array([left, top], np.float64), mask


def _shrunk_grey(image_bgr: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(shrunk(image_bgr, scale), cv2.COLOR_BGR2GRAY), np.uint8)


def _root(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """RootSIFT (Arandjelović 2012): comparing by Hellinger's distance halves the wrong matches."""
    sums = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(descriptors / sums), np.float32)


def map_to_photo(reference: Features, photo: Features) -> PhotoMap | None:
    """Find the reference's board in the photo; None where too few features agree."""
    agreed = _agreed(reference, photo)
    if agreed is None:
        return None
    homography, source, target = agreed
    bending, inliers = _bent(homography, source, target, photo.scale)
    source, target = source[inliers], target[inliers]
    found = _settled(homography, bending, source, target, photo.scale)
    known, seen = _flow(found, reference, photo)
    known, seen = np.concatenate([source, known]), np.concatenate([target, seen])
    bending = fit_bending(known, seen - project(homography, known), 1 / photo.scale)
    return _settled(homography, bending, known, seen, photo.scale)


def is_there_twice(reference: Features, photo: Features, found: PhotoMap) -> bool:
    """Whether the reference's board lies in the photo once more than where it was found.

    What the first explains is left out: of two boards alike nearly every feature has a double, and
    none would be clearly better than the second best.
    """
    first = found(reference.points_px)
    left = _beyond(photo, first)
    rest = replace(photo, points_px=photo.points_px[left], descriptors=photo.descriptors[left])
    agreed = _agreed(reference, rest)
    return agreed is not None and _is_elsewhere(project(agreed[0], reference.points_px), first)


def are_two_alike(reference: Features, photo: Features) -> bool:
    """Whether the reference's board lies in the photo twice and so alike that neither was found.

    Each feature of the photo is matched for itself, clearly better than to a second one of the
    reference; two of them may be the same one's. The first board's are those of the homography on
    which most agree, and what it explains is left out for the second.
    """
    matches = _matches_of_each(reference.descriptors, photo.descriptors)
    agreed = _agreed(reference, photo, matches)
    if agreed is None:
        return False
    first = project(agreed[0], reference.points_px)
    rest = matches[_beyond(photo, first)[matches[:, 1]]]
    again = _agreed(reference, photo, rest)
    return again is not None and _is_elsewhere(project(again[0], reference.points_px), first)


def _is_elsewhere(second: Points, first: Points) -> bool:
    """Whether the reference's points (K, 2) lie on another board than at first."""
    moved = second.mean(axis=0) - first.mean(axis=0)
    return float(np.hypot(*moved)) > MOVED * float(np.sqrt(np.prod(np.ptp(first, axis=0))))


def _agreed(
    reference: Features, photo: Features, matches: NDArray[np.int64] | None = None
) -> tuple[Points, Points, Points] | None:
    """The homography on which enough matches agree, and all matches, (M, 2) in each image's own
    pixels; None where too few do."""
    if matches is None:
        matches = _matches(reference.descriptors, photo.descriptors)
    if len(matches) < MIN_INLIERS:
        return None
    source, target = reference.points_px[matches[:, 0]], photo.points_px[matches[:, 1]]
    homography, inliers = _robust_homography(source, target, NEAR_PX / photo.scale)
    if homography is None or inliers.sum() < MIN_INLIERS:
        return None
    return homography, source, target


def _beyond(photo: Features, known_px: Points) -> NDArray[np.bool_]:
    """Which of the photo's features (M,) lie at none of the known points (K, 2) of the photo."""
    high, wide = photo.grey.shape[:2]
    known = np.zeros((high, wide), np.uint8)
    at = np.round(known_px * photo.scale).astype(np.int64)
    columns, rows = at[((at >= 0) & (at < (wide, high))).all(axis=1)].T
    known[rows, columns] = 1
    reach = 2 * round(2 * NEAR_PX) + 1
    about = cv2.dilate(known, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    columns, rows = np.round(photo.points_px * photo.scale).astype(np.int64).T
    return np.asarray(about[rows.clip(0, high - 1), columns.clip(0, wide - 1)] == 0)


def _bent(
    homography: Points, source: Points, target: Points, scale: float
) -> tuple[Bending, NDArray[np.bool_]]:
    """Take in the matches that a homography alone would lose to lens, fold or curl."""
    residuals = target - project(homography, source)
    far = np.hypot(residuals[:, 0], residuals[:, 1])
    bending = fit_bending(
        source[far < NEAR_PX / scale], residuals[far < NEAR_PX / scale], 1 / scale
    )
    for reach in (2 * NEAR_PX, 4 * NEAR_PX, 4 * NEAR_PX, NEAR_PX):
        left = residuals - bending(source)
        near = np.hypot(left[:, 0], left[:, 1]) < reach / scale
        bending = fit_bending(source[near], residuals[near], 1 / scale)
    return bending, near


def _settled(
    homography: Points, bending: Bending, known: Points, seen: Points, scale: float
) -> PhotoMap:
    """The map with what its bending leaves over, without the points off their neighbours."""
    left = seen - project(homography, known) - bending(known)
    off = np.hypot(*(left - bend(known, known, left)).T)
    kept = off < NEAR_PX / scale
    error = ERROR_FACTOR * float(np.median(off[kept]))
    return PhotoMap(homography, bending, known[kept], left[kept], error)


def _matches(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.int64]:
    """Index pairs (K, 2) that are each other's best and clearly better than the second best."""
    if len(first) < 2 or len(second) < 2:
        return np.zeros((0, 2), np.int64)
    likeness = first @ second.T
    best = likeness.argmax(axis=1)
    rows = np.arange(len(first))
    top = likeness[rows, best]
    mutual = top == likeness.max(axis=0)[best]
    likeness[rows, best] = -1.0
    ratio = (1 - top) < RATIO**2 * (1 - likeness.max(axis=1))
    chosen = rows[mutual & ratio]
    return np.stack([chosen, best[chosen]], axis=1)


def _matches_of_each(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.int64]:
    """Index pairs (K, 2): the best of the first for each of the second that is clearly better than
    the second best. Several of the second may have the same."""
    if len(first) < 2 or len(second) < 2:
        return np.zeros((0, 2), np.int64)
    likeness = second @ first.T
    rows, best = np.arange(len(second)), likeness.argmax(axis=1)
    top = likeness[rows, best]
    likeness[rows, best] = -1.0
    chosen = rows[(1 - top) < RATIO**2 * (1 - likeness.max(axis=1))]
    return np.stack([best[chosen], chosen], axis=1)


def _robust_homography(
    source: Points, target: Points, threshold_px: float
) -> tuple[Points | None, NDArray[np.bool_]]:
    found = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, threshold_px, maxIters=4000, confidence=0.9999
    )
    matrix: object = found[0]  # None where no model was found, whatever OpenCV's types say
    mask = found[1]
    if matrix is None:
        return None, np.zeros(len(source), bool)
    return np.asarray(matrix, np.float64), mask.ravel().astype(bool)


def _flow(found: PhotoMap, reference: Features, photo: Features) -> tuple[Points, Points]:
    """Features of the reference followed into the photo, (K, 2) each, in each image's own pixels.

    The photo is first warped onto the shrunk reference, so that the flow left is small.
    """
    columns, rows = _warp_maps(found, reference, photo)
    seen = cv2.remap(photo.grey, columns, rows, cv2.INTER_LINEAR)
    thinned = reference.points_px[:: max(1, len(reference.points_px) // FLOW_POINTS)]
    start = (thinned * reference.scale).astype(np.float32).reshape(-1, 1, 2)
    first, second = _even_light(reference.grey), _even_light(np.asarray(seen, np.uint8))
    window = {"winSize": (FLOW_WINDOW_PX, FLOW_WINDOW_PX), "maxLevel": 2}
    there, found_there, _ = cv2.calcOpticalFlowPyrLK(first, second, start, None, **window)  # type: ignore[call-overload]
    back, found_back, _ = cv2.calcOpticalFlowPyrLK(second, first, there, None, **window)  # type: ignore[call-overload]
    good = (found_there & found_back).ravel().astype(bool)
    good &= np.abs(back - start).max(axis=(1, 2)) < 0.3
    good &= np.abs(there - start).max(axis=(1, 2)) < FLOW_REACH_PX
    source = start[good].reshape(-1, 2).astype(np.float64) / reference.scale
    return source, found(there[good].reshape(-1, 2).astype(np.float64) / reference.scale)


def _warp_maps(
    found: PhotoMap, reference: Features, photo: Features
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel of the shrunk reference lies in the shrunk photo: x and y maps.

    Worked out on every 32nd pixel and blended between: the map is smooth.
    """
    height, width = reference.grey.shape
    step = 32
    y, x = np.mgrid[0 : height + step : step, 0 : width + step : step]
    nodes = np.stack([x, y], axis=-1).reshape(-1, 2) / reference.scale
    grid = (found(nodes) * photo.scale).reshape(*x.shape, 2).astype(np.float32)
    fine = np.float32(1 / step) * np.mgrid[0:height, 0:width].astype(np.float32)
    blended = cv2.remap(grid, fine[1], fine[0], cv2.INTER_LINEAR)
    return np.ascontiguousarray(blended[..., 0]), np.ascontiguousarray(blended[..., 1])


def _even_light(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Local contrast to a common level, so that light and shadow don't pull the flow."""
    tiles = cv2.createCLAHE(clipLimit=3.0, tileGridSize=(8, 8))
    return np.asarray(tiles.apply(grey), np.uint8)
