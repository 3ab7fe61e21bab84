"""A camera in the network: RTSP or MJPEG over HTTP, through OpenCV's FFmpeg."""

import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from hardware.cameras.camera import ClosesItself, Frame, without_password
from hardware.errors import CameraError

OPEN_MS = 8_000
"""A camera in the house answers within a second; over bad Wi-Fi within a few."""

READ_MS = 4_000
"""Silence after which the connection counts as broken: a stream has pictures all the time."""

Capture = Callable[[str], Any]


class NetworkCamera(ClosesItself):
    """The stream at an address; raises CameraError where it cannot be had.

    A stream comes whether it is wanted or not, so a thread takes every picture and `read` decodes
    the newest. `name` leaves out a password.
    """

    def __init__(self, url: str, open_capture: Capture | None = None) -> None:
        self._name = without_password(url)
        self._capture = (open_capture or _open)(url)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError("hardware.camera.no-stream", device=self._name)
        self._start_s = time.monotonic()
        self._news = threading.Condition()
        self._taking = threading.Lock()
        self._grabbed = 0
        self._ended = False
        self._thread = threading.Thread(target=self._grab, name="stream", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return self._name

    def read(self) -> Frame:
        with self._news:
            seen = self._grabbed
            self._news.wait_for(lambda: self._grabbed > seen or self._ended, READ_MS / 1000)
            came = self._grabbed > seen and not self._ended
        with self._taking:
            done, image = self._capture.retrieve() if came else (False, None)
        if not done or image is None:
            raise CameraError("hardware.camera.stream-ended", device=self._name)
        return Frame(np.asarray(image, np.uint8), None, time.monotonic() - self._start_s)

    def close(self) -> None:
        with self._news:
            self._ended = True
            self._news.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(READ_MS / 1000)
        self._capture.release()

    def _grab(self) -> None:
        """Take every picture of the stream, undecoded, until it ends."""
        while not self._ended:
            with self._taking:
                grabbed = self._capture.grab()
            with self._news:
                self._ended = self._ended or not grabbed
                self._grabbed += grabbed
                self._news.notify_all()


def _open(url: str) -> Any:
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        OPEN_MS,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        READ_MS,
    ]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
