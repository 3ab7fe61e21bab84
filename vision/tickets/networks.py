"""Loads the two text networks of the optional package `rapidocr`, without importing the package.

Its own code would bring libraries that this program has no use for, so only its files are used:
PaddleOCR's networks PP-OCRv6 (Apache-2.0), run by the onnxruntime that is here anyway.
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import NoTicketsError, TicketNetworksMissingError
from vision.network import Network

PACKAGE = "rapidocr"
"""The package that brings the networks; its files are read, its code is not."""
DETECTOR = "rapidocr/models/PP-OCRv6_det_small.onnx"
"""Finds lines of text."""
RECOGNISER = "rapidocr/models/PP-OCRv6_rec_small.onnx"
"""Reads a line."""

THREADS = 2
"""Somebody waits for the answer: two take the same time of the cores, and half that of the clock
where both are free."""


@dataclass(slots=True)
class Detector:
    """The network that finds text, and how many pixels it may still see of one photo.

    Nearly half the time that a photo takes goes into these.
    """

    network: Network
    left_px: float = math.inf

    @property
    def may_go_on(self) -> bool:
        return self.left_px > 0

    def run_image(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """The map of letters (1, 1, H, W) of an image (1, 3, H, W), whether or not it may."""
        self.left_px -= pixels.shape[2] * pixels.shape[3]
        return self.network.run_image(pixels)


@dataclass(slots=True)
class Recogniser:
    """The network that reads a line, and how long all lines of one photo may still be."""

    network: Network
    left_px: float = math.inf

    def run_image(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities of characters (1, T, K) of a level line (1, 3, 48, W).

        Raises NoTicketsError where the photo has far more text than cards have.
        """
        self.left_px -= pixels.shape[3]
        if self.left_px < 0:
            raise NoTicketsError("vision.tickets.too-much-text")
        return self.network.run_image(pixels)


@dataclass(frozen=True, slots=True)
class TextNetworks:
    """`characters[k]` is what the recogniser's output k stands for; 0 is the CTC blank."""

    detector: Detector
    recogniser: Recogniser
    characters: tuple[str, ...]

    def limited_to(self, pixels: float, text_px: float = math.inf) -> "TextNetworks":
        """The same for one photo, of which the detector may see so many pixels in all looks, and
        the recogniser lines that are so long together."""
        return replace(
            self,
            detector=Detector(self.detector.network, pixels),
            recogniser=Recogniser(self.recogniser.network, text_px),
        )


@cache
def load_text_networks() -> TextNetworks:
    """Both networks; raises TicketNetworksMissingError where the package is not installed."""
    detector = Detector(Network(_file(DETECTOR).read_bytes(), THREADS))
    weights = _file(RECOGNISER).read_bytes()
    recogniser = Recogniser(Network(weights, THREADS))
    return TextNetworks(detector, recogniser, _characters(recogniser.network.metadata()))


def are_installed() -> bool:
    """Whether the networks are here, without loading them."""
    try:
        _file(DETECTOR)
        _file(RECOGNISER)
    except TicketNetworksMissingError:
        return False
    return True


def _file(name: str) -> Path:
    """Where the package's file lies; raises TicketNetworksMissingError where it doesn't."""
    try:
        path = Path(str(metadata.distribution(PACKAGE).locate_file(name)))
    except metadata.PackageNotFoundError:
        raise TicketNetworksMissingError("vision.tickets.no-networks") from None
    if not path.is_file():
        raise TicketNetworksMissingError("vision.tickets.no-networks")
    return path


def _characters(described: dict[str, str]) -> tuple[str, ...]:
    """The network's own list: blank first, then one character a line, then the space."""
    return ("", *described["character"].split("\n"), " ")
