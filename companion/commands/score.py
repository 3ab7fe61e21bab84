"""`companion score`: scores a game without any camera."""

import argparse
import json
from collections.abc import Mapping, Sequence

from companion.errors import UnusableInputError, UsageError
from companion.game_files import read_json
from companion.language_choice import add_language_option, language_choice
from companion.sheet_print import print_sheet
from scoring.errors import AssumptionError, GameError, UnknownBoardError
from scoring.sheet import Sheet, score_game

NOBODY = ("none", "nobody", "empty")
"""Owners of `--assume` that mean an empty route."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion score`."""
    parser.add_argument("game", metavar="GAME.json", help="a game or a list of games; - is stdin")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--assume",
        metavar="ROUTE=OWNER",
        action="append",
        default=[],
        help="as if the route were somebody else's: a colour, a name, or none (repeatable)",
    )
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score every game of the file and print the sheets."""
    language = language_choice(arguments.language)
    data = read_json(arguments.game)
    assumptions = _assumptions(arguments.assume)
    sheets = _score_all(data if isinstance(data, list) else [data], assumptions, language)
    if arguments.json:
        documents = [sheet.to_json(language) for sheet in sheets]
        shown = documents if isinstance(data, list) else documents[0]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        texts = [print_sheet(sheet.to_json(language), language) for sheet in sheets]
        print("\n\n\n".join(texts))
    return 0


def _assumptions(options: Sequence[str]) -> dict[str, str | None]:
    """Routes and owners of `--assume`; raises UsageError where one has no owner."""
    assumed: dict[str, str | None] = {}
    for option in options:
        route, equals, owner = option.partition("=")
        if not (route and equals and owner):
            raise UsageError(f"--assume {option}: write it as ROUTE=OWNER")
        assumed[route] = None if owner in NOBODY else owner
    return assumed


def _score_all(
    games: Sequence[object], assumptions: Mapping[str, str | None], language: str
) -> list[Sheet]:
    """A sheet a game; the problems of all impossible games are reported together."""
    sheets: list[Sheet] = []
    problems: list[str] = []
    for number, game in enumerate(games, start=1):
        try:
            sheets.append(score_game(game, assumptions=assumptions))
        except (AssumptionError, UnknownBoardError) as error:
            raise UsageError(str(error)) from error
        except GameError as error:
            where = f"game {number}: " if len(games) > 1 else ""
            problems += [where + problem for problem in error.in_language(language)]
    if problems:
        raise UnusableInputError("; ".join(problems))
    return sheets
