"""Turns a draft into the document of a board file, and says what is wrong with it."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any

from companion.studio.draft import Draft, DraftRules, DraftTicket, Line
from companion.studio.names import free_id
from scoring.board.format import FORMAT
from scoring.board.inspection.inspect import inspect_board
from scoring.language import Message

ID = re.compile(r"[a-z0-9]+(?:--?[a-z0-9]+)*")
"""How the id of a place or a route looks within a message."""

SPACE = re.compile(r"spaces\.([0-9]+)")
FIELDS: Mapping[str, Message] = {
    "places": Message("companion.studio.its-places"),
    "player_colours": Message("companion.studio.its-colours"),
    "length": Message("companion.studio.its-length"),
}
"""Fields of a file that a draft may have wrong, in words."""

ROUTE = "route "
"""How a finding about a file names a space of a route, and the route."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a check found; `lines` and `places` are shown on the map."""

    message: Message
    is_error: bool
    lines: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A draft as the document of a board file, and which line each of its routes is."""

    document: dict[str, Any]
    line_of_route: Mapping[str, int]
    place_of_id: Mapping[str, int]


def write(draft: Draft, board_id: str, version: int) -> Written:
    """The board file of a draft, in the format of the program's own boards."""
    slugs = _slugs(draft)
    routes, line_of_route = _routes(draft, slugs)
    rules = draft.rules
    document = {
        "format": FORMAT,
        "id": board_id,
        "title": rules.title or board_id,
        "edition": rules.edition,
        "version": version,
        "frame": {"reference": "outer", "size_mm": [round(side, 1) for side in draft.size_mm]},
        "players": list(rules.players),
        "player_colours": list(rules.colours),
        "wagons_per_player": rules.wagons,
        "doubles_open_from": rules.doubles_open_from,
        "route_points": {str(n): points for n, points in sorted(rules.points.items())},
        "bonuses": _bonuses(rules),
        "tie_breaks": ["tickets", *(["longest-path"] if rules.longest_path else [])],
        "space_size_mm": [round(side, 2) for side in draft.space_size_mm],
        "places": [
            {
                "id": slugs[number],
                "name": draft.place_name(number),
                "x": round(place.x, 5),
                "y": round(place.y, 5),
                **({"kind": "country"} if place.is_country else {}),
            }
            for number, place in draft.places.items()
        ],
        "routes": routes,
        "tickets": [_ticket(one, slugs) for one in draft.tickets],
        **({"crossings": _crossings(draft, line_of_route)} if draft.crossings else {}),
        **({"stations": rules.stations} if rules.stations else {}),
    }
    return Written(document, line_of_route, {slug: number for number, slug in slugs.items()})


def check(draft: Draft, written: Written) -> list[Remark]:
    """All that is wrong or odd, what must be mended first."""
    remarks = [
        Remark(Message("companion.studio.loop", line=draft.line_name(number)), True, (number,))
        for number, line in draft.lines.items()
        if line.ends[0] == line.ends[1]
    ]
    remarks += [
        Remark(Message("companion.studio.orphan", place=draft.place_name(n)), True, (), (n,))
        for n in draft.places
        if not draft.lines_at(n)
    ]
    remarks += _odd_tickets(draft)
    remarks += _unequal_doubles(draft)
    if not draft.rules.title:
        remarks.append(Remark(Message("companion.studio.no-title"), True))
    nameless = tuple(number for number, place in draft.places.items() if not place.name)
    if nameless:
        said = Message("companion.studio.nameless", count=len(nameless))
        remarks.append(Remark(said, False, (), nameless))
    remarks += _close_places(draft)
    if not any(remark.is_error and (remark.lines or remark.places) for remark in remarks):
        remarks += _inspected(draft, written)
    return sorted(remarks, key=lambda remark: not remark.is_error)


def _slugs(draft: Draft) -> dict[int, str]:
    """An id for each place, by number; those of which one id would be made get figures."""
    slugs: dict[int, str] = {}
    for number, place in draft.places.items():
        slugs[number] = free_id(place.name, f"place {number}", slugs.values())
    return slugs


def _routes(draft: Draft, slugs: Mapping[int, str]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The routes by their ids, lines that share both ends numbered, and the line of each."""
    by_ends: dict[tuple[str, str], list[int]] = {}
    for number, line in draft.lines.items():
        first, second = sorted(slugs[end] for end in line.ends)
        by_ends.setdefault((first, second), []).append(number)
    routes, line_of_route = [], {}
    taken = {"--".join(ends) for ends in by_ends}  # Ash – Birch 2 may be a route of its own
    for (first, second), numbers in sorted(by_ends.items()):
        names = _numbered(f"{first}--{second}", taken)
        for number in numbers:
            together = len(numbers) > 1
            name = next(names) if together else f"{first}--{second}"
            routes.append(_route(draft.lines[number], name, (first, second), slugs, together))
            line_of_route[name] = number
    return routes, line_of_route


def _numbered(name: str, taken: Collection[str]) -> Iterator[str]:
    """The name with 1, 2, 3 … behind it, without those that are taken."""
    return (free for free in (f"{name}-{number}" for number in count(1)) if free not in taken)


def _route(
    line: Line, name: str, ends: tuple[str, str], slugs: Mapping[int, str], together: bool
) -> dict[str, Any]:
    boxes = line.boxes if slugs[line.ends[0]] == ends[0] else line.boxes[::-1]
    return {
        "id": name,
        "from": ends[0],
        "to": ends[1],
        "length": len(boxes),
        "colour": line.colour,
        **({"parallel_group": "--".join(ends)} if together else {}),
        **({"ferry": line.ferry} if line.ferry else {}),
        **({"tunnel": True} if line.tunnel else {}),
        "spaces": [[round(b.x, 5), round(b.y, 5), round(b.angle, 1)] for b in boxes],
    }


def _crossings(draft: Draft, line_of_route: Mapping[str, int]) -> list[list[str]]:
    route_of = {number: route for route, number in line_of_route.items()}
    return [[route_of[one], route_of[other]] for one, other in draft.crossings]


def _ticket(ticket: DraftTicket, slugs: Mapping[int, str]) -> dict[str, Any]:
    first, second = sorted(slugs[place] for place in ticket.places)
    return {"id": f"{first}--{second}", "from": first, "to": second, "points": ticket.points}


def _bonuses(rules: DraftRules) -> dict[str, int]:
    named = {
        "longest-path": rules.longest_path,
        "globetrotter": rules.globetrotter,
        "flag": rules.flag,
    }
    return {name: points for name, points in named.items() if points}


def _unequal_doubles(draft: Draft) -> list[Remark]:
    """Lines that share both ends are mostly equally long: a space may be missing in one."""
    by_ends: dict[frozenset[int], list[int]] = {}
    for number, line in draft.lines.items():
        if not any(draft.places[end].is_country for end in line.ends):
            by_ends.setdefault(frozenset(line.ends), []).append(number)
    told = "companion.studio.unequal"
    return [
        Remark(Message(told, line=draft.line_name(some[0])), False, tuple(some))
        for some in by_ends.values()
        if len({len(draft.lines[number].boxes) for number in some}) > 1
    ]


def _odd_tickets(draft: Draft) -> list[Remark]:
    """Where two places became one, their tickets may lead nowhere or say the same."""
    remarks: list[Remark] = []
    known: set[frozenset[int]] = set()
    for one in draft.tickets:
        names = " – ".join(map(draft.place_name, one.places))
        ends = tuple(dict.fromkeys(one.places))
        if len(ends) == 1:
            told = Message("companion.studio.ticket-loop", ticket=names)
            remarks.append(Remark(told, True, (), ends))
        elif frozenset(ends) in known:
            told = Message("companion.studio.ticket-twice", ticket=names)
            remarks.append(Remark(told, True, (), ends))
        known.add(frozenset(ends))
    return remarks


def _close_places(draft: Draft) -> list[Remark]:
    """Two places no farther apart than a space is long are mostly one that was proposed twice."""
    return [
        Remark(
            Message(
                "companion.studio.close", one=draft.place_name(one), other=draft.place_name(other)
            ),
            False,
            (),
            (one, other),
        )
        for one, other in combinations(draft.places, 2)
        if draft.distance_mm(draft.places[one], draft.places[other]) < draft.space_size_mm[0]
    ]


def _for_people(message: Message) -> Message:
    """A finding about a file's fields, told of what the page shows: lines, spaces, places."""
    values = dict(message.values)
    who, field = str(values.get("who", "")), str(values.get("field", ""))
    space = SPACE.fullmatch(field)
    if who == "board":
        values["who"] = Message("companion.studio.this-board")
    elif who.startswith(ROUTE):
        values["who"] = who.removeprefix(ROUTE)
    if space is not None:
        values["field"] = Message("companion.studio.space-number", n=int(space[1]))
    elif field in FIELDS:
        values["field"] = FIELDS[field]
    return Message(message.key, **values)


def _with_names(message: Message, names: Mapping[str, str]) -> Message:
    """A message with the names of places and lines for their ids, in its values too."""

    def told(value: object) -> object:
        if isinstance(value, Message):
            return _with_names(value, names)
        if isinstance(value, tuple):
            return tuple(told(one) for one in value)
        if isinstance(value, str):
            return ID.sub(lambda found: names.get(found[0], found[0]), value)
        return value

    return Message(message.key, **{name: told(value) for name, value in message.values.items()})


def _inspected(draft: Draft, written: Written) -> list[Remark]:
    """What `companion boards check` finds."""
    found = inspect_board(written.document)
    names = {slug: draft.place_name(number) for slug, number in written.place_of_id.items()}
    names |= {route: draft.line_name(number) for route, number in written.line_of_route.items()}
    remarks = []
    for finding in found.findings:
        routes = dict.fromkeys(route for route, _ in finding.boxes)
        lines = tuple(written.line_of_route[r] for r in routes if r in written.line_of_route)
        said = _for_people(_with_names(finding.message, names))
        remarks.append(Remark(said, finding.is_error, lines))
    return remarks
