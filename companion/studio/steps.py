"""The steps of teaching a board: each turns a draft into the next one, and is kept as plain data.

A step names what it does and its figures. Undo leaves the last one out and takes the others again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.errors import RefusalError
from companion.studio.crossings import cross_lines, uncross_lines
from companion.studio.draft import Draft, DraftPlace, DraftRules, DraftTicket
from companion.studio.line_steps import (
    add_line,
    add_space,
    delete_line,
    delete_space,
    join_lines,
    lengthen_line,
    line_ends,
    loose_ends,
    mark_line,
    move_space,
    split_line,
)
from companion.studio.names import place_of_name
from companion.studio.place_steps import (
    add_place,
    delete_place,
    join_places,
    move_place,
    name_place,
    name_places,
    waiting_places,
)
from companion.studio.reframing import move_corners
from companion.studio.step_fields import (
    MOST_BOXES,
    MOST_POINTS,
    Step,
    listed_names,
    name_of,
    number_of,
    place_in,
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


def _names(draft: Draft, step: Step) -> Draft:
    """A list of names, one a line or parted by commas or semicolons."""
    clean = [name_of({"name": word}) for word in listed_names(step)]
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
    """The ticket between two places; older steps count it in the list, from 1."""
    if "ticket" in step:
        at = number_of(step, "ticket", 1, len(draft.tickets)) - 1
    else:
        wanted = {place_in(draft, step, "from"), place_in(draft, step, "to")}
        found = [n for n, one in enumerate(draft.tickets) if set(one.places) == wanted]
        if not found:
            raise RefusalError("companion.studio.no-such-ticket")
        at = found[0]
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


def _title(draft: Draft, step: Step) -> Draft:
    return replace(draft, rules=replace(draft.rules, title=name_of(step, "title")))


DEEDS: Mapping[str, Callable[[Draft, Step], Draft]] = {
    "name-place": name_place,
    "name-places": name_places,
    "add-place": add_place,
    "move-place": move_place,
    "delete-place": delete_place,
    "join-places": join_places,
    "add-line": add_line,
    "delete-line": delete_line,
    "line-ends": line_ends,
    "loose-ends": loose_ends,
    "mark-line": mark_line,
    "split-line": split_line,
    "join-lines": join_lines,
    "lengthen-line": lengthen_line,
    "cross-lines": cross_lines,
    "uncross-lines": uncross_lines,
    "add-space": add_space,
    "delete-space": delete_space,
    "move-space": move_space,
    "names": _names,
    "add-ticket": _add_ticket,
    "set-tickets": _set_tickets,
    "take-tickets": _take_tickets,
    "remove-ticket": _remove_ticket,
    "rules": _rules,
    "title": _title,
    "corners": move_corners,
}
