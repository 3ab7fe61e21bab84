"""A photo from which crops are cut for as long as nobody looks anew."""

import cv2
import numpy as np

from companion.table.eye import Photo
from vision.images.encode import jpeg

QUALITY = 92
"""Of the JPEG; the crops are written with 85 at most."""


class KeptPhoto:
    """A photo, (H, W, 3), uint8, BGR; put away it takes a tenth of the memory."""

    def __init__(self, photo_bgr: Photo) -> None:
        self._photo_bgr: Photo | None = photo_bgr
        self._jpeg = b""

    @property
    def photo_bgr(self) -> Photo:
        """The photo; once it is put away it is decoded for each who asks."""
        photo_bgr = self._photo_bgr
        if photo_bgr is not None:
            return photo_bgr
        return np.asarray(
            cv2.imdecode(np.frombuffer(self._jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8
        )

    def put_away(self) -> None:
        """Keep it as a JPEG from now on: until the next look 12 megapixels would take 36 MB."""
        if self._photo_bgr is None:
            return
        self._jpeg = jpeg(self._photo_bgr, QUALITY)
        self._photo_bgr = None
