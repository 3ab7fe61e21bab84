"""Every camera through the one port: files, folders, devices that are absent, hung or gone."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras.camera import Camera, CameraSpec, Frame, good_frames
from hardware.cameras.open import open_apart, open_camera, parse_spec
from hardware.cameras.pi import PiCamera
from hardware.cameras.process import ProcessCamera
from hardware.cameras.recordings import ReplayCamera, StillCamera
from hardware.errors import (
    BadPictureError,
    CameraError,
    CameraSpecError,
    EndOfRecordingError,
)


def frames(camera: Camera) -> Iterator[Frame]:
    """All frames of a recording without a damaged file."""
    return good_frames(camera, lambda error: pytest.fail(str(error)))


def write_picture(path: Path, grey: int) -> Path:
    picture = np.full((400, 600, 3), grey, np.uint8)
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    for number, grey in ((10, 200), (2, 100), (1, 50)):
        write_picture(tmp_path / f"{number:03}.png", grey)
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "kind", "where"),
    [
        ("pi", "pi", ""),
        ("v4l2:2", "v4l2", "/dev/video2"),
        ("/dev/video0", "v4l2", "/dev/video0"),
        ("v4l2:/dev/v4l/by-id/usb-cam", "v4l2", "/dev/v4l/by-id/usb-cam"),
    ],
)
def test_words_name_a_camera(words: str, kind: str, where: str) -> None:
    assert parse_spec(words) == CameraSpec(kind, where)
    assert parse_spec(str(parse_spec(words))) == parse_spec(words)


def test_plain_paths_are_a_still_or_a_recording(recording: Path) -> None:
    assert parse_spec(f"replay:{recording}") == parse_spec(str(recording))
    assert parse_spec(str(recording / "001.png")).kind == "still"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("webcam", "No camera is called webcam"),
        ("v4l2:front", "No camera is called"),
        ("still:/no/such.jpg", "no file /no/such.jpg"),
        ("still:a\0b.jpg", "no file a"),
        ("replay:/no/such", "no folder /no/such"),
    ],
)
def test_words_that_name_nothing_get_a_sentence(words: str, sentence: str) -> None:
    with pytest.raises(CameraSpecError, match=sentence):
        parse_spec(words)


def test_what_is_there_but_no_file_is_not_said_to_be_missing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "round.jpg").symlink_to("round.jpg")
    (tmp_path / "folder.jpg").mkdir()
    for name, sentence in {
        "pipe.jpg": "cannot be shown .*not an ordinary file",
        "round.jpg": "cannot be shown .*a link that leads back to itself",
        "folder.jpg": "cannot be shown .*it is a folder",
        "x" * 300: "cannot be shown .*too long",
    }.items():
        with pytest.raises(CameraSpecError, match=sentence):
            parse_spec(f"still:{tmp_path / name}")


def test_a_still_picture_is_one_frame(recording: Path) -> None:
    with StillCamera(recording / "002.png", rests=False) as camera:
        (frame,) = frames(camera)
    assert frame.name == "002.png"
    assert frame.image_bgr.shape == (400, 600, 3)
    assert int(frame.image_bgr[0, 0, 0]) == 100


def test_a_still_picture_that_rests_shows_its_replacement(recording: Path) -> None:
    path = recording / "002.png"
    with StillCamera(path, rests=True, sleep=lambda seconds: None) as camera:
        before = camera.read()
        write_picture(path, 7)
        after = camera.read()
    assert (int(before.image_bgr[0, 0, 0]), int(after.image_bgr[0, 0, 0])) == (100, 7)
    assert (before.t_s, after.t_s) == (0.0, 0.5)


def test_a_folder_plays_by_name_at_its_speed(recording: Path) -> None:
    with open_camera(parse_spec(f"replay:{recording}"), fps=4.0) as camera:
        seen = [(frame.name, frame.t_s) for frame in frames(camera)]
    assert seen == [("001.png", 0.0), ("002.png", 0.25), ("010.png", 0.5)]


class Clock:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_a_live_recording_keeps_time_skips_what_is_late_and_rests_at_its_end(
    recording: Path,
) -> None:
    clock = Clock()
    camera = ReplayCamera(recording, fps=2.0, live=True, clock=clock, sleep=clock.sleep)
    assert camera.read().name == "001.png"
    assert (camera.read().name, clock.now_s) == ("002.png", 100.5)
    assert (camera.read().name, clock.now_s) == ("010.png", 101.0)
    assert (camera.read().name, clock.now_s) == ("010.png", 101.5)
    slow = ReplayCamera(recording, fps=2.0, live=True, clock=clock, sleep=clock.sleep)
    assert slow.read().name == "001.png"
    clock.sleep(1.1)
    assert slow.read().name == "010.png"


def test_an_empty_folder_and_a_broken_picture_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraSpecError, match="holds no pictures"):
        open_camera(CameraSpec("replay", str(tmp_path)))
    (tmp_path / "a.jpg").write_text("not a picture")
    with (
        open_camera(CameraSpec("replay", str(tmp_path))) as camera,
        pytest.raises(CameraError, match=r"a\.jpg cannot be shown"),
    ):
        camera.read()


def test_a_bad_picture_among_others_is_left_out_and_nothing_but_bad_ones_is_told(
    tmp_path: Path,
) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_text("not a picture")
    spec = CameraSpec("replay", str(tmp_path))
    with (
        open_camera(spec) as camera,
        pytest.raises(BadPictureError, match=r"b\.jpg cannot be shown"),
    ):
        list(frames(camera))
    write_picture(tmp_path / "c.png", 100)
    left_out = list[BadPictureError]()
    with open_camera(spec) as camera:
        assert [frame.name for frame in good_frames(camera, left_out.append)] == ["c.png"]
    assert len(left_out) == 2


def test_a_missing_device_is_one_sentence() -> None:
    with pytest.raises(CameraError, match="no camera at /dev/video98"):
        open_camera(parse_spec("v4l2:98"))
    with pytest.raises(CameraError, match="no camera at /dev/video98"):
        open_apart(parse_spec("v4l2:98"), fps=2.0, live=True)


def test_without_picamera2_the_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PiCamera()


def test_a_camera_in_its_own_process_gives_the_same_frames(recording: Path) -> None:
    spec = parse_spec(f"replay:{recording}")
    with open_camera(spec, fps=2.0) as here, ProcessCamera(spec) as there:
        for ours, theirs in zip(frames(here), frames(there), strict=True):
            assert (ours.name, ours.t_s) == (theirs.name, theirs.t_s)
            np.testing.assert_array_equal(ours.image_bgr, theirs.image_bgr)
        with pytest.raises(EndOfRecordingError):
            here.read()


HANGS = "print('{\"ready\": 1}', flush=True); import time; time.sleep(600)"
DIES = "print('{\"ready\": 1}', flush=True)"


@pytest.mark.parametrize(
    ("program", "sentence"), [(HANGS, "stopped answering"), (DIES, "went away")]
)
def test_a_driver_that_hangs_or_dies_is_ended_with_a_sentence(program: str, sentence: str) -> None:
    child = [sys.executable, "-c", program]
    camera = ProcessCamera(CameraSpec("pi"), frame_timeout_s=0.3, child=child)
    with camera, pytest.raises(CameraError, match=sentence):
        camera.read()
    with pytest.raises(CameraError, match="went away"):
        camera.read()


LOUD = """
import sys
import numpy as np
from hardware.cameras import capture_child
from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import CameraError

class Loud(ClosesItself):
    name, is_renewed = "pi", False

    @property
    def warning(self):
        return CameraError("hardware.camera.light-not-held") if self.is_renewed else None

    def read(self):
        print("the driver has something to say", flush=True)
        return Frame(np.arange(72, dtype=np.uint8).reshape(4, 6, 3)[:, ::-1], None, 0.5)

    def renew_locks(self):
        self.is_renewed = True

capture_child.open_camera = lambda spec: Loud()
sys.exit(capture_child.main("pi"))
"""


def test_a_driver_that_prints_and_mirrors_gives_its_pictures_and_its_warning() -> None:
    with ProcessCamera(CameraSpec("pi"), child=[sys.executable, "-c", LOUD]) as camera:
        assert camera.warning is None
        frame = camera.read()
        assert frame.image_bgr[0, 0].tolist() == [15, 16, 17]
        assert frame.image_bgr.shape == (4, 6, 3)
        camera.renew_locks()
        assert "colours" in str(camera.warning)


def test_a_stream_that_hangs_is_told_without_its_password() -> None:
    spec = parse_spec("rtsp://me:secret@camera.local/live")
    camera = ProcessCamera(spec, frame_timeout_s=0.3, child=[sys.executable, "-c", HANGS])
    with camera, pytest.raises(CameraError, match=r"rtsp://camera\.local/live") as told:
        camera.read()
    assert "secret" not in f"{told.value} {camera.name}"


class FakeRequest:
    """A completed request of picamera2: "RGB888" comes as blue, green, red."""

    released = 0

    def make_array(self, name: str) -> NDArray[np.uint8]:
        assert name == "main"
        blue = np.zeros((4, 6, 3), np.uint8)
        blue[:, :, 0] = 255
        return blue

    def release(self) -> None:
        FakeRequest.released += 1


class FakePicamera2:
    """As much of picamera2's class as the driver uses; the exposure settles after five frames."""

    obeys = True

    def __init__(self) -> None:
        self.frame = 0
        self.controls: dict[str, Any] = {}
        self.closed = False

    def create_still_configuration(self, main: dict[str, Any], queue: bool) -> dict[str, Any]:
        assert main["format"] == "RGB888"
        return {"main": main, "queue": queue}

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        assert self.configuration

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls = controls

    def capture_metadata(self) -> dict[str, Any]:
        self.frame += 1
        drift = 1.5 ** max(0, 5 - self.frame)
        if self.controls and not self.obeys:
            drift = 1.0 + self.frame
        return {
            "ExposureTime": round(20_000 * drift),
            "AnalogueGain": 2.0,
            "ColourGains": (1.8, 1.4),
        }

    def capture_request(self) -> FakeRequest:
        return FakeRequest()

    def close(self) -> None:
        self.closed = True


class StubbornPicamera2(FakePicamera2):
    obeys = False


def test_the_pi_s_camera_settles_then_holds_its_light_and_gives_bgr() -> None:
    device = FakePicamera2()
    with PiCamera(lambda: device) as camera:
        frame = camera.read()
    assert camera.held is not None
    assert camera.held.exposure_us == 20_000
    assert device.controls["AeEnable"] is False
    assert device.controls["AwbEnable"] is False
    assert device.controls["ColourGains"] == (1.8, 1.4)
    assert frame.image_bgr[0, 0].tolist() == [255, 0, 0], "blue first"
    assert FakeRequest.released == 1
    assert device.closed


def test_a_lock_that_the_frames_do_not_show_is_not_believed() -> None:
    with PiCamera(StubbornPicamera2) as camera:
        assert camera.held is None


def test_a_pi_without_a_camera_is_one_sentence() -> None:
    def no_camera() -> Any:
        raise IndexError("list index out of range")

    with pytest.raises(CameraError, match="check the ribbon cable"):
        PiCamera(no_camera)
