"""A pushbutton's contacts made quiet: pure, fed with samples of its level.

The pins are sampled instead of waiting for edges: gpiozero's `bounce_time` loses edges on lgpio,
and a level that is looked at often enough cannot be lost.
"""

from dataclasses import dataclass

STEADY_SAMPLES = 3
"""Samples in a row that make a level believable: 30 ms at 100 a second, longer than any bounce
of a common pushbutton (10 ms at most), shorter than any deliberate press (60 ms at least)."""


@dataclass(slots=True)
class Debouncer:
    """One button; `down` is the believed level. A button held at power-on is no press."""

    down: bool = False
    _other: int = 0

    def sample(self, level: bool) -> bool:
        """Take one sample (True: contact closed) and say whether it completes a press."""
        if level == self.down:
            self._other = 0
            return False
        self._other += 1
        if self._other < STEADY_SAMPLES:
            return False
        self.down, self._other = level, 0
        return level
