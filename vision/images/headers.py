"""What the first bytes of a picture file say, without decoding it: its kind, size and wholeness."""

import re
import struct
from dataclasses import dataclass

PROGRESSIVE = (0xC2, 0xC6, 0xCA, 0xCE)
"""Frame headers of JPEGs that are decoded in several passes over the whole picture."""

START_OF_SCAN, END_OF_IMAGE, QUANTIZATION = 0xDA, 0xD9, 0xDB

MOST_SCANS = 64
"""Passes over the picture that a JPEG may ask for; encoders ask for about ten. A megabyte holds
20,000 tiny ones: each goes over all pixels again, for many minutes in all."""

MOST_SEGMENTS = 4_096
"""A JPEG of 80 MB has room for 1,300 of full size before its picture; nobody writes more."""

NEXT_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""After a scan: within it 0xFF is followed by 0x00 or a restart mark."""


@dataclass(frozen=True, slots=True)
class PhotoHeader:
    """What the first bytes say: the kind of file and its size in pixels, and whether it is cut.

    `progressive`: a JPEG that is decoded in several passes, and stands in memory whole meanwhile.
    `step`: by how many levels, at least, a JPEG's blocks differ in brightness or in colour where
    they differ at all; the coarser of both.
    """

    kind: str
    width: int
    height: int
    complete: bool
    animated: bool = False
    progressive: bool = False
    step: float = 0.0

    @property
    def pixels(self) -> int:
        """How many there are."""
        return self.width * self.height


def read_header(data: bytes) -> PhotoHeader | None:
    """The header of a file of a known kind, or None."""
    try:
        if data[:2] == b"\xff\xd8":
            return _jpeg_header(data)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return _png_header(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_header(data)
        if data[:3] == b"GIF":
            width, height = struct.unpack("<HH", data[6:10])
            return PhotoHeader("gif", width, height, complete=True)
        if data[4:12] in (b"ftypavif", b"ftypavis"):
            return PhotoHeader("avif", 0, 0, complete=True)
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return PhotoHeader("bmp", abs(width), abs(height), len(data) >= _little(data[2:6]))
    except (struct.error, IndexError):
        return None
    return None


def _jpeg_header(data: bytes) -> PhotoHeader | None:
    """Walk the segments to the frame header (SOF) and the first scan (SOS).

    The first 0xFFD9 after it is the end of the picture; without one the file is cut.
    """
    at, size, progressive, parts, step = 2, None, False, 0, 0.0
    for _ in range(MOST_SEGMENTS):
        if at + 4 > len(data):
            break
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            size, progressive, parts = (width, height), marker in PROGRESSIVE, data[at + 9]
        if marker == QUANTIZATION:
            step = max(step, _coarsest_step(data[at + 4 : _next_segment(data, at)]))
        if marker == START_OF_SCAN:
            progressive = progressive or data[at + 4] < parts
            break
        at = _next_segment(data, at)
    else:
        return None
    if size is None or (progressive and _scans(data, at) > MOST_SCANS):
        return None
    complete = data.find(b"\xff\xd9", at) >= 0
    return PhotoHeader("jpeg", *size, complete, progressive=progressive, step=step)


def _coarsest_step(tables: bytes) -> float:
    """The largest first figure of a segment's tables, in levels: a block's sum counts in eighths.

    There are four tables at most, of 64 figures of one byte or two.
    """
    coarsest, at = 0, 0
    while at < min(len(tables), 4 * 129):
        wide = 2 if tables[at] >> 4 else 1
        coarsest = max(coarsest, int.from_bytes(tables[at + 1 : at + 1 + wide]))
        at += 1 + 64 * wide
    return coarsest / 8


def _next_segment(data: bytes, at: int) -> int:
    return at + 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])


def _scans(data: bytes, at: int) -> int:
    """How many scans there are; `at` is where the first one begins."""
    scans = 0
    for _ in range(MOST_SEGMENTS):
        if at + 4 > len(data) or data[at + 1] == END_OF_IMAGE:
            return scans
        scans += data[at + 1] == START_OF_SCAN
        following = NEXT_MARKER.search(data, _next_segment(data, at))
        at = len(data) if following is None else following.start()
    return MOST_SEGMENTS


def _png_header(data: bytes) -> PhotoHeader:
    width, height = struct.unpack(">II", data[16:24])
    head = data[: max(0, data.find(b"IDAT"))]
    return PhotoHeader("png", width, height, b"IEND" in data[-4096:], animated=b"acTL" in head)


def _webp_header(data: bytes) -> PhotoHeader | None:
    """WebP in its three forms: lossy, lossless, extended (only the last can be animated)."""
    kind, body = data[12:16], data[20:30]
    complete = len(data) >= _little(data[4:8]) + 8
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return PhotoHeader("webp", width & 0x3FFF, height & 0x3FFF, complete)
    if kind == b"VP8L":
        bits = _little(body[1:5])
        return PhotoHeader("webp", (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1, complete)
    if kind == b"VP8X":
        width, height = _little(body[4:7]) + 1, _little(body[7:10]) + 1
        return PhotoHeader("webp", width, height, complete, animated=bool(body[0] & 0x02))
    return None


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
