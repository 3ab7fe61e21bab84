"""A third language by one file in the data folder."""

import json
from pathlib import Path

import pytest

from companion.user_files.languages import add_languages
from scoring.language import LANGUAGES, languages, text
from tests.support.added_languages import forgotten as forgotten
from tests.web.fake_table import FakeTable
from web.app import create_app

KLINGON = {
    "name": "tlhIngan Hol",
    "scoring.colour.red": "Doq",
    "web.start.title": "Quj chu'",
    "web.count.points.many": "{n} mI'",
    "web.no.such.text": "pagh",
    "web.count.points.one": "wa' {points}",
}
"""A made-up file; its last two texts cannot be used."""


def put(data: Path, name: str, content: str) -> list[str]:
    folder = data / "languages"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(content, "utf-8")
    return [trouble.text() for trouble in add_languages(data)]


def test_one_file_gives_the_panel_a_third_language(tmp_path: Path) -> None:
    troubles = put(tmp_path, "tlh.json", json.dumps(KLINGON))
    assert troubles == [
        "tlh.json: 2 texts are not used, because no such text exists or its placeholders differ;"
        " the first is web.no.such.text"
    ]
    assert languages() == (*LANGUAGES, "tlh")
    client = create_app(FakeTable()).test_client()
    page = client.get("/start?lang=tlh").text
    assert '<html lang="tlh">' in page
    assert "Quj chu&#39;" in page
    assert "Choose the game" in page, "what is missing is told in English"
    assert "Quj chu&#39;" in client.get("/start").text, "the device remembers its language"
    assert "tlhIngan Hol" in create_app(FakeTable()).test_client().get("/start?lang=it").text


def test_a_text_that_is_missing_is_told_in_english(tmp_path: Path) -> None:
    put(tmp_path, "tlh.json", json.dumps(KLINGON))
    assert text("scoring.colour.red", "tlh") == "Doq"
    assert text("scoring.colour.blue", "tlh") == "blue"
    assert text("web.count.points.one", "tlh", n=1) == text("web.count.points.one", "en", n=1)


def test_a_count_of_one_is_told_in_that_language_as_far_as_the_file_goes(tmp_path: Path) -> None:
    put(tmp_path, "de.json", '{"name": "Deutsch", "companion.log.saved": "{count} nach {path}."}')
    assert text("companion.log.saved", "de", count=1, path="log") == "1 nach log."
    assert (
        text("companion.log.packed", "de", count=1, path="log")
        == "log holds the table with one event."
    )


def test_a_text_with_half_a_character_is_not_used(tmp_path: Path) -> None:
    """It would be on no page that a browser could be sent."""
    (said,) = put(tmp_path, "de.json", '{"name": "Deutsch", "scoring.colour.red": "ro\\ud800t"}')
    assert "differ: scoring.colour.red" in said


@pytest.mark.parametrize(
    "words", ["{n:d} Punkt", "{n:>999999999}", "{n:{n}}", "{n!x}", "{n!r:>9}", "{n.real}", "{n"]
)
def test_a_placeholder_is_filled_in_no_way_that_could_fail(tmp_path: Path, words: str) -> None:
    """A name is no number, and a width of a milliard fills the memory."""
    document = {"name": "Deutsch", "web.count.points.one": words}
    (said,) = put(tmp_path, "de.json", json.dumps(document))
    assert "differ: web.count.points.one" in said
    assert text("web.count.points.one", "de", n=1) == "1 point"


def test_a_placeholder_may_be_written_out_as_in_english(tmp_path: Path) -> None:
    """The demo's seconds have one digit behind the point."""
    english = text("companion.demo.drawn", "en", s=1.25, wagons=2, routes=3)
    words = "{s:.1f} {wagons} {routes}"
    assert put(tmp_path, "de.json", json.dumps({"name": "D", "companion.demo.drawn": words})) == []
    told = text("companion.demo.drawn", "de", s=1.25, wagons=2, routes=3)
    assert (told, "1.2 s" in english) == ("1.2 2 3", True)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("de.json", "{", "de.json"),
        ("de.json", "[]", "name"),
        ("de.json", "{}", "name"),
        ("de.json", '{"name": "De\\ud800utsch"}', "name"),
        ("en.json", '{"name": "English"}', '"en" is not the code'),
        ("D E.json", '{"name": "Deutsch"}', '"D E" is not the code'),
    ],
)
def test_a_file_that_is_wrong_is_told_in_one_sentence_and_left_alone(
    tmp_path: Path, name: str, content: str, why: str
) -> None:
    (said,) = put(tmp_path, name, content)
    assert said.startswith(f"the language file {name} is not used: ")
    assert why in said
    assert languages() == LANGUAGES
