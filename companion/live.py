"""The camera beside the table: frames come in on a thread of their own, and trouble stays there.

A camera may hang, vanish and come back; whoever asks for its status or its latest frame gets an
answer at once.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from hardware.cameras import Camera, Frame
from hardware.errors import CameraError, HardwareError

PATIENCE_S = 12.0
"""Silence after which a camera counts as hung: twice what a single frame may take."""

INTERVAL_S = 0.3
"""Least time between two frames: a claim is seen within two seconds, and a Pi stays cool."""

RETRY_S = 3.0
"""Pause before a lost camera is tried again."""

OpenCamera = Callable[[], Camera]


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """`status` is "starting", "ready" or "lost"; `trouble` says what is wrong when lost."""

    status: str
    trouble: HardwareError | None = None


class CameraFeed:
    """Keeps the latest frame of a camera that it opens, reopens and gives up on by itself.

    `on_change` is called when the status changes, `on_frame` for every frame, both on the feed's
    own thread. Times are seconds of a monotonic clock.
    """

    def __init__(
        self,
        open_camera: OpenCamera,
        on_change: Callable[[], None] = lambda: None,
        on_frame: Callable[[Frame], None] = lambda frame: None,
        patience_s: float = PATIENCE_S,
        retry_s: float = RETRY_S,
        interval_s: float = INTERVAL_S,
    ) -> None:
        self._open_camera = open_camera
        self._on_change = on_change
        self._on_frame = on_frame
        self._patience_s = patience_s
        self._retry_s = retry_s
        self._interval_s = interval_s
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._status = FeedStatus("starting")
        self._frame: Frame | None = None
        self._frames_seen = 0
        self._heartbeat_s = 0.0
        self._worker = 0

    def start(
        self,
        on_change: Callable[[], None] | None = None,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        """Begin to look; the callbacks may be given here as well."""
        self._on_change = on_change or self._on_change
        self._on_frame = on_frame or self._on_frame
        self._start_worker()
        threading.Thread(target=self._supervise, name="camera-watch", daemon=True).start()

    def stop(self) -> None:
        """Let go of the camera soon; does not wait for one that hangs."""
        self._stop.set()
        with self._news:
            self._news.notify_all()

    @property
    def status(self) -> FeedStatus:
        """How the camera is now."""
        with self._news:
            return self._status

    def fresh(self, timeout_s: float) -> Frame:
        """The next frame to come in from now on; raises CameraError if none comes in time."""
        with self._news:
            seen = self._frames_seen
            came = self._news.wait_for(
                lambda: self._frames_seen > seen or self._stop.is_set(), timeout_s
            )
            if came and self._frame is not None and self._frames_seen > seen:
                return self._frame
            raise _as_camera_error(self._status.trouble)

    def _start_worker(self) -> None:
        with self._news:
            self._worker += 1
            number = self._worker
            self._heartbeat_s = time.monotonic()
        threading.Thread(
            target=self._work, args=(number,), name=f"camera-{number}", daemon=True
        ).start()

    def _work(self, number: int) -> None:
        """Open, read and open again until stopped, or until another worker took over."""
        while self._is_current(number):
            try:
                with self._open_camera() as camera:
                    self._read_on(camera, number)
            except HardwareError as error:
                if self._is_current(number):
                    self._set_status(FeedStatus("lost", error))
            self._beat(number)
            self._stop.wait(self._retry_s)

    def _read_on(self, camera: Camera, number: int) -> None:
        while self._is_current(number):
            start_s = time.monotonic()
            frame = camera.read()
            if not self._is_current(number):
                return
            self._take(frame)
            self._on_frame(frame)
            self._stop.wait(max(0.0, start_s + self._interval_s - time.monotonic()))

    def _take(self, frame: Frame) -> None:
        with self._news:
            self._frame = frame
            self._frames_seen += 1
            self._heartbeat_s = time.monotonic()
            self._news.notify_all()
        self._set_status(FeedStatus("ready"))

    def _supervise(self) -> None:
        """A worker without a heartbeat is left behind and another one takes its place."""
        while not self._stop.wait(self._patience_s / 4):
            with self._news:
                silent = time.monotonic() - self._heartbeat_s > self._patience_s
            if silent:
                self._set_status(
                    FeedStatus("lost", CameraError("companion.camera.silent", s=self._patience_s))
                )
                self._start_worker()

    def _is_current(self, number: int) -> bool:
        return number == self._worker and not self._stop.is_set()

    def _beat(self, number: int) -> None:
        with self._news:
            if number == self._worker:
                self._heartbeat_s = time.monotonic()

    def _set_status(self, status: FeedStatus) -> None:
        with self._news:
            changed = (status.status, str(status.trouble)) != (
                self._status.status,
                str(self._status.trouble),
            )
            self._status = status
        if changed:
            self._on_change()


def _as_camera_error(trouble: HardwareError | None) -> CameraError:
    if trouble is None:
        return CameraError("companion.camera.no-frame")
    return CameraError(trouble.key, **trouble.values)
