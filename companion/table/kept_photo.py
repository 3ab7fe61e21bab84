"""A photo from which crops are cut for as long as nobody looks anew."""

import cv2
import numpy as np

from companion.table.eye import Photo

QUALITY = 92
"""Of the JPEG; the crops are written with 85 at most."""


class KeptPhoto:
    """A photo, (H, W, 3), uint8, BGR; put away it takes a tenth of the memory."""

    def __init__(self, photo_bgr: Photo) -> None:
        self._photo_bgr: Photo | None = photo_bgr
        self._jpeg: Photo = np.zeros(0, np.uint8)

    @property
    def photo_bgr(self) -> Photo:
        """The photo; once it is put away it is decoded for each who asks."""
        photo_bgr = self._photo_bgr
        if photo_bgr is not None:
            return photo_bgr
        return np.asarray(cv2.imdecode(self._jpeg, cv2.IMREAD_COLOR), np.uint8)

    def put_away(self) -> None:
        """Keep it as a JPEG from now on: until the next look 12 megapixels would take 36 MB."""
        if self._photo_bgr is None:
            return
        done, jpeg = cv2.imencode(".jpg", self._photo_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if done:
            self._jpeg = np.asarray(jpeg, np.uint8)
            self._photo_bgr = None
