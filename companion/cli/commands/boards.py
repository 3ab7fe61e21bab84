"""`companion boards`: the supported games; checks a table's own files and makes one from a CSV."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.cli.board_file_check import bonuses_of, check_file
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.names import Speaker, counted
from companion.errors import CommandError, UnusableInputError, UsageError
from companion.user_files.card_csv import document_from_csv
from companion.user_files.game_files import (
    BOARDS,
    data_folder,
    read_bytes,
    read_taught,
    taught_files,
)
from scoring.board.board import Board, load_board
from scoring.board.game_names import game_title
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.board.unverified import unverified_facts
from scoring.documents.card_set import card_set_from_json
from scoring.errors import BoardDataError, first_of
from scoring.game.rules import (
    ANY_MAP_ID,
    CARD_GAME,
    CARD_GAME_ID,
    CARD_GAME_TICKETS,
    PARIS,
    PARIS_TICKETS,
)
from scoring.language import text

UNTAUGHT_BONUSES: Mapping[str, Mapping[str, int | None]] = {
    "paris": {"flag": PARIS.bonuses.flag},
    CARD_GAME_ID: {"big-city": None},
}
"""What games without public data score besides routes and tickets; None where nobody knows."""

COUNTED: tuple[str, ...] = ("cities", "countries", "routes", "tickets")
"""The numbers of a printed row."""

Row = dict[str, Any]
"""One game as `--json` prints it; counts that nobody knows are None."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion boards`."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=["list", "check", "cards"],
        default="list",
        metavar="ACTION",
        help="companion.help.boards.action",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="companion.help.boards.file")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    parser.add_argument("--picture", metavar="OUT.png", help="companion.help.boards.picture")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the games, check one file, or print the card-game file of a CSV."""
    language = language_choice(arguments.language)
    if arguments.action != "list" and arguments.file is None:
        raise UsageError("companion.error.needs-file", action=arguments.action)
    if arguments.picture is not None and arguments.action != "check":
        raise UsageError("companion.error.picture-of-what")
    if arguments.action == "check":
        return check_file(arguments.file, language, arguments.picture, as_json=arguments.json)
    if arguments.action == "cards":
        return _cards(arguments.file, language)
    if arguments.file is not None:
        raise UsageError("companion.error.list-with-file")
    rows = list_games(data_folder(), language)
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_spoken(row, language) for row in rows))
        print("\n" + "\n".join(_notes(rows, language)))
    return 0


def list_games(folder: Path, language: str) -> list[Row]:
    """Every game: the program's own, then what files of the data folder teach."""
    rows = [_board_row(load_board(name), "shipped", language) for name in BOARDS_WITH_DATA]
    rows.append(_untaught("paris", "2024", PARIS.most_players, PARIS_TICKETS, language))
    rows.append(
        _untaught(CARD_GAME_ID, "2008", CARD_GAME.most_players, CARD_GAME_TICKETS, language)
    )
    listed = {row["id"]: row for row in rows}
    try:
        files = [_file_row(path, language) for path in taught_files(folder)]
    except UsageError as error:
        files = [_broken(folder / BOARDS, [error.sentence(language)])]
    taught: dict[str, Row] = {}
    for row in files:  # of two files of one game the first counts
        taught.setdefault(row["id"], row)
    return list({**listed, **taught}.values())


def _board_row(board: Board, data: str, language: str, file: Path | None = None) -> Row:
    return {
        "id": board.id,
        "title": game_title(board.id, board.title, language),
        "edition": board.edition,
        "players": list(board.players),
        **board.counts(),
        "bonuses": bonuses_of(board),
        "unverified": unverified_facts(board, language),
        "edition_of": board.edition_of,
        "data": data,
        "file": None if file is None else str(file),
        "problems": [],
    }


def _untaught(game: str, edition: str, most: int, tickets: int, language: str) -> Row:
    """A game without public data: only its number of tickets is known."""
    unknown = dict.fromkeys(("cities", "countries", "routes", "spaces"))
    return {
        "id": game,
        "title": Speaker(language, None).game(game),
        "edition": edition,
        "players": [2, most],
        **unknown,
        "tickets": tickets,
        "bonuses": UNTAUGHT_BONUSES.get(game, {}),
        "unverified": [],
        "edition_of": None,
        "data": "none",
        "file": None,
        "problems": [],
    }


def _file_row(path: Path, language: str) -> Row:
    """A taught game, or a file that can't be used with all its problems."""
    try:
        taught = read_taught(path)
    except BoardDataError as error:
        return _broken(path, error.in_language(language))
    except CommandError as error:
        return _broken(path, [error.sentence(language)])
    if isinstance(taught, Board):
        return _board_row(taught, "taught", language, path)
    row = _untaught(CARD_GAME_ID, "2008", CARD_GAME.most_players, len(taught.tickets), language)
    return {**row, "title": taught.title, "data": "taught", "file": str(path)}


def _broken(path: Path, problems: list[str]) -> Row:
    row = _untaught(path.name, "", 0, 0, "en")
    return {**row, "tickets": None, "bonuses": {}, "file": str(path), "problems": problems}


def _spoken(row: Row, language: str) -> str:
    """One printed row."""
    if row["problems"]:
        problems = text("scoring.problems", language, problems=first_of(row["problems"]))
        return f"{row['id']:<12} {problems}"
    known = row["cities"] is not None
    kind = "row" if known else "cards_row" if row["data"] == "taught" else "untaught"
    numbers = {name: row[name] for name in COUNTED if row[name] is not None}
    spoken = text(f"scoring.taught.{kind}", language, **{**row, **counted(**numbers)})
    if row["file"] is None:
        return spoken
    return spoken + "; " + text("scoring.taught.from_file", language, file=row["file"])


def _notes(rows: Sequence[Row], language: str) -> Iterator[str]:
    """Below the list: how any other map is scored, and what nobody has checked yet."""
    yield text("scoring.taught.by_counts", language, id=ANY_MAP_ID)
    for row in rows:
        if row["unverified"]:
            yield "\n" + text("scoring.taught.unverified", language, title=row["title"])
            yield from (f"  • {fact}" for fact in row["unverified"])


def _cards(file: str, language: str) -> int:
    """Print the card-game document of a CSV, once it is good."""
    document = document_from_csv(read_bytes(file), file, Speaker(language, None).game(CARD_GAME_ID))
    try:
        card_set_from_json(document)
    except BoardDataError as error:
        raise UnusableInputError("companion.error.board-file", path=file, reason=error) from error
    print(json.dumps(document, ensure_ascii=False, indent=1))
    return 0
