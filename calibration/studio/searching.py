"""Looks for boxes on a straightened board: the network of registration marks where they may be."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import StudioError
from calibration.studio.boxes import BOX, Boxes, without_copies
from calibration.studio.straightening import PX_PER_UNIT, Straight
from vision.network import image_input, load_network, sigmoid

MOST_PEAKS = 1_200
"""Peaks on one board: published ones have 570 at most. A wall of bricks has six times as many as
this, and all that follows took gigabytes for them."""

STEP = 2
"""Units from one cell to the next: the network's own cells of 4, seen in four shifted pictures."""

MARGIN = 24
"""Units of repeated edge about the board, so that boxes near it are seen whole."""

AROUND = 4
"""Cells to each side of a peak whose votes are gathered."""

VOTE_SPREADS = (3.0, 2.0)
"""Units about the mean vote within which votes count, in two rounds."""

USUAL_WIDTH = 9.0
"""Width of a box, in units, before it is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What the network says of each cell, (h, w): likeness to a box's centre, twice the direction
    as cosine and sine (h, w, 2), and where the centre lies, in units (h, w, 2)."""

    centre: NDArray[np.float32]
    double: NDArray[np.float32]
    votes: NDArray[np.float32]


def look(straight: Straight) -> Cells:
    """Let the network see the board at 1 px a unit, shifted by half a cell each way."""
    small = cv2.resize(
        straight.image_bgr,
        None,
        fx=1 / PX_PER_UNIT,
        fy=1 / PX_PER_UNIT,
        interpolation=cv2.INTER_AREA,
    )
    wide = cv2.copyMakeBorder(small, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
    height, width = (side // 8 * 8 - 8 for side in wide.shape[:2])
    rows, columns = height // 2, width // 2
    cells, votes = (
        np.zeros((6, rows, columns), np.float32),
        np.zeros((rows, columns, 2), np.float32),
    )
    for down in (0, 1):
        for right in (0, 1):
            part = wide[STEP * down :, STEP * right :][:height, :width]
            seen = load_network("snap").run({"image": image_input(np.asarray(part, np.uint8))})[0]
            y, x = np.mgrid[0 : seen.shape[1], 0 : seen.shape[2]]
            here = np.stack([x * 4 + 2 + STEP * right, y * 4 + 2 + STEP * down], axis=-1) - MARGIN
            cells[:, down::2, right::2] = seen
            votes[down::2, right::2] = here + 4 * seen[4:6].transpose(1, 2, 0)
    centre = sigmoid(cells[1])
    return Cells(centre, np.ascontiguousarray(cells[2:4].transpose(1, 2, 0)), votes)


def supposed_boxes(cells: Cells, at_least: float) -> Boxes:
    """Where boxes may be: peaks at least that likely, none on top of another.

    Raises StudioError where everything is full of them: that is no board.
    """
    largest = cv2.dilate(cells.centre, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((cells.centre >= largest) & (cells.centre >= at_least))
    if len(rows) > MOST_PEAKS:
        raise StudioError("calibration.studio.no-boxes")
    return without_copies(_gathered(cells, rows, columns))


def _gathered(cells: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Boxes:
    """A box from the votes of the cells about each peak; those that agree with it count."""
    height, width = cells.centre.shape
    dy, dx = (d.ravel() for d in np.mgrid[-AROUND : AROUND + 1, -AROUND : AROUND + 1])
    y = np.clip(rows[:, None] + dy, 0, height - 1)
    x = np.clip(columns[:, None] + dx, 0, width - 1)
    votes, double = cells.votes[y, x].astype(np.float64), cells.double[y, x].astype(np.float64)
    agreement = np.clip((double * cells.double[rows, columns][:, None]).sum(-1), 0, 1) ** 2
    base = agreement * cells.centre[y, x]
    centres = cells.votes[rows, columns].astype(np.float64)
    weights = base
    for spread in VOTE_SPREADS:
        apart = ((votes - centres[:, None]) ** 2).sum(-1)
        weights = base * np.exp(-apart / (2 * spread**2)) + 1e-9
        weights /= weights.sum(axis=1, keepdims=True)
        centres = (votes * weights[..., None]).sum(axis=1)
    mean = (double * weights[..., None]).sum(axis=1)
    angles = np.degrees(np.arctan2(mean[:, 1], mean[:, 0]) / 2) % 180
    sizes = np.tile([BOX, USUAL_WIDTH], (len(rows), 1))
    return Boxes(centres, angles, sizes, cells.centre[rows, columns].astype(np.float64))
