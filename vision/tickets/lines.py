"""Finds lines of text in a photo: the detector's map of letters, cut into turned boxes."""

import math
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.angles import level_deg
from vision.network import image_input
from vision.tickets.networks import Detector

SIDE_STEP_PX = 32
"""The detector's strides: both sides of its input are multiples of it."""
LETTER = 0.3
"""Least value of the map inside text."""
PERHAPS_LETTER = 0.12
"""Above this a closer look may find text: it is seen in letters too small for this look."""
PERHAPS_AREA_PX = 20
"""Of the map: smaller spots are noise."""
BOX_MEAN = 0.5
"""Least mean of the map within a box."""
GROWTH = 1.7
"""The map shows text shrunk: a box grows by this times its area over its perimeter."""
LEAST_HEIGHT_PX = 3.0
"""Of the map: lower boxes are noise."""

BAND_PIXELS = 0.41e6
"""The detector takes 260 MB for a million pixels, and a small box has few to spare."""
AROUND_PX = 64
"""Seen beyond a band's edges, so that letters there are found as well as elsewhere."""

Band = tuple[int, int, int, int]
"""Rows: where the part that is looked at begins, where the part that counts does, their ends."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A turned box around one line of text, in photo pixels.

    `angle_deg` is the direction of its longer side, clockwise as seen, -90..90.
    """

    x_px: float
    y_px: float
    width_px: float
    height_px: float
    angle_deg: float
    score: float

    @property
    def is_longish(self) -> bool:
        """Whether its longer side must be the direction of reading."""
        return self.width_px > 1.35 * self.height_px

    @property
    def rectangle(self) -> cv2.typing.RotatedRect:
        """As OpenCV takes it."""
        return (self.x_px, self.y_px), (self.width_px, self.height_px), self.angle_deg

    @property
    def corners_px(self) -> NDArray[np.float64]:
        """Its corners, of shape (4, 2)."""
        return np.asarray(cv2.boxPoints(self.rectangle), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class TextFound:
    """Lines of text in an image, and the box around all that might be text.

    `extent_px` is (left, top, right, bottom), None where nothing might. `perhaps_px` of shape
    (N, 3) are the middles of spots that might be text, and their areas.
    """

    lines: tuple[TextLine, ...]
    perhaps_px: NDArray[np.float64]
    extent_px: tuple[float, float, float, float] | None


def find_lines(image_bgr: NDArray[np.uint8], detector: Detector, most_pixels: float) -> TextFound:
    """Every line of text in an image of shape (H, W, 3), reduced to at most so many pixels."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, float(np.sqrt(most_pixels / (height * width))))
    size = _steps(width * scale), _steps(height * scale)
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    letters = _map_letters(small, detector)
    factors = width / size[0], height / size[1]
    perhaps_px = _spots(letters, factors)
    return TextFound(tuple(_boxes(letters, factors)), perhaps_px, _extent(letters, factors))


def _map_letters(small_bgr: NDArray[np.uint8], detector: Detector) -> NDArray[np.float32]:
    """The detector's map of an image, of shape (H, W): a large image goes through in bands."""
    if small_bgr.shape[1] > small_bgr.shape[0]:
        turned = np.ascontiguousarray(small_bgr.transpose(1, 0, 2))
        bands = _bands(turned)
        parts = [(b, detector.run_image(image_input(_across(turned, b)))[0, 0].T) for b in bands]
        return np.concatenate([_middle(part, band) for band, part in parts]).T
    bands = _bands(small_bgr)
    parts = [(b, detector.run_image(image_input(small_bgr[b[0] : b[3]]))[0, 0]) for b in bands]
    return np.concatenate([_middle(part, band) for band, part in parts])


def _across(turned_bgr: NDArray[np.uint8], band: Band) -> NDArray[np.uint8]:
    return np.ascontiguousarray(turned_bgr[band[0] : band[3]].transpose(1, 0, 2))


def _middle(part: NDArray[np.float32], band: Band) -> NDArray[np.float32]:
    return part[band[1] - band[0] : band[2] - band[0]]


def _bands(image: NDArray[np.uint8]) -> list[Band]:
    """Bands of rows with what is seen around them, all in steps of the detector."""
    rows = image.shape[0]
    count = math.ceil(image.shape[0] * image.shape[1] / BAND_PIXELS)
    steps = np.linspace(0, rows // SIDE_STEP_PX, count + 1).round().astype(int) * SIDE_STEP_PX
    return [
        (max(0, int(a) - AROUND_PX), int(a), int(b), min(rows, int(b) + AROUND_PX))
        for a, b in pairwise(steps)
    ]


def _spots(letters: NDArray[np.float32], factors: tuple[float, float]) -> NDArray[np.float64]:
    mask = (letters > PERHAPS_LETTER).astype(np.uint8)
    _, _, figures, centres = cv2.connectedComponentsWithStats(mask)
    large = figures[1:, cv2.CC_STAT_AREA] >= PERHAPS_AREA_PX
    areas = figures[1:, cv2.CC_STAT_AREA][large] * factors[0] * factors[1]
    return np.column_stack([centres[1:][large] * factors, areas]).astype(np.float64)


def _extent(
    letters: NDArray[np.float32], factors: tuple[float, float]
) -> tuple[float, float, float, float] | None:
    rows, columns = np.nonzero(letters > PERHAPS_LETTER)
    if not len(rows):
        return None
    return (
        float(columns.min() * factors[0]),
        float(rows.min() * factors[1]),
        float((columns.max() + 1) * factors[0]),
        float((rows.max() + 1) * factors[1]),
    )


def _steps(side: float) -> int:
    return max(1, round(side / SIDE_STEP_PX)) * SIDE_STEP_PX


def _boxes(letters: NDArray[np.float32], factors: tuple[float, float]) -> list[TextLine]:
    mask = (letters > LETTER).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    lines = [_box(letters, np.asarray(contour), factors) for contour in contours]
    return [line for line in lines if line is not None]


def _box(
    letters: NDArray[np.float32], contour: NDArray[np.int32], factors: tuple[float, float]
) -> TextLine | None:
    _, (one, other), _ = cv2.minAreaRect(contour)
    if min(one, other) < LEAST_HEIGHT_PX or _mean_inside(letters, contour) < BOX_MEAN:
        return None
    points = contour.reshape(-1, 2).astype(np.float32) * np.array(factors, np.float32)
    (x, y), (width, height), angle = cv2.minAreaRect(points)
    if width < height:
        width, height, angle = height, width, angle + 90
    growth = GROWTH * width * height / (width + height)
    angle = level_deg(angle)
    mean = _mean_inside(letters, contour)
    return TextLine(x, y, width + growth, height + growth, angle, mean)


def _mean_inside(letters: NDArray[np.float32], contour: NDArray[np.int32]) -> float:
    x, y, width, height = cv2.boundingRect(contour)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [contour - (x, y)], 1)
    return float(letters[y : y + height, x : x + width][inside > 0].mean())


def apart_deg(one_deg: float, other_deg: float) -> float:
    """How far two directions of reading are turned from each other, 0 to 180."""
    return abs((one_deg - other_deg + 180) % 360 - 180)


def along_and_down(angle_deg: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors (2,) along what is read in that direction, and down from it."""
    angle = np.deg2rad(angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([cos, sin]), np.array([-sin, cos])
