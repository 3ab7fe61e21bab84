"""Looks for lines of text in a photo, with as few pixels as the letters' size allows."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.angles import level_deg
from vision.tickets.lines import TextFound, TextLine, along_and_down, find_lines
from vision.tickets.networks import TextNetworks
from vision.tickets.outlines import CardOutline
from vision.tickets.plates import ReadLine
from vision.tickets.upright import clear_heights_px

FIRST_PIXELS = 0.4e6
"""Of the whole photo at first: lines of large cards are read from this look alone."""
SECOND_PIXELS = 0.9e6
"""At most, of the part of the photo that holds cards, where the first look leaves doubts."""
WANTED_PX = 24.0
"""Height of the lower lines, grown, in the closer look."""
MARGIN_WIDTHS = 4.0
"""Around what the first look found, in widths of the widest line: a row of cards of which it found
nothing still lies within."""
MARGIN = (0.04, 0.2)
"""Least and most of it, as parts of the photo's long side."""
BACKS = 2
"""Cards without text after which the others are not looked at."""
SLANT_DEG = 30.0
"""Lines that differ less from their card's direction are level with it."""
CARD_PIXELS = 0.135e6
"""Of a look at one card, or at cards that touch."""
MOST_ENLARGED = 1.6
"""Beyond that a larger picture shows no more of the letters."""
CARD_MARGIN = 1.12
"""Names at a card's very edge are found only with some of the table around them."""
LEGIBLE_PX = 20.0
"""Height of the letters from which a look at the whole card is as good as one at its names."""
NEAR_PX = 32.0
"""Height of the letters in a look at one card's names."""
NAMES_ALONG, NAMES_DOWN = 12.0, 5.0
"""How much more than the names found is looked at then, in heights of the letters."""
AROUND, AROUND_PIXELS = 2.6, 0.25e6
"""Of a look at a thing: its side in long sides of the thing, and its pixels."""
TURNED_PIXELS = 0.45e6
"""Of a look with the photo turned."""


def look_at_all(image_bgr: NDArray[np.uint8], networks: TextNetworks) -> TextFound:
    """A coarse look over the whole photo."""
    return find_lines(image_bgr, networks.detector, FIRST_PIXELS)


def look_closer(
    image_bgr: NDArray[np.uint8],
    coarse: TextFound,
    read: Sequence[ReadLine],
    outlines: Sequence[CardOutline],
    networks: TextNetworks,
) -> TextFound:
    """A closer look where cards may lie: around what the coarse look found, and the outlines."""
    left, top, right, bottom = _where_cards_lie(image_bgr.shape, coarse, outlines)
    part = image_bgr[top:bottom, left:right]
    closer = find_lines(part, networks.detector, _pixels_worth_while(part, read))
    lines = [replace(x, x_px=x.x_px + left, y_px=x.y_px + top) for x in closer.lines]
    shift = np.array([left, top, 0.0])
    return TextFound(tuple(lines), closer.perhaps_px + shift, coarse.extent_px)


def _pixels_worth_while(part_bgr: NDArray[np.uint8], read: Sequence[ReadLine]) -> float:
    """As many as make the lower lines `WANTED_PX` high, if that many are allowed."""
    clear = clear_heights_px(read)
    if not clear:
        return SECOND_PIXELS
    factor = WANTED_PX / float(np.percentile(clear, 20))
    return float(min(SECOND_PIXELS, factor**2 * part_bgr.shape[0] * part_bgr.shape[1]))


def _where_cards_lie(
    shape: Sequence[int], coarse: TextFound, outlines: Sequence[CardOutline]
) -> tuple[int, int, int, int]:
    """Left, top, right and bottom around all of it; the whole photo where there is nothing."""
    height, width = shape[:2]
    points = [corner for outline in outlines for corner in outline.corners_px]
    if coarse.extent_px is not None:
        points += [np.array(coarse.extent_px[:2]), np.array(coarse.extent_px[2:])]
    if not points:
        return 0, 0, width, height
    wide = MARGIN_WIDTHS * max([x.width_px for x in coarse.lines], default=width)
    least, most = (part * max(height, width) for part in MARGIN)
    margin = min(max(wide, least), most)
    low = np.maximum(np.min(points, axis=0) - margin, 0).astype(int)
    high = np.minimum(np.max(points, axis=0) + margin, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def look_at_card(
    image_bgr: NDArray[np.uint8],
    corners_px: NDArray[np.float64],
    networks: TextNetworks,
    *,
    is_wide: bool = True,
) -> tuple[TextLine, ...]:
    """A look at one card, turned level: slanting text is the hardest to find.

    A card that `is_wide` is read along its longer side.
    """
    centre, (width, height), angle = _level(corners_px, is_wide)
    size = width * CARD_MARGIN, height * CARD_MARGIN
    scale = _scale_of_card((width, height))
    return _look_level(image_bgr, centre, size, angle, scale, networks)


def _scale_of_card(size_px: tuple[float, float]) -> float:
    grown_px = CARD_MARGIN**2 * size_px[0] * size_px[1]
    return min(MOST_ENLARGED, float(np.sqrt(CARD_PIXELS / grown_px)))


def _level(
    corners_px: NDArray[np.float64], is_wide: bool
) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Centre, width and height of a card that lies level once it is turned back by the angle."""
    (x, y), (width, height), angle = cv2.minAreaRect(corners_px.astype(np.float32))
    if is_wide != (width > height):
        width, height, angle = height, width, angle + 90
    return (x, y), (width, height), angle


def look_at_cards(
    image_bgr: NDArray[np.uint8],
    cards_px: Sequence[NDArray[np.float64]],
    networks: TextNetworks,
) -> list[TextLine]:
    """A look at each of these cards.

    What is found on one tells which way the next is read; where cards show nothing either way, the
    others are backs as well.
    """
    found: list[TextLine] = []
    is_wide, without = True, 0
    for corners_px in cards_px:
        if not networks.detector.may_go_on:
            break
        for way in (is_wide, not is_wide):
            lines = look_at_card(image_bgr, corners_px, networks, is_wide=way)
            found += lines
            if any(line.is_longish and _runs_along(line, corners_px, way) for line in lines):
                is_wide = way
                break
        else:
            without += 1
            if without == BACKS:
                break
    return found


def _runs_along(line: TextLine, corners_px: NDArray[np.float64], is_wide: bool) -> bool:
    """Whether a line runs along a card's longer side, or its shorter where it is not wide."""
    _, _, own = _level(corners_px, is_wide)
    return abs(level_deg(line.angle_deg - own)) < SLANT_DEG


def look_at_names(
    image_bgr: NDArray[np.uint8],
    card: Sequence[ReadLine],
    networks: TextNetworks,
    corners_px: NDArray[np.float64] | None = None,
) -> tuple[TextLine, ...]:
    """A look from near at where a card's names stand, turned level.

    Where the card's own corners (4, 2) are seen they tell better how it lies than a short name,
    and the whole card is looked at if its letters are large enough then.
    """
    if corners_px is not None:
        is_wide = _runs_along(card[0].line, corners_px, is_wide=True)
        scale = _scale_of_card(_level(corners_px, is_wide)[1])
        if scale * min(read.line.height_px for read in card) > LEGIBLE_PX:
            return look_at_card(image_bgr, corners_px, networks, is_wide=is_wide)
    along, down = along_and_down(card[0].angle_deg)
    corners = np.concatenate([read.line.corners_px for read in card])
    low = np.array([(corners @ along).min(), (corners @ down).min()])
    high = np.array([(corners @ along).max(), (corners @ down).max()])
    letters_px = float(np.median([read.line.height_px for read in card]))
    middle = (low + high) / 2
    size = high - low + np.array([NAMES_ALONG, NAMES_DOWN]) * letters_px
    centre = middle[0] * along + middle[1] * down
    scale = min(NEAR_PX / letters_px, float(np.sqrt(FIRST_PIXELS / (size[0] * size[1]))))
    at, of = (float(centre[0]), float(centre[1])), (float(size[0]), float(size[1]))
    return _look_level(image_bgr, at, of, card[0].angle_deg, scale, networks)


def look_turned(
    image_bgr: NDArray[np.uint8],
    coarse: TextFound,
    outlines: Sequence[CardOutline],
    turn_deg: float,
    networks: TextNetworks,
) -> tuple[TextLine, ...]:
    """A look where cards may lie, with the photo turned so that lines of that direction are level.

    The detector finds lines up to about 20 degrees off; more slanting ones run into each other.
    """
    left, top, right, bottom = _where_cards_lie(image_bgr.shape, coarse, outlines)
    width, height = right - left, bottom - top
    angle = np.deg2rad(turn_deg)
    cos, sin = abs(float(np.cos(angle))), abs(float(np.sin(angle)))
    size = width * cos + height * sin, width * sin + height * cos
    scale = min(1.0, float(np.sqrt(TURNED_PIXELS / (size[0] * size[1]))))
    centre = (left + right) / 2, (top + bottom) / 2
    return _look_level(image_bgr, centre, size, turn_deg, scale, networks)


def look_around(
    image_bgr: NDArray[np.uint8], thing: CardOutline, letters_px: float, networks: TextNetworks
) -> list[TextLine]:
    """Looks at something and what lies around it, turned level and then by 90 degrees.

    `letters_px` is how high the letters are on other cards.
    """
    centre, _, angle = _level(thing.corners_px, is_wide=True)
    side = AROUND * thing.sides_px[1]
    scale = min(1.0, NEAR_PX / letters_px, float(np.sqrt(AROUND_PIXELS)) / side)
    return [
        line
        for turn in (0.0, 90.0)
        for line in _look_level(image_bgr, centre, (side, side), angle + turn, scale, networks)
    ]


def _look_level(
    image_bgr: NDArray[np.uint8],
    centre_px: tuple[float, float],
    size_px: tuple[float, float],
    angle_deg: float,
    scale: float,
    networks: TextNetworks,
) -> tuple[TextLine, ...]:
    """A look at a turned rectangle of the photo, its sides level."""
    size = max(1, round(size_px[0] * scale)), max(1, round(size_px[1] * scale))
    turn = np.asarray(cv2.getRotationMatrix2D(centre_px, angle_deg, scale), np.float64)
    turn[:, 2] += np.array(size) / 2 - centre_px
    # Not INTER_AREA, which this function takes for linear: a photo much reduced would flicker.
    level = _warped(image_bgr, turn, size, scale)
    found = find_lines(level, networks.detector, float(size[0] * size[1]))
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    return tuple(_in_photo(line, back, scale, angle_deg) for line in found.lines)


def _warped(
    image_bgr: NDArray[np.uint8], turn: NDArray[np.float64], size: tuple[int, int], scale: float
) -> NDArray[np.uint8]:
    if scale < 0.7:
        image_bgr = np.asarray(
            cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        turn = turn @ np.diag([1 / scale, 1 / scale, 1.0])
    border = cv2.BORDER_REPLICATE
    warped = cv2.warpAffine(image_bgr, turn, size, flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(warped, np.uint8)


def _in_photo(
    line: TextLine, back: NDArray[np.float64], scale: float, angle_deg: float
) -> TextLine:
    x, y = back @ np.array([line.x_px, line.y_px, 1.0])
    return replace(
        line,
        x_px=float(x),
        y_px=float(y),
        width_px=line.width_px / scale,
        height_px=line.height_px / scale,
        angle_deg=level_deg(line.angle_deg + angle_deg),
    )
