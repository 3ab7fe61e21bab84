"""`companion score`: scores a game without any camera."""

import argparse
import json
from collections.abc import Sequence

from companion.cli.assumptions import NOBODY, add_assume_option, assumptions_of, misspelt
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.readings import game_of
from companion.cli.sheet_print import print_sheet
from companion.errors import UsageError
from companion.user_files.game_files import read_json
from companion.user_files.score_documents import decisive_doubts, own_board, score_games
from scoring.board.board import Board
from scoring.board.names import route_name
from scoring.language import Message, text
from scoring.sheet.what_if import Decisive


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion score`."""
    parser.add_argument("game", metavar="GAME.json", help="companion.help.score.game")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_assume_option(parser)
    parser.add_argument(
        "--doubtful",
        metavar="ROUTE=OWNER,OWNER",
        action="append",
        default=[],
        help="companion.help.score.doubtful",
    )
    parser.add_argument("--board", metavar="FILE", help="companion.help.score.board")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score every game of the file and print the sheets."""
    language = language_choice(arguments.language)
    assumptions = assumptions_of(arguments.assume)
    data = read_json(arguments.game)
    own = None if arguments.board is None else own_board(arguments.board)
    documents = data if isinstance(data, list) else [data]
    games = [game_of(one, language, assumptions) for one in documents]
    scored = score_games(games, own, assumptions)
    doubtful = _doubtful(arguments.doubtful, games)
    decisive = decisive_doubts(games[0], own, doubtful) if doubtful else None
    if arguments.json:
        sheets = [sheet.to_json(language) for sheet, _ in scored]
        if decisive is not None:
            sheets[0]["decisive"] = {"routes": list(decisive.routes), "exact": decisive.exact}
        shown = sheets if isinstance(data, list) else sheets[0]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        texts = [print_sheet(sheet.to_json(language), language, board) for sheet, board in scored]
        print("\n\n\n".join(texts) or text("companion.score.no-game", language))
        if decisive is not None:
            print("\n" + _decisive_words(decisive, scored[0][1], language))
    return 0


def _decisive_words(decisive: Decisive, board: Board | None, language: str) -> str:
    if not decisive.routes:
        return text("companion.score.none-decisive", language)
    routes = ", ".join(route_name(board, route) for route in decisive.routes)
    return text("companion.score.decisive", language, routes=routes)


def _doubtful(options: Sequence[str], games: Sequence[object]) -> dict[str, list[str | None]]:
    """Routes and possible owners of `--doubtful`; raises UsageError where they can't be meant."""
    if options and not games:
        raise UsageError("companion.error.one-game", count=0)
    if options and len(games) != 1:
        raise UsageError("companion.error.doubtful-one-game")
    doubtful: dict[str, list[str | None]] = {}
    for option in options:
        route, equals, owners = option.partition("=")
        if not (route and equals and all(owners.split(","))):
            raise misspelt(f"--doubtful {option}", Message("companion.metavar.ROUTE=OWNER,OWNER"))
        doubtful[route] = [
            None if owner.lower() in NOBODY else owner for owner in owners.split(",")
        ]
    return doubtful
