"""Finds cards by their outlines, whatever stands on them: light or dark rectangles on the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

LONG_SIDE_PX = 640
"""Photos are reduced to this; a card of a twentieth of it still has a clean edge."""
LEVELS = 9
"""Thresholds tried in each channel, at even parts of its range."""
LEAST_AREA, MOST_AREA = 0.002, 0.6
"""Of the photo."""
LEAST_FILL = 0.9
"""A card fills its turned rectangle but for the corners and some perspective."""
ASPECTS = (1.2, 2.0)
"""Long side over short side; cards of the five games have 1.4 to 1.56, seen aslant up to 2."""
SAME_PLACE = 0.5
"""Two outlines whose common area is more than this part of the larger one are one."""
ALIKE = 0.8
"""The same of two clumps."""
CLUMP_SOLIDITY = 0.8
"""Cards that touch fill this part of the shape drawn tightly around them."""
CLUMP_FILL = 0.6
"""The same of the turned rectangle around them."""
THINNED = (0.02, 0.05, 0.08)
"""By how much cards that touch are thinned on each side, as parts of the root of their area."""
PARTED_SEEN = 3
"""Thresholds at which a card that touches another must stand out: light on a table does at one."""
PARTED_LIKE = 0.12
"""By what part of a single card's area it may differ to count with one threshold less."""
CLUMP_SEEN = 5
"""The same of a clump: cards that touch stood out at 11."""
THING_SOLIDITY, THING_FILL = 0.65, 0.5
"""The same two of anything else: of a card as pale as the table only its map stands out."""
THING_SEEN = 4
"""Thresholds at which it must stand out: such a map did at nine."""
CUT_FILL, CUT_SEEN, CUT_CHANGE = 0.85, 2, 0.1
"""The same of what the photo's edge cuts off: part of its rectangle, thresholds, change of area."""
CLUMP_CHANGE = 0.04
"""Standard deviation of its area over these, as a part of it: 0.02 where cards touch, 0.07 to 0.1
where cards and light run together."""


@dataclass(frozen=True, slots=True, eq=False)
class CardOutline:
    """A card's four corners in photo pixels, shape (4, 2), clockwise as seen.

    `filled_px` is the area of what stands out within them, `is_alone` whether nothing touches it.
    """

    corners_px: NDArray[np.float64]
    filled_px: float
    is_alone: bool = True

    @property
    def area_px(self) -> float:
        return float(cv2.contourArea(self.corners_px.astype(np.float32)))

    @property
    def centre_px(self) -> NDArray[np.float64]:
        return np.asarray(self.corners_px.mean(axis=0))

    @property
    def sides_px(self) -> tuple[float, float]:
        """The shorter side and the longer one."""
        one, other = np.linalg.norm(np.diff(self.corners_px[:3], axis=0), axis=1)
        return float(min(one, other)), float(max(one, other))

    def holds(self, point_px: NDArray[np.float64]) -> bool:
        x, y = float(point_px[0]), float(point_px[1])
        return cv2.pointPolygonTest(self.corners_px.astype(np.float32), (x, y), False) >= 0


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """What stands out on the table: `cards` are rectangles like a card, the clearest first.

    `clumps` are whatever else is compact: cards that touch each other are one. `things` are less
    compact: parts of a card may be one, or nothing but light. `cut` are rectangles, all but, that
    the photo's edge cuts off.
    """

    cards: tuple[CardOutline, ...]
    clumps: tuple[CardOutline, ...]
    things: tuple[CardOutline, ...] = ()
    cut: tuple[CardOutline, ...] = ()


def find_shapes(image_bgr: NDArray[np.uint8]) -> Shapes:
    """The cards and clumps of cards in an image of shape (H, W, 3)."""
    scale = min(1.0, LONG_SIDE_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    all_found = sorted(
        _candidates(np.asarray(small, np.uint8)), key=lambda one: (one.is_parted, -one.fill)
    )
    found = [one for one in all_found if not one.is_cut]
    cards = _in_places([one for one in found if one.is_card], SAME_PLACE)
    clumps = _in_places([one for one in found if one.is_clump], ALIKE)
    things = _in_places([one for one in found if not one.is_card], SAME_PLACE)
    cut = _in_places([one for one in all_found if one.is_cut], ALIKE)
    return Shapes(
        tuple(_outline(same[0], scale) for same in cards if _stands_out(same, cards)),
        tuple(
            _outline(same[0], scale)
            for same in clumps
            if _is_steady(same, CLUMP_SEEN, CLUMP_CHANGE)
        ),
        tuple(_outline(same[0], scale) for same in things if len(same) >= THING_SEEN),
        tuple(_outline(same[0], scale) for same in cut if _is_steady(same, CUT_SEEN, CUT_CHANGE)),
    )


def _stands_out(same: Sequence["_Candidate"], cards: Sequence[Sequence["_Candidate"]]) -> bool:
    """Whether a card is one: seen by itself, or parted from others at several thresholds.

    Fewer are enough where it is as large as those seen by themselves.
    """
    if not same[0].is_parted or len(same) >= PARTED_SEEN:
        return True
    alone = [others[0].area_px for others in cards if not others[0].is_parted]
    card_px = float(np.median(alone)) if len(alone) > 1 else 0.0
    return len(same) >= PARTED_SEEN - 1 and abs(same[0].area_px - card_px) < PARTED_LIKE * card_px


def _is_steady(same: Sequence["_Candidate"], least_seen: int, most_change: float) -> bool:
    """Whether something stands out at many thresholds, always of one size: light has no edge."""
    areas = [one.area_px for one in same]
    return len(same) >= least_seen and float(np.std(areas) / np.median(areas)) < most_change


def _in_places(found: Sequence["_Candidate"], alike: float) -> list[list["_Candidate"]]:
    """Those that overlap the first of their place by that part, the clearest first."""
    places: list[list[_Candidate]] = []
    for one in found:
        here = next((p for p in places if _overlap(one.corners, p[0].corners) > alike), None)
        if here is None:
            places.append([one])
        else:
            here.append(one)
    return places


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """The turned rectangle around something, how well it is filled, and by how many pixels."""

    corners: NDArray[np.float32]
    fill: float
    area_px: float
    is_card: bool = False
    is_clump: bool = False
    is_cut: bool = False
    is_parted: bool = False


def _outline(one: _Candidate, scale: float) -> CardOutline:
    corners = (one.corners / scale).astype(np.float64)
    return CardOutline(corners, one.area_px / scale**2, not one.is_parted)


def _candidates(small_bgr: NDArray[np.uint8]) -> Iterator[_Candidate]:
    area = small_bgr.shape[0] * small_bgr.shape[1]
    for mask in _masks(small_bgr):
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            inside = cv2.contourArea(contour)
            if LEAST_AREA * area < inside < MOST_AREA * area:
                if _is_cut(np.asarray(contour), small_bgr.shape):
                    yield from _cut(np.asarray(contour), inside)
                    continue
                one = _candidate(np.asarray(contour), inside)
                found = [] if one is None else [one]
                if one is None or not one.is_card:
                    found += _parted(np.asarray(contour), LEAST_AREA * area)
                yield from (x for x in found if not _touches_edge(x.corners, small_bgr.shape))


def _is_cut(contour: NDArray[np.int32], shape: Sequence[int]) -> bool:
    x, y, width, height = cv2.boundingRect(contour)
    return x <= 0 or y <= 0 or x + width >= shape[1] or y + height >= shape[0]


def _cut(contour: NDArray[np.int32], inside_px: float) -> Iterator[_Candidate]:
    rectangle = cv2.minAreaRect(contour)
    fill = inside_px / (rectangle[1][0] * rectangle[1][1])
    if fill > CUT_FILL:
        corners = np.asarray(cv2.boxPoints(rectangle), np.float32)
        yield _Candidate(corners, fill, inside_px, is_cut=True)


def _parted(contour: NDArray[np.int32], least_px: float) -> Iterator[_Candidate]:
    """Cards that touch at a corner or an edge's end: what is left of them when all is thinned."""
    x, y, width, height = cv2.boundingRect(contour)
    shape = np.zeros((height + 2, width + 2), np.uint8)
    cv2.fillPoly(shape, [contour - (x - 1, y - 1)], 1)
    for part_of_side in THINNED:
        thin_px = round(part_of_side * float(np.sqrt(cv2.contourArea(contour))))
        kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (2 * thin_px + 1, 2 * thin_px + 1))
        parts, _ = cv2.findContours(
            cv2.erode(shape, kernel), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        for part in parts if len(parts) > 1 else ():
            (u, v), (one, other), angle = cv2.minAreaRect(part)
            inside = cv2.contourArea(part)
            if inside < LEAST_FILL * one * other or inside < least_px:
                continue
            # A turned square reaches farther than an upright one.
            grown = 2 * thin_px * (abs(np.cos(np.deg2rad(angle))) + abs(np.sin(np.deg2rad(angle))))
            sides = one + grown, other + grown
            if ASPECTS[0] < max(sides) / min(sides) < ASPECTS[1]:
                fill = inside / (one * other)
                box = cv2.boxPoints(((u + x - 1, v + y - 1), sides, angle))
                corners = np.asarray(box, np.float32)
                yield _Candidate(
                    corners, fill, fill * sides[0] * sides[1], is_card=True, is_parted=True
                )


def _candidate(contour: NDArray[np.int32], inside_px: float) -> _Candidate | None:
    rectangle = cv2.minAreaRect(contour)
    sides = sorted(rectangle[1])
    fill = inside_px / (sides[0] * sides[1])
    corners = np.asarray(cv2.boxPoints(rectangle), np.float32)
    if fill > LEAST_FILL and ASPECTS[0] < sides[1] / sides[0] < ASPECTS[1]:
        return _Candidate(corners, fill, inside_px, is_card=True)
    solidity = inside_px / cv2.contourArea(cv2.convexHull(contour))
    if solidity < THING_SOLIDITY or fill < THING_FILL:
        return None
    is_clump = solidity > CLUMP_SOLIDITY and fill > CLUMP_FILL
    return _Candidate(corners, fill, inside_px, is_clump=is_clump)


def _masks(small_bgr: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    lab = cv2.cvtColor(cv2.GaussianBlur(small_bgr, (3, 3), 0), cv2.COLOR_BGR2LAB)
    for channel in cv2.split(lab):
        low, high = np.percentile(channel, (2, 98))
        for level in np.linspace(low, high, LEVELS + 2)[1:-1]:
            lighter = (channel > level).astype(np.uint8)
            yield lighter
            yield 1 - lighter


def _touches_edge(corners: NDArray[np.float32], shape: Sequence[int]) -> bool:
    limits = np.array([shape[1] - 2, shape[0] - 2])
    return bool((corners < 1).any() or (corners > limits).any())


def _overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(common) / max(cv2.contourArea(one), cv2.contourArea(other), 1.0)
