"""Watching gets small frames, a scan the whole ones."""

import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.table.camera_feed import CameraFeed
from hardware.cameras.camera import CameraSpec, ClosesItself, Frame
from hardware.cameras.jpeg import picture_of
from hardware.cameras.preview import preview_of
from hardware.cameras.process import ProcessCamera
from hardware.cameras.recordings import StillCamera
from hardware.cameras.v4l2 import V4l2Camera
from tests.hardware.cameras.test_locks import Webcam

LARGE, HALF = (2160, 3840, 3), (1080, 1920, 3)
"""Eight megapixels as a USB camera sends them."""


def large_jpeg() -> NDArray[np.uint8]:
    """Left half dark, right half bright, as one row of bytes; some stale ones follow."""
    picture = np.full(LARGE, 60, np.uint8)
    picture[:, 1920:] = 200
    row = np.asarray(cv2.imencode(".jpg", picture)[1], np.uint8).reshape(1, -1)
    return np.concatenate([row, np.full((1, 5000), 7, np.uint8)], axis=1)


@pytest.mark.parametrize(
    ("shape", "preview"),
    [
        ((1728, 2304, 3), (1728, 2304, 3)),
        (LARGE, HALF),
        ((2400, 3200, 3), (1200, 1600, 3)),
        ((2399, 3199, 3), (2399, 3199, 3)),
        ((3000, 4000, 3), (1500, 2000, 3)),
    ],
    ids=str,
)
def test_a_preview_is_never_under_1600_pixels(
    shape: tuple[int, ...], preview: tuple[int, ...]
) -> None:
    picture = np.broadcast_to(np.uint8(90), shape)
    assert preview_of(picture).shape == preview


def test_a_jpeg_is_decoded_at_the_size_that_is_wanted() -> None:
    whole, preview = (picture_of(large_jpeg(), wanted) for wanted in (True, False))
    assert whole is not None
    assert preview is not None
    assert (whole.shape, preview.shape) == (LARGE, HALF)
    np.testing.assert_allclose(preview[:, [500, 1500]], whole[:1080, [1000, 3000]], atol=2)
    assert picture_of(np.zeros((1, 9000), np.uint8), whole=True) is None


class MotionJpeg(Webcam):
    """A webcam of 8 megapixels that gives its JPEGs as they are, where it is asked to.

    With `lies` they are none, although it says so.
    """

    lies = False

    def __init__(self) -> None:
        super().__init__()
        self.controls |= {
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"YUYV")),
            cv2.CAP_PROP_CONVERT_RGB: 1.0,
        }
        self.jpeg = large_jpeg()

    def read(self) -> tuple[bool, Any]:
        self.grab()
        if self.controls[cv2.CAP_PROP_CONVERT_RGB]:
            return True, np.full(LARGE, 90, np.uint8)
        return True, np.zeros((1, 100), np.uint8) if self.lies else self.jpeg


def test_a_usb_camera_is_decoded_here() -> None:
    camera = V4l2Camera("/dev/video0", lambda name: MotionJpeg())
    assert camera.read().image_bgr[0, 3000].tolist() == pytest.approx([200] * 3, abs=2)
    assert camera.read_preview().image_bgr.shape == HALF


def test_a_usb_camera_that_sends_no_jpegs_is_left_to_opencv() -> None:
    device = MotionJpeg()
    device.lies = True
    camera = V4l2Camera("/dev/video0", lambda name: device)
    assert camera.read().image_bgr.shape == LARGE
    assert camera.read_preview().image_bgr.shape == HALF


def test_a_camera_in_its_own_process_sends_what_is_asked_for(tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(large_jpeg()[0, :-5000].tobytes())
    spec = CameraSpec("replay", str(tmp_path))
    child = [sys.executable, "-m", "hardware.cameras.capture_child", str(spec)]
    with ProcessCamera(spec, child=child) as camera:
        assert camera.read_preview().image_bgr.shape == HALF
        assert camera.read().image_bgr.shape == LARGE


def test_a_still_picture_that_was_watched_is_scanned_whole(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(large_jpeg()[0, :-5000].tobytes())
    camera = StillCamera(tmp_path / "a.jpg", sleep=lambda pause_s: None)
    shapes = [camera.read_preview(), camera.read(), camera.read_preview()]
    assert [frame.image_bgr.shape for frame in shapes] == [HALF, LARGE, HALF]


class Counting(ClosesItself):
    """Tells which frames were asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.whole = 0

    def read(self) -> Frame:
        self.whole += 1
        return Frame(np.full((48, 3840, 3), 90, np.uint8), None, 0.0)

    def read_preview(self) -> Frame:
        return Frame(np.full((24, 1920, 3), 90, np.uint8), None, 0.0)


def test_who_watches_sees_previews_and_who_asks_gets_the_whole_frame() -> None:
    camera, watched = Counting(), list[tuple[int, ...]]()
    feed = CameraFeed(lambda: camera, interval_s=0.01)
    feed.start(on_frame=lambda frame: watched.append(frame.image_bgr.shape))
    assert feed.fresh(20).image_bgr.shape == (48, 3840, 3)
    while len(watched) < 3:
        feed.fresh(20)
    feed.stop()
    assert set(watched) == {(24, 1920, 3)}, "the whole ones are reduced for watching"
