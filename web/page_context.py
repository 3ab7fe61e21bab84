"""The present moment of the table in the visitor's language, as pages show it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from scoring.board.board import Board
from scoring.board.readable_print import can_be_read
from scoring.game.colours import COLOURS
from scoring.game.game import Game
from scoring.game.mapless import MaplessGame
from scoring.language import Message, MessageJson, has_text, text
from scoring.language.lists import join_names
from scoring.language.pieces import with_buses
from scoring.network import components, joins
from scoring.sheet.sheet import Sheet
from web.asked_places import AskedPlace, offered_owners
from web.board_svg import BoardDrawing, ends_title, route_title
from web.errors import NotFoundError
from web.language import count, say, say_if_known
from web.pieces import has_buses
from web.table_state import (
    CAMERA_STATUSES,
    BoardChoice,
    Doubt,
    HandTicket,
    PanelNotice,
    PanelPlayer,
    PanelRemark,
    RouteState,
    SheetCheck,
    TableState,
    UndoStep,
)
from web.without_map import WithoutMap

NOBODY_KNOWN = RouteState(owner=None, status="proposed", confidence=1.0)
"""What a route is that the state leaves out."""

ROUTE_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*--[a-z0-9]+(?:-[a-z0-9]+)*")
"""How a route's id, or that of a double, looks within a sentence."""

MANY = 4
"""From so many questions on it pays to enter the tickets first; fewer are answered as quickly."""

MOST_NAMED = 4
"""Routes that a notice names; more are only shown on the board."""

NOTHING_TO_CHECK = SheetCheck(wagons=[], remarks=[])

PAGE_OF_REMARK: Mapping[str, str] = {
    "few-tickets": "/tickets/{}",
    "flags": "/tickets/{}",
    "passengers": "/tickets/{}",
    "marker": "/markers",
    "nobody-ended": "/check/{}",
    "too-many-wagons": "/check/{}",
    "wagons-differ": "/check/{}",
    "big-cities": "/tickets",
}
"""Where a remark is mended; `{}` stands for the colour of the first player it names."""


@dataclass(frozen=True)
class PageContext:
    """One moment of the table as a page shows it."""

    state: TableState
    board: Board | None
    drawing: BoardDrawing | None
    sheet: Sheet | None
    language: str
    game: Game | None = None
    photo: str | None = None
    """Where the table's own photo of this board is, empty; None where there is none."""
    on_photo: bool = False
    """Whether this device wants the map on that photo."""

    @cached_property
    def player_by_colour(self) -> Mapping[str, PanelPlayer]:
        return {player["colour"]: player for player in self.state["players"]}

    @cached_property
    def doubt_by_route(self) -> Mapping[str, Doubt]:
        return {doubt["route"]: doubt for doubt in self.state["doubts"]}

    @property
    def asked(self) -> list[AskedPlace]:
        """The open questions, each with what its card shows."""
        return [self._asked(doubt) for doubt in self.state["doubts"]]

    def _asked(self, doubt: Doubt) -> AskedPlace:
        routes = doubt.get("routes") or [doubt["route"]]
        why = ", ".join(self.sentence(message) for message in doubt.get("why", []))
        choices = offered_owners(doubt, self.state["likely"])
        return AskedPlace(doubt, routes, self.lines_title(routes), why, choices)

    def lines_title(self, routes: Sequence[str]) -> str:
        """A route's name; that of a place of several lines goes without their numbers."""
        if len(routes) == 1 or self.board is None:
            return self.route_title(routes[0])
        return ends_title(self.board, self.board.route_by_id[routes[0]])

    @property
    def box_asks(self) -> str:
        """What the box asks about, and the owners that it offers for it."""
        cursor = self.state["cursor"]
        routes = cursor.get("routes") or [cursor["route"] or ""]
        owners = cursor.get("owners") or [cursor["choice"]]
        return f"{self.lines_title(routes)}: {self.names_of_owners(owners)}"

    def spoken_owners(self, owners: Sequence[str | None]) -> str:
        """The owners by their names alone, as the head of a button."""
        known = self.player_by_colour
        names = [known[owner]["name"] for owner in owners if owner is not None and owner in known]
        nobody = [self.say("nobody" if names else "Nobody")] if None in owners else []
        return join_names([*names, *nobody], self.language)

    def colours_of(self, owners: Sequence[str | None]) -> str:
        """The colours of owners, nobody left out."""
        return join_names([self.colour_name(o) for o in owners if o is not None], self.language)

    def names_of_owners(self, owners: Sequence[str | None]) -> str:
        """The owners of a place's lines as spoken: "Ada (black) and nobody"."""
        held = [self.owner_name(owner) for owner in owners if owner is not None]
        return join_names([*held, *([self.say("nobody")] if None in owners else [])], self.language)

    def say(self, key: str, **values: object) -> str:
        """A text of this room."""
        return self._of_pieces(say(key, self.language, **values))

    def count(self, key: str, number: int) -> str:
        """A number with its noun."""
        return self._of_pieces(count(key, number, self.language))

    def _of_pieces(self, said: str) -> str:
        """What is said of wagons, said of buses where the game has those."""
        return with_buses(said, self.language) if has_buses(self.board) else said

    def sentence(self, message: MessageJson) -> str:
        """A message of the table in words, the routes in it by their names."""
        return self.with_names(self._of_pieces(Message.from_json(message).text(self.language)))

    def full_sentence(self, message: MessageJson) -> str:
        """The same where it stands by itself: with a capital and a full stop."""
        said = self.sentence(message)
        return f"{said[:1].upper()}{said[1:]}" + ("" if said.endswith((".", "?", "!")) else ".")

    def notice_text(self, notice: PanelNotice) -> str:
        """A notice in words, with the names of its routes where it only counts them."""
        said = self.full_sentence(notice)
        titles = list(dict.fromkeys(map(self.route_title, notice.get("routes", []))))
        named = said.replace("–", " – ").replace("  ", " ")
        if not titles or len(titles) > MOST_NAMED or any(one in named for one in titles):
            return said
        return f"{said.removesuffix('.')}: {join_names(titles, self.language)}."

    def with_names(self, said: str) -> str:
        """A sentence with the names of the routes and tickets whose ids it holds."""
        return ROUTE_ID.sub(lambda found: self._named(found[0]), said)

    def _named(self, word: str) -> str:
        """A route's or double's name for its id; any other word as it is."""
        if self.board is None:
            return word
        if word in self.board.route_by_id:
            return self.route_title(word)
        known = self.board.place_by_id
        places = word.split("--")
        named = all(place in known for place in places)
        return " – ".join(known[place].name for place in places) if named else word

    def colour_name(self, colour: str) -> str:
        """A colour's name."""
        return text(f"scoring.colour.{colour}", self.language)

    def player(self, colour: str) -> PanelPlayer:
        """The player of a colour; raises NotFoundError."""
        try:
            return self.player_by_colour[colour]
        except KeyError:
            raise NotFoundError("web.error.player", colour=colour[:40]) from None

    def owner_name(self, owner: str | None) -> str:
        """A player's name with the colour, or "nobody"."""
        if owner is None:
            return self.say("nobody")
        known = self.player_by_colour.get(owner)
        return f"{known['name']} ({self.colour_name(owner)})" if known else self.colour_name(owner)

    def route_state(self, route: str) -> RouteState:
        """Owner and status of a route."""
        return self.state["routes"].get(route, NOBODY_KNOWN)

    def with_owners(self, owners: Mapping[str, str | None]) -> "PageContext":
        """The same moment with other owners on the map, for the sake of argument."""
        said = {
            route: RouteState(owner=owner, status="confirmed", confidence=1.0)
            for route, owner in owners.items()
        }
        routes = {**self.state["routes"], **said}
        return replace(self, state=TableState(**{**self.state, "routes": routes}))

    def route_title(self, route: str) -> str:
        """A route's name for people; raises NotFoundError."""
        if self.board is None or route not in self.board.route_by_id:
            raise NotFoundError("web.error.route", route=route[:80])
        return route_title(self.board, self.board.route_by_id[route])

    def has_track_piece(self, route: str) -> bool:
        """Whether a person said that a track piece lies there (France)."""
        return route in self.state.get("track_pieces", [])

    def is_closed(self, route: str) -> bool:
        """Whether nobody may claim a free line any more."""
        free = self.route_state(route)["owner"] is None
        return free and route in self.state.get("closed", {})

    def route_label(self, route: str) -> str:
        """A route with its owner and whether that is doubtful, for those who can't see colours."""
        known = self.route_state(route)
        label = f"{self.route_title(route)}: {self.owner_name(known['owner'])}"
        if self.has_track_piece(route):
            return f"{label}, {self.say('status.track')}"
        if self.is_closed(route):
            return f"{label}, {self.say('status.closed')}"
        return f"{label}, {self.say('status.doubtful')}" if known["status"] == "doubtful" else label

    def shown_of(self, route: str, link: str, is_lit: bool) -> tuple[object, ...]:
        """All that a route on the map shows besides what never changes."""
        known = self.route_state(route)
        owner = known["owner"]
        return (
            route,
            owner,
            known["status"],
            owner and self.owner_name(owner),
            self.has_track_piece(route),
            self.is_closed(route),
            self.state["cursor"]["route"] == route,
            is_lit,
            link,
            self.language,
        )

    def line_of(self, route: str) -> str:
        """What tells a line from the others of its double: its side and its printed colour."""
        side = None if self.drawing is None else self.drawing.sides.get(route)
        if side is None or self.board is None:
            return ""
        printed = self.board.route_by_id[route].colour
        line = self.say(f"line.{side}")
        if printed not in COLOURS:
            return line
        return self.say("line.printed", line=line, colour=self.colour_name(printed))

    def place_name(self, place: str) -> str:
        """A place's printed name."""
        known = None if self.board is None else self.board.place_by_id.get(place)
        return place if known is None else known.name

    @cached_property
    def without_map(self) -> WithoutMap | None:
        """The game in play where it has no map."""
        if not isinstance(self.board, MaplessGame):
            return None
        return WithoutMap(self.board, self.state, self.language)

    @property
    def missing_cities_sentence(self) -> str:
        """Whose big-city points are missing."""
        names = [] if self.without_map is None else self.without_map.missing_cities
        key = "cities.missing.one" if len(names) == 1 else "cities.missing.many"
        return self.say(key, n=len(names), names=join_names(names, self.language))

    @property
    def board_title(self) -> str:
        """The name of the game in play, "" without one."""
        board = None if self.board is None else self.board.id
        return next(
            (self.game_title(one) for one in self.state["boards"] if one["id"] == board), ""
        )

    def game_title(self, choice: BoardChoice) -> str:
        """A board's own title, or that of a game without a map in the visitor's language."""
        if choice.get("has_map", True):
            return choice["title"]
        return say_if_known(f"game.{choice['id']}", self.language, choice["title"])

    def game_edition(self, choice: BoardChoice) -> str:
        """A board's edition, or what a game without a map is played by."""
        if choice.get("has_map", True):
            return choice["edition"]
        return say_if_known(f"game.by.{choice['id']}", self.language, choice["edition"])

    def choices(self, route: str) -> list[tuple[str | None, float | None]]:
        """Who may own a route, likeliest first where it is doubted, each with its probability."""
        everyone = [player["colour"] for player in self.state["players"]]
        doubt = self.doubt_by_route.get(route)
        likely = [] if doubt is None else doubt["alternatives"]
        odds = {one["owner"]: one["probability"] for one in likely}
        order = dict.fromkeys([*odds, *everyone, None])
        possible = [owner for owner in order if owner is None or owner in everyone]
        first = [owner for owner in possible if odds.get(owner, 0.0) >= self.state["likely"]]
        rest = [owner for owner in possible if owner not in first]
        return [*((owner, odds[owner]) for owner in first), *((owner, None) for owner in rest)]

    @property
    def empty_hands(self) -> list[PanelPlayer]:
        """The players without a ticket, where the game has tickets."""
        if self.board is None or not (self.board.tickets or self.without_map):
            return []
        held, aside = self.state["tickets"], self.state.get("set_aside", {})
        return [
            player
            for player in self.state["players"]
            if not (held.get(player["colour"]) or aside.get(player["colour"]))
        ]

    @property
    def names_of_empty_hands(self) -> str:
        """Their names as spoken."""
        return join_names([player["name"] for player in self.empty_hands], self.language)

    @property
    def has_markers(self) -> bool:
        """Whether the game has a score track, whose markers can be compared."""
        return self.without_map is None or not self.without_map.game.has_cards

    @property
    def next_hand(self) -> PanelPlayer | None:
        """Whose tickets are entered next: the box's player, else the first with an empty hand."""
        empty = self.empty_hands
        pointed = (one for one in empty if one["colour"] == self.state["cursor"]["player"])
        return next(pointed, empty[0] if empty else None)

    def hand_after(self, colour: str) -> PanelPlayer | None:
        """The next player in turn whose hand is empty; None where all are in."""
        colours = [player["colour"] for player in self.state["players"]]
        turn = {one: n for n, one in enumerate(colours)}
        seats, own = len(colours), turn[colour]
        rest = [one for one in self.empty_hands if one["colour"] != colour]
        return min(rest, key=lambda one: (turn[one["colour"]] - own) % seats, default=None)

    def joined_tickets(self, colour: str) -> frozenset[str]:
        """The tickets of the set that a player's routes complete, whether held or not."""
        board = self.board
        if board is None:
            return frozenset()
        known = self.state["routes"].items()
        own = [r for r, one in known if one["owner"] == colour and r in board.route_by_id]
        found = components(board, own)
        return frozenset(one.id for one in board.tickets if joins(found, one.places))

    @property
    def check(self) -> SheetCheck:
        """What is to be looked at before the sheet."""
        return self.state.get("check", NOTHING_TO_CHECK)

    @property
    def remarks(self) -> list[PanelRemark]:
        """The referee's remarks; the empty hands are told in a sentence of their own."""
        return [one for one in self.check["remarks"] if one["code"] != "no-tickets"]

    def way_to_mend(self, remark: PanelRemark) -> str | None:
        """The page where what a remark says can be put right, None where there is none."""
        page = PAGE_OF_REMARK.get(remark["code"])
        if page is None and remark["routes"]:
            return f"/route/{remark['routes'][0]}"
        if page is None or "{}" not in page:
            return page
        return page.format(remark["players"][0]) if remark["players"] else None

    def ticket_of(self, one: HandTicket) -> tuple[tuple[str, str], int]:
        """Both places of a ticket in hand, and its value."""
        places = one.get("places")
        if places:
            return (places[0], places[1]), one["points"]
        assert self.board is not None, "a hand belongs to a game"
        known = self.board.ticket_by_id[one["ticket"]]
        return known.places, known.points

    @property
    def setting_defaults(self) -> Mapping[str, Any]:
        """What the board in play leaves open, with the defaults."""
        board = None if self.board is None else self.board.id
        known = (one.get("settings", {}) for one in self.state["boards"] if one["id"] == board)
        return next(known, {})

    @property
    def can_be_photographed(self) -> bool:
        """Whether photos of the board in play can be read at all."""
        return self.board is not None and can_be_read(self.board)

    @property
    def decisive_count(self) -> int:
        """How many open questions could change the ranking, as far as that is known."""
        return sum(doubt["decisive"] is True for doubt in self.state["doubts"])

    @property
    def ranking_stands(self) -> bool:
        """Whether questions are open, but none that could change the ranking."""
        doubts = self.state["doubts"]
        return bool(doubts) and all(doubt["decisive"] is False for doubt in doubts)

    @property
    def tickets_help(self) -> bool:
        """Whether questions are many and tickets, which would tell what matters, are missing."""
        if self.board is None or not self.board.tickets or len(self.state["doubts"]) < MANY:
            return False
        return bool(self.empty_hands)

    @property
    def undo_hint(self) -> str:
        """What the undo button would take back, after its name."""
        what = self.undo_what
        return self.say("undo.nothing") if what is None else self.say("undo.what", what=what)

    @property
    def redo_hint(self) -> str:
        """What the redo button would do again, after its name."""
        action = self.state.get("redo") or ""
        what = say_if_known(f"undo.{action}", self.language, self.say("undo.anything"))
        return self.say("redo.what", what=what)

    @property
    def undo_what(self) -> str | None:
        """The step that would be taken back, None if there is none. It names no ticket."""
        action, step = self.state["undo"], self.state.get("undo_step")
        if action is None:
            return None
        fallback = say_if_known(f"undo.{action}", self.language, self.say("undo.anything"))
        key = f"undo.of.{action}"
        if step is None or not has_text(f"web.{key}"):
            return fallback
        return self.say(key, **self._undo_names(step))

    def _undo_names(self, step: UndoStep) -> dict[str, str]:
        if lines := step.get("routes"):
            owners = self.names_of_owners(step.get("owners", []))
            return {"route": self.lines_title(lines), "owners": owners}
        player = self.player_by_colour.get(step["player"] or "")
        route = step["route"]
        return {
            "name": player["name"] if player else "",
            "route": "" if route is None else self._named(route),
            "owner": self.owner_name(step["owner"]),
        }

    @property
    def round_until(self) -> str:
        """Until when the club's round lasts, by the clock of the box."""
        return f"{datetime.fromtimestamp(self.state['club_round']['ends_s']):%H:%M}"

    @property
    def camera_trouble(self) -> bool:
        """Whether the camera needs somebody's hand."""
        return self.state["camera"]["status"] in CAMERA_STATUSES[4:]
