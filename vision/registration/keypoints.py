"""SIFT keypoints of a grey image: the strongest, those of a large image by tiles, or spread."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

CELLS = 12
"""Features are taken evenly from this many rows and columns of cells."""

WHOLE_PX = 1000
"""Sides of the largest image that features are looked for in at once, which takes 80 MB."""


def find_keypoints(
    grey: NDArray[np.uint8], mask: NDArray[np.uint8] | None, count: int, *, spread: bool
) -> tuple[Sequence[cv2.KeyPoint], object]:
    """About `count` SIFT keypoints of an image (H, W), uint8, and their descriptors (M, 128).

    Only where `mask`, of the image's shape, is not 0; everywhere if it is None. The strongest are
    taken, or with `spread` the strongest of every part of the image; a large image without a mask
    is searched by tiles either way. Where there are none the descriptors are None or (0, 128).
    """
    if mask is None and max(grey.shape) > WHOLE_PX:
        return _by_tiles(grey, count)
    if not spread:
        sift = cv2.SIFT.create(nfeatures=count, nOctaveLayers=2)
        return sift.detectAndCompute(grey, mask)
    sift = cv2.SIFT.create(nOctaveLayers=2)
    found = sift.detect(grey, mask)
    return sift.compute(grey, _spread(found, grey.shape, count)) if found else ((), None)


def _by_tiles(
    grey: NDArray[np.uint8], count: int
) -> tuple[Sequence[cv2.KeyPoint], NDArray[np.float32]]:
    """The features of a large image, a part at a time: SIFT takes 100 bytes and more a pixel."""
    rows, columns = (-(-side // WHOLE_PX) for side in grey.shape)
    sift = cv2.SIFT.create(nfeatures=count // (rows * columns), nOctaveLayers=2)
    keypoints: list[cv2.KeyPoint] = []
    descriptors = [np.zeros((0, 128), np.float32)]
    for row, column in np.ndindex(rows, columns):
        top, left = grey.shape[0] * row // rows, grey.shape[1] * column // columns
        bottom, right = grey.shape[0] * (row + 1) // rows, grey.shape[1] * (column + 1) // columns
        found, described = sift.detectAndCompute(grey[top:bottom, left:right], None)
        for keypoint in found:
            keypoint.pt = (keypoint.pt[0] + left, keypoint.pt[1] + top)
        if len(found):
            keypoints += found
            descriptors.append(np.asarray(described, np.float32))
    return keypoints, np.concatenate(descriptors)


def _spread(
    keypoints: Sequence[cv2.KeyPoint], shape: tuple[int, ...], count: int
) -> list[cv2.KeyPoint]:
    """The strongest keypoints, taken in turn from all cells of a grid."""
    points = np.array([k.pt for k in keypoints], np.float64).reshape(-1, 2)
    cells = (points / (np.array(shape[1::-1]) / CELLS)).astype(np.int64) @ (1, CELLS)
    order = np.argsort([-k.response for k in keypoints], kind="stable")
    by_cell = order[np.argsort(cells[order], kind="stable")]
    sizes = np.bincount(cells, minlength=1)
    begins = np.repeat(np.cumsum(sizes) - sizes, sizes)
    rank_in_cell = np.arange(len(by_cell)) - begins
    chosen = by_cell[np.argsort(rank_in_cell, kind="stable")[:count]]
    return [keypoints[k] for k in chosen]
