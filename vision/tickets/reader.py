"""Reading a hand as one line of stages: outlines, text, plates, points, decision, joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import NoTicketsError, VisionError
from vision.images.photo import check_quality
from vision.tickets.choice import Claim, choose, make_claim
from vision.tickets.decide import decide
from vision.tickets.deck import Deck, deck_of
from vision.tickets.joining import PhotoReading, join_photos
from vision.tickets.left_over import corners_of, outline_of, unread_cards
from vision.tickets.lines import TextLine
from vision.tickets.names import Lexicon, make_lexicon, spellings
from vision.tickets.networks import load_text_networks
from vision.tickets.outlines import CardOutline, find_outlines
from vision.tickets.plates import ReadLine, make_plates
from vision.tickets.points import believed, read_points
from vision.tickets.reading import HandReading, Pair, TicketSeen
from vision.tickets.searching import (
    look_at_all,
    look_at_card,
    look_closer,
    may_be_missed,
    read_lines,
)


def read_tickets(images_bgr: Sequence[NDArray[np.uint8]], board: Board) -> HandReading:
    """The ticket cards in photos of one hand, each image of shape (H, W, 3), uint8, BGR.

    Raises NoTicketsError where the board has no tickets or a photo shows no card, ImageError where
    one is too dark or blurred, TicketNetworksMissingError where the networks are not installed;
    the error's `photo` says which photo is meant.
    """
    deck = deck_of(board)
    photos = []
    for number, image in enumerate(images_bgr):
        try:
            photos.append(read_photo(image, deck, number))
        except VisionError as error:
            raise error.of_photo(number) from error
    return join_photos(deck.id, photos)


def read_photo(image_bgr: NDArray[np.uint8], deck: Deck, number: int = 0) -> PhotoReading:
    """The ticket cards in one photo, which has that number in the reading of a hand.

    Raises the errors of `read_tickets`.
    """
    if not deck.tickets:
        raise NoTicketsError("vision.tickets.board-without-tickets", board=deck.title)
    load_text_networks()
    check_quality(image_bgr)
    return _read_photo(image_bgr, deck, make_lexicon(deck), number)


MOST_CARDS_LEVELLED = 4
"""Each costs a tenth of a second; a photo with more such cards shows their backs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What one look at a photo found."""

    lines: tuple[TextLine, ...]
    read: list[ReadLine]
    cards: PhotoReading
    worth: float

    @property
    def leaves_doubt(self) -> bool:
        asked = any(seen.review for seen in self.cards.tickets)
        return asked or bool(self.cards.unread) or not self.cards.tickets


def _read_photo(
    image_bgr: NDArray[np.uint8], deck: Deck, lexicon: Lexicon, number: int
) -> PhotoReading:
    """One coarse look, and where that leaves doubts a closer one; the better of the two."""
    networks = load_text_networks()
    outlines = find_outlines(image_bgr)
    coarse = look_at_all(image_bgr, networks)
    look = _read_cards(image_bgr, coarse.lines, outlines, deck, lexicon, number)
    if look.leaves_doubt or may_be_missed(coarse, look.read):
        closer = look_closer(image_bgr, coarse, look.read, outlines, networks)
        again = _read_cards(image_bgr, closer, outlines, deck, lexicon, number)
        look = max(again, look, key=lambda one: one.worth)
    if look.cards.unread:
        lines = _lines_with_cards(image_bgr, look)
        again = _read_cards(image_bgr, lines, outlines, deck, lexicon, number)
        look = max(again, look, key=lambda one: one.worth)
    if not look.cards.tickets and not look.cards.unread:
        raise NoTicketsError("vision.tickets.no-cards")
    return look.cards


def _lines_with_cards(image_bgr: NDArray[np.uint8], look: _Look) -> tuple[TextLine, ...]:
    """The lines of a look, those of its unread cards replaced by what each shows turned level."""
    networks = load_text_networks()
    lines = look.lines
    for card in look.cards.unread[:MOST_CARDS_LEVELLED]:
        if card.why != "no-names":
            continue
        outline = CardOutline(card.corners_px)
        found = look_at_card(image_bgr, card.corners_px, networks)
        outside = [x for x in lines if not outline.holds(np.array([x.x_px, x.y_px]))]
        lines = (*outside, *found)
    return lines


def _read_cards(
    image_bgr: NDArray[np.uint8],
    lines: tuple[TextLine, ...],
    outlines: Sequence[CardOutline],
    deck: Deck,
    lexicon: Lexicon,
    number: int,
) -> _Look:
    networks = load_text_networks()
    read = read_lines(image_bgr, lines, networks, lexicon)
    pairs = tuple(deck.points)
    claims = choose([make_claim(plate, lexicon, pairs) for plate in make_plates(read, lexicon)])
    names = [[read[k] for k in claim.plate.lines] for claim in claims]
    printed = believed(
        read_points(image_bgr, lines, names, networks, lexicon),
        [deck.points[claim.tickets[0]] for claim in claims],
    )
    tickets = tuple(
        _ticket_seen(claim, card, value, deck, outlines, number)
        for claim, card, value in zip(claims, names, printed, strict=True)
        if claim.is_ticket
    )
    strange = [card for claim, card in zip(claims, names, strict=True) if not claim.is_ticket]
    unread = tuple(unread_cards(read, names, strange, outlines, number))
    return _Look(lines, read, PhotoReading(tickets, unread), sum(c.worth for c in claims))


def _ticket_seen(
    claim: Claim,
    card: Sequence[ReadLine],
    printed: int | None,
    deck: Deck,
    outlines: Sequence[CardOutline],
    photo: int,
) -> TicketSeen:
    decision = decide(claim, _letters(claim.tickets[0], deck), deck.points, printed)
    values = deck.points[decision.ticket]
    return TicketSeen(
        ticket=decision.ticket,
        points=printed if printed in values and printed is not None else max(values),
        confidence=decision.confidence,
        review=decision.review or (len(values) > 1 and printed not in values),
        corners_px=corners_of(card, outline_of(card, outlines)),
        photo=photo,
        alternatives=decision.alternatives,
        printed=printed,
    )


def _letters(pair: Pair, deck: Deck) -> int:
    """Letters of both names as the shortest spelling has them."""
    return sum(min(map(len, spellings(deck.names[place]))) for place in pair)
