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
CARD_LONG_SIDE_PX = 640
CARD_MARGIN = 1.04
FAR = 1.3
"""In widths of the widest line: what is farther from every line read belongs to another card."""
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
) -> tuple[TextLine, ...]:
    """A closer look where cards may lie: around what the coarse look found, and the outlines."""
    left, top, right, bottom = _where_cards_lie(image_bgr.shape, coarse, outlines)
    part = image_bgr[top:bottom, left:right]
    closer = find_lines(part, networks.detector, _pixels_worth_while(part, read))
    return tuple(replace(x, x_px=x.x_px + left, y_px=x.y_px + top) for x in closer.lines)


def look_at_card(
    image_bgr: NDArray[np.uint8], corners_px: NDArray[np.float64], networks: TextNetworks
) -> tuple[TextLine, ...]:
    """A look at one card, turned level: slanting text is the hardest to find."""
    (x, y), (width, height), angle = cv2.minAreaRect(corners_px.astype(np.float32))
    width, height = width * CARD_MARGIN, height * CARD_MARGIN
    scale = CARD_LONG_SIDE_PX / max(width, height)
    size = round(width * scale), round(height * scale)
    turn = np.asarray(cv2.getRotationMatrix2D((x, y), angle, scale), np.float64)
    turn[:, 2] += np.array(size) / 2 - (x, y)
    flags = cv2.INTER_LINEAR if scale > 0.5 else cv2.INTER_AREA
    level = np.asarray(cv2.warpAffine(image_bgr, turn, size, flags=flags), np.uint8)
    found = find_lines(level, networks.detector, float(size[0] * size[1]))
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    return tuple(_in_photo(line, back, scale, angle) for line in found.lines)


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


def may_be_missed(coarse: TextFound, read: Sequence[ReadLine]) -> bool:
    """Whether there may be text far from all lines that were read."""
    if not read:
        return True
    centres = np.array([line.centre for line in read])
    reach = FAR * max(line.line.width_px for line in read)
    steps = coarse.perhaps_px[:, None] - centres[None]
    return bool((np.linalg.norm(steps, axis=2).min(axis=1) > reach).any()) if len(steps) else False


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
    read = []
    for line in lines:
        if line.is_longish:
            turn, script = _upright(image_bgr, line, networks, lexicon)
            if script.letters >= LEAST_LETTERS:
                spots = spot([script], lexicon)
                read.append(ReadLine(line, line.angle_deg + turn, script, spots))
    return read


def _upright(
    image_bgr: NDArray[np.uint8], line: TextLine, networks: TextNetworks, lexicon: Lexicon
) -> tuple[float, Script]:
    """The turn, 0 or 180 degrees, and what stands there: the way in which it is clearer."""
    as_found = read_script(image_bgr, line, 0, networks, lexicon)
    if as_found.letters >= LEAST_LETTERS and as_found.clearness > SURELY_UPRIGHT:
        return 0.0, as_found
    turned = read_script(image_bgr, line, 180, networks, lexicon)
    if turned.letters and (turned.clearness > as_found.clearness or not as_found.letters):
        return 180.0, turned
    return 0.0, as_found
