"""A recorded video played as a camera."""

import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import BadPictureError, EndOfRecordingError


class VideoCamera(ClosesItself):
    """Pictures of a video, `fps` of each of its seconds; raises BadPictureError if it is none.

    With `live` they keep real time, late ones are left out, and the last one stays.
    """

    def __init__(
        self,
        path: Path,
        fps: float,
        live: bool = False,
    ) -> None:
        self.path = path
        self._capture = cv2.VideoCapture(str(path))
        self._own_fps = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        if not self._capture.isOpened():
            raise BadPictureError("hardware.camera.no-video", path=path)
        self._last_number = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)) - 1
        """Of its pictures, from 0; less where the file does not tell."""
        self._fps, self._live = fps, live
        self._taken = 0
        self._due_s = 0.0
        self._start_s: float | None = None
        self._last: NDArray[np.uint8] | None = None

    @property
    def name(self) -> str:
        return self.path.name

    def read(self) -> Frame:
        if self._live:
            self._keep_time()
        image_bgr = self._picture_at(self._due_s)
        t_s = self._due_s
        self._due_s += 1 / self._fps
        if image_bgr is None:
            if not self._live or self._last is None:
                raise EndOfRecordingError("hardware.camera.end", name=self.name)
            time.sleep(0.5)
            image_bgr = self._last
        self._last = image_bgr
        return Frame(image_bgr, f"{t_s:.1f} s", t_s)

    def close(self) -> None:
        self._capture.release()

    def _keep_time(self) -> None:
        """Wait until a picture is due, and leave out those that are late."""
        if self._start_s is None:
            self._start_s = time.monotonic()
        played_s = time.monotonic() - self._start_s
        if played_s < self._due_s:
            time.sleep(self._due_s - played_s)
        self._due_s = max(self._due_s, played_s)

    def _picture_at(self, t_s: float) -> NDArray[np.uint8] | None:
        """The video's picture at a time, the last one once more where that still stands; None after
        its end."""
        wanted = round(t_s * self._own_fps)
        if self._live and self._last_number > 0:  # who looks away over its end still sees that
            wanted = min(wanted, self._last_number)
        if wanted < self._taken:
            return self._last
        while self._taken < wanted:
            if not self._capture.grab():
                return None
            self._taken += 1
        done, image = self._capture.read()
        self._taken += 1
        return np.asarray(image, np.uint8) if done else None
