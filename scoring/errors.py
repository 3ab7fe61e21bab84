"""The errors of this room: one root, one class for each kind of mistake, each also a builtin."""

from collections.abc import Sequence
from typing import TypeVar

from scoring.language import Message, SpokenError

Problem = TypeVar("Problem", bound=Message | str)

AND_MORE = Message("scoring.problem.more")
"""Stands for every problem after those that are collected."""

MOST_TOLD = 5
"""Of the problems of one document in one sentence: more of them nobody reads."""


def first_of(problems: Sequence[Problem]) -> tuple[Problem | Message, ...]:
    """What one sentence tells of so many problems: the first, and how many more there are.

    >>> from scoring.language import Message
    >>> of_each = [Message("scoring.problem.missing", who=who, field="game") for who in "ABCDEFG"]
    >>> [str(problem) for problem in first_of(of_each)][-2:]
    ['E: game: is missing', 'and 2 more; put these right first']
    """
    if len(problems) <= MOST_TOLD + 1:
        return tuple(problems)
    more = Message("scoring.problem.others", count=len(problems) - MOST_TOLD)
    return (*problems[:MOST_TOLD], AND_MORE if AND_MORE in problems else more)


class ScoringError(Exception):
    """Root of every error that scoring raises."""


class UnknownBoardError(SpokenError, ScoringError, LookupError):
    """No board or game of that name is known."""


class _ProblemsError(SpokenError, ScoringError, ValueError):
    """Something has one or more problems, all of them reported together."""

    def __init__(self, problems: Sequence[Message]) -> None:
        self.messages = tuple(dict.fromkeys(problems))
        super().__init__("scoring.problems", problems=first_of(self.messages))

    @property
    def problems(self) -> list[str]:
        """Every problem as one English sentence."""
        return self.in_language("en")

    def in_language(self, language: str) -> list[str]:
        """Every problem as one sentence."""
        return [problem.text(language) for problem in self.messages]


class BoardDataError(_ProblemsError):
    """A board or card-game file breaks its format; `problems` lists every breach found."""


class GameError(_ProblemsError):
    """A game cannot be scored; `problems` lists every reason, each naming player and field."""


class AssumptionError(SpokenError, ScoringError, LookupError):
    """An assumed route or owner isn't in the game."""
