"""A board is never quite flat: folds stand up a little, edges curl."""

from dataclasses import dataclass

import numpy as np

from vision.synthetic.camera import PinholeCamera, Points


@dataclass(frozen=True, slots=True)
class Relief:
    """Height of the board's face: ridges along folds (millimetres) and a curl of its corners."""

    folds_x: tuple[float, ...]
    folds_y: tuple[float, ...]
    ridge_mm: float
    curl_mm: float
    outer_mm: tuple[float, float]

    def height(self, points_mm: Points) -> Points:
        """Height in millimetres at points (..., 2)."""
        width, height = self.outer_mm
        x, y = points_mm[..., 0] / width, points_mm[..., 1] / height
        rise = np.zeros(x.shape)
        for fold in self.folds_x:
            rise = rise + self.ridge_mm * np.maximum(0.0, 1.0 - np.abs(x - fold) * 7.0)
        for fold in self.folds_y:
            rise = rise + self.ridge_mm * np.maximum(0.0, 1.0 - np.abs(y - fold) * 7.0)
        return np.asarray(rise + self.curl_mm * ((2 * x - 1) * (2 * y - 1)) ** 2)

    def on_board(self, camera: PinholeCamera, plane_mm: Points) -> Points:
        """Where on the raised face the rays land that meet the flat plane at `plane_mm`.

        To first order: a ray that would meet the plane at p passes height h at p + (C - p) h / H,
        where C is the point under the lens and H the lens's height.
        """
        lift = self.height(plane_mm)[..., None] / camera.height_mm
        return np.asarray(plane_mm + (camera.centre[:2] - plane_mm) * lift)

    def light(self, points_mm: Points, way: tuple[float, float]) -> Points:
        """Brightness factor of slopes seen from a lamp's direction (unit vector towards it)."""
        step = 2.0
        here = self.height(points_mm)
        towards = self.height(points_mm + np.array(way) * step)
        return np.asarray(np.clip(1.0 - 3.0 * (towards - here) / step, 0.6, 1.4))


def random_relief(
    rng: np.random.Generator, outer_mm: tuple[float, float], folds: tuple[int, int]
) -> Relief:
    """Half of all boards lie nearly flat, the others rise some millimetres at folds and corners."""
    wild = rng.uniform() < 0.5
    return Relief(
        folds_x=tuple((i + 1) / (folds[0] + 1) for i in range(folds[0])),
        folds_y=tuple((i + 1) / (folds[1] + 1) for i in range(folds[1])),
        ridge_mm=float(rng.uniform(0.0, 3.0) if wild else rng.uniform(0.0, 0.5)),
        curl_mm=float(rng.uniform(0.0, 5.0) if wild else 0.0),
        outer_mm=outer_mm,
    )
