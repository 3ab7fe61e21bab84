"""Draws what the camera of the virtual Pi sees: an empty board, and one with a game on it."""

import sys
from pathlib import Path

import cv2

from scoring.board.board import load_board
from vision.synthetic import Oddities, View, draw_photo

SIZE_PX = (1632, 1224)
VIEW = View(tilt_deg=14.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93)
OWNERS = {
    "duluth--helena": "red",
    "denver--omaha": "blue",
    "el-paso--los-angeles": "red",
    "portland--salt-lake-city": "blue",
}
"""Six, four, six and six spaces: 30 points for Ada (red), 22 for Ben (blue)."""


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, owners in (("empty", {}), ("seen", OWNERS)):
        drawn = draw_photo(
            load_board("usa"),
            owners,
            seed=5,
            print_seed=5,
            rig_seed=5,
            camera=VIEW,
            size_px=SIZE_PX,
            oddities=Oddities.none(),
        )
        cv2.imwrite(str(folder / f"{name}.jpg"), drawn.image_bgr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
