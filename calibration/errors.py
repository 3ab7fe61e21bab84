"""The errors of this room, each a sentence in both languages."""

from scoring.language import text


class CalibrationError(Exception):
    """Root of every error that calibration raises; `key` and `values` name the sentence."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(key, "en", **values))
        self.key = key
        self.values = values

    def sentence(self, language: str) -> str:
        """What is wrong and what to do, in that language."""
        return text(self.key, language, **self.values)


class CalibrationFileError(CalibrationError, ValueError):
    """The file is no calibration, is cut short, or was written by another version."""


class WrongBoardError(CalibrationError, LookupError):
    """The calibration is of another board, or of another state of its file."""


class WagonColoursError(CalibrationError, ValueError):
    """The photo with wagons doesn't show enough of them."""
