"""A printed space that was not proposed, found where it was tapped, with those that go on from it.

What is found lengthens the line that it goes on with, joins the two that it lies between, or is a
new line between the places that it points at.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes
from calibration.studio.colours import colours_of, samples_lab
from calibration.studio.meeting import BEYOND
from companion.errors import RefusalError
from companion.studio.draft import Box, Draft, Line
from companion.studio.seeing import (
    RowEnd,
    Sheet,
    end_of,
    follows,
    is_alike,
    is_place,
    row_at,
    sheet_of,
)
from companion.studio.step_fields import MOST_BOXES, Step, part_of
from companion.studio.unseen import laid_out
from vision.registration.geometry import Points

ROOM = 0.8
"""Lengths of a space from one middle to the next, at least, where others lie between."""


def tapped(draft: Draft, step: Step, photo_bgr: NDArray[np.uint8], corners_px: Points) -> Step:
    """The step that puts in what is printed at the point `x`, `y`.

    Where the photo hides it, it is laid where a line goes on. Raises RefusalError where no space is
    seen and no line goes on, or one is known there already.
    """
    sheet = sheet_of(draft, photo_bgr, corners_px)
    point = np.array([part_of(step, "x"), part_of(step, "y")]) * sheet.straight.size
    row = row_at(sheet, point)
    is_seen = bool(row)
    if not is_seen:
        box = laid_out(sheet, point)
        row = [] if box is None else [box]
    if not row:
        raise RefusalError("companion.studio.nothing-printed")
    within = _within(sheet, row)
    if within is not None:
        return within
    first, last = (end_of(row, side) for side in (0, 1))
    before, behind = (_line_before(sheet, end, is_seen) for end in (first, last))
    if behind == before:
        behind = None
    boxes = [_fraction(sheet, box) for box in row]
    if before is None and behind is None and not is_seen:
        raise RefusalError("companion.studio.nothing-printed")
    if before is None and behind is None:
        return _new_line(sheet, row, boxes, (first, last))
    return _longer_line(sheet, boxes, (before, behind), (first, last))


def _within(sheet: Sheet, row: list[Boxes]) -> Step | None:
    """The step that puts the row into the gap of a line; None where it lies in none."""
    middle = np.mean([box.centres[0] for box in row], axis=0)
    for number, line in sheet.draft.lines.items():
        at = sheet.known.centres[sheet.of_line == number]
        for k, (one, other) in enumerate(pairwise(at), 1):
            way, off = other - one, middle - one
            length = max(float(np.hypot(*way)), 1.0)
            if length < ROOM * (len(row) + 1) * sheet.size[0]:
                continue
            part = float(off @ way) / length**2
            aside = abs(float(way[0] * off[1] - way[1] * off[0])) / length
            if 0.2 < part < 0.8 and aside < 0.6 * sheet.size[1]:
                forth = float((row[-1].centres[0] - row[0].centres[0]) @ way) >= 0
                boxes = [_fraction(sheet, box) for box in (row if forth else row[::-1])]
                whole = [*line.boxes[:k], *boxes, *line.boxes[k:]]
                return _lengthened(number, line.ends, whole)
    return None


def _lengthened(number: int, ends: tuple[int, int], boxes: list[Box]) -> dict[str, Any]:
    if len(boxes) > MOST_BOXES:
        raise RefusalError("companion.studio.too-long", most=MOST_BOXES)
    return {
        "do": "lengthen-line",
        "line": number,
        "from": ends[0],
        "to": ends[1],
        "boxes": [[box.x, box.y, box.angle] for box in boxes],
    }


def _line_before(sheet: Sheet, end: RowEnd, is_seen: bool) -> tuple[int, int] | None:
    """The line, and the side of it, that ends right before an end of the row; None without one.

    Of a row that is not seen the colour says nothing.
    """
    best: tuple[float, int, int] | None = None
    for number, line in sheet.draft.lines.items():
        own = sheet.known.chosen(sheet.of_line == number)
        rows = [own.chosen(np.array([k])) for k in range(len(own))]
        for side in (0, 1):
            other = end_of(rows, side ^ _is_turned(sheet, line, rows))
            far = float(np.hypot(*(other.at - end.at)))
            near = follows(end.at, end.out, other.at[None], other.out[None]).any()
            fits = near and len(line.boxes) < MOST_BOXES
            if not fits or is_place(sheet, (end.at + other.at) / 2, far):
                continue
            is_one = not is_seen or is_alike(sheet, end.box, other.box)
            if (not best or far < best[0]) and is_one:
                best = far, number, side
    return best and best[1:]


def _is_turned(sheet: Sheet, line: Line, rows: list[Boxes]) -> int:
    """1 where a line's only box points from its second place to its first, else 0."""
    first, last = (sheet.places[sheet.numbers.index(end)] for end in line.ends)
    return int(len(rows) == 1 and float((last - first) @ rows[0].along[0]) < 0)


def _fraction(sheet: Sheet, box: Boxes) -> Box:
    return Box.seen_at(box.centres[0] / sheet.straight.size, box.angles_deg[0])


def _new_line(
    sheet: Sheet, row: list[Boxes], boxes: list[Box], ends: tuple[RowEnd, RowEnd]
) -> Step:
    """Between the places that it points at, in the colour of the known line most like it."""
    beside = _line_beside(sheet, row)
    first = _place_at(sheet, ends[0], beside.ends if beside else None, ())
    last = _place_at(sheet, ends[1], beside.ends if beside else None, (first,))
    if sheet.draft.places[first].x > sheet.draft.places[last].x:
        first, last = last, first
    return {
        "do": "add-line",
        "from": first,
        "to": last,
        "colour": _colour(sheet, row),
        "boxes": [[box.x, box.y, box.angle] for box in boxes],
    }


def _colour(sheet: Sheet, row: list[Boxes]) -> str:
    """The colour of the known line that is printed most like the row."""
    if not len(sheet.known):
        return "grey"
    known = colours_of(samples_lab(sheet.straight, sheet.known))
    own = np.median([colours_of(samples_lab(sheet.straight, box))[0] for box in row], axis=0)
    apart = {
        number: float(np.linalg.norm(np.median(known[sheet.of_line == number], axis=0) - own))
        for number in sheet.draft.lines
    }
    return sheet.draft.lines[min(apart, key=lambda number: apart[number])].colour


def _longer_line(
    sheet: Sheet,
    boxes: list[Box],
    lines: tuple[tuple[int, int] | None, tuple[int, int] | None],
    ends: tuple[RowEnd, RowEnd],
) -> Step:
    """The line before the row, the row, and the line behind it, as one."""
    before, behind = lines
    draft = sheet.draft
    kept, gone = (before, behind) if before else (behind, None)
    assert kept is not None
    own = draft.lines[kept[0]]
    whole, places = list(boxes), [-1, -1]
    if before:
        head = _led_to(own, side=before[1])
        whole, places[0] = [*head.boxes, *whole], head.ends[0]
    if behind:
        tail = _led_to(draft.lines[behind[0]], side=1 - behind[1])
        whole, places[1] = [*whole, *tail.boxes], tail.ends[1]
    for side, far in ((0, places[1]), (1, places[0])):
        if places[side] < 0:
            ended = own.ends[kept[1]]
            places[side] = _place_at(sheet, ends[side], None, (far,), ended)
    if places[0] == places[1]:
        raise RefusalError("companion.studio.same-place")
    if (kept[1] == 0) == (kept is before):  # the row was found the other way round
        whole, places = whole[::-1], places[::-1]
    step = _lengthened(kept[0], (places[0], places[1]), whole)
    return step if gone is None else {**step, "other": gone[0]}


def _led_to(line: Line, side: int) -> Line:
    """The line with that side at its end."""
    if side == 1:
        return line
    return replace(line, boxes=line.boxes[::-1], ends=line.ends[::-1])


def _line_beside(sheet: Sheet, row: list[Boxes]) -> Line | None:
    """A line of as many boxes that runs beside the row: it joins the same places."""
    for number, line in sheet.draft.lines.items():
        if len(line.boxes) != len(row):
            continue
        own = sheet.known.chosen(sheet.of_line == number)
        apart = np.array([own.centres - box.centres[0] for box in row])
        along = np.array([np.abs(off @ box.along[0]) for off, box in zip(apart, row, strict=True)])
        across = np.array(
            [np.abs(off @ box.across[0]) for off, box in zip(apart, row, strict=True)]
        )
        near = (along < 0.5 * sheet.size[0]) & (across < 2.2 * sheet.size[1])
        if near.any(axis=1).all():
            return line
    return None


def _place_at(
    sheet: Sheet,
    end: RowEnd,
    among: tuple[int, int] | None,
    without: tuple[int, ...],
    rather: int | None = None,
) -> int:
    """The place that a row's end points at: rather that one, and rather one with a name."""
    aim = end.at + BEYOND * end.out
    draft = sheet.draft
    may = [n for n in among or sheet.numbers if n not in without]
    if not may:
        raise RefusalError("companion.studio.no-place-near")
    far = {n: float(np.hypot(*(sheet.places[sheet.numbers.index(n)] - aim))) for n in may}
    handicap = {n: (n != rather) + (not draft.places[n].name) for n in may}
    return min(may, key=lambda n: far[n] + BEYOND * handicap[n])
