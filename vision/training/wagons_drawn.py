"""Draws boards of the program's own with every wagon on them known, strays and heaps too.

python -m vision.training.wagons_drawn --work WORK --count 48
"""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.game.colours import COLOURS
from vision.registration.board_geometry import board_size_mm
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners
from vision.training.drawing import draw_many

FIRST_SEED = 60_000
"""Seeds from here on belong to training; tests and measurements draw with smaller ones."""

KEPT = (1.0, 1.0, 0.0, 0.3)
"""Parts of the claims that stay: of every fourth board none, where print alone is to be seen."""

DISORDER = Oddities(
    toppled_per_wagon=0.06,
    displaced_per_wagon=0.2,
    strays_per_photo=1.0,
    track_pieces_per_route=0.2,
)


def draw_one(folder: Path, seed: int) -> None:
    """Draw one photo of a game with players of any colours; write picture and truth."""
    board = load_board(BOARDS_WITH_DATA[seed % 3])
    chosen = np.random.default_rng(seed).permutation(COLOURS)[:5]
    board = replace(board, player_colours=tuple(str(colour) for colour in chosen))
    owners = random_owners(board, seed=seed, players=5)
    dice = np.random.default_rng(seed)
    kept = KEPT[seed % len(KEPT)]
    owners = {route: owner for route, owner in owners.items() if dice.uniform() < kept}
    photo = draw_photo(board, owners, seed=seed, oddities=DISORDER)
    name = f"{board.id}-w{seed}"
    cv2.imwrite(str(folder / f"{name}.jpg"), photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
    truth = {
        "corners": photo.corners_px.round(2).tolist(),
        "outer_mm": board_size_mm(board),
        "wagons": [list(row) for row in _rows(photo)],
    }
    (folder / f"{name}.json").write_text(json.dumps(truth), "utf-8")


def _rows(photo: DrawnPhoto) -> list[tuple[float, ...]]:
    """The columns of `wagons_scenes.Scene.wagons`, in the photo's pixels."""
    wagons = photo.standing
    return [
        (
            *map(float, wagons.middles_px[k]),
            float(np.radians(wagons.angles_deg[k])),
            COLOURS.index(colour),
            float(wagons.lying[k]),
            -1.0 if wagons.hidden[k] else 1.0,
        )
        for k, colour in enumerate(wagons.colours)
    ]


if __name__ == "__main__":
    draw_many(__doc__, "standing", 48, FIRST_SEED, draw_one)
