"""The errors of this room, each a sentence in both languages and also a builtin."""

from typing import Self

from scoring.language import SpokenError


class VisionError(SpokenError):
    """Root of every error that vision raises; `key` and `values` name the sentence.

    `photo` is the number of the photo that is meant among several given, from 0.
    """

    photo: int = 0

    def of_photo(self, photo: int) -> Self:
        """A new error that says the same of that photo among several."""
        error = type(self).saying(self)
        error.photo = photo
        return error


class ImageError(VisionError, ValueError):
    """The bytes are no usable image: not an image, cut short, too large, too dark, blurred."""


class NotEmptyError(ImageError):
    """A photo that is to show the empty board shows wagons, or what looks like them.

    `claimed` are the routes on which it does.
    """

    claimed: tuple[str, ...] = ()


class BoardNotFoundError(VisionError, LookupError):
    """No board, or another board than the one asked for, is in the photo.

    `seen` is the id of that other board.
    """

    seen: str | None = None


class TicketNetworksMissingError(VisionError, ModuleNotFoundError):
    """The optional package whose networks read text is not installed."""


class NoTicketsError(VisionError, LookupError):
    """No ticket card is in the photo, or the board has no tickets."""
