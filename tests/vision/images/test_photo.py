"""What is taken for a photo, and the one sentence that refuses what isn't."""

import struct
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.images.photo import check_legible, check_quality, decode_photo, load_photo, open_photo


def _picture(width: int = 640, height: int = 480, block: int = 8) -> np.ndarray:
    rng = np.random.default_rng(3)
    small = rng.integers(0, 255, (height // block, width // block, 3), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _encoded(kind: str, image: np.ndarray) -> bytes:
    done, data = cv2.imencode(kind, image)
    assert done
    return data.tobytes()


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_a_photo_of_a_usual_kind_comes_back_in_its_own_size(kind: str) -> None:
    image = decode_photo(_encoded(kind, _picture()))
    assert image.shape == (480, 640, 3)
    assert image.dtype == np.uint8


def test_a_grey_png_becomes_three_channels() -> None:
    assert decode_photo(_encoded(".png", _picture()[..., 0])).shape == (480, 640, 3)


@pytest.mark.parametrize(
    ("colour_type", "channels"), [(0, 1), (4, 2), (6, 4)], ids=["grey", "grey-alpha", "alpha"]
)
@pytest.mark.parametrize("bits", [8, 16])
def test_an_unusual_png_keeps_its_levels(colour_type: int, channels: int, bits: int) -> None:
    """Programs for pictures write grey with a mask, and 16 bits; the mask hides nothing here."""
    grey = _picture()[..., 0]
    level = grey.astype(f">u{bits // 8}") * (257 if bits == 16 else 1)
    pixels = np.dstack([level] * max(1, channels - 1) + [np.full_like(level, 9)])[..., :channels]
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    header = struct.pack(">IIBBBBB", 640, 480, bits, colour_type, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + _png_chunk(b"IHDR", header)
    data += _png_chunk(b"IDAT", zlib.compress(rows, 1)) + _png_chunk(b"IEND", b"")
    assert (decode_photo(data) == grey[..., None]).all()


def test_a_photo_over_the_limit_is_halved_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    path.write_bytes(_encoded(".jpg", _picture(1600, 1200)))
    photo = open_photo(path, max_side_px=1000)
    assert photo.image_bgr.shape == (600, 800, 3)
    assert photo.scale == 2.0


def test_a_photo_is_turned_as_its_exif_says() -> None:
    image = np.zeros((400, 600, 3), np.uint8)
    image[:, 300:] = 255
    data = _encoded(".jpg", image)
    orientation_6 = (
        b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
    )
    exif = b"Exif\x00\x00" + orientation_6 + b"\x00\x00\x00\x00"
    turned = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    upright = decode_photo(turned)
    assert upright.shape == (600, 400, 3)
    assert upright[:250].mean() < 10  # the dark left half is now above
    assert upright[350:].mean() > 245


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_a_photo_cut_in_half_is_refused(kind: str) -> None:
    data = _encoded(kind, _picture())
    with pytest.raises(ImageError, match="cut off"):
        decode_photo(data[: len(data) // 2])


def test_a_jpeg_with_a_hole_in_it_is_refused_and_the_library_kept_quiet(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A block of the disk is lost: what follows decodes to wrong colours, and must not be read."""
    data = bytearray(_encoded(".jpg", _picture()))
    third = len(data) // 3
    data[third : third + 2000] = bytes(2000)
    with pytest.raises(ImageError, match=r"damaged: copy or send it again"):
        decode_photo(bytes(data))
    assert capfd.readouterr().err == ""


def test_padding_before_the_end_of_a_jpeg_does_no_harm() -> None:
    """Some cameras fill the file up with zeros before the mark of its end."""
    data = _encoded(".jpg", _picture())
    assert decode_photo(data[:-2] + bytes(64) + data[-2:]).shape == decode_photo(data).shape


def test_bytes_after_the_end_of_a_jpeg_do_no_harm() -> None:
    data = _encoded(".jpg", _picture()) + b"a phone's moving picture" * 100
    assert decode_photo(data).shape == (480, 640, 3)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"BM", b"just some words, not a photo"])
def test_anything_else_called_a_photo_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "holiday.jpg"
    path.write_bytes(data)
    with pytest.raises(ImageError, match=r"holiday\.jpg is not a photo"):
        load_photo(path)


def test_a_gif_is_refused() -> None:
    """With one frame or many: no camera writes it."""
    data = b"GIF89a" + struct.pack("<HH", 640, 480) + bytes(2000)
    with pytest.raises(ImageError, match="is a GIF, made for animations and drawings"):
        decode_photo(data)


def test_a_moving_png_and_a_moving_webp_are_refused_as_animations() -> None:
    still = _encoded(".png", _picture())
    at = still.index(b"IDAT") - 4
    moving_png = still[:at] + _png_chunk(b"acTL", struct.pack(">II", 2, 0)) + still[at:]
    frame = _encoded(".webp", _picture())[12:]
    size = (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes([2, 0, 0, 0]) + size + frame
    for data in (moving_png, b"RIFF" + struct.pack("<I", len(body)) + body):
        with pytest.raises(ImageError, match="is an animation"):
            decode_photo(data)


@pytest.mark.parametrize(("brand", "words"), [(b"avif", "an AVIF picture"), (b"heic", "iPhone")])
def test_other_formats_of_phones_and_the_web_are_told_apart(brand: bytes, words: str) -> None:
    with pytest.raises(ImageError, match=words):
        decode_photo(b"\0\0\0\x20ftyp" + brand + bytes(900))


def test_a_burnt_out_photo_is_not_called_black_and_white() -> None:
    with pytest.raises(ImageError, match="overexposed"):
        check_quality(np.full((480, 640, 3), 254, np.uint8))
    with pytest.raises(ImageError, match="black-and-white"):
        check_quality(np.full((480, 640, 3), 120, np.uint8))


def test_a_png_that_would_fill_the_memory_is_refused_by_its_header() -> None:
    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    row = zlib.compress(bytes(1_000_000), 9)
    data = b"\x89PNG\r\n\x1a\n" + _png_chunk(b"IHDR", header) + _png_chunk(b"IDAT", row)
    with pytest.raises(ImageError, match="20000 × 20000 pixels"):
        decode_photo(data + _png_chunk(b"IEND", b""))


@pytest.mark.parametrize("piece", [b"\xff", b"\xff\xe1\x00\x02"])
def test_a_jpeg_of_nothing_but_beginnings_is_refused_at_once(piece: bytes) -> None:
    """60 MB of them took ten seconds, and all other photos had to wait."""
    began_s = time.process_time()
    with pytest.raises(ImageError, match="is not a photo"):
        decode_photo(b"\xff\xd8" + piece * (20_000_000 // len(piece)))
    assert time.process_time() - began_s < 1.0


def test_a_progressive_jpeg_of_ten_passes_is_read_and_one_of_hundreds_is_none() -> None:
    """A megabyte of passes over a large picture keeps the decoder busy for many minutes."""
    done, written = cv2.imencode(".jpg", _picture(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    data = written.tobytes()
    assert done
    assert data.count(b"\xff\xda") == 10
    assert decode_photo(data).shape == (480, 640, 3)
    last = data[data.rindex(b"\xff\xda") : -2]
    with pytest.raises(ImageError, match="is not a photo"):
        decode_photo(data[:-2] + last * 300 + data[-2:])


def test_a_jpeg_whose_colours_come_one_after_the_other_has_the_limit_of_a_whole_picture() -> None:
    """It stands in the memory whole until the last colour is there: 470 MB, not 140."""
    data = bytearray(_encoded(".jpg", _picture()))
    size, scan = data.index(b"\xff\xc0") + 5, data.index(b"\xff\xda")
    data[size : size + 4] = struct.pack(">HH", 7_992, 8_000)
    one_colour = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + bytes(500) + b"\xff\xd9"
    with pytest.raises(ImageError, match=r"8000 × 7992 pixels, more than the 32 million"):
        decode_photo(bytes(data[:scan]) + one_colour)


def test_a_thumbnail_is_refused() -> None:
    with pytest.raises(ImageError, match="160 × 120"):
        decode_photo(_encoded(".jpg", _picture(160, 120)))


def test_a_good_photo_passes_the_quality_check() -> None:
    check_quality(_picture())


def test_a_photo_in_the_dark_is_refused() -> None:
    with pytest.raises(ImageError, match="too dark"):
        check_quality((_picture() // 20).astype(np.uint8))


def test_a_refusal_speaks_italian() -> None:
    with pytest.raises(ImageError) as dark:
        check_quality((_picture() // 20).astype(np.uint8))
    assert dark.value.sentence("it") == (
        "la foto è troppo scura per distinguere i colori: fai un'altra foto dall'alto, con buona "
        "luce e con tutti e quattro gli angoli del tabellone"
    )
    with pytest.raises(ImageError) as cut:
        decode_photo(_encoded(".jpg", _picture())[:5000])
    assert cut.value.sentence("it").startswith("il file è troncato prima della fine")


def test_a_photo_blurred_beyond_use_is_refused() -> None:
    blurred = cv2.GaussianBlur(_picture(1000, 750, block=125), (0, 0), 12)
    with pytest.raises(ImageError, match="blurred"):
        check_quality(np.asarray(blurred, np.uint8))


def test_a_photo_of_cards_needs_light_and_sharpness_and_no_colours() -> None:
    grey = cv2.cvtColor(_picture(), cv2.COLOR_BGR2GRAY)
    check_legible(np.repeat(grey[:, :, None], 3, axis=2))
    blurred = cv2.GaussianBlur(_picture(1000, 750, block=125), (0, 0), 12)
    for picture, words in (
        ((_picture() // 20).astype(np.uint8), "too dark to read"),
        (np.full((480, 640, 3), 254, np.uint8), "off the cards"),
        (np.asarray(blurred, np.uint8), "too blurred to read"),
    ):
        with pytest.raises(ImageError, match=words) as refused:
            check_legible(picture)
        assert "board" not in str(refused.value)
