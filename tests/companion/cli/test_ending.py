"""However the program ends, it ends with its exit code."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import pytest

from companion.cli.commands.serve import _access
from companion.cli.main import main
from companion.cli.troubles import TroubleReporter
from companion.doctor.hardware_notes import HardwareNotes
from companion.server.let_in_file import open_let_in_file
from hardware.errors import CameraError
from tests.companion.tables import new_table
from web.access.club import Club
from web.app import create_app

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


def test_a_full_disk_under_what_is_printed_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["boards"]) == 2
    assert re.fullmatch(r"companion boards: the disk is full .*\n", capsys.readouterr().err)


def test_a_program_without_any_output_still_ends_with_its_code() -> None:
    program = "from companion.cli.main import entry; entry()"
    quoted = f"{sys.executable} -c '{program}' score no-such-file >&- 2>&-"
    ended = subprocess.run(quoted, shell=True, cwd=Path(__file__).parents[3], check=False)
    assert ended.returncode == 2


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
    access = _access(open_let_in_file(tmp_path), is_club=True, language="en")
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
