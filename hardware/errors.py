"""The errors of this room: broken or absent hardware, each a sentence in both languages."""

from collections.abc import Sequence

from scoring.language import SpokenError


class HardwareError(SpokenError):
    """Root of every error that hardware raises; `key` and `values` name the sentence."""


class CameraSpecError(HardwareError, ValueError):
    """The camera specification matches no camera: wrong form, or a missing file or folder."""


class CameraError(HardwareError, OSError):
    """The camera is absent, busy, gone or gives no pictures."""


class BadPictureError(CameraError):
    """One file of a recording is not a picture. The next one may be."""


class EndOfRecordingError(HardwareError, EOFError):
    """A recording has no more frames."""


MOST_TOLD = 5
"""Of what is wrong at once; more only hide one another."""


class ConsoleError(HardwareError, OSError):
    """Buttons and lamps cannot be reached."""

    @classmethod
    def of_all(cls, errors: Sequence["ConsoleError"]) -> "ConsoleError":
        """One error that tells all of these, which are one at least."""
        several = errors[:MOST_TOLD]
        return several[0] if len(several) == 1 else cls("hardware.several", reasons=several)
