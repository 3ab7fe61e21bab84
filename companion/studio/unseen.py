"""A space that the photo hides, by glare or by what lies on it: laid where its line goes on."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes, turned_deg
from companion.studio.seeing import Sheet, end_of, is_known, seen_near
from scoring.board.angles import line_deg
from vision.registration.geometry import Points

STEP = 1.06
"""Lengths of a box from one middle to the next."""

BEYOND, MOST_BEND_DEG = (0.2, 1.0), 65.0
"""Lengths from a line's end to the point that was tapped, and the bend towards it, at most."""

MOST_ON = 0.45
"""Part of it that may lie on known spaces: about glare they are a little off."""

OFF = 0.7
"""Lengths from the point that was tapped to where the space is laid, at most."""

FAINT, MOST_MOVED, MOST_TURNED_DEG = 0.15, 6.0, 15.0
"""Likeness from which on the little that is seen moves it, and by how many units and degrees."""


def laid_out(sheet: Sheet, point: Points) -> Boxes | None:
    """The box, as one, in the gap of a line or beyond its end where a point lies.

    None where no line is near, or a known space or a place with a name lies there.
    """
    offers = [
        (float(np.hypot(*(centre - point))), centre, angle)
        for line in sheet.draft.lines
        for centre, angle in _offers(sheet, sheet.known.chosen(sheet.of_line == line), point)
    ]
    for far, centre, angle_deg in sorted(offers, key=lambda offer: offer[0]):
        box = _settled(sheet, centre, angle_deg)
        is_free = not is_known(sheet, box, MOST_ON) and not _covers_place(sheet, box)
        if far < OFF * sheet.size[0] and is_free:
            return box
    return None


def _offers(sheet: Sheet, own: Boxes, point: Points) -> list[tuple[Points, float]]:
    """Middles and directions, degrees, of the next boxes of a line towards the point."""
    length = float(sheet.size[0])
    found = []
    for one, other in pairwise(own.centres):
        way = other - one
        missing = round(float(np.hypot(*way)) / (STEP * length)) - 1
        if missing > 0:
            part = float((point - one) @ way / (way @ way)) * (missing + 1)
            slot = min(max(round(part), 1), missing) / (missing + 1)
            found.append((one + slot * way, line_deg(*way)))
    rows = [own.chosen(np.array([k])) for k in range(len(own))]
    for end in (end_of(rows, side) for side in (0, 1)):
        way = point - end.at
        far = max(float(np.hypot(*way)), 1e-6)
        bend_deg = float(np.degrees(np.arccos(np.clip(way @ end.out / far, -1, 1))))
        if BEYOND[0] * length < far < BEYOND[1] * length and bend_deg < MOST_BEND_DEG:
            next_one = end.at + way / far * (STEP - 0.5) * length
            found.append(((next_one + point) / 2, line_deg(*way)))
    return found


def _settled(sheet: Sheet, centre: Points, angle_deg: float) -> Boxes:
    """The box there, or where a little of it is seen."""
    seen = seen_near(sheet, centre[None], np.array([angle_deg]))
    moved = float(np.hypot(*(seen.centres[0] - centre)))
    turned = float(turned_deg(seen.angles_deg, np.array([angle_deg]))[0])
    if seen.likeness[0] >= FAINT and moved < MOST_MOVED and turned < MOST_TURNED_DEG:
        return seen
    return Boxes(centre[None], np.array([angle_deg]), sheet.size[None], np.zeros(1))


def _covers_place(sheet: Sheet, box: Boxes) -> bool:
    """Whether a place with a name lies on the box."""
    named: NDArray[np.bool_] = np.array(
        [bool(sheet.draft.places[number].name) for number in sheet.numbers], np.bool_
    )
    apart = sheet.places - box.centres[0]
    along = np.abs(apart @ box.along[0]) < 0.45 * sheet.size[0]
    across = np.abs(apart @ box.across[0]) < 0.6 * sheet.size[1]
    return bool((along & across & named).any())
