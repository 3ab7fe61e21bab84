"""A USB camera (or any other that Linux shows as /dev/videoN) through OpenCV."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import ClosesItself, Frame
from hardware.cameras.jpeg import MOTION_JPEG, picture_of
from hardware.cameras.light_drift import brightness
from hardware.errors import CameraError

SIZE_PX = (3840, 2160)
"""Asked of the device as (width, height): it answers with the nearest it has."""

SETTLE_FRAMES = 30
"""Most frames to wait until the automatic exposure stops moving."""

STEADY = 0.02
"""Change of brightness between two frames below which the exposure has settled."""

QUEUED_FRAMES = 4
"""Frames that the kernel may hold back from before; grabbed and dropped, since they are old."""

HELD = 0.15
"""Change of brightness beyond which a lock has spoiled the picture: some devices fall back to what
was set by hand long ago."""

MANUAL_EXPOSURE, AUTOMATIC_EXPOSURE = 1.0, 3.0
"""V4L2's numbers for both."""

ON, OFF = 1.0, 0.0

CONTROLS = (
    ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
    ("white balance", cv2.CAP_PROP_AUTO_WB, OFF, cv2.CAP_PROP_WB_TEMPERATURE),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, OFF, cv2.CAP_PROP_FOCUS),
)
"""What is held: what makes it automatic, that by hand, and its value."""


class V4l2Camera(ClosesItself):
    """The device at a path such as /dev/video0; raises CameraError where it cannot be used.

    Exposure, white balance and focus are held where the device can; `not_held` names those that it
    has and does not hold.
    """

    def __init__(self, device: str, open_capture: Callable[[str], Any] | None = None) -> None:
        self.device = device
        self.not_held: tuple[str, ...] = ()
        if open_capture is None:
            _check_device(Path(device))
        self._capture = (open_capture or _open)(device)
        if not self._capture.isOpened():
            raise CameraError("hardware.camera.busy", device=device)
        self._configure()
        self._start_s = time.monotonic()
        try:
            self.renew_locks()
        except CameraError:
            self.close()
            raise

    @property
    def name(self) -> str:
        return self.device

    @property
    def warning(self) -> CameraError | None:
        if not self.not_held:
            return None
        return CameraError("hardware.camera.not-held", device=self.device)

    def read(self) -> Frame:
        return self._frame(whole=True)

    def read_preview(self) -> Frame:
        return self._frame(whole=False)

    def renew_locks(self) -> None:
        """At the opening too: a device keeps what was held until its plug is pulled."""
        self._let_loose()
        self._lock()

    def close(self) -> None:
        self._capture.release()

    def _frame(self, whole: bool) -> Frame:
        return Frame(self._newest(whole), None, time.monotonic() - self._start_s)

    def _newest(self, whole: bool = False) -> NDArray[np.uint8]:
        for _ in range(QUEUED_FRAMES):
            self._capture.grab()
        done, taken = self._capture.read()
        image = picture_of(np.asarray(taken, np.uint8), whole) if done else None
        if image is None and self._as_sent:
            self._take_decoded()
            return self._newest(whole)
        if image is None:
            raise CameraError("hardware.camera.silent", device=self.device)
        return image

    def _configure(self) -> None:
        """Motion JPEG, since USB carries no raw pictures of this size; no queue of old frames."""
        self._capture.set(cv2.CAP_PROP_FOURCC, MOTION_JPEG)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._as_sent = int(self._capture.get(cv2.CAP_PROP_FOURCC)) == MOTION_JPEG
        if self._as_sent:  # decoded here, for watching at its size
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, OFF)

    def _take_decoded(self) -> None:
        """What the device sends is no JPEG, whatever it says: OpenCV may know what it is."""
        self._as_sent = False
        self._capture.set(cv2.CAP_PROP_CONVERT_RGB, ON)

    def _lock(self) -> None:
        """Hold what has settled, each with the value that it has now."""
        before = self._settled()
        self.not_held = tuple(name for name, hold in self._locks() if not hold())
        after = brightness(self._newest())
        if abs(after - before) > HELD * before:
            self._let_loose()
            self.not_held = (*self.not_held, "exposure")

    def _settled(self) -> float:
        """The brightness once two frames agree, or after `SETTLE_FRAMES`."""
        before = brightness(self._newest())
        for _ in range(SETTLE_FRAMES // (QUEUED_FRAMES + 1)):
            now = brightness(self._newest())
            if abs(now - before) <= STEADY * before:
                break
            before = now
        return now

    def _locks(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """What this device has, and what holds it and says whether the device shows it held."""
        for name, automatic, by_hand, value in CONTROLS:
            if self._capture.get(automatic) > 0:  # OpenCV says -1 or 0 of controls it has not
                yield name, partial(self._hold, automatic, by_hand, value)

    def _hold(self, automatic: int, by_hand: float, value: int) -> bool:
        present = self._capture.get(value)
        self._capture.set(automatic, by_hand)
        self._capture.set(value, present)
        return bool(self._capture.get(automatic) == by_hand)

    def _let_loose(self) -> None:
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, ON)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, ON)


def _open(device: str) -> Any:
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


def _check_device(path: Path) -> None:
    if not path.exists():
        raise CameraError("hardware.camera.no-device", device=path)
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError("hardware.camera.no-permission", device=path)
