"""What the network sees on a straightened board: where spaces are, which way they lie, and where
the board ends.

The photo is straightened by a rough outline to 1 px a millimetre; a network marks where spaces
are, which way they lie and where their centres are.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import image_input, load_network, sigmoid
from vision.registration.geometry import Points, corners_of_size, homography_of_quads
from vision.registration.outline import robust_line

MARGIN_MM = 40.0
"""How much beyond the rough outline is looked at, which may be that wrong."""

CELL_MM = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class SpaceHeatmaps:
    """What the network sees on a straightened board, one value a cell of 4 x 4 mm, (h, w) each.

    `to_photo` maps straightened millimetres (origin MARGIN_MM beyond the outline's first corner)
    to photo pixels; `size_mm` is the outline's size there. `centre` is how likely a space's centre
    is near, `double` (h, w, 2) the cosine and sine of twice its direction, `votes_mm` (h, w, 2)
    where its centre lies; `board` how likely the cell is board at all.
    """

    to_photo: Points
    size_mm: tuple[float, float]
    board: NDArray[np.float32]
    centre: NDArray[np.float32]
    double: NDArray[np.float32]
    votes_mm: NDArray[np.float32]

    @property
    def marked_mm2(self) -> float:
        """The area that is marked as middles of spaces, cells by how likely they are that."""
        return float(self.centre.sum()) * CELL_MM**2


def predict_heatmaps(
    photo_bgr: NDArray[np.uint8], corners_px: Points, size_mm: tuple[float, float]
) -> SpaceHeatmaps:
    """Straighten the quadrilateral to that size and let the network see it.

    `corners_px` (4, 2) are the outline's corners, clockwise; `size_mm` is (width, height) of the
    outline beginning with the side from the first corner to the second.
    """
    width, height = (_whole_cells(side + 2 * MARGIN_MM) for side in size_mm)
    to_photo = homography_of_quads(rectangle(size_mm), corners_px)
    straight = cv2.warpPerspective(
        photo_bgr,
        to_photo,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    seen = image_input(np.asarray(straight, np.uint8))
    cells = load_network("snap").run({"image": seen})[0]
    y, x = np.mgrid[0 : cells.shape[1], 0 : cells.shape[2]].astype(np.float32)
    here = np.stack([x, y], axis=-1) * CELL_MM + (CELL_MM - 1) / 2
    return SpaceHeatmaps(
        to_photo=to_photo,
        size_mm=size_mm,
        board=sigmoid(cells[0]),
        centre=sigmoid(cells[1]),
        double=np.ascontiguousarray(cells[2:4].transpose(1, 2, 0)),
        votes_mm=here + CELL_MM * cells[4:6].transpose(1, 2, 0),
    )


def rectangle(size_mm: tuple[float, float]) -> Points:
    """The outline in straightened millimetres, clockwise from its first corner; shape (4, 2)."""
    return corners_of_size(size_mm) + MARGIN_MM


def _whole_cells(length_mm: float) -> int:
    """Length in pixels that the network's halvings divide."""
    return int(np.ceil(length_mm / 8)) * 8


def doubled_direction(quads: Points) -> Points:
    """Cosine and sine of twice the direction of each box's first edge; shape (N, 2)."""
    along = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angle = 2 * np.arctan2(along[:, 1], along[:, 0])
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def evidence_at(heatmaps: SpaceHeatmaps, centres: Points, double: Points) -> NDArray[np.float64]:
    """How likely a space with that direction is centred at each point (..., N, 2); 0..1."""
    columns, rows = cells_at(heatmaps, centres)
    return evidence_in(heatmaps, rows + columns, double)


def cells_at(
    heatmaps: SpaceHeatmaps, points: Points
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells nearest to points (..., 2): each one's column, and where its row begins."""
    height, width = heatmaps.centre.shape
    cells = np.round((points - (CELL_MM - 1) / 2) / CELL_MM).astype(np.int64)
    return np.clip(cells[..., 0], 0, width - 1), np.clip(cells[..., 1], 0, height - 1) * width


def evidence_in(
    heatmaps: SpaceHeatmaps, cells: NDArray[np.int64], double: Points
) -> NDArray[np.float64]:
    """How likely a space with that direction is centred in each cell (..., N), by its number."""
    agreement = _agreement(heatmaps, cells, double)
    return np.asarray(heatmaps.centre.take(cells) * agreement, np.float64)


def _agreement(
    heatmaps: SpaceHeatmaps, cells: NDArray[np.int64], double: Points
) -> NDArray[np.float64]:
    """How well the direction that is seen in each cell agrees with `double` (..., 2); 0..1."""
    cosine, sine = (heatmaps.double[..., k].take(cells) for k in (0, 1))
    return np.clip(cosine * double[..., 0] + sine * double[..., 1], 0, 1)


def gather(
    heatmaps: SpaceHeatmaps, centres: Points, double: Points, reach_mm: float
) -> tuple[Points, NDArray[np.float64]]:
    """Where the cells about each expected centre say that it is (N, 2), and how surely (N,).

    A cell's vote counts by its likeness to a centre, by its direction, and by how near to the
    expected place it points.
    """
    height, width = heatmaps.centre.shape
    reach = int(np.ceil(1.5 * reach_mm / CELL_MM))
    around = np.arange(-reach, reach + 1)
    middle = np.round((centres - (CELL_MM - 1) / 2) / CELL_MM).astype(np.int64)
    # The cells about a centre are all columns in all rows about it: (N, rows, columns).
    rows, columns = (middle[:, 1:] + around)[:, :, None], (middle[:, :1] + around)[:, None]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    cells = np.clip(rows, 0, height - 1) * width + np.clip(columns, 0, width - 1)
    inside, cells = inside.reshape(len(centres), -1), cells.reshape(len(centres), -1)
    x, y = (heatmaps.votes_mm[..., k].take(cells).astype(np.float64) for k in (0, 1))
    agreement = _agreement(heatmaps, cells, double[:, None]) ** 2
    apart = (x - centres[:, :1]) ** 2 + (y - centres[:, 1:]) ** 2
    weights = inside * heatmaps.centre.take(cells) * agreement * np.exp(-apart / (2 * reach_mm**2))
    total = weights.sum(axis=1)
    summed = np.stack([(votes * weights).T.copy().sum(axis=0) for votes in (x, y)], axis=1)
    mean = summed / np.maximum(total, 1e-9)[:, None]
    return np.where(total[:, None] > 1e-6, mean, centres), np.minimum(total / 2.0, 1.0)


def seen_outline(heatmaps: SpaceHeatmaps) -> Points:
    """The board's outer corners as the network sees them, straightened millimetres, (4, 2).

    Clockwise as the straightened outline. Each side is a line through the places where the board
    begins along it; a side that is not seen stays where it was.
    """
    corners = rectangle(heatmaps.size_mm)
    lines = [_side_line(heatmaps, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    crossings = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return np.array([c[:2] / c[2] for c in crossings])


def _side_line(heatmaps: SpaceHeatmaps, start: Points, end: Points) -> Points:
    """The line (a, b, c), a x + b y + c = 0, along which the board begins."""
    along = (end - start) / np.linalg.norm(end - start)
    inward = np.array([-along[1], along[0]])
    places = start + np.linspace(0.04, 0.96, 60)[:, None] * (end - start)
    depths = np.arange(-MARGIN_MM + 4, MARGIN_MM, 1.0)
    samples = places[:, None] + depths[:, None] * inward
    at = ((samples - (CELL_MM - 1) / 2) / CELL_MM).astype(np.float32)
    profile = cv2.remap(heatmaps.board, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    begins, sure = _first_crossing(np.asarray(profile, np.float32), depths)
    points = (places + begins[:, None] * inward)[sure]
    if len(points) < 15:
        return np.array([*inward, -float(inward @ start)])
    return robust_line(points, near=2.0)


def _first_crossing(
    profile: NDArray[np.float32], depths: Points
) -> tuple[Points, NDArray[np.bool_]]:
    """Depth at which each row of (M, D) rises through a half for good, and whether it does."""
    outside = profile < 0.5
    last = outside.shape[1] - 1 - np.argmax(outside[:, ::-1], axis=1)
    sure = outside.any(axis=1) & (last < outside.shape[1] - 1) & outside[:, 0]
    after = np.minimum(last + 1, outside.shape[1] - 1)
    rows = np.arange(len(profile))
    low, high = profile[rows, last], profile[rows, after]
    part = np.clip((0.5 - low) / np.maximum(high - low, 1e-6), 0, 1)
    return depths[last] + part * (depths[after] - depths[last]), sure
