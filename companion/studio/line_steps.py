"""Steps that draw, cut, join, mark and delete lines, and their spaces.

Each returns the next draft, and raises RefusalError where the step makes no sense in this one.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from companion.errors import RefusalError
from companion.studio.crossings import handed_on
from companion.studio.draft import Box, Draft, DraftPlace, Line
from companion.studio.step_fields import (
    MOST_BOXES,
    Step,
    angle_of,
    boxes_of,
    colour_of,
    flag_of,
    length_of,
    line_in,
    number_of,
    part_of,
    place_in,
    space_in,
)
from scoring.board.angles import line_deg

MOST_APART = 1.9
"""Lengths of a space from a line's last one to the first of the next, if both are one line."""


def add_line(draft: Draft, step: Step) -> Draft:
    """`boxes` are where its spaces were found; without them they are spread evenly."""
    ends = place_in(draft, step, "from"), place_in(draft, step, "to")
    if ends[0] == ends[1]:
        raise RefusalError("companion.studio.same-place")
    boxes = boxes_of(step) if "boxes" in step else spread(draft, ends, length_of(step))
    line = Line(boxes, colour_of(step), ends)
    return draft.with_line(draft.next_number, line)


def spread(draft: Draft, ends: tuple[int, int], length: int) -> tuple[Box, ...]:
    """So many spaces, evenly on the straight line between two places."""
    start, end = (draft.places[place] for place in ends)
    angle = _direction(draft, start, end)
    parts = [(k + 0.5) / length for k in range(length)]
    margin = min(0.12, draft.space_size_mm[1] / max(draft.distance_mm(start, end), 1.0))
    parts = [margin + (1 - 2 * margin) * part for part in parts]
    return tuple(
        Box(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y), angle)
        for part in parts
    )


def _direction(draft: Draft, start: DraftPlace | Box, end: DraftPlace | Box) -> float:
    down = (end.y - start.y) * draft.size_mm[1]
    right = (end.x - start.x) * draft.size_mm[0]
    return round(line_deg(right, down), 1) % 180


def delete_line(draft: Draft, step: Step) -> Draft:
    """And the nameless places that nothing else needs."""
    number = line_in(draft, step, "line")
    ends = draft.lines[number].ends
    draft = draft.without_line(number)
    return _without_orphans(draft, ends)


def _without_orphans(draft: Draft, places: Sequence[int]) -> Draft:
    held = {place for ticket in draft.tickets for place in ticket.places}
    for place in dict.fromkeys(places):
        alone = place in draft.places and not draft.lines_at(place) and place not in held
        if alone and not draft.places[place].name:
            draft = draft.without_place(place)
    return draft


def line_ends(draft: Draft, step: Step) -> Draft:
    """`line` leads from one place to another; nameless places that it leaves alone go."""
    number = line_in(draft, step, "line")
    ends = place_in(draft, step, "from"), place_in(draft, step, "to")
    if ends[0] == ends[1]:
        raise RefusalError("companion.studio.same-place")
    before = draft.lines[number].ends
    draft = draft.with_line(number, replace(draft.lines[number], ends=ends))
    return _without_orphans(draft, before)


def loose_ends(draft: Draft, step: Step) -> Draft:
    """Several ends at once: `end-LINE-SIDE` is the place of a line's first (0) or last (1) end.

    What names none is left as it is; a figure that is no line's makes no sense.
    """
    for field, place in step.items():
        if not field.startswith("end-") or place == "":
            continue
        line, _, side = field.removeprefix("end-").partition("-")
        ends = draft.lines[line_in(draft, {"line": line}, "line")].ends
        other = ends[1 - number_of({"side": side}, "side", 0, 1)]
        first, last = (place, other) if side == "0" else (other, place)
        draft = line_ends(draft, {"line": line, "from": first, "to": last})
    return draft


def mark_line(draft: Draft, step: Step) -> Draft:
    """`line` has this colour, so many ferry spaces, and is a tunnel or none."""
    number = line_in(draft, step, "line")
    line = draft.lines[number]
    ferry = number_of(step, "ferry", 0, len(line.boxes))
    marked = replace(line, colour=colour_of(step), ferry=ferry, tunnel=flag_of(step, "tunnel"))
    return draft.with_line(number, marked)


def split_line(draft: Draft, step: Step) -> Draft:
    """After its `after`-th space a new place begins another line."""
    number = line_in(draft, step, "line")
    line = draft.lines[number]
    after = number_of(step, "after", 1, len(line.boxes) - 1)
    before, behind = line.boxes[after - 1], line.boxes[after]
    place = draft.next_number
    middle = DraftPlace((before.x + behind.x) / 2, (before.y + behind.y) / 2)
    draft = draft.with_place(place, middle)
    first = replace(line, boxes=line.boxes[:after], ends=(line.ends[0], place), ferry=0)
    second = replace(line, boxes=line.boxes[after:], ends=(place, line.ends[1]), ferry=0)
    crossings, new = draft.crossings, draft.next_number
    return handed_on(
        draft.with_line(number, first).with_line(new, second), crossings, (number, new)
    )


def join_lines(draft: Draft, step: Step) -> Draft:
    """Two lines that meet in a place, or end right before each other, are one.

    A nameless place between them goes.
    """
    number, other = line_in(draft, step, "line"), line_in(draft, step, "other")
    if number == other:
        raise RefusalError("companion.studio.lines-do-not-meet")
    here, there = _meeting_ends(draft, draft.lines[number], draft.lines[other])
    first = _towards(draft.lines[number], here)
    second = _towards(draft.lines[other], there)
    boxes = (*first.boxes, *second.boxes[::-1])
    joined = replace(first, boxes=boxes, ends=(first.ends[0], second.ends[0]))
    if joined.ends[0] == joined.ends[1]:
        raise RefusalError("companion.studio.lines-do-not-meet")
    crossings = draft.crossings
    draft = _without_orphans(draft.without_line(other).with_line(number, joined), (here, there))
    return handed_on(draft, crossings, (number,))


def _meeting_ends(draft: Draft, one: Line, other: Line) -> tuple[int, int]:
    """The place of each line at which it goes on in the other one."""
    shared = set(one.ends) & set(other.ends)
    if len(shared) == 1:
        (place,) = shared
        return place, place
    near = [
        (draft.distance_mm(one.boxes[-side], other.boxes[-far]), side, far)
        for side in (0, 1)
        for far in (0, 1)
    ]
    apart = min(near)[0]
    if apart > MOST_APART * draft.space_size_mm[0]:
        raise RefusalError("companion.studio.lines-do-not-meet")
    side, far = min(
        ((side, far) for distance, side, far in near if distance == apart),
        key=lambda pair: draft.distance_mm(_tip(draft, one, pair[0]), _tip(draft, other, pair[1])),
    )
    return one.ends[side], other.ends[far]


def _tip(draft: Draft, line: Line, side: int) -> Box:
    """About where a line ends: half a space beyond its last one, towards its place."""
    box, place = line.boxes[-side], draft.places[line.ends[side]]
    part = draft.space_size_mm[0] / 2 / max(draft.distance_mm(box, place), 1.0)
    return Box(box.x + part * (place.x - box.x), box.y + part * (place.y - box.y), box.angle)


def lengthen_line(draft: Draft, step: Step) -> Draft:
    """A line with the spaces that were found beside it, and with the `other` line behind them."""
    number = line_in(draft, step, "line")
    ends = place_in(draft, step, "from"), place_in(draft, step, "to")
    crossings, left = draft.crossings, list(draft.lines[number].ends)
    if "other" in step:
        other = line_in(draft, step, "other")
        left += draft.lines[other].ends
        draft = draft.without_line(other)
    longer = replace(draft.lines[number], boxes=boxes_of(step), ends=ends)
    draft = _without_orphans(draft.with_line(number, longer), left)
    return handed_on(draft, crossings, (number,))


def _towards(line: Line, place: int) -> Line:
    """The line with that place as its second end."""
    if line.ends[1] == place:
        return line
    return replace(line, ends=(line.ends[1], line.ends[0]), boxes=line.boxes[::-1])


# --- spaces ---


def add_space(draft: Draft, step: Step) -> Draft:
    """At a point, in the order along its line that makes the line shortest."""
    number = line_in(draft, step, "line")
    line = draft.lines[number]
    if len(line.boxes) >= MOST_BOXES:
        raise RefusalError("companion.studio.too-long", most=MOST_BOXES)
    x, y = part_of(step, "x"), part_of(step, "y")
    near = min(line.boxes, key=lambda box: draft.distance_mm(box, Box(x, y, 0)))
    box = Box(x, y, angle_of(step) if "angle" in step else near.angle)
    orders = [(*line.boxes[:k], box, *line.boxes[k:]) for k in range(len(line.boxes) + 1)]
    best = min(orders, key=lambda boxes: _path_mm(draft, line, boxes))
    return draft.with_line(number, replace(line, boxes=best))


def _path_mm(draft: Draft, line: Line, boxes: tuple[Box, ...]) -> float:
    first, last = (draft.places[end] for end in line.ends)
    points: list[DraftPlace | Box] = [first, *boxes, last]
    return sum(draft.distance_mm(a, b) for a, b in pairwise(points))


def delete_space(draft: Draft, step: Step) -> Draft:
    """`of` is how many the page showed: a second tap means no other one."""
    number, at = line_in(draft, step, "line"), space_in(draft, step)
    line = draft.lines[number]
    if "of" in step and number_of(step, "of", 1, 10**6) != len(line.boxes):
        raise RefusalError("companion.studio.no-such-space")
    if len(line.boxes) == 1:
        return delete_line(draft, step)
    boxes = (*line.boxes[:at], *line.boxes[at + 1 :])
    return draft.with_line(number, replace(line, boxes=boxes, ferry=min(line.ferry, len(boxes))))


def move_space(draft: Draft, step: Step) -> Draft:
    """A space of `line` lies at `x` and `y`, parts of the board's frame, turned by `angle`."""
    number, at = line_in(draft, step, "line"), space_in(draft, step)
    line = draft.lines[number]
    box = Box(part_of(step, "x"), part_of(step, "y"), angle_of(step))
    return draft.with_line(
        number, replace(line, boxes=(*line.boxes[:at], box, *line.boxes[at + 1 :]))
    )
