"""Draws boards of the program's own into a folder, with their truth, for the registration networks.

python -m vision.training.snap_drawn --work WORK --count 90
"""

import json
from pathlib import Path

import cv2

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from vision.reading import OCCLUDED
from vision.synthetic import Oddities, draw_photo, random_owners
from vision.training.drawing import draw_many

FIRST_SEED = 40_000
"""Seeds from here on belong to training; tests and measurements draw with smaller ones."""


def draw_one(folder: Path, seed: int) -> None:
    """Draw one photo, empty or played, and write picture and truth side by side."""
    index = seed - FIRST_SEED
    board = load_board(BOARDS_WITH_DATA[index % 3])
    empty = index % 4 == 3
    owners = {} if empty else random_owners(board, seed=seed)
    photo = draw_photo(board, owners, seed=seed, oddities=Oddities.none() if empty else None)
    name = f"{board.id}-d{seed}"
    cv2.imwrite(str(folder / f"{name}.jpg"), photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
    truth = {
        "board": board.id,
        "seed": seed,
        "corners": photo.corners_px.round(2).tolist(),
        "spaces": photo.spaces_px.round(2).tolist(),
        "visible": [float(label != OCCLUDED) for label in photo.labels],
    }
    (folder / f"{name}.json").write_text(json.dumps(truth), "utf-8")


if __name__ == "__main__":
    draw_many(__doc__, "drawn", 90, FIRST_SEED, draw_one)
