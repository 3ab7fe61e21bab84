"""What cameras hold, what they only pretend to hold, and when it is set anew."""

from typing import Any

import cv2
import numpy as np
import pytest

from companion.table.camera_feed import CameraFeed
from hardware.cameras.camera import ClosesItself, Frame
from hardware.cameras.light_drift import LightDrift
from hardware.cameras.pi import PiCamera
from hardware.cameras.reconnecting import Pauses
from hardware.cameras.v4l2 import V4l2Camera
from hardware.errors import CameraError
from tests.hardware.cameras.test_cameras import FakePicamera2

AUTO, BY_HAND = 3.0, 1.0


class Webcam:
    """As much of cv2.VideoCapture as the driver uses: the automatic exposure reaches grey 100."""

    def __init__(self, device: str = "", stale: float | None = None, deaf: bool = False) -> None:
        self.controls = {
            cv2.CAP_PROP_AUTO_EXPOSURE: AUTO,
            cv2.CAP_PROP_EXPOSURE: 156.0 if stale is None else stale,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
        }
        self.deaf = deaf
        self.light = 1.0
        self._grey = 20.0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, control: int, value: float) -> bool:
        if control in self.controls and not self.deaf:
            self.controls[control] = value
        return True

    def get(self, control: int) -> float:
        return self.controls.get(control, -1.0)

    def grab(self) -> bool:
        if self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO:
            self._grey += (100.0 - self._grey) / 2
        else:
            self._grey = self.light * 100.0 * self.controls[cv2.CAP_PROP_EXPOSURE] / 156.0
        return True

    def read(self) -> tuple[bool, Any]:
        self.grab()
        return True, np.full((32, 32, 3), round(self._grey), np.uint8)

    def release(self) -> None:
        return


def test_a_webcam_holds_what_it_has_and_has_settled_before() -> None:
    device = Webcam()
    camera = V4l2Camera("/dev/video0", lambda name: device)
    assert device.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == BY_HAND
    assert device.controls[cv2.CAP_PROP_AUTO_WB] == 0.0
    assert (camera.not_held, camera.warning) == ((), None)
    assert camera.read().image_bgr.mean() == pytest.approx(100, abs=3)


def test_a_webcam_that_was_held_in_another_light_is_set_for_the_present_one() -> None:
    device = Webcam(stale=20.0)  # what an earlier start held, in eight times as much light
    device.controls[cv2.CAP_PROP_AUTO_EXPOSURE] = BY_HAND
    device.controls[cv2.CAP_PROP_AUTO_WB] = 0.0
    camera = V4l2Camera("/dev/video0", lambda name: device)
    assert camera.read().image_bgr.mean() == pytest.approx(100, abs=5)


def test_a_lock_that_spoils_the_picture_is_given_up_and_told() -> None:
    device = Webcam(stale=20.0)  # what somebody set by hand long ago: eight times too dark
    camera = V4l2Camera("/dev/video0", lambda name: device)
    assert device.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
    assert "does not hold its exposure" in str(camera.warning)
    assert camera.read().image_bgr.mean() == pytest.approx(100, abs=5)


def test_a_webcam_that_does_not_obey_is_told_of() -> None:
    camera = V4l2Camera("/dev/video0", lambda name: Webcam(deaf=True))
    assert camera.not_held == ("exposure", "white balance")


class FocussingPicamera2(FakePicamera2):
    """With a lens that moves, such as that of the Camera Module 3."""

    camera_controls = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}  # noqa: RUF012
    lens = 0.0
    sticks = False

    def autofocus_cycle(self) -> bool:
        self.lens = 1.4
        return True

    def set_controls(self, controls: dict[str, Any]) -> None:
        super().set_controls(controls)
        if self.sticks:
            self.lens = 7.0

    def capture_metadata(self) -> dict[str, Any]:
        return {**super().capture_metadata(), "LensPosition": self.lens}


def test_the_pi_s_focus_is_found_once_and_held() -> None:
    device = FocussingPicamera2()
    with PiCamera(lambda: device) as camera:
        assert (device.controls["AfMode"], device.controls["LensPosition"]) == (0, 1.4)
        assert camera.warning is None


def test_a_focus_that_moves_away_is_told() -> None:
    device = FocussingPicamera2()
    device.sticks = True
    with PiCamera(lambda: device) as camera:
        assert camera.warning is not None


class Listing(FakePicamera2):
    """Keeps what it was told; with `obeys_once` it holds nothing after its first lock."""

    obeys_once = False

    def __init__(self) -> None:
        super().__init__()
        self.told = list[dict[str, Any]]()

    def set_controls(self, controls: dict[str, Any]) -> None:
        super().set_controls(controls)
        self.told.append(controls)
        if self.obeys_once and len(self.told) > 2:
            self.obeys, self.frame = False, 0


def test_the_pi_s_locks_are_renewed() -> None:
    device = Listing()
    with PiCamera(lambda: device) as camera:
        device.frame = 0  # the light changes: the exposure moves again
        camera.renew_locks()
        assert device.told[1] == {"AeEnable": True, "AwbEnable": True}
        assert camera.held is not None
        assert device.controls["AeEnable"] is False


def test_a_lock_of_the_pi_that_cannot_be_renewed_is_told() -> None:
    device = Listing()
    device.obeys_once = True
    with PiCamera(lambda: device) as camera:
        assert camera.warning is None
        camera.renew_locks()
        assert "does not hold its exposure" in str(camera.warning)


def test_a_camera_that_fails_while_it_is_opened_is_let_go() -> None:
    """It stayed open, and was busy at the next try."""

    class Failing(FakePicamera2):
        def start(self) -> None:
            raise RuntimeError("no frames")

    class Silent(Webcam):
        is_open = True

        def read(self) -> tuple[bool, Any]:
            return False, None

        def release(self) -> None:
            self.is_open = False

    pi, webcam = Failing(), Silent()
    with pytest.raises(CameraError, match="no frames"):
        PiCamera(lambda: pi)
    with pytest.raises(CameraError, match="/dev/video0"):
        V4l2Camera("/dev/video0", lambda name: webcam)
    assert (pi.closed, webcam.is_open) == (True, False)


def grey(value: int) -> Frame:
    return Frame(np.full((32, 32, 3), value, np.uint8), None, 0.0)


def test_light_that_stays_changed_is_noticed_and_a_hand_is_not() -> None:
    drift = LightDrift()
    frames = [100] * 5 + [40] * 10 + [100] * 5
    assert not any(drift.take(grey(value)) for value in frames)
    assert [drift.take(grey(60)) for _ in range(20)] == [False] * 19 + [True]
    drift.begin()
    assert not any(drift.take(grey(60)) for _ in range(30))


class Lamp(ClosesItself):
    """A camera over a table whose lamp goes out after ten frames; counts its renewals."""

    name = "lamp"

    def __init__(self) -> None:
        self.frames = self.renewed = 0

    def read(self) -> Frame:
        self.frames += 1
        return grey(120 if self.frames <= 10 else 50)

    def renew_locks(self) -> None:
        self.renewed += 1


@pytest.mark.parametrize(("nobody_plays", "renewed"), [(True, 1), (False, 0)])
def test_locks_are_renewed_only_while_nobody_plays(nobody_plays: bool, renewed: int) -> None:
    lamp = Lamp()
    feed = CameraFeed(lambda: lamp, interval_s=0.0)
    feed.start(may_renew=lambda: nobody_plays)
    while lamp.frames < 80:
        feed.fresh(10)
    feed.stop()
    assert lamp.renewed == renewed


def test_pauses_grow_until_the_camera_is_back() -> None:
    pauses = Pauses()
    assert [pauses.next_s() for _ in range(6)] == [1.0, 2.0, 4.0, 8.0, 15.0, 15.0]
    pauses.reset()
    assert pauses.next_s() == 1.0
