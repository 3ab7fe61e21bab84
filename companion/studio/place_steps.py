"""Steps that name, add, move, join and delete places.

Each returns the next draft, and raises RefusalError where the step makes no sense in this one.
"""

from dataclasses import replace

from companion.errors import RefusalError
from companion.studio.draft import Draft, DraftPlace
from companion.studio.step_fields import Step, flag_of, name_of, part_of, place_in


def name_place(draft: Draft, step: Step) -> Draft:
    """`place` is called `name`; a place of that name at which no line ends yet becomes this one."""
    number = place_in(draft, step, "place")
    name = name_of(step)
    same = draft.place_called(name) if name else None
    if same in waiting_places(draft) and same != number and draft.lines_at(number):
        draft, same = join_places(draft, {"place": same, "into": number}), None
    if same not in (None, number):
        raise RefusalError("companion.studio.name-twice", name=name)
    named = replace(draft.places[number], name=name, is_country=flag_of(step, "country"))
    return draft.with_place(number, named)


def add_place(draft: Draft, step: Step) -> Draft:
    """A new place at `x` and `y`, parts of the board's frame, with a name or without."""
    name = name_of(step)
    if name and draft.place_called(name) is not None:
        raise RefusalError("companion.studio.name-twice", name=name)
    place = DraftPlace(part_of(step, "x"), part_of(step, "y"), name)
    return draft.with_place(draft.next_number, place)


def move_place(draft: Draft, step: Step) -> Draft:
    """`place` lies at `x` and `y`, parts of the board's frame."""
    number = place_in(draft, step, "place")
    moved = replace(draft.places[number], x=part_of(step, "x"), y=part_of(step, "y"))
    return draft.with_place(number, moved)


def delete_place(draft: Draft, step: Step) -> Draft:
    """`place` goes, and with it its tickets; refused while lines end there."""
    number = place_in(draft, step, "place")
    if draft.lines_at(number):
        raise RefusalError("companion.studio.place-has-lines", place=draft.place_name(number))
    kept = tuple(ticket for ticket in draft.tickets if number not in ticket.places)
    return replace(draft.without_place(number), tickets=kept)


def join_places(draft: Draft, step: Step) -> Draft:
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


def name_places(draft: Draft, step: Step) -> Draft:
    """Several names at once: `name-NUMBER` is that of a place, where `take-NUMBER` is ticked."""
    for field, name in step.items():
        number = field.removeprefix("name-")
        if number != field and flag_of(step, f"take-{number}"):
            draft = name_place(draft, {"place": number, "name": name})
    return draft


def waiting_places(draft: Draft) -> list[int]:
    """Named places at which no line ends: tickets name them, the map does not show where."""
    return [n for n, place in draft.places.items() if place.name and not draft.lines_at(n)]
