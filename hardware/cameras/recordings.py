"""Cameras without a device: a still picture, and a folder of pictures played by name."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import ClosesItself, Frame
from hardware.cameras.preview import MOST_SIDE_PX
from hardware.errors import BadPictureError, CameraSpecError, EndOfRecordingError
from vision.errors import ImageError
from vision.images.photo import PHOTO_LIMITS, load_photo

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
"""File names that count as pictures, by their ending."""


class StillCamera(ClosesItself):
    """One picture file, read anew at every look, so that a replaced file shows.

    With `rests` it gives the picture for ever, at most twice a second; otherwise once.
    """

    def __init__(
        self, path: Path, rests: bool = True, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.path = path
        self._picture = _Picture()
        self._rests = rests
        self._sleep = sleep
        self._looks = 0

    @property
    def name(self) -> str:
        return self.path.name

    def read(self) -> Frame:
        return self._look(PHOTO_LIMITS.max_side_px)

    def read_preview(self) -> Frame:
        return self._look(MOST_SIDE_PX)

    def _look(self, most_px: int) -> Frame:
        if self._looks and not self._rests:
            raise EndOfRecordingError("hardware.camera.end", name=self.name)
        if self._looks:
            self._sleep(0.5)
        self._looks += 1
        return Frame(self._picture.of(self.path, most_px), self.path.name, 0.5 * (self._looks - 1))


class ReplayCamera(ClosesItself):
    """A folder's pictures in the order of their names, `fps` of them a second.

    `t_s` is the picture's number divided by `fps`. With `live` frames keep real time, late ones
    are left out as a camera would, and after the last picture the camera rests on it. Raises
    CameraSpecError where the folder holds no picture.
    """

    def __init__(
        self,
        folder: Path,
        fps: float,
        live: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.folder = folder
        self._pictures = pictures_in(folder)
        self._picture = _Picture()
        self._fps = fps
        self._live = live
        self._clock = clock
        self._sleep = sleep
        self._next = 0
        self._start_s: float | None = None

    @property
    def name(self) -> str:
        return self.folder.name

    def read(self) -> Frame:
        return self._due(PHOTO_LIMITS.max_side_px)

    def read_preview(self) -> Frame:
        return self._due(MOST_SIDE_PX)

    def _due(self, most_px: int) -> Frame:
        number = self._live_number() if self._live else self._next
        if number >= len(self._pictures):
            raise EndOfRecordingError("hardware.camera.end", name=self.name)
        path = self._pictures[number]
        self._next = number + 1
        return Frame(self._picture.of(path, most_px), path.name, number / self._fps)

    def _live_number(self) -> int:
        """The picture that is due now; waits for it, and for half a second on the last."""
        now_s = self._clock()
        if self._start_s is None:
            self._start_s = now_s
        if self._next >= len(self._pictures):
            self._sleep(max(0.5, 1 / self._fps))
            return len(self._pictures) - 1
        wait_s = self._start_s + self._next / self._fps - now_s
        if wait_s > 0:
            self._sleep(wait_s)
        due = int((self._clock() - self._start_s) * self._fps)
        return min(max(due, self._next), len(self._pictures) - 1)


NOTHING: NDArray[np.uint8] = np.zeros((0, 0, 3), np.uint8)


class _Picture:
    """The newest picture, kept decoded: a camera that rests on it costs nothing."""

    def __init__(self) -> None:
        self._key: tuple[Path, int, int] | None = None
        self._image_bgr = NOTHING

    def of(self, path: Path, most_px: int) -> NDArray[np.uint8]:
        """The file decoded, (H, W, 3), uint8, BGR, its longer side within a limit.

        Raises BadPictureError if it is no picture.
        """
        try:
            key = (path, path.stat().st_mtime_ns, most_px)
            if key != self._key:
                self._image_bgr, self._key = NOTHING, None  # not two of them at a time
                self._image_bgr, self._key = load_photo(path, most_px), key
        except (ImageError, OSError) as error:
            raise BadPictureError("hardware.camera.bad-picture", path=path, reason=error) from error
        return self._image_bgr


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by name; raises CameraSpecError if there are none."""
    try:
        pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    except OSError as error:
        raise CameraSpecError("hardware.camera.closed-folder", path=folder, reason=error) from error
    if not pictures:
        raise CameraSpecError("hardware.camera.empty-folder", path=folder)
    return pictures
