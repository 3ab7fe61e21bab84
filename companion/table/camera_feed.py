"""The camera beside the table: frames come in on a thread of their own, and trouble stays there.

A camera may hang, vanish and come back; whoever asks for its status or its latest frame gets an
answer at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Camera, Frame
from hardware.cameras.light_drift import LightDrift
from hardware.cameras.preview import preview_of
from hardware.cameras.reconnecting import RETRY_S, OpenCamera, Pauses, Timeline
from hardware.errors import BadPictureError, CameraError, HardwareError

PATIENCE_S = 12.0
"""Silence between frames after which a camera counts as hung: three times what a single one may
take, for a camera whose own process does not notice."""

OPEN_PATIENCE_S = 45.0
"""Time after which a camera counts as hung while it is being opened: more than a camera in its own
process is given (`hardware.cameras.process.OPEN_TIMEOUT_S`), which is then ended, so that a second
attempt does not find the device busy with the first."""

READING_PATIENCE_S = 180.0
"""A frame may be read for so long: a slow Pi's half minute over a changed board is no fault of the
camera, and a second worker beside it would make it a whole one."""

INTERVAL_S = 0.3
"""Least time between two frames: a claim is seen within two seconds, and a Pi stays cool."""

PHOTO_TIMEOUT_S = 15.0
"""How long a photo is waited for: a sleeping camera is opened anew within that time."""

FAILURES_TOLD = 3
"""Attempts after which whoever waits for a picture is told why there is none: with the pauses
between them three seconds, in which a camera that was away for a moment is back."""

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Wanted:
    """Somebody waits for the next frame, and finds it here."""

    frame: Frame | None = None
    failures: int = 0
    """How often the camera failed since."""


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """`status` is "starting", "ready" or "lost".

    `trouble` says what is wrong when lost, and what to know of the pictures when ready.
    """

    status: str
    trouble: HardwareError | None = None


class CameraFeed:
    """Hands on the frames of a camera that it opens, reopens and gives up on by itself.

    It keeps none: one of 12 megapixels takes 36 MB, and the next is decoded beside it otherwise.
    Times are seconds of a monotonic clock. `open_patience_s` is for opening the camera,
    `patience_s` for each frame after that. The frames' times go on when it is reopened.
    """

    def __init__(
        self,
        open_camera: OpenCamera,
        patience_s: float = PATIENCE_S,
        retry_s: float = RETRY_S,
        interval_s: float = INTERVAL_S,
        open_patience_s: float = OPEN_PATIENCE_S,
    ) -> None:
        self._open_camera = open_camera
        self._on_change: Callable[[], None] = lambda: None
        self._on_frame: Callable[[Frame], None] = lambda frame: None
        self._frame_patience_s = patience_s
        self._open_patience_s = open_patience_s
        self._patience_s = open_patience_s
        self._timeline = Timeline()
        self._pauses = Pauses(retry_s)
        self._may_renew: Callable[[], bool] = lambda: False
        self._interval_s = interval_s
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._status = FeedStatus("starting")
        self._wanted: list[_Wanted] = []
        self._heartbeat_s = 0.0
        self._worker = 0

    def start(
        self,
        on_change: Callable[[], None] = lambda: None,
        on_frame: Callable[[Frame], None] | None = None,
        may_renew: Callable[[], bool] = lambda: False,
    ) -> None:
        """Begin to look, on a thread of the feed's own.

        There `on_change` is called when the status changes, and `on_frame` for every frame, at the
        size for watching. `may_renew` says whether the camera may set its locks anew when the light
        has changed: pictures before and after differ, so nobody should be playing.
        """
        self._may_renew = may_renew
        self._on_change = on_change
        self._on_frame = on_frame or self._on_frame
        self._start_worker()
        threading.Thread(target=self._supervise, name="camera-watch", daemon=True).start()

    def stop(self) -> None:
        """Release the camera soon; does not wait for one that hangs."""
        self._stop.set()
        with self._news:
            self._news.notify_all()

    @property
    def status(self) -> FeedStatus:
        """How the camera is now."""
        with self._news:
            return self._status

    def photograph(self) -> NDArray[np.uint8]:
        """The next picture to come in, (H, W, 3), BGR; raises CameraError as `fresh`."""
        return self.fresh(PHOTO_TIMEOUT_S).image_bgr

    def fresh(self, timeout_s: float) -> Frame:
        """The next frame to come in from now on; raises CameraError if none comes in time.

        A camera that is lost is tried at once; where it stays away nobody waits for the whole time.
        """
        wanted = _Wanted()
        with self._news:
            self._wanted.append(wanted)
            self._news.notify_all()
            self._news.wait_for(
                lambda: wanted.frame or wanted.failures >= FAILURES_TOLD or self._stop.is_set(),
                timeout_s,
            )
            if wanted.frame is not None:
                return wanted.frame
            self._wanted.remove(wanted)
            lost = self._status.status == "lost"
            raise _as_camera_error(self._status.trouble if lost else None)

    def _start_worker(self) -> None:
        with self._news:
            self._worker += 1
            number = self._worker
            self._heartbeat_s, self._patience_s = time.monotonic(), self._open_patience_s
        threading.Thread(
            target=self._work, args=(number,), name=f"camera-{number}", daemon=True
        ).start()

    def _work(self, number: int) -> None:
        """Open, read and open again until stopped, or until another worker took over."""
        while self._is_current(number):
            try:
                self._open_and_read(number)
            except HardwareError as error:
                self._lose(number, error)
            except Exception as error:
                log.exception("The camera's thread failed.")
                self._lose(number, CameraError("hardware.camera.failed", reason=error))
            self._beat(number, self._open_patience_s)
            self._pause(self._pauses.next_s())

    def _pause(self, pause_s: float) -> None:
        """Before the next attempt; somebody who wants a picture now ends it."""
        with self._news:
            is_called = self._news.wait_for(
                lambda: self._stop.is_set() or any(not one.failures for one in self._wanted),
                pause_s,
            )
        if is_called:
            self._pauses.reset()

    def _open_and_read(self, number: int) -> None:
        self._beat(number, self._open_patience_s)
        with self._open_camera() as camera:
            if not self._is_current(number):  # it was waited for too long: another has begun
                return
            self._beat(number, self._frame_patience_s)
            self._timeline.begin()
            self._read_on(camera, number)

    def _read_on(self, camera: Camera, number: int) -> None:
        drift = LightDrift()
        while self._is_current(number):
            start_s = time.monotonic()
            try:
                self._read_one(camera, number, drift)
            except BadPictureError as error:  # opened anew, a recording would begin again
                self._lose(number, error)
                self._beat(number, self._open_patience_s)
                self._pause(self._pauses.next_s())
            self._stop.wait(max(0.0, start_s + self._interval_s - time.monotonic()))

    def _read_one(self, camera: Camera, number: int, drift: LightDrift) -> None:
        """A frame and all that is done with it; it is gone when the next one is read.

        Whole where somebody waits for it, else a preview.
        """
        with self._news:
            waiting = tuple(self._wanted)
        frame = self._timeline.place(camera.read() if waiting else camera.read_preview())
        if not self._is_current(number):
            return
        self._pauses.reset()
        self._take(frame, camera.warning, waiting)
        if self._is_wanted():  # since then: the next one is for whoever asked, before any reading
            return
        preview = replace(frame, image_bgr=preview_of(frame.image_bgr))
        del frame, waiting
        self._beat(number, READING_PATIENCE_S)
        self._on_frame(preview)
        self._beat(number, self._frame_patience_s)
        if drift.take(preview) and self._may_renew():
            self._beat(number, self._open_patience_s)
            camera.renew_locks()
            self._beat(number, self._frame_patience_s)
            drift.begin()

    def _lose(self, number: int, error: HardwareError) -> None:
        if self._is_current(number):
            self._set_status(FeedStatus("lost", error))
            with self._news:
                for wanted in self._wanted:
                    wanted.failures += 1
                self._news.notify_all()

    def _is_wanted(self) -> bool:
        with self._news:
            return bool(self._wanted)

    def _take(
        self, frame: Frame, warning: HardwareError | None, waiting: Sequence[_Wanted]
    ) -> None:
        with self._news:
            for wanted in waiting:
                wanted.frame = frame
            self._wanted = [one for one in self._wanted if one.frame is None]
            self._heartbeat_s = time.monotonic()
            self._news.notify_all()
        self._set_status(FeedStatus("ready", warning))

    def _supervise(self) -> None:
        """A worker without a heartbeat is left behind and another one takes its place."""
        while not self._stop.wait(self._frame_patience_s / 4):
            with self._news:
                patience_s = self._patience_s
                silent = time.monotonic() - self._heartbeat_s > patience_s
            if silent:
                trouble = CameraError("companion.camera.silent", s=f"{patience_s:g}")
                self._set_status(FeedStatus("lost", trouble))
                try:
                    self._start_worker()
                except RuntimeError:  # the system gives no more threads: tried again
                    log.warning("The camera's thread could not be started.")

    def _is_current(self, number: int) -> bool:
        return number == self._worker and not self._stop.is_set()

    def _beat(self, number: int, patience_s: float) -> None:
        """The worker is alive; what it does next may take `patience_s`."""
        with self._news:
            if number == self._worker:
                self._heartbeat_s, self._patience_s = time.monotonic(), patience_s

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
    return CameraError.saying(trouble)
