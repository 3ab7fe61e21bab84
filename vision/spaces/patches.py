"""Patches of printed spaces, cut directly from a photo, each turned upright.

A patch shows a window of `WINDOW_MM` around one space, the route running along its x axis. It is
cut at `PX_PER_MM`, with no other warp in between, so that an oblique or small photo loses as
little as possible.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.resize import shrunk, shrunk_by
from vision.registration.board_geometry import board_quads_mm

WINDOW_MM = (56.0, 40.0)
"""Width (along the route) and height (across it) of the part of the board that a patch shows."""

PX_PER_MM = 1.25
"""Sampling of a patch: a wagon of 24 x 9 mm covers 30 x 11 px."""

PATCH_PX = (round(WINDOW_MM[0] * PX_PER_MM), round(WINDOW_MM[1] * PX_PER_MM))
"""Patch size in pixels, (width, height)."""

GREY_BGR = (150, 150, 150)
PRINT_BGR: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {
        "blue": (190, 130, 60),
        "red": (50, 50, 190),
        "green": (60, 150, 110),
        "yellow": (60, 200, 225),
        "black": (70, 65, 65),
        "white": (225, 225, 225),
        "orange": (60, 130, 220),
        "pink": (190, 130, 200),
        "purple": (150, 80, 130),
        "track-bed": (90, 130, 160),
        "grey": GREY_BGR,
    }
)
"""Rough colour of a printed space by the colour word of the board file: a hint, not a measurement.

The words are those of `scoring.board.inspection.words.PRINTED`."""


def cut_patches(
    image_bgr: NDArray[np.uint8],
    spaces_px: NDArray[np.float64],
    size_mm: tuple[float, float],
    margin_px: int = 0,
) -> NDArray[np.uint8]:
    """Cut the patch of each space.

    `spaces_px` is an ndarray of shape (N, 4, 2), the corners of the spaces in image pixels;
    `size_mm` is the printed box. Returns an ndarray of shape (N, H, W, 3), uint8, BGR, where
    (W, H) is PATCH_PX grown by the margin on each side.
    """
    scaled, factor = _near_patch_scale(image_bgr, spaces_px, size_mm)
    spaces_px = (spaces_px + 0.5) * factor - 0.5
    width, height = (side + 2 * margin_px for side in PATCH_PX)
    patches = np.empty((len(spaces_px), height, width, 3), np.uint8)
    for patch, matrix in zip(patches, patch_to_image(spaces_px, size_mm, margin_px), strict=True):
        cv2.warpAffine(
            scaled,
            matrix,
            (width, height),
            dst=patch,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return patches


def patch_to_image(
    spaces_px: NDArray[np.float64], size_mm: tuple[float, float], margin_px: int = 0
) -> NDArray[np.float64]:
    """Affine maps from patch pixels to image pixels, ndarray of shape (N, 2, 3)."""
    along, across = _axes_px_per_mm(spaces_px, size_mm)
    centre = spaces_px.mean(axis=1)
    middle = (np.array(PATCH_PX) - 1) / 2 + margin_px
    linear = np.stack([along, across], axis=-1) / PX_PER_MM
    offset = centre - linear @ middle
    return np.concatenate([linear, offset[..., None]], axis=-1)


def _axes_px_per_mm(
    spaces_px: NDArray[np.float64], size_mm: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Image pixels a millimetre along and across each space, two ndarrays of shape (N, 2)."""
    c0, c1, c2, c3 = (spaces_px[:, corner] for corner in range(4))
    along = (c1 + c2 - c0 - c3) / (2 * size_mm[0])
    across = (c3 + c2 - c0 - c1) / (2 * size_mm[1])
    return along, across


def _near_patch_scale(
    image_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64], size_mm: tuple[float, float]
) -> tuple[NDArray[np.uint8], float]:
    """The image shrunk (area mean) where a patch would skip pixels, and by which factor."""
    factor = _patch_scale(spaces_px, size_mm)
    times = finer_than_patches(spaces_px, size_mm)
    scaled, rest = shrunk_by(image_bgr, times), factor * times
    return (scaled, 1 / times) if rest > 0.85 else (shrunk(scaled, rest), factor)


def finer_than_patches(spaces_px: NDArray[np.float64], size_mm: tuple[float, float]) -> int:
    """How many whole times finer than its patches an image is, in which spaces (N, 4, 2) lie."""
    return max(1, int(1 / _patch_scale(spaces_px, size_mm)))


def _patch_scale(spaces_px: NDArray[np.float64], size_mm: tuple[float, float]) -> float:
    """The factor at which an image is nearly as fine as its patches."""
    along, across = _axes_px_per_mm(spaces_px, size_mm)
    area = np.abs(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0])
    return 1.35 * PX_PER_MM / float(np.median(np.sqrt(area)))


def print_around(board: Board) -> NDArray[np.uint8]:
    """What the board file says is printed around each space, as it lies in the space's patch.

    Returns an ndarray of shape (N, 4, H, W), uint8, not to be written to. Channel 0 is 255 inside
    the space itself, 128 in other spaces, 0 elsewhere; channels 1 to 3 are the spaces' printed
    colours, BGR, 0 elsewhere.
    """
    colours_bgr = tuple(
        PRINT_BGR.get(route.colour, GREY_BGR) for route in board.routes for _ in range(route.length)
    )
    return _kept_around(board_quads_mm(board).tobytes(), board.space_size_mm, colours_bgr)


@lru_cache(maxsize=2)
def _kept_around(
    quads: bytes, size_mm: tuple[float, float], colours_bgr: tuple[tuple[int, int, int], ...]
) -> NDArray[np.uint8]:
    """`spaces_around` of the boards that were read last: every photo and every frame needs it."""
    around = spaces_around(np.frombuffer(quads).reshape(-1, 4, 2), size_mm, colours_bgr)
    around.setflags(write=False)
    return around


def spaces_around(
    quads: NDArray[np.float64],
    size_mm: tuple[float, float],
    colours_bgr: Sequence[tuple[int, int, int]],
) -> NDArray[np.uint8]:
    """Like `print_around`, for spaces given by corner points (N, 4, 2) in any common frame."""
    to_plane = patch_to_image(quads, size_mm)
    seen_from, seen = _seen_in_patches(quads.mean(axis=1), to_plane, size_mm)
    from_plane = np.linalg.inv(to_plane[:, :, :2]).transpose(0, 2, 1)
    points = (quads[seen] - to_plane[seen_from, None, :, 2]) @ from_plane[seen_from]
    inside = (points.max(axis=1) > -1).all(axis=1) & (points.min(axis=1) < PATCH_PX).all(axis=1)
    # OpenCV takes sixteenths of a pixel.
    sixteenths = np.round(points[inside] * 16).astype(np.int32)
    around = np.zeros((len(quads), PATCH_PX[1], PATCH_PX[0], 4), np.uint8)
    pairs = zip(seen_from[inside].tolist(), seen[inside].tolist(), sixteenths, strict=True)
    for index, space, polygon in pairs:
        value = (255 if space == index else 128, *colours_bgr[space])
        cv2.fillConvexPoly(around[index], polygon, value, cv2.LINE_8, 4)
    return np.ascontiguousarray(around.transpose(0, 3, 1, 2))


def _seen_in_patches(
    centres: NDArray[np.float64], to_plane: NDArray[np.float64], size_mm: tuple[float, float]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of a space and one that its patch may show, patch by patch, two ndarrays (P,).

    The space itself comes last, over any neighbour that overlaps it.
    """
    unit = np.linalg.norm(to_plane[:, :, 0], axis=1) * PX_PER_MM
    reach = math.hypot(*WINDOW_MM) / 2 + max(size_mm) / 2
    near = np.linalg.norm(centres[:, None] - centres[None], axis=-1) < reach * unit[:, None]
    seen_from, seen = np.nonzero(near)
    order = np.lexsort((seen, seen_from == seen, seen_from))
    return seen_from[order], seen[order]


def roofs_around(mask: NDArray[np.uint8], lean: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Where the roofs of wagons would be seen that stand on the spaces of a mask.

    `mask` is channel 0 of `print_around`, ndarray of shape (N, H, W), uint8; `lean` (N, 2) is
    `lean_mm`. A roof is the space moved by the lean: neighbours in one patch lean alike. Returns
    an ndarray of shape (N, H, W), uint8.
    """
    roofs = np.empty_like(mask)
    for roof, space, (along, across) in zip(roofs, mask, lean * PX_PER_MM, strict=True):
        move = np.array([[1.0, 0.0, along], [0.0, 1.0, across]])
        cv2.warpAffine(space, move, (mask.shape[2], mask.shape[1]), dst=roof)
    return roofs
