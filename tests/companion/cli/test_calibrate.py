"""`companion calibrate` on a drawn empty board: what it finds, and what scan does with it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.files import load_calibration
from companion.cli.main import main
from tests.support.dark_print import dark_empty
from tests.support.drawn_table import CLAIMED, empty_photo, write_table

MOST_OFF_PX = 4.0
"""A printed space is about 41 by 15 pixels in these photos: a tenth of its length."""


@pytest.mark.parametrize("with_corners", [True, False])
def test_a_calibration_finds_every_space_and_serves_a_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], with_corners: bool
) -> None:
    _, empty, full = write_table(tmp_path)
    made = tmp_path / "made.calibration"
    command = ["calibrate", "--board", "usa", "--empty", str(empty), "-o", str(made)]
    corners = [f"{x:.0f},{y:.0f}" for x, y in empty_photo().corners_px]
    assert main([*command, *(["--corners", *corners] if with_corners else [])]) == 0
    assert "309 spaces" in capsys.readouterr().out
    off = load_calibration(made).spaces_px.mean(axis=1) - empty_photo().spaces_px.mean(axis=1)
    assert np.percentile(np.hypot(*off.T), 95) < MOST_OFF_PX
    scan = ["scan", str(full), "--board", "usa", "--calibration", str(made), "--json"]
    assert main(scan) == 0
    routes = json.loads(capsys.readouterr().out)["routes"]
    assert {name: r["owner"] for name, r in routes.items() if r["owner"]} == CLAIMED


def test_a_photo_with_wagons_teaches_their_colours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, empty, full = write_table(tmp_path)
    made = tmp_path / "made.calibration"
    command = ["calibrate", "--board", "usa", "--empty", str(empty), "--wagons", str(full)]
    assert main([*command, "-o", str(made), "--language", "it"]) == 0
    printed = capsys.readouterr().out
    assert "rosso" in printed
    assert "blu" in printed
    assert set(load_calibration(made).wagon_colours) == {"red", "blue", "green"}


def test_of_two_photos_the_one_without_a_board_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, empty, _ = write_table(tmp_path)
    holiday = tmp_path / "holiday.png"
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    cv2.imwrite(str(holiday), noise)
    made = tmp_path / "made.calibration"
    command = ["calibrate", "--board", "usa", "--empty", str(empty), "--wagons", str(holiday)]
    assert main([*command, "-o", str(made)]) == 3
    assert f"the photo {holiday}: " in capsys.readouterr().err
    assert not made.exists()


def test_the_empty_board_can_come_from_a_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, empty, _ = write_table(tmp_path)
    made = tmp_path / "made.calibration"
    assert main(["calibrate", "--board", "usa", "--camera", f"still:{empty}", "-o", str(made)]) == 0
    assert load_calibration(made).board_id == "usa"


def test_a_photo_without_a_name_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a script its variable was never set."""
    made = tmp_path / "made.calibration"
    assert main(["calibrate", "--board", "usa", "--empty", "", "-o", str(made)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("out", ["no/such/usa.calibration", "."])
def test_where_nothing_can_be_written_the_camera_takes_no_photo_first(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    out: str,
) -> None:
    def no_photo(spec: str) -> None:
        raise AssertionError(f"a photo was taken by {spec}")

    monkeypatch.setattr("companion.cli.commands.calibrate.take_photo", no_photo)
    path = tmp_path / out
    assert main(["calibrate", "--board", "usa", "--camera", "auto", "-o", str(path)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"companion calibrate: {path} cannot be written: ")
    assert not list(tmp_path.iterdir())


def test_a_link_in_the_place_of_the_file_is_written_through(tmp_path: Path) -> None:
    _, empty, _ = write_table(tmp_path)
    kept, link = tmp_path / "kept.calibration", tmp_path / "made.calibration"
    kept.write_bytes(b"an older one")
    link.symlink_to(kept)
    assert main(["calibrate", "--board", "usa", "--empty", str(empty), "-o", str(link)]) == 0
    assert link.is_symlink()
    assert load_calibration(kept).board_id == "usa"


def test_an_empty_board_without_wagons_teaches_no_colours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, empty, _ = write_table(tmp_path)
    made = tmp_path / "made.calibration"
    command = ["calibrate", "--board", "usa", "--empty", str(empty), "--wagons", str(empty)]
    assert main([*command, "-o", str(made)]) == 3
    assert "no wagon is seen for sure" in capsys.readouterr().err
    assert not made.exists()


def test_a_place_that_cannot_be_written_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, empty, _ = write_table(tmp_path)
    command = ["calibrate", "--board", "usa", "--empty", str(empty)]
    assert main([*command, "-o", str(tmp_path / "no" / "where")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_photo_with_wagons_is_refused_by_name_and_taken_on_a_person_s_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside it, its wagons would look like print."""
    _, _, full = write_table(tmp_path)
    made = tmp_path / "made.calibration"
    command = ["calibrate", "--board", "usa", "--empty", str(full), "-o", str(made)]
    assert main(command) == 3
    (line,) = capsys.readouterr().err.splitlines()
    for said in ("Denver – Omaha", "Atlanta – Miami", "--really-empty"):
        assert said in line
    assert not made.exists()
    assert main([*command, "--really-empty", "--language", "it"]) == 0
    assert "sembrava che lì ci fossero vagoni" in capsys.readouterr().out
    calibration = load_calibration(made)
    assert calibration.vouched
    assert set(calibration.looks_claimed) >= {"denver--omaha", "atlanta--miami"}


def test_a_few_dark_looks_are_named_when_a_calibration_is_made_and_when_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, made = tmp_path / "dark.jpg", tmp_path / "made.calibration"
    cv2.imwrite(str(photo), dark_empty().image_bgr, [int(cv2.IMWRITE_JPEG_QUALITY), 95])
    command = ["calibrate", "--board", "usa", "--empty", str(photo), "-o", str(made)]
    assert main([*command, "--language", "it"]) == 0
    assert "--really-empty" in capsys.readouterr().out
    looks = load_calibration(made).looks_claimed
    assert looks
    scan = ["scan", str(photo), "--board", "usa", "--calibration", str(made), "--json"]
    assert main(scan) == 0
    printed = capsys.readouterr()
    assert "--really-empty" in printed.err
    assert set(looks) <= set(json.loads(printed.out)["review"])
    assert main([*scan, "--really-empty"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    routes = json.loads(printed.out)["routes"]
    assert [name for name in looks if routes[name]["owner"] is not None] == []
