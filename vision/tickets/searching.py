"""Finds and reads every line of text, with as few pixels as the letters' size allows."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import TextFound, TextLine, find_lines
from vision.tickets.names import Lexicon
from vision.tickets.networks import TextNetworks
from vision.tickets.outlines import CardOutline
from vision.tickets.plates import ReadLine
from vision.tickets.reading_lines import Script, read_script
from vision.tickets.spotting import spot

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
SURELY_UPRIGHT = -0.06
"""Clearness above which a line is read the right way: upside down the best of 37 had -0.17."""
LEAST_LETTERS = 2
BACKS = 2
"""Cards without text after which the others are not looked at."""
SLANT_DEG = 30.0
CARD_PIXELS = 0.135e6
"""Of a look at one card, or at cards that touch."""
MOST_ENLARGED = 1.6
CARD_MARGIN = 1.12
"""Names at a card's very edge are found only with some of the table around them."""
LEGIBLE_PX = 20.0
"""Height of the letters from which a look at the whole card is as good as one at its names."""
NEAR_PX = 32.0
"""Height of the letters in a look at one card's names."""
NAMES_ALONG, NAMES_DOWN = 12.0, 5.0
"""How much more than the names found is looked at then, in heights of the letters."""
TURNED_PIXELS = 0.45e6
"""Of a look with the photo turned."""
SAME_LINE = 0.35
"""Two lines that have this part of the smaller one in common stand in one place."""
GROWN = 1.4
"""By how much of its height a doubtful line is lengthened."""
LONGER = 1.15
"""A line longer by this than one that is read already may show another letter."""
LOWER = 0.75
"""A line lower by this may be one of two that were seen as one."""
LEGIBLE = 4.0
"""How much a line's clearness counts beside the number of its letters."""
BLOB = 2.4
"""In heights of the lines that were read."""
FAR = 1.3
"""In widths of the widest line: what is farther from every line read belongs to another card."""
SPOT = 0.1
"""Area of a spot that may be a name beside that of the smallest line read."""
SMALL_PX = 12.0
"""Height of a line, grown, in the coarse look: lower ones may be found on some cards only."""
CLEARLY_READ = -0.1
"""Clearness of a line whose height tells how many pixels the closer look needs."""


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
    """A look at each of these cards. What is found on one tells which way the next is read;

    where cards show nothing either way, the others are backs as well.
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
    return abs((line.angle_deg - own + 90) % 180 - 90) < SLANT_DEG


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
    angle = np.deg2rad(card[0].angle_deg)
    along, down = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    corners = np.concatenate([_corners(read.line) for read in card])
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
        angle_deg=(line.angle_deg + angle_deg + 90) % 180 - 90,
    )


def best_of(looks: Sequence[ReadLine]) -> list[ReadLine]:
    """The lines of several looks: of those in one place the one that says most, and clearest."""
    kept: list[ReadLine] = []
    for read in sorted(looks, key=_legible, reverse=True):
        if not any(_same_place(read.line, other.line) for other in kept):
            kept.append(read)
    return sorted(kept, key=lambda read: (read.line.y_px, read.line.x_px))


def grown(line: TextLine) -> TextLine:
    """The line with a letter's room at both ends, which the detector may have cut off."""
    return replace(line, width_px=line.width_px + GROWN * line.height_px)


def elsewhere(lines: Sequence[TextLine], read: Sequence[ReadLine]) -> list[TextLine]:
    """One of the lines for each place in which nothing was read."""
    kept: list[TextLine] = []
    for line in lines:
        if not any(_same_place(line, other) for other in (*kept, *(one.line for one in read))):
            kept.append(line)
    return kept


def not_yet_clear(lines: Sequence[TextLine], read: Sequence[ReadLine]) -> list[TextLine]:
    """Those of the lines that show more than the clearly read ones in their places."""
    clear = [other.line for other in read if other.script.clearness > SURELY_UPRIGHT]
    return [
        line
        for line in lines
        if not any(
            _same_place(line, other)
            and line.width_px < LONGER * other.width_px
            and line.height_px > LOWER * other.height_px
            for other in clear
        )
    ]


def _legible(read: ReadLine) -> float:
    return read.script.letters * float(np.exp(LEGIBLE * read.script.clearness))


def _same_place(one: TextLine, other: TextLine) -> bool:
    reach = (one.width_px + other.width_px) / 2
    if abs(one.x_px - other.x_px) > reach or abs(one.y_px - other.y_px) > reach:
        return False
    areas = one.width_px * one.height_px, other.width_px * other.height_px
    _, common = cv2.rotatedRectangleIntersection(_rectangle(one), _rectangle(other))
    return common is not None and float(cv2.contourArea(common)) > SAME_LINE * min(areas)


def _rectangle(line: TextLine) -> cv2.typing.RotatedRect:
    return (line.x_px, line.y_px), (line.width_px, line.height_px), line.angle_deg


def _corners(line: TextLine) -> NDArray[np.float64]:
    return np.asarray(cv2.boxPoints(_rectangle(line)), np.float64)


def has_blobs(
    lines: Sequence[TextLine], read: Sequence[ReadLine], told: Sequence[CardOutline] = ()
) -> bool:
    """Whether lines ran into each other: something much higher than the lines that were read,

    in none of the outlines of cards that were `told`.
    """
    clear = [x.line.height_px for x in read if x.script.clearness > CLEARLY_READ]
    high = BLOB * float(np.median(clear)) if clear else 0.0
    blobs = [np.array([x.x_px, x.y_px]) for x in lines if x.height_px > high]
    return bool(clear) and any(not _within(blob, told) for blob in blobs)


def has_small_letters(image_bgr: NDArray[np.uint8], read: Sequence[ReadLine]) -> bool:
    """Whether the cards are so small that the coarse look may have missed some."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, float(np.sqrt(FIRST_PIXELS / (height * width))))
    clear = [x.line.height_px * scale for x in read if x.script.clearness > CLEARLY_READ]
    return bool(clear) and float(np.median(clear)) < SMALL_PX


def may_be_missed(
    found: TextFound, read: Sequence[ReadLine], told: Sequence[CardOutline] = ()
) -> bool:
    """Whether there may be text far from all lines that were read.

    What is within the outlines of cards that were `told`, or much smaller than a name, is none.
    """
    if not read:
        return True
    centres = np.array([line.centre for line in read])
    reach = FAR * max(line.line.width_px for line in read)
    least_px = SPOT * min(line.line.width_px * line.line.height_px for line in read)
    return any(
        area_px > least_px
        and np.linalg.norm(centres - (x, y), axis=1).min() > reach
        and not _within(np.array([x, y]), told)
        for x, y, area_px in found.perhaps_px
    )


def _within(point_px: NDArray[np.float64], outlines: Sequence[CardOutline]) -> bool:
    return any(outline.holds(point_px) for outline in outlines)


def _pixels_worth_while(part_bgr: NDArray[np.uint8], read: Sequence[ReadLine]) -> float:
    """As many as make the lower lines `WANTED_PX` high, if that many are allowed."""
    clear = [x.line.height_px for x in read if x.script.clearness > CLEARLY_READ]
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


def read_lines(
    image_bgr: NDArray[np.uint8],
    lines: Sequence[TextLine],
    networks: TextNetworks,
    lexicon: Lexicon,
) -> list[ReadLine]:
    """The lines that bear letters, each read the right way round."""
    read: list[ReadLine] = []
    likely = 0
    for line in lines:
        if line.is_longish:
            turn, script = _upright(image_bgr, line, networks, lexicon, likely)
            if script.letters >= LEAST_LETTERS:
                spots = spot([script], lexicon)
                read.append(ReadLine(line, line.angle_deg + turn, script, spots))
                likely = turn if script.clearness > SURELY_UPRIGHT else likely
    return read


def _upright(
    image_bgr: NDArray[np.uint8],
    line: TextLine,
    networks: TextNetworks,
    lexicon: Lexicon,
    likely_deg: int,
) -> tuple[int, Script]:
    """The turn, 0 or 180 degrees, and what stands there: the way in which it is clearer.

    The likely one, in which the line before was read, is enough where it is clear.
    """
    likely = read_script(image_bgr, line, likely_deg, networks, lexicon)
    if likely.letters >= LEAST_LETTERS and likely.clearness > SURELY_UPRIGHT:
        return likely_deg, likely
    other_deg = 180 - likely_deg
    other = read_script(image_bgr, line, other_deg, networks, lexicon)
    if other.letters and (other.clearness > likely.clearness or not likely.letters):
        return other_deg, other
    return likely_deg, likely
