"""Things that lie or reach over the board as painted sheets at a height: cards, hands, arms.

A sheet is drawn flat (seen from above) and then laid into the picture in perspective.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.synthetic.camera import PinholeCamera, Points
from vision.synthetic.texture import Image, bgr, noise, shifted


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """A sheet: `colour` (H, W, 3) linear albedo, `alpha` (H, W), both 0..1.

    `corners_mm` (4, 2) are where its corners lie, at `height_mm` over the board's face.
    """

    colour: Image
    alpha: Image
    corners_mm: Points
    height_mm: float


def card(rng: np.random.Generator, x: float, y: float, angle_deg: float, height: float) -> Plate:
    """A playing card with a picture of its own: a frame, a few shapes, a gradient."""
    width, tall = 68, 44
    scale = 4
    base = bgr(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.3, 0.95))
    picture = np.empty((tall * scale, width * scale, 3), np.float32)
    picture[:] = base
    picture *= (0.7 + 0.6 * noise(rng, picture.shape[:2], 60.0))[:, :, None]
    for _ in range(int(rng.integers(2, 9))):
        colour = shifted(base, rng.uniform(), 1.0, rng.uniform(0.4, 1.6))
        at = (int(rng.uniform(20, width * scale - 20)), int(rng.uniform(20, tall * scale - 20)))
        if rng.uniform() < 0.5:
            cv2.circle(picture, at, int(rng.uniform(6, 40)), colour, -1, cv2.LINE_AA)
        else:
            to = (at[0] + int(rng.uniform(20, 120)), at[1] + int(rng.uniform(10, 40)))
            cv2.rectangle(picture, at, to, colour, -1)
    paper = bgr(0.1, rng.uniform(0.0, 0.15), rng.uniform(0.8, 0.97))
    cv2.rectangle(picture, (0, 0), (width * scale - 1, tall * scale - 1), paper, 3 * scale)
    alpha = np.ones(picture.shape[:2], np.float32)
    return Plate(
        np.asarray(np.clip(picture, 0, 1) ** 2.2, np.float32),
        alpha,
        _corners(x, y, angle_deg, width, tall),
        height,
    )


def hand(
    rng: np.random.Generator, at: tuple[float, float], towards: tuple[float, float], height: float
) -> Plate:
    """A hand over a point, its arm reaching off in a direction; lit later like everything else."""
    scale, reach, half = 1.0, 1000, 130
    relief = np.zeros((2 * half, reach), np.float32)
    for start, end, thick, thin in _bones(rng):
        _sausage(relief, start, end, thick, thin, half)
    relief = cv2.GaussianBlur(relief, (0, 0), 2.0).astype(np.float32)
    alpha = np.asarray(np.clip(relief / 6.0 - 0.5, 0.0, 1.0), np.float32)
    skin = bgr(rng.uniform(0.03, 0.07), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.92))
    colour = np.empty((*relief.shape, 3), np.float32)
    colour[:] = np.power(np.array(skin), 2.2)
    if rng.uniform() < 0.7:
        sleeve = bgr(rng.uniform(), rng.uniform(0.0, 0.6), rng.uniform(0.1, 0.9))
        colour[:, int(rng.uniform(190, 330)) :] = np.power(np.array(sleeve), 2.2)
    colour *= _relief_light(rng, relief)[:, :, None]
    heading = float(np.degrees(np.arctan2(towards[1] - at[1], towards[0] - at[0])))
    corners = _corners(0.0, 0.0, heading, reach / scale, 2 * half / scale)
    forward = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    corners = corners + np.array(at) + forward * (reach / scale / 2 - 25.0)
    return Plate(colour, alpha, corners, height)


def _bones(
    rng: np.random.Generator,
) -> list[tuple[tuple[float, float], tuple[float, float], float, float]]:
    """Fingers, thumb, palm and arm in millimetres: x away from the finger tips, y across."""
    spread = rng.uniform(0.6, 1.3)
    fingers = [
        ((20.0 + rng.uniform(0.0, 25.0), y * spread), (95.0, y * 0.8), 8.0, 9.5)
        for y in (-33.0, -11.0, 11.0, 33.0)
    ]
    thumb = ((60.0 + rng.uniform(-20.0, 30.0), -62.0 * spread), (125.0, -32.0), 9.0, 12.0)
    palm = [((100.0, y), (165.0, y * 0.6), 17.0, 20.0) for y in (-25.0, -8.0, 8.0, 25.0)]
    arm = ((160.0, 0.0), (1100.0, rng.normal(0.0, 40.0)), 27.0, 56.0)
    return [*fingers, thumb, *palm, arm]


def _sausage(
    relief: Image,
    start: tuple[float, float],
    end: tuple[float, float],
    thick: float,
    thin: float,
    half: int,
) -> None:
    """Raise a rounded limb into a relief (rows are y + half)."""
    rows, columns = np.mgrid[0 : relief.shape[0], 0 : relief.shape[1]].astype(np.float32)
    first, way = np.array(start), np.array(end) - np.array(start)
    along = ((columns - first[0]) * way[0] + (rows - half - first[1]) * way[1]) / float(way @ way)
    along = np.clip(along, 0.0, 1.0)
    gap = (columns - first[0] - along * way[0]) ** 2 + (
        rows - half - first[1] - along * way[1]
    ) ** 2
    radius = thick + (thin - thick) * along
    np.maximum(relief, np.sqrt(np.maximum(radius**2 - gap, 0.0)), out=relief)


def _relief_light(rng: np.random.Generator, relief: Image) -> Image:
    """Rounded shading of a limb, from any side, with the skin's own unevenness."""
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=1 / 8)
    way = rng.uniform(0.0, 2 * np.pi)
    steep = np.sqrt(1.0 + slope_x**2 + slope_y**2)
    light = (0.8 + 0.5 * (np.cos(way) * slope_x + np.sin(way) * slope_y)) / steep
    uneven = 0.92 + 0.16 * noise(rng, (relief.shape[0], relief.shape[1]), 30.0)
    return np.asarray(np.clip(light, 0.12, 1.2) * uneven, np.float32)


def _corners(x: float, y: float, angle_deg: float, width: float, tall: float) -> Points:
    angle = np.radians(angle_deg)
    cosine, sine = np.cos(angle), np.sin(angle)
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, tall / 2)
    return np.asarray(box @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y))


def sheet_to_image(sheet: Plate, camera: PinholeCamera) -> Points:
    """Homography (3, 3) from the sheet's pixels to the photo's."""
    heights = np.full((4, 1), sheet.height_mm)
    target = camera.project(np.concatenate([sheet.corners_mm, heights], axis=1))
    tall, wide = sheet.alpha.shape
    source = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, target.astype(np.float32)))


def shadow_to_image(sheet: Plate, camera: PinholeCamera, thrown_mm: Points) -> Points:
    """Homography (3, 3) from the sheet's pixels to its shadow in the photo.

    `thrown_mm` (4, 2) are where the sheet's corners throw their shadows.
    """
    target = camera.project(np.concatenate([thrown_mm, np.zeros((4, 1))], axis=1))
    tall, wide = sheet.alpha.shape
    source = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, target.astype(np.float32)))
