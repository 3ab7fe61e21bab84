"""What the desks of set-up and of the studio share: photos in, refusals out, times as told."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import RefusalError
from hardware.errors import HardwareError
from vision.errors import VisionError
from vision.images.photo import decode_photo
from web.ports import ActionRefusedError

Photo = NDArray[np.uint8]

T = TypeVar("T")


class PhotoSource:
    """Photos that a device sends, or that the box's camera takes (`shoot`; None without one)."""

    def __init__(self, shoot: Callable[[], Photo] | None) -> None:
        self._shoot = shoot

    @property
    def has_camera(self) -> bool:
        """Whether the box has a camera of its own."""
        return self._shoot is not None

    def photo_of(self, image: bytes | None) -> Photo:
        """The photo in a file, or one by the box's camera where there is none.

        Raises ActionRefusedError with a sentence where there is no photo to be had.
        """
        if image is None:
            return self.photograph()
        try:
            return decode_photo(image)
        except VisionError as error:
            raise ActionRefusedError("companion.setup.no-photo", reason=error) from error

    def photograph(self) -> Photo:
        """A photo by the box's camera; raises ActionRefusedError."""
        if self._shoot is None:
            raise ActionRefusedError("companion.setup.no-camera")
        try:
            return self._shoot()
        except HardwareError as error:
            raise ActionRefusedError.saying(error) from error


def or_refused(do: Callable[[], T]) -> T:
    """What `do` returns; what it refuses is refused to the page."""
    try:
        return do()
    except RefusalError as error:
        raise ActionRefusedError.saying(error) from error


def local_time(created: str) -> str:
    """A moment as this table's clock shows it, to the minute; as written where it is no time."""
    try:
        return datetime.fromisoformat(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return created[:20]
