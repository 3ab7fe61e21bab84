"""Lamps over the table, and what of their light reaches the board and the things on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import PinholeCamera, Points


@dataclass(frozen=True, slots=True)
class Edge:
    """A straight shadow edge over the board: the far side of a line keeps `left` of the light."""

    through_mm: tuple[float, float]
    towards: tuple[float, float]
    soft_mm: float
    left: float


@dataclass(frozen=True, slots=True)
class LightSource:
    """A lamp in board millimetres (x, y, height) with its colour (BGR, linear, green 1).

    `strength` is its share of the light at the board's middle; `radius_mm` makes penumbras.
    """

    at_mm: tuple[float, float, float]
    colour: tuple[float, float, float]
    strength: float
    radius_mm: float
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class Lighting:
    """All light of a scene; `gloss` and `sharpness` are the board's varnish."""

    lamps: tuple[LightSource, ...]
    ambient: tuple[float, float, float]
    gloss: float
    sharpness: float


def kelvin(temperature: float) -> tuple[float, float, float]:
    """Linear BGR of a black body, green 1; a straight-line fit over 2500 to 9000 K."""
    warm = (6000.0 - temperature) / 3500.0
    return (
        float(np.clip(1.0 - 0.6 * warm, 0.3, 1.5)),
        1.0,
        float(np.clip(1.0 + 0.45 * warm, 0.7, 1.6)),
    )


def black_body(temperature: float) -> NDArray[np.float64]:
    """Linear BGR (3,) of a black body of so many kelvin beside one of 6,500 K (Planck 1901), by one
    wavelength a channel."""
    wave_m = np.array([465e-9, 550e-9, 610e-9])
    body, white = (wave_m**-5 / np.expm1(0.014388 / (wave_m * k)) for k in (temperature, 6500))
    return np.asarray(body / white)


def random_lighting(
    rng: np.random.Generator, board_mm: tuple[float, float], camera: PinholeCamera
) -> Lighting:
    """One to three lamps: a ceiling lamp, a window, a desk lamp near the board."""
    count = int(rng.choice([1, 2, 2, 3]))
    shares = rng.uniform(0.3, 1.0, count)
    shares = shares / shares.sum() * rng.uniform(0.35, 0.85)
    base = rng.uniform(2700.0, 6800.0)
    lamps = tuple(_lamp(rng, board_mm, camera, float(share), base) for share in shares)
    around = kelvin(base + float(rng.normal(0.0, 500.0)))
    rest = 1.0 - float(shares.sum())
    return Lighting(
        lamps=lamps,
        ambient=(rest * around[0], rest * around[1], rest * around[2]),
        gloss=float(rng.choice([0.0, rng.uniform(0.0, 0.3), rng.uniform(0.2, 1.2)])),
        sharpness=float(rng.uniform(15.0, 400.0)),
    )


def _lamp(
    rng: np.random.Generator,
    board_mm: tuple[float, float],
    camera: PinholeCamera,
    share: float,
    base_kelvin: float,
) -> LightSource:
    middle = np.array(board_mm) / 2.0
    reach = rng.uniform(100.0, 1500.0)
    way = rng.uniform(0.0, 2 * np.pi)
    height = rng.uniform(450.0, 2400.0)
    spot = middle + reach * np.array([np.cos(way), np.sin(way)])
    if rng.uniform() < 0.25:
        spot = _mirrored(rng, board_mm, camera, height)
    near = rng.uniform() < 0.6
    edge = _edge(rng, board_mm) if rng.uniform() < 0.3 else None
    return LightSource(
        at_mm=(float(spot[0]), float(spot[1]), float(height)),
        colour=kelvin(base_kelvin + float(rng.normal(0.0, 600.0))),
        strength=share,
        radius_mm=float(rng.uniform(10.0, 60.0) if near else rng.uniform(100.0, 500.0)),
        edge=edge,
    )


def _mirrored(
    rng: np.random.Generator, board_mm: tuple[float, float], camera: PinholeCamera, height: float
) -> NDArray[np.float64]:
    """Where a lamp must hang for its reflection to lie on the board, as glare does."""
    spot = rng.uniform(0.1, 0.9, 2) * board_mm
    return np.asarray(spot + (spot - camera.centre[:2]) * height / camera.height_mm)


def _edge(rng: np.random.Generator, board_mm: tuple[float, float]) -> Edge:
    way = rng.uniform(0.0, 2 * np.pi)
    through = rng.uniform(0.15, 0.85, 2) * board_mm
    return Edge(
        through_mm=(float(through[0]), float(through[1])),
        towards=(float(np.cos(way)), float(np.sin(way))),
        soft_mm=float(rng.choice([rng.uniform(2.0, 8.0), rng.uniform(8.0, 60.0)])),
        left=float(rng.uniform(0.05, 0.6)),
    )


def reaching(lamp: LightSource, board_mm: tuple[float, float], points_mm: Points) -> Points:
    """Light on a flat board at points (..., 2): 1 times the strength at the board's middle."""
    away = np.array(lamp.at_mm[:2]) - points_mm
    squared = np.sum(away * away, axis=-1) + lamp.at_mm[2] ** 2
    middle = np.array(lamp.at_mm[:2]) - np.array(board_mm) / 2.0
    reference = float(np.sum(middle * middle)) + lamp.at_mm[2] ** 2
    light = lamp.strength * (reference / squared) ** 1.5
    return np.asarray(light * _past(lamp.edge, points_mm))


def _past(edge: Edge | None, points_mm: Points) -> Points:
    """How much of a lamp's light its shadow edge lets through."""
    if edge is None:
        return np.ones(points_mm.shape[:-1])
    side = (points_mm - np.array(edge.through_mm)) @ np.array(edge.towards)
    return np.asarray(edge.left + (1.0 - edge.left) * np.clip(side / edge.soft_mm + 0.5, 0.0, 1.0))


def glare(
    lamp: LightSource, lighting: Lighting, camera: PinholeCamera, points_mm: Points
) -> Points:
    """The lamp's reflection in the varnish at points (..., 2), as light added."""
    level = np.concatenate([points_mm, np.zeros_like(points_mm[..., :1])], axis=-1)
    to_lamp = _unit(np.array(lamp.at_mm) - level)
    to_eye = _unit(camera.centre * (1.0, 1.0, -1.0) - level)
    half = _unit(to_lamp + to_eye)
    shine = lighting.gloss * lamp.strength * half[..., 2] ** (lighting.sharpness * 4.0)
    return np.asarray(shine * _past(lamp.edge, points_mm))


def shadow_points(lamp: LightSource, points_mm: Points) -> Points:
    """Where points (..., 3) throw their shadows on the board's face, (..., 2)."""
    source = np.array(lamp.at_mm)
    fall = points_mm[..., 2:] / np.maximum(source[2] - points_mm[..., 2:], 20.0)
    return np.asarray(points_mm[..., :2] + (points_mm[..., :2] - source[:2]) * fall)


def _unit(vectors: Points) -> Points:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
