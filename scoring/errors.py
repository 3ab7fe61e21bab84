"""The errors of this room: one root, one class for each kind of mistake, each also a builtin."""

from collections.abc import Sequence

from scoring.language import Message, SpokenError


class ScoringError(Exception):
    """Root of every error that scoring raises."""


class UnknownBoardError(SpokenError, ScoringError, LookupError):
    """No board or game of that name is known."""


class _ProblemsError(SpokenError, ScoringError, ValueError):
    """Something has one or more problems, all of them reported together."""

    def __init__(self, problems: Sequence[Message]) -> None:
        self.messages = tuple(dict.fromkeys(problems))
        super().__init__("scoring.problems", problems=self.messages)

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
