"""A pinhole camera over the table, with a little lens distortion.

World: millimetres, x right and y down as the board is printed, origin at its outer top-left
corner, *height* up from the board's face. Pixels are (x, y) from the image's top-left.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """Where a camera stands.

    `tilt_deg` is 0 straight above the board; `azimuth_deg` is the side it leans to; `roll_deg`
    turns the board in the picture; `fill` is how much of the picture the board takes (of the
    tighter side); `aim` moves the board off the picture's centre (fractions of its size);
    `k1` is the lens's first radial coefficient.
    """

    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    hfov_deg: float = 65.0
    fill: float = 0.9
    aim: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0


@dataclass(frozen=True)
class PinholeCamera:
    """A view made exact for a picture size: `turn` is world to camera, `centre` in world axes.

    World axes here are right-handed: x, y and minus the height.
    """

    turn: Points
    centre: Points
    focal_px: float
    size_px: tuple[int, int]
    middle_px: tuple[float, float]
    k1: float

    @cached_property
    def height_mm(self) -> float:
        """How high the lens is over the board."""
        return float(-self.centre[2])

    def project(self, points_mm: Points) -> Points:
        """Pixels of points of shape (..., 3) as x, y, height; shape (..., 2)."""
        world = np.asarray(points_mm, float) * (1.0, 1.0, -1.0) - self.centre
        seen = world @ self.turn.T
        flat = seen[..., :2] / seen[..., 2:]
        spread = 1.0 + self.k1 * np.sum(flat * flat, axis=-1, keepdims=True)
        return np.asarray(flat * spread * self.focal_px + self.middle_px)

    def on_plane(self, pixels: Points, height_mm: float = 0.0) -> Points:
        """Board millimetres (x, y) where the rays of pixels of shape (..., 2) meet a height."""
        bent = (np.asarray(pixels, float) - self.middle_px) / self.focal_px
        flat = bent
        for _ in range(4):
            flat = bent / (1.0 + self.k1 * np.sum(flat * flat, axis=-1, keepdims=True))
        rays = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1) @ self.turn
        reach = (-height_mm - self.centre[2]) / rays[..., 2:]
        return np.asarray(self.centre[:2] + reach * rays[..., :2])


def random_view(rng: np.random.Generator) -> View:
    """A view as phones and fixed cameras have them: half nearly overhead, some with wide lenses."""
    oblique = rng.uniform() < 0.5
    return View(
        tilt_deg=float(rng.uniform(8.0, 40.0) if oblique else abs(rng.normal(0.0, 4.0))),
        azimuth_deg=float(rng.uniform(0.0, 360.0)),
        roll_deg=float(rng.choice([0.0, 0.0, 90.0, 180.0, 270.0]) + rng.normal(0.0, 8.0)),
        hfov_deg=_hfov_deg(float(rng.uniform())),
        fill=float(rng.uniform(0.72, 0.96)),
        aim=(float(rng.normal(0.0, 0.02)), float(rng.normal(0.0, 0.02))),
        k1=float(rng.normal(0.0, 0.02)),
    )


def _hfov_deg(dice: float) -> float:
    """Phones and usual Pi cameras, and one in six with a wide lens."""
    return 52.0 + 30.0 * dice if dice < 5 / 6 else 90.0 + 84.0 * (dice - 5 / 6)


def stand(view: View, board_mm: tuple[float, float], size_px: tuple[int, int]) -> PinholeCamera:
    """The camera of a view, so far away that the board fills what the view says."""
    turn = _turn(view)
    focal = size_px[0] / 2.0 / np.tan(np.radians(view.hfov_deg) / 2.0)
    middle = (size_px[0] / 2.0, size_px[1] / 2.0)
    width, height = board_mm
    corners = np.array([(x, y, 0.0) for x in (0.0, width) for y in (0.0, height)])
    target = np.array([width / 2.0, height / 2.0, 0.0])
    near, far = 100.0, 20000.0
    for _ in range(40):
        distance = (near + far) / 2.0
        camera = PinholeCamera(turn, target - turn[2] * distance, focal, size_px, middle, view.k1)
        camera = _aimed(camera, corners, view)
        near, far = (near, distance) if _filled(camera, corners) < view.fill else (distance, far)
    return camera


def _filled(camera: PinholeCamera, corners: Points) -> float:
    """The larger share of the picture's width or height that the corners take."""
    if _depth(camera, corners).min() < 50.0:
        return float("inf")
    return float(np.max(np.ptp(camera.project(corners), axis=0) / camera.size_px))


def _aimed(camera: PinholeCamera, corners: Points, view: View) -> PinholeCamera:
    """The camera moved sideways until the board lies in the picture where the view aims."""
    size = np.array(camera.size_px, float)
    for _ in range(20):
        depth = _depth(camera, corners)
        if depth.min() < 50.0:
            break
        pixels = camera.project(corners)
        room = np.maximum(size - np.ptp(pixels, axis=0), 0.0) / 2.0
        wanted = size / 2.0 + np.clip(np.array(view.aim) * size, -0.8 * room, 0.8 * room)
        off = (pixels.min(axis=0) + pixels.max(axis=0)) / 2.0 - wanted
        # By the nearest corner, which moves fastest: so no step goes too far.
        sideways = (off / camera.focal_px * depth.min()) @ camera.turn[:2]
        camera = replace(camera, centre=camera.centre + sideways)
    return camera


def _depth(camera: PinholeCamera, points: Points) -> Points:
    """How far points (N, 3) lie before the lens, shape (N,)."""
    return np.asarray((points * (1.0, 1.0, -1.0) - camera.centre) @ camera.turn[2])


def _turn(view: View) -> Points:
    roll, tilt, azimuth = (np.radians(v) for v in (view.roll_deg, view.tilt_deg, view.azimuth_deg))
    lean = np.array(
        [[1.0, 0.0, 0.0], [0.0, np.cos(tilt), -np.sin(tilt)], [0.0, np.sin(tilt), np.cos(tilt)]]
    )
    return np.asarray(spun(roll - azimuth) @ lean @ spun(azimuth))


def spun(angle: float) -> Points:
    """The matrix (3, 3) that turns points about the axis of height, by an angle in radians."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
