"""However the program ends, it ends with its exit code."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import pytest

from companion.cli.letting_in import access_to_table
from companion.cli.main import main
from companion.cli.troubles import TroubleReporter
from companion.doctor.hardware_notes import HardwareNotes
from companion.log.store import LOG_NAME, EventStore
from companion.server.let_in_file import open_let_in_file
from companion.session.events import TicketAdded
from hardware.errors import CameraError
from tests.companion.tables import new_table
from tests.support.disk_room import room_for
from web.access.club import Club
from web.app import create_app

GERMANY = str(Path(__file__).parents[3] / "scoring/board/data/germany.json")

NATIVE_THREADS = """
import sys, threading
import cv2, numpy as np
def blur():
    image = np.zeros((300, 300), np.uint8)
    while True:
        cv2.GaussianBlur(image, (5, 5), 1)
for _ in range(4):
    threading.Thread(target=blur, daemon=True).start()
sys.argv = ["companion", *sys.argv[1:]]
from companion.cli.main import entry
entry()
"""


ALGEBRA = """
import os, sys
from contextlib import suppress
from companion.cli.main import entry
sys.argv = ["companion", "--version"]
with suppress(SystemExit):
    entry()
import numpy as np
np.ones((600, 600)) @ np.ones((600, 600))
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.parametrize(("words", "code"), [(["boards"], 0), (["score", "no-such-file"], 2)])
def test_threads_in_native_code_do_not_abort_the_program(words: list[str], code: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", NATIVE_THREADS, *words],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert ended.stdout if code == 0 else ended.stderr


def test_no_other_core_waits_busily_for_small_sums() -> None:
    """Threads of the algebra cost a quarter more processor time, and won none."""
    surroundings = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    ended = subprocess.run(
        [sys.executable, "-c", ALGEBRA],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        env=surroundings,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == "1"


def test_a_full_disk_under_what_is_printed_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["boards"]) == 2
    assert re.fullmatch(r"companion boards: the disk is full .*\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["log", "export", "--data", "{data}", "--out"], "evening.json"),
        (["wiring", "--svg"], "wiring.svg"),
        (["calibrate", "--print-markers"], "markers.pdf"),
        (["boards", "check", GERMANY, "--picture"], "germany.png"),
    ],
)
def test_a_full_disk_leaves_the_file_whole_that_a_command_wrote_before(
    words: list[str], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with EventStore(tmp_path / LOG_NAME) as store:
        for number in range(30):
            store.append(TicketAdded("red", f"ticket-{number}"))
    out = tmp_path / name
    command = [word.format(data=tmp_path) for word in words]
    assert main([*command, str(out)]) == 0
    whole = out.read_bytes()
    assert len(whole) > 1000
    capsys.readouterr()
    with room_for(1000):
        assert main([*command, str(out)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert out.read_bytes() == whole


def test_a_pipe_or_a_link_that_a_command_writes_to_stays_one(tmp_path: Path) -> None:
    drawing = tmp_path / "drawing.svg"
    link = tmp_path / "link.svg"
    link.symlink_to(drawing)
    assert main(["wiring", "--svg", str(link)]) == 0
    assert link.is_symlink()
    assert drawing.read_text("utf-8").endswith("</svg>\n")
    assert main(["wiring", "--svg", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [("no-such-file >&- 2>&-", 2, ""), ("- <&-", 3, "stdin is not a complete JSON document")],
)
def test_a_program_whose_streams_are_closed_still_ends_with_its_code(
    words: str, code: int, said: str
) -> None:
    program = "from companion.cli.main import entry; entry()"
    quoted = f"{sys.executable} -c '{program}' score {words}"
    root = Path(__file__).parents[3]
    ended = subprocess.run(
        quoted, shell=True, cwd=root, check=False, stderr=subprocess.PIPE, text=True
    )
    assert ended.returncode == code
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("words", ["--help", "--version", "scan --help", "boards"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_nobody_reads_on_is_no_fault(words: str, unbuffered: str) -> None:
    """As in `companion boards | head -1`, whose reader may be gone before a word is printed."""
    read, write = os.pipe()
    os.close(read)
    ended = _run_program(words, write, unbuffered)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("words", ["--help", "--version", "scan --help", "boards"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_and_version_too_tell_a_full_disk_in_one_sentence(words: str, unbuffered: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = _run_program(words, full.fileno(), unbuffered)
    assert ended.returncode == 2
    assert re.fullmatch(r"companion( \w+)?: the disk is full .*\n", ended.stderr)


def test_a_wrong_use_keeps_its_code_where_its_sentence_finds_no_room() -> None:
    program = "from companion.cli.main import entry; entry()"
    ended = subprocess.run(
        f"{sys.executable} -c '{program}' no-such-command 2>/dev/full",
        shell=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        check=False,
    )
    assert ended.returncode == 2


def _run_program(words: str, stdout: int, unbuffered: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from companion.cli.main import entry; entry()", *words.split()],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "COMPANION_LANGUAGE": "en"},
        check=False,
    )


def test_a_document_is_utf_8_also_where_the_terminal_has_fewer_letters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """JSON is. In Latin-1 José was another byte, and the heart a question mark."""
    game = tmp_path / "game.json"
    players = [{"name": name, "routes": []} for name in ("José", "Ada \N{WHITE HEART SUIT}")]
    game.write_text(json.dumps({"game": "usa", "players": players}), "utf-8")
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding="latin-1"))
    assert main(["score", str(game), "--json"]) == 0
    sheet = json.loads(printed.getvalue().decode("utf-8"))
    assert [player["name"] for player in sheet["players"]] == ["José", "Ada \N{WHITE HEART SUIT}"]


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code in (None, 0)
    assert re.fullmatch(r"companion \d+\.\d+\S*\n", capsys.readouterr().out)


def test_a_wrong_use_keeps_its_code_where_nobody_reads_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closed_pipe() as closed:
        monkeypatch.setattr(sys, "stderr", closed)
        assert main(["score", "no-such-file"]) == 2


def test_a_closed_terminal_lets_the_host_in_and_the_camera_s_trouble_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = access_to_table(
        open_let_in_file(tmp_path), is_club=True, language="en", tell_unsaved=lambda trouble: None
    )
    table = new_table(tmp_path)
    panel = create_app(table, access=access).test_client()
    assert isinstance(access, Club)
    with closed_pipe() as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        monkeypatch.setattr(sys, "stderr", closed)
        TroubleReporter(tmp_path, "en")("camera", CameraError("companion.camera.no-frame"))
        answer = panel.post("/join/host", data={"pin": access.pin.pin})
    assert (answer.status_code, answer.location) == (303, "/club")
    assert [one.part for one in HardwareNotes(tmp_path).read()] == ["camera"]


@contextmanager
def closed_pipe() -> Iterator[TextIO]:
    """An output whose reader is gone, as after `companion serve | head -1`."""
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w", encoding="utf-8")
    yield stream
    with suppress(BrokenPipeError):
        stream.close()
