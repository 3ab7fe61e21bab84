"""Finds a board's outline in a whole photo: a network marks the board, four lines are fitted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import image_input, load_network, sigmoid
from vision.registration.geometry import Points, is_seen_from_above

SIDE_PX = 256
"""The photo is fitted into a square of this side."""

MIN_SHARE = 0.04
"""A board that takes less of the photo than this can't be read."""

TURNED_SCALE = 0.85
"""A turned photo is shrunk by this, so that little of it is cut off."""


@dataclass(frozen=True, slots=True)
class OutlineSettings:
    """One way of looking for the board.

    The network may take a checked cloth for a board. Blurred, the cloth turns grey while the board
    can still be told: `blur_px` is a Gaussian's sigma, `median_px` the side of a median filter, in
    pixels of the square that the photo is fitted into; 0 leaves it sharp. A pixel counts as board
    from the probability `likelier_than` on.
    """

    blur_px: float = 0.0
    median_px: int = 0
    likelier_than: float = 0.5

    def applied_to(self, square_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What is seen of an image of shape (H, W, 3), uint8, BGR."""
        if self.median_px:
            square_bgr = np.asarray(cv2.medianBlur(square_bgr, self.median_px), np.uint8)
        if self.blur_px:
            blurred = cv2.GaussianBlur(square_bgr, (0, 0), self.blur_px)
            square_bgr = np.asarray(blurred, np.uint8)
        return square_bgr


PLAIN = OutlineSettings()


@dataclass(frozen=True, slots=True, eq=False)
class BoardOutline:
    """A quadrilateral that may be a board.

    `corners_px` has shape (4, 2), photo pixels, clockwise from the corner nearest the photo's top
    left: which of them is the print's top left is not known yet. `likeness` is how well the four
    lines hold what the network marked (intersection over union). `cut` is the share of the outline
    that runs along the photo's own edge, where the board leaves the picture.
    """

    corners_px: Points
    likeness: float
    cut: float


def find_outline(
    image_bgr: NDArray[np.uint8], beside_px: Points | None = None
) -> BoardOutline | None:
    """The board's outline in a photo of shape (H, W, 3), uint8, BGR; None where there is none.

    What lies within `beside_px` (4, 2) is painted over with what surrounds it, to find a second
    board beside a first: the network marks only one of two.
    """
    return next(find_outlines(image_bgr, (PLAIN,), beside_px), None)


def find_outlines(
    image_bgr: NDArray[np.uint8],
    ways: Iterable[OutlineSettings],
    beside_px: Points | None = None,
) -> Iterator[BoardOutline]:
    """The outlines in a photo (H, W, 3) found in these ways, each when it is asked for."""
    scale = SIDE_PX / max(image_bgr.shape[:2])
    visible = np.array(image_bgr.shape[1::-1]) * scale
    small = _shrunk_to_square(image_bgr, scale, beside_px)
    marked: dict[OutlineSettings, NDArray[np.float32]] = {}
    for settings in ways:
        look = replace(settings, likelier_than=PLAIN.likelier_than)  # which the network is not told
        if look not in marked:
            marked[look] = _mark_board(look.applied_to(small))
        outline = outline_of(marked[look], settings.likelier_than, visible, scale)
        if outline is not None:
            yield outline


def outline_of(
    board: NDArray[np.float32], likelier_than: float, visible: Points, scale: float
) -> BoardOutline | None:
    """The outline of what is marked in the square (256, 256), of which so much (2,) is the photo,
    `scale` times as large; None where too little is."""
    blob = _largest_blob(board, likelier_than)
    if blob is None or blob.sum() < MIN_SHARE * visible.prod():
        return None
    contour = _contour(blob)
    on_edge = _on_photo_edge(contour, visible)
    inner = contour[~on_edge]
    known: dict[bytes, Points] = {}
    quads = [_settled(start, inner, known) for start in _first_quads(blob, contour)]
    corners = max(quads, key=lambda quad: _likeness(quad, blob, visible))
    if not is_seen_from_above(corners):
        return None
    likeness = _likeness(corners, blob, visible)
    return BoardOutline((corners + 0.5) / scale - 0.5, likeness, float(on_edge.mean()))


def find_turned_outline(image_bgr: NDArray[np.uint8], degrees: float) -> BoardOutline | None:
    """Like `find_outline`, in the photo (H, W, 3) turned by that angle about its middle.

    The network may find a board seen very obliquely in one rotation and miss it in another.
    """
    height, width = image_bgr.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, TURNED_SCALE)
    turned = cv2.warpAffine(image_bgr, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    found = find_outline(np.asarray(turned, np.uint8))
    if found is None:
        return None
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    corners = np.c_[found.corners_px, np.ones(4)] @ back.T
    return BoardOutline(_from_top_left(corners), found.likeness, found.cut)


def _shrunk_to_square(
    image_bgr: NDArray[np.uint8], scale: float, beside_px: Points | None
) -> NDArray[np.uint8]:
    """The photo as it fits into the square, what lies within the quadrilateral painted over."""
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if beside_px is not None:
        within = np.zeros(small.shape[:2], np.uint8)
        cv2.fillConvexPoly(within, np.round(beside_px * scale).astype(np.int32), (1.0,))
        small = cv2.inpaint(small, within, 3, cv2.INPAINT_TELEA)
    return np.asarray(small, np.uint8)


def _mark_board(small_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How likely each pixel of the square is board, shape (256, 256)."""
    square = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    square[: small_bgr.shape[0], : small_bgr.shape[1]] = small_bgr
    coarse = load_network("outline").run({"image": image_input(square)})[0, 0]
    logits = cv2.resize(coarse, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR)
    board = sigmoid(np.asarray(logits, np.float32))
    board[small_bgr.shape[0] :] = 0
    board[:, small_bgr.shape[1] :] = 0
    return board


def _largest_blob(
    board: NDArray[np.float32], likelier_than: float = PLAIN.likelier_than
) -> NDArray[np.uint8] | None:
    """The largest connected part that is likelier board than that, as 0 and 1."""
    marked = (board > likelier_than).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(marked)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return np.asarray(labels == largest, np.uint8)


def _contour(blob: NDArray[np.uint8]) -> Points:
    """Outer contour of a blob, every boundary pixel; shape (M, 2)."""
    contours, _ = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=len).reshape(-1, 2), np.float64)


def _on_photo_edge(contour: Points, visible: Points) -> NDArray[np.bool_]:
    """Which contour points lie on the photo's edge rather than on the board's."""
    return np.asarray(np.any((contour < 2) | (contour > visible - 3), axis=1))


def _first_quads(blob: NDArray[np.uint8], contour: Points) -> list[Points]:
    """Quadrilaterals to start from: of the blob, of its solid part, and its tightest rectangle.

    The solid part has lost what sticks out (a sleeve, a card) or is thin.
    """
    quads = [_hull_quad(contour), _from_top_left(_tight_rectangle(contour))]
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (41, 41))
    solid = _largest_blob(cv2.morphologyEx(blob, cv2.MORPH_OPEN, kernel).astype(np.float32))
    if solid is not None:
        quads.append(_hull_quad(_contour(solid)))
    return quads


def _settled(corners: Points, contour: Points, known: dict[bytes, Points]) -> Points:
    """A quadrilateral whose sides are fitted to the contour until they rest.

    `known` keeps each step: from different beginnings most end on the same way.
    """
    for _ in range(8):
        now = corners.tobytes()
        if now not in known:
            known[now] = _better_quad(corners, contour)
        if np.array_equal(known[now], corners):
            break
        corners = known[now]
    return corners


def _tight_rectangle(contour: Points) -> Points:
    box = cv2.boxPoints(cv2.minAreaRect(contour.astype(np.float32)))
    return np.asarray(box, np.float64)


def _hull_quad(contour: Points) -> Points:
    """Four corners of the hull, by dropping its least corners; clockwise from the top left."""
    hull = cv2.convexHull(contour.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    while len(hull) > 4:
        hull = np.delete(hull, _least_corner(hull), axis=0)
    if len(hull) < 4:
        hull = _tight_rectangle(contour)
    return _from_top_left(hull)


def _least_corner(hull: Points) -> int:
    """The corner whose triangle with its neighbours is smallest."""
    before, after = np.roll(hull, 1, axis=0) - hull, np.roll(hull, -1, axis=0) - hull
    return int(np.argmin(np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])))


def _from_top_left(corners: Points) -> Points:
    """The same corners clockwise (x right, y down), starting with the one nearest the top left."""
    centred = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(centred[:, 1], centred[:, 0]))]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def _better_quad(corners: Points, contour: Points) -> Points:
    """Lines fitted anew to the contour points nearest each side; their crossings.

    A side with too few points of its own (out of the picture) stays where it is.
    """
    ends = np.roll(corners, -1, axis=0)
    apart = np.stack([_distance(contour, *side) for side in zip(corners, ends, strict=True)])
    own, near = apart.argmin(axis=0), apart.min(axis=0) < 8
    sides = [_side_line(corners[k], ends[k], contour, near & (own == k)) for k in range(4)]
    crossings = [_crossing(sides[k - 1], sides[k]) for k in range(4)]
    if any(abs(c[2]) < 1e-9 for c in crossings):
        return corners
    moved = np.array([c[:2] / c[2] for c in crossings])
    return moved if np.abs(moved - corners).max() < SIDE_PX else corners


def _crossing(first: Points, second: Points) -> Points:
    """Where two lines (a, b, c) cross, homogeneous; `np.cross` in a tenth of its time."""
    (a, b, c), (d, e, f) = first, second
    return np.array([b * f - c * e, c * d - a * f, a * e - b * d])


def _side_line(start: Points, end: Points, contour: Points, mine: NDArray[np.bool_]) -> Points:
    """The line (a, b, c) with a x + b y + c = 0 of one side, refitted where it can be.

    `mine` (M,) are the points of the contour (M, 2) that are nearest to this side.
    """
    along = (contour - start) @ (end - start) / max(float((end - start) @ (end - start)), 1e-9)
    mine = mine & (along > 0.03) & (along < 0.97)
    if mine.sum() < 12:
        normal = np.array([start[1] - end[1], end[0] - start[0]])
        return np.array([*normal, -float(normal @ start)])
    outward = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
    border = contour[mine] + 0.5 * outward  # the blob's own pixels lie half a pixel inside it
    return robust_line(border, near=1.5)


def robust_line(points: Points, near: float) -> Points:
    """The line (a, b, c), a x + b y + c = 0 with unit normal, that most points (M, 2) lie near.

    Pairs of points vote (random sample consensus, with a fixed seed); those near the best line are
    fitted by least squares. What sticks out of a side doesn't turn it.
    """
    first, second = points[_pairs(len(points))]
    along = second - first
    length = np.hypot(*along.T)
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-9)[:, None]
    near_line = np.abs(points @ normals.T - (first * normals).sum(axis=1)) < near
    votes = near_line.sum(axis=0) * (length > 0.2 * np.ptp(points, axis=0).max())
    chosen = points[near_line[:, int(votes.argmax())]]
    vx, vy, x, y = cv2.fitLine(chosen.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    return np.array([-vy, vx, float(vy * x - vx * y)])


@lru_cache(maxsize=256)
def _pairs(count: int) -> NDArray[np.int64]:
    """Pairs of so many points, the same each time; shape (2, 150)."""
    return np.random.default_rng(0).integers(count, size=(2, 150))


def _distance(points: Points, start: Points, end: Points) -> Points:
    """Distance of points (M, 2) from a stretch of line."""
    along = end - start
    t = np.clip((points - start) @ along / max(float(along @ along), 1e-9), 0, 1)
    return np.asarray(np.hypot(*(points - start - t[:, None] * along).T))


def _likeness(corners: Points, blob: NDArray[np.uint8], visible: Points) -> float:
    """Intersection over union of the quadrilateral's visible part and the blob."""
    drawn = np.zeros_like(blob)
    cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    drawn[int(visible[1]) :] = 0
    drawn[:, int(visible[0]) :] = 0
    return float((drawn & blob).sum() / max(1, (drawn | blob).sum()))
