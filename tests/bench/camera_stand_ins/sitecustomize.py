"""Python imports this at its start: in a USB camera's process OpenCV gets a stand-in for it."""

import os
import sys
import time
from pathlib import Path
from typing import Any

if sys.orig_argv[-1].startswith("v4l2:"):
    import cv2
    import numpy as np

    FPS = 2.0

    class UsbCamera:
        """Gives JPEGs as they are in a buffer of two bytes a pixel, as OpenCV does.

        They are those of the folder $BENCH_FRAMES; the last one stays.
        """

        def __init__(self, device: str, backend: int) -> None:
            self._paths = sorted(_folder().iterdir())
            height_px, width_px = cv2.imdecode(self._row(0), cv2.IMREAD_REDUCED_COLOR_8).shape[:2]
            self._buffer = np.zeros((1, 8 * height_px * 8 * width_px * 2), np.uint8)
            self._start_s = time.monotonic()

        def _row(self, number: int) -> Any:
            return np.fromfile(self._paths[min(number, len(self._paths) - 1)], np.uint8)

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def set(self, control: int, value: float) -> bool:
            return True

        def get(self, control: int) -> float:
            is_format = control == cv2.CAP_PROP_FOURCC
            return float(cv2.VideoWriter.fourcc(*"MJPG")) if is_format else -1.0

        def grab(self) -> bool:
            return True

        def read(self) -> tuple[bool, Any]:
            time.sleep(1 / FPS)
            row = self._row(int((time.monotonic() - self._start_s) * FPS))
            self._buffer[0, : len(row)] = row
            return True, self._buffer.copy()

        def release(self) -> None:
            return

    def _folder() -> Path:
        return Path(os.environ["BENCH_FRAMES"])

    cv2.VideoCapture = UsbCamera  # type: ignore[assignment,misc]
