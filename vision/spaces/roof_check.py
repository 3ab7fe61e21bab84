"""Checks a wagon's colour against its roof, in the light that print and wagons show.

Seen from its dark side, a blue wagon shows black flanks and a narrow blue roof, and a network
that saw mostly well-lit wagons calls it black, and is sure. The roof's hue still tells the colours
apart. So where the roof contradicts the colour that was read, the reading isn't trusted: the
colours that the roof allows get most of the probability, and the route is asked about.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.spaces.evidence import EMPTY_COLUMN, FIRST_COLOUR_COLUMN
from vision.spaces.hues import hues_of

ALLOWED_AB: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "black": ((-10.0, 15.0), (-22.0, 42.0)),
    "blue": ((-18.0, 26.0), (-75.0, 14.0)),
    "green": ((-45.0, 10.0), (-17.0, 28.0)),
    "purple": ((0.5, 58.0), (-70.0, 4.0)),
    "red": ((1.0, 71.0), (-12.0, 45.0)),
    "white": ((-17.0, 10.0), (-26.0, 17.0)),
    "yellow": ((-48.0, 9.0), (-5.0, 95.0)),
}
"""CIE Lab a and b of each colour's roofs, least and most: what about 997 in 1,000 routes of the
training images (renders, photos, rendered prints) keep to on either side, but for black's warm
side, which goes on to the warmest roofs seen: a yellow neighbour leans over a black roof more often
than a lamp darkens yellow wagons. Other colours are always allowed."""

ROOF_WEIGHT = 0.6
"""Weight of the roof against the network where they contradict each other."""

SURELY_BEYOND = 5.0
"""So far outside a colour's bounds, in CIE Lab, hardly a roof of that colour was met."""

SHADOW_BELOW = 0.11
"""A roof darker than this part of the print is likelier a hard shadow beside other wagons: of 1,300
routes of black wagons on renders, photos and rendered prints none of two spaces or more is."""

SHADOW_OF_BLACK = 0.4
"""The same bound as a part of this board's own black roofs, where enough routes are surely black.
Real black roofs go down to 0.04 of the print, renders' stay above `SHADOW_BELOW`."""

FEWEST_BLACK = 3
"""With fewer surely black routes than this, `SHADOW_BELOW` holds."""

SHADOW_WEIGHT = 0.4
"""Part of a wagon's probability that such a shadow moves to "empty": enough to be asked about."""

DARK_BELOW = 0.5
"""A roof no channel of which has this part of the print's light around it is likelier black than of
any of `NEVER_DARK`: of 1,506 such routes on renders and photos 3 are. Where a filter makes the
shadows of a photo blue, most black wagons, read as surely blue, have 0.15 to 0.5."""

DARK_BELOW_WITHOUT_BLACK = 0.7
"""The same where few black wagons are seen, so that some of them may be taken for other colours:
black wagons in such filters have up to 0.68; one in thirty clear routes has less than this."""

DARK_BELOW_CLEARED = 0.75
"""The same where light was taken away that lay over the board (`vision/images/part_veil.py`):
what is left of it gives black wagons a hue."""

FEW_BLACK = 0.5
"""Few are less than this part of the wagons of the player with most: at the end of a game all
players have laid about as many."""

LEAST_DARK = 0.25
"""Less than this part of a colour's wagons is dark by chance: in the shadow of a hand, for
instance. Filters make black wagons of a whole game blue."""

NEVER_DARK = frozenset({"blue", "purple", "red", "yellow"})
"""What a tint may make of black. Green roofs go down to 0.24; of pink and orange ones too few were
seen."""

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
    counts = roofs.sum(axis=(1, 2))
    space = np.repeat(np.arange(len(roofs)), counts)
    # The median of N levels is the mean of the two in the middle, which may be one; they are found
    # by counting the levels of all roofs at once.
    below, above = (counts - 1) // 2, counts // 2
    found = np.full((len(roofs), 3), np.nan)
    for channel, levels in enumerate(patches_bgr[roofs].T):
        each = np.bincount(256 * space + levels, minlength=256 * len(roofs)).reshape(-1, 256)
        up_to = each.cumsum(axis=1)
        middle = [(up_to <= at[:, None]).sum(axis=1) for at in (below, above)]
        found[:, channel] = np.where(counts >= FEWEST_PX, np.mean(middle, axis=0), np.nan)
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
    off = hues_of(seen_bgr[known] / background_bgr, DARKEST) - usual[known]
    return np.asarray(background_bgr * np.exp(np.median(off, axis=0)))


def roofs_ab(seen_bgr: NDArray[np.float64], light_bgr: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE Lab a and b of roofs (N, 3) in a light (3,), ndarray of shape (N, 2); NaN stays NaN."""
    if len(seen_bgr) == 0:
        return np.zeros((0, 2))
    gain = light_bgr.mean() / light_bgr / 255
    balanced = np.clip(np.nan_to_num(seen_bgr) * gain, 0.0, 1.0).astype(np.float32)
    lab = np.asarray(cv2.cvtColor(balanced[None], cv2.COLOR_BGR2Lab)[0], np.float64)
    return np.where(np.isnan(seen_bgr[:, :1]), np.nan, lab[:, 1:])


def doubt_by_roofs(
    probabilities: NDArray[np.float64], colours: Sequence[str], seen_ab: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distributions over wagon colours (N, colours), less sure where the roof contradicts them.

    `seen_ab` is the answer of `roofs_ab` for the same spaces. A space whose likeliest colour its
    roof doesn't allow gives up to `ROOF_WEIGHT` of its sum to the colours that it does allow, all
    of that where it lies `SURELY_BEYOND` the bounds; where it allows none, the reading stands.
    """
    beyond = np.stack([_beyond(colour, seen_ab) for colour in colours], axis=1)
    rows = np.arange(len(probabilities))
    against = beyond[rows, probabilities.argmax(axis=1)] * (beyond.min(axis=1) == 0)
    word = ROOF_WEIGHT * np.minimum(against / SURELY_BEYOND, 1.0)[:, None]
    others = np.where(beyond == 0, probabilities + 1e-12, 0.0)
    total = probabilities.sum(axis=1, keepdims=True)
    told = others / np.maximum(others.sum(axis=1, keepdims=True), 1e-12) * total
    return np.asarray((1 - word) * probabilities + word * told)


def _beyond(colour: str, seen_ab: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far roofs (N, 2) lie outside a colour's bounds, (N,); 0 within, and for NaN."""
    if colour not in ALLOWED_AB:
        return np.zeros(len(seen_ab))
    low, high = np.array(ALLOWED_AB[colour]).T
    outside = np.maximum(low - seen_ab, seen_ab - high).max(axis=1)
    return np.asarray(np.maximum(np.nan_to_num(outside), 0.0))


def darkest_black(black_bgr: NDArray[np.float64], background_bgr: NDArray[np.float64]) -> float:
    """The part of the print's brightness below which a roof is likelier a shadow than black.

    Never more than `SHADOW_BELOW`: where black roofs are bright, a higher bound only asked more.
    `black_bgr` (M, 3) are the roofs of routes that are surely black, NaN where hidden,
    `background_bgr` (3,) the print's own colour.
    """
    bright = (black_bgr / background_bgr).mean(axis=1)
    bright = bright[~np.isnan(bright)]
    if len(bright) < FEWEST_BLACK:
        return SHADOW_BELOW
    return min(SHADOW_BELOW, float(SHADOW_OF_BLACK * np.median(bright)))


def doubt_by_shadows(
    probabilities: NDArray[np.float64],
    colours: Sequence[str],
    seen_bgr: NDArray[np.float64],
    background_bgr: NDArray[np.float64],
    darkest: float = SHADOW_BELOW,
) -> NDArray[np.float64]:
    """Distributions over empty, occluded and `colours` (N, 2 + colours), less sure of black holes.

    `seen_bgr` (N, 3) are the roofs as `roofs_bgr` gives them, `background_bgr` (3,) the print's own
    colour, `darkest` the answer of `darkest_black`. A lamp near the table and no other light makes
    shadows as black and as long as wagons; a black wagon's roof still shines a little.
    """
    if "black" not in colours:
        return probabilities
    dark = (seen_bgr / background_bgr).mean(axis=1) < darkest  # never true of NaN
    dark &= probabilities[:, FIRST_COLOUR_COLUMN:].argmax(axis=1) == list(colours).index("black")
    doubted = probabilities.copy()
    doubted[dark, FIRST_COLOUR_COLUMN:] *= 1 - SHADOW_WEIGHT
    doubted[dark, EMPTY_COLUMN] += SHADOW_WEIGHT * probabilities[dark, FIRST_COLOUR_COLUMN:].sum(
        axis=1
    )
    return doubted


def dark_below(probabilities: NDArray[np.float64], colours: Sequence[str]) -> float:
    """How dark a roof may be black's, by distributions of wagons over the colours (N, colours)."""
    wagons = np.bincount(probabilities.argmax(axis=1), minlength=len(colours))
    few = "black" in colours and wagons[list(colours).index("black")] < FEW_BLACK * wagons.max()
    return DARK_BELOW_WITHOUT_BLACK if few else DARK_BELOW


def doubt_dark_colours(
    probabilities: NDArray[np.float64],
    colours: Sequence[str],
    seen_bgr: NDArray[np.float64],
    around_bgr: NDArray[np.float64],
    black_bgr: NDArray[np.float64],
    below: float = DARK_BELOW,
    is_cleared: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Distributions over wagon colours (N, colours), less sure of colours as dark as black.

    `seen_bgr` (N, 3) are the roofs as `roofs_bgr` gives them, `around_bgr` (N, 3) the print around
    each, `black_bgr` (3,) what the photo makes of black: a filter may give it a hue.
    `below` is the answer of `dark_below`, `is_cleared` (N,) says where light that lay over the
    board was taken away.
    """
    if "black" not in colours:
        return probabilities
    light = (seen_bgr - black_bgr) / np.maximum(around_bgr - black_bgr, 1.0)
    brightest = light.max(axis=1)
    dark = brightest < below  # never true of NaN
    read = probabilities.argmax(axis=1)
    if is_cleared is None:
        is_cleared = np.zeros(len(read), bool)
    for index, colour in enumerate(colours):
        own = read == index
        if colour not in NEVER_DARK:
            dark &= ~own
            continue
        if dark[own].sum() < LEAST_DARK * own.sum():
            dark &= ~own
        dark |= own & is_cleared & (brightest < DARK_BELOW_CLEARED)
    doubted = probabilities.copy()
    doubted[dark] *= 1 - ROOF_WEIGHT
    black = list(colours).index("black")
    doubted[dark, black] += ROOF_WEIGHT * probabilities[dark].sum(axis=1)
    return doubted
