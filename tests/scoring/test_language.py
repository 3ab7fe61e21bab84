"""The catalogue says everything in both languages, with the same placeholders."""

import errno
import json
import os
import re
import string
import subprocess
import sys
from sqlite3 import OperationalError

import pytest

from scoring.game.colours import COLOURS, HEX, SYMBOL
from scoring.language import LANGUAGES, Message, SpokenError, catalogue, text
from scoring.language.foreign import shown
from scoring.language.lists import join_names
from tests.support.catalogues import ROOMS, ROOT, whole_catalogue


def placeholders(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    english, italian = (whole_catalogue(language) for language in ("en", "it"))
    assert set(english) == set(italian)
    for key, words in english.items():
        assert placeholders(words) == placeholders(italian[key]), key


def test_no_text_is_empty() -> None:
    for language in LANGUAGES:
        assert all(words.strip() for words in whole_catalogue(language).values())


def test_names_are_joined_as_spoken() -> None:
    assert join_names(["Ada"], "en") == "Ada"
    assert join_names(["Ada", "Ben", "Cleo"], "en") == "Ada, Ben and Cleo"
    assert join_names(["Ada", "Ben"], "it") == "Ada e Ben"


@pytest.mark.parametrize("name", ["Eva", "emma", "Élodie", "E\u0301lodie"])
def test_italian_says_ed_before_a_name_that_begins_with_e(name: str) -> None:
    assert join_names(["Ada", "Ben", name], "it") == f"Ada, Ben ed {name}"
    assert join_names([name, "Ben"], "it") == f"{name} e Ben"


def test_a_sentence_that_ends_with_an_initial_has_one_full_stop() -> None:
    """Two players are both called Marco, and one of them is "Marco R." at their table."""
    left = "Nessun biglietto inserito per Ada e Marco R. Una mano vuota cambia punti e classifica."
    names = join_names(["Ada", "Marco R."], "it")
    assert text("web.tickets.missing", "it", names=names) == left
    assert text("web.tickets.missing", "it", names="Ada").count("per Ada. Una mano") == 1
    assert text("scoring.problem.missing", "en", who="Marco R.", field="x").startswith("Marco R.: ")


ITALIAN_WORDS_NOT_USED = {
    r"fotocamer\w*": "telecamera (a phone's picture is a foto)",
    r"\btast[oi]\b": "pulsante",
    r"\blampade\b": "luci",
    r"\bpercorsi\b(?! più lunghi)": "tratte",
    r"\bfoglio\b(?! di calcolo)": "punteggio finale",
    r"\bsegni\b": "marcatori",
    r"\b(?:il|un|del|al) club\b": "circolo",
    r"\bnazion[ei]\b": "paese (a country on the map)",
    r"(?<!@)\bmacchin[ae]\b": "computer (a macchina is a car)",
    r"\bmani\b": "biglietti (what a player holds)",
}
OTHER_SENSE = {
    "vision.photo.heic": "the name of the iPhone's own menu",
    "vision.photo.bright": "the lamps of the room",
    "vision.tickets.bright": "the same",
    "hardware.keys.": "keys of a keyboard or number pad",
    "companion.doctor.keys": "the same",
}
"""Messages, or the beginning of their names, in which a word means something else."""


@pytest.mark.parametrize("word", ITALIAN_WORDS_NOT_USED)
def test_italian_has_one_word_for_one_thing(word: str) -> None:
    found = {
        key: words
        for key, words in whole_catalogue("it").items()
        if re.search(word, words, re.IGNORECASE) and not key.startswith(tuple(OTHER_SENSE))
    }
    assert not found, f"say {ITALIAN_WORDS_NOT_USED[word]}: {found}"


def test_no_italian_article_stands_before_a_colour_or_a_name() -> None:
    """“Il rosso” is right, “il arancione” is not: no article fits every word that can follow."""
    article = r"\b(?:il|lo|la|un|uno|una|al|dal|del|sul) \{(?:colour|name|owner|who|place)s?\}"
    texts = whole_catalogue("it").values()
    assert [words for words in texts if re.search(article, words)] == []


def test_the_systems_own_reasons_are_told_in_our_words() -> None:
    """What it says that is not known stays as it is."""
    told = [
        text("companion.setup.disk", "it", reason=OSError(number, os.strerror(number), "/a/b"))
        for number in (errno.ENOSPC, errno.EXDEV)
    ]
    rest = "; quello che c'era prima non è cambiato."
    assert told == [
        f"Non è stato possibile scriverlo sul disco (non c'è più spazio){rest}",
        f"Non è stato possibile scriverlo sul disco (Invalid cross-device link){rest}",
    ]
    assert "(it is a folder)" in text("companion.setup.disk", "en", reason="Is a directory")


COMMON_ERRORS = (
    "EACCES EADDRINUSE EADDRNOTAVAIL EBUSY ECONNREFUSED ECONNRESET EDQUOT EEXIST EFBIG EHOSTUNREACH"
    " EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENETUNREACH ENODEV ENOENT ENOSPC ENOTDIR ENXIO EPERM"
    " EROFS ETIMEDOUT"
)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("name", COMMON_ERRORS.split())
def test_no_sentence_holds_the_systems_words_of_a_common_error(name: str, language: str) -> None:
    number = getattr(errno, name)
    error = OSError(number, os.strerror(number), "game.json")
    said = text("companion.error.cannot-read", language, path="game.json", reason=error)
    start = {"en": "the file game.json cannot be read: ", "it": "il file game.json non si può leg"}
    assert said.startswith(start[language])
    assert os.strerror(number) not in said
    assert "Errno" not in said


def test_the_words_of_a_full_or_locked_log_are_ours_too() -> None:
    for words in ("database or disk is full", "attempt to write a readonly database"):
        said = text("companion.store.cannot-write", "it", path="x", reason=OperationalError(words))
        assert words not in said
    assert "si può solo leggere" in said


def test_an_unknown_language_or_key_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        catalogue("scoring", "fr")
    with pytest.raises(KeyError):
        text("scoring.no.such.key", "en")


def test_an_error_within_a_sentence_is_said_in_the_same_language() -> None:
    inner = SpokenError("vision.photo.cut-off", name=Message("vision.photo.the-file"))
    outer = SpokenError("companion.refused.photo", reason=inner)
    assert str(outer).startswith("The photo cannot be used: the file is cut off before its end")
    assert "il file è troncato prima della fine" in outer.sentence("it")
    assert "the file" not in outer.sentence("it")


def test_a_colour_within_a_sentence_is_said_in_the_same_language() -> None:
    error = SpokenError("companion.refused.nobody-plays", colour="red")
    assert error.sentence("it") == "Nessuno al tavolo gioca con il colore rosso."


def test_every_error_in_the_source_names_a_sentence_of_the_catalogue() -> None:
    named = {
        key
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for key in re.findall(
            r'(?:Error|Message)\(\s*"([a-z]+\.[a-z.-]+)"', path.read_text("utf-8")
        )
    }
    assert len(named) > 50
    assert named <= set(whole_catalogue("en"))


def test_every_colour_has_a_name_in_both_languages_and_a_symbol_of_its_own() -> None:
    assert len(set(SYMBOL.values())) == len(COLOURS) == len(HEX)
    for language in LANGUAGES:
        assert len({text(f"scoring.colour.{colour}", language) for colour in COLOURS}) == len(
            COLOURS
        )


def test_a_message_is_english_until_asked_otherwise() -> None:
    missing = Message("scoring.problem.missing", who="board", field="title")
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


def test_a_word_without_end_is_repeated_by_both_its_ends() -> None:
    told = text("companion.error.no-file", "en", path=f"/home/{'a' * 10_000}.jpg")
    assert len(told) < 400
    assert "/home/aaa" in told
    assert "aaa.jpg" in told
    several = " ".join(["atlanta--charleston"] * 100)
    assert several in text("companion.error.no-file", "en", path=several)


def test_a_message_travels_as_plain_data_with_the_messages_within_it() -> None:
    inner = SpokenError("vision.photo.cut-off", name=Message("vision.photo.the-file"))
    outer = Message("companion.refused.photo", reason=inner)
    document = json.loads(json.dumps(outer.to_json()))
    assert Message.from_json(document) == outer
    assert hash(Message.from_json(document)) == hash(outer)
    assert Message.from_json(document).text("it") == outer.text("it")
    assert "il file è troncato" in outer.text("it")


def test_several_messages_are_told_one_after_the_other_in_one_language() -> None:
    missing = [Message("scoring.problem.missing", who=who, field="routes") for who in ("A", "B")]
    error = SpokenError("companion.error.board-file", path="game.json", reason=missing)
    assert str(error) == "game.json: A: routes: is missing; B: routes: is missing"
    assert error.sentence("it") == "game.json: A: routes: manca; B: routes: manca"


def test_lists_within_lists_of_a_damaged_file_stay_a_short_sentence() -> None:
    nested: list[object] = ["deep"]
    for _ in range(200):
        nested = [nested, "'"]
    told = Message("companion.notice.plain", text=nested).text()
    assert len(told) < 100


@pytest.mark.parametrize("document", [None, [], {"key": "a.b"}, {"key": 1, "values": {}}])
def test_other_data_is_no_message(document: object) -> None:
    with pytest.raises(ValueError, match="not a message"):
        Message.from_json(document)


@pytest.mark.parametrize("room", ROOMS)
def test_every_package_has_its_texts_in_every_language(room: str) -> None:
    for language in LANGUAGES:
        assert (ROOT / room / "language" / f"{language}.json").is_file()
        assert catalogue(room, language)


def test_a_text_is_found_without_the_package_that_holds_it() -> None:
    """The Pi's capture child has no `web`, and a key in a log may name anything."""
    code = (
        "import sys; from scoring.language import text; text('web.nobody', 'it');"
        "sys.exit('web' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_what_a_file_holds_stays_short_in_a_message() -> None:
    values = {"x" * 100_000: 1}, ValueError("y" * 100_000)
    for value in values:
        assert len(Message("companion.notice.plain", text=value).text()) <= 300


@pytest.mark.parametrize(("language", "told"), [("en", "0.41 mm per"), ("it", "0,41 mm per")])
def test_a_decimal_is_written_as_the_language_writes_it(language: str, told: str) -> None:
    assert told in Message("calibration.advice.resolution", mm=0.41).text(language)


@pytest.mark.parametrize(
    ("free", "english", "italian"),
    [
        (999, "999 MB of memory are free.", "Ci sono 999 MB di memoria liberi."),
        (1234, "1,234 MB of memory are free.", "Ci sono 1.234 MB di memoria liberi."),
        (1234567, "1,234,567 MB of memory are free.", "Ci sono 1.234.567 MB di memoria liberi."),
    ],
)
def test_a_large_number_is_grouped_as_the_language_groups_it(
    free: int, english: str, italian: str
) -> None:
    memory = Message("companion.doctor.memory", free=free)
    assert (memory.text("en"), memory.text("it")) == (english, italian)


def test_a_whole_number_that_is_measured_keeps_its_places_and_a_loss_its_minus() -> None:
    assert text("web.decimal", "it", number=110.0) == "110,0"
    assert text("web.decimal", "it", number=-2.5) == "−2,5"
