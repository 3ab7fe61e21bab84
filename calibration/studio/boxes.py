"""Finds the printed boxes of a straightened board: a network marks them, its votes are gathered."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.studio.straightening import PX_PER_UNIT, Straight
from vision.network import image_input, load_network
from vision.registration_geometry import Points

CELL = 4 / PX_PER_UNIT
"""Side of one cell of the network's answer, in units."""

BOX = 25.0
"""Length of a box in units, as the network expects it."""

AROUND = 3
"""Cells to each side of a peak whose votes are gathered."""


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """What counts as a box."""

    faint: float = 0.12
    """Cells less likely a centre are no peaks at all."""
    sure: float = 0.4
    """Least likeness of a box that is proposed for itself, without neighbours that ask for it."""
    vote_spread: float = 1.5
    """Units about the peak's own vote within which its neighbours' votes count."""


LIMITS = BoxLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What the network says of each cell of 2 x 2 units, (h, w) each.

    `centre` is how likely a box's centre is there; `double` (h, w, 2) the cosine and sine of twice
    its direction; `votes` (h, w, 2) where its centre lies; `log_sizes` (h, w, 2) the logarithms of
    its length and width over `BOX`.
    """

    centre: NDArray[np.float32]
    double: NDArray[np.float32]
    votes: NDArray[np.float32]
    log_sizes: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes as oriented rectangles, in units from the board's top-left corner.

    `centres` (N, 2); `angles_deg` (N,), the long side's direction, clockwise, 0..180; `sizes`
    (N, 2), length and width; `likeness` (N,), 0..1.
    """

    centres: Points
    angles_deg: Points
    sizes: Points
    likeness: Points

    def __len__(self) -> int:
        return len(self.centres)

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Boxes":
        """Some of them."""
        return Boxes(
            self.centres[which], self.angles_deg[which], self.sizes[which], self.likeness[which]
        )

    @property
    def along(self) -> Points:
        """Unit vectors along the long sides, (N, 2)."""
        angle = np.radians(self.angles_deg)
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)

    @property
    def quads(self) -> Points:
        """Corners (N, 4, 2)."""
        along = self.along * self.sizes[:, :1] / 2
        across = np.stack([-self.along[:, 1], self.along[:, 0]], axis=1) * self.sizes[:, 1:] / 2
        corners = [-along - across, along - across, along + across, -along + across]
        return self.centres[:, None] + np.stack(corners, axis=1)


def look(straight: Straight) -> Cells:
    """Let the network see a straightened board."""
    cells = load_network("boxes").run({"image": image_input(straight.image_bgr)})[0]
    y, x = np.mgrid[0 : cells.shape[1], 0 : cells.shape[2]].astype(np.float32)
    here = np.stack([x, y], axis=-1) * CELL + CELL / 2
    return Cells(
        np.asarray(1 / (1 + np.exp(-cells[0])), np.float32),
        np.ascontiguousarray(cells[1:3].transpose(1, 2, 0)),
        here + CELL * cells[3:5].transpose(1, 2, 0),
        np.ascontiguousarray(cells[5:7].transpose(1, 2, 0)),
    )


def find_boxes(cells: Cells, at_least: float = LIMITS.sure) -> Boxes:
    """The boxes at least that likely, none on top of another."""
    rows, columns = _peaks(cells.centre, at_least)
    boxes = _gathered(cells, rows, columns)
    return boxes.chosen(_none_twice(boxes))


def _peaks(
    centre: NDArray[np.float32], at_least: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cells that are likelier than their eight neighbours."""
    largest = cv2.dilate(centre, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((centre >= largest) & (centre >= at_least))
    return rows, columns


def _gathered(cells: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Boxes:
    """A box from the votes of the cells about each peak; those that agree with it count."""
    height, width = cells.centre.shape
    dy, dx = (d.ravel() for d in np.mgrid[-AROUND : AROUND + 1, -AROUND : AROUND + 1])
    y, x = rows[:, None] + dy, columns[:, None] + dx
    inside = (y >= 0) & (x >= 0) & (y < height) & (x < width)
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    votes, double = cells.votes[y, x].astype(np.float64), cells.double[y, x].astype(np.float64)
    centre, own = cells.votes[rows, columns].astype(np.float64), cells.double[rows, columns]
    agreement = np.clip((double * own[:, None]).sum(-1), 0, 1) ** 2
    base = inside * agreement * cells.centre[y, x]
    for _ in range(2):
        apart = ((votes - centre[:, None]) ** 2).sum(-1)
        weights = base * np.exp(-apart / (2 * LIMITS.vote_spread**2)) + 1e-9
        weights /= weights.sum(axis=1, keepdims=True)
        centre = (votes * weights[..., None]).sum(axis=1)
    mean = (double * weights[..., None]).sum(axis=1)
    sizes = np.exp((cells.log_sizes[y, x] * weights[..., None]).sum(axis=1)) * BOX
    angles = np.degrees(np.arctan2(mean[:, 1], mean[:, 0]) / 2) % 180
    return Boxes(centre, angles, sizes, cells.centre[rows, columns].astype(np.float64))


def _none_twice(boxes: Boxes) -> NDArray[np.int64]:
    """Indices of boxes that no likelier one of about the same direction lies on."""
    kept: list[int] = []
    for index in np.argsort(-boxes.likeness):
        others = boxes.chosen(np.array(kept, np.int64))
        apart = boxes.centres[index] - others.centres
        along = np.abs((apart * others.along).sum(axis=1))
        across = np.abs(apart[:, 0] * others.along[:, 1] - apart[:, 1] * others.along[:, 0])
        turn = np.abs((others.angles_deg - boxes.angles_deg[index] + 90) % 180 - 90)
        same = (along < 0.55 * others.sizes[:, 0]) & (across < 0.6 * others.sizes[:, 1])
        if not np.any(same & (turn < 30)):
            kept.append(int(index))
    return np.array(sorted(kept), np.int64)
