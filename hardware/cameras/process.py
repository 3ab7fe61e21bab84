"""A camera in a process of its own, which is killed if the driver hangs."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.cameras import system_python
from hardware.cameras.camera import CameraSpec, ClosesItself, Frame, without_password
from hardware.errors import CameraError, EndOfRecordingError, HardwareError
from scoring.language import Message

OPEN_TIMEOUT_S = 30.0
"""A Pi's camera opens and settles in about 4 s, some USB cameras take 14; the rest is for imports
from a slow card."""

FRAME_TIMEOUT_S = 4.0
"""A working camera never needs longer for one frame; V4L2 itself gives up after 10, and a camera
that went away has to be told of within five seconds."""

CHUNK_BYTES = 1 << 20
"""Read at once: a pipe holds no more."""

LARGE_BYTES = str(1 << 20)
CHILD_MEMORY: Mapping[str, str] = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": LARGE_BYTES,
    "MALLOC_TRIM_THRESHOLD_": LARGE_BYTES,
    "OPENBLAS_NUM_THREADS": "1",
}
"""For the C library in the child: a picture's memory goes back to the system with the picture."""


class ProcessCamera(ClosesItself):
    """Any camera, in a child process.

    Raises CameraError if the child reports an error or does not answer in time. `child` is the
    command that runs the camera; only tests pass one.
    """

    def __init__(
        self,
        spec: CameraSpec,
        open_timeout_s: float = OPEN_TIMEOUT_S,
        frame_timeout_s: float = FRAME_TIMEOUT_S,
        child: Sequence[str] | None = None,
    ) -> None:
        self.spec = spec
        self._open_timeout_s = open_timeout_s
        self._frame_timeout_s = frame_timeout_s
        self._waiting = bytearray()
        self._late = "hardware.camera.not-started"
        self._warning: HardwareError | None = None
        command = child or _child_command(spec)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **CHILD_MEMORY},
        )
        try:
            ready = self._header(time.monotonic() + open_timeout_s)
            self._warning = _warning_in(ready)
            self._late = "hardware.camera.hangs"
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        return str(self.spec) if self.spec.kind != "net" else without_password(self.spec.where)

    @property
    def warning(self) -> HardwareError | None:
        return self._warning

    def read(self) -> Frame:
        return self._frame(b"")

    def read_preview(self) -> Frame:
        return self._frame(b"preview")

    def _frame(self, request: bytes) -> Frame:
        deadline_s = time.monotonic() + self._frame_timeout_s
        try:
            self._ask(request)
            header = self._header(deadline_s)
            image_bgr = self._pixels(header["shape"], deadline_s)
        except CameraError:
            self.close()
            raise
        return Frame(image_bgr, header["name"], float(header["t_s"]))

    def renew_locks(self) -> None:
        deadline_s = time.monotonic() + self._open_timeout_s
        try:
            self._ask(b"renew")
            self._warning = _warning_in(self._header(deadline_s))
        except CameraError:
            self.close()
            raise

    def close(self) -> None:
        """Kill the process: a hung driver reacts to nothing else."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                _close_quietly(pipe)

    def _ask(self, request: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def _header(self, deadline_s: float) -> dict[str, Any]:
        while b"\n" not in self._waiting:
            self._fill(deadline_s)
        line, _, rest = bytes(self._waiting).partition(b"\n")
        self._waiting = bytearray(rest)
        header: dict[str, Any] = json.loads(line)
        if header.get("end"):
            raise EndOfRecordingError.saying(Message.from_json(header))
        if "key" in header:
            raise CameraError.saying(Message.from_json(header))
        return header

    def _pixels(self, shape: Sequence[int], deadline_s: float) -> NDArray[np.uint8]:
        """A picture of this shape, received where it stays: a large one is never there twice."""
        image = np.empty(tuple(shape), np.uint8)
        room = image.data.cast("B")
        had = min(len(self._waiting), len(room))
        room[:had] = self._waiting[:had]
        del self._waiting[:had]
        while had < len(room):
            had += self._receive(room[had : had + CHUNK_BYTES], deadline_s)
        return image

    def _fill(self, deadline_s: float) -> None:
        chunk = bytearray(CHUNK_BYTES)
        self._waiting += chunk[: self._receive(memoryview(chunk), deadline_s)]

    def _receive(self, room: memoryview, deadline_s: float) -> int:
        """Take what has come, as much as there is room for; returns how many bytes it was."""
        assert self._process.stdout is not None
        try:
            pipe = self._process.stdout.fileno()
        except ValueError:
            raise self._gone() from None
        wait_s = deadline_s - time.monotonic()
        if wait_s <= 0 or not select.select([pipe], [], [], wait_s)[0]:
            raise CameraError(self._late, device=self.name)
        count = os.readv(pipe, [room])
        if not count:
            raise self._gone()
        return count

    def _gone(self) -> CameraError:
        return CameraError("hardware.camera.gone", device=self.name)


def _child_command(spec: CameraSpec) -> Sequence[str]:
    """The Pi's camera runs under the system's Python if apt's picamera2 is installed there."""
    if spec.kind == "pi" and system_python.has_picamera2():
        return system_python.child_command(str(spec))
    return [sys.executable, "-m", "hardware.cameras.capture_child", str(spec)]


def _warning_in(ready: dict[str, Any]) -> HardwareError | None:
    warning = ready.get("warning")
    return CameraError.saying(Message.from_json(warning)) if warning else None


def _close_quietly(pipe: Any) -> None:
    """Close a pipe. Closing also flushes, which fails if the process has ended; ignored."""
    try:
        pipe.close()
    except OSError:
        return
