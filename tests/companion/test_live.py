"""The camera beside the table: it may hang, and the table neither waits nor forgets it."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from companion.live import CameraFeed
from hardware.cameras import ClosesItself, Frame
from hardware.errors import CameraError
from tests.companion.tables import GreyCamera

FRAME = Frame(np.zeros((4, 4, 3), np.uint8), None, 0.0)


class HungCamera(ClosesItself):
    """A camera that gives one frame and then hangs for good."""

    name = "hung"

    def __init__(self) -> None:
        self.reads = 0

    def read(self) -> Frame:
        self.reads += 1
        if self.reads > 1:
            threading.Event().wait(30)
        return FRAME


def one_after_another(*cameras: Callable[[], ClosesItself]) -> Callable[[], ClosesItself]:
    waiting = list(cameras)
    return lambda: (waiting.pop(0) if len(waiting) > 1 else waiting[0])()


def test_a_hung_camera_is_left_behind_and_replaced() -> None:
    statuses = list[str]()
    back = threading.Event()

    def note() -> None:
        statuses.append(feed.status.status)
        if statuses[-2:] == ["lost", "ready"]:
            back.set()

    feed = CameraFeed(one_after_another(HungCamera, GreyCamera), patience_s=0.3, retry_s=0.05)
    feed.start(on_change=note)
    assert back.wait(20)
    assert statuses[:3] == ["ready", "lost", "ready"]
    assert feed.fresh(5.0).image_bgr.shape == (8, 12, 3)
    feed.stop()


def test_a_fresh_frame_comes_after_the_question() -> None:
    feed = CameraFeed(GreyCamera, interval_s=0.01)
    feed.start()
    first, second = feed.fresh(5.0), feed.fresh(5.0)
    assert first is not second
    feed.stop()


def test_without_a_frame_the_reason_is_given() -> None:
    def absent() -> ClosesItself:
        raise CameraError("hardware.camera.no-picamera2")

    feed = CameraFeed(absent, retry_s=0.05)
    told = threading.Event()
    feed.start(on_change=told.set)
    assert told.wait(20)
    with pytest.raises(CameraError, match="picamera2"):
        feed.fresh(0.05)
    feed.stop()


def test_a_stopped_feed_answers_at_once() -> None:
    feed = CameraFeed(HungCamera)
    feed.start()
    feed.stop()
    with pytest.raises(CameraError, match="no picture in time"):
        feed.fresh(30.0)
