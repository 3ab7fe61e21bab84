"""The errors of this room: one root, one leaf a kind of mistake, each also a builtin."""


class VisionError(Exception):
    """Root of every error that vision raises."""


class ImageError(VisionError, ValueError):
    """The bytes are no usable image: not an image, cut short, too large, too dark, blurred."""


class BoardNotFoundError(VisionError, LookupError):
    """No board, or another board than the one asked for, is in the photo."""
