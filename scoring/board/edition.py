"""Editions: a board file that names another board and says only what differs from it.

The check works on the small document; what it makes is a whole board document, which is then
checked and read like any other. The format is described in `docs/boards.md`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.fields import FieldReader, nearest
from scoring.language import Message
from scoring.language.foreign import shown

Entries = Mapping[str, object]

Bases = Callable[[str], Any]
"""Finds the document of the board that an edition is made of, by its id; None if there is none."""

REPLACED: tuple[str, ...] = (
    "format",
    "id",
    "title",
    "edition",
    "version",
    "edition_of",
    "players",
    "player_colours",
    "wagons_per_player",
    "doubles_open_from",
    "route_points",
    "tie_breaks",
    "score_track",
    "passengers_in_bag",
    "fewest_tickets",
    "stations",
    "hand_bonuses",
)
"""Keys whose value stands in for that of the other board."""

CHANGED: tuple[str, ...] = ("bonuses", "tickets", "routes", "places", "unverified")
"""Keys whose value changes or adds to that of the other board."""

REQUIRED: tuple[str, ...] = ("id", "title", "version")

LISTS: tuple[str, ...] = ("tickets", "routes", "places")
"""Lists of entries with ids, which the other board must have."""

TICKET_CHANGES: tuple[str, ...] = ("remove", "add", "points")
ROUTE_CHANGES: tuple[str, ...] = ("tunnel", "ferry", "colour")


def edition_problems(data: Entries, bases: Bases) -> list[Message]:
    """What is wrong with the changes themselves; the board that they make is checked after.

    >>> document = {"id": "ours", "title": "Ours", "version": 1, "edition_of": "nowhere"}
    >>> [problem.key for problem in edition_problems(document, lambda board: None)]
    ['scoring.problem.edition_base']
    """
    problems: list[Message] = []
    reader = FieldReader("edition", "document", problems)
    base = _base(data, bases)
    if base is None:
        reader.at("edition_of").report("edition_base", value=shown(data.get("edition_of")))
        return problems
    for key in data:
        if key not in (*REPLACED, *CHANGED):
            _report_key(key, reader, (*REPLACED, *CHANGED))
    for key in REQUIRED:
        if key not in data:
            reader.at(key).report("missing")
    _check_tickets(data, base, reader.at("tickets"))
    _check_routes(data, base, reader.at("routes"))
    _check_places(data, base, reader.at("places"))
    reader.at("bonuses").entries(data.get("bonuses", {}))
    reader.at("unverified").items(data.get("unverified", []))
    return problems


def whole_document(data: Any, bases: Bases) -> Any:
    """The whole document that an edition makes; any other document is returned as it is.

    None where the board that it is made of is not there. Changes that make no sense are left out:
    `edition_problems` has reported them.

    >>> base = {"id": "usa", "title": "USA", "places": [], "routes": [], "tickets": []}
    >>> ours = {"id": "ours", "title": "Ours", "edition_of": "usa"}
    >>> whole_document(ours, {"usa": base}.get)["title"]
    'Ours'
    """
    if not isinstance(data, dict) or "edition_of" not in data:
        return data
    base = _base(data, bases)
    if base is None:
        return None
    return {
        **base,
        "edition": "",
        **{key: data[key] for key in REPLACED if key in data},
        "bonuses": {**_entries(base.get("bonuses")), **_entries(data.get("bonuses"))},
        "tickets": _new_tickets(data.get("tickets", {}), base["tickets"]),
        "routes": _new_routes(_entries(data.get("routes")), base["routes"]),
        "places": _new_places(_entries(data.get("places")), base["places"]),
        "unverified": [*_items(base.get("unverified")), *_items(data.get("unverified"))],
    }


def _base(data: Entries, bases: Bases) -> dict[str, Any] | None:
    """The other board's document: a whole one, for an edition of an edition is none."""
    name = data.get("edition_of")
    base = bases(name) if isinstance(name, str) else None
    if not isinstance(base, dict) or "edition_of" in base:
        return None
    return base if all(_is_list_of_objects(base.get(key)) for key in LISTS) else None


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _report_key(key: str, reader: FieldReader, known: tuple[str, ...]) -> None:
    meant = nearest(key, known)
    if meant is None:
        reader.report("edition_key", value=shown(key), known=", ".join(known))
    else:
        reader.report("misspelt", value=shown(key), meant=meant)


# --- tickets ---


def _check_tickets(data: Entries, base: Mapping[str, Any], reader: FieldReader) -> None:
    changes = data.get("tickets", {})
    if isinstance(changes, list):
        return  # a whole new set, which the board's own check reads
    ids = _ids(base["tickets"])
    for key in reader.entries(changes):
        if key not in TICKET_CHANGES:
            _report_key(key, reader, TICKET_CHANGES)
    entries = _entries(changes)
    for name in reader.at("tickets.remove").items(entries.get("remove", [])):
        _check_known(name, ids, reader.at("tickets.remove"))
    for name in reader.at("tickets.points").entries(entries.get("points", {})):
        _check_known(name, ids, reader.at("tickets.points"))
    reader.at("tickets.add").items(entries.get("add", []))


def _new_tickets(changes: object, tickets: list[Any]) -> list[Any]:
    if isinstance(changes, list):
        return changes
    entries = _entries(changes)
    removed = [name for name in _items(entries.get("remove")) if isinstance(name, str)]
    points = _entries(entries.get("points"))
    kept = [
        {**ticket, "points": points[_id(ticket)]} if _id(ticket) in points else ticket
        for ticket in tickets
        if _id(ticket) not in removed
    ]
    return [*kept, *_items(entries.get("add"))]


# --- routes and places ---


def _check_routes(data: Entries, base: Mapping[str, Any], reader: FieldReader) -> None:
    ids = _ids(base["routes"])
    for name, changes in reader.entries(data.get("routes", {})).items():
        _check_known(name, ids, reader)
        inner = reader.inside(name)
        for key in inner.entries(changes):
            if key not in ROUTE_CHANGES:
                _report_key(key, inner, ROUTE_CHANGES)


def _new_routes(changes: Entries, routes: list[Any]) -> list[Any]:
    return [{**route, **_route_words(changes.get(_id(route)))} for route in routes]


def _route_words(value: object) -> dict[str, object]:
    return {key: word for key, word in _entries(value).items() if key in ROUTE_CHANGES}


def _check_places(data: Entries, base: Mapping[str, Any], reader: FieldReader) -> None:
    ids = _ids(base["places"])
    for name in reader.entries(data.get("places", {})):
        _check_known(name, ids, reader)


def _new_places(names: Entries, places: list[Any]) -> list[Any]:
    return [
        {**place, "name": names[_id(place)]} if _id(place) in names else place for place in places
    ]


def _check_known(name: object, known: list[str], reader: FieldReader) -> None:
    if isinstance(name, str) and name in known:
        return
    meant = nearest(name, known) if isinstance(name, str) else None
    if meant is None:
        reader.report("edition_unknown", value=shown(name))
    else:
        reader.report("edition_unknown_near", value=shown(name), meant=meant)


def _ids(entries: list[Any]) -> list[str]:
    return [_id(entry) for entry in entries]


def _id(entry: Mapping[str, Any]) -> str:
    """An entry's id; empty where the other board's file gives none that could be one."""
    name = entry.get("id")
    return name if isinstance(name, str) else ""


def _entries(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
