"""The light on a board's print as a photo shows it: in all, around each space, and of its black."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.registration.board_geometry import board_centres_mm

SAMPLED_EVERY_PX = 3
"""Of a patch every so-manyth pixel of every so-manyth row tells."""

LEAST_LEVEL = 8.0
"""The print's light is no less than this: it is divided by."""

AROUND = 25
"""The light around a space is the median of so many patches', itself and the nearest."""

BLACK_PERCENT = 0.3
"""So much of the pixels around spaces is black print, deep shadow or a black wagon's side."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintLight:
    """Colours of the print, 0..255: `all_bgr` (3,) the median of all patches, `around_bgr` (N, 3)
    of those around each space; `black_bgr` (3,) is what the darkest pixels show."""

    all_bgr: NDArray[np.float64]
    around_bgr: NDArray[np.float64]
    black_bgr: NDArray[np.float64]


def background_bgr(patches: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Median colour of all patches together, ndarray of shape (3,): what light and camera make."""
    return np.asarray(np.maximum(np.median(sampled(patches).reshape(-1, 3), axis=0), LEAST_LEVEL))


def print_light(
    patches: NDArray[np.uint8], board: Board, all_bgr: NDArray[np.float64]
) -> PrintLight:
    """The light that the spaces' patches (N, H, W, 3), BGR, show; `all_bgr` is `background_bgr`."""
    sample = sampled(patches)
    middle = np.median(sample, axis=(1, 2))
    centres_mm = board_centres_mm(board)
    apart_mm = np.linalg.norm(centres_mm[:, None] - centres_mm, axis=-1)
    nearest = np.argsort(apart_mm, axis=1)[:, :AROUND]
    return PrintLight(
        all_bgr,
        np.maximum(np.median(middle[nearest], axis=1), LEAST_LEVEL),
        np.percentile(sample.reshape(-1, 3), BLACK_PERCENT, axis=0),
    )


def sampled(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Some pixels of each of these patches (N, H, W, 3), evenly spread."""
    return patches[:, ::SAMPLED_EVERY_PX, ::SAMPLED_EVERY_PX]
