"""A USB camera (or any other that Linux shows as /dev/videoN) through OpenCV."""

import os
import time
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import CameraError

SIZE_PX = (3840, 2160)
"""Asked of the device as (width, height): it answers with the nearest it has."""

WARM_UP_FRAMES = 5
"""Frames thrown away after opening, while the device finds its exposure."""

QUEUED_FRAMES = 4
"""Frames that the kernel may hold back from before; grabbed and dropped, since they are old."""


class V4l2Camera(ClosesItself):
    """The device at a path such as /dev/video0; raises CameraError where it cannot be used."""

    def __init__(self, device: str) -> None:
        self.device = device
        _check_device(Path(device))
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError("hardware.camera.busy", device=device)
        self._configure()
        self._start_s = time.monotonic()
        for _ in range(WARM_UP_FRAMES):
            self._capture.grab()

    @property
    def name(self) -> str:
        return self.device

    def read(self) -> Frame:
        for _ in range(QUEUED_FRAMES):
            self._capture.grab()
        done, image = self._capture.read()
        if not done or image is None:
            raise CameraError("hardware.camera.silent", device=self.device)
        return Frame(np.asarray(image, np.uint8), None, time.monotonic() - self._start_s)

    def close(self) -> None:
        self._capture.release()

    def _configure(self) -> None:
        """Motion JPEG, since USB carries no raw pictures of this size; no queue of old frames."""
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _check_device(path: Path) -> None:
    if not path.exists():
        raise CameraError("hardware.camera.no-device", device=path)
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError("hardware.camera.no-permission", device=path)
