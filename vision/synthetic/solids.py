"""Shapes of the things that stand on a board, as flat-sided meshes in millimetres.

A mesh stands on height 0 about the origin, x along its long side. Faces are quads seen from
outside; `tones` darken or lighten single faces (windows, the foot of a wall, a ridge).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """`quads` is an ndarray of shape (F, 4, 3), `normals` (F, 3), `tones` (F,).

    `hull` (K, 3) are the points whose shadows' outline is the mesh's shadow.
    """

    quads: NDArray[np.float64]
    normals: NDArray[np.float64]
    tones: NDArray[np.float64]
    hull: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WagonShape:
    """A set's wagons: overall length, width, height, and how narrow the roof is."""

    length: float = 24.0
    width: float = 9.0
    height: float = 9.0
    roof_width: float = 5.4
    roof_length: float = 22.4
    eaves: float = 6.0
    windows: int = 5
    wheels: int = 4
    ridges: int = 2
    chimney: float = 0.5
    deck: float = 0.5


def random_wagon_shape(rng: np.random.Generator) -> WagonShape:
    """The wagons of one set; all sets are alike within a millimetre or two."""
    return WagonShape(
        length=float(rng.uniform(22.8, 25.2)),
        width=float(rng.uniform(8.2, 9.6)),
        height=float(rng.uniform(8.4, 9.8)),
        roof_width=float(rng.uniform(3.6, 6.4)),
        roof_length=float(rng.uniform(20.5, 23.2)),
        eaves=float(rng.uniform(5.2, 7.2)),
        windows=int(rng.integers(3, 8)),
        wheels=int(rng.integers(0, 5)),
        ridges=int(rng.integers(0, 4)),
        chimney=float(rng.uniform(0.0, 1.2)),
        deck=float(rng.choice([0.05, rng.uniform(0.2, 0.9)])),
    )


def wagon(shape: WagonShape) -> Mesh:
    """A railway coach: upright walls with windows and wheels, a hipped roof with a raised deck."""
    along, across = shape.length / 2, shape.width / 2
    top_along, top_across = shape.roof_length / 2, shape.roof_width / 2
    foot = _ring(along, across, 0.0)
    sill = _ring(along, across, shape.eaves * 0.35)
    eaves = _ring(along, across, shape.eaves)
    top = _ring(top_along, top_across, shape.height)
    brim = _ring(top_along - 1.0, top_across * 0.8, shape.height)
    deck = _ring(top_along - 1.6, top_across * 0.62, shape.height + shape.deck)
    quads = [*_wall(foot, sill), *_wall(sill, eaves), *_wall(eaves, top), top]
    quads += [*_wall(brim, deck), deck]
    tones = [0.6] * 4 + [0.95] * 4 + [1.0] * 4 + [0.97] + [0.95] * 4 + [1.05]
    for quad, tone in _details(shape):
        quads.append(quad)
        tones.append(tone)
    return _mesh(quads, tones, np.concatenate([foot, eaves, top]))


def _details(shape: WagonShape) -> list[tuple[NDArray[np.float64], float]]:
    found: list[tuple[NDArray[np.float64], float]] = []
    along, across = shape.length / 2, shape.width / 2 + 0.05
    pitch = shape.length / (shape.windows + 0.6)
    for side in (-1.0, 1.0):
        for i in range(shape.windows):
            x = (i - (shape.windows - 1) / 2) * pitch
            low, high = shape.eaves * 0.45, shape.eaves * 0.85
            found.append((_upright(x, pitch * 0.27, side * across, low, high), 0.72))
        for i in range(shape.wheels):
            x = (i - (shape.wheels - 1) / 2) * shape.length / max(shape.wheels, 1) * 0.8
            found.append((_upright(x, 1.7, side * (across + 0.55), 0.0, 2.6), 0.85))
    found += _ridges(shape)
    if shape.chimney > 0.25:
        x = along * 0.45
        found += _block(x, 0.0, 1.3, 0.9, shape.height, shape.height + shape.deck + shape.chimney)
    return found


def _ridges(shape: WagonShape) -> list[tuple[NDArray[np.float64], float]]:
    """Raised lines along the roof: a light side and a dark one each."""
    found = []
    height = shape.height + shape.deck + 0.02
    for i in range(shape.ridges):
        y = (i - (shape.ridges - 1) / 2) * shape.roof_width * 0.6 / (shape.ridges + 0.2)
        x = shape.roof_length * 0.42
        for offset, tone in ((-0.25, 1.25), (0.25, 0.65)):
            found.append((_flat(0.0, y + offset, x, 0.22, height), tone))
    return found


def prism(outline: NDArray[np.float64], height: float, taper: float = 1.0) -> Mesh:
    """An upright solid over an outline (K, 2), scaled by `taper` at its top."""
    count = len(outline)
    foot = np.column_stack([outline, np.zeros(count)])
    top = np.column_stack([outline * taper, np.full(count, height)])
    after = np.roll(outline, -1, axis=0)
    if float(np.sum(outline[:, 0] * after[:, 1] - after[:, 0] * outline[:, 1])) < 0:
        foot, top = foot[::-1], top[::-1]
    quads = _wall(foot, top)
    centre = top.mean(axis=0)
    for i in range(count):
        j = (i + 1) % count
        quads.append(np.array([top[i], top[j], centre, centre]))
    tones = [0.96] * count + [1.0] * count
    return _mesh(quads, tones, np.concatenate([foot, top]))


def disc(radius: float, height: float, sides: int = 20, taper: float = 1.0) -> Mesh:
    """A round marker, a coin."""
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    return prism(radius * np.column_stack([np.cos(turn), np.sin(turn)]), height, taper)


def cup(radius: float, height: float) -> Mesh:
    """A cup with something dark in it."""
    outside = disc(radius, height, 32, 1.05)
    drink = disc(radius * 0.92, 0.05, 32)
    level = drink.quads[drink.normals[:, 2] > 0.9] + (0.0, 0.0, height)
    count = len(level)
    return Mesh(
        np.concatenate([outside.quads, level]),
        np.concatenate([outside.normals, np.tile((0.0, 0.0, 1.0), (count, 1))]),
        np.concatenate([outside.tones, np.full(count, 0.12)]),
        outside.hull,
    )


def block(length: float, width: float, height: float) -> Mesh:
    """A plain box: a die, a track piece."""
    along, across = length / 2, width / 2
    outline = np.array([(-along, -across), (along, -across), (along, across), (-along, across)])
    return prism(outline, height)


def track_piece(length: float, spaces: int) -> Mesh:
    """A cardboard strip over a route's spaces (France), with a mark printed for each space."""
    width, thick = 8.4, 1.6
    plain = block(length, width, thick)
    quads, tones = [*plain.quads], [*plain.tones.tolist()]
    pitch = length / max(spaces, 1)
    for i in range(spaces):
        x = (i + 0.5) * pitch - length / 2
        marks = [_flat(x, 0.0, 1.8, 1.8, thick)]
        marks += [_flat(x, side * width * 0.4, pitch * 0.46, 0.25, thick) for side in (-1.0, 1.0)]
        marks += [_flat(x + side * pitch * 0.46, 0.0, 0.25, 3.4, thick) for side in (-1.0, 1.0)]
        quads += marks
        tones += [0.6] * len(marks)
    return _mesh(quads, tones, plain.hull)


def meeple(size: float) -> Mesh:
    """A passenger standing on the board: a slab with a head, seen from any side."""
    profile = np.array(
        [(-0.45, 0.0), (0.45, 0.0), (0.3, 0.5), (0.55, 0.75), (0.2, 0.9), (0.22, 1.3)]
    )
    mirrored = np.concatenate([profile, (profile * (-1, 1))[:1:-1]]) * size
    depth = 0.22 * size
    front = np.column_stack([mirrored[:, 0], np.full(len(mirrored), -depth), mirrored[:, 1]])
    back = front * (1, -1, 1)
    quads = _wall(front, back)
    for ring in (front, back[::-1]):
        centre = ring.mean(axis=0)
        quads += [
            np.array([ring[i], centre, centre, ring[(i + 1) % len(ring)]]) for i in range(len(ring))
        ]
    return _mesh(quads, [1.0] * len(quads), np.concatenate([front, back]), outward=True)


def _mesh(
    quads: list[NDArray[np.float64]],
    tones: list[float],
    hull: NDArray[np.float64],
    outward: bool = False,
) -> Mesh:
    """Faces with their normals; with `outward`, normals are turned away from the middle."""
    stacked = np.stack(quads)
    normals = np.cross(stacked[:, 2] - stacked[:, 0], stacked[:, 3] - stacked[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    if outward:
        away = stacked.mean(axis=1) - hull.mean(axis=0)
        normals *= np.where(np.sum(normals * away, axis=1) < 0, -1.0, 1.0)[:, None]
    return Mesh(stacked, normals, np.array(tones), hull)


def _ring(along: float, across: float, height: float) -> NDArray[np.float64]:
    return np.array(
        [
            (-along, -across, height),
            (along, -across, height),
            (along, across, height),
            (-along, across, height),
        ]
    )


def _wall(low: NDArray[np.float64], high: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Quads between two rings of the same number of points."""
    count = len(low)
    return [
        np.array([low[i], low[(i + 1) % count], high[(i + 1) % count], high[i]])
        for i in range(count)
    ]


def _upright(x: float, half: float, y: float, low: float, high: float) -> NDArray[np.float64]:
    """A rectangle in a long wall, facing away from the wagon's middle."""
    quad = np.array(
        [(x - half, y, low), (x + half, y, low), (x + half, y, high), (x - half, y, high)]
    )
    return quad if y < 0 else quad[[1, 0, 3, 2]]


def _flat(x: float, y: float, half_x: float, half_y: float, height: float) -> NDArray[np.float64]:
    return np.asarray(_ring(half_x, half_y, height) + np.array([x, y, 0.0]))


def _block(
    x: float, y: float, half_x: float, half_y: float, low: float, high: float
) -> list[tuple[NDArray[np.float64], float]]:
    foot, top = _flat(x, y, half_x, half_y, low), _flat(x, y, half_x, half_y, high)
    return [(quad, 0.9) for quad in _wall(foot, top)] + [(top, 1.05)]
