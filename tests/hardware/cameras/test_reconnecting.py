"""A device that is pulled out is opened again, and what went wrong is told."""

import pytest

from hardware.cameras.camera import ClosesItself
from hardware.cameras.reconnecting import lasting_frames
from hardware.errors import CameraError
from tests.support.cameras import TwoFrames, one_after_another


def test_following_a_device_outlives_its_being_pulled_out() -> None:
    heard = list[str]()

    def absent() -> ClosesItself:
        raise CameraError("hardware.camera.no-device", device="usb")

    cameras = one_after_another(TwoFrames, absent, absent, TwoFrames)
    frames = lasting_frames(cameras, lambda trouble: heard.append(str(trouble)), retry_s=0.05)
    times_s = [next(frames).t_s for _ in range(4)]
    assert times_s == sorted(times_s)
    assert [words.split(".")[0] for words in heard] == [
        "The camera usb went away",
        "There is no camera at usb",
        "None",
    ]


def test_a_device_is_let_go_before_it_is_opened_again() -> None:
    """Its driver lets nobody open it twice: it would have been busy for good."""
    in_use = list[str]()

    class Device(TwoFrames):
        def __init__(self) -> None:
            assert in_use == []
            super().__init__()
            in_use.append("usb")

        def close(self) -> None:
            in_use.clear()

    frames = lasting_frames(Device, lambda trouble: None, retry_s=0.01)
    for _ in range(4):
        next(frames)


def test_a_device_that_never_was_there_is_told_at_once() -> None:
    def absent() -> ClosesItself:
        raise CameraError("hardware.camera.no-device", device="usb")

    with pytest.raises(CameraError, match="no camera at usb"):
        next(lasting_frames(absent, lambda trouble: None))
