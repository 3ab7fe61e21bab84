"""Photos as they really arrive at the command line: odd but good ones are read, bad ones refused.

A refusal is one sentence on stderr and exit code 3 (2 for a file that isn't there), no traceback.
"""

import json
import os
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.cli.main import main
from scoring.board.board import load_board
from tests.support.child import run_measured
from tests.support.drawn_table import CLAIMED, drawn, full_photo, write_table

Picture = NDArray[np.uint8]
Photos = tuple[Path, Path]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Photos:
    """The table's calibration and the photo of its board with wagons."""
    calibration, _, full = write_table(tmp_path_factory.mktemp("table"))
    return calibration, full


@cache
def _germany() -> Picture:
    """An empty board of Germany under the same camera."""
    germany = load_board("germany")
    return drawn(germany, {}, seed=5, print_seed=214, size_px=(1200, 900)).image_bgr


def _encoded(kind: str, image: NDArray[np.generic], *options: int) -> bytes:
    done, data = cv2.imencode(kind, image, options)
    assert done
    return data.tobytes()


def _sixteen_bits(image: Picture) -> bytes:
    return _encoded(".png", image.astype(np.uint16) * 257, cv2.IMWRITE_PNG_COMPRESSION, 1)


def _with_alpha(image: Picture) -> bytes:
    alpha = np.full(image.shape[:2], 255, np.uint8)
    return _encoded(".png", np.dstack([image, alpha]), cv2.IMWRITE_PNG_COMPRESSION, 1)


def _cmyk(image: Picture) -> bytes:
    """A JPEG in printers' colours, as Adobe's programs write them: four grey pictures in one.

    They store the inks upside down, so cyan, magenta and yellow are red, green and blue with no
    black at all. Each component stands in a scan of its own.
    """
    blue, green, red = cv2.split(image)
    inks = [np.asarray(ink) for ink in (red, green, blue, np.full_like(red, 255))]
    parts = [_segments(_encoded(".jpg", ink, cv2.IMWRITE_JPEG_QUALITY, 95)) for ink in inks]
    tables = b"".join(body for marker, body in parts[0][:-1] if marker in (0xDB, 0xC4))
    height, width = red.shape
    components = b"".join(bytes([k, 0x11, 0]) for k in range(1, 5))
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 20, 8, height, width, 4) + components
    adobe = b"\xff\xee" + struct.pack(">H5sHHHB", 14, b"Adobe", 100, 0, 0, 0)
    scans = b"".join(
        b"\xff\xda" + struct.pack(">HBBBBBB", 8, 1, k, 0, 0, 63, 0) + found[-1][1]
        for k, found in enumerate(parts, 1)
    )
    return b"\xff\xd8" + adobe + tables + frame + scans + b"\xff\xd9"


def _segments(jpeg: bytes) -> list[tuple[int, bytes]]:
    """The segments of a grey JPEG; the last is the bare data of its one scan."""
    found, at = [], 2
    while jpeg[at + 1] != 0xDA:
        length = 2 + struct.unpack(">H", jpeg[at + 2 : at + 4])[0]
        found.append((jpeg[at + 1], jpeg[at : at + length]))
        at += length
    return [*found, (0xDA, jpeg[at + 10 : -2])]


@pytest.mark.parametrize("encode", [_sixteen_bits, _with_alpha, _cmyk])
def test_an_odd_but_good_file_is_read_like_any_photo(
    table: Photos,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    encode: Callable[[Picture], bytes],
) -> None:
    path = tmp_path / "photo"
    path.write_bytes(encode(full_photo().image_bgr))
    command = ["scan", str(path), "--board", "usa", "--calibration", str(table[0]), "--json"]
    assert main([*command, "--players", "red,blue,green"]) == 0
    routes = json.loads(capfd.readouterr().out)["routes"]
    assert {name: route["owner"] for name, route in routes.items() if route["owner"]} == CLAIMED


def _wood() -> Picture:
    """A table without a board: planks of wavering brown."""
    rng = np.random.default_rng(4)
    planks = rng.normal(0, 12, (8, 1, 1)) + rng.normal(0, 9, (8, 320, 1)).cumsum(axis=1) / 9
    brown = np.clip(np.array([60, 105, 150]) + planks, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(brown, (1600, 1200), interpolation=cv2.INTER_CUBIC), np.uint8)


def _noise() -> Picture:
    """Squares of random colours, on which a network may well see something along an edge."""
    squares = np.random.default_rng(0).integers(0, 256, (150, 100, 3), np.uint8)
    big = cv2.resize(squares, (800, 1200), interpolation=cv2.INTER_NEAREST)
    return np.asarray(big, np.uint8)


def _sepia(photo: Picture) -> Picture:
    """As photo programs make it: each channel a mix of all three."""
    of_rgb = np.array([[0.272, 0.534, 0.131], [0.349, 0.686, 0.168], [0.393, 0.769, 0.189]])
    return np.clip(photo[..., ::-1] @ of_rgb.T, 0, 255).astype(np.uint8)


def _gif(frames: int) -> bytes:
    """A moving picture of a few black frames."""
    head = b"GIF89a" + struct.pack("<HHBBB", 640, 480, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\0"
    return head + loop + frame * frames + b"\x3b"


def _jpeg(change: Callable[[Picture], Picture]) -> Callable[[], bytes]:
    return lambda: _encoded(".jpg", np.ascontiguousarray(change(full_photo().image_bgr)))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "text": (lambda: b"Dear Ada, here is the photo.\n" * 40, "is not a photo"),
    "nothing": (lambda: b"", "is not a photo"),
    "cut in half": (lambda: (whole := _jpeg(lambda p: p)())[: len(whole) // 2], "cut off"),
    "sent in half": (
        lambda: (whole := _jpeg(lambda p: p)())[: len(whole) // 2] + b"\xff\xd9",
        "lower part",
    ),
    "an iPhone's": (lambda: b"\0\0\0\x18ftypheic" + bytes(900), "save it as JPEG"),
    "one pixel": (lambda: _encoded(".png", np.zeros((1, 1, 3), np.uint8)), "only 1 × 1"),
    "moving": (lambda: _gif(3), "animation"),
    "black and white": (
        lambda: _encoded(".jpg", cv2.cvtColor(full_photo().image_bgr, cv2.COLOR_BGR2GRAY)),
        "no colours",
    ),
    "sepia": (_jpeg(_sepia), "no colours"),
    "red and blue swapped": (_jpeg(lambda p: p[..., ::-1]), "swap red and blue"),
    "dark": (_jpeg(lambda p: p // 20), "too dark"),
    "blurred": (_jpeg(lambda p: np.asarray(cv2.GaussianBlur(p, (0, 0), 14), np.uint8)), "blurred"),
    "no board": (lambda: _encoded(".jpg", _wood()), "board"),
    "noise": (lambda: _encoded(".png", _noise()), "no board"),
    "half out": (_jpeg(lambda p: p[:, : p.shape[1] // 2]), "board"),
    "another board": (lambda: _encoded(".jpg", _germany()), "Germany, not"),
    "mirrored": (_jpeg(lambda p: p[:, ::-1]), "mirrored"),
}


@pytest.mark.parametrize("help_", ["by itself", "calibrated"])
@pytest.mark.parametrize("name", list(REFUSED))
def test_a_bad_photo_is_refused_in_one_sentence_that_says_why(
    table: Photos, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, help_: str
) -> None:
    make, reason = REFUSED[name]
    path = tmp_path / "photo.jpg"
    path.write_bytes(make())
    command = ["scan", str(path), "--board", "usa", "--json"]
    assert main(command + ["--calibration", str(table[0])] * (help_ == "calibrated")) == 3
    printed = capfd.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("companion scan: ")
    assert reason in line


def _scratched() -> bytes:
    """A JPEG with some bytes of its picture overwritten: what follows has other colours."""
    data = _jpeg(lambda p: p)()
    middle = len(data) // 2
    return data[:middle] + bytes(60) + data[middle + 60 :]


def test_a_scratched_photo_is_refused_in_our_own_sentence_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scratched.jpg"
    path.write_bytes(_scratched())
    cv2.imread(str(path))
    assert "Corrupt JPEG" in capfd.readouterr().err, "else this test proves nothing"
    assert main(["scan", str(path), "--board", "usa"]) == 3
    printed = capfd.readouterr()
    assert "scratched.jpg is damaged: copy or send it again" in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["nowhere.jpg", "."])
def test_what_is_no_file_is_wrong_usage(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["scan", str(tmp_path / name), "--board", "usa"]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize(
    "command",
    [
        "scan {odd} --board usa",
        "scan {photo} --board usa --calibration {odd}",
        "scan {photo} --board usa --reference {odd}",
        "calibrate --empty {odd} --board usa -o out",
        "score {odd}",
        "score {photo} --board {odd}",
        "explain {odd} --player Ada",
        "diff {odd} {odd}",
        "boards check {odd}",
        "boards cards {odd}",
    ],
)
def test_a_pipe_or_a_device_is_refused_before_it_is_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str, kind: str
) -> None:
    photo, pipe = tmp_path / "photo.json", tmp_path / "pipe"
    photo.write_text("{}")
    os.mkfifo(pipe)
    odd = pipe if kind == "pipe" else "/dev/zero"
    assert main(command.format(photo=photo, odd=odd).split()) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert f"{odd} cannot be read: it is a device or a pipe" in line


def test_of_several_photos_the_refused_one_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "mine.jpg", tmp_path / "yours.jpg"]
    for path, image in zip(paths, (full_photo().image_bgr, _germany()), strict=True):
        path.write_bytes(_encoded(".jpg", image))
    assert main(["scan", *map(str, paths), "--board", "usa"]) == 3
    (line,) = capfd.readouterr().err.splitlines()
    assert f"the photo {paths[1]}: this looks like Ticket to Ride Germany" in line


def test_a_small_file_with_a_giant_picture_costs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "giant.png"
    path.write_bytes(_giant_png(20_000))
    assert path.stat().st_size < 700_000
    child = run_measured(["scan", str(path), "--board", "usa"])
    assert child.code == 3
    assert len(child.err.splitlines()) == 1
    assert "20000 × 20000 pixels" in child.err
    assert child.peak_mb < 350  # the picture alone would take 1,200


def _giant_png(side: int) -> bytes:
    """A whole and valid black picture: 400 million pixels in some hundred kilobytes."""
    packer = zlib.compressobj(9)
    rows = bytes((side + 1) * 500)  # each row has a byte before it that names its filter
    data = b"".join(packer.compress(rows) for _ in range(side // 500)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
