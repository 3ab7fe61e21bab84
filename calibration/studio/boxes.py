"""Printed boxes of a straightened board, as oriented rectangles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import Points

BOX = 25.0
"""Length of a usual box in units; a board is straightened so that its boxes have it."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes in units from the board's top-left corner.

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

    def joined(self, other: "Boxes") -> "Boxes":
        """These and then the others."""
        return Boxes(
            np.concatenate([self.centres, other.centres]),
            np.concatenate([self.angles_deg, other.angles_deg]),
            np.concatenate([self.sizes, other.sizes]),
            np.concatenate([self.likeness, other.likeness]),
        )

    @property
    def along(self) -> Points:
        """Unit vectors along the long sides, (N, 2)."""
        angle = np.radians(self.angles_deg)
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)

    @property
    def across(self) -> Points:
        """Unit vectors along the short sides, (N, 2)."""
        along = self.along
        return np.stack([-along[:, 1], along[:, 0]], axis=1)

    @property
    def quads(self) -> Points:
        """Corners (N, 4, 2)."""
        along = self.along * self.sizes[:, :1] / 2
        across = self.across * self.sizes[:, 1:] / 2
        corners = [-along - across, along - across, along + across, -along + across]
        return self.centres[:, None] + np.stack(corners, axis=1)


def without_copies(boxes: Boxes) -> Boxes:
    """The boxes that no likelier one of about the same direction lies on."""
    kept: list[int] = []
    for index in np.argsort(-boxes.likeness):
        others = boxes.chosen(np.array(kept, np.int64))
        apart = boxes.centres[index] - others.centres
        along = np.abs((apart * others.along).sum(axis=1))
        across = np.abs((apart * others.across).sum(axis=1))
        turn = turned_deg(others.angles_deg, boxes.angles_deg[index])
        same = (along < 0.6 * others.sizes[:, 0]) & (across < 0.6 * others.sizes[:, 1])
        if not np.any(same & (turn < 35)):
            kept.append(int(index))
    return boxes.chosen(np.array(sorted(kept), np.int64))


def turned_deg(first: Points, second: Points) -> Points:
    """Angle between directions that a half turn leaves the same, 0..90."""
    return np.asarray(np.abs((first - second + 90) % 180 - 90))
