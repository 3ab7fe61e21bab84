"""`companion studio propose` in the shape of the contracts, and its answers to bad input."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from tests.support.taught_map import photo_of_map, twenty_places


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A photo of a made-up board, and its corners as the option takes them."""
    drawn = photo_of_map({})
    path = tmp_path_factory.mktemp("studio") / "board.png"
    cv2.imwrite(str(path), drawn.image_bgr)
    return path, [f"{x:.1f},{y:.1f}" for x, y in drawn.corners_px]


def plain(path: Path, width: int, height: int) -> str:
    """A picture of a table with nothing on it."""
    levels = np.random.default_rng(0).integers(0, 20, (height, width, 3))
    cv2.imwrite(str(path), (levels + np.array([60, 90, 120])).astype(np.uint8))
    return str(path)


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr().err.strip()
    assert len(said.splitlines()) == 1
    assert "Traceback" not in said
    return said


def test_json_is_one_document_of_the_promised_shape(
    photo: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, corners = photo
    width, height = (str(round(side, 1)) for side in twenty_places().frame.size_mm)
    words = ["studio", "propose", str(path), "--corners", *corners]
    assert main([*words, "--size-mm", width, height, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["frame"]["size_mm"] == [float(width), float(height)]
    given = [[float(v) for v in corner.split(",")] for corner in corners]
    assert np.allclose(document["frame"]["corners"], given, atol=0.1)
    assert len(document["space_size_mm"]) == 2
    assert all(0 <= x <= 1 and 0 <= y <= 1 and 0 <= a < 180 for x, y, a in document["spaces"])
    assert {"spaces", "colour", "parallel_to"} <= set(document["routes"][0])
    printed = twenty_places().space_count
    assert len(document["spaces"]) == pytest.approx(printed, rel=0.06)


def test_a_small_photo_is_named_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", "propose", plain(tmp_path / "small.png", 900, 700)]) == 3
    assert "900 × 700" in complaint(capsys)


def test_a_photo_without_a_board_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["studio", "propose", plain(tmp_path / "table.png", 1400, 1100)]) == 3
    assert "no board" in complaint(capsys)


def test_corners_that_cross_are_refused(
    photo: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, corners = photo
    crossed = [corners[0], corners[2], corners[1], corners[3]]
    assert main(["studio", "propose", str(path), "--corners", *crossed]) == 3
    assert "corners" in complaint(capsys)


def test_a_missing_file_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", "propose", "nowhere.jpg"]) == 2
    assert "nowhere.jpg" in complaint(capsys)


@pytest.mark.parametrize("size", [("0", "500"), ("795", "nan"), ("wide", "500"), ("9000", "500")])
def test_a_size_that_no_board_has_is_wrong_usage(
    size: tuple[str, str], photo: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["studio", "propose", str(photo[0]), "--size-mm", *size])
    assert ended.value.code == 2
    complaint(capsys)
