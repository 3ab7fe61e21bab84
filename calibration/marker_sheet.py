"""The page with the four corner markers, to print and cut out, as PNG or PDF."""

import struct
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.language import LANGUAGES, text
from vision.images.encode import png
from vision.registration.markers import (
    MARKER_IDS,
    MARKER_MM,
    RIM_MM,
    TOUCHING_CORNER,
    marker_picture,
)

DPI = 300
PAGE_MM = (297.0, 210.0)
"""A4, landscape."""

RULE_MM = 100.0
"""The line by which a table checks that its printer didn't scale the page."""

_PLACES_MM = ((60.0, 50.0), (207.0, 50.0), (207.0, 130.0), (60.0, 130.0))
"""Left upper corner of each marker, standing about the page as about the board."""

_STEPS = ("title", "step-1", "step-2", "step-3", "step-4")

_GREY, _BLACK = 170, 0

Page = NDArray[np.uint8]


def markers_page() -> Page:
    """The page, ndarray of shape (H, W), uint8, grey, at 300 dpi; its words in both languages."""
    width, height = (_px(side) for side in PAGE_MM)
    page = np.full((height, width), 255, np.uint8)
    for index in range(len(MARKER_IDS)):
        _draw_marker(page, index)
    _draw_rule(page)
    for language, top_mm in zip(LANGUAGES, (11.0, 176.0), strict=True):
        for row, step in enumerate(_STEPS):
            _write(page, text(f"calibration.markers.{step}", language), 12.0, top_mm + 6 * row)
    return page


def markers_png(page: Page) -> bytes:
    """The page as PNG that says its resolution, so that 100 % means millimetres."""
    data = png(page)
    per_metre = round(DPI / 0.0254)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    header_end = 8 + 25  # signature, then IHDR: length, name, 13 bytes, checksum
    return data[:header_end] + chunk + data[header_end:]


def markers_pdf(page: Page) -> bytes:
    """The page as a PDF of one A4 sheet: the smallest that the format allows."""
    height, width = page.shape
    points = [f"{side / 25.4 * 72:.2f}" for side in PAGE_MM]
    place = f"q {points[0]} 0 0 {points[1]} 0 0 cm /Page Do Q".encode()
    pixels = zlib.compress(page.tobytes(), 9)
    image = (
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
        "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode"
    )
    return _pdf_file(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {' '.join(points)}] /Contents 4 0 R "
        "/Resources << /XObject << /Page 5 0 R >> >> >>".encode(),
        _pdf_stream("", place),
        _pdf_stream(image, pixels),
    )


def _pdf_stream(entries: str, data: bytes) -> bytes:
    head = f"<< {entries} /Length {len(data)} >>\nstream\n".encode()
    return head + data + b"\nendstream"


def _pdf_file(*objects: bytes) -> bytes:
    """Objects numbered from 1, the first being the catalogue, with the table of where they are."""
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    return (
        out
        + (
            f"xref\n0 {count}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        ).encode()
    )


def _draw_marker(page: Page, index: int) -> None:
    """A marker with its cutting line, the angle that goes on the board's corner, and its name."""
    left_mm, top_mm = _PLACES_MM[index]
    x, y, side, rim = _px(left_mm), _px(top_mm), _px(MARKER_MM), _px(RIM_MM)
    page[y : y + side, x : x + side] = marker_picture(index, side)
    cv2.rectangle(page, (x - rim, y - rim), (x + side + rim, y + side + rim), _GREY, 2)
    touching = TOUCHING_CORNER[index]
    right, low = touching in (1, 2), touching in (2, 3)
    corner = (x + side * right, y + side * low)
    for dx, dy in ((rim if right else -rim, 0), (0, rim if low else -rim)):
        cv2.line(page, corner, (corner[0] + dx, corner[1] + dy), _BLACK, 3)
    beside_mm = left_mm + MARKER_MM + RIM_MM + 4 if index in (0, 3) else left_mm - RIM_MM - 44
    for row, language in enumerate(LANGUAGES):
        word = text(f"calibration.markers.corner-{index}", language)
        _write(page, word, beside_mm, top_mm + MARKER_MM / 2 + 6 * row)


def _draw_rule(page: Page) -> None:
    """A line of 100 mm with a tick at either end."""
    left, y = _px((PAGE_MM[0] - RULE_MM) / 2), _px(PAGE_MM[1] / 2)
    right = left + _px(RULE_MM)
    cv2.line(page, (left, y), (right, y), _BLACK, 3)
    for x in (left, right):
        cv2.line(page, (x, y - _px(2.0)), (x, y + _px(2.0)), _BLACK, 3)
    _write(page, f"{RULE_MM:.0f} mm", PAGE_MM[0] / 2 - 7, PAGE_MM[1] / 2 - 3)


def _write(page: Page, words: str, x_mm: float, y_mm: float) -> None:
    """A line of text, its baseline's start in millimetres of the page."""
    at = _px(x_mm), _px(y_mm)
    cv2.putText(page, words, at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, _BLACK, 2, cv2.LINE_AA)


def _px(length_mm: float) -> int:
    return round(length_mm / 25.4 * DPI)
