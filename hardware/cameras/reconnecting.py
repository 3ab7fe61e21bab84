"""Opens a camera again that was lost, and lets its frames' times go on."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from hardware.cameras.camera import Camera, Frame
from hardware.errors import HardwareError

RETRY_S = 1.0
"""First pause before a lost camera is tried again; each further one is twice as long."""

LONGEST_RETRY_S = 15.0
"""Longest pause: whoever plugs a camera in again waits no longer for it."""

OpenCamera = Callable[[], Camera]


class Pauses:
    """Pauses between attempts, which grow until one of them succeeds."""

    def __init__(self, first_s: float = RETRY_S) -> None:
        self._first_s = self._next_s = first_s

    def next_s(self) -> float:
        """How long to wait before the next attempt."""
        pause_s = self._next_s
        self._next_s = min(2 * pause_s, max(LONGEST_RETRY_S, self._first_s))
        return pause_s

    def reset(self) -> None:
        """The camera works: the next pause is a short one again."""
        self._next_s = self._first_s


class Timeline:
    """Frames' times that go on where a camera is opened again, which starts at 0 by itself."""

    def __init__(self) -> None:
        self._start_s: float | None = None
        self._offset_s = 0.0

    def begin(self) -> None:
        """The camera was opened, for the first time or again."""
        now_s = time.monotonic()
        if self._start_s is None:
            self._start_s = now_s
        self._offset_s = now_s - self._start_s

    def place(self, frame: Frame) -> Frame:
        """The frame with its time counted from the first opening."""
        return replace(frame, t_s=frame.t_s + self._offset_s)


def lasting_frames(
    open_camera: OpenCamera,
    tell: Callable[[HardwareError | None], None],
    retry_s: float = RETRY_S,
) -> Iterator[Frame]:
    """A device's frames without end: a device that is lost is opened again until it is back.

    `tell` hears why it went, and None when it is back. Raises HardwareError where the camera can't
    be opened the first time.
    """
    timeline = Timeline()
    camera = open_camera()
    while True:
        with camera:
            timeline.begin()
            error = yield from _until_lost(camera, timeline)
        tell(error)
        camera = _open_again(open_camera, str(error), tell, retry_s)


def _until_lost(camera: Camera, timeline: Timeline) -> Generator[Frame, None, HardwareError]:
    """Frames until the camera gives no more; returns why."""
    while True:
        try:
            frame = camera.read()
        except HardwareError as error:
            return error
        yield timeline.place(frame)


def _open_again(
    open_camera: OpenCamera,
    told: str,
    tell: Callable[[HardwareError | None], None],
    retry_s: float,
) -> Camera:
    pauses = Pauses(retry_s)
    while True:
        time.sleep(pauses.next_s())
        try:
            camera = open_camera()
        except HardwareError as error:
            if str(error) != told:
                tell(error)
            told = str(error)
        else:
            tell(None)
            return camera
