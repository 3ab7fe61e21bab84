"""A second witness for a wagon's colour: its roof, white-balanced by the board's print.

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


def roofs_ab(
    patches_bgr: NDArray[np.uint8], roofs: NDArray[np.bool_], background_bgr: NDArray[np.float64]
) -> NDArray[np.float64]:
    """CIE Lab a and b in the middle of each roof, ndarray of shape (N, 2); NaN for hidden roofs.

    `patches_bgr` is (N, H, W, 3), `roofs` (N, H, W) says where the roofs are, `background_bgr`
    (3,) is the print's own colour in this light, which is taken for grey.
    """
    found = np.full((len(patches_bgr), 2), np.nan)
    gain = (background_bgr.mean() / background_bgr / 255).astype(np.float32)
    for index, (patch, roof) in enumerate(zip(patches_bgr, roofs, strict=True)):
        balanced = np.minimum(patch[roof].astype(np.float32) * gain, 1.0)
        if len(balanced) >= FEWEST_PX:
            lab = np.asarray(cv2.cvtColor(balanced[None], cv2.COLOR_BGR2Lab)[0])
            found[index] = np.median(lab[:, 1:], axis=0)
    return found


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
