"""The one port for every camera: a frame, what a camera does, and the specification of one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.preview import preview_of
from hardware.errors import BadPictureError, EndOfRecordingError, HardwareError

DEFAULT_FPS = 2.0
"""Default speed of a replayed folder, in frames a second."""


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
        """What is wrong with the pictures although they arrive; None if nothing is."""
        ...

    def read(self) -> Frame:
        """The next frame; waits for it.

        Raises CameraError if none comes, EndOfRecordingError after a recording's last frame.
        """
        ...

    def read_preview(self) -> Frame:
        """The next frame, for watching: as `read`, but a large one may come reduced."""
        ...

    def renew_locks(self) -> None:
        """Set exposure, colours and focus for the present light, where the camera holds them.

        Raises CameraError if the camera fails.
        """
        ...

    def close(self) -> None:
        """Release the device; may be called twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


class ClosesItself:
    """Base of the cameras: a context manager that closes them, no warning, reduced previews."""

    def read(self) -> Frame:
        raise NotImplementedError

    def read_preview(self) -> Frame:
        frame = self.read()
        return replace(frame, image_bgr=preview_of(frame.image_bgr))

    @property
    def warning(self) -> HardwareError | None:
        return None

    def renew_locks(self) -> None:
        """Nothing is held."""

    def close(self) -> None:
        """Release the device."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """A camera: its kind, and `where` its file, folder, device or address is.

    Kinds are "still", "replay", "video", "v4l2", "pi", "net" (a stream in the network) and "auto"
    (the first that this machine has).
    """

    kind: str
    where: str = ""

    @property
    def is_live(self) -> bool:
        """Whether there is a device behind it, which can hang or vanish."""
        return self.kind in ("v4l2", "pi", "net", "auto")

    def __str__(self) -> str:
        if self.kind == "net":
            return self.where
        return f"{self.kind}:{self.where}" if self.where else self.kind


def without_password(url: str) -> str:
    """The address as it may be shown."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:  # an address of IPv6
        host = f"[{host}]"
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}"


def good_frames(camera: Camera, left_out: Callable[[BadPictureError], None]) -> Iterator[Frame]:
    """Every frame until the recording ends (a live camera never does).

    Files that are no pictures are reported to `left_out` and skipped. Raises BadPictureError if
    the recording holds nothing else, CameraError if the camera fails.
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
