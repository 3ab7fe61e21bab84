"""What a page knows of the tally: hands, open questions, and what is odd before the sheet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from scoring.game.mapless import MaplessGame
from scoring.language.lists import join_names
from scoring.network import components, joins
from web.access.visitors import Visitor
from web.page_words import PageWords
from web.table_state import (
    HandTicket,
    PanelNotice,
    PanelPlayer,
    PanelRemark,
    SheetCheck,
    WagonsLeft,
)
from web.without_map import WithoutMap

MANY = 4
"""From so many questions on it pays to enter the tickets first; fewer are answered as quickly."""

NOTHING_TO_CHECK = SheetCheck(wagons=[], remarks=[])

NO_ROUTES = frozenset({"no-routes", "no-lengths"})
"""The remarks that nobody holds a route, on the board or typed by lengths."""

NEWS = frozenset(
    {
        "scoring.remark.last-round",
        "scoring.remark.last-round-asked",
        "scoring.remark.last-round-open",
        "companion.copy.saved-stick",
        "companion.copy.saved-folder",
        "companion.copy.forgotten",
    }
)
"""What is told to everybody and no reason to check anything."""

LAST_ROUND = frozenset({"scoring.remark.last-round", "scoring.remark.last-round-open"})
"""The news that it has surely begun."""

PAGE_OF_REMARK: Mapping[str, str] = {
    "few-tickets": "/tickets/{}",
    "flags": "/tickets/{}",
    "passengers": "/tickets/{}",
    "no-passengers": "/tickets/{}",
    "no-cards": "/tickets/{}",
    "marker": "/markers",
    "no-routes": "/board",
    "nobody-ended": "/check/{}",
    "too-many-wagons": "/check/{}",
    "wagons-differ": "/check/{}",
    "big-cities": "/tickets",
}
"""Where a remark is mended; `{}` stands for the colour of the first player it names."""


@dataclass(frozen=True)
class PageTally(PageWords):
    """One moment of the table, with what is still to be entered or looked at."""

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
        return self.board is not None and self.board.score_track > 0

    def next_hand(self, visitor: Visitor) -> PanelPlayer | None:
        """Whose tickets this visitor enters next: the box's player, else the first empty hand."""
        empty = [one for one in self.empty_hands if visitor.may_see_hand(one["colour"])]
        pointed = (one for one in empty if one["colour"] == self.state["cursor"]["player"])
        return next(pointed, empty[0] if empty else None)

    def hand_after(self, colour: str, visitor: Visitor) -> PanelPlayer | None:
        """The next player in turn with an empty hand that this visitor may enter, if any.

        Where no hand is empty, whoever has entered passengers leads on to who has none yet. In a
        second pass everybody's hand is looked through once more, in the order of the seats.
        """
        players = self.state["players"]
        turn = {player["colour"]: n for n, player in enumerate(players)}
        seats, own = len(players), turn[colour]

        def first(waiting: Iterable[PanelPlayer]) -> PanelPlayer | None:
            others = (one for one in waiting if one["colour"] != colour)
            rest = (one for one in others if visitor.may_see_hand(one["colour"]))
            return min(rest, key=lambda one: (turn[one["colour"]] - own) % seats, default=None)

        following = first(self.empty_hands)
        if following is not None or self.lacks_passengers(colour):
            return following
        if self.without_map is not None and self.without_map.second_pass_is_on:
            return first(players[own + 1 :])
        return first(one for one in players if self.lacks_passengers(one["colour"]))

    def lacks_passengers(self, colour: str) -> bool:
        """Whether a player who claimed routes, along which passengers travel, has entered none."""
        state = self.state
        if "passengers" not in state["extras"] or state["phase"] == "sheet":
            return False
        has_routes = any(one["owner"] == colour for one in state["routes"].values())
        return has_routes and not any(state["passengers"].get(colour, {}).values())

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

    @property
    def is_last_round(self) -> bool:
        """Whether the last round has surely begun: tickets come next."""
        return any(one["key"] in LAST_ROUND for one in self.state["notices"])

    @property
    def news(self) -> list[PanelNotice]:
        """What is told above a page and asks nobody to check anything."""
        return [one for one in self.state["notices"] if one["key"] in NEWS]

    @property
    def to_check(self) -> list[PanelNotice]:
        """What is told above a page besides the news."""
        return [one for one in self.state["notices"] if one["key"] not in NEWS]

    @property
    def asks_to_check(self) -> bool:
        """Whether what is told above a page is to be looked at, although no question is open."""
        told = self.to_check
        odd = (one["routes"] or one["key"].startswith("scoring.violation.") for one in told)
        return len(told) > 1 or any(odd)

    @property
    def wagons_asked(self) -> list[WagonsLeft]:
        """Every player's wagons left, to be compared; none where no route is known to count by."""
        has_routes = all(one["code"] not in NO_ROUTES for one in self.remarks)
        return self.check["wagons"] if has_routes else []

    def way_to_mend(self, remark: PanelRemark, visitor: Visitor) -> str | None:
        """The page where this visitor can put right what a remark says, None where none can."""
        page = PAGE_OF_REMARK.get(remark["code"])
        if page == "/markers" and not visitor.is_host:
            return None
        if page is None and remark["routes"]:
            return f"/route/{remark['routes'][0]}"
        if page is None or "{}" not in page:
            return page
        named = remark["players"]
        if page == "/tickets/{}":
            named = [colour for colour in named if visitor.may_see_hand(colour)]
        return page.format(named[0]) if named else None

    def too_many_wagons(self, colour: str) -> PanelRemark | None:
        """That a player has more wagons on the board than the box holds."""
        said = (one for one in self.remarks if one["code"] == "too-many-wagons")
        return next((one for one in said if colour in one["players"]), None)

    def ticket_of(self, one: HandTicket) -> tuple[tuple[str, str], int]:
        """Both places of a ticket in hand, and its value."""
        places = one.get("places")
        if places:
            return (places[0], places[1]), one["points"]
        assert self.board is not None, "a hand belongs to a game"
        known = self.board.ticket_by_id[one["ticket"]]
        return known.places, known.points

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
