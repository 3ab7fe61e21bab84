"""Names of games, colours, places and routes in one language, on one board."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.board.board import Board
from scoring.board.game_names import game_title
from scoring.board.names import place_name, places_name
from scoring.game.colours import SYMBOL
from scoring.language import Message, has_text, text
from scoring.language.figures import figure
from scoring.language.pieces import with_buses


@dataclass(frozen=True, slots=True)
class Speaker:
    """`board` is None where no map is known; ids are then made readable instead."""

    language: str
    board: Board | None
    buses: bool = False
    """Whether the players' pieces are buses (Paris)."""

    def say(self, name: str, **values: object) -> str:
        """A text of the sheet's part of the catalogue."""
        return self.of_pieces(text(f"scoring.sheet.{name}", self.language, **values))

    def of_pieces(self, said: str) -> str:
        """What is said of wagons, said of buses where the game has those."""
        return with_buses(said, self.language) if self.buses else said

    def game(self, game: str) -> str:
        """The game's title."""
        return game_title(game, "" if self.board is None else self.board.title, self.language)

    def colour(self, colour: str) -> str:
        """A colour's name."""
        return text(f"scoring.colour.{colour}", self.language)

    def player(self, name: str, colour: str | None) -> str:
        """A player's name with the colour's symbol and name, so that no one needs to see it."""
        if colour is None:
            return name
        called = self.colour(colour)  # a photo alone knows no other name
        return f"{SYMBOL[colour]} {name if name == called else f'{name} ({called})'}"

    def place(self, place: str) -> str:
        """A place's printed name."""
        return place_name(self.board, place)

    def bonus(self, name: str) -> str:
        """A bonus that the table gave by name; the game's own words are said in the language."""
        key = f"scoring.sheet.kind.{name}"
        return text(key, self.language) if has_text(key) else name

    def ends(self, route: str) -> tuple[str, str]:
        """The two places of a route, read from its id where the map is not known."""
        known = None if self.board is None else self.board.route_by_id.get(route)
        return ends_in_id(route) if known is None else known.ends

    def route(self, route: str) -> str:
        """Both ends of a route."""
        return places_name(self.board, self.ends(route))

    def way(self, path: Sequence[str], start: str | None = None) -> str:
        """The places of a path in travel order; `start` is needed for a path of one route only."""
        stops = stops_of([self.ends(route) for route in path], start)
        return " → ".join(self.place(stop) for stop in stops)

    def points(self, points: int) -> str:
        """A number with a true minus sign."""
        return figure(points)


def counted(**numbers: int) -> dict[str, Message]:
    """Numbers of what a board or a set of cards has, each with its noun.

    >>> str(counted(countries=1)["countries"])
    '1 country'
    """
    return {name: Message(f"scoring.taught.count.{name}", count=n) for name, n in numbers.items()}


def ends_in_id(route: str) -> tuple[str, str]:
    """The two places in a route's id, which may end in the number of a parallel line."""
    first, _, second = route.partition("--")
    body, dash, number = second.rpartition("-")
    return first, body if dash and number.isdigit() else second


def stops_of(lines: Sequence[tuple[str, str]], start: str | None = None) -> list[str]:
    """The places that a path passes, from the two ends of each line in travel order."""
    if not lines:
        return []
    first, second = lines[0]
    if start == second or (len(lines) > 1 and first in lines[1] and second not in lines[1]):
        first, second = second, first
    passed = [first, second]
    for a, b in lines[1:]:
        passed.append(b if passed[-1] == a else a)
    return passed
