"""`companion serve` as a program: started, asked, stopped, started again."""

import argparse
import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.error import HTTPError

import cv2
import numpy as np
import pytest

from companion.cli import serve_options
from companion.cli.commands import serve
from companion.cli.main import main
from companion.cli.serve_options import ServeOptions, options_of
from companion.doctor.doctor import examine
from companion.doctor.hardware_notes import HardwareNotes
from companion.errors import UnusableInputError, UsageError
from companion.log.store import LOG_NAME, EventStore
from companion.server.let_in_file import FILE_NAME
from tests.support.mosquitto import free_port
from tests.support.waiting import until


@contextmanager
def serving(
    data: Path,
    *options: str,
    killed: bool = False,
    port: str | None = "0",
    told: list[str] | None = None,
    **variables: str,
) -> Iterator[str]:
    """The running program's address; ends with SIGTERM and code 0, or is `killed`.

    `told` gets the lines that it printed to stderr.
    """
    where = [] if port is None else ["--port", port]
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
    program = subprocess.Popen(
        [*command, *where, "--data", str(data), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COMPANION_LANGUAGE": "en", **variables},
        cwd=Path(__file__).parents[3],
    )
    assert program.stdout is not None
    assert program.stderr is not None
    try:
        opened = re.search(r"http://\S+", program.stdout.readline())
        assert opened is not None, program.stderr.read()
        yield opened[0]
    finally:
        program.send_signal(signal.SIGKILL if killed else signal.SIGTERM)
        _, errors = program.communicate(timeout=60)
    assert program.returncode == (-signal.SIGKILL if killed else 0), errors
    assert "Traceback" not in errors
    if told is not None:
        told += errors.splitlines()


def get(address: str) -> Any:
    with urllib.request.urlopen(f"{address}api/state", timeout=30) as answer:
        return json.load(answer)


def test_the_panel_is_there_where_nothing_can_be_printed(tmp_path: Path) -> None:
    """Its output goes into a file on a full disk; without a box it has something to say on both."""
    port = str(free_port())
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        program = subprocess.Popen(
            [*command, "--port", port, "--data", str(tmp_path)],
            stdout=full,
            stderr=full,
            cwd=Path(__file__).parents[3],
        )
    try:
        answer = None
        until = time.monotonic() + 60
        while answer is None and program.poll() is None and time.monotonic() < until:
            with suppress(OSError):
                answer = get(f"http://127.0.0.1:{port}/")
            time.sleep(0.1)
        assert answer is not None
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(timeout=60)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "frames"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.jpg"), np.full((600, 800, 3), 120, np.uint8))
    return folder


def test_the_panel_answers_and_the_game_outlives_the_program(
    tmp_path: Path, recording: Path
) -> None:
    data = tmp_path / "data"
    start = {
        "board": "germany",
        "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}],
    }
    with serving(data, "--board", "germany", "--camera", f"replay:{recording}") as address:
        state = get(address)
        assert state["boards"][0]["id"] == "germany"
        assert state["virtual_box"] is True
        post(address, "start", start)
        assert get(address)["phase"] == "look"
        deadline_s = time.monotonic() + 30
        while get(address)["camera"]["status"] == "starting" and time.monotonic() < deadline_s:
            time.sleep(0.1)
        with urllib.request.urlopen(f"{address}checkup?language=en", timeout=60) as answer:
            assert "The camera at the table gives pictures" in answer.read().decode()
    with serving(data, "--no-hardware") as address:
        state = get(address)
    assert (state["board"], state["phase"]) == ("germany", "look")
    assert [player["name"] for player in state["players"]] == ["Ada", "Ben"]


def test_a_killed_program_comes_back_with_everything_it_had_said_yes_to(tmp_path: Path) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    tickets = ["denver--el-paso", "chicago--atlanta", "los-angeles--calgary"]
    with serving(tmp_path, "--no-hardware", killed=True) as address:
        post(address, "start", {"board": "usa", "players": players})
        post(address, "correct-route", {"route": "denver--omaha", "owner": "red"})
        post(address, "add-ticket", {"player": "red", "ticket": tickets[0]})
    with serving(tmp_path, "--no-hardware", killed=True) as address:
        for ticket in tickets[1:]:
            post(address, "add-ticket", {"player": "red", "ticket": ticket})
    with serving(tmp_path, "--no-hardware") as address:
        state = get(address)
        assert state["routes"]["denver--omaha"]["owner"] == "red"
        assert held(address, "red") == tickets
        post(address, "undo", {})
        assert held(address, "red") == tickets[:2]


@pytest.fixture
def new_box(tmp_path: Path) -> Path:
    """The data folder of a new box, beside a folder with the copy of a table with a game."""
    old, new, copies = tmp_path / "old", tmp_path / "new", tmp_path / "copies"
    for folder in (old, new, copies):
        folder.mkdir()
    with serving(old, "--no-hardware") as address:
        players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
        post(address, "start", {"board": "usa", "players": players})
        post(address, "correct-route", {"route": "denver--omaha", "owner": "red"})
    copy = copies / "companion-old-2026-01-31-2015.zip"
    assert main(["log", "pack", str(copy), "--data", str(old)]) == 0
    (new / "companion.toml").write_text(f'[copies]\nfolder = "{copies}"\n')
    return new


def tap_the_copy(address: str) -> None:
    assert get(address)["phase"] == "start"
    with urllib.request.urlopen(f"{address}restore", timeout=30) as page:
        (key,) = re.findall(r'name="copy" value="([^"]+)"', page.read().decode())
    tap = urllib.request.Request(f"{address}restore", f"copy={key}".encode())
    tap.add_header("Origin", address.rstrip("/"))
    with urllib.request.urlopen(tap, timeout=30) as page:
        assert "The copy is being put on this box." in page.read().decode()


def test_a_copy_that_is_put_on_a_new_box_is_its_table_after_a_new_start(new_box: Path) -> None:
    # On a port that the system chose the panel stays: the browser that tapped waits for it there.
    with serving(new_box, "--no-hardware", port="0") as address:
        tap_the_copy(address)
        until(lambda: phase_if_there(address) == "look")
        assert get(address)["routes"]["denver--omaha"]["owner"] == "red"


def test_a_program_that_is_stopped_before_its_new_start_stays_ended(new_box: Path) -> None:
    with serving(new_box, "--no-hardware") as address:
        tap_the_copy(address)
    with serving(new_box, "--no-hardware") as address:
        assert get(address)["phase"] == "look"


def test_a_service_with_a_copy_ends_and_is_started_by_its_manager(new_box: Path) -> None:
    with serving(new_box, "--no-hardware", NOTIFY_SOCKET=str(new_box / "notify")) as address:
        tap_the_copy(address)
        until(lambda: phase_if_there(address) is None)
        time.sleep(3)
        assert phase_if_there(address) is None
    with serving(new_box, "--no-hardware") as address:
        assert get(address)["phase"] == "look"


def test_a_copy_that_a_start_cannot_take_is_told_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "restore.zip").write_bytes(b"what the card made of it")
    for is_told in (True, False):  # once: the start after it took nothing, and nothing failed
        with serving(tmp_path, "--no-hardware") as address:
            asked = urllib.request.urlopen(f"{address}restore?language=en", timeout=30)
            with asked as page:
                told = "The copy could not be put on this box" in page.read().decode()
                assert told is is_told


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "The box has no room for the copy."),
        (
            UnusableInputError("companion.error.table-there", path="/var/lib/companion"),
            "Something was played or set up on this box already.",
        ),
    ],
)
def test_why_a_copy_could_not_be_taken_is_told_without_the_words_of_a_terminal(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    words: str,
) -> None:
    """On a card without room, and where a game began just before the new start."""
    monkeypatch.setattr(serve, "take_waiting", Mock(side_effect=error))
    monkeypatch.setattr(serve, "_serve", lambda *_: None)
    assert main(["serve", "--data", str(tmp_path), "--no-hardware", "--language", "en"]) == 0
    told = capsys.readouterr().err
    assert words in told
    assert "No space left" not in told
    assert "--data" not in told


def phase_if_there(address: str) -> str | None:
    """The phase of a panel that may be starting anew."""
    with suppress(OSError, HTTPException):
        phase: str = get(address)["phase"]
        return phase
    return None


def held(address: str, player: str) -> list[str]:
    curtain = urllib.request.Request(f"{address}tickets/{player}", b"", method="POST")
    with urllib.request.urlopen(curtain, timeout=30) as page:
        key = re.findall(r'data-hand="([^"]+)"', page.read().decode())[0]
    asked = urllib.request.Request(f"{address}api/tickets/{player}", headers={"X-Hand": key})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return [ticket["ticket"] for ticket in json.load(answer)]


def post(address: str, action: str, payload: dict[str, Any]) -> None:
    request = urllib.request.Request(
        f"{address}api/act/{action}",
        json.dumps(payload).encode(),
        {"Content-Type": "application/json", "Origin": address.rstrip("/")},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


def test_a_clubs_table_is_opened_to_everybody_by_a_word_alone(tmp_path: Path) -> None:
    """A power cut leaves a configuration without its end, of zeros, or none at all."""
    config = tmp_path / "companion.toml"
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    whole = "[serve]\nfps = 2\n[panel]\nclub = true\n"
    for left in (whole, "[serve]\nfps = 2\n", "[serve]\nfps = 2\n[panel]\ncl", "\0" * 40, None):
        config.unlink() if left is None else config.write_text(left)
        with serving(tmp_path, "--no-hardware") as address:
            assert (get(address)["box"] is None) == (left == whole)
            with pytest.raises(HTTPError, match="403") as refused:
                post(address, "start", {"board": "usa", "players": players})
            refused.value.close()  # it holds the answer's socket
    config.write_text("[panel]\nclub = false\n")
    with serving(tmp_path, "--no-hardware") as address:
        assert get(address)["box"] is None
        post(address, "start", {"board": "usa", "players": players})


def test_the_hosts_own_pin_stands_in_the_configuration(tmp_path: Path) -> None:
    """Also where the card is put into a computer: nobody reads the journal of such a box."""
    (tmp_path / "companion.toml").write_text('[panel]\nclub = true\npin = "482913"\n')
    for pin, status in (("482914", 400), ("482913", 200)):
        with serving(tmp_path, "--no-hardware") as address:
            headers = {"Origin": address.rstrip("/"), "Accept": "application/json"}
            asked = urllib.request.Request(f"{address}join/host", f"pin={pin}".encode(), headers)
            with suppress(HTTPError), urllib.request.urlopen(asked, timeout=30) as answer:
                assert (answer.status, json.load(answer)) == (status, {"go": "/club"})
                continue
            assert status == 400


def test_who_was_let_in_and_cannot_be_saved_reaches_panel_and_doctor(tmp_path: Path) -> None:
    """A folder stands where the file is drafted; root may write everywhere else."""
    with serving(tmp_path, "--no-hardware", "--club") as address:
        assert get(address)["notices"] == []
    in_the_way = tmp_path / f"{FILE_NAME}.draft"
    in_the_way.mkdir()
    with serving(tmp_path, "--no-hardware", "--club") as address:
        [notice] = get(address)["notices"]
    assert notice["key"] == "companion.let-in.not-written"
    told = [one.message.text("en") for one in examine(tmp_path, port=0) if one.name == "devices"]
    assert len(told) == 1
    assert "Who has been let in could not be saved" in told[0]
    in_the_way.rmdir()
    with serving(tmp_path, "--no-hardware", "--club") as address:
        assert get(address)["notices"] == []
    assert all(one.name != "devices" for one in examine(tmp_path, port=0))


def test_why_a_camera_does_not_open_reaches_panel_and_doctor(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-hardware", "--camera", "/dev/video98") as address:
        deadline_s = time.monotonic() + 30
        while get(address)["camera"]["status"] == "starting" and time.monotonic() < deadline_s:
            time.sleep(0.1)
        message = get(address)["camera"]["message"]
    assert message["key"] == "hardware.camera.no-device"
    noted = [f.message.text("it") for f in examine(tmp_path) if f.name == "camera"]
    assert "Nessuna telecamera in /dev/video98" in noted[0]


def test_a_broker_that_is_not_there_is_told_and_stops_nothing(tmp_path: Path) -> None:
    nobody = f"mqtt://ada:secret@127.0.0.1:{free_port()}"
    (tmp_path / "companion.toml").write_text(f'[mqtt]\naddress = "{nobody}"\nname = "salon"\n')
    with serving(tmp_path, "--no-hardware") as address:
        players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
        post(address, "start", {"board": "usa", "players": players})
        deadline_s = time.monotonic() + 30
        while not HardwareNotes(tmp_path).read() and time.monotonic() < deadline_s:
            time.sleep(0.05)
        assert get(address)["phase"] == "look"
    past, now = [f.message.text("en") for f in examine(tmp_path) if f.name == "mqtt"]
    assert "cannot be reached (the connection was refused)" in past
    assert "as companion/salon" in now
    assert "secret" not in past + now


def test_a_game_without_a_map_is_offered_first_where_it_is_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-hardware", "--board", "paris") as address:
        offered = [board["id"] for board in get(address)["boards"]]
    assert offered[:2] == ["paris-by-counts", "usa"]
    assert offered.count("paris-by-counts") == 1


def test_a_folder_of_boards_that_cannot_be_read_costs_its_boards_only(tmp_path: Path) -> None:
    (tmp_path / "boards").symlink_to("boards")  # a loop, which not even root can read
    told: list[str] = []
    with serving(tmp_path, "--no-hardware", "--board", "france", told=told) as address:
        offered = [board["id"] for board in get(address)["boards"]]
    assert "boards, which holds boards of your own, cannot be read" in told[0]
    assert offered == ["france", "usa", "germany", "paris-by-counts", "card-game", "any-map"]


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--board", "atlantis"], 2, "unknown board 'atlantis'"),
        (["--camera", "webcam"], 2, "No camera is called webcam"),
        (["--camera", "replay:/no/such"], 2, "no folder /no/such"),
        (["--reference", "empty.jpg"], 2, "need a board: say which board with --board"),
        (["--board", "usa", "--reference", "empty.jpg"], 2, "no file empty.jpg"),
        (["--board", "paris", "--reference", "empty.jpg"], 3, "is not read from photos"),
        (["--host", "192.0.2.1"], 2, "nothing can be served at 192.0.2.1"),
        (["--mqtt", "hub.lan"], 2, "an MQTT address is written mqtt://HOST"),
        (["--fps", "0", "--camera", "replay:."], 2, "--fps must be from"),
    ],
)
def test_wrong_options_are_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    sentence: str,
) -> None:
    assert main(["serve", "--no-hardware", "--data", str(tmp_path), *options]) == code
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 1
    assert sentence in errors[0]


def test_a_data_folder_that_cannot_be_used_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of it was read. A folder stands where the lock belongs; root may write elsewhere."""
    (tmp_path / "evening.lock").mkdir()
    assert main(["serve", "--no-hardware", "--data", str(tmp_path)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "cannot be used" in told
    assert "--data" in told


def test_a_data_folder_in_use_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with EventStore(tmp_path / LOG_NAME):
        assert main(["serve", "--no-hardware", "--data", str(tmp_path)]) == 3
    assert "Another Companion is using" in capsys.readouterr().err


def test_a_service_is_there_with_half_a_configuration_and_a_taken_port(tmp_path: Path) -> None:
    """A Pi with another web server: the panel is elsewhere, the check-up says why."""
    (tmp_path / "companion.toml").write_text('[serve]\nport = 81\ncamera = "au', "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with serving(tmp_path, port=None, COMPANION_PORT=str(taken)) as address:
            assert not address.endswith(f":{taken}/")
            with urllib.request.urlopen(f"{address}checkup?language=en", timeout=60) as answer:
                page = answer.read().decode()
    assert f"the configured port {taken} cannot be had" in page
    assert "companion.toml counts: " in page


def options_with(data: Path, *words: str) -> ServeOptions:
    parser = argparse.ArgumentParser()
    serve.configure(parser)
    return options_of(parser.parse_args(["--data", str(data), "--no-hardware", *words]))


def test_a_configured_address_that_is_not_there_costs_no_panel_and_opens_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """203.0.113.9 is reserved for documentation: no machine has it."""
    monkeypatch.setattr(serve_options, "HOST_WAIT_S", 0.1)
    (tmp_path / "companion.toml").write_text('[serve]\nhost = "203.0.113.9"\n', "utf-8")
    options = options_with(tmp_path, "--language", "en")
    assert (options.host, options.is_club) == ("0.0.0.0", True)
    (trouble,) = options.left_out
    assert "nothing can be served at 203.0.113.9" in trouble.sentence("en")
    with pytest.raises(UsageError, match=r"203\.0\.113\.10"):
        options_with(tmp_path, "--host", "203.0.113.10")


def test_a_configured_address_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the program starts before the network."""
    tries = [UsageError("companion.error.host", host="127.0.0.1", reason="")] * 2

    def require(host: str, port: int | None) -> None:
        if tries:
            raise tries.pop()

    monkeypatch.setattr(serve_options, "HOST_AGAIN_S", 0.01)
    monkeypatch.setattr(serve_options, "require_address", require)
    (tmp_path / "companion.toml").write_text('[serve]\nhost = "127.0.0.1"\n', "utf-8")
    options = options_with(tmp_path)
    assert (options.host, options.is_club, tries) == ("127.0.0.1", False, [])


def test_a_port_that_is_configured_no_longer_is_no_trouble_any_more(tmp_path: Path) -> None:
    trouble = UsageError("companion.error.port-configured", port=81)
    HardwareNotes(tmp_path).note("port", trouble)
    with serving(tmp_path, port=None):
        assert HardwareNotes(tmp_path).read() == []
