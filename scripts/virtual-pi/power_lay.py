"""Lays what a family has in the folder of a box, and beside it what their phone sends.

Used as `power_lay.py DATA FOLDER`: a board in work in DATA, a set-up's file and a photo in FOLDER.
"""

import sys
from pathlib import Path

import cv2

from calibration.calibration import Calibration
from calibration.files import calibration_bytes
from companion.studio.placing import draft_of_board
from companion.studio.store import StudioStore
from tests.support.drawn_table import CLAIMED, USA, drawn

SIZE_PX = (1000, 750)
"""The machine's simulated network is slow."""

CREATED = "2026-01-31T20:15:00+00:00"


def main(data: Path, folder: Path) -> None:
    empty, full = (drawn(USA, owners, seed=1, size_px=SIZE_PX) for owners in ({}, CLAIMED))
    photo = cv2.imencode(".jpg", empty.image_bgr)[1].tobytes()
    draft = draft_of_board(USA, empty.corners_px, empty.spaces_px)
    StudioStore(data).create(draft, empty.corners_px, photo, photo, vouched=True)
    (folder / "table.calibration").write_bytes(
        calibration_bytes(
            Calibration(
                "usa", USA.version, CREATED, empty.image_bgr, empty.corners_px, empty.spaces_px
            )
        )
    )
    (folder / "table.jpg").write_bytes(cv2.imencode(".jpg", full.image_bgr)[1].tobytes())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
