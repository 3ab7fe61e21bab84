"""`companion watch` on a device that is pulled out and put back, and on a damaged video."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.cli.commands import watch
from companion.cli.main import main
from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import CameraError
from tests.support.cameras import no_camera

BLACK = np.zeros((600, 800, 3), np.uint8)


class Unplugged(ClosesItself):
    """Gives one dark frame, then ends as it is told to."""

    name = "/dev/video0"

    def __init__(self, end: BaseException) -> None:
        self.ends: list[BaseException | None] = [None, end]

    def read(self) -> Frame:
        end = self.ends.pop(0)
        if end is not None:
            raise end
        return Frame(BLACK, None, 0.0)


def devices(monkeypatch: pytest.MonkeyPatch, *found: Callable[[], ClosesItself]) -> None:
    """What each attempt to open the device finds."""
    waiting = list(found)
    monkeypatch.setattr(watch, "open_apart", lambda spec, fps, live: waiting.pop(0)())
    monkeypatch.setattr("hardware.cameras.reconnecting.time.sleep", lambda seconds: None)


def test_it_says_so_and_waits_until_the_camera_is_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = CameraError("hardware.camera.gone", device="/dev/video0")
    devices(
        monkeypatch,
        lambda: Unplugged(gone),
        no_camera,
        no_camera,
        lambda: Unplugged(KeyboardInterrupt()),
    )
    command = ["watch", "/dev/video0", "--board", "usa", "--json", "--language", "it"]
    assert main(command) == 0, "ended by Ctrl-C alone"
    told = capsys.readouterr()
    assert [json.loads(line)["kind"] for line in told.out.splitlines()] == ["blocked"]
    assert told.err.splitlines() == [
        "companion watch: La telecamera /dev/video0 è sparita. Controlla il cavo.",
        "companion watch: Nessuna telecamera in /dev/video0. Collegala, o guarda con "
        "`companion doctor` che cosa c'è.",
        "companion watch: La telecamera funziona di nuovo.",
    ]


def test_a_device_that_is_not_there_at_all_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    devices(monkeypatch, no_camera)
    assert main(["watch", "/dev/video0", "--board", "usa", "--language", "en"]) == 3
    assert "no camera at /dev/video0" in capsys.readouterr().err


def test_a_damaged_video_is_one_sentence_without_the_decoder_s_own_words(tmp_path: Path) -> None:
    """In a process of its own: a decoder reads once how much it may say."""
    video = tmp_path / "cut.mp4"
    video.write_bytes(bytes.fromhex("0000001c66747970") + b"isom" + bytes(2000))
    words = [sys.executable, "-m", "companion", "watch", "--board", "usa", "--language", "en"]
    ended = subprocess.run([*words, str(video)], check=False, capture_output=True, text=True)
    assert ended.returncode == 3
    assert ended.stderr == f"companion watch: The video {video} cannot be played.\n"
