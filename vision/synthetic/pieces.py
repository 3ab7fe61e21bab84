"""Draws the standing pieces with true perspective: their shadows first, then their lit faces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.arrangement import Piece
from vision.synthetic.camera import PinholeCamera, Points, spun
from vision.synthetic.light import Lighting, LightSource, reaching, shadow_points
from vision.synthetic.solids import (
    Mesh,
    block,
    cup,
    disc,
    meeple,
    random_wagon_shape,
    track_piece,
    wagon,
)
from vision.synthetic.texture import Bgr, bgr, shifted

Layer = NDArray[np.uint8]
_SHIFT = 4

PLASTICS: Mapping[str, Bgr] = {
    "blue": (0.63, 0.36, 0.05),
    "red": (0.14, 0.12, 0.68),
    "green": (0.24, 0.38, 0.09),
    "yellow": (0.1, 0.8, 0.91),
    "black": (0.115, 0.113, 0.117),
    "white": (0.79, 0.83, 0.85),
    "purple": (0.46, 0.18, 0.34),
    "orange": (0.11, 0.45, 0.87),
    "pink": (0.6, 0.36, 0.82),
    "grey": (0.5, 0.5, 0.5),
}
"""Colours of the plastic as a camera in neutral light sees it (sRGB, BGR, 0..1)."""

TRACKS: Mapping[str, Bgr] = {
    **PLASTICS,
    "red": (0.15, 0.12, 0.7),
    "blue": (0.74, 0.47, 0.09),
    "green": (0.16, 0.62, 0.43),
    "yellow": (0.13, 0.8, 0.91),
    "black": (0.2, 0.19, 0.2),
}
"""Colours of France's cardboard track pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceSet:
    """The shapes and colours of one copy of the game."""

    meshes: Mapping[str, Mesh]
    plastics: Mapping[str, Bgr]
    shine: float


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """A piece's faces in board millimetres: `quads` (F, 4, 3), `normals` (F, 3), `hull` (K, 3)."""

    piece: Piece
    quads: Points
    normals: Points
    tones: Points
    hull: Points
    albedo: NDArray[np.float64]

    def raised(self, height_mm: float) -> "Posed":
        """The piece standing higher by so much."""
        lift = np.array([0.0, 0.0, height_mm])
        return replace(self, quads=self.quads + lift, hull=self.hull + lift)


def random_pieces(rng: np.random.Generator) -> PieceSet:
    """A copy of the game: its wagons' shape, and its own shades of every colour."""
    meshes = {
        "wagon": wagon(random_wagon_shape(rng)),
        "marker": disc(float(rng.uniform(5.0, 7.5)), float(rng.uniform(5.0, 10.0))),
        "die": block(16.0, 16.0, 16.0),
        "cup": cup(float(rng.uniform(30.0, 42.0)), float(rng.uniform(70.0, 105.0))),
        "meeple": meeple(float(rng.uniform(9.0, 12.0))),
    }
    plastics = {name: _jittered(rng, colour, name) for name, colour in PLASTICS.items()}
    plastics |= {f"track {name}": _jittered(rng, colour, name) for name, colour in TRACKS.items()}
    return PieceSet(meshes, plastics, float(rng.uniform(0.0, 0.5)))


def _jittered(rng: np.random.Generator, colour: Bgr, name: str) -> Bgr:
    turn = 0.012 if name != "blue" else 0.018
    shade = shifted(colour, rng.normal(0.0, turn), rng.uniform(0.85, 1.12), rng.uniform(0.85, 1.15))
    if name in ("black", "white", "grey"):
        return shifted(bgr(rng.uniform(), rng.uniform(0.0, 0.08), shade[2]), 0.0, 1.0, 1.0)
    return shade


def linear(colour: Bgr) -> NDArray[np.float64]:
    """A screen colour as linear light (BGR)."""
    return np.asarray(np.power(np.array(colour), 2.2))


def pose(piece: Piece, pieces: PieceSet) -> Posed:
    """A piece set on the board, at its height above it, upright or lying on its side."""
    if piece.kind == "track":
        mesh = track_piece(piece.length - 0.6, round(piece.length / 25.0))
        colour = pieces.plastics[f"track {piece.colour}"]
    else:
        mesh = pieces.meshes[piece.kind]
        colour = pieces.plastics[piece.colour]
    turn = spun(np.radians(piece.angle_deg)) @ _roll(piece.lying)
    lift = -float((mesh.hull @ turn.T)[:, 2].min()) + piece.height
    shift = np.array([piece.x, piece.y, lift])
    return Posed(
        piece=piece,
        quads=mesh.quads @ turn.T + shift,
        normals=mesh.normals @ turn.T,
        tones=mesh.tones,
        hull=mesh.hull @ turn.T + shift,
        albedo=linear(colour) * 0.95 + 0.012,
    )


def _roll(side: int) -> Points:
    """A wagon on its side leans on the edge of its roof."""
    angle = side * np.radians(101.0)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])


def cast_shadows(
    shade: Layer, posed: Sequence[Posed], lamp: LightSource, camera: PinholeCamera
) -> None:
    """Darken a layer (H, W; 255 is fully lit) where pieces stand in the lamp's way."""
    for one in posed:
        touched = one.hull[:, :2]
        thrown = shadow_points(lamp, one.hull)
        _fill_hull(shade, camera, np.concatenate([thrown, touched]), 0)


def press_contacts(shade: Layer, posed: Sequence[Posed], camera: PinholeCamera) -> None:
    """Darken a layer about the feet of pieces, where the room's light hardly reaches."""
    for one in posed:
        middle = one.hull[:, :2].mean(axis=0)
        _fill_hull(shade, camera, middle + (one.hull[:, :2] - middle) * 1.12, 90)


def silhouette(mask: Layer, one: Posed, camera: PinholeCamera) -> None:
    """Fill a mask with 255 where a piece is seen."""
    outline = cv2.convexHull(camera.project(one.hull).astype(np.float32))[:, 0].astype(float)
    cv2.fillConvexPoly(mask, _fixed(outline), (255.0,), cv2.LINE_AA, _SHIFT)


def _fill_hull(shade: Layer, camera: PinholeCamera, ground_mm: Points, value: int) -> None:
    """Fill the convex hull of points (N, 2) on the ground with a value, as the camera sees it."""
    outline = cv2.convexHull(ground_mm.astype(np.float32))[:, 0].astype(float)
    pixels = camera.project(np.column_stack([outline, np.zeros(len(outline))]))
    cv2.fillConvexPoly(shade, _fixed(pixels), (float(value),), cv2.LINE_AA, _SHIFT)


def _fixed(pixels: Points) -> NDArray[np.int32]:
    return np.round(np.clip(pixels, -9000, 9000) * (1 << _SHIFT)).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What a piece's faces are lit by: lamps, and each lamp's shade layer (H, W; 255 is lit)."""

    lighting: Lighting
    board_mm: tuple[float, float]
    camera: PinholeCamera
    shades: tuple[Layer, ...]
    shine: float


def draw_pieces(picture: Layer, posed: Sequence[Posed], around: Surroundings) -> None:
    """Draw pieces onto a coded picture (`encode`), the farthest first."""
    eye = around.camera.centre * (1.0, 1.0, -1.0)
    flat = [p for p in posed if p.piece.kind == "track"]
    tall = [p for p in posed if p.piece.kind != "track"]
    tall.sort(key=lambda p: -float(np.hypot(p.piece.x - eye[0], p.piece.y - eye[1])))
    for one in [*flat, *tall]:
        _draw_piece(picture, one, around, eye)


def _draw_piece(picture: Layer, one: Posed, around: Surroundings, eye: Points) -> None:
    middles = one.quads.mean(axis=1)
    seen = np.sum(one.normals * (eye - middles), axis=1) > 0.0
    colours = encode(_lit(one, around, eye, middles))
    pixels = around.camera.project(one.quads)
    outline = cv2.convexHull(around.camera.project(one.hull).astype(np.float32))[:, 0].astype(float)
    under = colours[seen].mean(axis=0) * 0.8
    cv2.fillConvexPoly(picture, _fixed(outline), under.tolist(), cv2.LINE_AA, _SHIFT)
    corners = _fixed(pixels)
    for face in np.flatnonzero(seen):
        cv2.fillConvexPoly(picture, corners[face], colours[face].tolist(), cv2.LINE_AA, _SHIFT)


def _lit(one: Posed, around: Surroundings, eye: Points, middles: Points) -> Points:
    """Linear light (F, 3) that every face sends to the camera."""
    facing_up = 0.5 + 0.5 * one.normals[:, 2]
    light = np.outer(0.18 + 0.82 * facing_up**1.5, np.array(around.lighting.ambient))
    polish = np.zeros((len(middles), 3))
    to_eye = eye - middles
    to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
    for lamp, shade in zip(around.lighting.lamps, around.shades, strict=True):
        to_lamp = np.array(lamp.at_mm) - middles
        to_lamp /= np.linalg.norm(to_lamp, axis=1, keepdims=True)
        spot = np.array([[one.piece.x, one.piece.y]])
        level = float(reaching(lamp, around.board_mm, spot)[0])
        upright = max(to_lamp[0, 2], 0.15)
        strength = level / upright * np.maximum(np.sum(one.normals * to_lamp, axis=1), 0.0)
        strength *= _foot_light(one, around.camera, shade, middles)
        light += np.outer(strength, lamp.colour)
        half = to_lamp + to_eye
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        shine = around.shine * level * np.maximum(np.sum(one.normals * half, axis=1), 0.0) ** 40
        polish += np.outer(shine, lamp.colour)
    return np.asarray(one.albedo * light * one.tones[:, None] + polish)


def _foot_light(one: Posed, camera: PinholeCamera, shade: Layer, middles: Points) -> Points:
    """How lit the ground before each wall is: a neighbour's shadow falls on the wall as well."""
    walls = np.abs(one.normals[:, 2]) < 0.5
    before = middles + one.normals * (2.0, 2.0, 0.0)
    before[:, 2] = 0.0
    pixels = np.round(camera.project(before)).astype(int)
    height, width = shade.shape
    columns = np.clip(pixels[:, 0], 0, width - 1)
    rows = np.clip(pixels[:, 1], 0, height - 1)
    return np.asarray(np.where(walls, shade[rows, columns] / 255.0, 1.0))


HEADROOM = 3.0
"""Linear light that the coded picture's full scale stands for; white paper in full light is 0.7."""


def encode(light: Points) -> Points:
    """Linear light coded as a square root, so that eight bits are enough while drawing."""
    return np.asarray(np.sqrt(np.clip(light, 0.0, HEADROOM) / HEADROOM) * 255.0)
