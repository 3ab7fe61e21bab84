"""The printed page of markers: right size, right corners, in both file formats."""

import re
import struct
import zlib

import cv2
import numpy as np
import pytest

from calibration.marker_sheet import markers_page, markers_pdf, markers_png
from vision.registration.markers import MARKER_IDS


def test_each_marker_measures_30_mm_and_stands_at_its_own_corner_of_the_page() -> None:
    page = markers_page()
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, settings)
    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)  # 75 dpi
    quads, ids, _ = detector.detectMarkers(small)
    assert sorted(ids.ravel().tolist()) == sorted(MARKER_IDS)
    middles = {}
    for name, quad in zip(ids.ravel().tolist(), quads, strict=True):
        sides_mm = np.linalg.norm(quad[0] - np.roll(quad[0], 1, axis=0), axis=1) / 75 * 25.4
        assert sides_mm == pytest.approx(30.0, abs=0.3)
        middles[name] = quad[0].mean(axis=0) / small.shape[::-1] > 0.5
    lies = [tuple(middles[name].tolist()) for name in MARKER_IDS]
    assert lies == [(False, False), (True, False), (True, True), (False, True)]


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
