"""Scores documents that users wrote, with the boards that they taught, for the command line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from companion.errors import UnusableInputError, UsageError
from companion.user_files.game_files import data_folder, read_taught, taught_for, taught_id
from scoring.board.board import Board
from scoring.documents.game import Taught, parse_game
from scoring.errors import (
    AND_MORE,
    AssumptionError,
    BoardDataError,
    GameError,
    UnknownBoardError,
    first_of,
)
from scoring.fields import MOST_PROBLEMS
from scoring.language import Message
from scoring.language.foreign import shown
from scoring.sheet.sheet import Sheet, score_game
from scoring.sheet.what_if import Decisive, decisive_routes

NO_ASSUMPTIONS: Mapping[str, str | None] = MappingProxyType({})

Scored = tuple[Sheet, Board | None]
"""A sheet, with the board that a table taught for it (None for the program's own)."""


def own_board(file: str) -> Taught:
    """The board or card set of `--board FILE`; UnusableInputError names all its problems."""
    try:
        return read_taught(Path(file))
    except BoardDataError as error:
        raise UnusableInputError("companion.error.board-file", path=file, reason=error) from error


def score_games(
    games: Sequence[object],
    own: Taught | None,
    assumptions: Mapping[str, str | None] = NO_ASSUMPTIONS,
) -> list[Scored]:
    """A sheet a game; the problems of all impossible games are reported together.

    Raises UsageError for an unknown game, a board file of another game or an assumption about
    something that isn't there, UnusableInputError for games that can't be scored and for a taught
    board's file that has problems.
    """
    check_own(games, own)
    scored: list[Scored] = []
    problems: list[Message] = []
    for number, game in enumerate(games, start=1):
        try:
            scored.append(_score(game, own, assumptions))
        except (AssumptionError, UnknownBoardError) as error:
            raise UsageError.saying(_of_game(number, games, error.message)) from error
        except GameError as error:
            problems += [_of_game(number, games, one) for one in error.messages]
        if len(problems) > MOST_PROBLEMS:
            problems = [*problems[:MOST_PROBLEMS], AND_MORE]
            break
    if problems:
        raise UnusableInputError("scoring.problems", problems=first_of(problems))
    return scored


def decisive_doubts(
    game: object, own: Taught | None, doubtful: Mapping[str, Sequence[str | None]]
) -> Decisive:
    """Which of the doubtful routes, each with its possible owners, could change the ranking.

    Raises UsageError and UnusableInputError as `score_games` does.
    """
    try:
        return decisive_routes(parse_game(game, taught_of(game, own)), doubtful)
    except (AssumptionError, UnknownBoardError) as error:
        raise UsageError.saying(error) from error
    except GameError as error:
        raise UnusableInputError.saying(error) from error


def _of_game(number: int, games: Sequence[object], problem: Message) -> Message:
    """A problem of a game, with its number where it is one of several."""
    if len(games) == 1:
        return problem
    return Message("companion.error.of-game", number=number, problem=problem)


def check_own(games: Sequence[object], own: Taught | None) -> None:
    """Raise UsageError where a board file was given that no game is about."""
    names = [_name(game) for game in games]
    if own is not None and games and taught_id(own) not in names:
        known = ", ".join(dict.fromkeys(shown(name).strip('"') for name in names[:MOST_PROBLEMS]))
        raise UsageError("companion.error.other-game", taught=taught_id(own), game=known)


def _score(game: object, own: Taught | None, assumptions: Mapping[str, str | None]) -> Scored:
    """One sheet, with the board that a table taught for it."""
    taught = taught_of(game, own)
    sheet = score_game(game, taught, assumptions)
    return sheet, taught if isinstance(taught, Board) else None


def taught_of(game: object, own: Taught | None) -> Taught | None:
    """The board of the option, else of the data folder; None for the program's own.

    Raises UnusableInputError where the file in the data folder has problems.
    """
    name = _name(game)
    fits = own is not None and taught_id(own) == name
    return own if fits else taught_for(name, data_folder())


def _name(game: object) -> object:
    return game.get("game") if isinstance(game, dict) else None
