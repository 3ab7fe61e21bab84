"""Uploads at once: the worst pictures are answered too, and the box keeps its memory."""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.child import memory_mb
from tests.web.fake_table import FakeTable
from vision.errors import ImageError
from vision.images.photo import decode_photo, decode_photos
from web.app import create_app
from web.errors import BusyError
from web.sent.uploads import Uploads

AT_ONCE = 8

SIDE_PX = 4_608
"""The largest picture that is not halved: 64 MB decoded, 4 of them just under the limit."""

MOST_MB = 450


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`companion serve` with a table of its own."""
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
    started = subprocess.Popen(
        [*command, "--port", "0", "--data", str(tmp_path), "--no-hardware"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COMPANION_LANGUAGE": "en"},
        cwd=Path(__file__).parents[3],
    )
    yield started
    started.terminate()
    _, errors = started.communicate(timeout=60)
    assert "Traceback" not in errors


def black(side_px: int = SIDE_PX, kind: str = ".png", *options: int) -> bytes:
    """Some ten kilobytes that are a large picture."""
    image = np.zeros((side_px, side_px, 3), np.uint8)
    return cv2.imencode(kind, image, list(options))[1].tobytes()


def send(address: str, kind: str, body: bytes) -> tuple[int, str]:
    """Status and sentence of the answer."""
    request = urllib.request.Request(address, body, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_eight_uploads_of_heavy_pictures_at_once_stay_within_a_small_memory(
    program: subprocess.Popen[str],
) -> None:
    assert program.stdout is not None
    told = re.search(r"http://\S+", program.stdout.readline())
    assert told is not None
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = json.dumps({"board": "usa", "players": players}).encode()
    assert send(f"{told[0]}api/act/start", "application/json", game)[0] == 200
    part = b'--x\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n'
    body = (part + black() + b"\r\n") * 4 + b"--x--\r\n"
    upload = (f"{told[0]}api/act/upload-photo", "multipart/form-data; boundary=x", body)
    with ThreadPoolExecutor(AT_ONCE) as senders:
        answers = list(senders.map(lambda _: send(*upload), range(AT_ONCE)))
    assert {status for status, _ in answers} <= {200, 409, 503}
    assert any(status == 200 for status, _ in answers)
    assert all("error" in json.loads(said) for status, said in answers if status != 200)
    assert send(f"{told[0]}api/act/show", "application/json", b'{"phase": "look"}')[0] == 200
    assert memory_mb(program.pid, "VmHWM") < MOST_MB


def test_photos_that_are_too_large_together_are_refused_before_any_is_decoded() -> None:
    with pytest.raises(ImageError, match="more than the 100 million pixels together"):
        decode_photos([black()] * 5)
    assert len(decode_photos([black(400)] * 6)) == 6


def test_of_several_photos_the_refusal_says_which_one_it_means() -> None:
    """A person who sends photos from a phone knows them by their order, not by their names."""
    heic = b"\0\0\0\x18ftypheic" + b"\0" * 200
    with pytest.raises(ImageError) as refused:
        decode_photos([black(400), heic, black(400)])
    assert refused.value.sentence("it").startswith("il file della foto 2 è una foto HEIC")
    assert "fanne uno screenshot" in refused.value.sentence("it")
    with pytest.raises(ImageError, match=r"^the file is a HEIC picture"):
        decode_photos([heic])


def test_one_photo_that_is_too_large_is_not_told_to_be_several() -> None:
    """Of a phone that takes 108 megapixels."""
    photo = bytearray(black(400, ".jpg"))
    size = photo.index(b"\xff\xc0") + 5
    photo[size : size + 4] = (9_000).to_bytes(2) + (12_000).to_bytes(2)
    with pytest.raises(ImageError, match="12000 × 9000 pixels, more than the 64 million"):
        decode_photos([bytes(photo)])


@pytest.mark.parametrize(
    ("kind", "options"),
    [(".png", ()), (".webp", ()), (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))],
)
def test_a_file_that_is_decoded_whole_may_have_fewer_pixels(
    kind: str, options: tuple[int, ...]
) -> None:
    with pytest.raises(ImageError, match="more than the 32 million"):
        decode_photo(black(5_700, kind, *options))
    assert decode_photo(black(5_000, kind, *options)).shape == (2_500, 2_500, 3)


def test_a_plain_jpeg_of_48_megapixels_is_taken() -> None:
    assert decode_photo(black(6_930, ".jpg")).shape == (3_465, 3_465, 3)


def test_one_upload_too_many_is_told_to_come_back() -> None:
    uploads = Uploads(patience_s=0.01)
    app = create_app(FakeTable())
    with uploads.reading(), pytest.raises(BusyError), uploads.reading():
        pytest.fail("two at once")
    with uploads.reading():
        pass
    photo = {"images": [(BytesIO(b"one"), "a.jpg")]}
    assert app.test_client().post("/api/act/upload-photo", data=photo).status_code != 503
