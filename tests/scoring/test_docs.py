"""The figures in the documentation are those that the program works out."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scoring.board.board import board_from_json
from scoring.board.format import KEYS
from scoring.board.inspection.inspect import inspect_board
from scoring.documents.card_set import card_set_from_json
from scoring.documents.game import GAMES, parse_game
from scoring.documents.settings import READERS, settings_in_force
from scoring.language import LANGUAGES, text
from scoring.sheet.sheet import score_game

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [(game, language) for game in GAMES for language in LANGUAGES]

JSON_BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)
ROW = re.compile(r"^\| (?P<name>\w+) \| (?P<what>[^|]+) \| \**(?P<points>−?\d+)\** \| .*\|$", re.M)
SETTING = re.compile(r"^\| `(?P<name>[a-z-]+)` \| (?:`(?P<default>[^`]+)`)?", re.M)


def page(game: str, language: str) -> str:
    return (DOCS / "rules" / f"{game}.{language}.md").read_text("utf-8")


def example(game: str, language: str) -> Any:
    (block,) = JSON_BLOCK.findall(page(game, language))
    return json.loads(block)


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_the_worked_example_is_what_the_program_scores(game: str, language: str) -> None:
    sheet = score_game(example(game, language)).to_json()
    expected = []
    for player in sheet["players"]:
        for line in player["lines"]:
            kind = text(f"scoring.sheet.kind.{line['kind']}", language)
            expected.append((player["name"], kind, line["points"]))
        total = text("scoring.sheet.total", language)
        expected.append((player["name"], f"**{total}**", player["total"]))
    assert rows(page(game, language)) == expected


def rows(words: str) -> list[tuple[str, str, int]]:
    """Player, what and points of every row of the worked example."""
    found = (match.groupdict() for match in ROW.finditer(words))
    return [(row["name"], row["what"], int(row["points"].replace("−", "-"))) for row in found]


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_work_out_the_same_game(game: str) -> None:
    first, second = (example(game, language) for language in LANGUAGES)
    assert first == second


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_every_setting_in_force_is_explained_with_its_default(game: str, language: str) -> None:
    explained = {match["name"] for match in SETTING.finditer(page(game, language))}
    in_force = set(settings_in_force(parse_game(example(game, language))))
    assert in_force <= explained <= set(READERS)
    assert explained - in_force <= {"score-track", "fewest-tickets"}


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_every_setting_stands_once_with_the_default_that_holds(game: str, language: str) -> None:
    rows = SETTING.findall(page(game, language))
    assert len(rows) == len(dict(rows))
    played = parse_game({**example(game, language), "settings": {}})
    defaults = {
        **settings_in_force(played),
        "score-track": played.score_track,
        "fewest-tickets": played.fewest_tickets,
    }
    for name, default in rows:
        if default:
            assert json.loads(default) == defaults[name], name


def test_the_board_files_in_the_docs_are_good() -> None:
    paris, club, cards = JSON_BLOCK.findall((DOCS / "boards.md").read_text("utf-8"))
    assert board_from_json(json.loads(club)).counts()["tickets"] == 69
    assert inspect_board(json.loads(club)).errors == ()
    assert board_from_json(json.loads(paris)).counts()["routes"] == 3
    assert inspect_board(json.loads(paris)).findings == ()
    assert len(card_set_from_json(json.loads(cards)).tickets) == 3


def test_every_key_of_a_board_file_is_explained() -> None:
    words = (DOCS / "boards.md").read_text("utf-8")
    assert [key for key in KEYS if f"`{key}`" not in words] == []
