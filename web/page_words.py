"""What a page says of the table: its sentences, and the names of players, owners and routes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from scoring.board.board import Board
from scoring.board.names import places_name
from scoring.game.colours import COLOURS
from scoring.language import Message, MessageJson, text
from scoring.language.lists import join_names
from scoring.sheet.sheet import Sheet
from web.days import day_of, day_of_file
from web.drawing.board_svg import BoardDrawing, route_title
from web.errors import NotFoundError
from web.language import count, full_sentence, in_words, say
from web.names import isolated_in
from web.pieces import by_its_pieces
from web.table_state import (
    Doubt,
    PanelNotice,
    PanelPlayer,
    RouteState,
    TableState,
)

NOBODY_KNOWN = RouteState(owner=None, status="proposed", confidence=1.0)
"""What a route is that the state leaves out."""

ROUTE_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*--[a-z0-9]+(?:-[a-z0-9]+)*")
"""How a route's id, or that of a double, looks within a sentence."""

MOST_NAMED = 4
"""Routes that a notice names; more are only shown on the board."""


@dataclass(frozen=True)
class PageWords:
    """One moment of the table in the visitor's language."""

    state: TableState
    board: Board | None
    drawing: BoardDrawing | None
    sheet: Sheet | None
    language: str

    @cached_property
    def player_by_colour(self) -> Mapping[str, PanelPlayer]:
        return {player["colour"]: player for player in self.state["players"]}

    @cached_property
    def doubt_by_route(self) -> Mapping[str, Doubt]:
        return {doubt["route"]: doubt for doubt in self.state["doubts"]}

    def day_of_file(self, created: str) -> str:
        """When a file was made, the month in words."""
        return day_of_file(created, self.language)

    def day_at(self, at: datetime) -> str:
        """A day and its time, by the clock of the box."""
        return day_of(at.timestamp(), self.language)

    def lines_title(self, routes: Sequence[str]) -> str:
        """A route's name; that of a place of several lines goes without their numbers."""
        if len(routes) == 1 or self.board is None:
            return self.route_title(routes[0])
        return places_name(self.board, self.board.route_by_id[routes[0]].ends)

    def spoken_owners(self, owners: Sequence[str | None]) -> str:
        """The owners by their names alone, as the head of a button."""
        known = self.player_by_colour
        names = [known[owner]["name"] for owner in owners if owner is not None and owner in known]
        if not names:
            return self.say("Nobody")
        spoken = join_names(names, self.language)
        return self.say("owners.only", owner=spoken) if None in owners else spoken

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
        return by_its_pieces(said, self.board, self.language)

    def sentence(self, message: MessageJson) -> str:
        """A message of the table in words, the routes in it by their names."""
        return self.with_names(self._of_pieces(in_words(Message.from_json(message), self.language)))

    def full_sentence(self, message: MessageJson) -> str:
        """The same where it stands by itself: with a capital and a full stop."""
        return full_sentence(self.sentence(message))

    def notice_text(self, notice: PanelNotice) -> str:
        """A notice in words, with the names of its routes where it only counts them."""
        said = self.full_sentence(notice)
        titles = list(dict.fromkeys(map(self.route_title, notice.get("routes", []))))
        is_named = any(isolated_in(one) in said for one in titles)
        if not titles or len(titles) > MOST_NAMED or is_named:
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
        places = word.split("--")
        named = self.board.place_by_id.keys() >= set(places)
        return places_name(self.board, places) if named else word

    def colour_name(self, colour: str) -> str:
        """A colour's name."""
        return text(f"scoring.colour.{colour}", self.language)

    def player(self, colour: str) -> PanelPlayer:
        """The player of a colour; raises NotFoundError."""
        try:
            return self.player_by_colour[colour]
        except KeyError:
            raise NotFoundError("web.error.player", colour=colour[:40]) from None

    def has_left(self, colour: str) -> bool:
        """Whether a colour of the board is nobody's: played until now, or in the game before."""
        known = () if self.board is None else self.board.player_colours
        return colour in known and colour not in self.player_by_colour

    def owner_name(self, owner: str | None) -> str:
        """A player's name with the colour, or "nobody"."""
        if owner is None:
            return self.say("nobody")
        known = self.player_by_colour.get(owner)
        return f"{known['name']} ({self.colour_name(owner)})" if known else self.colour_name(owner)

    def route_state(self, route: str) -> RouteState:
        """Owner and status of a route."""
        return self.state["routes"].get(route, NOBODY_KNOWN)

    def route_title(self, route: str) -> str:
        """A route's name for people; raises NotFoundError."""
        if self.board is None or route not in self.board.route_by_id:
            raise NotFoundError("web.error.route", route=route[:80])
        return route_title(self.board, self.board.route_by_id[route], self.language)

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
