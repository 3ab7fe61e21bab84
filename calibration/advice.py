"""What to do about a photo of a board: nearer, a corner is out, glare, sharpness, light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.language import Message
from vision.images.board_light import light_on_board
from vision.images.light import is_cast
from vision.images.photo import PHOTO_LIMITS, detail
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import (
    Points,
    area_of,
    corners_of_size,
    homography_of_quads,
    px_per_mm,
)
from vision.registration.outline import find_outline

COARSE_MM = 0.8
"""Millimetres along a pixel from which on a photo is too coarse: the reading network sees the board
at 0.8, so from there on it is given nothing that a nearer photo would not show better."""

NARROW_PX = 1000
"""Long side under which a photo is refused at set-up: a board of 800 mm that fills it would be at
`COARSE_MM`."""

DARK_LEVEL = 0.04
"""Mean linear light on the board under which it is said to be dark: the evening-lamp renders, which
are still read, have 0.05 and more in their brightest channel."""

BURNT = 250
"""Level that all three channels pass where a lamp's mirror image has burnt the print out."""

GLARE_MM2 = 600.0
"""Smallest burnt patch that is told: two and a half printed boxes."""

EDGE_SHARE = 0.004
"""A corner nearer to the photo's edge than this share of the long side may lie beyond it."""

CORNERS: tuple[str, ...] = ("top-left", "top-right", "bottom-right", "bottom-left")
"""The corners as printed, in the order of `corners_px`."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One sentence about a photo; `good` where nothing has to be done."""

    code: str
    message: Message
    good: bool


def advise(photo_bgr: NDArray[np.uint8], board: Board, corners_px: Points) -> tuple[Advice, ...]:
    """All that is to be said about a photo (H, W, 3), uint8, BGR, with a board at these corners.

    What has to be done comes first.
    """
    said = [
        _resolution(corners_px, board),
        *_corners_out(photo_bgr, corners_px),
        *_glare(photo_bgr, board, corners_px),
        _sharpness(photo_bgr, corners_px),
        _light(photo_bgr, corners_px),
    ]
    return tuple(sorted(said, key=lambda one: one.good))


def advise_frame(photo_bgr: NDArray[np.uint8]) -> tuple[Advice, ...]:
    """The same of a live picture in which no board was looked for yet: outline, sharpness, light.

    Without an outline only one sentence.
    """
    outline = find_outline(photo_bgr)
    if outline is None:
        return (Advice("no-board", Message("calibration.advice.no-board"), False),)
    said = [_sharpness(photo_bgr, outline.corners_px), _light(photo_bgr, outline.corners_px)]
    if outline.cut > 0.02:
        said.append(Advice("cut", Message("calibration.advice.cut"), False))
    elif _share_of_photo(photo_bgr, outline.corners_px) < 0.3:
        said.append(Advice("nearer", Message("calibration.advice.nearer"), False))
    else:
        said.append(Advice("whole", Message("calibration.advice.whole"), True))
    return tuple(sorted(said, key=lambda one: one.good))


def is_too_narrow(photo_bgr: NDArray[np.uint8]) -> bool:
    """Whether a photo has too few pixels for set-up, however the board lies in it."""
    return bool(max(photo_bgr.shape[:2]) < NARROW_PX)


def _share_of_photo(photo_bgr: NDArray[np.uint8], corners_px: Points) -> float:
    return area_of(corners_px) / float(photo_bgr.shape[0] * photo_bgr.shape[1])


def _resolution(corners_px: Points, board: Board) -> Advice:
    mm = 1 / px_per_mm(corners_px, outline_mm(board))
    coarse = mm > COARSE_MM
    key = "calibration.advice.coarse" if coarse else "calibration.advice.resolution"
    return Advice("resolution", Message(key, mm=round(mm, 2)), not coarse)


def _corners_out(photo_bgr: NDArray[np.uint8], corners_px: Points) -> list[Advice]:
    height, width = photo_bgr.shape[:2]
    margin = EDGE_SHARE * max(width, height)
    inside = np.all(
        (corners_px >= margin) & (corners_px <= np.array([width, height]) - 1 - margin), axis=1
    )
    return [
        Advice("corner", Message(f"calibration.advice.out.{name}"), False)
        for name, is_in in zip(CORNERS, inside, strict=True)
        if not is_in
    ]


def _sharpness(photo_bgr: NDArray[np.uint8], corners_px: Points) -> Advice:
    """As `detail` tells it, on the board alone: a plain table would hide a blur."""
    flat = _straight(photo_bgr, corners_px, (1000, 700))
    found = detail(np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8))
    soft = found < PHOTO_LIMITS.soft_detail
    key = "calibration.advice.soft" if soft else "calibration.advice.sharp"
    return Advice("sharpness", Message(key), not soft)


def _light(photo_bgr: NDArray[np.uint8], corners_px: Points) -> Advice:
    light = light_on_board(photo_bgr, corners_px)
    if float(light.max()) < DARK_LEVEL:
        return Advice("light", Message("calibration.advice.dark"), False)
    if is_cast(light):
        return Advice("light", Message("calibration.advice.lamp"), True)
    return Advice("light", Message("calibration.advice.light"), True)


def _glare(photo_bgr: NDArray[np.uint8], board: Board, corners_px: Points) -> list[Advice]:
    """The burnt patches, each by the place that it covers or lies next to."""
    outline = outline_mm(board)
    low, high = outline[0], outline[2]
    width, height = (round(float(side)) for side in high - low)
    flat = _straight(photo_bgr, corners_px, (width, height))
    burnt = (flat.min(axis=2) >= BURNT).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
    names = [
        _nearest_place(board, middles[k] + low)
        for k in range(1, count)
        if stats[k, cv2.CC_STAT_AREA] >= GLARE_MM2
    ]
    return [
        Advice("glare", Message("calibration.advice.glare", place=name), False)
        for name in dict.fromkeys(names)
    ]


def _nearest_place(board: Board, at_mm: Points) -> str:
    """The name of the place nearest to a point in the millimetres of the board's frame.

    Places without a position stand between the first spaces of their routes.
    """
    size = np.array(board.frame.size_mm)
    known = {p.name: (p.x, p.y) for p in board.places if p.x is not None and p.y is not None}
    if not known:
        known = {
            board.place_by_id[end].name: (space.x, space.y)
            for route in board.routes
            if route.spaces
            for end, space in zip(route.ends, (route.spaces[0], route.spaces[-1]), strict=True)
        }
    return min(known, key=lambda name: float(np.hypot(*(np.array(known[name]) * size - at_mm))))


def _straight(
    photo_bgr: NDArray[np.uint8], corners_px: Points, size_px: tuple[int, int]
) -> NDArray[np.uint8]:
    """What lies within the corners, as a picture of that width and height."""
    inverse = homography_of_quads(corners_of_size(size_px) - 0.5, corners_px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shown = cv2.warpPerspective(photo_bgr, inverse, size_px, flags=flags)
    return np.asarray(shown, np.uint8)
