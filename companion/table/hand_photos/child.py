"""The process that reads photos of one hand, and ends: `python -m …hand_photos.child`.

On its standard input stands one line of JSON, `{"deck": …, "first": n, "sizes": [bytes, …]}`, and
after it the photos one after the other. On its standard output it writes one document: a list with
an entry a photo. With `"turn_s": s` no further photo is begun after so many seconds. Nothing is
written to disk. With `"known": [names of places]` instead of `deck` and `first` the cards are those
of a deck that nobody has taught; with `"map": true` the one photo is a straightened board, and the
names on it are read.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from companion.table.hand_photos.documents import (
    map_names_to_json,
    new_cards_to_json,
    photo_to_json,
)
from scoring.language import Message
from vision.errors import VisionError
from vision.images.photo import decode_photo
from vision.tickets.deck import deck_from_json
from vision.tickets.map_names import read_map_names
from vision.tickets.names import folded_signs
from vision.tickets.networks import load_text_networks
from vision.tickets.new_deck import read_new_cards
from vision.tickets.reader import read_photo

MOST_SIDE_PX = 3000
"""Letters of a card large enough to be read need no more; 12 megapixels would take 15 MB more."""

Reads = Callable[[Any, int], Any]
"""Reads an image, the photo of that number, and says what it shows as plain data."""


def main() -> None:
    """Load the networks, then read what comes in."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    folded_signs(load_text_networks().characters)
    with answers:
        json.dump(answer(sys.stdin.buffer), answers)


def answer(asked: BinaryIO) -> list[Any]:
    """What the photos on a stream show."""
    line = asked.readline()
    if not line:
        return []
    head = json.loads(line)
    read = _reader(head)
    read_so_far: list[Any] = []
    ends_s = time.monotonic() + head.get("turn_s", math.inf)
    for number, size in enumerate(head["sizes"]):
        if read_so_far and time.monotonic() >= ends_s:
            break
        read_so_far.append(_read(asked.read(size), read, number))
    return read_so_far


def _reader(head: Any) -> Reads:
    if head.get("map"):
        return lambda board_bgr, _: map_names_to_json(read_map_names(board_bgr))
    return _new_cards(head["known"]) if "known" in head else _hand(head)


def _hand(head: Any) -> Reads:
    """Reads photos of one hand of a known deck."""
    deck = deck_from_json(head["deck"])
    return lambda image_bgr, number: photo_to_json(
        image_bgr, read_photo(image_bgr, deck, head["first"] + number)
    )


def _new_cards(known: list[str]) -> Reads:
    """Reads photos of a deck that nobody has taught."""
    return lambda image_bgr, _: new_cards_to_json(image_bgr, read_new_cards(image_bgr, known))


def _read(photo: bytes, read: Reads, number: int) -> Any:
    """The cards in one photo, or what is wrong with it."""
    try:
        return read(decode_photo(photo, MOST_SIDE_PX, colours_matter=False), number)
    except VisionError as error:
        return error.message.to_json()
    except MemoryError:
        return Message("companion.hand.memory").to_json()


if __name__ == "__main__":
    main()
