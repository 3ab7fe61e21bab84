"""Checks the map in a board's JSON document: places, routes, tickets, and how they fit together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.fields import FieldReader, nearest
from scoring.language.foreign import shown

KINDS: tuple[str, ...] = ("city", "country")

LOWEST_POSITION, HIGHEST_POSITION = -1.0, 2.0
"""Board units; a little outside 0..1 because a frame may be the picture inside the border."""

Entries = Mapping[str, object]
Ends = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Named:
    """One entry of a list whose entries have ids."""

    id: str
    entries: Entries
    reader: FieldReader


def check_map(entries: Entries, reader: FieldReader) -> None:
    """Collect every problem of the map.

    >>> from scoring.language import Message
    >>> problems: list[Message] = []
    >>> empty = {"places": [], "routes": [], "tickets": []}
    >>> check_map(empty, FieldReader("board", "map", problems))
    >>> [problem.text() for problem in problems]
    ['board: places: the board has none']
    """
    places = list(_named("place", entries.get("places"), reader.at("places")))
    known = {place.id for place in places}
    for place in places:
        _place(place)
    routes = list(_named("route", entries.get("routes"), reader.at("routes")))
    ends = {route.id: _ends(route, known) for route in routes}
    table = entries.get("route_points")
    for route in routes:
        _route(route, ends[route.id], table if isinstance(table, dict) else {})
    _parallel(routes, ends)
    _prints(entries.get("prints", []), reader.at("prints"), routes)
    _tickets(entries.get("tickets"), reader.at("tickets"), known)
    _crossings(entries.get("crossings", []), reader.at("crossings"), ends)
    _one_piece([place.id for place in places], ends.values(), reader.at("places"))


def _named(what: str, value: object, reader: FieldReader) -> Iterator[Named]:
    """The entries of a list that have an id; reports the others and duplicates."""
    ids: list[object] = []
    for number, item in enumerate(reader.items(value), start=1):
        own = FieldReader(f"{what} {number}", "id", reader.problems)
        entries = own.entries(item)
        name = _id(what, entries.get("id"), own) if isinstance(item, dict) else None
        ids.append(name)
        if name is not None:
            yield Named(name, entries, FieldReader(f"{what} {name}", what, reader.problems))
    reader.unique(ids)


def _id(what: str, value: object, reader: FieldReader) -> str | None:
    """Places are slugs; the ids of routes and tickets are made of two of them."""
    return reader.slug(value) if what == "place" else reader.word(value)


def _place(place: Named) -> None:
    entries, reader = place.entries, place.reader
    reader.at("name").word(entries.get("name"))
    reader.at("kind").one_of(entries.get("kind", "city"), KINDS)
    for axis in ("x", "y"):
        if entries.get(axis) is not None:
            reader.at(axis).real(entries[axis], LOWEST_POSITION, HIGHEST_POSITION)


def _ends(item: Named, known: set[str]) -> Ends | None:
    """The two different known places of a route or ticket."""
    found: list[str] = []
    for key in ("from", "to"):
        value = item.entries.get(key)
        if isinstance(value, str) and value in known:
            found.append(value)
        else:
            meant = nearest(value, known) if isinstance(value, str) else None
            name = "no_such_place" if meant is None else "no_such_place_near"
            item.reader.at(key).report(name, place=shown(value), meant=meant)
    if len(found) < 2:
        return None
    if found[0] == found[1]:
        item.reader.at("to").report("same_ends", place=found[0])
        return None
    return found[0], found[1]


def _route(route: Named, ends: Ends | None, table: Mapping[str, object]) -> None:
    entries, reader = route.entries, route.reader
    length = reader.at("length").number(entries.get("length"), low=1, high=20)
    if str(length) not in table:
        reader.at("length").report("no_points", length=length)
    reader.at("colour").word(entries.get("colour"))
    reader.at("ferry").number(entries.get("ferry", 0), high=20)
    if "tunnel" in entries:
        reader.at("tunnel").yes_or_no(entries["tunnel"])
    if entries.get("parallel_group") is not None:
        reader.at("parallel_group").word(entries["parallel_group"])
    _spaces(entries.get("spaces", []), reader.at("spaces"), length)
    if ends is not None:
        _route_id(route, ends)


def _route_id(route: Named, ends: Ends) -> None:
    """`from--to` in alphabetical order; a number tells parallel lines apart."""
    body = "--".join(ends)
    number = route.id.removeprefix(f"{body}-")
    if ends[0] > ends[1] or (route.id != body and not number.isdigit()):
        route.reader.at("id").report("route_id", wanted="--".join(sorted(ends)))


def _spaces(value: object, reader: FieldReader, length: int) -> None:
    """None for a board that is only scored; else one (x, y, degrees) for each space."""
    spaces = reader.items(value)
    if spaces:
        _boxes(spaces, reader, length)


def _boxes(spaces: Sequence[object], reader: FieldReader, length: int) -> None:
    if len(spaces) != length:
        reader.report("space_count", count=len(spaces), length=length)
    for number, item in enumerate(spaces, start=1):
        inner = reader.inside(number)
        figures = inner.items(item)
        if len(figures) != 3:
            inner.report("space", value=shown(item))
            continue
        for position in figures[:2]:
            inner.real(position, LOWEST_POSITION, HIGHEST_POSITION)
        inner.real(figures[2], -360, 360)


def _prints(value: object, reader: FieldReader, routes: Sequence[Named]) -> None:
    """Other prints of the map: each has a name of its own and the spaces of every route."""
    prints = reader.items(value)
    unplaced = [route.id for route in routes if not route.entries.get("spaces")]
    if prints and unplaced:
        reader.report("print_alone", route=unplaced[0])
    names: list[object] = []
    for number, item in enumerate(prints, start=1):
        inner = reader.inside(number)
        entries = inner.entries(item)
        names.append(inner.inside("name").word(entries.get("name")))
        _print_spaces(entries.get("spaces"), inner.inside("spaces"), routes)
    reader.unique(names)


def _print_spaces(value: object, reader: FieldReader, routes: Sequence[Named]) -> None:
    lines = reader.entries(value)
    for route in routes:
        if route.id in lines:
            inner, length = reader.inside(route.id), route.entries.get("length")
            _boxes(inner.items(lines[route.id]), inner, length if isinstance(length, int) else 0)
        else:
            reader.report("print_route", route=route.id)
    for name in lines.keys() - {route.id for route in routes}:
        reader.report("no_such_route", route=shown(name))


def _parallel(routes: Sequence[Named], ends: Mapping[str, Ends | None]) -> None:
    """Routes that share both ends, and only they, form one parallel group."""
    by_ends: dict[Ends, list[Named]] = {}
    ends_of_group: dict[str, set[Ends]] = {}
    for route in routes:
        pair, group = ends[route.id], route.entries.get("parallel_group")
        if pair is not None:
            by_ends.setdefault(pair, []).append(route)
            if isinstance(group, str):
                ends_of_group.setdefault(group, set()).add(pair)
    for lines in by_ends.values():
        groups = {line.entries.get("parallel_group") for line in lines if _has_plain_group(line)}
        if len(lines) > 1 and (len(groups) > 1 or None in groups):
            lines[0].reader.at("parallel_group").report("parallel", routes=_ids(lines))
    for route in routes:
        group = route.entries.get("parallel_group")
        if isinstance(group, str) and len(ends_of_group.get(group, ())) > 1:
            route.reader.at("parallel_group").report("group_ends", group=shown(group))


def _has_plain_group(route: Named) -> bool:
    """A group of another kind than text has been reported already."""
    group = route.entries.get("parallel_group")
    return group is None or isinstance(group, str)


def _ids(routes: Sequence[Named]) -> str:
    return ", ".join(route.id for route in routes)


def _tickets(value: object, reader: FieldReader, known: set[str]) -> None:
    """Known places, a value, and no two tickets of the same places (they could not be named)."""
    by_places: dict[frozenset[str], str] = {}
    for ticket in _named("ticket", value, reader):
        ticket.reader.at("points").number(ticket.entries.get("points"), low=0)
        places = _ends(ticket, known)
        if places is None:
            continue
        twin = by_places.setdefault(frozenset(places), ticket.id)
        if twin != ticket.id:
            ticket.reader.at("from").report("twin_ticket", twin=twin)


def _crossings(value: object, reader: FieldReader, routes: Mapping[str, object]) -> None:
    for number, item in enumerate(reader.items(value), start=1):
        inner = reader.inside(number)
        pair = inner.items(item)
        if len(pair) != 2 or pair[0] == pair[1]:
            inner.report("pair", value=shown(item))
        for name in pair:
            if not (isinstance(name, str) and name in routes):
                meant = nearest(name, routes) if isinstance(name, str) else None
                problem = "no_such_route" if meant is None else "no_such_route_near"
                inner.report(problem, route=shown(name), meant=meant)


def _one_piece(places: Sequence[str], ends: Iterable[Ends | None], reader: FieldReader) -> None:
    """Every place is reached from the first; a country counts as one place here."""
    neighbours: dict[str, set[str]] = {place: set() for place in places}
    for pair in ends:
        if pair is not None:
            neighbours[pair[0]].add(pair[1])
            neighbours[pair[1]].add(pair[0])
    if not places:
        reader.report("no_places")
        return
    reached, open_ends = {places[0]}, [places[0]]
    while open_ends:
        for place in neighbours[open_ends.pop()] - reached:
            reached.add(place)
            open_ends.append(place)
    for place in places:
        if place not in reached:
            reader.report("apart", place=place, first=places[0])
