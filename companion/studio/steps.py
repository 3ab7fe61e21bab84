"""The steps of teaching a board: each turns a draft into the next one, and is kept as plain data.

A step names what it does and its figures. Undo leaves the last one out and takes the others again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import atan2, degrees

from companion.errors import RefusalError
from companion.studio.crossings import cross_lines, handed_on, uncross_lines
from companion.studio.draft import Box, Draft, DraftPlace, DraftRules, DraftTicket, Line
from companion.studio.names import place_of_name
from companion.studio.reframing import move_corners
from companion.studio.step_fields import (
    MOST_BOXES,
    MOST_POINTS,
    Step,
    angle_of,
    boxes_of,
    colour_of,
    flag_of,
    length_of,
    line_in,
    name_of,
    number_of,
    part_of,
    place_in,
    space_in,
)
from scoring.game.colours import COLOURS

MOST_NAMES = 400

WAITING_IN_A_ROW = 10
"""Places that only tickets name stand beside each other at the upper edge."""


def apply(draft: Draft, step: Step) -> Draft:
    """The draft after a step; raises RefusalError with a sentence where it makes no sense."""
    do = DEEDS.get(str(step.get("do")))
    if do is None:
        raise RefusalError("companion.studio.no-such-step")
    return do(draft, step)


def replay(draft: Draft, steps: Sequence[Step]) -> Draft:
    """The draft after all these steps."""
    for step in steps:
        draft = apply(draft, step)
    return draft


# --- places ---


def _name_place(draft: Draft, step: Step) -> Draft:
    number = place_in(draft, step, "place")
    name = name_of(step)
    same = draft.place_called(name) if name else None
    if same in waiting_places(draft) and same != number and draft.lines_at(number):
        draft, same = _join_places(draft, {"place": same, "into": number}), None
    if same not in (None, number):
        raise RefusalError("companion.studio.name-twice", name=name)
    named = replace(draft.places[number], name=name, is_country=flag_of(step, "country"))
    return draft.with_place(number, named)


def _add_place(draft: Draft, step: Step) -> Draft:
    name = name_of(step)
    if name and draft.place_called(name) is not None:
        raise RefusalError("companion.studio.name-twice", name=name)
    place = DraftPlace(part_of(step, "x"), part_of(step, "y"), name)
    return draft.with_place(draft.next_number, place)


def _move_place(draft: Draft, step: Step) -> Draft:
    number = place_in(draft, step, "place")
    moved = replace(draft.places[number], x=part_of(step, "x"), y=part_of(step, "y"))
    return draft.with_place(number, moved)


def _delete_place(draft: Draft, step: Step) -> Draft:
    number = place_in(draft, step, "place")
    if draft.lines_at(number):
        raise RefusalError("companion.studio.place-has-lines", place=draft.place_name(number))
    kept = tuple(ticket for ticket in draft.tickets if number not in ticket.places)
    return replace(draft.without_place(number), tickets=kept)


def _join_places(draft: Draft, step: Step) -> Draft:
    """Two proposed places are one: all lines and tickets of the first end at the second."""
    gone, into = place_in(draft, step, "place"), place_in(draft, step, "into")
    if gone == into:
        raise RefusalError("companion.studio.same-place")
    name = draft.places[into].name or draft.places[gone].name
    draft = draft.with_place(into, replace(draft.places[into], name=name))

    def other(place: int) -> int:
        return into if place == gone else place

    for number in draft.lines_at(gone):
        line = draft.lines[number]
        ends = (other(line.ends[0]), other(line.ends[1]))
        draft = draft.with_line(number, replace(line, ends=ends))
    tickets = tuple(
        replace(one, places=(other(one.places[0]), other(one.places[1]))) for one in draft.tickets
    )
    return replace(draft.without_place(gone), tickets=tickets)


# --- lines ---


def _add_line(draft: Draft, step: Step) -> Draft:
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
    return round(degrees(atan2(down, right)) % 180, 1)


def _delete_line(draft: Draft, step: Step) -> Draft:
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


def _line_ends(draft: Draft, step: Step) -> Draft:
    number = line_in(draft, step, "line")
    ends = place_in(draft, step, "from"), place_in(draft, step, "to")
    if ends[0] == ends[1]:
        raise RefusalError("companion.studio.same-place")
    before = draft.lines[number].ends
    draft = draft.with_line(number, replace(draft.lines[number], ends=ends))
    return _without_orphans(draft, before)


def _mark_line(draft: Draft, step: Step) -> Draft:
    number = line_in(draft, step, "line")
    line = draft.lines[number]
    ferry = number_of(step, "ferry", 0, len(line.boxes))
    marked = replace(line, colour=colour_of(step), ferry=ferry, tunnel=flag_of(step, "tunnel"))
    return draft.with_line(number, marked)


def _split_line(draft: Draft, step: Step) -> Draft:
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


def _join_lines(draft: Draft, step: Step) -> Draft:
    """Two lines that meet in a place are one; a nameless place between them goes."""
    number, other = line_in(draft, step, "line"), line_in(draft, step, "other")
    shared = set(draft.lines[number].ends) & set(draft.lines[other].ends)
    if number == other or len(shared) != 1:
        raise RefusalError("companion.studio.lines-do-not-meet")
    (place,) = shared
    first = _towards(draft.lines[number], place)
    second = _towards(draft.lines[other], place)
    boxes = (*first.boxes, *second.boxes[::-1])
    joined = replace(first, boxes=boxes, ends=(first.ends[0], second.ends[0]))
    if joined.ends[0] == joined.ends[1]:
        raise RefusalError("companion.studio.lines-do-not-meet")
    crossings = draft.crossings
    draft = _without_orphans(draft.without_line(other).with_line(number, joined), (place,))
    return handed_on(draft, crossings, (number,))


def _towards(line: Line, place: int) -> Line:
    """The line with that place as its second end."""
    if line.ends[1] == place:
        return line
    return replace(line, ends=(line.ends[1], line.ends[0]), boxes=line.boxes[::-1])


# --- spaces ---


def _add_space(draft: Draft, step: Step) -> Draft:
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


def _delete_space(draft: Draft, step: Step) -> Draft:
    number, at = line_in(draft, step, "line"), space_in(draft, step)
    line = draft.lines[number]
    if len(line.boxes) == 1:
        return _delete_line(draft, step)
    boxes = (*line.boxes[:at], *line.boxes[at + 1 :])
    return draft.with_line(number, replace(line, boxes=boxes, ferry=min(line.ferry, len(boxes))))


def _move_space(draft: Draft, step: Step) -> Draft:
    number, at = line_in(draft, step, "line"), space_in(draft, step)
    line = draft.lines[number]
    box = Box(part_of(step, "x"), part_of(step, "y"), angle_of(step))
    return draft.with_line(
        number, replace(line, boxes=(*line.boxes[:at], box, *line.boxes[at + 1 :]))
    )


# --- names, tickets, rules ---


def _names(draft: Draft, step: Step) -> Draft:
    """A list of names, one a line or parted by commas or semicolons."""
    words = str(step.get("names", "")).replace(";", "\n").replace(",", "\n").splitlines()
    clean = [name_of({"name": word}) for word in words]
    return replace(draft, names=tuple(dict.fromkeys(w for w in clean if w))[:MOST_NAMES])


def _add_ticket(draft: Draft, step: Step) -> Draft:
    places = place_in(draft, step, "from"), place_in(draft, step, "to")
    return _with_tickets(draft, [DraftTicket(places, number_of(step, "points", 0, MOST_POINTS))])


def _set_tickets(draft: Draft, step: Step) -> Draft:
    """A whole set, as it was pasted."""
    tickets = [
        DraftTicket((int(one["places"][0]), int(one["places"][1])), int(one["points"]))
        for one in step["tickets"]
    ]
    return _with_tickets(replace(draft, tickets=()), tickets)


def _take_tickets(draft: Draft, step: Step) -> Draft:
    """Tickets by the names of their places; a name that no place has becomes a place.

    It waits at the upper edge until a place on the map gets its name. Tickets that are there
    already stay as they are.
    """
    for one in step["tickets"]:
        numbers = []
        for name in one["names"]:
            draft, number = _place_of_name(draft, str(name))
            numbers.append(number)
        ticket = DraftTicket((numbers[0], numbers[1]), int(one["points"]))
        if not any(set(numbers) == set(known.places) for known in draft.tickets):
            draft = _with_tickets(draft, [ticket])
    return draft


def _place_of_name(draft: Draft, name: str) -> tuple[Draft, int]:
    known = place_of_name(draft, name)
    if known is not None:
        return draft, known
    row, column = divmod(len(waiting_places(draft)), WAITING_IN_A_ROW)
    x, y = (column + 0.5) / WAITING_IN_A_ROW, 0.03 + 0.05 * row
    number = draft.next_number
    return draft.with_place(number, DraftPlace(x, min(y, 0.97), name)), number


def waiting_places(draft: Draft) -> list[int]:
    """Named places at which no line ends: tickets name them, the map does not show where."""
    return [n for n, place in draft.places.items() if place.name and not draft.lines_at(n)]


def _with_tickets(draft: Draft, tickets: Sequence[DraftTicket]) -> Draft:
    known = {frozenset(one.places) for one in draft.tickets}
    for ticket in tickets:
        first, second = ticket.places
        if first == second or not {first, second} <= draft.places.keys():
            raise RefusalError("companion.studio.same-place")
        if frozenset(ticket.places) in known:
            names = f"{draft.place_name(first)} – {draft.place_name(second)}"
            raise RefusalError("companion.studio.ticket-twice", ticket=names)
        known.add(frozenset(ticket.places))
    return replace(draft, tickets=(*draft.tickets, *tickets))


def _remove_ticket(draft: Draft, step: Step) -> Draft:
    at = number_of(step, "ticket", 1, len(draft.tickets)) - 1
    return replace(draft, tickets=(*draft.tickets[:at], *draft.tickets[at + 1 :]))


def _rules(draft: Draft, step: Step) -> Draft:
    known = draft.rules
    low = number_of(step, "players-low", 1, 10)
    colours = tuple(step.get("colours", known.colours))
    if not set(colours) <= set(COLOURS):
        raise RefusalError("companion.studio.no-such-colour")
    points = {
        length: number_of(step, f"points-{length}", 0, 100)
        for length in range(1, MOST_BOXES + 1)
        if str(step.get(f"points-{length}", "")).strip()
    }
    return replace(
        draft,
        rules=DraftRules(
            title=name_of(step, "title"),
            edition=name_of(step, "edition"),
            players=(low, number_of(step, "players-high", low, 10)),
            colours=colours,
            wagons=number_of(step, "wagons", 1, 200),
            doubles_open_from=number_of(step, "doubles", 1, 10),
            points=points or known.points,
            longest_path=number_of(step, "longest-path", 0, 100),
            globetrotter=number_of(step, "globetrotter", 0, 100),
            flag=number_of(step, "flag", 0, 100),
            stations=number_of(step, "stations", 0, 3),
        ),
    )


DEEDS: Mapping[str, Callable[[Draft, Step], Draft]] = {
    "name-place": _name_place,
    "add-place": _add_place,
    "move-place": _move_place,
    "delete-place": _delete_place,
    "join-places": _join_places,
    "add-line": _add_line,
    "delete-line": _delete_line,
    "line-ends": _line_ends,
    "mark-line": _mark_line,
    "split-line": _split_line,
    "join-lines": _join_lines,
    "cross-lines": cross_lines,
    "uncross-lines": uncross_lines,
    "add-space": _add_space,
    "delete-space": _delete_space,
    "move-space": _move_space,
    "names": _names,
    "add-ticket": _add_ticket,
    "set-tickets": _set_tickets,
    "take-tickets": _take_tickets,
    "remove-ticket": _remove_ticket,
    "rules": _rules,
    "corners": move_corners,
}
