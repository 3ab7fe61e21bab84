"""What is wrong with an entry in the words of the table, which knows no fields of a document."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.errors import GameError, first_of
from scoring.language import Message

AT_THE_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "scoring.problem.number": "companion.entry.number",
        "scoring.problem.length_unknown": "companion.entry.length-unknown",
        "scoring.problem.ticket_twice_by_one": "companion.entry.ticket-twice",
        "scoring.problem.place_unknown": "companion.entry.place-unknown",
        "scoring.problem.place_misspelt": "companion.entry.place-misspelt",
        "scoring.problem.many_stations": "companion.entry.many-stations",
        "scoring.problem.place_like": "companion.entry.place-like",
        "scoring.problem.station_country": "companion.entry.station-country",
    }
)
"""Problems that name a field of the document, by the key of the sentence for who typed it."""


def at_the_table(error: GameError) -> Message:
    """The error's message, each problem told without a field where there is such a sentence."""
    return Message("scoring.problems", problems=first_of([*map(_told, error.messages)]))


def _told(problem: Message) -> Message:
    """A player's problem; one of the game's settings keeps its field, which says what is meant."""
    if problem.values.get("who") == "game":
        return problem
    return Message(AT_THE_TABLE.get(problem.key, problem.key), **problem.values)
