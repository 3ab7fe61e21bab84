"""What the process that reads photos of a hand says of each: cards and crops as plain data."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.table.small_pictures import encode_small
from scoring.language import Message
from vision.tickets.crops import card_crop
from vision.tickets.joining import PhotoReading
from vision.tickets.map_names import PrintedName
from vision.tickets.new_deck import NewCard
from vision.tickets.reading import Pair, TicketSeen, UnreadCard
from web.studio_port import CardToTeach

Card = TicketSeen | UnreadCard
CropKey = tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSeen:
    """One photo of a hand: its cards with a small picture of each, or what is wrong with it."""

    reading: PhotoReading | None
    crops: Mapping[CropKey, bytes]
    trouble: Message | None = None


def crop_key(card: Card) -> CropKey:
    """By which a card's picture is found again, whatever is said of the card by then."""
    return (card.photo, *(round(float(value), 1) for value in card.corners_px.ravel()))


def photo_to_json(image_bgr: Any, reading: PhotoReading) -> dict[str, Any]:
    """The cards of one photo, (H, W, 3), uint8, BGR, and their crops, for another process."""
    return {
        "tickets": [_with_crop(image_bgr, card) for card in reading.tickets],
        "unread": [_with_crop(image_bgr, card) for card in reading.unread],
    }


def _with_crop(image_bgr: Any, card: Card) -> dict[str, Any]:
    return {**card.to_json(), "crop": _crop(image_bgr, card.corners_px)}


def _crop(image_bgr: Any, corners_px: NDArray[np.float64]) -> str:
    return base64.b64encode(encode_small(card_crop(image_bgr, corners_px))).decode("ascii")


def photo_from_json(document: Mapping[str, Any]) -> PhotoSeen:
    """What `photo_to_json` wrote, or the trouble that stands in its place."""
    if "key" in document:
        return PhotoSeen(None, {}, Message.from_json(document))
    tickets = [(_ticket(one), one["crop"]) for one in document["tickets"]]
    unread = [(_unread(one), one["crop"]) for one in document["unread"]]
    reading = PhotoReading(tuple(c for c, _ in tickets), tuple(c for c, _ in unread))
    cards: list[tuple[Card, str]] = [*tickets, *unread]
    crops = {crop_key(card): base64.b64decode(crop) for card, crop in cards}
    return PhotoSeen(reading, crops)


def _ticket(one: Mapping[str, Any]) -> TicketSeen:
    return TicketSeen(
        ticket=_pair(one["ticket"]),
        points=one["points"],
        confidence=one["confidence"],
        review=one["review"],
        corners_px=np.array(one["corners"], np.float64),
        photo=one["photo"],
        alternatives=tuple(_pair(pair) for pair in one["alternatives"]),
        printed=one["printed_points"],
    )


def _unread(one: Mapping[str, Any]) -> UnreadCard:
    return UnreadCard(np.array(one["corners"], np.float64), one["why"], one["photo"])


def new_cards_to_json(image_bgr: Any, cards: Sequence[NewCard]) -> list[dict[str, Any]]:
    """Cards of a deck that nobody has taught, with their crops, for another process."""
    return [
        {
            "names": list(card.names),
            "known": list(card.are_known),
            "points": card.points,
            "crop": _crop(image_bgr, card.corners_px),
        }
        for card in cards
    ]


def new_cards_from_json(document: Any) -> tuple[list[CardToTeach], Message | None]:
    """What `new_cards_to_json` wrote, or the trouble that stands in its place."""
    if isinstance(document, dict):
        return [], Message.from_json(document)
    cards = [
        CardToTeach(
            names=(str(one["names"][0]), str(one["names"][1])),
            are_known=(bool(one["known"][0]), bool(one["known"][1])),
            points=None if one["points"] is None else int(one["points"]),
            crop=base64.b64decode(one["crop"]),
        )
        for one in document
    ]
    return cards, None


def map_names_to_json(names: Sequence[PrintedName]) -> list[list[Any]]:
    """The names on a map, for another process."""
    return [[one.words, one.x, one.y] for one in names]


def map_names_from_json(document: Any) -> list[PrintedName]:
    """What `map_names_to_json` wrote; nothing where the trouble stands in its place."""
    if isinstance(document, dict):
        return []
    return [PrintedName(str(words), float(x), float(y)) for words, x, y in document]


def _pair(places: list[str]) -> Pair:
    return places[0], places[1]
