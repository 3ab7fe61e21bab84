"""Reads lines of text: each cut level out of the photo and turned into probabilities of letters."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import image_input
from vision.tickets.lines import TextLine, along_and_down
from vision.tickets.names import BLANK, DIGITS, OTHER, Lexicon, folded_classes
from vision.tickets.networks import TextNetworks

HEIGHT_PX = 48
"""The recogniser's height of a line."""
LEAST_WIDTH_PX, MOST_WIDTH_PX = 64, 960
WIDTH_STEP_PX = 32
"""Widths are rounded up to these, so that lines of like widths are read together."""
LEAST_PROBABILITY = 1e-6
"""Less than this counts as this: a letter that was never seen does not forbid a name."""
BLANK_RUN = 0.9
"""Of a run of frames with a blank as probable as this one frame stays."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """What stands on a line: `logs` of shape (T, C), log-probabilities of the folded classes.

    `letters` counts the letters of the likeliest text, `text` is that text, folded, with "?" for a
    letter that no name has. `letter_at` of shape (T,) marks where each letter begins.
    """

    logs: NDArray[np.float32]
    letter_at: NDArray[np.bool_]
    text: str

    @property
    def letters(self) -> int:
        return int(self.letter_at.sum())

    @property
    def clearness(self) -> float:
        """Mean log-probability of the likeliest letters: near 0 where text is read the right way.

        Upside down the recogniser often finds the same letters, but never surely.
        """
        return float(self.logs.max(axis=1).mean())


def cut_line(image_bgr: NDArray[np.uint8], line: TextLine, turn_deg: float) -> NDArray[np.uint8]:
    """The line, level, of shape (48, W, 3); `turn_deg` is 0, 90, 180 or 270 more than its own."""
    width, height = line.width_px, line.height_px
    if turn_deg % 180:
        width, height = height, width
    wide = float(np.clip(HEIGHT_PX * width / height, LEAST_WIDTH_PX / 2, MOST_WIDTH_PX))
    along, down = along_and_down(line.angle_deg + turn_deg)
    along, down = along * width / 2, down * height / 2
    centre = np.array([line.x_px, line.y_px])
    source = np.array([centre - along - down, centre + along - down, centre - along + down])
    target = np.array([[0, 0], [wide, 0], [0, HEIGHT_PX]])
    image, source = _reduced(image_bgr, source, height)
    to_cut = cv2.getAffineTransform(source.astype(np.float32), target.astype(np.float32))
    cut = cv2.warpAffine(
        image, to_cut, (round(wide), HEIGHT_PX), flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(cut, np.uint8)


def _reduced(
    image_bgr: NDArray[np.uint8], source: NDArray[np.float64], height_px: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The part of the photo around the line, reduced where the line is much too high."""
    low = np.maximum(np.floor((source[1] + source[2]) / 2 - _reach(source)), 0).astype(int)
    high = np.ceil((source[1] + source[2]) / 2 + _reach(source)).astype(int)
    part = image_bgr[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)]
    factor = HEIGHT_PX / height_px
    if factor > 0.7 or not part.size:
        return part, source - low
    small = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (source - low) * factor


def _reach(source: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(source[1] - source[2])) / 2 + 4


def read_script(
    image_bgr: NDArray[np.uint8],
    line: TextLine,
    turn_deg: float,
    networks: TextNetworks,
    lexicon: Lexicon,
) -> Script:
    """What stands on the line when it is read in that direction."""
    cut = cut_line(image_bgr, line, turn_deg)
    probabilities = networks.recogniser.run_image(_as_input(cut))[0]
    classes = folded_classes(networks.characters, lexicon.alphabet)
    return _script(_folded(probabilities, classes, len(lexicon.alphabet) + 2), lexicon.alphabet)


def read_words(
    image_bgr: NDArray[np.uint8], line: TextLine, turn_deg: float, networks: TextNetworks
) -> str:
    """The likeliest words on the line as they are printed, accents and capitals included."""
    probabilities = networks.recogniser.run_image(_as_input(cut_line(image_bgr, line, turn_deg)))
    best = probabilities[0].argmax(axis=1)
    begins = (best != 0) & (best != np.concatenate([[0], best[:-1]]))
    return "".join(networks.characters[k] for k in best[begins]).strip()


def _as_input(cut_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Filled up with middle grey on the right, as the recogniser was trained."""
    width = max(LEAST_WIDTH_PX, -(-cut_bgr.shape[1] // WIDTH_STEP_PX) * WIDTH_STEP_PX)
    pixels = np.zeros((1, 3, HEIGHT_PX, width), np.float32)
    pixels[:, :, :, : cut_bgr.shape[1]] = image_input(cut_bgr)
    return pixels


def _folded(
    probabilities: NDArray[np.float32], classes: NDArray[np.int64], count: int
) -> NDArray[np.float32]:
    """Sums of the characters' probabilities by folded class: shape (T, count)."""
    folded = np.stack([np.bincount(classes, row, count) for row in probabilities])
    return np.asarray(folded, np.float32)


def _script(folded: NDArray[np.float32], alphabet: str) -> Script:
    folded = folded[_worth_keeping(folded[:, BLANK])]
    best = folded.argmax(axis=1)
    begins = (best != BLANK) & (best != np.concatenate([[BLANK], best[:-1]]))
    signs = ["?" if k == OTHER else alphabet[k - 2] for k in best[begins]]
    letters = begins & ~np.isin(best, [alphabet.index(digit) + 2 for digit in DIGITS])
    return Script(np.log(np.maximum(folded, LEAST_PROBABILITY)), letters, "".join(signs))


def _worth_keeping(blank: NDArray[np.float32]) -> NDArray[np.bool_]:
    """All frames but the second and later ones of a run of blanks; at least one."""
    empty = blank > BLANK_RUN
    keep = ~(empty & np.concatenate([[False], empty[:-1]]))
    keep[0] = True
    return np.asarray(keep, np.bool_)
