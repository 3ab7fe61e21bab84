"""What is wrong with an entry in the words of the table, which knows no fields of a document."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.errors import GameError
from scoring.language import Message

AT_THE_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "scoring.problem.number": "companion.entry.number",
        "scoring.problem.length_unknown": "companion.entry.length-unknown",
        "scoring.problem.ticket_twice_by_one": "companion.entry.ticket-twice",
    }
)
"""Problems that name a field of the document, by the key of the sentence for who typed it."""


def at_the_table(error: GameError) -> Message:
    """The error's message, each problem told without a field where there is such a sentence."""
    told = tuple(
        Message(AT_THE_TABLE.get(problem.key, problem.key), **problem.values)
        for problem in error.messages
    )
    return Message("scoring.problems", problems=told)
