"""How games, colours, places and routes are called in one language, on one board."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.board import Board
from scoring.colours import SYMBOL
from scoring.language import catalogue, text


@dataclass(frozen=True, slots=True)
class Speaker:
    """`board` is None where no map is known; ids are then made readable instead."""

    language: str
    board: Board | None

    def say(self, name: str, **values: object) -> str:
        """A text of the sheet's part of the catalogue."""
        return text(f"scoring.sheet.{name}", self.language, **values)

    def game(self, game: str) -> str:
        """The game's title."""
        key = f"scoring.sheet.game.{game}"
        if key in catalogue(self.language):
            return text(key, self.language)
        return game if self.board is None else self.board.title

    def colour(self, colour: str) -> str:
        """A colour's name."""
        return text(f"scoring.colour.{colour}", self.language)

    def player(self, name: str, colour: str | None) -> str:
        """A player's name with the colour's symbol and name, so that no one needs to see it."""
        return name if colour is None else f"{SYMBOL[colour]} {name} ({self.colour(colour)})"

    def place(self, place: str) -> str:
        """A place's printed name."""
        known = None if self.board is None else self.board.place_by_id.get(place)
        return place.replace("-", " ").title() if known is None else known.name

    def route(self, route: str) -> str:
        """Both ends of a route."""
        return "–".join(self.place(end) for end in ends(route))

    def way(self, path: Sequence[str]) -> str:
        """The places of a path in travel order."""
        return " → ".join(self.place(stop) for stop in stops(path))

    def points(self, points: int) -> str:
        """A number with a true minus sign."""
        return str(points).replace("-", "−")


def ends(route: str) -> tuple[str, str]:
    """The two places in a route's id, which may end in the number of a parallel line."""
    first, _, second = route.partition("--")
    body, dash, number = second.rpartition("-")
    return first, body if dash and number.isdigit() else second


def stops(path: Sequence[str]) -> list[str]:
    """The places that a path of route ids passes, in travel order."""
    if not path:
        return []
    first, second = ends(path[0])
    if len(path) > 1 and first in ends(path[1]) and second not in ends(path[1]):
        first, second = second, first
    passed = [first, second]
    for route in path[1:]:
        a, b = ends(route)
        passed.append(b if passed[-1] == a else a)
    return passed
