"""The errors of this room: broken or absent hardware, each a sentence in both languages."""

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


class ConsoleError(HardwareError, OSError):
    """Buttons and lamps cannot be reached."""
