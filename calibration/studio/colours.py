"""Reads the printed colour of boxes and names that of whole lines in the board file's words."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes
from calibration.studio.straightening import PX_PER_UNIT, Straight
from vision.registration.geometry import Points, fit_bending

ALONG, ACROSS = np.linspace(-0.38, 0.38, 24), np.linspace(-0.27, 0.27, 7)
"""Where a box is sampled, in parts of its length and width: away from its printed edge."""


def samples_lab(straight: Straight, boxes: Boxes) -> NDArray[np.float32]:
    """Colours inside each box, (N, 24, 7, 3), along and across it, CIE Lab."""
    lab = cv2.cvtColor(straight.image_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    along = boxes.along * boxes.sizes[:, :1]
    across = np.stack([-boxes.along[:, 1], boxes.along[:, 0]], axis=1) * boxes.sizes[:, 1:]
    at = (
        boxes.centres[:, None, None]
        + ALONG[None, :, None, None] * along[:, None, None]
        + ACROSS[None, None, :, None] * across[:, None, None]
    ) * PX_PER_UNIT - 0.5
    flat = at.reshape(len(boxes), -1, 2).astype(np.float32)
    seen = cv2.remap(
        lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32).reshape(len(boxes), len(ALONG), len(ACROSS), 3)


def colours_of(samples: NDArray[np.float32]) -> Points:
    """The usual colour inside each box, (N, 3), Lab; a symbol printed on it doesn't count."""
    return np.asarray(np.median(samples.reshape(len(samples), -1, 3), axis=1), np.float64)


TRACK_BED, UNKNOWN = "track-bed", "unknown"

PROTOTYPES: dict[str, tuple[float, float, float]] = {
    "red": (43.0, 38.0, 26.0),
    "orange": (57.0, 25.0, 48.0),
    "yellow": (77.0, -6.0, 62.0),
    "green": (57.0, -22.0, 42.0),
    "blue": (48.0, -6.0, -34.0),
    "pink": (54.0, 29.0, -3.0),
    "purple": (42.0, 28.0, -28.0),
    "black": (26.0, 0.0, 0.0),
    "grey": (63.0, 0.0, 0.0),
    "white": (87.0, 0.0, 3.0),
}
"""Lab of each printed colour in a photo, once the light's tint and slope are taken out."""

SPREAD = np.array([11.0, 13.0, 15.0])
"""How far prints and cameras scatter about a prototype."""

FARTHEST, CLEARER = 3.5, 0.1
"""A colour farther from every prototype than this, or nearly as near to the next, is unknown."""

RARE: dict[str, float] = {"purple": 0.5}
"""Colours that few boards print are as far again."""

ROUNDS, FEWEST, VIVID = 4, 6, (0.6, 1.9)
"""How often the vividness of the prints is weighed, by how many coloured lines, and its bounds."""

GUESSES = (1.0, 0.75, 1.35)
"""Where that begins: under a lamp it may settle at a wrong one."""

PALE = 20.0
"""Lines of less chroma than this are taken for grey, white or black, and tell the light's tint."""

USUAL_LIGHTNESS = 62.0
"""Of a board's boxes, in the median."""

SLEEPERS = 4.5
"""Spread of lightness along a box from which on it is a pattern: a track bed."""


def name_colours(
    samples: NDArray[np.float32], boxes: Boxes, lines: Sequence[Sequence[int]]
) -> list[str]:
    """The colour of each line in the words of the board file, or "unknown"."""
    evened = _evened(colours_of(samples), boxes.centres)
    pattern = _pattern(samples)
    usual = np.array([np.median(evened[list(line)], axis=0) for line in lines])
    patterned = np.array([np.median(pattern[list(line)]) > SLEEPERS for line in lines])
    plain = usual[~patterned]
    if patterned.any() and len(plain) >= FEWEST:
        usual[:, 0] *= USUAL_LIGHTNESS / max(float(np.median(plain[:, 0])), 10.0)
    usual[:, 1:] -= _tint(plain)
    usual[:, 1:] *= _vividness(usual[~patterned])
    return [
        TRACK_BED if bed else _nearest(colour) for colour, bed in zip(usual, patterned, strict=True)
    ]


def _evened(colours: Points, centres: Points) -> Points:
    """The colours with the light's slope over the board taken out of their lightness."""
    light = np.c_[colours[:, 0], np.zeros(len(colours))]
    slope = fit_bending(centres, light - np.median(light, axis=0), 8.0)
    level = slope(centres)[:, 0]
    evened = colours.copy()
    evened[:, 0] *= USUAL_LIGHTNESS / np.maximum(level + np.median(colours[:, 0]), 10.0)
    return evened


def _tint(lines: Points) -> Points:
    """The light's tint as (a, b): that of the lines which are nearly without colour."""
    pale = lines[np.hypot(lines[:, 1], lines[:, 2]) < PALE, 1:]
    return np.median(pale, axis=0) if len(pale) >= 4 else np.zeros(2)


def _vividness(lines: Points) -> float:
    """By how much the prints are paler than the prototypes.

    Of what several first guesses settle at, that which brings the lines nearest to prototypes.
    """
    if not len(lines):
        return 1.0
    settled = [_settled(lines, guess) for guess in GUESSES]
    return min(settled, key=lambda vividness: _apart(lines, vividness))


def _settled(lines: Points, vividness: float) -> float:
    """The vividness that most coloured lines tell, begun at a guess."""
    near = np.hypot(lines[:, 1], lines[:, 2])
    for _ in range(ROUNDS):
        meant = [PROTOTYPES[_ranked(colour)[0][0]] for colour in lines * (1, vividness, vividness)]
        far = np.hypot(*np.array(meant)[:, 1:].T)
        coloured = (far > PALE) & (near > PALE / 2)
        if coloured.sum() < FEWEST:
            return 1.0
        vividness = float(np.clip(np.median(far[coloured] / near[coloured]), *VIVID))
    return vividness


def _apart(lines: Points, vividness: float) -> float:
    """How far the lines lie from their prototypes, in the mean."""
    ranked = [_ranked(colour)[0][1] for colour in lines * (1, vividness, vividness)]
    return float(np.mean(np.minimum(ranked, FARTHEST)))


def _pattern(samples: NDArray[np.float32]) -> Points:
    """Spread of lightness along each box, from middle lines that a symbol covers in part only."""
    profile = samples[..., 0].mean(axis=2)
    fine = np.abs(np.diff(profile, axis=1))
    return np.asarray(np.median(fine, axis=1) * 2, np.float64)


def _nearest(colour: Points) -> str:
    """The word of the prototype that is clearly the nearest."""
    (first, apart), (_, next_apart) = _ranked(colour)
    return first if apart < FARTHEST and next_apart - apart > CLEARER else UNKNOWN


def _ranked(colour: Points) -> list[tuple[str, float]]:
    """The two nearest prototypes and how far they are, the nearest first."""
    apart = {
        name: float(np.linalg.norm((np.array(lab) - colour) / SPREAD)) + RARE.get(name, 0.0)
        for name, lab in PROTOTYPES.items()
    }
    return sorted(apart.items(), key=lambda one: one[1])[:2]
