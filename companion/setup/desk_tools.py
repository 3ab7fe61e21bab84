"""What the desks of set-up and of the studio share: photos in, refusals out."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import RefusalError
from hardware.errors import HardwareError
from vision.errors import VisionError
from vision.images.photo import decode_photo
from vision.registration.geometry import Points
from vision.registration.outline import find_outline
from web.errors import ActionRefusedError
from web.setup_port import SHOWN_WIDTH, Point

Photo = NDArray[np.uint8]

T = TypeVar("T")

INSET = 0.12
"""Where corners are offered of a board that was not seen, in parts of the photo's sides."""


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


def corners_to_begin_with(photo_bgr: Photo) -> Points:
    """The outline that is seen, else a rectangle to be dragged; (4, 2), photo pixels."""
    outline = find_outline(photo_bgr)
    if outline is not None:
        return outline.corners_px
    size = np.array([photo_bgr.shape[1], photo_bgr.shape[0]], np.float64)
    near, far = INSET, 1 - INSET
    return np.array([[near, near], [far, near], [far, far], [near, far]]) * size


def scale_of(photo_bgr: Photo) -> float:
    """Photo pixels in one unit of the page's points."""
    return float(photo_bgr.shape[1] / SHOWN_WIDTH)


def points_of(points: Points) -> list[Point]:
    """Points (N, 2) as a page takes them."""
    return [(round(float(x), 2), round(float(y), 2)) for x, y in points]
