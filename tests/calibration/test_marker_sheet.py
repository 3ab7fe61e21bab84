"""The printed page of markers: right size, right corners, in both file formats."""

import re
import struct
import zlib

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.marker_sheet import Page, markers_page, markers_pdf, markers_png
from vision.registration.markers import MARKER_IDS

TO_MM = 25.4 / 300


def markers_mm(page: Page) -> list[NDArray[np.float64]]:
    """The corners of each marker on the page, (4, 2), millimetres, the markers in their order."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, settings)
    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    quads, ids, _ = detector.detectMarkers(small)
    found = {int(name): quad[0] * 4 * TO_MM for name, quad in zip(ids.ravel(), quads, strict=True)}
    assert sorted(found) == sorted(MARKER_IDS)
    return [found[name] for name in MARKER_IDS]


def test_each_marker_measures_30_mm_and_stands_at_its_own_corner_of_the_page() -> None:
    found = markers_mm(markers_page())
    for quad in found:
        sides_mm = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        assert sides_mm == pytest.approx(30.0, abs=0.3)
    lies = [tuple((quad.mean(axis=0) > (148.5, 105.0)).tolist()) for quad in found]
    assert lies == [(False, False), (True, False), (True, True), (False, True)]


def test_each_marker_has_its_black_angle_towards_the_middle_of_the_board() -> None:
    page = markers_page()
    for quad in markers_mm(page):
        for corner in quad:
            out = np.sign(corner - quad.mean(axis=0)) * 3.0
            beside = [np.round((corner + step) / TO_MM) for step in ((out[0], 0), (0, out[1]))]
            dark = [bool(page[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].min() < 99)
                    for x, y in beside]  # fmt: skip
            inwards = np.sign((148.5, 105.0) - quad.mean(axis=0))
            assert dark == [bool((np.sign(out) == inwards).all())] * 2


def test_the_line_by_which_a_print_is_checked_is_100_mm_long_and_in_the_middle() -> None:
    row = markers_page()[round(105 / TO_MM)]
    first, *_, last = np.flatnonzero(row < 128) * TO_MM
    assert last - first == pytest.approx(100.0, abs=0.5)
    assert (first + last) / 2 == pytest.approx(148.5, abs=0.5)


def test_what_to_do_stands_there_in_both_languages_and_each_marker_has_its_own_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = dict[str, tuple[float, float]]()

    def put(page: Page, words: str, at: tuple[int, int], *_: object) -> None:
        written[words] = at[0] * TO_MM, at[1] * TO_MM

    monkeypatch.setattr("calibration.marker_sheet.cv2.putText", put)
    page = markers_page()
    for first in ("1. Print", "3. Lay", "1. Stampa", "3. Posa"):
        assert any(words.startswith(first) for words in written)
    names = [
        ("top left", "in alto a sinistra"),
        ("top right", "in alto a destra"),
        ("bottom right", "in basso a destra"),
        ("bottom left", "in basso a sinistra"),
    ]
    middles = np.array([quad.mean(axis=0) for quad in markers_mm(page)])
    for number, words in enumerate(names):
        for one in words:
            away_mm = np.linalg.norm(middles - written[one], axis=1)
            assert int(away_mm.argmin()) == number


def test_the_png_is_a4_at_300_dots_an_inch() -> None:
    data = markers_png(markers_page())
    at = data.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", data[at + 4 : at + 13])
    assert (across, down, unit) == (11811, 11811, 1)  # 300 / 0.0254 m
    assert struct.unpack(">I", data[at + 13 : at + 17])[0] == zlib.crc32(data[at : at + 13])
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert picture.shape == (2480, 3508)  # 210 and 297 mm


def test_the_pdf_is_one_a4_sheet_whose_parts_are_where_its_table_says() -> None:
    page = markers_page()
    data = markers_pdf(page)
    assert b"/MediaBox [0 0 841.89 595.28]" in data  # A4 in points, landscape
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    places = [int(found) for found in re.findall(rb"(\d{10}) 00000 n", data[start:])]
    assert len(places) == 5
    for number, place in enumerate(places, 1):
        assert data[place:].startswith(f"{number} 0 obj".encode())
    packed = data[places[4] :].split(b"stream\n", 1)[1].rsplit(b"\nendstream", 1)[0]
    assert zlib.decompress(packed) == page.tobytes()
