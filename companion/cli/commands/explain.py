"""`companion explain`: why a player's longest path is what it is."""

import argparse
import json
import textwrap
from collections.abc import Mapping
from typing import Any

from companion.cli.assumptions import add_assume_option, assumptions_of
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.names import Speaker
from companion.cli.readings import game_of, only_game
from companion.errors import UnusableInputError, UsageError
from companion.user_files.game_files import read_json
from companion.user_files.score_documents import check_own, own_board, taught_of
from scoring.documents.game import Taught, parse_game
from scoring.errors import AssumptionError, GameError, UnknownBoardError
from scoring.explain.explain import Explanation, NoPathError, explain
from scoring.explain.text import paragraphs, path_rows
from scoring.game.game import Game, Player
from web.names import one_spelling

WIDTH = 88
"""Characters of a printed row."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion explain`."""
    parser.add_argument("game", metavar="GAME.json", help="companion.help.explain.game")
    parser.add_argument(
        "--player", metavar="NAME", required=True, help="companion.help.explain.player"
    )
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_assume_option(parser)
    parser.add_argument("--board", metavar="FILE", help="companion.help.explain.board")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Explain one player's path and print it."""
    language = language_choice(arguments.language)
    own = None if arguments.board is None else own_board(arguments.board)
    assumed = assumptions_of(arguments.assume)
    game = _game(game_of(only_game(read_json(arguments.game)), language, assumed), own, assumed)
    try:
        explanation = explain(game, _player(game, arguments.player))
    except NoPathError:
        title = Speaker(language, game.board).game(game.id)
        raise UnusableInputError("scoring.explain.no_map", game=title) from None
    if arguments.json:
        document = {**explanation.to_json(), "text": paragraphs(explanation, language)}
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print(_printed(explanation, language))
    return 0


def _game(data: Any, own: Taught | None, assumed: Mapping[str, str | None]) -> Game:
    check_own([data], own)
    try:
        return parse_game(data, taught_of(data, own), assumed)
    except (AssumptionError, UnknownBoardError) as error:
        raise UsageError.saying(error) from error
    except GameError as error:
        raise UnusableInputError.saying(error) from error


def _player(game: Game, wanted: str) -> Player:
    """The player of that name, else of that colour, in capitals or not."""
    for attribute in ("name", "colour"):
        for player in game.players:
            if one_spelling(getattr(player, attribute) or "") == one_spelling(wanted):
                return player
    known = ", ".join(player.name for player in game.players)
    raise UsageError("companion.error.nobody-called", name=wanted, known=known)


def _printed(explanation: Explanation, language: str) -> str:
    speaker = Speaker(language, explanation.board)
    title, *argument = paragraphs(explanation, language)
    rows = path_rows(explanation, language)
    blocks = [speaker.player(explanation.name, explanation.colour), title]
    blocks += ["\n".join(rows)] if rows else []
    blocks += [textwrap.fill(paragraph, WIDTH) for paragraph in argument]
    return "\n\n".join(blocks)
