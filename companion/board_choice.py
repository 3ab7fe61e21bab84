"""Which board a command is about: one that ships, one that the table taught, or a file."""

from pathlib import Path

from companion.errors import CompanionError, UnusableInputError, UsageError
from companion.game_files import read_taught, taught_files, taught_for
from scoring.board import BOARDS_WITH_DATA, Board, load_board
from scoring.errors import BoardDataError


def choose_board(words: str, folder: Path) -> Board:
    """The board of an id or of a file's name; the table's own file of an id comes first.

    Raises UsageError where there is none, UnusableInputError where the file is no valid board.
    """
    try:
        taught = taught_for(words, folder)
        if taught is None and Path(words).is_file():
            taught = read_taught(Path(words))
    except BoardDataError as error:
        raise UnusableInputError(f"the board {words}: {error}") from error
    if isinstance(taught, Board):
        return taught
    if words in BOARDS_WITH_DATA:
        return load_board(words)
    known = ", ".join(board.id for board in boards_here(folder)[0])
    raise UsageError(f"unknown board {words!r}; known boards: {known}; or give a board file")


def boards_here(folder: Path) -> tuple[list[Board], list[str]]:
    """Every board that can be played, and one sentence for each file that is no valid one."""
    boards = {name: load_board(name) for name in BOARDS_WITH_DATA}
    problems = []
    for path in taught_files(folder):
        try:
            taught = read_taught(path)
        except (BoardDataError, CompanionError) as error:
            problems.append(f"{path}: {error}")
            continue
        if isinstance(taught, Board):
            boards[taught.id] = taught
    return list(boards.values()), problems
