"""A camera in the network: RTSP or MJPEG over HTTP, through OpenCV's FFmpeg."""

import threading
import time
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import ClosesItself, Frame, without_password
from hardware.cameras.jpeg import MOTION_JPEG, picture_of
from hardware.errors import CameraError

OPEN_MS = 8_000
"""A camera in the house answers within a second; over bad Wi-Fi within a few."""

READ_MS = 4_000
"""Silence after which the connection counts as broken: a stream has pictures all the time."""

FROZEN_S = 3.0
"""One JPEG again and again for so long is a camera that has stopped, as phones' apps do in the
background: any two pictures that a sensor takes differ. A slow one's are repeated for a second."""


class NetworkCamera(ClosesItself):
    """The stream at an address; raises CameraError where it cannot be had.

    A stream comes whether it is wanted or not, so a thread takes every picture and `read` gives
    the newest. Of a stream of JPEGs only those are decoded that somebody reads. `name` leaves out
    a password.
    """

    def __init__(self, url: str) -> None:
        self._name = without_password(url)
        self._capture = _open(url)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError("hardware.camera.no-stream", device=self._name)
        self._start_s = time.monotonic()
        self._moves = _Movement(self._start_s)
        self._news = threading.Condition()
        self._wanted = False
        self._handed: list[NDArray[np.uint8]] = []
        self._ended = False
        self._thread = threading.Thread(target=self._grab, name="stream", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return self._name

    def read(self) -> Frame:
        return self._frame(whole=True)

    def read_preview(self) -> Frame:
        return self._frame(whole=False)

    def _frame(self, whole: bool) -> Frame:
        deadline_s = time.monotonic() + READ_MS / 1000
        while (taken := self._next(deadline_s)) is not None:
            if not self._moves.is_live(taken, time.monotonic()):
                if self._moves.still_s(time.monotonic()) > FROZEN_S:
                    raise CameraError("hardware.camera.frozen", device=self._name)
                continue
            image = picture_of(taken, whole)
            if image is not None:
                return Frame(image, None, time.monotonic() - self._start_s)
        raise CameraError("hardware.camera.stream-ended", device=self._name)

    def _next(self, deadline_s: float) -> NDArray[np.uint8] | None:
        """What the stream brings next; None where it has ended or brings nothing in time."""
        with self._news:
            self._wanted = True
            patience_s = deadline_s - time.monotonic()
            self._news.wait_for(lambda: self._handed or self._ended, patience_s)
            taken = self._handed.pop() if self._handed else None
            self._handed.clear()
            self._wanted = False
            return taken

    def close(self) -> None:
        with self._news:
            self._ended = True
            self._news.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(READ_MS / 1000)
        self._capture.release()

    def _grab(self) -> None:
        """Take every picture of the stream until it ends, and hand over what is wanted."""
        while not self._ended:
            grabbed = self._capture.grab()
            if not grabbed or self._wanted:
                done, taken = self._capture.retrieve() if grabbed else (False, None)
                with self._news:
                    self._ended = self._ended or not grabbed
                    self._handed = [np.asarray(taken, np.uint8)] if done else []
                    self._news.notify_all()


class _Movement:
    """Whether JPEGs of a stream still show what is so. Decoded pictures are not looked at: films
    of a still scene repeat them to the bit."""

    def __init__(self, start_s: float) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._changed_s = start_s
        self._has_changed = False

    def is_live(self, taken: NDArray[np.uint8], now_s: float) -> bool:
        """Whether another picture than this one came before, and not long ago."""
        if taken.ndim == 3 and taken.shape[2] == 3:
            return True
        if self._last is None or not np.array_equal(self._last, taken):
            self._has_changed = self._last is not None
            self._last, self._changed_s = taken, now_s
        return self._has_changed and self.still_s(now_s) <= FROZEN_S

    def still_s(self, now_s: float) -> float:
        """For how long it has been the same picture."""
        return now_s - self._changed_s


def _open(url: str) -> Any:
    """The stream: a web camera's JPEGs as they come, any other decoded by FFmpeg."""
    if url.startswith("http"):
        as_sent = _capture(url, cv2.CAP_PROP_FORMAT, -1)
        if not as_sent.isOpened() or int(as_sent.get(cv2.CAP_PROP_FOURCC)) == MOTION_JPEG:
            return as_sent
        as_sent.release()
    return _capture(url)


def _capture(url: str, *more: int) -> Any:
    limits = (
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        OPEN_MS,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        READ_MS,
    )
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, (*limits, *more))
