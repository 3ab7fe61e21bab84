"""A game without a map as its pages show it: points of the table, piles, tickets in words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from scoring.board.board import load_board
from scoring.board.names import place_name, places_name
from scoring.game.game import CardSet, HeldTicket
from scoring.game.mapless import MaplessGame, card_game
from scoring.game.rules import BIG_CITIES, LOCOMOTIVE, TRAIN_COLOURS
from scoring.language import text
from web.language import count, say, say_if_known
from web.table_state import HandTicket, TableState

PILE: tuple[str, ...] = (*(one for one in TRAIN_COLOURS if one != "pink"), LOCOMOTIVE)
"""Kinds of train cards in the order in which a pile is counted, each once."""


@dataclass(frozen=True)
class WithoutMap:
    """One moment of a game without a map."""

    game: MaplessGame
    state: TableState
    language: str

    @property
    def points_by_length(self) -> Mapping[str, int]:
        """The table of points as it now counts."""
        offered = {str(length): points for length, points in self.game.route_points.items()}
        return self._typed_points("route-points") or offered

    @property
    def points_rows(self) -> list[tuple[str, int | None]]:
        """Every length that may be given points, with its points."""
        known = self._points_before("route-points") or self.points_by_length
        lengths = [str(length) for length in range(1, self.game.longest_route + 1)]
        return [(length, known.get(length)) for length in lengths]

    @property
    def points_are_confirmed(self) -> bool:
        """Whether somebody has said that the table of points is that of the board."""
        return not self.game.longest_route or "route-points" in self.state.get("table_points", {})

    @property
    def cities(self) -> list[tuple[str, str, int | None]]:
        """Every big city: its id, its name, the points of its card if they are known or offered."""
        if not self.game.has_cards:
            return []
        points = self._known_cities() or self._points_before("big-cities")
        return [(city, place_name(None, city), points.get(city)) for city in BIG_CITIES]

    @property
    def points_are_of_before(self) -> bool:
        """Whether the points by length that the form offers are those of the last game."""
        return bool(self._points_before("route-points"))

    @property
    def cities_are_of_before(self) -> bool:
        """Whether the big cities' points that the form offers are those of the last game."""
        return not self._known_cities() and bool(self._points_before("big-cities"))

    @property
    def missing_cities(self) -> list[str]:
        """The names of the big cities whose points are missing."""
        known = self._known_cities()
        return [name for city, name, _ in self.cities if known.get(city) is None]

    @cached_property
    def deck(self) -> MaplessGame:
        """The game with the tickets that can be found by their letters.

        They are those of the table's own set, else what was typed in earlier games; such a ticket
        is named by all that was typed.
        """
        before = self.state.get("tickets_before", [])
        if self.game.tickets or not before:
            return self.game
        held = (
            HeldTicket(one["points"], (one["from"], one["to"]), _in_one_word(one)) for one in before
        )
        return card_game(CardSet(self.game.title, tuple(held), {}))

    def ids_in_deck(self, held: Iterable[HandTicket]) -> set[str]:
        """The tickets of a hand as the deck names them, whatever was said of them since."""
        ids = set()
        for one in held:
            ends = dict(zip(("from", "to"), one.get("places") or (), strict=False))
            whole = {**ends, "points": one.get("points"), "cards": one.get("cards")}
            ids |= {one["ticket"], _in_one_word(whole)}
        return ids

    @property
    def first_pass_is_on(self) -> bool:
        """Whether completed tickets are still to be set aside the first time."""
        return self.state.get("first_pass_is_on", False)

    @property
    def second_pass_is_on(self) -> bool:
        """Whether tickets were set aside already, and the rest is played for once more."""
        return not self.first_pass_is_on and any(self.state.get("set_aside", {}).values())

    @property
    def kinds_of_cards(self) -> tuple[str, ...]:
        """The cards of a pile; a set that says pink instead of purple is followed."""
        held = () if self.game.card_set is None else self.game.card_set.tickets
        says_pink = any("pink" in (ticket.recipe or {}) for ticket in held)
        return tuple("pink" if says_pink and one == "purple" else one for one in PILE)

    @property
    def place_names(self) -> Sequence[str]:
        """Places that are likely to be typed."""
        own = [place.name for place in self.game.places]
        return sorted({*own, *_cities_of_the_usual_map()}) if self.game.has_cards else ()

    def figure(self, colour: str, name: str, key: str | None = None) -> int:
        """A count that a player typed, 0 where nobody has."""
        value: Any = self.state.get("figures", {}).get(colour, {}).get(name, 0)
        return int(value if key is None else (value or {}).get(key, 0))

    def typed_so_far(self, colour: str) -> list[str]:
        """What a player typed beside tickets, in words; of a pile, which is secret, only that."""
        typed = self.state.get("figures", {}).get(colour, {})
        lines = sum((typed.get("route_lengths") or {}).values())
        flags = self.figure(colour, "flags")
        said = []
        if lines:
            said.append(count("count.routes", lines, self.language))
        if flags:
            said.append(count("count.flags", flags, self.language))
        if any((typed.get("cards") or {}).values()):
            said.append(say("tickets.pile", self.language))
        return said

    def bonuses(self, colour: str) -> Mapping[str, int]:
        """A player's bonuses by name."""
        named: Mapping[str, int] = self.state.get("figures", {}).get(colour, {}).get("bonuses", {})
        return named

    def bonus_name(self, name: str) -> str:
        """A bonus as the players call it; those of the other games in the visitor's language."""
        return say_if_known(f"sheet.kind.{name}", self.language, name)

    def set_aside(self, colour: str) -> list[HandTicket]:
        """The tickets that a player completed in the first pass."""
        return self.state.get("set_aside", {}).get(colour, [])

    def ticket_name(self, ticket: HandTicket) -> str:
        """Both places, or what kind of thing it is where only the value was typed."""
        places = ticket.get("places")
        if not places:
            return text("web.sheet.kind.ticket", self.language)
        return self.places_in_words(places)

    def places_in_words(self, places: Iterable[str]) -> str:
        """Both places of a ticket by their names."""
        return places_name(None, places)

    def card_name(self, kind: str) -> str:
        """The name of a train card."""
        return card_name(kind, self.language)

    def cards(self, cards: Mapping[str, int] | None) -> str:
        """A recipe or an assignment in words."""
        return cards_in_words(cards or {}, self.language)

    def _typed_points(self, name: str) -> Mapping[str, int]:
        return self.state.get("table_points", {}).get(name, {})

    def _points_before(self, name: str) -> Mapping[str, int]:
        return self.state.get("points_before", {}).get(name, {})

    def _known_cities(self) -> Mapping[str, int]:
        """Typed, or printed in the set of this table."""
        printed = {} if self.game.card_set is None else self.game.card_set.big_cities
        return self._typed_points("big-cities") or printed


def _in_one_word(ticket: Mapping[str, Any]) -> str:
    """A typed ticket as a form sends it, always in the same order."""
    return json.dumps(ticket, ensure_ascii=False, sort_keys=True)


def cards_in_words(cards: Mapping[str, int], language: str) -> str:
    """Cards by kind: "2 × red, 1 × locomotive"."""
    return ", ".join(f"{n} × {card_name(kind, language)}" for kind, n in cards.items() if n)


def card_name(kind: str, language: str) -> str:
    """The name of a train card."""
    if kind == LOCOMOTIVE:
        return text("scoring.sheet.locomotive", language)
    return text(f"scoring.colour.{kind}", language)


@cache
def _cities_of_the_usual_map() -> tuple[str, ...]:
    """Most of the Card Game's cities are those of the first map."""
    return tuple(place.name for place in load_board("usa").places)
