"""Small cameras that are lost and come back."""

from collections.abc import Callable

import numpy as np

from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import CameraError

FRAME = Frame(np.zeros((4, 4, 3), np.uint8), None, 0.0)


def one_after_another(*cameras: Callable[[], ClosesItself]) -> Callable[[], ClosesItself]:
    waiting = list(cameras)
    return lambda: (waiting.pop(0) if len(waiting) > 1 else waiting[0])()


def no_camera() -> ClosesItself:
    raise CameraError("hardware.camera.no-device", device="/dev/video0")


class TwoFrames(ClosesItself):
    """Gives two frames, whose times begin at 0 as every camera's do, and is pulled out."""

    name = "usb"

    def __init__(self) -> None:
        self.times_s = [0.0, 0.01]

    def read(self) -> Frame:
        if not self.times_s:
            raise CameraError("hardware.camera.gone", device="usb")
        return Frame(FRAME.image_bgr, None, self.times_s.pop(0))
