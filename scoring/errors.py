"""The errors of this room: one root, one leaf a kind of mistake, each also a builtin."""


class ScoringError(Exception):
    """Root of every error that scoring raises."""


class UnknownBoardError(ScoringError, LookupError):
    """No board or game of that name is known."""


class BoardDataError(ScoringError, ValueError):
    """A board file breaks its format; `problems` lists every breach found."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class GameError(ScoringError, ValueError):
    """A game cannot be scored; `problems` lists every reason, each naming player and field."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
