"""What reading must know of a game: the names of its places and its tickets, nothing of its map."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring.board.board import Board
from vision.tickets.reading import Pair


@dataclass(frozen=True)
class Deck:
    """A deck of tickets: each its two places in the deck's own order, and the points printed on it.

    `names` are those of the places that tickets name, by id.
    """

    id: str
    title: str
    names: Mapping[str, str]
    tickets: tuple[tuple[Pair, int], ...]

    @cached_property
    def points(self) -> Mapping[Pair, frozenset[int]]:
        """The points of all tickets between two places: mostly one value."""
        values: dict[Pair, set[int]] = {}
        for pair, points in self.tickets:
            values.setdefault(pair, set()).add(points)
        return {pair: frozenset(points) for pair, points in values.items()}

    @cached_property
    def values(self) -> frozenset[int]:
        """Every number of points that some ticket bears."""
        return frozenset(points for _, points in self.tickets)

    def to_json(self) -> dict[str, Any]:
        """Everything, for another process."""
        tickets = [[*pair, points] for pair, points in self.tickets]
        return {"id": self.id, "title": self.title, "names": dict(self.names), "tickets": tickets}


def deck_of(board: Board) -> Deck:
    """The deck of a board.

    >>> from scoring.board.board import load_board
    >>> sorted(deck_of(load_board("usa")).points["boston", "miami"])
    [12]
    """
    tickets = tuple((ticket.places, ticket.points) for ticket in board.tickets)
    named = {place for pair, _ in tickets for place in pair}
    names = {place.id: place.name for place in board.places if place.id in named}
    return Deck(board.id, board.title, names, tickets)


def deck_from_json(document: Mapping[str, Any]) -> Deck:
    """What `Deck.to_json` wrote."""
    tickets = tuple(((one, other), int(points)) for one, other, points in document["tickets"])
    return Deck(str(document["id"]), str(document["title"]), dict(document["names"]), tickets)
