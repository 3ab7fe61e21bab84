"""The camera beside the table: it may hang, and the table neither waits nor forgets it."""

import threading
import time
import weakref
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.table.camera_feed import CameraFeed
from companion.table.eye import Photo
from hardware.cameras.camera import ClosesItself, Frame
from hardware.cameras.recordings import ReplayCamera
from hardware.errors import CameraError, HardwareError
from tests.companion.tables import GreyCamera
from tests.support.cameras import FRAME, TwoFrames, one_after_another
from tests.support.threads import no_more_threads
from tests.support.waiting import until


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


def test_a_hung_camera_is_replaced_though_there_was_no_thread_for_it_at_first() -> None:
    """Nobody looked after the camera any more, and it was lost for the rest of the evening."""
    lost = threading.Event()
    feed = CameraFeed(
        one_after_another(HungCamera, GreyCamera),
        patience_s=0.3,
        open_patience_s=0.3,
        retry_s=0.05,
    )
    feed.start(on_change=lambda: lost.set() if feed.status.status == "lost" else None)
    with no_more_threads("camera-2"):
        assert lost.wait(20)
        time.sleep(0.2)
    assert feed.fresh(20.0).image_bgr.shape == (8, 12, 3)
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


def test_nobody_waits_long_for_a_camera_that_is_not_there() -> None:
    """A look at the board held up buttons and panel for fifteen seconds."""
    attempts = list[int]()

    def absent() -> ClosesItself:
        attempts.append(1)
        raise CameraError("hardware.camera.no-picamera2")

    feed = CameraFeed(absent, retry_s=0.05)
    told = threading.Event()
    feed.start(on_change=told.set)
    assert told.wait(20)
    before, start_s = len(attempts), time.monotonic()
    with pytest.raises(CameraError, match="picamera2"):
        feed.fresh(20.0)
    assert time.monotonic() - start_s < 10
    assert len(attempts) - before >= 3, "it may have been away for a moment only"
    feed.stop()


def test_a_camera_that_was_plugged_in_again_is_found_by_the_next_look() -> None:
    """By itself it is tried only after a pause that has become a long one."""
    is_there = threading.Event()
    lost = threading.Event()

    def plugged() -> GreyCamera:
        if not is_there.is_set():
            raise CameraError("hardware.camera.no-picamera2")
        return GreyCamera()

    feed = CameraFeed(plugged, retry_s=600)
    feed.start(on_change=lost.set)
    assert lost.wait(20)
    is_there.set()
    assert feed.fresh(20.0).image_bgr.shape == (8, 12, 3)
    feed.stop()


class FramesApart(ClosesItself):
    """Says, at each reading, whether the picture of the one before is still held by anybody."""

    name = "apart"

    def __init__(self) -> None:
        self.before: weakref.ref[Photo] | None = None
        self.held = list[bool]()
        self.is_told = threading.Event()

    def read(self) -> Frame:
        if self.before is not None:
            self.held.append(self.before() is not None)
        if len(self.held) == 3:
            self.is_told.set()
        picture = np.full((8, 12, 3), 90, np.uint8)
        self.before = weakref.ref(picture)
        return Frame(picture, None, 0.0)


def test_a_picture_is_let_go_before_the_next_one_is_read() -> None:
    """Two of 12 megapixels would take 36 MB more of a small Pi."""
    camera = FramesApart()
    feed = CameraFeed(lambda: camera, interval_s=0.01)
    feed.start(on_frame=lambda frame: None)
    assert camera.is_told.wait(20)
    feed.stop()
    assert not any(camera.held[:3])


class HungAndDrifting(HungCamera):
    """Hangs, and had something to say of its one picture."""

    @property
    def warning(self) -> CameraError:
        return CameraError("hardware.camera.light-not-held")


def test_what_is_known_of_the_pictures_is_no_reason_for_having_none() -> None:
    ready = threading.Event()
    feed = CameraFeed(HungAndDrifting)
    feed.start(on_change=ready.set)
    assert ready.wait(20)
    assert "does not hold" in str(feed.status.trouble)
    with pytest.raises(CameraError, match="no picture in time"):
        feed.fresh(0.05)
    feed.stop()


def test_a_stopped_feed_answers_at_once() -> None:
    feed = CameraFeed(HungCamera)
    feed.start()
    feed.stop()
    with pytest.raises(CameraError, match="no picture in time"):
        feed.fresh(30.0)


def test_a_camera_that_is_slow_to_open_is_waited_for() -> None:
    opened = list[int]()
    statuses = list[str]()
    ready = threading.Event()

    def slow() -> ClosesItself:
        opened.append(1)
        time.sleep(0.6)
        return GreyCamera()

    def note() -> None:
        statuses.append(feed.status.status)
        ready.set()

    feed = CameraFeed(slow, patience_s=0.2, open_patience_s=60.0, interval_s=0.01)
    feed.start(on_change=note)
    assert ready.wait(20)
    assert (statuses, len(opened)) == (["ready"], 1)
    feed.stop()


def test_a_camera_whose_picture_takes_long_to_read_is_not_taken_for_hung() -> None:
    """On a small Pi a look at a changed board takes longer than any frame."""
    opened = list[int]()
    statuses = list[str]()
    read = threading.Event()

    def note() -> None:
        statuses.append(feed.status.status)

    def open_one() -> ClosesItself:
        opened.append(1)
        return GreyCamera()

    def take_long(_frame: Frame) -> None:
        time.sleep(0.6)
        read.set()

    feed = CameraFeed(open_one, patience_s=0.2, interval_s=0.01)
    feed.start(on_change=note, on_frame=take_long)
    assert read.wait(20)
    feed.stop()
    assert (statuses, len(opened)) == (["ready"], 1)


def test_a_driver_s_own_error_is_told_and_the_camera_tried_again() -> None:
    def breaks() -> ClosesItself:
        raise ValueError("numpy.dtype size changed")

    statuses = list[str]()
    back = threading.Event()

    def note() -> None:
        statuses.append(str(feed.status.trouble))
        if feed.status.status == "ready":
            back.set()

    feed = CameraFeed(one_after_another(breaks, GreyCamera), retry_s=0.05)
    feed.start(on_change=note)
    assert back.wait(20)
    assert "numpy.dtype size changed" in statuses[0]
    assert statuses[-1] == "None", "the message goes with its cause"
    feed.stop()


def test_a_recording_goes_on_behind_a_picture_that_is_none(tmp_path: Path) -> None:
    """It began again before it, for ever."""
    for number in (1, 3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((400, 600, 3), 90, np.uint8))
    (tmp_path / "2.png").write_bytes(b"no picture")
    names: list[str | None] = []
    feed = CameraFeed(lambda: ReplayCamera(tmp_path, fps=10), retry_s=0.05, interval_s=0.01)
    troubles = list[HardwareError]()

    def note() -> None:
        if feed.status.trouble is not None:
            troubles.append(feed.status.trouble)

    feed.start(note, lambda frame: names.append(frame.name))
    until(lambda: "3.png" in names)
    feed.stop()
    assert list(dict.fromkeys(names)) == ["1.png", "3.png"]
    assert "2.png" in troubles[0].sentence("en")


def test_times_go_on_where_a_camera_was_opened_again() -> None:
    times_s = list[float]()
    enough = threading.Event()

    def note(frame: Frame) -> None:
        times_s.append(frame.t_s)
        if len(times_s) == 6:
            enough.set()

    feed = CameraFeed(TwoFrames, retry_s=0.05, interval_s=0.01)
    feed.start(on_frame=note)
    assert enough.wait(20)
    feed.stop()
    assert times_s == sorted(times_s)
    assert len(set(times_s)) == len(times_s)


def test_a_camera_that_opens_late_moves_no_times_of_the_one_that_took_its_place() -> None:
    """Its frames begin at 0, so a frame's time is that at which its camera was opened."""
    late, closed = threading.Event(), threading.Event()

    class Late(GreyCamera):
        def __init__(self) -> None:
            late.wait(20)

        def close(self) -> None:
            closed.set()

    feed = CameraFeed(
        one_after_another(Late, GreyCamera),
        patience_s=0.3,
        open_patience_s=0.3,
        retry_s=0.05,
        interval_s=0.01,
    )
    feed.start()
    before_s = feed.fresh(20.0).t_s
    late.set()
    assert closed.wait(20)
    assert feed.fresh(20.0).t_s == before_s
    feed.stop()
