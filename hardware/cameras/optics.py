"""How high a camera hangs over a board, how sharp it sees, how much light it wants; pure."""

import math
from dataclasses import dataclass

SHUTTER_S = 1 / 50
"""A whole period of lamps on 50 or 60 Hz or longer: shorter exposures show their flicker."""

GAIN_ISO = 400
"""As sensitive as small cameras can be without noise that hides small spaces."""

INCIDENT_LUX_S = 250.0
"""The constant C of incident-light meters with a flat receptor (ISO 2720), in lux seconds."""

ENOUGH_PX_PER_MM = 1.35
"""The reader straightens boards to this scale (`vision.registration.pattern_fit`)."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera: its angles of view in degrees, the size of its picture, its f-number.

    A picture narrower than the sensor is cut from its middle.
    """

    name: str
    width_deg: float
    height_deg: float
    size_px: tuple[int, int]
    f_number: float

    @property
    def tangents(self) -> tuple[float, float]:
        """Half of what is seen at a distance of 1, across and down."""
        wide = math.tan(math.radians(self.width_deg / 2))
        high = math.tan(math.radians(self.height_deg / 2))
        width_px, height_px = self.size_px
        return min(wide, high * width_px / height_px), min(high, wide * height_px / width_px)


PI_PX = (2304, 1728)
"""What is asked of a Pi's camera: about 2.5 px a millimetre on a board 80 cm wide."""

LENSES: tuple[Lens, ...] = (
    Lens("Camera Module 3", 66.0, 41.0, PI_PX, 1.8),
    Lens("Camera Module 3 Wide", 102.0, 67.0, PI_PX, 2.2),
    Lens("Camera Module 2", 62.2, 48.8, PI_PX, 2.0),
    Lens("HQ Camera, 6 mm", 55.3, 42.9, PI_PX, 1.2),
    Lens("Webcam 78°, 1080p", 70.4, 43.3, (1920, 1080), 2.0),
)
"""Angles and f-numbers as the makers give them; the webcam's 78 degrees are measured across the
corners of a picture of 16:9."""


@dataclass(frozen=True, slots=True)
class Hanging:
    """Where a camera hangs, and what it sees from there."""

    height_mm: float
    """From the board to the lens, so that the board and its margin are just in the picture."""
    px_per_mm: float
    lux: float
    """Light on the board at SHUTTER_S and GAIN_ISO."""

    @property
    def is_sharp(self) -> bool:
        """Whether a millimetre has as many pixels as the reader uses."""
        return self.px_per_mm >= ENOUGH_PX_PER_MM


def hang(lens: Lens, board_mm: tuple[float, float], margin_mm: float) -> Hanging:
    """The least height over a board of a size, its longer side along the picture's.

    >>> round(hang(LENSES[0], (800, 530), 40).height_mm)
    883
    """
    long_mm, short_mm = max(board_mm), min(board_mm)
    wide, high = lens.tangents
    height_mm = max((long_mm / 2 + margin_mm) / wide, (short_mm / 2 + margin_mm) / high)
    lux = INCIDENT_LUX_S * lens.f_number**2 / (SHUTTER_S * GAIN_ISO)
    return Hanging(height_mm, lens.size_px[0] / (2 * height_mm * wide), lux)
