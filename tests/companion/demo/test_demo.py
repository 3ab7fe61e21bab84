"""The demo, from the drawing to the sheet, and what it says about itself."""

import contextlib
import io
import json
import re
import resource
import socket
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.cli.demo_report import report
from companion.cli.main import main
from companion.demo.demo import GAME_SEED, PLAYERS, DemoOutcome, Question
from companion.demo.simulated_game import simulate_game
from hardware.console.console import Lamp
from scoring.board.board import load_board
from scoring.sheet.sheet import score_game


@cache
def demo() -> dict[str, Any]:
    """The document of `companion demo --no-serve --json`."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        assert main(["demo", "--no-serve", "--json"]) == 0
    document: dict[str, Any] = json.loads(printed.getvalue())
    return document


def test_where_nothing_can_be_served_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["demo", "--port", str(port)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"port {port} of 127.0.0.1 cannot be used (the address is in use already)" in told.err


def test_an_address_of_another_machine_is_told_before_anything_is_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--host", "192.0.2.1"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "companion demo: nothing can be served at 192.0.2.1"
        " (this computer does not have that address); give another --host\n"
    )


@pytest.mark.parametrize("temporary", ["no-such-folder", "full"])
def test_a_full_disk_is_one_sentence(
    temporary: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "full").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / temporary))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        assert main(["demo", "--no-serve"]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert re.fullmatch(r"companion demo: the disk is full .*\n", capsys.readouterr().err)


def test_what_is_drawn_is_told_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.commands.demo.set_up_table", broken_off)
    assert main(["demo", "--no-serve"]) == 0
    last = capsys.readouterr().out.splitlines()[-2:]
    assert "135 wagons on 41 routes" in last[0]
    assert last[1] == "Photographing and reading it …"


def true_sheet() -> dict[str, Any]:
    """The sheet of the board as it was drawn."""
    board = load_board("usa")
    game = simulate_game(board, PLAYERS, GAME_SEED)
    players = [
        {
            "name": player.name,
            "colour": player.colour,
            "routes": [r.id for r in board.routes if game.owners[r.id] == player.colour],
            "tickets": list(game.tickets[player.colour]),
        }
        for player in PLAYERS
    ]
    return score_game({"game": "usa", "players": players}).to_json()


def test_the_demo_reads_the_board_without_a_silent_error() -> None:
    assert demo()["silent_errors"] == []
    asked_wrong = sum(question["said"] != question["truth"] for question in demo()["asked"])
    routes = demo()["routes"]
    assert routes["right"] + asked_wrong == routes["count"] == 100


def test_the_demos_sheet_is_that_of_the_board_as_it_was_drawn() -> None:
    totals = {player["name"]: player["total"] for player in demo()["sheet"]["players"]}
    assert totals == {player["name"]: player["total"] for player in true_sheet()["players"]}
    assert demo()["sheet"]["winners"] == ["Ada"]


def outcome(questions: tuple[Question, ...], silent: tuple[str, ...]) -> DemoOutcome:
    return DemoOutcome(
        wagons=119,
        claimed=40,
        routes=100,
        right_before_questions=98,
        questions=questions,
        silent=silent,
        sheet=true_sheet(),
        draw_s=4.0,
        look_s=2.5,
        evening_s=0.25,
    )


BLINKING = (Lamp.OFF, Lamp.BLINK, Lamp.OFF)


def test_the_report_says_what_was_asked_and_what_the_table_answered() -> None:
    asked = Question("denver--omaha", None, "red", 2, BLINKING)
    printed = report(outcome((asked,), ()), load_board("usa"), "en")
    assert "98 of 100 routes right" in printed
    assert (
        "Denver – Omaha: it thought nobody, the table says ● red (presses: 2; lamps · ✺ ·)"
        in printed
    )
    assert "No route was read wrongly without a question." in printed
    assert "Ada" in printed


def test_the_report_tells_the_lines_of_a_double_apart() -> None:
    asked = Question("dallas--houston-2", "red", "red", 1, BLINKING)
    printed = report(outcome((asked,), ()), load_board("usa"), "en")
    assert "Dallas – Houston (2): it thought ● red, which is right" in printed


def test_the_report_hides_no_silent_error() -> None:
    printed = report(outcome((), ("denver--omaha",)), load_board("usa"), "en")
    assert "Read wrongly and not asked about (1): Denver – Omaha" in printed


def test_the_report_speaks_italian() -> None:
    printed = report(outcome((), ()), load_board("usa"), "it")
    assert "98 tratte giuste su 100" in printed
    assert "No route" not in printed
