"""Reading a hand as one line of stages: outlines, text, plates, points, decision, joined."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.board.game_names import game_name
from vision.errors import NoTicketsError, VisionError
from vision.images.photo import check_legible
from vision.tickets.cards_so_far import Look, Photo, better, read_cards
from vision.tickets.deck import Deck, deck_of
from vision.tickets.fans import cut_off, find_fan
from vision.tickets.further_looks import (
    lines_around_things,
    lines_beside_a_fan,
    lines_of_doubtful_cards,
    lines_where_others_have_theirs,
    look_from_all_sides,
)
from vision.tickets.joining import MOST_CARDS, PhotoReading, join_photos
from vision.tickets.left_over import (
    told_if_cut_off,
)
from vision.tickets.lines import TextFound
from vision.tickets.looks import (
    look_at_all,
    look_closer,
)
from vision.tickets.missing import has_blobs, has_small_letters, may_be_missed
from vision.tickets.names import Lexicon, make_lexicon
from vision.tickets.networks import load_text_networks
from vision.tickets.outlines import find_shapes
from vision.tickets.reading import HandReading, UnreadCard

MOST_PIXELS = 4.0e6
"""That the detector sees of one photo in all looks; a look that has begun is ended. A PC takes a
third of a second of one core for a million."""
MOST_TEXT_PX = 57_000
"""How long all lines may be together that are read in all looks, 48 px high: three times as much as
the fullest of 72 labelled hands. A page of a book, let alone a newspaper, has more."""
FEW_DOUBTS = 3
"""Cards that are sooner looked at one by one than by a closer look at all."""


def read_tickets(images_bgr: Sequence[NDArray[np.uint8]], board: Board) -> HandReading:
    """The ticket cards in photos of one hand, each image of shape (H, W, 3), uint8, BGR.

    Raises NoTicketsError where the board has no tickets, a photo shows no card or a page of text,
    ImageError where one is too dark or blurred, TicketNetworksMissingError where the networks are
    not installed; the error's `photo` says which photo is meant.
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
        raise NoTicketsError(
            "vision.tickets.board-without-tickets", board=game_name(deck.id, deck.title)
        )
    load_text_networks()
    check_legible(image_bgr)
    return _read_photo(image_bgr, deck, make_lexicon(deck), number)


def _read_photo(
    image_bgr: NDArray[np.uint8], deck: Deck, lexicon: Lexicon, number: int
) -> PhotoReading:
    """One coarse look, and where that leaves doubts closer ones, until none is left."""
    networks = load_text_networks().limited_to(MOST_PIXELS, MOST_TEXT_PX)
    photo = Photo(image_bgr, deck, lexicon, number, find_shapes(image_bgr), networks, {})
    coarse = look_at_all(image_bgr, networks)
    look = read_cards(photo, coarse.lines)
    is_near = _is_better_near(coarse, look)
    if is_near:
        look = better(photo, look, lines_of_doubtful_cards(photo, look))
    missed = _may_be_missed(coarse, look)
    unsure = look.leaves_doubt and not (is_near and look.all_are_whole)
    hidden = not look.all_are_whole and len(look.cards.tickets) > 1
    small = not look.all_are_whole and has_small_letters(image_bgr, look.read)
    if unsure or missed or hidden or small:
        closer = look_closer(image_bgr, coarse, look.read, photo.outlines, networks)
        before, look = look, better(photo, look, closer.lines)
        missed = missed and _may_be_missed(closer, look)
        if look.leaves_doubt and look is not before:
            look = better(photo, look, lines_of_doubtful_cards(photo, look))
    look = look_from_all_sides(photo, coarse, look, missed)
    look = better(photo, look, lines_around_things(photo, look))
    before = look
    if not look.all_are_whole:
        look = better(photo, look, lines_beside_a_fan(photo, look))
    look = better(photo, look, lines_where_others_have_theirs(photo, look))
    if look.leaves_doubt and look is not before and networks.detector.may_go_on:
        look = better(photo, look, lines_of_doubtful_cards(photo, look))
    if not look.cards.tickets and not look.cards.unread:
        raise NoTicketsError("vision.tickets.no-cards")
    if _is_a_map(look.cards):
        raise NoTicketsError("vision.tickets.no-hand")
    unread = [told_if_cut_off(card, image_bgr.shape) for card in look.cards.unread]
    return replace(look.cards, unread=(*unread, *_cut_off(photo, look)))


def _is_better_near(coarse: TextFound, look: Look) -> bool:
    """Whether a look at each doubtful card is better than a closer one at all: they are few and
    nothing else is missed, or only outlines are seen."""
    few = len(look.bare) + len(look.doubtful) <= FEW_DOUBTS and not _may_be_missed(coarse, look)
    return look.leaves_doubt and (few or (bool(look.bare) and not look.cards.tickets))


def _may_be_missed(found: TextFound, look: Look) -> bool:
    read, told = look.read, look.told
    return may_be_missed(found, read, told) or has_blobs(found.lines, read, told)


def _is_a_map(cards: PhotoReading) -> bool:
    """Whether names lie all over, more than one hand has cards, and next to none tells a ticket.

    Nine photos of a whole board showed 19 to 37 such cards, three quarters of them with one name
    only, and no sure ticket; cards of another deck have two names.
    """
    unclear = sum(card.why == "unclear" for card in cards.unread)
    sure = sum(not seen.review for seen in cards.tickets)
    several = len(cards.tickets) + len(cards.unread) > MOST_CARDS
    return several and sure == 0 and 2 * unclear > len(cards.unread)


def _cut_off(photo: Photo, look: Look) -> list[UnreadCard]:
    """A fan's card of which the photo shows no names."""
    fan = find_fan(look.names)
    corners = None if fan is None else cut_off(photo.image_bgr, fan)
    if fan is None or corners is None:
        return []
    reach_px = float(np.linalg.norm(fan.step_px))
    middles = [card.corners_px.mean(axis=0) for card in look.cards.unread]
    if any(np.linalg.norm(middle - corners.mean(axis=0)) < reach_px for middle in middles):
        return []
    return [UnreadCard(corners, "cut-off", photo.number)]
