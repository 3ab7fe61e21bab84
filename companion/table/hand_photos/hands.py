"""What photos of one hand say to the panel: cards by the ids of their tickets, with their crops."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from companion.errors import RefusalError
from companion.table.hand_photos.documents import Card, CropKey, PhotoSeen, crop_key
from companion.table.hand_photos.reader import HandReader
from scoring.board.board import Board
from scoring.language import Message
from vision.tickets.deck import deck_of
from vision.tickets.joining import PhotoReading, join_photos
from vision.tickets.reading import UNREAD, Pair, TicketSeen
from web.ports import CardSeen, HandSeen, Turn


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was read in the photos of a hand so far; the photos themselves are gone."""

    board: str
    photos: tuple[PhotoReading, ...]
    crops: Mapping[CropKey, bytes]


NO_EVIDENCE = Evidence("", (), {})


def read_hand(
    reader: HandReader,
    board: Board,
    photos: Sequence[bytes],
    earlier: object = None,
    turn: Turn = nullcontext,
) -> HandSeen:
    """The tickets in photos of a hand, joined with what was read earlier of the same hand.

    What is wrong with a photo is a remark: the others still count. As many are read in each `turn`
    as the reader takes.
    """
    known = earlier if isinstance(earlier, Evidence) and earlier.board == board.id else NO_EVIDENCE
    deck, seen, troubles = deck_of(board), list[PhotoSeen](), list[Message]()
    try:
        while len(seen) < len(photos):
            with turn():
                seen += reader.read(photos[len(seen) :], deck, len(known.photos) + len(seen))
    except RefusalError as error:
        troubles = [error.message]
    troubles = [*(photo.trouble for photo in seen if photo.trouble is not None), *troubles]
    return _hand_seen(board, _joined(board, known, seen), troubles)


def _joined(board: Board, known: Evidence, seen: Sequence[PhotoSeen]) -> Evidence:
    crops = dict(known.crops)
    for photo in seen:
        crops |= photo.crops
    # A photo that could not be read keeps its number, by which the crops of the others are found.
    readings = [photo.reading or PhotoReading((), ()) for photo in seen]
    return Evidence(board.id, (*known.photos, *readings), crops)


def _hand_seen(board: Board, evidence: Evidence, troubles: Sequence[Message]) -> HandSeen:
    hand = join_photos(board.id, evidence.photos)
    remarks = [*troubles, *(w.message for w in hand.warnings if w.code not in UNREAD)]
    known: list[Card] = [*hand.tickets, *hand.unread_cards]
    cards = [_card(board, card, evidence) for card in known]
    return HandSeen(tuple(cards), tuple(message.to_json() for message in remarks), evidence)


def _card(board: Board, card: Card, evidence: Evidence) -> CardSeen:
    crop = evidence.crops.get(crop_key(card), b"")
    if not isinstance(card, TicketSeen):
        return CardSeen((), False, crop, card.why)
    if not card.review:
        return CardSeen((_id_of(board, card.ticket, card.points),), True, crop)
    pairs = (card.ticket, *card.alternatives)
    ids = (one for pair in pairs for one in _ids_of(board, pair))
    return CardSeen(tuple(dict.fromkeys(ids)), False, crop)


def _id_of(board: Board, pair: Pair, points: int) -> str:
    return next(i for i in _ids_of(board, pair) if board.ticket_by_id[i].points == points)


def _ids_of(board: Board, pair: Pair) -> list[str]:
    return [ticket.id for ticket in board.tickets if set(ticket.places) == set(pair)]
