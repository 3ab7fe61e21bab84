"""What a command line may be, and what is wrong with one, is told in the reader's language."""

import argparse
import importlib
import re

import pytest

from companion.cli.command_parser import SENTENCES
from companion.cli.main import COMMANDS, main
from scoring.language import LANGUAGES

ENGLISH_ONLY = ("usage:", "options:", "positional arguments:", "show this help", "print one JSON")

WRONG: dict[str, tuple[str, str, str]] = {
    "what it needs": (
        "scan",
        "missing: PHOTO, --board",
        "manca: FOTO, --board",
    ),
    "one of several": (
        "calibrate",
        "one of the arguments --empty --camera --print-markers --check is required",
        "serve una di queste opzioni: --empty --camera --print-markers --check",
    ),
    "two that exclude each other": (
        "calibrate --empty a.jpg --camera auto",
        "argument --camera: not allowed with argument --empty",
        "--camera: non si può usare insieme a --empty",
    ),
    "no such option": (
        "score game.json --jsn",
        "unrecognized arguments: --jsn",
        "non riconosciuto: --jsn",
    ),
    "an option cut short": (
        "serve --c",
        "ambiguous option: --c could match --camera, --club, --calibration",
        "opzione ambigua: --c può essere --camera, --club, --calibration",
    ),
    "no such choice": (
        "log chek",
        "argument ACTION: invalid choice: 'chek' (choose from ",
        "AZIONE: scelta non valida: 'chek' (scegli tra ",
    ),
    "no whole number": (
        "hub setup --tables many",
        "argument --tables: invalid int value: 'many'",
        "--tables: 'many' non è un numero intero",
    ),
    **{
        f"no port of {command}": (
            f"{command} --port {port}",
            "argument --port: a port must be from 0 to 65535",
            "--port: le porte vanno da 0 a 65535",
        )
        for command, port in (("demo", "99999"), ("serve", "panel"), ("hub", "-1"))
    },
    "no number": (
        "serve --fps fast",
        "argument --fps: invalid float value: 'fast'",
        "--fps: 'fast' non è un numero",
    ),
    "a value too many": (
        "score game.json --json=yes",
        "argument --json: ignored explicit argument 'yes'",
        "--json: non prende un valore: 'yes'",
    ),
    "no value": (
        "serve --port",
        "argument --port: expected one argument",
        "--port: serve un valore",
    ),
    "too few values": (
        "scan a.jpg --board usa --corners 1,2 3,4",
        "argument --corners: expected 4 arguments",
        "--corners: servono 4 valori",
    ),
    "no corner": (
        "scan a.jpg --board usa --corners 1,2 3,4 5,6 7",
        "argument --corners: '7' is no corner; write x,y",
        "--corners: '7' non è un angolo; scrivi x,y",
    ),
    "no length": (
        "studio propose a.jpg --size-mm wide 500",
        "argument --size-mm: 'wide' is no length in millimetres",
        "--size-mm: 'wide' non è una lunghezza in millimetri",
    ),
    "no board's side": (
        "studio propose a.jpg --size-mm 80 500",
        "argument --size-mm: 80 mm is no side of a board; 100 to 2000 are",
        "--size-mm: 80 mm non è il lato di un tabellone; va da 100 a 2000",
    ),
    "what to do with boards": (
        "boards chek a.json",
        "argument ACTION: invalid choice: 'chek'",
        "AZIONE: scelta non valida: 'chek'",
    ),
    "what the studio does": (
        "studio prpose a.jpg",
        "argument ACTION: invalid choice: 'prpose'",
        "AZIONE: scelta non valida: 'prpose'",
    ),
    "what the hub does": (
        "hub srve",
        "argument ACTION: invalid choice: 'srve'",
        "AZIONE: scelta non valida: 'srve'",
    ),
}
"""Wrong command lines, and what is said of them in English and in Italian."""


def told(capfd: pytest.CaptureFixture[str], line: str, code: int) -> str:
    """What a command line prints that ends with an exit code before anything is done."""
    with pytest.raises(SystemExit) as ending:
        main(line.split())
    assert ending.value.code == code
    printed = capfd.readouterr()
    assert not (printed.out and printed.err)
    return printed.out or printed.err


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns that chooses no language."""
    monkeypatch.setenv("COLUMNS", "80")
    for one in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(one, raising=False)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_command_line_is_said_in_one_line_of_each_language(
    capfd: pytest.CaptureFixture[str], name: str
) -> None:
    line, english, italian = WRONG[name]
    command = line.split()[0]
    for option, sentence, tip in (
        ("en", english, f"; `companion {command} --help` tells the options\n"),
        ("it", italian, f"; `companion {command} --help` dice le opzioni\n"),
    ):
        said = told(capfd, f"--language {option} {line}", 2)
        assert said.startswith(f"companion {command}: {sentence}")
        assert said.endswith(tip)
        assert said.count("\n") == 1


def test_every_sentence_of_argparse_is_among_them() -> None:
    said = [english for _, english, _ in WRONG.values()]
    said += [sentence.partition(": ")[2] for sentence in said]
    said += ["the following arguments are required: PHOTO"]  # said in our own words above
    for pattern in SENTENCES:
        begun = pattern.removesuffix(r"\)")  # the choices are written otherwise by newer Pythons
        assert any(re.match(begun, sentence) for sentence in said), pattern


@pytest.mark.parametrize(
    "line",
    [
        "--language it scan --help",
        "scan --help --language it",
        "scan --language=it -h",
        "scan --lang it --board --help",
        "scan --really-empty --help --language en --language it",
    ],
)
def test_help_is_italian_wherever_italian_is_asked_for(
    capfd: pytest.CaptureFixture[str], line: str
) -> None:
    said = told(capfd, line, 2 if "--board" in line else 0)
    assert ("--board: serve un valore" if "--board" in line else "uso: companion scan") in said


@pytest.mark.parametrize("variable", ["COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
def test_help_is_told_in_the_locale_s_language_too(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "it_IT.UTF-8")
    assert told(capfd, "tickets --help", 0) == (
        "uso: companion tickets [-h] --board B [--overlay IMMAGINE.png] [--json]\n"
        "                       [--language {en,it}]\n"
        "                       FOTO [FOTO ...]\n"
        "\n"
        "legge i biglietti nelle foto di una mano\n"
        "\n"
        "argomenti:\n"
        "  FOTO                  foto di una mano\n"
        "\n"
        "opzioni:\n"
        "  -h, --help            mostra questo aiuto ed esce\n"
        "  --board B             l'id di un tabellone (usa, germany, france; l'elenco è\n"
        "                        in `companion boards`) o il suo file\n"
        "  --overlay IMMAGINE.png\n"
        "                        segna le carte nella prima foto\n"
        "  --json                stampa un solo documento JSON\n"
        "  --language {en,it}    lingua del testo stampato\n"
        "\n"
        "esempio: companion tickets FOTO.jpg --board usa\n"
    )
    assert "show this help message and exit" in told(capfd, "tickets --help --language en", 0)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_explains_itself_in_every_language(
    capfd: pytest.CaptureFixture[str], command: str
) -> None:
    for language in LANGUAGES:
        said = told(capfd, f"{command} --help --language {language}", 0)
        english = [word for word in ENGLISH_ONLY if word in said]
        assert bool(english) == (language == "en"), (language, english)
        assert "companion." not in said, "a key that nobody put in words"


def test_the_list_of_commands_fits_a_terminal_in_italian(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = told(capfd, "--help --language it", 0).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line.split()[0] for line in lines[-len(COMMANDS) - 3 : -3]] == list(COMMANDS)


@pytest.mark.parametrize(
    ("language", "first"),
    [("en", "Try `companion demo` first"), ("it", "Per cominciare: `companion demo`")],
)
def test_the_list_of_commands_says_which_comes_first(
    capfd: pytest.CaptureFixture[str], language: str, first: str
) -> None:
    assert first in told(capfd, f"--help --language {language}", 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_every_command_is_one_that_it_takes(
    capfd: pytest.CaptureFixture[str], command: str, language: str
) -> None:
    last = told(capfd, f"{command} --help --language {language}", 0).splitlines()[-1]
    _, program, name, *words = last.split()
    assert (program, name) == ("companion", command)
    parser = argparse.ArgumentParser(exit_on_error=False)
    importlib.import_module(f"companion.cli.commands.{command}").configure(parser)
    parser.parse_args(words)
