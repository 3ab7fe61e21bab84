"""The referee on the panel: each remark in time, in plain words, with a way to mend and a way on.

A remark is read on the page before the sheet (or during play), its link leads to a page that
exists, the game can be finished all the same, and the sheet tells once what was waved through.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.support.usa_routes import SIXES
from tests.web.test_pages import words
from web.app import create_app

BOARDS = (*(load_board(name) for name in ("usa", "germany", "france")), *mapless_games())
SEVEN = SIXES[:7]
"""42 wagons."""

Acts = tuple[tuple[str, Mapping[str, Any]], ...]


def route(name: str, owner: str) -> tuple[str, Mapping[str, Any]]:
    return "correct-route", {"route": name, "owner": owner}


def ticket(player: str, name: str) -> tuple[str, Mapping[str, Any]]:
    return "add-ticket", {"player": player, "ticket": name}


@dataclass(frozen=True)
class Case:
    """A position, what the referee says of it in English and Italian, and where it is mended."""

    board: str
    acts: Acts
    said: tuple[str, str]
    mend: str | None = None


BEFORE_THE_SHEET = {
    "nobody-ended": Case(
        "usa",
        (route("denver--omaha", "red"),),  # 45 - 4
        (
            "Nobody has 2 wagons or fewer left, which ends the game: the fewest are 41 (Ada).",
            "Nessuno è sceso a 2 vagoni o meno, cosa che chiude la partita: il minimo è 41 (Ada).",
        ),
        "/check/red",
    ),
    "no-routes": Case(
        "usa",
        (ticket("red", "denver--el-paso"),),
        (
            "No route has been entered for anybody.",
            "Nessuno ha ancora una tratta.",
        ),
        "/board",
    ),
    "few-tickets": Case(
        "usa",
        (("set-settings", {"settings": {"fewest-tickets": 2}}), ticket("red", "denver--el-paso")),
        (
            "Tickets entered for Ada: 1, but at least 2 must be held.",
            "Biglietti inseriti per Ada: 1, ma bisogna averne almeno 2.",
        ),
        "/tickets/red",
    ),
    "ticket-shared": Case(
        "usa",
        (
            ("set-settings", {"settings": {"fewest-tickets": 1}}),
            *[route(name, "red") for name in (*SEVEN, "seattle--vancouver-1")],
            ticket("red", "boston--miami"),
            ticket("blue", "boston--miami"),
        ),
        (
            "The same ticket has been entered for more than one player.",
            "Lo stesso biglietto è stato inserito per più di un giocatore.",
        ),
    ),
    "marker": Case(
        "usa",
        (route("denver--omaha", "red"), ("set-markers", {"markers": {"red": 5}})),  # 4: 7 points
        (
            "Ada's score marker stands at 5, but the board says 7.",
            "Il segnapunti di Ada è a 5, ma dal tabellone risulta 7.",
        ),
        "/markers",
    ),
    "wagons-differ": Case(
        "usa",
        (
            route("denver--omaha", "red"),
            ("count-wagons", {"player": "red", "wagons": 45}),
        ),
        (
            "Wagons left of Ada: 45 by count, 41 by the board.",
            "Vagoni rimasti di Ada: 45 contati, 41 secondo il tabellone.",
        ),
        "/check/red",
    ),
    "passengers": Case(
        "germany",
        (
            route("berlin--leipzig", "red"),
            ("set-passengers", {"player": "red", "passengers": {"green": 3}}),
        ),
        (
            "Passengers of Ada: 3, but the claimed routes (1) bring at most 2.",
            "Passeggeri di Ada: 3, ma le tratte prese (1) ne portano al massimo 2.",
        ),
        "/tickets/red",
    ),
    "no-passengers": Case(
        "germany",
        (route("berlin--leipzig", "red"), route("bremen--hamburg", "black")),
        (
            "No passenger has been entered for Ada and Ben.",
            "Nessun passeggero inserito per Ada e Ben.",
        ),
        "/tickets/red",
    ),
    "no-cards": Case(
        "card-game",
        (
            (
                "add-ticket",
                {
                    "player": "red",
                    "ticket": {"from": "reno", "to": "omaha", "points": 4, "cards": {"red": 1}},
                },
            ),
        ),
        (
            "No card of the On-the-Track pile has been entered for Ada.",
            "Nessuna carta della pila In viaggio inserita per Ada.",
        ),
        "/tickets/red",
    ),
    "flags": Case(
        "paris-by-counts",
        (("set-flags", {"player": "red", "flags": 1}),),
        (
            "Flags of Ada: 1, but the claimed routes allow at most 0.",
            "Bandiere di Ada: 1, ma con le tratte prese se ne possono avere al massimo 0.",
        ),
        "/tickets/red",
    ),
    "buses": Case(
        "paris-by-counts",
        (("set-route-lengths", {"player": "red", "route_lengths": {"3": 4}}),),  # 15 - 12
        (
            "Nobody has 2 buses or fewer left, which ends the game: the fewest are 3 (Ada).",
            "Nessuno è sceso a 2 autobus o meno, cosa che chiude la partita: il minimo è 3 (Ada).",
        ),
        "/check/red",
    ),
}

DURING_PLAY = {
    "last-round": Case(
        "usa",
        (*(route(name, "red") for name in SEVEN), route("denver--santa-fe", "red")),  # 45 - 44
        (
            "Last round, wagons left: Ada (1). Everybody has one more turn; the last one is Ada's.",
            "Ultimo giro, vagoni rimasti: Ada (1). Ognuno ha ancora un turno; l'ultimo è di Ada.",
        ),
    ),
    "too-many-wagons": Case(
        "usa",
        (
            *(route(name, "red") for name in SEVEN),
            route("portland--salt-lake-city", "red"),  # 48
        ),
        (
            "Ada has 48 wagons on the board; the set has 45.",
            "Ada ha 48 vagoni sul tabellone; la scatola ne ha 45.",
        ),
    ),
    "double-held": Case(
        "usa",
        (route("dallas--houston-1", "red"), route("dallas--houston-2", "blue")),
        (
            "With 2 players only one line of a double is open, but Ada and Ben hold"
            " Dallas – Houston (1) and Dallas – Houston (2).",
            "In 2 giocatori è aperta una sola linea di una tratta doppia, ma Ada e Ben hanno"
            " Dallas – Houston (1) e Dallas – Houston (2).",
        ),
    ),
    "crossing-built-over": Case(
        "france",
        (route("angers--rennes", "red"), route("le-mans--lorient", "blue")),
        (
            "Angers – Rennes and Le Mans – Lorient cross each other, so only one of them can be"
            " built (Ada and Ben).",
            "Angers – Rennes e Le Mans – Lorient si incrociano, quindi se ne può costruire una sola"
            " (Ada e Ben).",
        ),
    ),
}

WAVED = {"en": "Finished all the same, although:", "it": "Chiuso lo stesso, anche se:"}
TOLD_WITH_NAMES = {
    "en": "The ticket Boston – Miami appears more than once (Ada and Ben)",
    "it": "Il biglietto Boston – Miami compare più di una volta (Ada e Ben)",
}
"""What the sheet tells of a ticket in two hands, once the hands are open."""

CLOSED = {
    "double": ("usa", route("dallas--houston-1", "red"), "dallas--houston-2"),
    "crossing": ("france", route("angers--rennes", "red"), "le-mans--lorient"),
    "crossing a track piece": (
        "france",
        ("lay-track", {"route": "angers--rennes"}),
        "le-mans--lorient",
    ),
}


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[[str, Acts], Table]]:
    """Ada (red) and Ben (blue, in Germany black) at a board, after these actions."""
    tables: list[Table] = []

    def new(board: str, acts: Acts) -> Table:
        table = Table(TableConfig(BOARDS, tmp_path))
        tables.append(table)
        other = "black" if board == "germany" else "blue"
        players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": other}]
        table.act("start", {"board": board, "players": players, "camera": False})
        for action, payload in acts:
            table.act(action, payload)
        return table

    yield new
    for table in tables:
        table.close()


def on_screen(page: str) -> str:
    """A page without what only paper shows."""
    return re.sub(r'<section class="print-only".*?</section>', "", page, flags=re.DOTALL)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("name", list(BEFORE_THE_SHEET))
def test_a_remark_before_the_sheet(
    sit: Callable[[str, Acts], Table], name: str, language: str
) -> None:
    case = BEFORE_THE_SHEET[name]
    client = create_app(sit(case.board, case.acts)).test_client()
    read = {"Accept-Language": language}
    said = case.said[("en", "it").index(language)]
    page = client.get("/tickets", headers=read).text
    remarks = re.findall(r'<li>((?:(?!</li>).)*class="who".*?)</li>', page, re.DOTALL)
    remark = next(one for one in remarks if said in words(one))
    ways = re.findall(r'class="button" href="(/[^"]*)"', remark)
    assert ways == ([] if case.mend is None else [case.mend])
    assert all(client.get(way, headers=read).status_code == 200 for way in ways)

    finished = client.post("/api/act/finish", data={}, headers={"Accept": "text/html"})
    assert finished.status_code == 303
    sheet = words(on_screen(client.get("/sheet", headers=read).text))
    waved = WAVED[language]
    if name == "ticket-shared":
        assert sheet.count(TOLD_WITH_NAMES[language]) == 1
        assert waved not in sheet, "once is enough"
    else:
        assert said in sheet.partition(waved)[2]


@pytest.mark.parametrize(
    ("language", "cities"),
    [
        ("en", "Seattle, Los Angeles, Chicago, Dallas, New York and Miami"),
        ("it", "Seattle, Los Angeles, Chicago, Dallas, New York e Miami"),
    ],
)
def test_missing_big_cities_are_told_once_on_the_sheet(
    sit: Callable[[str, Acts], Table], language: str, cities: str
) -> None:
    held = {"from": "chicago", "to": "miami", "points": 5, "completed": True}
    acts = [("add-ticket", {"player": colour, "ticket": held}) for colour in ("red", "blue")]
    table = sit("card-game", (*acts, ("finish", {})))
    read = {"Accept-Language": language}
    sheet = words(on_screen(create_app(table).test_client().get("/sheet", headers=read).text))
    assert sheet.count(cities) == 1
    assert sheet.count("Los Angeles") == 1


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("name", list(DURING_PLAY))
def test_a_remark_during_play(sit: Callable[[str, Acts], Table], name: str, language: str) -> None:
    case = DURING_PLAY[name]
    client = create_app(sit(case.board, case.acts)).test_client()
    read = {"Accept-Language": language}
    said = case.said[("en", "it").index(language)]
    assert said in words(client.get("/board", headers=read).text)
    client.post("/api/act/finish", data={}, headers={"Accept": "text/html"})
    if name != "last-round":  # which is in order
        assert said in words(client.get("/sheet", headers=read).text)


@pytest.mark.parametrize("name", list(CLOSED))
def test_a_line_that_is_closed_now_says_so_where_it_is_claimed(
    sit: Callable[[str, Acts], Table], name: str
) -> None:
    board, claimed, closed = CLOSED[name]
    client = create_app(sit(board, (claimed,))).test_client()
    page = words(client.get(f"/route/{closed}").text)
    assert "is closed now" in page
    assert "as the camera read it" not in page, "there is no camera"
    assert client.get("/board").text.count('class="barred"') > 0


def test_the_names_of_the_last_evening_are_offered_for_the_next(
    sit: Callable[[str, Acts], Table],
) -> None:
    table = sit("usa", (route("denver--omaha", "red"), ("finish", {}), ("new-game", {})))
    page = create_app(table).test_client().get("/start?board=usa&names=last").text
    fields = dict(re.findall(r'<input name="name-(\w+)" value="([^"]*)"', page))
    assert {colour: name for colour, name in fields.items() if name} == {
        "red": "Ada",
        "blue": "Ben",
    }


@pytest.mark.parametrize(
    ("language", "clear", "to_check"),
    [
        ("en", "Everything on the board is clear.", "But there is something else to check"),
        ("it", "Sul tabellone è tutto chiaro.", "Ma c'è altro da controllare"),
    ],
)
def test_no_board_is_called_clear_while_a_rule_is_broken_on_it(
    sit: Callable[[str, Acts], Table], language: str, clear: str, to_check: str
) -> None:
    """Ada holds both lines of a double: no question of the camera is open, but she cannot."""
    both = [route(f"dallas--houston-{line}", "red") for line in (1, 2)]
    table = sit("usa", (*both, ("show", {"phase": "doubts"})))
    client, read = create_app(table).test_client(), {"Accept-Language": language}
    page = words(client.get("/doubts", headers=read).text)
    assert to_check in page
    assert clear not in page
    table.act("correct-route", {"route": "dallas--houston-2", "owner": None})
    page = words(client.get("/doubts", headers=read).text)
    assert clear in page
    assert to_check not in page
