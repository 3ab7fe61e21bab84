"""`companion boards check`: what is wrong in a board or card-game file, in words and drawn."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from companion.cli.names import counted
from companion.cli.outputs import tell
from companion.cli.picture_file import picture_path, write_picture
from companion.errors import UnusableInputError, UsageError
from companion.user_files.game_files import bases_beside, read_json, taught_from, taught_id
from scoring.board.board import Board
from scoring.board.inspection.finding import Finding
from scoring.board.inspection.inspect import inspect_board
from scoring.board.readable_print import (
    UnplacedError,
    can_be_read,
    refuse_unplaced,
    unplaced_routes,
)
from scoring.documents.game import Taught
from scoring.errors import MOST_TOLD, BoardDataError, first_of
from scoring.game.game import CardSet
from scoring.game.rules import CARD_GAME_ID
from scoring.language import text
from vision.board_picture import draw_findings


def check_file(file: str, language: str, picture: str | None, *, as_json: bool) -> int:
    """Print that a file is good, or all its problems; returns 0 for a good file.

    Raises UnusableInputError for a bad file, UsageError if there is none. Remarks don't make a
    file bad. `picture` is where to draw the board.
    """
    path = None if picture is None else picture_path(picture)
    document = read_json(file)
    if isinstance(document, dict) and document.get("id") == CARD_GAME_ID:
        return _check_cards(file, document, language, path, as_json)
    found = inspect_board(document, bases_beside(Path(file)))
    numbered = path is not None and found.board is not None
    errors = _phrase(found.errors, found.findings, language, numbered)
    remarks = _phrase(found.remarks, found.findings, language, numbered)
    undrawn: UsageError | None = None
    if found.board is not None:
        errors += _positions_missing(found.board, language)
        undrawn = _draw(path, found.board, found.findings)
    if errors:
        if undrawn is not None:
            tell(f"companion boards: {undrawn.sentence(language)}", sys.stderr)
        _print_bad(file, errors, remarks, language, as_json)
    assert found.board is not None, "a board without errors was read"
    _print_good(file, found.board, remarks, language, as_json)
    if undrawn is not None:
        raise undrawn
    return 0


def _check_cards(
    file: str, document: object, language: str, picture: Path | None, as_json: bool
) -> int:
    if picture is not None:
        raise UsageError("companion.error.picture-of-cards")
    try:
        taught = taught_from(document)
    except BoardDataError as error:
        _print_bad(file, error.in_language(language), [], language, as_json)
    _print_good(file, taught, [], language, as_json)
    return 0


def _phrase(
    some: Sequence[Finding], every: Sequence[Finding], language: str, numbered: bool
) -> list[str]:
    """Findings in words, each with its number in the picture where there is one."""
    said = [(every.index(finding) + 1, finding.message.text(language)) for finding in some]
    return [f"[{number}] {words}" if numbered else words for number, words in said]


def _draw(path: Path | None, board: Board, findings: Sequence[Finding]) -> UsageError | None:
    """Why the picture cannot be written, to be told after what is wrong in the file."""
    if path is None:
        return None
    if len(unplaced_routes(board)) == len(board.routes):
        raise UnusableInputError("companion.error.nothing-to-draw", board=board.name)
    try:
        write_picture(path, draw_findings(board, findings))
    except UsageError as error:
        return error
    return None


def _print_bad(
    file: str, problems: list[str], remarks: list[str], language: str, as_json: bool
) -> NoReturn:
    if as_json:
        row = {"file": file, "ok": False, "problems": problems, "remarks": remarks}
        print(json.dumps(row, ensure_ascii=False))
    else:
        listed = [f"  • {one}" for one in problems] if len(problems) > MOST_TOLD else []
        print("".join(f"{line}\n" for line in [*listed, *_remark_lines(remarks, language)]), end="")
    told = first_of(problems)
    raise UnusableInputError("companion.error.board-file", path=file, reason=told)


def _remark_lines(remarks: Sequence[str], language: str) -> list[str]:
    return [text("scoring.taught.remark", language, remark=remark) for remark in remarks]


def _positions_missing(board: Board, language: str) -> list[str]:
    """What a board lacks to be read from photos, unless it gives no positions at all on purpose."""
    if len(unplaced_routes(board)) == len(board.routes):
        return []
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        return [error.sentence(language)]
    return []


def _print_good(
    file: str, taught: Taught, remarks: list[str], language: str, as_json: bool
) -> None:
    if as_json:
        row: dict[str, Any] = {"file": file, "ok": True, "id": taught_id(taught), "problems": []}
        print(json.dumps({**row, "remarks": remarks}, ensure_ascii=False))
    else:
        print("\n".join([_summary(taught, language), *_remark_lines(remarks, language)]))


def _summary(taught: Taught, language: str) -> str:
    if isinstance(taught, CardSet):
        return text(
            "scoring.taught.ok_cards",
            language,
            title=taught.title,
            id=taught_id(taught),
            **counted(tickets=len(taught.tickets), big_cities=len(taught.big_cities)),
        )
    numbers = counted(**taught.counts())
    summary = text(
        "scoring.taught.ok_board",
        language,
        title=taught.name,
        id=taught.id,
        **numbers,
    )
    bonuses = ", ".join(f"{name} {points}" for name, points in bonuses_of(taught).items())
    nothing = text("scoring.taught.nothing", language)
    scored = text("scoring.taught.scores", language, bonuses=bonuses or nothing)
    unread = [] if can_be_read(taught) else [text("scoring.taught.unread", language)]
    return "\n".join([summary, scored, *unread])


def bonuses_of(board: Board) -> dict[str, Any]:
    """What the board scores besides routes and tickets, by the names of the board file."""
    bonuses = board.bonuses
    named = {
        "longest-path": bonuses.longest_path,
        "globetrotter": bonuses.globetrotter,
        "passengers": list(bonuses.passengers) if any(bonuses.passengers) else 0,
        "flag": bonuses.flag,
        "station": bonuses.station,
    }
    return {name: points for name, points in named.items() if points}
