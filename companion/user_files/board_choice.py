"""Which board a command is about: one that ships, one that the table taught, or a file."""

from collections.abc import Iterable
from pathlib import Path

from companion.errors import CommandError, CompanionError, UnusableInputError, UsageError
from companion.user_files.game_files import read_json, read_taught, taught_files, taught_for
from scoring.board.board import Board, load_board
from scoring.board.game_names import game_name
from scoring.board.readable_print import UnplacedError, refuse_unplaced
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.documents.game import GAMES
from scoring.errors import BoardDataError
from scoring.game.game import CardSet
from scoring.game.mapless import MaplessGame, mapless_games
from scoring.game.rules import CARD_GAME_ID
from vision.images.plain_file import is_file


def choose_board(words: str, folder: Path) -> Board:
    """The board of an id, in capitals too, or of a file's name; the table's own file of an id comes
    first.

    Raises UsageError where there is none or the game has none, UnusableInputError where the file is
    no valid board.
    """
    board = _board(words, folder) or _board(words.casefold(), folder)
    if board is not None:
        return board
    game = game_called(words, mapless_games())
    if isinstance(game, MaplessGame):
        raise UsageError("scoring.unplaced.no-map", board=game_name(game.game), id=words.casefold())
    known = ", ".join(board.id for board in boards_here(folder)[0])
    raise UsageError("companion.error.unknown-board", words=repr(words), known=known)


def game_called(words: str, games: Iterable[Board]) -> Board | None:
    """The first of these games that has this id or, without a map, this name in `GAME.json`; in
    capitals too."""
    return next((game for game in games if {words, words.casefold()} & {*_names(game)}), None)


def _names(game: Board) -> tuple[str, ...]:
    return (game.id, game.game) if isinstance(game, MaplessGame) else (game.id,)


def _board(words: str, folder: Path) -> Board | None:
    taught = taught_for(words, folder)
    if taught is None and is_file(Path(words)):
        try:
            taught = read_taught(Path(words))
        except BoardDataError as error:
            raise UnusableInputError("companion.error.board", words=words, reason=error) from error
    if isinstance(taught, Board):
        return taught
    return load_board(words) if words in BOARDS_WITH_DATA else None


def choose_board_to_read(words: str, folder: Path) -> Board:
    """Like `choose_board`; raises UnusableInputError too where photos of it cannot be read."""
    board = choose_board(words, folder)
    require_positions(board)
    return board


def require_positions(board: Board) -> None:
    """Raise UnusableInputError where a board can be scored only."""
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        raise UnusableInputError.saying(error) from error


def games_here(folder: Path) -> tuple[list[Board], list[CommandError]]:
    """Every game that the panel offers: the boards, then the games without a map.

    One error for each file that is no valid one, or for a folder that cannot be read.
    """
    boards, problems = boards_here(folder)
    others = [game for game in mapless_games(_card_set(folder)) if game.game in GAMES]
    return [*boards, *others], problems


def _card_set(folder: Path) -> CardSet | None:
    """The Card Game's tickets, where the table wrote them; a broken file is told of elsewhere."""
    try:
        taught = taught_for(CARD_GAME_ID, folder)
    except CompanionError:
        return None
    return taught if isinstance(taught, CardSet) else None


def boards_here(folder: Path) -> tuple[list[Board], list[CommandError]]:
    """Every board that can be played, and the errors of `games_here`.

    A file that says of no board that it is its own is no trouble once the board of its name is
    there: a board that was saved again does not write over it. Of two files of one board the first
    by name counts, as wherever else one is looked for or written.
    """
    boards = {name: load_board(name) for name in BOARDS_WITH_DATA}
    problems: list[tuple[Path, CommandError]] = []
    saved: dict[str, str] = {}
    try:
        paths = taught_files(folder)
    except UsageError as error:
        return list(boards.values()), [error]
    for path in paths:
        try:
            taught = read_taught(path)
        except (BoardDataError, CompanionError) as error:
            unusable = UnusableInputError("companion.error.board-file", path=path, reason=error)
            problems.append((path, unusable))
            continue
        if isinstance(taught, Board) and taught.id in saved:
            names = {"board": taught.id, "first": saved[taught.id]}
            problems.append((path, UsageError("companion.error.board-twice", path=path, **names)))
        elif isinstance(taught, Board):
            boards[taught.id] = taught
            saved[taught.id] = path.name
    left = [error for path, error in problems if path.stem not in saved or _names_a_board(path)]
    return list(boards.values()), left


def _names_a_board(path: Path) -> bool:
    """Whether a file says whose it is: saved again, its board takes its place."""
    try:
        document = read_json(str(path))
    except CompanionError:
        return False
    return isinstance(document, dict) and isinstance(document.get("id"), str)
