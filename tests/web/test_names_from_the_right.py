"""Names that are read from the right, in sentences with figures and beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from scoring.language import Message
from tests.companion.tables import new_table
from web.language import in_words, say
from web.names import isolated_in
from web.ports import TablePort

SARAH, MUHAMMAD = "שרה כהן", "محمد"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Ada (3), Łukasz", "Ada (3), Łukasz"),
        (f"{SARAH} (3), Ada", f"\u2068{SARAH}\u2069 (3), Ada"),
        (f"{SARAH}, {MUHAMMAD}", f"\u2068{SARAH}\u2069, \u2068{MUHAMMAD}\u2069"),
        (f"\u2068{SARAH} 2\u2069 3", f"\u2068{SARAH} 2\u2069 3"),
    ],
)
def test_a_name_is_isolated_whole_and_once(words: str, shown: str) -> None:
    assert isolated_in(words) == shown


def test_names_within_a_message_within_a_message_are_isolated_too() -> None:
    inner = Message("scoring.list.and", first=SARAH, last="Ada")
    said = in_words(Message("scoring.remark.no-tickets", who=inner), "en")
    assert said == f"No ticket has been entered for \u2068{SARAH}\u2069 and Ada."
    assert f"\u2068{MUHAMMAD}\u2069" in say("tickets.enter", "it", name=MUHAMMAD)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Sarah has more wagons left by count than by the board, Muhammad the highest result."""
    table = new_table(tmp_path, open_camera=None)
    players = [{"name": SARAH, "colour": "red"}, {"name": MUHAMMAD, "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "blue"})
    table.act("count-wagons", {"player": "red", "wagons": 30})
    return table


BEHIND = """(sentence) => {
  const text = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT).nextNode();
  const left = (from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect().left;
  };
  const name = text.data.search(/[\\u0590-\\u08ff]/), rest = text.data.slice(name);
  const figure = name + rest.search(/[0-9]/);
  return left(figure, figure + 1) > left(name, name + 1);
}"""
"""Whether the first figure behind the name in a sentence is drawn to its right."""


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_figure_is_drawn_behind_the_name_that_it_follows(
    page: Any, serve: Callable[[TablePort], str], table: Table, language: str
) -> None:
    address = serve(table)
    page.goto(f"{address}/tickets?lang={language}")
    told = page.locator(".who b", has_text=SARAH).filter(has_text="30")
    assert told.evaluate(BEHIND)
    table.act("finish", {})
    page.goto(f"{address}/statistics")
    assert page.locator(".records a", has_text="25").first.evaluate(BEHIND)
