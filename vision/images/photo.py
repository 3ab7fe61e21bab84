"""Decodes photos: the header is checked first, so that no file can exhaust the memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.language import Message
from vision.errors import ImageError
from vision.images.headers import PhotoHeader, read_header
from vision.images.plain_file import read_plain
from vision.images.seam import BLOCK_PX, has_seam
from vision.images.stderr_capture import capture_stderr


@dataclass(frozen=True, slots=True)
class PhotoLimits:
    """What a photo may be. Each figure says where it comes from."""

    max_bytes: int = 80_000_000
    """Twice the largest JPEG a 48-megapixel phone writes."""
    max_pixels: int = 64_000_000
    """48-megapixel phones pass; decoded at most one such picture stands in memory."""
    max_whole_pixels: int = 32_000_000
    """The same for a file that can't be halved while decoding: any but a plain JPEG. WebP takes 7
    bytes a pixel then, a progressive JPEG 6."""
    max_pixels_together: int = 100_000_000
    """Of all photos of one moment: eight of a 12-megapixel phone, or two of 48 megapixels."""
    max_side_px: int = 4_608
    """Long side kept: a 12-megapixel photo stays whole, a larger one is halved while decoding."""
    min_side_px: int = 320
    """Under this a printed space is less than 4 pixels wide."""
    dark_level: float = 22.0
    """A photo whose brightest 5 % lie under this grey shows no colours (the darkest has 179)."""
    blur_detail: float = 0.012
    """Least `detail`: the softest photo has 0.124, one blurred by 4 of 1,000 pixels 0.012 up."""
    soft_detail: float = 0.1
    """Under this a photo in which no board is found may be blurred: one whose camera moved by a
    hundredth of it has 0.07."""
    blurred_detail: float = 0.07
    """Under this it is: renders by a lamp, grainy and seen from far, have 0.08 and more, all photos
    blurred by a four-hundredth of their width 0.06 at most."""
    bright_level: float = 245.0
    """A photo without colours of which 95 % lie above this grey is burnt out, not grey."""
    colour_spread: float = 2.0
    """Least spread of colours in levels: grey files have 0, the palest photo of a board has 20."""
    missing_strip: float = 0.04
    """A strip along an edge as wide as this part of the photo, blank: the file ended before it."""


PHOTO_LIMITS = PhotoLimits()


TAKE_ANOTHER = Message("vision.take-another")
TAKE_SHARPER = Message("vision.take-sharper")
"""What to do where a photo is of no use: in general, and where it looks blurred."""

Name = str | Message
"""What a message calls a photo: its file's name, or "the file" in the reader's language."""

UNNAMED = Message("vision.photo.the-file")

CHECKED_SIDE_PX = 1_000
"""Long side at which darkness, sharpness and colours of a photo are looked at."""

UNREAD_KINDS: tuple[str, ...] = ("gif", "avif")
"""Pictures that are recognised, so that their refusal can say what to do, but not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photo, upright as its EXIF says.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR. `scale` is the number of the file's
    pixels along one image pixel: 1.0 unless the file was larger than the limit.
    """

    image_bgr: NDArray[np.uint8]
    scale: float


def load_photo(path: Path | str, max_side_px: int = PHOTO_LIMITS.max_side_px) -> NDArray[np.uint8]:
    """The photo of a file as an ndarray of shape (H, W, 3), uint8, BGR, upright.

    Raises ImageError where it is no usable photo, OSError where the file can't be read.
    """
    return open_photo(path, max_side_px).image_bgr


def open_photo(
    path: Path | str,
    max_side_px: int = PHOTO_LIMITS.max_side_px,
    *,
    colours_matter: bool = True,
) -> Photo:
    """Like `load_photo`, with the scale to the file's own pixels; raises the same.

    Where colours do not matter, as for text on cards, a file that lost a piece is not refused.
    """
    path = Path(path)
    if path.stat().st_size > PHOTO_LIMITS.max_bytes:
        most = PHOTO_LIMITS.max_bytes // 1_000_000
        raise ImageError("vision.photo.too-many-bytes", name=path.name, most=most)
    data = read_plain(path, PHOTO_LIMITS.max_bytes)
    return _decode(data, max_side_px, path.name, colours_matter)


def decode_photo(
    data: bytes,
    max_side_px: int = PHOTO_LIMITS.max_side_px,
    *,
    colours_matter: bool = True,
) -> NDArray[np.uint8]:
    """The photo in these bytes as an ndarray of shape (H, W, 3), uint8, BGR, upright.

    `colours_matter` as for `open_photo`. Raises ImageError where they are no usable photo.
    """
    return _decode(data, max_side_px, UNNAMED, colours_matter).image_bgr


def decode_photos(images: Sequence[bytes]) -> tuple[NDArray[np.uint8], ...]:
    """The photos of one moment, each (H, W, 3), uint8, BGR, as `decode_photo` gives them.

    Raises ImageError also where all of them together are too large; of several it says which one.
    """
    headers = [header for data in images if (header := read_header(data)) is not None]
    pixels = sum(header.pixels for header in headers)
    if len(images) > 1 and pixels > PHOTO_LIMITS.max_pixels_together:
        most = PHOTO_LIMITS.max_pixels_together // 1_000_000
        raise ImageError("vision.photo.too-many-pixels-together", most=most)
    side_px = PHOTO_LIMITS.max_side_px
    return tuple(
        _decode(data, side_px, _name_among(images, place), colours_matter=True).image_bgr
        for place, data in enumerate(images, start=1)
    )


def _name_among(images: Sequence[bytes], place: int) -> Name:
    """What a message calls a photo of one moment."""
    return UNNAMED if len(images) == 1 else Message("vision.photo.the-file-of", number=place)


def check_quality(image_bgr: NDArray[np.uint8]) -> float:
    """Raise ImageError for a photo (H, W, 3), BGR, too dark, pale or blurred to read wagons.

    Of one that can be read it tells how fine its `detail` is.
    """
    small = _small(image_bgr)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey[::2, ::2], 95)) < PHOTO_LIMITS.dark_level:
        raise ImageError("vision.photo.dark", again=TAKE_ANOTHER)
    if _colour_spread(small) < PHOTO_LIMITS.colour_spread:
        if float(np.percentile(grey[::2, ::2], 5)) > PHOTO_LIMITS.bright_level:
            raise ImageError("vision.photo.bright", again=TAKE_ANOTHER)
        raise ImageError("vision.photo.no-colours", again=TAKE_ANOTHER)
    fine = detail(grey)
    if fine < PHOTO_LIMITS.blur_detail:
        raise ImageError("vision.photo.blurred", again=TAKE_ANOTHER)
    return fine


def check_legible(image_bgr: NDArray[np.uint8]) -> None:
    """Raise ImageError for a photo of cards (H, W, 3), BGR, too dark, pale or blurred to read text.

    Colours are not needed for that.
    """
    grey = np.asarray(cv2.cvtColor(_small(image_bgr), cv2.COLOR_BGR2GRAY), np.uint8)
    darkest, brightest = np.percentile(grey[::2, ::2], (5, 95))
    if brightest < PHOTO_LIMITS.dark_level:
        raise ImageError("vision.tickets.dark")
    if darkest > PHOTO_LIMITS.bright_level:
        raise ImageError("vision.tickets.bright")
    if detail(grey) < PHOTO_LIMITS.blur_detail:
        raise ImageError("vision.tickets.blurred")


def take_another(image_bgr: NDArray[np.uint8]) -> Message:
    """What to do where nothing is found in a photo (H, W, 3), BGR; names a blur that is likely."""
    grey = np.asarray(cv2.cvtColor(_small(image_bgr), cv2.COLOR_BGR2GRAY), np.uint8)
    return TAKE_SHARPER if detail(grey) < PHOTO_LIMITS.soft_detail else TAKE_ANOTHER


def detail(grey: NDArray[np.uint8]) -> float:
    """Fine detail over contrast of a grey image (H, W): 0.1 and more if sharp, near 0 if blurred.

    Measured on the photo in grey at 1,000 pixels as the 95th percentile of what a blur of 2 pixels
    takes away, over the spread of grey, so that neither light nor resolution counts. Every other
    pixel tells both.
    """
    levels = grey.astype(np.float32)
    fine = np.abs(levels - cv2.GaussianBlur(levels, (0, 0), 2.0))[::2, ::2]
    low, high = np.percentile(grey[::2, ::2], (5, 95))
    return float(np.percentile(fine, 95)) / max(float(high - low), 8.0)


def _colour_spread(small_bgr: NDArray[np.uint8]) -> float:
    """How far apart the photo's hues lie, in levels; the light's own tint takes no part."""
    blue, green, red = np.moveaxis(small_bgr[::3, ::3].astype(np.int16), -1, 0)
    tints = np.stack([blue - green, red - green]).reshape(2, -1)
    return float(np.percentile(np.abs(tints - np.median(tints, axis=1)[:, None]), 95))


def _small(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The photo at CHECKED_SIDE_PX; every other pixel is enough of a large one (4x faster)."""
    step = max(1, max(image_bgr.shape[:2]) // (2 * CHECKED_SIDE_PX))
    size = (image_bgr.shape[1] // step, image_bgr.shape[0] // step)
    thinned = cv2.resize(image_bgr, size, interpolation=cv2.INTER_NEAREST)
    scale = min(1.0, CHECKED_SIDE_PX / max(size))
    small = cv2.resize(thinned, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _decode(data: bytes, max_side_px: int, name: Name, colours_matter: bool) -> Photo:
    header = read_header(data)
    if header is None and data[4:8] == b"ftyp":  # the box that HEIC, AVIF and MP4 begin with
        raise ImageError("vision.photo.heic", name=name)
    if header is None:
        raise ImageError("vision.photo.no-photo", name=name)
    _refuse_unusable(header, name)
    image, complaint = capture_stderr(lambda: _imdecode(data, header, max_side_px))
    if image is not None and header.kind == "jpeg" and _is_partly_blank(image):
        raise ImageError("vision.photo.blank-part", name=name)
    if image is None or _is_serious(complaint, data):
        raise ImageError("vision.photo.damaged", name=name)
    if colours_matter and _lost_a_piece(image, header):
        raise ImageError("vision.photo.seam", name=name)
    scale = max(header.width, header.height) / max(image.shape[:2])
    return Photo(image, scale)


def _refuse_unusable(header: PhotoHeader, name: Name) -> None:
    if header.kind in UNREAD_KINDS:
        raise ImageError(f"vision.photo.{header.kind}", name=name)
    if header.animated:
        raise ImageError("vision.photo.animation", name=name)
    width, height = header.width, header.height
    whole = header.kind != "jpeg" or header.progressive
    most_pixels = PHOTO_LIMITS.max_whole_pixels if whole else PHOTO_LIMITS.max_pixels
    if header.pixels > most_pixels:
        most = most_pixels // 1_000_000
        raise ImageError(
            "vision.photo.too-many-pixels", name=name, width=width, height=height, most=most
        )
    if min(width, height) < PHOTO_LIMITS.min_side_px:
        raise ImageError("vision.photo.too-small", name=name, width=width, height=height)
    if not header.complete:
        raise ImageError("vision.photo.cut-off", name=name)


def _imdecode(data: bytes, header: PhotoHeader, max_side_px: int) -> NDArray[np.uint8] | None:
    """Decode, halving on the way (JPEG skips the work) while the photo is longer than the limit."""
    flags = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
    longest = max(header.width, header.height)
    divisor = next((d for d in flags if longest <= d * max_side_px), 4)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags[divisor])
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _is_serious(complaint: bytes, data: bytes) -> bool:
    """Whether the JPEG decoder met spoilt data. Some cameras pad the end, which it mentions too."""
    lines = [line for line in complaint.splitlines() if b"JPEG" in line]
    if any(b"extraneous bytes before marker 0xd9" not in line for line in lines):
        return True
    end = data.rfind(b"\xff\xd9")
    padding = max(
        (int(word) for line in lines for word in line.split() if word.isdigit()), default=0
    )
    return len(set(data[end - padding : end])) > 1


def _lost_a_piece(image_bgr: NDArray[np.uint8], header: PhotoHeader) -> bool:
    """Whether a JPEG is shifted from some row on, which its decoder does not notice.

    A picture that is put together from two of one table may look so, too.
    """
    if header.kind != "jpeg":
        return False
    height, width = image_bgr.shape[:2]
    turned = (width > height) != (header.width > header.height)
    divisor = round(max(header.width, header.height) / max(width, height))
    block_px = BLOCK_PX // divisor
    return has_seam(image_bgr, turned=turned, block_px=block_px, file_step=header.step)


def _is_partly_blank(image_bgr: NDArray[np.uint8]) -> bool:
    """Whether a strip along an edge is exactly mid-grey: what a JPEG decoder puts for lost data.

    The strip is the lowest, or another one where EXIF has the photo turned.
    """
    height, width = image_bgr.shape[:2]
    rows, columns = (max(1, round(PHOTO_LIMITS.missing_strip * side)) for side in (height, width))
    strips = image_bgr[-rows:], image_bgr[:rows], image_bgr[:, :columns], image_bgr[:, -columns:]
    return any(bool((np.abs(strip.astype(np.int16) - 128) <= 1).all()) for strip in strips)
