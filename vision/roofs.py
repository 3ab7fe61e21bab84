"""A second witness for a wagon's colour: its roof, in the light that print and wagons show.

Seen from its dark side, a blue wagon shows black flanks and a narrow blue roof, and a network
that saw mostly well-lit wagons calls it black, and is sure. The roof's hue still tells the colours
apart. So where the roof contradicts the colour that was read, the reading isn't trusted: the
colours that the roof allows get most of the word, and the route is asked about.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

ALLOWED_AB: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "black": ((-10.0, 14.0), (-22.0, 42.0)),
    "blue": ((-13.0, 25.0), (-75.0, 14.0)),
    "green": ((-40.0, 6.0), (-15.0, 28.0)),
    "purple": ((0.5, 50.0), (-65.0, 4.0)),
    "red": ((1.0, 70.0), (-12.0, 45.0)),
    "white": ((-11.0, 10.0), (-26.0, 10.0)),
    "yellow": ((-35.0, 6.0), (-5.0, 95.0)),
}
"""CIE Lab a and b of each colour's roofs, least and most: what about 997 in 1,000 wagons of the
training images keep to on either side, but for black's warm side, which goes on to the warmest
roofs seen: a yellow neighbour leans over a black roof more often than a lamp darkens yellow
wagons. Other colours are always allowed."""

ROOFS_WORD = 0.6
"""How much the roof's word weighs against the network's where they contradict each other."""

FEWEST_PX = 20
"""A roof that shows fewer pixels in its patch says nothing."""

USUAL_CHROMA: Mapping[str, tuple[float, float, float]] = {
    "black": (0.05, -0.02, -0.03),
    "blue": (0.62, 0.07, -0.70),
    "green": (0.04, 0.26, -0.31),
    "purple": (0.43, -0.37, -0.06),
    "red": (-0.30, -0.35, 0.66),
    "white": (0.11, -0.01, -0.10),
    "yellow": (-0.80, 0.38, 0.43),
}
"""Logarithms of a colour's blue, green and red over the print's, less their mean: medians of the
routes of the training images (192 of white, 790 of yellow)."""

FEWEST_ROUTES = 4
"""With fewer routes built than this, the print alone says what the light is."""

DARKEST = 0.03
"""A channel counts as no darker than this part of the print's: black ones are all noise."""


def roofs_bgr(patches_bgr: NDArray[np.uint8], roofs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Median colour of each roof, ndarray of shape (N, 3), 0..255; NaN for hidden roofs.

    `patches_bgr` is (N, H, W, 3), `roofs` (N, H, W) says where the roofs are.
    """
    found = np.full((len(patches_bgr), 3), np.nan)
    for index, (patch, roof) in enumerate(zip(patches_bgr, roofs, strict=True)):
        if roof.sum() >= FEWEST_PX:
            found[index] = np.median(patch[roof], axis=0)
    return found


def light_of_wagons_bgr(
    seen_bgr: NDArray[np.float64], read: Sequence[str], background_bgr: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The light on the board, ndarray of shape (3,), by the wagons on it where there are enough.

    The print's own colour `background_bgr` (3,) is that of the light only on a grey print. The
    roofs `seen_bgr` (M, 3) of routes `read` as these colours tell how far off it is: the median of
    their distances from `USUAL_CHROMA` (von Kries 1902: one factor a channel), so that some routes
    read wrongly don't count.
    """
    usual = np.array([USUAL_CHROMA.get(colour, (np.nan,) * 3) for colour in read]).reshape(-1, 3)
    known = ~np.isnan(usual).any(axis=1) & ~np.isnan(seen_bgr).any(axis=1)
    if known.sum() < FEWEST_ROUTES:
        return background_bgr
    off = _chroma(seen_bgr[known] / background_bgr) - usual[known]
    return np.asarray(background_bgr * np.exp(np.median(off, axis=0)))


def _chroma(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of colours (M, 3) without their brightness."""
    logs = np.log(np.maximum(colours, DARKEST))
    return np.asarray(logs - logs.mean(axis=1, keepdims=True))


def roofs_ab(seen_bgr: NDArray[np.float64], light_bgr: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE Lab a and b of roofs (N, 3) in a light (3,), ndarray of shape (N, 2); NaN stays NaN."""
    gain = light_bgr.mean() / light_bgr / 255
    balanced = np.clip(np.nan_to_num(seen_bgr) * gain, 0.0, 1.0).astype(np.float32)
    lab = np.asarray(cv2.cvtColor(balanced[None], cv2.COLOR_BGR2Lab)[0], np.float64)
    return np.where(np.isnan(seen_bgr[:, :1]), np.nan, lab[:, 1:])


def heed_roofs(
    probabilities: NDArray[np.float64], colours: Sequence[str], seen_ab: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distributions over wagon colours (N, colours), less sure where the roof contradicts them.

    `seen_ab` is the answer of `roofs_ab` for the same spaces. A space whose likeliest colour its
    roof doesn't allow gives `ROOFS_WORD` of its sum to the colours that it does allow; where it
    allows none of them, the reading stands.
    """
    allowed = np.stack([_allows(colour, seen_ab) for colour in colours], axis=1)
    rows = np.arange(len(probabilities))
    contradicted = ~allowed[rows, probabilities.argmax(axis=1)] & allowed.any(axis=1)
    others = np.where(allowed, probabilities + 1e-12, 0.0)
    total = probabilities.sum(axis=1, keepdims=True)
    word = others / np.maximum(others.sum(axis=1, keepdims=True), 1e-12) * total
    mixed = (1 - ROOFS_WORD) * probabilities + ROOFS_WORD * word
    return np.where(contradicted[:, None], mixed, probabilities)


def _allows(colour: str, seen_ab: NDArray[np.float64]) -> NDArray[np.bool_]:
    if colour not in ALLOWED_AB:
        return np.ones(len(seen_ab), dtype=bool)
    low, high = np.array(ALLOWED_AB[colour]).T
    outside = (seen_ab < low) | (seen_ab > high)  # never true of NaN
    return np.asarray(~outside.any(axis=1))
