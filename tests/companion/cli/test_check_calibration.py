"""`companion calibrate --check`: whether an old calibration still holds, in one sentence."""

from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from calibration.files import calibration_bytes
from companion.cli.main import main
from scoring.board.board import load_board
from tests.support.drawn_table import USA, drawn, true_calibration, write_table
from vision.synthetic import View, draw_photo


def check(photo: Path, calibration: Path, *more: str) -> int:
    return main(["calibrate", "--check", str(photo), "--calibration", str(calibration), *more])


def test_it_holds_for_a_photo_of_the_same_table_with_wagons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, _, full = write_table(tmp_path)
    assert check(full, calibration) == 0
    out = capsys.readouterr().out
    assert "still holds" in out
    assert "elsewhere" not in out
    assert len(out.splitlines()) == 1


def test_a_camera_that_was_moved_is_told_and_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, _, _ = write_table(tmp_path)
    view = View(tilt_deg=18.0, azimuth_deg=-20.0, roll_deg=6.0, hfov_deg=68.0, fill=0.85)
    moved = drawn(USA, {}, seed=3, view=view)
    cv2.imwrite(str(tmp_path / "moved.jpg"), moved.image_bgr)
    assert check(tmp_path / "moved.jpg", calibration, "--language", "it") == 0
    assert "non sono più dov'erano" in capsys.readouterr().out


def test_an_evening_lamp_is_told_and_the_calibration_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, empty, _ = write_table(tmp_path)
    photo = cv2.imread(str(empty)).astype(float)
    cv2.imwrite(str(tmp_path / "lamp.jpg"), photo * (0.25, 0.6, 0.95))  # blue, green, red
    assert check(tmp_path / "lamp.jpg", calibration) == 0
    out = capsys.readouterr().out
    assert "still holds" in out
    assert "the light has changed" in out


def test_another_board_or_print_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibration, empty, _ = write_table(tmp_path)
    other = draw_photo(
        load_board("germany"), {}, seed=4, print_seed=9, rig_seed=313, size_px=(1200, 1600)
    )
    cv2.imwrite(str(tmp_path / "other.jpg"), other.image_bgr)
    assert check(tmp_path / "other.jpg", calibration) == 3
    error = capsys.readouterr().err
    assert "no longer holds" in error
    assert len(error.splitlines()) == 1
    old = replace(true_calibration(), board_version=999)
    (tmp_path / "old.calibration").write_bytes(calibration_bytes(old))
    assert check(empty, tmp_path / "old.calibration") == 3


def test_wrong_words_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibration, empty, _ = write_table(tmp_path)
    assert main(["calibrate", "--check", str(empty)]) == 2
    assert check(empty, tmp_path / "missing") == 2
    assert check(tmp_path / "missing.jpg", calibration) == 2
    making = ["calibrate", "--board", "usa", "--empty", str(empty), "-o", str(tmp_path / "x")]
    assert main([*making, "--calibration", str(calibration)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 4


def test_a_file_of_another_kind_is_no_calibration_and_italian_says_so_in_italian(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "lettera di Niccolò.txt"
    letter.write_text("Cara Ada,")
    assert check(letter, letter, "--language", "it") == 3
    (said,) = capsys.readouterr().err.splitlines()
    assert "non è un file di calibrazione completo (è un file di un altro tipo)" in said
