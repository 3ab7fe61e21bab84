"""The errors of this room, each a sentence in both languages and also a builtin."""

from scoring.language import SpokenError, catalogue


class VisionError(SpokenError):
    """Root of every error that vision raises; `key` and `values` name the sentence."""


class ImageError(VisionError, ValueError):
    """The bytes are no usable image: not an image, cut short, too large, too dark, blurred."""


class BoardNotFoundError(VisionError, LookupError):
    """No board, or another board than the one asked for, is in the photo."""

    def __init__(self, key: str, **values: object) -> None:
        """What is no key of the catalogue is taken for the sentence itself."""
        if key in catalogue("en"):
            super().__init__(key, **values)
        else:
            super().__init__("vision.plain", words=key)
