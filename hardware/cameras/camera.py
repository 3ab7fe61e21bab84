"""The one port for every camera: what a frame is, what a camera does, and how one is named."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hardware.errors import (
    BadPictureError,
    CameraSpecError,
    EndOfRecordingError,
    HardwareError,
)

DEFAULT_FPS = 2.0
"""Frames a second at which a folder is played where nobody says otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a camera.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR. `name` is the file's name in a
    recording, else None. `t_s` counts seconds from the camera's first frame.
    """

    image_bgr: NDArray[np.uint8]
    name: str | None
    t_s: float


class Camera(Protocol):
    """A source of frames; close it, or use it in a `with`."""

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    @property
    def warning(self) -> HardwareError | None:
        """What to know of the pictures, although they come; None where all is well."""
        ...

    def read(self) -> Frame:
        """The next frame; waits for it.

        Raises CameraError where none comes, EndOfRecordingError after a recording's last frame.
        """
        ...

    def close(self) -> None:
        """Let go of the device; may be called twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class ClosesItself:
    """The context manager that all cameras share, and no warning."""

    @property
    def warning(self) -> HardwareError | None:
        return None

    def close(self) -> None:
        """Let go of the device."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """A camera: `kind` is "still", "replay", "v4l2" or "pi", `where` its file, folder or device."""

    kind: str
    where: str = ""

    @property
    def is_live(self) -> bool:
        """Whether there is a device behind it, which can hang or vanish."""
        return self.kind in ("v4l2", "pi")

    def __str__(self) -> str:
        return f"{self.kind}:{self.where}" if self.where else self.kind


def parse_spec(words: str) -> CameraSpec:
    """The camera that words name: `still:FILE`, `replay:DIR`, `v4l2:0`, `/dev/video0`, `pi`.

    A plain path works too: a folder is replayed, a file is a still picture. Raises
    CameraSpecError where the words have no known form or the file or folder is missing.
    """
    kind, colon, where = words.partition(":")
    if words == "pi":
        return CameraSpec("pi")
    if re.fullmatch(r"/dev/video\d+", words):
        return CameraSpec("v4l2", words)
    if kind == "v4l2" and re.fullmatch(r"\d+", where):
        return CameraSpec("v4l2", f"/dev/video{where}")
    if kind == "v4l2" and where.startswith("/dev/"):
        return CameraSpec("v4l2", where)
    if colon and kind in ("still", "replay"):
        return _existing(CameraSpec(kind, where))
    if _is_folder(words) or _is_file(words):
        return CameraSpec("replay" if _is_folder(words) else "still", words)
    raise CameraSpecError("hardware.camera.unknown-spec", spec=words)


def _existing(spec: CameraSpec) -> CameraSpec:
    if spec.kind == "replay" and not _is_folder(spec.where):
        raise CameraSpecError("hardware.camera.no-folder", path=spec.where)
    if spec.kind == "still" and not _is_file(spec.where):
        raise CameraSpecError("hardware.camera.no-file", path=spec.where)
    return spec


# `Path.is_dir` raises where a name is too long; these say False.
def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113


def open_camera(spec: CameraSpec, fps: float = DEFAULT_FPS, live: bool = False) -> Camera:
    """Open the camera of a spec in this process.

    With `live` a recording keeps real time and rests on its last picture; without it, frames
    come as fast as they are asked for and end. Raises CameraError where there is no such camera.
    """
    # Each driver is imported only when asked for: most machines have only some of them.
    match spec.kind:
        case "still":
            from hardware.cameras.recordings import StillCamera

            return StillCamera(Path(spec.where), rests=live)
        case "replay":
            from hardware.cameras.recordings import ReplayCamera

            return ReplayCamera(Path(spec.where), fps, live)
        case "v4l2":
            from hardware.cameras.v4l2 import V4l2Camera

            return V4l2Camera(spec.where)
        case _:
            from hardware.cameras.pi import PiCamera

            return PiCamera()


def frames(camera: Camera) -> Iterator[Frame]:
    """Every frame until the recording ends (a live camera never does)."""
    while True:
        try:
            frame = camera.read()
        except EndOfRecordingError:
            return
        yield frame


def good_frames(camera: Camera, left_out: Callable[[BadPictureError], None]) -> Iterator[Frame]:
    """Like `frames`, but files that are no pictures are told to `left_out` and passed over.

    Raises BadPictureError where the recording has nothing else.
    """
    waiting: list[BadPictureError] = []
    tell = waiting.append
    while True:
        try:
            frame = camera.read()
        except EndOfRecordingError:
            break
        except BadPictureError as error:
            tell(error)
            continue
        while waiting:
            left_out(waiting.pop(0))
        tell = left_out
        yield frame
    if waiting:
        raise waiting[-1]
