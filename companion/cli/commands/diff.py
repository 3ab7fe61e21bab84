"""`companion diff`: what changed between two sheets, and whether the winner did."""

import argparse
import json
from collections.abc import Iterator
from typing import Any

from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.names import Speaker
from companion.cli.readings import game_of, only_game
from companion.errors import UnusableInputError, UsageError
from companion.user_files.game_files import read_json
from companion.user_files.score_documents import score_games
from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.compare import Comparison, LineChange, PlayerChange, compare
from scoring.documents.sheet import is_sheet, sheet_problems
from scoring.language.lists import join_names

MISSING = "–"
"""Printed where one of the two sheets has no such line or player."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion diff`."""
    parser.add_argument("before", metavar="A.json", help="companion.help.diff.before")
    parser.add_argument("after", metavar="B.json", help="companion.help.diff.after")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare the two and print what changed."""
    language = language_choice(arguments.language)
    sheets = [read_sheet(name, language) for name in (arguments.before, arguments.after)]
    games = [sheet["game"] for sheet in sheets]
    if games[0] != games[1]:
        raise UsageError("companion.error.diff-kinds", first=games[0], second=games[1])
    comparison = compare(*sheets)
    if arguments.json:
        print(json.dumps(comparison.to_json(), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_spoken(comparison, language)))
    return 0


def read_sheet(name: str, language: str) -> dict[str, Any]:
    """A sheet's document, also an old evening's; a game and a reading of photos are scored first.

    Raises UnusableInputError where it holds none of these.
    """
    document = only_game(read_json(name))
    if isinstance(document, dict) and is_sheet(document.get("sheet")):
        document = document["sheet"]  # an old evening, as its page on the panel saves it
    if not is_sheet(document):
        (scored,) = score_games([game_of(document, language)], None)
        return scored[0].to_json(language)
    problems = sheet_problems(document)
    if problems:
        raise UnusableInputError("companion.error.board-file", path=name, reason=problems)
    sheet: dict[str, Any] = document
    return sheet


def _spoken(comparison: Comparison, language: str) -> Iterator[str]:
    game = comparison.games[1]
    board = load_board(game) if game in BOARDS_WITH_DATA else None
    speaker = Speaker(language, board)
    yield _verdict(comparison, speaker)
    for violation in comparison.violations_came:
        yield speaker.say("diff.came", text=violation)
    for violation in comparison.violations_gone:
        yield speaker.say("diff.gone", text=violation)
    for player in comparison.players:
        yield ""
        yield f"{player.name}: {_pair(player.total, speaker)}{_rank(player, speaker)}"
        for line in player.lines:
            yield f"  {_line(line, speaker)}"


def _verdict(comparison: Comparison, speaker: Speaker) -> str:
    before, after = (join_names(names, speaker.language) for names in comparison.winners)
    if comparison.winner_changed:
        return speaker.say("diff.winner", before=before, after=after)
    key = "diff.same_winner" if comparison.changed else "diff.nothing"
    return speaker.say(key, names=after)


def _rank(player: PlayerChange, speaker: Speaker) -> str:
    if player.rank[0] == player.rank[1]:
        return ""
    return ", " + speaker.say("diff.rank", change=_pair(player.rank, speaker))


def _pair(values: tuple[int | None, int | None], speaker: Speaker) -> str:
    before, after = (MISSING if value is None else speaker.points(value) for value in values)
    return before if before == after else f"{before} → {after}"


def _line(line: LineChange, speaker: Speaker) -> str:
    subject = " ".join((speaker.say(f"kind.{line.kind}"), _subject(line, speaker))).strip()
    return f"{subject}: {_pair((line.before, line.after), speaker)}"


def _subject(line: LineChange, speaker: Speaker) -> str:
    if line.kind == "passengers":
        return speaker.colour(line.subject)
    if line.kind == "bonus":
        return speaker.bonus(line.subject)
    return " – ".join(speaker.place(place) for place in line.subject.split(" – ") if place)
