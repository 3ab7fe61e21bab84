"""The process that reads photos of one hand, and ends: `python -m …hand_photos.child`.

On its standard input stands one line of JSON, `{"deck": …, "first": n, "sizes": [bytes, …]}`, and
after it the photos one after the other. On its standard output it writes one document: a list with
an entry a photo. Nothing is written to disk.
"""

import json
import os
import sys
from typing import Any, BinaryIO

from companion.table.hand_photos.documents import photo_to_json
from scoring.language import Message
from vision.errors import VisionError
from vision.images.photo import decode_photo
from vision.tickets.deck import Deck, deck_from_json
from vision.tickets.networks import load_text_networks
from vision.tickets.reader import read_photo


def main() -> None:
    """Load the networks, then read what comes in."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    load_text_networks()
    with answers:
        json.dump(answer(sys.stdin.buffer), answers)


def answer(asked: BinaryIO) -> list[Any]:
    """What the photos on a stream show."""
    line = asked.readline()
    if not line:
        return []
    head = json.loads(line)
    deck = deck_from_json(head["deck"])
    return [
        _read(asked.read(size), deck, head["first"] + number)
        for number, size in enumerate(head["sizes"])
    ]


def _read(photo: bytes, deck: Deck, number: int) -> Any:
    """The cards in one photo, or what is wrong with it."""
    try:
        image_bgr = decode_photo(photo)
        return photo_to_json(image_bgr, read_photo(image_bgr, deck, number))
    except VisionError as error:
        return error.message.to_json()
    except MemoryError:
        return Message("companion.hand.memory").to_json()


if __name__ == "__main__":
    main()
