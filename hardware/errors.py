"""The errors of this room: broken or absent hardware, each a sentence in both languages."""

from scoring.language import text


class HardwareError(Exception):
    """Root of every error that hardware raises; `key` and `values` name the sentence."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(key, "en", **values))
        self.key = key
        self.values = values

    def sentence(self, language: str) -> str:
        """What is wrong and how to mend it, in that language."""
        return text(self.key, language, **self.values)


class CameraSpecError(HardwareError, ValueError):
    """The words that name a camera name none: wrong form, or a file or folder that isn't there."""


class CameraError(HardwareError, OSError):
    """The camera is absent, busy, gone or gives no pictures."""


class EndOfRecordingError(HardwareError, EOFError):
    """A recording has no more frames."""


class ConsoleError(HardwareError, OSError):
    """Buttons and lamps cannot be reached."""
