"""The errors of this room, each a sentence in both languages."""

from scoring.language import SpokenError


class CalibrationError(SpokenError):
    """Root of every error that calibration raises; `key` and `values` name the sentence."""


class CalibrationFileError(CalibrationError, ValueError):
    """The file is no calibration, is cut short, or was written by another version."""


class WrongBoardError(CalibrationError, LookupError):
    """The calibration is of another board, or of another state of its file."""


class WagonColoursError(CalibrationError, ValueError):
    """The photo with wagons does not show enough of them."""


class StudioError(CalibrationError, ValueError):
    """The photo shows no board whose spaces could be proposed."""
