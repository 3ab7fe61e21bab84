"""What ends a command, and what the panel refuses, is said in the reader's language."""

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.cli.inputs import parse_players
from companion.cli.main import main
from companion.errors import UsageError
from companion.table.eye import Photo, Seen
from scoring.board.board import Board, load_board
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, scanned
from vision.images.photo import check_quality
from web.app import create_app

ITALIAN: dict[str, tuple[str, int, str]] = {
    "no such photo": ("scan nowhere.jpg --board usa", 2, "il file nowhere.jpg non c'è"),
    "no photo": ("scan notes.txt --board usa", 3, "notes.txt non è una foto"),
    "no such board": ("scan notes.txt --board mars", 2, "tabellone sconosciuto 'mars'"),
    "no such colour": ("scan notes.txt --board usa --players mauve", 2, "colore sconosciuto mauve"),
    "a bad overlay": (
        "scan notes.txt --board usa --overlay out.txt",
        2,
        "l'immagine out.txt richiede un nome che finisca in .png o .jpg",
    ),
    "no reference": (
        "scan notes.txt --board usa --reference notes.txt",
        3,
        "notes.txt non è una foto",
    ),
    "no such game": ("score nowhere.json", 2, "il file nowhere.json non c'è"),
    "no game": (
        "score notes.txt",
        3,
        "notes.txt non è un documento JSON completo: non si può leggere dalla riga 1, colonna 1",
    ),
    "an option": (
        "score game.json --assume x",
        2,
        "--assume x: scrivilo come TRATTA=COLORE",
    ),
    "nobody of the colour": (
        "score game.json --assume atlanta--miami=verde",
        2,
        'nessuno gioca con "verde"; qui giocano: Ada; oppure nessuno',
    ),
    "no such player": ("explain game.json --player Bob", 2, 'nessuno qui si chiama "Bob"'),
    "no such camera": ("watch kodak --board usa", 2, "Nessuna telecamera si chiama kodak"),
    "too fast": ("watch . --board usa --fps 900", 2, "--fps va da 0.01 a 60"),
    "no file to check": ("boards check", 2, "boards check richiede un FILE"),
    "nothing to calibrate": (
        "calibrate --empty notes.txt",
        2,
        "una calibrazione richiede --board B",
    ),
    "another machine's address": (
        "serve --host 192.0.2.1 --no-hardware",
        2,
        "all'indirizzo 192.0.2.1 non si può aprire nulla (questo computer non ha",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a user's odds and ends, with a data folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    Path("notes.txt").write_text("Dear Ada,\n")
    Path("game.json").write_text('{"game": "usa", "players": [{"name": "Ada", "routes": []}]}')
    return tmp_path


@pytest.mark.parametrize("name", list(ITALIAN))
def test_the_line_that_ends_a_command_is_italian_where_italian_is_asked_for(
    folder: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    words, code, sentence = ITALIAN[name]
    assert main([*words.split(), "--language", "it"]) == code
    printed = capfd.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"companion {words.split()[0]}: ")
    assert sentence in line


def test_the_environment_chooses_the_language_too_and_the_option_comes_first(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "it")
    main(["score", "nowhere.json"])
    main(["score", "nowhere.json", "--language", "en"])
    italian, english = capfd.readouterr().err.splitlines()
    assert italian == "companion score: il file nowhere.json non c'è"
    assert english == "companion score: there is no file nowhere.json"


@pytest.mark.parametrize("variable", ["COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
def test_what_a_command_cannot_do_without_is_said_in_the_locale_s_language(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for one in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(one, raising=False)
    monkeypatch.setenv(variable, "it_IT.UTF-8")
    with pytest.raises(SystemExit, match="2"):
        main(["scan", "photo.jpg"])
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("companion scan: manca: --board, l'id di un tabellone (usa, germany, ")
    assert line.endswith("; `companion scan --help` dice le opzioni")


def test_colours_may_be_typed_as_they_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    usa = load_board("usa")
    assert parse_players("Rosso, blu,green", usa) == ("red", "blue", "green")
    with pytest.raises(UsageError, match="pink"):
        parse_players("rosso,pink", usa)


def test_the_language_may_stand_before_the_command(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    main(["--language", "it", "score", "nowhere.json"])
    main(["--language", "it", "score", "nowhere.json", "--language", "en"])
    italian, english = capfd.readouterr().err.splitlines()
    assert italian == "companion score: il file nowhere.json non c'è"
    assert english == "companion score: there is no file nowhere.json", "the nearer one counts"


def test_a_photo_that_is_none_is_refused_by_the_panel_in_the_visitors_language(
    tmp_path: Path,
) -> None:
    table = new_table(tmp_path, ToldEye())
    table.act("start", ADA_AND_BEN)
    client = create_app(table).test_client()
    data = {"images": (io.BytesIO(b"Dear Ada,\n"), "photo.jpg")}
    answer = client.post(
        "/api/act/upload-photo", data=data, headers={"Accept-Language": "it"}, buffered=True
    )
    assert answer.status_code == 409
    assert answer.json is not None
    assert "il file non è una foto" in answer.json["error"]


class DarkEye(ToldEye):
    """Finds every photo too dark."""

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        check_quality(np.zeros((400, 600, 3), np.uint8))
        return super().look(photos_bgr, board, colours)


def test_the_page_says_in_the_visitors_language_why_a_look_failed(tmp_path: Path) -> None:
    table = new_table(tmp_path, DarkEye())
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    client = create_app(table).test_client()
    assert "la foto è troppo scura" in client.get("/board?lang=it").text
    assert "the photo is too dark" in client.get("/board?lang=en").text
    assert client.get("/api/state").status_code == 200
