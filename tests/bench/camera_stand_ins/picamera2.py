"""As much of picamera2 as the program uses: a buffer with the newest frame, which is copied."""

import os
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FPS = 2.0


class Request:
    """A completed frame."""

    def __init__(self, buffer_bgr: NDArray[np.uint8]) -> None:
        self._buffer_bgr = buffer_bgr

    def make_array(self, name: str) -> NDArray[np.uint8]:
        return self._buffer_bgr.copy()

    def release(self) -> None:
        return


class Picamera2:
    """Shows the pictures of the folder $BENCH_FRAMES, and then stays on the last."""

    def __init__(self) -> None:
        self._paths = sorted(Path(os.environ["BENCH_FRAMES"]).iterdir())
        self._start_s = time.monotonic()
        self._shown = -1

    def create_still_configuration(self, main: dict[str, Any], queue: bool) -> dict[str, Any]:
        return {}

    def configure(self, configuration: dict[str, Any]) -> None:
        return

    def start(self) -> None:
        return

    def set_controls(self, controls: dict[str, Any]) -> None:
        return

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 20_000, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0)}

    def capture_request(self) -> Request:
        time.sleep(1 / FPS)
        due = min(int((time.monotonic() - self._start_s) * FPS), len(self._paths) - 1)
        if due != self._shown:
            self._buffer_bgr = np.asarray(cv2.imread(str(self._paths[due])), np.uint8)
            self._shown = due
        return Request(self._buffer_bgr)

    def close(self) -> None:
        return
