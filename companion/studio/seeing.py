"""Printed spaces in the photo of a board in work: one at a point, and those that go on from it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes, turned_deg
from calibration.studio.colours import colours_of, samples_lab
from calibration.studio.measuring import measured
from calibration.studio.straightening import Straight
from companion.errors import RefusalError
from companion.studio.draft import Draft
from companion.studio.placing import box_size, straight_board
from companion.studio.step_fields import MOST_BOXES
from vision.registration.geometry import Points

SURE = 0.5
"""Likeness from which on a box is seen where it was tapped, and beyond it in its line."""

AROUND = 7.0
"""Units, of which a box is 25 long, that a finger may be off, each way."""

WAYS_DEG = np.arange(0.0, 180.0, 15.0)
TURNS_DEG = (-14.0, 0.0, 14.0)

STEPS = (1.06, 1.22)
"""Lengths of a box from one middle to the next that are tried."""

FARTHEST, MOST_TURN_DEG = 1.5, 40.0
"""Lengths to the next middle, and bend, at most."""

MOST_OFF = 9.0
"""Units from where a box is expected beyond another one to where it is seen."""

JOINS, ASIDE = 10.0, 6.0
"""Units between facing ends of one line, at most, and of one end beside the other's way."""

BETWEEN, WIDE = (10.0, 16.0), 7.0
"""Units about the middle of a gap, and of one wider than `WIDE`: a place there parts two lines."""

MOST_ON = 0.2
"""Part of a box that may lie on a known one: printed ones lie side by side."""

ALIKE_LAB = 22.0
"""Distance in Lab of what may be one line; a lamp makes much of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The straightened photo, the spaces that are known on it, and of which line each is."""

    draft: Draft
    straight: Straight
    known: Boxes
    of_line: NDArray[np.int64]
    places: Points
    numbers: list[int]

    @property
    def size(self) -> Points:
        """Length and width of a usual box, units."""
        return box_size(self.draft)


@dataclass(frozen=True, slots=True, eq=False)
class RowEnd:
    """One end of a row of boxes: its last box, where that ends, and the way out of it."""

    box: Boxes
    at: Points
    out: Points


def sheet_of(draft: Draft, photo_bgr: NDArray[np.uint8], corners_px: Points) -> Sheet:
    """The straightened board with what is known on it."""
    straight = straight_board(draft, photo_bgr, corners_px)
    boxes = [(box.x, box.y, box.angle) for line in draft.lines.values() for box in line.boxes]
    rows = np.array(boxes, np.float64).reshape(-1, 3)
    of_line = [number for number, line in draft.lines.items() for _ in line.boxes]
    shape = np.tile(box_size(draft), (len(rows), 1))
    known = Boxes(rows[:, :2] * straight.size, rows[:, 2] % 180, shape, np.ones(len(rows)))
    places = np.array([(one.x, one.y) for one in draft.places.values()]).reshape(-1, 2)
    return Sheet(
        draft, straight, known, np.array(of_line), places * straight.size, list(draft.places)
    )


def row_at(sheet: Sheet, point: Points) -> list[Boxes]:
    """The box in which a point lies and those that go on from it both ways, each as one.

    None where no space is seen there; raises RefusalError where one is known there already.
    """
    seed = _box_at(sheet, point)
    if seed is None:
        return []
    return [*_onward(sheet, seed, -1)[::-1], seed, *_onward(sheet, seed, 1)]


def _box_at(sheet: Sheet, point: Points) -> Boxes | None:
    """The box in which the point lies, as one; None where none is seen."""
    apart = sheet.known.centres - point
    along = np.abs((apart * sheet.known.along).sum(axis=1)) < 0.45 * sheet.size[0]
    if (along & (np.abs((apart * sheet.known.across).sum(axis=1)) < 0.45 * sheet.size[1])).any():
        raise RefusalError("companion.studio.space-known")
    offs = np.array([(0.0, 0.0), (-AROUND, 0), (AROUND, 0), (0, -AROUND), (0, AROUND)])
    seen = seen_near(sheet, *_each(point + offs, WAYS_DEG))
    apart = point - seen.centres
    along = np.abs((apart * seen.along).sum(axis=1)) < 0.5 * seen.sizes[:, 0] + 1
    across = np.abs((apart * seen.across).sum(axis=1)) < 0.5 * seen.sizes[:, 1] + AROUND / 2
    usual = np.abs(seen.sizes / sheet.size - 1) < (0.2, 0.35)
    there = np.flatnonzero(along & across & usual.all(axis=1) & (seen.likeness >= SURE))
    boxes = [seen.chosen(np.array([k])) for k in there]
    new = [box for box in boxes if not is_known(sheet, box)]
    if not boxes:
        return None
    if not new:
        raise RefusalError("companion.studio.space-covered")
    return max(new, key=lambda box: float(box.likeness[0]))


def _onward(sheet: Sheet, box: Boxes, way: int) -> list[Boxes]:
    """The boxes that go on from one, in order away from it."""
    found: list[Boxes] = []
    out = way * box.along[0]
    while len(found) < MOST_BOXES and not _goes_on_in_known(sheet, box, out):
        angle = float(np.degrees(np.arctan2(out[1], out[0])))
        ways = np.radians(angle + np.array(TURNS_DEG))
        steps = np.array(STEPS)[:, None, None] * sheet.size[0]
        aims = box.centres[0] + (steps * np.stack([np.cos(ways), np.sin(ways)], 1)).reshape(-1, 2)
        angles = np.tile((angle + np.array(TURNS_DEG)) % 180, len(STEPS))
        seen = seen_near(sheet, aims, angles)
        off = seen.centres - box.centres[0]
        far, ahead = np.hypot(*off.T), off @ out
        usual = (np.abs(seen.sizes / sheet.size - 1) < (0.15, 0.3)).all(axis=1)
        goes_on = (far < FARTHEST * sheet.size[0]) & (ahead > 0.8 * sheet.size[0]) & usual
        goes_on &= np.hypot(*(seen.centres - aims).T) < MOST_OFF
        goes_on &= turned_deg(seen.angles_deg, np.array(angle)) < MOST_TURN_DEG
        boxes = [
            seen.chosen(np.array([k])) for k in np.flatnonzero(goes_on & (seen.likeness >= SURE))
        ]
        new = [one for one in boxes if not is_known(sheet, one)]
        if not new:
            break
        best = max(new, key=lambda one: float(one.likeness[0]))
        middle = (box.centres[0] + best.centres[0]) / 2
        gap = float(np.hypot(*(best.centres[0] - box.centres[0]))) - sheet.size[0]
        if is_place(sheet, middle, gap) or not is_alike(sheet, box, best):
            break
        found.append(best)
        turned = best.along[0] @ (best.centres[0] - box.centres[0]) < 0
        box, out = best, best.along[0] * (-1 if turned else 1)
    return found


def _goes_on_in_known(sheet: Sheet, box: Boxes, out: Points) -> bool:
    """Whether a known space begins right before that end of a box."""
    at = box.centres[0] + out * box.sizes[0, 0] / 2
    for way in (1, -1):
        ends = sheet.known.centres + way * sheet.known.along * sheet.known.sizes[:, :1] / 2
        if follows(at, out, ends, way * sheet.known.along).any():
            return True
    return False


def follows(at: Points, out: Points, ends: Points, outs: Points) -> NDArray[np.bool_]:
    """Which of the ends (N, 2) with the ways out of them lie right before one, facing it."""
    gaps = ends - at
    ahead = np.minimum(gaps @ out, -(gaps * outs).sum(axis=1)) > -ASIDE
    aside = np.abs(out[0] * gaps[:, 1] - out[1] * gaps[:, 0]) <= ASIDE
    turn = np.degrees(np.arccos(np.clip(-outs @ out, -1, 1)))
    return np.asarray((np.hypot(*gaps.T) < JOINS) & (turn < MOST_TURN_DEG) & ahead & aside)


def seen_near(sheet: Sheet, centres: Points, angles_deg: Points) -> Boxes:
    """What the photo shows about where boxes may be."""
    shape = np.tile(sheet.size, (len(centres), 1))
    supposed = Boxes(centres, angles_deg % 180, shape, np.ones(len(centres)))
    return measured(sheet.straight, supposed, rounds=3)


def _each(points: Points, angles_deg: Points) -> tuple[Points, Points]:
    """Every point with every angle."""
    return np.repeat(points, len(angles_deg), axis=0), np.tile(angles_deg, len(points))


def is_known(sheet: Sheet, box: Boxes, most_on: float = MOST_ON) -> bool:
    """Whether it is a known space, or lies on one by more than that part."""
    apart = sheet.known.centres - box.centres[0]
    along = np.abs(apart @ box.along[0]) < 0.6 * sheet.size[0]
    across = np.abs(apart @ box.across[0]) < 0.6 * sheet.size[1]
    turn = turned_deg(sheet.known.angles_deg, box.angles_deg[0])
    if (along & across & (turn < MOST_TURN_DEG)).any():
        return True
    near = sheet.known.chosen(np.hypot(*apart.T) < sheet.size[0])
    own = box.quads[0].astype(np.float32)
    common = [cv2.intersectConvexConvex(own, quad.astype(np.float32))[0] for quad in near.quads]
    return max(common, default=0.0) > most_on * float(np.prod(box.sizes[0]))


def is_place(sheet: Sheet, middle: Points, gap: float) -> bool:
    """Whether a place lies in a gap of so many units: one with a name, or where three lines end.

    At one without a name only the two parts of a line may meet, between which a space is missing.
    """
    if not len(sheet.places):
        return False
    near = np.flatnonzero(np.hypot(*(sheet.places - middle).T) < BETWEEN[int(gap > WIDE)])
    numbers = [sheet.numbers[k] for k in near]
    draft = sheet.draft
    return any(draft.places[n].name or len(draft.lines_at(n)) > 2 for n in numbers)


def is_alike(sheet: Sheet, one: Boxes, other: Boxes) -> bool:
    """Whether two boxes are printed in about one colour."""
    lab = colours_of(samples_lab(sheet.straight, one.joined(other)))
    return float(np.linalg.norm(lab[0] - lab[1])) < ALIKE_LAB


def end_of(row: list[Boxes], side: int) -> RowEnd:
    """The outer end of the first box (side 0) or of the last one."""
    box = row[0] if side == 0 else row[-1]
    inward = row[1] if side == 0 and len(row) > 1 else row[-2] if len(row) > 1 else None
    out = box.along[0] * (-1 if side == 0 else 1)
    if inward is not None:
        turned = (box.centres[0] - inward.centres[0]) @ box.along[0] < 0
        out = box.along[0] * (-1 if turned else 1)
    return RowEnd(box, box.centres[0] + out * box.sizes[0, 0] / 2, out)
