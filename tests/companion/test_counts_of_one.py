"""Sentences that hold a number, told of one: what is counted stands in the singular."""

from typing import Any

import pytest

from companion.cli.names import counted
from scoring.language import Message, text
from tests.support.added_languages import forgotten as forgotten


@pytest.mark.parametrize(
    ("key", "values", "english", "italian"),
    [
        (
            "companion.log.unpacked",
            {"data": "here", "count": 1},
            "here now holds the table with one event.",
            "here ora contiene il tavolo con un evento.",
        ),
        (
            "companion.log.saved",
            {"path": "log", "count": 1},
            "One event was written to log.",
            "Un evento scritto in log.",
        ),
        (
            "vision.warning.covered",
            {"count": 1},
            "Something lies over a route.",
            "Qualcosa copre una tratta.",
        ),
        ("web.studio.line.of", {"name": "A", "n": 1}, "Line A, one space", "Tratta A, una casella"),
        ("scoring.explain.wagons", {"count": 1}, "1 wagon", "1 vagone"),
    ],
)
def test_one_is_told_in_the_singular(
    key: str, values: dict[str, Any], english: str, italian: str
) -> None:
    assert (text(key, "en", **values), text(key, "it", **values)) == (english, italian)
    several = Message(key, **{**values, **{name: 2 for name in ("count", "n") if name in values}})
    assert several.text("en") != english


def test_what_a_board_has_is_counted_with_its_nouns() -> None:
    told = counted(cities=3, countries=1, tickets=0)
    assert [one.text("en") for one in told.values()] == ["3 cities", "1 country", "0 tickets"]
    assert [one.text("it") for one in told.values()] == ["3 città", "1 paese", "0 biglietti"]
