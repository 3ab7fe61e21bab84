"""The catalogue says everything in both languages, with the same placeholders."""

import re
import string
from pathlib import Path

import pytest

from scoring.game.colours import COLOURS, HEX, SYMBOL
from scoring.language import LANGUAGES, ROOMS, Phrase, SpokenError, catalogue, text
from scoring.message import message, shown


def placeholders(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    english, italian = (catalogue(language) for language in ("en", "it"))
    assert set(english) == set(italian)
    for key, words in english.items():
        assert placeholders(words) == placeholders(italian[key]), key


def test_no_text_is_empty() -> None:
    for language in LANGUAGES:
        assert all(words.strip() for words in catalogue(language).values())


def test_an_unknown_language_or_key_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        catalogue("fr")
    with pytest.raises(KeyError):
        text("scoring.no.such.key", "en")


def test_an_error_within_a_sentence_is_said_in_the_same_language() -> None:
    inner = SpokenError("vision.photo.cut-off", name=Phrase("vision.photo.the-file"))
    outer = SpokenError("companion.refused.photo", reason=inner)
    assert str(outer).startswith("The photo cannot be used: the file is cut off before its end")
    assert "il file è troncato prima della fine" in outer.sentence("it")
    assert "the file" not in outer.sentence("it")


def test_a_colour_within_a_sentence_is_said_in_the_same_language() -> None:
    error = SpokenError("companion.refused.nobody-plays", colour="red")
    assert error.sentence("it") == "Nessuno al tavolo gioca con rosso."


def test_every_error_in_the_source_names_a_sentence_of_the_catalogue() -> None:
    root = Path(__file__).parents[2]
    named = {
        key
        for room in ROOMS
        for path in (root / room).rglob("*.py")
        for key in re.findall(r'(?:Error|Phrase)\(\s*"([a-z]+\.[a-z.-]+)"', path.read_text("utf-8"))
    }
    assert len(named) > 50
    assert named <= set(catalogue("en"))


def test_every_colour_has_a_name_in_both_languages_and_a_symbol_of_its_own() -> None:
    assert len(set(SYMBOL.values())) == len(COLOURS) == len(HEX)
    for language in LANGUAGES:
        assert len({text(f"scoring.colour.{colour}", language) for colour in COLOURS}) == len(
            COLOURS
        )


def test_a_message_is_english_until_asked_otherwise() -> None:
    missing = message("problem.missing", who="board", field="title")
    assert str(missing) == "board: title: is missing"
    assert missing.text("it") == "board: title: manca"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (2.5, "2.5"),
        ([1], "[…]"),
        ({"a": 1}, "{…}"),
        ("a\nb", '"a\N{REPLACEMENT CHARACTER}b"'),
        ("x" * 100, '"' + "x" * 38 + "…"),
    ],
)
def test_foreign_values_are_repeated_on_one_short_line(value: object, words: str) -> None:
    assert shown(value) == words
