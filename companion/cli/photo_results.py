"""What the commands that read photos share: naming a bad photo, and results in the file's pixels.

Large photos are halved when they are decoded; who reads a result has only the file.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import UnusableInputError
from vision.errors import VisionError
from vision.images.photo import Photo
from vision.reading import Reading
from vision.tickets.reading import HandReading


def refused_photo(error: VisionError, names: Sequence[str]) -> UnusableInputError:
    """The error for the user; where there are several photos it names the one that is meant."""
    if len(names) == 1:
        return UnusableInputError.saying(error)
    return UnusableInputError("companion.error.photo", path=names[error.photo], reason=error)


def reading_in_file_pixels(reading: Reading, photo: Photo) -> Reading:
    """The reading of a board with its corners and spaces in the file's own pixels."""
    where = reading.registration
    scaled = replace(
        where,
        corners_px=where.corners_px * photo.scale,
        spaces_px=where.spaces_px * photo.scale,
        error_px=where.error_px * photo.scale,
    )
    return replace(reading, registration=scaled)


def hand_in_file_pixels(reading: HandReading, photos: Sequence[Photo]) -> HandReading:
    """The reading of ticket cards with their corners in the files' own pixels."""
    scales = [photo.scale for photo in photos]
    return replace(
        reading,
        tickets=tuple(
            replace(seen, corners_px=seen.corners_px * scales[seen.photo])
            for seen in reading.tickets
        ),
        unread_cards=tuple(
            replace(card, corners_px=card.corners_px * scales[card.photo])
            for card in reading.unread_cards
        ),
    )
