"""How this set's wagons look under this table's lamp, measured on a photo with wagons."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Lab
from calibration.errors import WagonColoursError
from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.reader import read_photos
from vision.reading import Reading
from vision.registration.geometry import Points
from vision.registration.reference import Reference
from vision.spaces.located_image import LocatedImage, seen_board
from vision.wagons.find import find_wagons, wagon_quads_px

SURE = 0.98
"""Confidence from which a space counts: a wrong wagon would spoil its colour's mean."""

FEWEST_WAGONS = 4
"""Wagons of a colour that make a mean in a game: one may lie in a shadow, or be misread."""

MOST_LAID_OUT = 24
"""With no more wagons than this on the board they were laid out for the photo, not played: some of
each of six colours. Then one of a colour is enough."""

LOOK_ALIKE = 15.0
"""Distance in CIE Lab under which two colours of wagons look alike: the nearest two on 11 photos
and renders that are read well, in bad light too, are 23 apart (black and purple)."""

SURE_BESIDE, SURE_COLOUR, BESIDE_MM = 0.55, 0.9, 11.0
"""Least chance of a wagon that stands on no space, least probability of its colour, and how far its
middle lies from any space's: on seven empty photos and renders nothing so far has over 0.48, drawn
wagons have 0.67 and more. Nearer to a space the print looks like wagons, and its reading counts."""

INNER_PART = 0.5
"""Share of a space's length and width that is measured: the wagon, not the print around it."""


def measure_wagon_colours(
    photo_bgr: NDArray[np.uint8], board: Board, reference: Reference
) -> Mapping[str, Lab]:
    """The mean colour of each player's wagons in the photo (H, W, 3), uint8, BGR.

    Raises VisionError where the photo can't be read, WagonColoursError where no colour has
    enough wagons.
    """
    reading = read_photos([photo_bgr], board, reference=reference)
    beside = wagons_beside(photo_bgr, board, reading.registration.spaces_px)
    means = mean_colours(photo_bgr, reading, beside)
    if not means:
        raise WagonColoursError("calibration.no-wagons")
    return means


def look_alike(colours: Mapping[str, Lab]) -> list[tuple[str, str]]:
    """Pairs of colours whose wagons look alike under this lamp (CIE 1976, Euclidean distance)."""
    pairs = itertools.combinations(colours, 2)
    return [(a, b) for a, b in pairs if math.dist(colours[a], colours[b]) < LOOK_ALIKE]


@dataclass(frozen=True, slots=True, eq=False)
class WagonBeside:
    """A wagon that stands on no space: its colour, and its corners (4, 2) in photo pixels."""

    colour: str
    quad_px: Points


def wagons_beside(
    photo_bgr: NDArray[np.uint8], board: Board, spaces_px: Points
) -> list[WagonBeside]:
    """Wagons that were laid anywhere but on a space; `spaces_px` (N, 4, 2) are the spaces."""
    found = find_wagons(seen_board(LocatedImage(photo_bgr, spaces_px), board), board)
    off_mm = np.hypot(*(found.at_mm[:, None] - found.spaces_mm.mean(axis=1)).transpose(2, 0, 1))
    certain = (found.chances >= SURE_BESIDE) & (found.colours.max(axis=1) >= SURE_COLOUR)
    rows = np.flatnonzero(certain & (off_mm.min(axis=1, initial=np.inf) >= BESIDE_MM))
    height, width = photo_bgr.shape[:2]
    quads = wagon_quads_px(found, board, spaces_px, (width, height))
    colours = [COLOURS[int(found.colours[row].argmax())] for row in rows]
    return [
        WagonBeside(colour, quads[row])
        for row, colour in zip(rows, colours, strict=True)
        if colour in board.player_colours
    ]


def mean_colours(
    photo_bgr: NDArray[np.uint8], reading: Reading, beside: Sequence[WagonBeside] = ()
) -> Mapping[str, Lab]:
    """The mean colour of the spaces that a reading is sure about, by player colour.

    Wagons `beside` the spaces count too. Of a game's colours only those with `FEWEST_WAGONS`.
    """
    unit_bgr = photo_bgr.astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(unit_bgr, cv2.COLOR_BGR2Lab), np.float32)
    found: dict[str, list[NDArray[np.float64]]] = {}
    for wagon in beside:
        found.setdefault(wagon.colour, []).append(_mean_inside(lab, wagon.quad_px))
    spaces = [space for route in reading.routes.values() for space in route.spaces]
    for space, quad_px in zip(spaces, reading.registration.spaces_px, strict=True):
        if space.label not in ("empty", "occluded") and space.confidence >= SURE:
            found.setdefault(space.label, []).append(_mean_inside(lab, quad_px))
    fewest = 1 if sum(map(len, found.values())) <= MOST_LAID_OUT else FEWEST_WAGONS
    return {
        colour: _as_lab(np.median(means, axis=0))
        for colour, means in found.items()
        if len(means) >= fewest
    }


def _mean_inside(lab: NDArray[np.float32], quad_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the quad's inner part, cut from the smallest upright box around it."""
    centre = quad_px.mean(axis=0)
    inner = centre + INNER_PART * (quad_px - centre)
    left, top = np.maximum(np.floor(inner.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(inner.max(axis=0)).astype(int) + 1
    patch = lab[top:bottom, left:right]
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(inner - (left, top)).astype(np.int32), 1)
    return np.asarray(cv2.mean(patch, mask)[:3], np.float64)


def _as_lab(values: NDArray[np.float64]) -> Lab:
    lightness, a, b = (float(value) for value in values)
    return lightness, a, b
