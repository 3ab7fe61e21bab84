"""One drawn table that several tests share: the empty board, and three routes claimed on it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cv2

from calibration.calibration import Calibration
from calibration.files import calibration_bytes
from scoring.board.board import Board, load_board
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo

USA = load_board("usa")

CLAIMED = {"denver--omaha": "red", "atlanta--miami": "blue", "dallas--houston-1": "green"}
"""Four red wagons, five blue ones, one green one."""

SMALL_PX = (1520, 1140)
"""The size of photos that need not be as large as a camera's: three fifths of the work."""

VIEW = View(tilt_deg=12.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93)


@cache
def empty_photo() -> DrawnPhoto:
    """The empty board."""
    return drawn(USA, {}, seed=1)


@cache
def full_photo() -> DrawnPhoto:
    """The same board under the same camera, with the claimed routes."""
    return drawn(USA, CLAIMED, seed=2)


def drawn(
    board: Board,
    owners: Mapping[str, str],
    seed: int,
    *,
    view: View = VIEW,
    size_px: tuple[int, int] = (1600, 1200),
    print_seed: int = 213,
    oddities: Oddities | None = None,
) -> DrawnPhoto:
    """Another photo at this table, with nothing odd in it unless that is asked for."""
    return draw_photo(
        board,
        owners,
        seed=seed,
        print_seed=print_seed,
        rig_seed=313,
        camera=view,
        size_px=size_px,
        oddities=oddities or Oddities.none(),
    )


def true_calibration() -> Calibration:
    """The calibration that a perfect eye would make of the empty board."""
    empty = empty_photo()
    created = "2026-01-31T20:15:00+00:00"
    return Calibration(
        "usa", USA.version, created, empty.image_bgr, empty.corners_px, empty.spaces_px
    )


def write_table(folder: Path) -> tuple[Path, Path, Path]:
    """The two photos in a folder to replay, and the calibration: (calibration, empty, full)."""
    frames = folder / "frames"
    frames.mkdir()
    empty, full = frames / "001.jpg", frames / "002.jpg"
    for path, photo in ((empty, empty_photo()), (full, full_photo())):
        cv2.imwrite(str(path), photo.image_bgr, [int(cv2.IMWRITE_JPEG_QUALITY), 95])
    (folder / "usa.calibration").write_bytes(calibration_bytes(true_calibration()))
    return folder / "usa.calibration", empty, full
