"""Draws prints of made-up maps into a folder, with their boxes, for the network that finds boxes.

python -m vision.training.boxes_drawn --work WORK --count 120
"""

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.boxes import fixed
from vision.synthetic.maps import make_map
from vision.synthetic.printing import PX_PER_MM, DrawnPrint, make_print, rectangles
from vision.training.drawing import draw_many
from vision.training.outline_scenes import made_up_colour

FIRST_SEED = 60_000
"""Seeds from here on belong to training; tests and measurements draw with smaller ones."""

KEPT_PX_PER_MM = 2.4

Image = NDArray[np.uint8]


def draw_one(folder: Path, seed: int) -> None:
    """Draw one print and write picture and boxes side by side; what is there already is kept."""
    told = folder / f"{seed}.json"
    if told.exists():
        return
    board = make_map(seed)
    printed = make_print(board, seed)
    scale = np.multiply(board.space_size_mm, printed.style.box_scale)
    size = (float(scale[0]), float(scale[1]))
    layout = printed.layout
    quads = rectangles(layout.centres_mm, layout.angles_deg, size)
    picture = _with_ornaments(np.random.default_rng([seed, 71]), printed, quads)
    shrink = KEPT_PX_PER_MM / PX_PER_MM
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / f"{seed}.png"), small)
    boxes = np.c_[layout.centres_mm, layout.angles_deg].round(3).tolist()
    told.write_text(json.dumps({"boxes": boxes, "size_mm": size}), "utf-8")


def _with_ornaments(
    rng: np.random.Generator, printed: DrawnPrint, quads_mm: NDArray[np.float64]
) -> Image:
    """The print with tables, words, circles and lines under its boxes, which are no boxes."""
    bare = np.clip(printed.image * 255, 0, 255).astype(np.uint8)
    drawn = bare.copy()
    for _ in range(int(rng.integers(4, 30))):
        ornament = (_table, _word, _circle, _line, _line)[int(rng.integers(5))]
        at = rng.uniform(0.05, 0.95, 2) * (bare.shape[1], bare.shape[0])
        ornament(rng, drawn, at)
    cover = np.zeros(bare.shape[:2], np.uint8)
    for quad in quads_mm:
        grown = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * (1.06, 1.06)
        cv2.fillConvexPoly(cover, fixed(grown * PX_PER_MM), 255, cv2.LINE_8, 4)
    return np.where(cover[..., None] > 0, bare, drawn)


def _table(rng: np.random.Generator, image: Image, at: NDArray[np.float64]) -> None:
    """A legend: rows of small cells, none of a box's shape and size."""
    cell = rng.uniform(4, 14), rng.uniform(3, 9)
    colours = [made_up_colour(rng) for _ in range(3)]
    rows, columns = rng.integers(2, 8, 2)
    width, height = (np.array(cell) * (columns, rows) * PX_PER_MM).round().astype(int)
    x, y = at.astype(int)
    cv2.rectangle(image, (x, y), (x + int(width), y + int(height)), colours[0], -1)
    for row in range(rows):
        for column in range(int(rng.integers(0, columns + 1))):
            low = (np.array(cell) * (column + 0.12, row + 0.12) * PX_PER_MM).astype(int)
            high = (np.array(cell) * (column + 0.88, row + 0.88) * PX_PER_MM).astype(int)
            corner = (x + int(low[0]), y + int(low[1]))
            cv2.rectangle(image, corner, (x + int(high[0]), y + int(high[1])), colours[1], -1)
    cv2.rectangle(image, (x, y), (x + int(width), y + int(height)), colours[2], 2, cv2.LINE_AA)


def _word(rng: np.random.Generator, image: Image, at: NDArray[np.float64]) -> None:
    letters = "".join(chr(k) for k in rng.integers(65, 91, rng.integers(3, 11)))
    font, scale = int(rng.integers(0, 8)), float(rng.uniform(0.6, 3.5))
    thick = max(1, round(scale * rng.uniform(1, 2.5)))
    where = (int(at[0]), int(at[1]))
    cv2.putText(image, letters, where, font, scale, made_up_colour(rng), thick, cv2.LINE_AA)


def _circle(rng: np.random.Generator, image: Image, at: NDArray[np.float64]) -> None:
    where, radius = (int(at[0]), int(at[1])), int(rng.uniform(4, 45) * PX_PER_MM)
    axes = (radius, int(radius * rng.uniform(0.4, 1.0)))
    turn = float(rng.uniform(0, 180))
    cv2.ellipse(image, where, axes, turn, 0, 360, made_up_colour(rng), -1, cv2.LINE_AA)
    for share in np.arange(0.85, 0.2, -float(rng.uniform(0.15, 0.6))):
        inner = (int(axes[0] * share), int(axes[1] * share))
        cv2.ellipse(image, where, inner, turn, 0, 360, made_up_colour(rng), 3, cv2.LINE_AA)


def _line(rng: np.random.Generator, image: Image, at: NDArray[np.float64]) -> None:
    """A border or a river: straight stretches or a walk."""
    steps = rng.normal(0, rng.uniform(10, 120), (int(rng.integers(3, 14)), 2))
    path = fixed(np.cumsum(np.concatenate([at[None], steps + rng.normal(0, 60, 2)]), axis=0))
    thick = int(rng.integers(1, 9))
    cv2.polylines(image, [path], False, made_up_colour(rng), thick, cv2.LINE_AA, 4)


if __name__ == "__main__":
    draw_many(__doc__, "maps", 120, FIRST_SEED, draw_one)
