"""Cameras in the network, videos, and the first camera that a machine has."""

import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import (
    BaseHTTPRequestHandler,
    SimpleHTTPRequestHandler,
    ThreadingHTTPServer,
)
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import CameraSpec, good_frames, without_password
from hardware.cameras.found import first_camera, usb_cameras
from hardware.cameras.network import NetworkCamera, _open
from hardware.cameras.open import open_camera, parse_spec
from hardware.errors import BadPictureError, CameraError, CameraSpecError
from tests.support.jpeg_numbers import numbered


def jpeg(grey: int, number: int = 0) -> bytes:
    return numbered(cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes(), number)


class Stream(BaseHTTPRequestHandler):
    """An MJPEG camera as ESP32 boards and old phones are: dark first, soon bright."""

    stop = threading.Event()
    frozen = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        start_s = time.monotonic()
        number = 0
        try:
            while not self.stop.wait(0.04):
                number += 1
                picture = jpeg(40 if time.monotonic() - start_s < 0.5 else 200, number)
                if self.frozen.is_set():
                    picture = jpeg(200)
                head = (
                    f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                )
                self.wfile.write(head.encode() + picture + b"\r\n")
        except OSError:
            return

    def log_message(self, *words: object) -> None:
        return


class Files(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *words: object) -> None:
        return


@pytest.fixture
def address() -> Iterator[str]:
    Stream.stop.clear()
    Stream.frozen.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://somebody:secret@127.0.0.1:{server.server_port}/stream.mjpg"
    Stream.stop.set()
    server.shutdown()
    server.server_close()


def read_on(camera: NetworkCamera, count: int = 50) -> None:
    for _ in range(count):
        camera.read()


def test_a_stream_gives_its_newest_picture_and_its_end_is_told(address: str) -> None:
    with NetworkCamera(address) as camera:
        assert "secret" not in camera.name
        assert camera.name.endswith("/stream.mjpg")
        time.sleep(0.7)
        camera.read()
        frame = camera.read()
        assert frame.image_bgr.shape == (48, 64, 3)
        assert frame.image_bgr.mean() > 150, "not the first one, which waited for a reader"
        assert camera.read_preview().image_bgr.shape == (48, 64, 3), "small enough as it is"
        Stream.stop.set()
        start_s = time.monotonic()
        with pytest.raises(CameraError, match="stopped sending pictures"):
            read_on(camera)
        assert time.monotonic() - start_s < 3, "its end is no silence"


def test_a_stream_that_repeats_one_picture_is_told_and_stays_so_when_it_is_opened_again(
    address: str,
) -> None:
    """As a phone's app does in the background: a claim would be missed, and the last look at the
    board read from a picture taken before."""
    with NetworkCamera(address) as camera:
        read_on(camera)
        Stream.frozen.set()
        with pytest.raises(CameraError, match="one and the same picture again and again"):
            read_on(camera, 200)
    with NetworkCamera(address) as camera:
        with pytest.raises(CameraError, match="one and the same picture again and again"):
            camera.read()
        Stream.frozen.clear()
        assert camera.read().image_bgr.shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://me:secret@camera.local:8554/live", "rtsp://camera.local:8554/live"),
        ("http://[fe80::12]:8080/video?pwd=secret", "http://[fe80::12]:8080/video"),
    ],
)
def test_an_address_is_shown_as_it_was_given_but_for_what_is_secret(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_a_camera_that_does_not_answer_is_one_sentence_without_the_password() -> None:
    with pytest.raises(CameraError, match="does not answer") as raised:
        NetworkCamera("http://somebody:secret@127.0.0.1:1/stream")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("words", ["rtsp://10.0.0.5:554/live", "http://cam.local/video"])
def test_an_address_names_a_camera_that_can_hang(words: str) -> None:
    assert parse_spec(words) == CameraSpec("net", words)
    assert parse_spec(words).is_live
    assert str(parse_spec(words)) == words


@pytest.mark.parametrize(
    "end",
    [
        "cam:99999/x",
        "[",
        "[cam/x",
        "me:my#secret@cam/x",
        "me:secret@:80/",
        "cam:0/x",
        "cam:x/",
        "/x",
    ],
)
def test_an_address_that_is_none_is_told_at_once_and_not_repeated(end: str) -> None:
    """Nothing was said before the camera was opened, and then: "Plug it in again"."""
    with pytest.raises(CameraSpecError, match="address of the camera") as raised:
        parse_spec(f"rtsp://{end}")
    assert "secret" not in str(raised.value)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for number in range(30):
        writer.write(np.full((48, 64, 3), 8 * number, np.uint8))
    writer.release()
    return path


def test_a_video_is_played_at_the_speed_that_is_asked_for(video: Path) -> None:
    assert (
        parse_spec(f"replay:{video}") == parse_spec(str(video)) == CameraSpec("video", str(video))
    )
    with open_camera(parse_spec(str(video)), fps=2) as camera:
        frames = list(good_frames(camera, lambda error: pytest.fail(str(error))))
    times = [frame.t_s for frame in frames]
    greys = [round(float(frame.image_bgr.mean()) / 8) for frame in frames]
    assert times == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert greys == pytest.approx([0, 5, 10, 15, 20, 25], abs=1), "ten pictures a second, each half"


def test_a_video_takes_its_own_time_also_where_more_pictures_are_asked_for(video: Path) -> None:
    """It ran twice as fast, and was over after half of the time that it told."""
    with open_camera(parse_spec(str(video)), fps=20) as camera:
        frames = list(good_frames(camera, lambda error: pytest.fail(str(error))))
    greys = {round(frame.t_s, 2): round(float(frame.image_bgr.mean()) / 8) for frame in frames}
    assert [greys[1.0], greys[2.0]] == pytest.approx([10, 20], abs=1)
    assert max(greys) == pytest.approx(2.95, abs=0.06), "30 pictures, ten a second"


def test_a_video_in_real_time_leaves_out_what_is_late_and_stays_on_its_last_picture(
    video: Path,
) -> None:
    """Whoever looked away over its end saw what was there before, for ever."""
    with open_camera(parse_spec(str(video)), fps=2, live=True) as camera:
        assert camera.read().t_s == pytest.approx(0, abs=0.1)
        time.sleep(1.6)
        late = camera.read()
        assert late.t_s > 1.5
        assert late.image_bgr.mean() / 8 == pytest.approx(10 * late.t_s, abs=1)
        time.sleep(2.0)
        for _ in range(3):
            assert camera.read().image_bgr.mean() / 8 == pytest.approx(29, abs=1)


def test_a_file_that_is_no_video_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "no.mp4").write_bytes(b"nothing")
    with pytest.raises(BadPictureError, match="cannot be played"):
        open_camera(parse_spec(str(tmp_path / "no.mp4")))


def machine(root: Path, names: dict[str, tuple[str, int]]) -> Path:
    for device, (name, index) in names.items():
        folder = root / "sys/class/video4linux" / device
        folder.mkdir(parents=True)
        (folder / "name").write_text(name)
        (folder / "index").write_text(str(index))
    return root


WEBCAM = {"video2": ("HD Webcam", 0), "video3": ("HD Webcam", 1), "video10": ("bcm2835-codec", 0)}


def test_a_pi_that_sees_no_camera_speaks_of_its_ribbon_cable(tmp_path: Path) -> None:
    """Plugged in while the Pi runs, one with a ribbon cable never starts by itself."""
    with pytest.raises(CameraError, match="it starts by itself"):
        first_camera(tmp_path)
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    with pytest.raises(CameraError, match="switch the Pi off, check the cable at both ends"):
        first_camera(tmp_path)


def test_the_first_camera_is_the_pi_s_own_then_a_usb_camera(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="No camera is plugged in"):
        first_camera(tmp_path)
    machine(tmp_path, WEBCAM)
    assert first_camera(tmp_path) == CameraSpec("v4l2", "/dev/video2")
    machine(tmp_path, {"video0": ("unicam-image", 0)})
    assert first_camera(tmp_path) == CameraSpec("pi")
    assert usb_cameras(tmp_path) == {"/dev/video2": "HD Webcam"}


def test_a_stream_of_another_kind_than_jpegs_is_decoded_too(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(
        str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (64, 48)
    )
    for _ in range(200):
        writer.write(np.full((48, 64, 3), 120, np.uint8))
    writer.release()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        capture = _open(f"http://127.0.0.1:{server.server_port}/film.avi")
        assert capture.read()[1].mean() == pytest.approx(120, abs=4)
        capture.release()
    finally:
        server.shutdown()
        server.server_close()
