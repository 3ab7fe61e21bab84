"""Random evenings at a real table: actions of every kind, made from what the table says of them.

The actions, their fields and the fields' types are read from the table's own description, so a new
action or a new page takes part without a word here.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from flask import Flask
from flask.testing import FlaskClient
from hypothesis import strategies as st

from companion.session.event_fields import FieldType
from companion.session.events import EVENTS, Notice, ProposedPlace, ReadingProposed, RouteProposal
from companion.table.actions import Press, Scan, ShowReveal, TakeBack, Upload
from companion.table.eye import Seen
from companion.table.table import Table
from scoring.board.board import Board
from scoring.game.mapless import MaplessGame
from tests.companion.tables import ToldEye
from tests.web.fake_table import grey_png
from vision.reading import Why, warning_message
from vision.routes.places import places_of
from web.ports import Action
from web.sent.mapless_entries import CARD_COLOURS, KEYS
from web.table_state import BUTTONS, PHASES

Drawn = st.SearchStrategy[Any]
Draw = Callable[[Drawn], Any]

NAMES = ("Ada", "Ben", "Zoë {n}", "<b>Cleo</b>", "Dora " * 4, "Ève", "12")
JUNK: Drawn = st.sampled_from(
    [
        "",
        " ",
        "mars",
        "web.title",
        "new-york",
        "{n}",
        "-1",
        0,
        -1,
        3,
        10**12,
        1.5,
        None,
        True,
        [],
        {},
    ]
)
LIKE_FAULTS = ("web.title", "new-york", "{n}")
"""Junk that nobody is called here: pages tell names, and there it would look like a fault."""

WARNINGS = ("covered", "not-in-play", "double-held-twice")
ENDS = ("start", "new-game", "finish")
"""Actions after which little is left to do: less frequent than the others."""

MOST_PIECES = 8
"""Routes and tickets of a board that evenings are about: few, so that they meet again."""


class RandomEye(ToldEye):
    """Tells the reading that it was given last."""

    told: ReadingProposed | None = None

    def look(self, photos_bgr: Any, board: Board, colours: Sequence[str]) -> Seen:
        if self.told is None:
            self.routes = None
            return super().look(photos_bgr, board, colours)
        return Seen(self.told, lambda route: grey_png())


def play_one(draw: Draw, table: Table, eye: RandomEye, client: FlaskClient) -> tuple[str, Any]:
    """Send one action with a payload that is right, nearly right or wrong.

    Returns what was sent, in words, and the answer.
    """
    actions = sorted(table.actions().values(), key=lambda one: one.name)
    within = [one for one in actions if one.name not in ENDS]
    action = draw(st.sampled_from([*actions, *3 * within]))
    if _looks(action):
        seen = readings(table)
        eye.told = draw(st.one_of(*4 * [seen], st.none()))
    payload = draw(payloads(action, table))
    html = {"Accept": "text/html"} if draw(st.booleans()) else {}
    address = f"/api/act/{action.name}"
    if "images" in action.fields:
        files = [(io.BytesIO(draw(PHOTOS)), "photo.png")]
        return action.name, client.post(address, data={"images": files}, headers=html)
    return f"{action.name} {payload}", client.post(address, json=payload, headers=html)


def look_at_it(draw: Draw, table: Table, eye: RandomEye, client: FlaskClient) -> tuple[str, Any]:
    """Send a photo in which the camera reads something: it leads to questions about it."""
    eye.told = draw(readings(table))
    files = [(io.BytesIO(PHOTO), "photo.png")]
    return "upload-photo", client.post("/api/act/upload-photo", data={"images": files})


def start_payload(draw: Draw, table: Table) -> Mapping[str, Any]:
    """A start that is allowed: every evening begins with one."""
    board = draw(st.sampled_from(table.in_play().boards))
    low, high = board["players"]
    colours = draw(st.permutations(board["player_colours"]))[: draw(st.integers(low, high))]
    players = [{"name": n, "colour": c} for n, c in zip(NAMES, colours, strict=False)]
    return {
        "board": board["id"],
        "players": players,
        "camera": draw(st.sampled_from([True, True, False])),
    }


def payloads(action: Action, table: Table) -> Drawn:
    """Payloads of an action, most of them whole and of the right types."""
    wanted = {name: _field(name, table) for name in action.fields if name != "images"}
    whole = st.fixed_dictionaries(wanted)
    return st.one_of(*6 * [whole], st.fixed_dictionaries({}, optional=wanted))


def _field(name: str, table: Table) -> Drawn:
    hint = FIELD_TYPES.get(name, Any)
    return _of_type(hint, table, name)


def _of_type(hint: Any, table: Table, name: str) -> Drawn:
    """Values of a field's Python type; a text is one that means something at this table."""
    if hint is Any and name in _WITHOUT_MAP:
        return _WITHOUT_MAP[name]
    if name == "ticket" and isinstance(table.in_play().board, MaplessGame):
        return st.one_of(TYPED_TICKETS, _word(table, name))
    if get_origin(hint) is Annotated:
        kinds = [one.name for one in get_args(hint)[1:] if isinstance(one, FieldType)]
        return _of_type(get_args(hint)[0], table, _KINDS.get(*kinds[:1], name) if kinds else name)
    if get_origin(hint) in (Union, UnionType):
        return st.one_of(*(_of_type(one, table, name) for one in get_args(hint)))
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint, include_extras=True)
        return st.fixed_dictionaries(
            {one.name: _of_type(hints[one.name], table, one.name) for one in fields(hint)}
        )
    if name in _TOGETHER:
        return st.one_of(*4 * [_TOGETHER[name](table)], _listed(hint, table, name))
    if get_origin(hint) is tuple:
        return _listed(hint, table, name)
    if get_origin(hint) is not None and issubclass(get_origin(hint), Mapping):
        keys = st.sampled_from(_words(table, name))
        return st.dictionaries(keys, _of_type(get_args(hint)[1], table, name), max_size=3)
    plain = {bool: st.booleans(), int: st.integers(-1, 60), type(None): st.none()}
    if hint is Any:
        return st.one_of(_word(table, name), st.integers(-1, 60), JUNK)
    return plain.get(hint, _word(table, name))


def _listed(hint: Any, table: Table, name: str) -> Drawn:
    one = {"lines": "route", "owners": "owner"}.get(name, name)
    return st.lists(_of_type(get_args(hint)[0], table, one), max_size=3)


def _lines(table: Table) -> Drawn:
    """All lines of a place; a few doubles come up often."""
    board = table.in_play().board or table._config.boards[0]
    places = [list(lines) for lines in places_of(board)]
    several = [lines for lines in places if len(lines) > 1][:3]
    return st.sampled_from(several or places[:1] or [["no-such-route"]])


def _owners(table: Table) -> Drawn:
    owners = st.sampled_from([*_pools(table)["owner"], None])
    return st.lists(owners, min_size=2, max_size=2)


_NAMED = ("name", "alias", "person")
"""Fields that say what somebody is called."""


def _word(table: Table, name: str) -> Drawn:
    known = st.sampled_from(_words(table, name))
    junk = JUNK.filter(lambda one: one not in LIKE_FAULTS) if name in _NAMED else JUNK
    return st.one_of(*9 * [known], junk)


def _words(table: Table, name: str) -> Sequence[str]:
    pools = _pools(table)
    return pools.get(name) or sorted({word for pool in pools.values() for word in pool})


def _pools(table: Table) -> Mapping[str, Sequence[str]]:
    """What the fields of each name may say at this table, now."""
    play = table.in_play()
    board = play.board or table._config.boards[0]
    doubles = [route for group in board.parallel_groups.values() for route in group]
    colours = [player["colour"] for player in play.players] or list(board.player_colours)
    return {
        "route": [route.id for route in (*doubles[:4], *board.routes)][:MOST_PIECES] or ["none"],
        "ticket": [ticket.id for ticket in board.tickets][:MOST_PIECES] or ["none"],
        "player": colours,
        "owner": [*colours, "nobody"],
        "passengers": list(board.passengers_in_bag) or ["red"],
        "colour": list(board.player_colours),
        "board": [choice["id"] for choice in play.boards],
        "phase": list(PHASES),
        "button": list(BUTTONS),
        **dict.fromkeys(_NAMED, NAMES),
        "evening": [one.id for one in table.history.evenings()] or ["1"],
    }


def readings(table: Table) -> Drawn:
    """What a camera may make of the board in play: doubts of every kind on a few of its routes."""
    play = table.in_play()
    board = play.board or table._config.boards[0]
    owners = st.sampled_from([None, *board.player_colours])
    proposal = st.builds(_proposal, owners, owners, st.floats(0, 1), st.booleans())
    routes = st.dictionaries(
        st.sampled_from(_pools(table)["route"]), proposal, min_size=1, max_size=6
    )
    why = st.lists(st.sampled_from([*map(str, Why), "of-tomorrow"]), max_size=2).map(tuple)
    return st.builds(
        _reading, st.just(board), routes, st.booleans(), why, st.sampled_from(WARNINGS)
    )


def _proposal(owner: str | None, other: str | None, sure: float, review: bool) -> RouteProposal:
    return RouteProposal(owner, sure, review, ((owner, sure), (other, 1 - sure)))


def _reading(
    board: Board, routes: Mapping[str, RouteProposal], whole: bool, why: tuple[str, ...], code: str
) -> ReadingProposed:
    told = tuple(routes)
    notices = (Notice(code, warning_message(code, len(told)), told),) if told and why else ()
    places = tuple(ProposedPlace(lines, why) for lines in places_of(board) if {*lines} & {*told})
    return ReadingProposed(routes, whole, notices, places)


def _looks(action: Action) -> bool:
    return action.name in ("scan", "press") or "images" in action.fields


def addresses(app: Flask, table: Table) -> list[str]:
    """Every page and document that can be asked for, for a few routes and everybody who plays."""
    play, pools = table.in_play(), _pools(table)
    fill = {
        "route": pools["route"][:3],
        "player": [player["colour"] for player in play.players] or ["red"],
        "colour": [player["colour"] for player in play.players] or ["red"],
        "evening": pools["evening"][:2],
        "board": ["usa", "no-such-board"],
        "link": ["no-such-link"],
    }
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint not in ("static", "events.events"):
            names = sorted(rule.arguments)
            found += [rule.rule] if not names else _filled(rule.rule, names, fill)
    return sorted(found)


def _filled(rule: str, names: list[str], fill: Mapping[str, Sequence[str]]) -> list[str]:
    (name,) = names
    return [rule.replace(f"<{name}>", value) for value in fill[name]]


def unplaced(board: Board, name: str) -> Board:
    """A taught board whose file gives no positions."""
    routes = tuple(replace(route, spaces=()) for route in board.routes)
    return replace(board, id=name, title=f"{board.title}, by name", routes=routes, prints=())


def _field_types() -> dict[str, Any]:
    """The type of every field that the panel sends, by the name it is sent under."""
    found: dict[str, Any] = {}
    for command in (*EVENTS, Scan, Press, ShowReveal, TakeBack, Upload):
        for hint in get_type_hints(command, include_extras=True).values():
            kinds = [one for one in get_args(hint)[1:] if isinstance(one, FieldType)]
            if get_origin(hint) is Annotated and kinds and kinds[0].sent_as:
                found[kinds[0].sent_as] = hint
    return found


def _counts(keys: Sequence[str], most: int) -> Drawn:
    return st.dictionaries(st.sampled_from(keys), st.integers(0, most), max_size=3)


TYPED_TICKETS = st.fixed_dictionaries(
    {"points": st.integers(0, 21)},
    optional={
        "from": st.sampled_from(("Denver", "Chicago")),
        "to": st.sampled_from(("Omaha", "Miami")),
        "completed": st.booleans(),
        "cards": _counts(CARD_COLOURS, 3),
    },
)
"""Tickets as a game without a map takes them."""

_WITHOUT_MAP: Mapping[str, Drawn] = {
    "route_lengths": _counts(KEYS["route_lengths"], 3),
    "cards": _counts(KEYS["cards"], 4),
    "route_points": _counts(KEYS["route_points"], 21),
    "big_cities": _counts(KEYS["big_cities"], 9),
    "bonuses": _counts(("Mandala", "longest-path"), 20),
    "stations": st.integers(0, 4),
}
"""Figures that are typed in a game without a map."""

FIELD_TYPES = _field_types()
_TOGETHER: Mapping[str, Callable[[Table], Drawn]] = {"lines": _lines, "owners": _owners}
"""Types of fields whose values must fit each other, which words by themselves hardly ever do."""
_KINDS = {"lines": "lines", "owners": "owners", "tickets": "ticket", "colour": "player"}
"""Which pool the words of a type of field come from, where it is called otherwise."""
PHOTO = grey_png(1280, 960)
PHOTOS = st.sampled_from([PHOTO, PHOTO, b"no picture", b""])
