"""Reading a hand as one line of stages: outlines, text, plates, points, decision, joined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import NoTicketsError, VisionError
from vision.images.photo import check_legible
from vision.tickets.choice import Claim, choose, make_claim
from vision.tickets.decide import decide
from vision.tickets.deck import Deck, deck_of
from vision.tickets.expected_places import expected_lines
from vision.tickets.fans import are_within, cut_off, find_fan, next_in_fan
from vision.tickets.joining import PhotoReading, join_photos
from vision.tickets.left_over import (
    corners_of,
    outline_of,
    stray_lines,
    told_if_cut_off,
    unread_cards,
)
from vision.tickets.lines import TextFound, TextLine
from vision.tickets.looks import (
    look_around,
    look_at_all,
    look_at_cards,
    look_at_names,
    look_closer,
    look_turned,
)
from vision.tickets.missing import has_blobs, has_small_letters, may_be_missed, things_apart
from vision.tickets.names import Lexicon, make_lexicon, spellings
from vision.tickets.networks import TextNetworks, load_text_networks
from vision.tickets.outlines import CardOutline, Shapes, find_shapes
from vision.tickets.plates import ReadLine, make_plates
from vision.tickets.points import Values, believed, read_points
from vision.tickets.reading import HandReading, Pair, TicketSeen, UnreadCard
from vision.tickets.same_places import best_of, elsewhere, grown, not_yet_clear
from vision.tickets.upright import clear_heights_px, read_lines


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
    check_legible(image_bgr)
    return _read_photo(image_bgr, deck, make_lexicon(deck), number)


MOST_PIXELS = 4.0e6
"""That the detector sees of one photo in all looks; a look that has begun is ended. The slowest
photos took twice as many, for nothing but questions answered that a second photo answers too."""
MOST_CARDS_LEVELLED = 9
MOST_NAMES_LOOKED_AT = 6
MOST_THINGS = 2
FEW_DOUBTS = 3
"""Cards that are sooner looked at one by one than by a closer look at all."""
TURNS_DEG = (90.0, 45.0, -45.0)
"""Directions in which lines are looked for where level ones leave doubts, likeliest first."""


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """A photo with what every look at it needs."""

    image_bgr: NDArray[np.uint8]
    deck: Deck
    lexicon: Lexicon
    number: int
    shapes: Shapes
    networks: TextNetworks
    numbers: Values

    @property
    def outlines(self) -> tuple[CardOutline, ...]:
        return self.shapes.cards


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What all looks at a photo so far have found.

    `doubtful` are the lines of cards that are asked about or were not read, `stray` whether lines
    like names belong to no card, `told` the outlines of single cards that were read, `names` the
    lines of every card that was read.
    """

    lines: tuple[TextLine, ...]
    read: list[ReadLine]
    cards: PhotoReading
    worth: float
    doubtful: tuple[tuple[ReadLine, ...], ...]
    stray: bool
    told: tuple[CardOutline, ...]
    names: tuple[tuple[ReadLine, ...], ...]

    @property
    def leaves_doubt(self) -> bool:
        asked = any(seen.review for seen in self.cards.tickets)
        return asked or self.misses_cards

    @property
    def misses_cards(self) -> bool:
        """Whether there are cards of which nothing is known, or may be."""
        return self.stray or bool(self.cards.unread) or not self.cards.tickets

    @property
    def misses_names(self) -> bool:
        """Whether there is a card whose names may lie aslant: those seen whole are levelled."""
        return any(card.why != "no-names" for card in self.cards.unread)

    @property
    def all_are_whole(self) -> bool:
        """Whether the outline of every card is seen: then so would be those of others."""
        whole = bool(self.told) and len(self.told) == len(self.cards.tickets)
        return whole and not self.stray and not self.misses_names

    @property
    def bare(self) -> list[UnreadCard]:
        """Cards seen by their outline alone."""
        return [card for card in self.cards.unread if card.why == "no-names"]


def _read_photo(
    image_bgr: NDArray[np.uint8], deck: Deck, lexicon: Lexicon, number: int
) -> PhotoReading:
    """One coarse look, and where that leaves doubts closer ones, until none is left."""
    networks = load_text_networks().limited_to(MOST_PIXELS)
    photo = _Photo(image_bgr, deck, lexicon, number, find_shapes(image_bgr), networks, {})
    coarse = look_at_all(image_bgr, networks)
    look = _read_cards(photo, coarse.lines)
    is_near = _is_better_near(coarse, look)
    if is_near:
        look = _better(photo, look, _lines_of_doubtful_cards(photo, look))
    missed = _may_be_missed(coarse, look)
    unsure = look.leaves_doubt and not (is_near and look.all_are_whole)
    hidden = not look.all_are_whole and len(look.cards.tickets) > 1
    small = not look.all_are_whole and has_small_letters(image_bgr, look.read)
    if unsure or missed or hidden or small:
        closer = look_closer(image_bgr, coarse, look.read, photo.outlines, networks)
        before, look = look, _better(photo, look, closer.lines)
        missed = missed and _may_be_missed(closer, look)
        if look.leaves_doubt and look is not before:
            look = _better(photo, look, _lines_of_doubtful_cards(photo, look))
    look = _look_from_all_sides(photo, coarse, look, missed)
    look = _better(photo, look, _lines_around_things(photo, look))
    if not look.all_are_whole:
        before, look = look, _better(photo, look, _lines_beside_a_fan(photo, look))
        if look.leaves_doubt and look is not before and photo.networks.detector.may_go_on:
            look = _better(photo, look, _lines_of_doubtful_cards(photo, look))
    look = _better(photo, look, _lines_where_others_have_theirs(photo, look))
    if not look.cards.tickets and not look.cards.unread:
        raise NoTicketsError("vision.tickets.no-cards")
    unread = [told_if_cut_off(card, image_bgr.shape) for card in look.cards.unread]
    return replace(look.cards, unread=(*unread, *_cut_off(photo, look)))


def _is_better_near(coarse: TextFound, look: _Look) -> bool:
    """Whether a look at each doubtful card is better than a closer one at all: they are few and
    nothing else is missed, or only outlines are seen."""
    few = len(look.bare) + len(look.doubtful) <= FEW_DOUBTS and not _may_be_missed(coarse, look)
    return look.leaves_doubt and (few or (bool(look.bare) and not look.cards.tickets))


def _look_from_all_sides(photo: _Photo, coarse: TextFound, look: _Look, missed: bool) -> _Look:
    """Looks at the turned photo, as long as lines may be `missed` and one of them helps."""
    helps = True
    for turn_deg in TURNS_DEG:
        wanted = missed or not look.cards.tickets or (look.misses_names and helps)
        if wanted and photo.networks.detector.may_go_on:
            turned = look_turned(photo.image_bgr, coarse, photo.outlines, turn_deg, photo.networks)
            before, look = look, _better(photo, look, turned)
            missed, helps = False, look.worth > before.worth
    return look


def _may_be_missed(found: TextFound, look: _Look) -> bool:
    read, told = look.read, look.told
    return may_be_missed(found, read, told) or has_blobs(found.lines, read, told)


def _better(photo: _Photo, look: _Look, lines: Sequence[TextLine]) -> _Look:
    """The look with these lines as well, if they make it better."""
    again = _read_cards(photo, lines, look)
    return max(again, look, key=lambda one: one.worth)


def _lines_beside_a_fan(photo: _Photo, look: _Look) -> list[TextLine]:
    """What stands where a fan's next card would have its names, at both ends and in its gaps."""
    found: list[TextLine] = []
    fan = find_fan(look.names)
    widest_px = max((read.line.width_px for card in look.names for read in card), default=0.0)
    for names in () if fan is None else next_in_fan(fan):
        if photo.networks.detector.may_go_on:
            found += look_at_names(photo.image_bgr, names, photo.networks)
        if are_within(names, photo.image_bgr.shape):
            found += [replace(read.line, width_px=widest_px) for read in names]
    return found


def _lines_where_others_have_theirs(photo: _Photo, look: _Look) -> list[TextLine]:
    """Where the names of unread cards stand, if they stand as those of the cards that were read."""
    around = [(names, outline_of(names, photo.outlines)) for names in look.names]
    read = [(names, card) for names, card in around if card is not None and card in look.told]
    middles = [card.corners_px.mean(axis=0) for card in look.cards.unread]
    unread = [
        outline
        for outline in photo.outlines
        if not any(outline is card for _, card in read)
        and any(np.allclose(outline.centre_px, middle, atol=1.0) for middle in middles)
    ]
    return list(expected_lines(read, unread[:MOST_CARDS_LEVELLED]))


def _cut_off(photo: _Photo, look: _Look) -> list[UnreadCard]:
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


def _lines_around_things(photo: _Photo, look: _Look) -> list[TextLine]:
    """What stands around things on the table that belong to no card."""
    cards = [*look.names, *look.doubtful]
    heights = clear_heights_px([read for card in cards for read in card])
    if not heights:
        return []
    found: list[TextLine] = []
    letters_px = float(np.median(heights))
    around = [outline_of(card, photo.outlines) for card in cards]
    seen = [outline for outline in around if outline is not None]
    known = [*seen, *(CardOutline(card.corners_px, 0.0) for card in look.cards.unread)]
    others = [card for card, outline in zip(cards, around, strict=True) if outline is None]
    for thing in things_apart(photo.shapes.things, letters_px, known, others)[:MOST_THINGS]:
        if photo.networks.detector.may_go_on:
            found += look_around(photo.image_bgr, thing, letters_px, photo.networks)
    return found


def _lines_of_doubtful_cards(photo: _Photo, look: _Look) -> list[TextLine]:
    """What each card that was not told shows from near, turned level."""
    corners = [card.corners_px for card in look.bare[:MOST_CARDS_LEVELLED]]
    found = look_at_cards(photo.image_bgr, corners, photo.networks)
    for names in look.doubtful[:MOST_NAMES_LOOKED_AT]:
        if photo.networks.detector.may_go_on:
            around = outline_of(names, photo.outlines)
            found += look_at_names(
                photo.image_bgr,
                names,
                photo.networks,
                None if around is None else around.corners_px,
            )
        found += [grown(read.line) for read in names]
    return found


def _read_cards(photo: _Photo, lines: Sequence[TextLine], known: _Look | None = None) -> _Look:
    """The cards by these lines, and by those that are known already."""
    networks, image = photo.networks, photo.image_bgr
    deck, lexicon = photo.deck, photo.lexicon
    before = [] if known is None else known.read
    new = read_lines(image, not_yet_clear(lines, before), networks, lexicon)
    read = best_of([*before, *new])
    lines = tuple(lines) if known is None else (*known.lines, *lines)
    pairs = tuple(deck.points)
    claims = choose(
        [make_claim(plate, lexicon, pairs) for plate in make_plates(read, lexicon, photo.outlines)]
    )
    names = [[read[k] for k in claim.plate.lines] for claim in claims]
    expected = [deck.points[claim.tickets[0]] for claim in claims]
    free = elsewhere(lines, read)
    numbers = read_points(
        image, free, names, networks, lexicon, expected=expected, known=photo.numbers
    )
    printed = believed([value if value in deck.values else None for value in numbers], expected)
    tickets = tuple(
        _ticket_seen(claim, card, value, deck, photo.outlines, photo.number)
        for claim, card, value in zip(claims, names, printed, strict=True)
        if claim.is_ticket
    )
    told = [card for claim, card in zip(claims, names, strict=True) if claim.is_ticket]
    strange = [card for claim, card in zip(claims, names, strict=True) if not claim.is_ticket]
    unread = tuple(unread_cards(read, names, strange, photo.shapes, photo.number))
    stray = stray_lines(read, names, photo.outlines)
    return _Look(
        lines,
        read,
        PhotoReading(tickets, unread),
        sum(claim.worth for claim in claims),
        (
            *(tuple(card) for seen, card in zip(tickets, told, strict=True) if seen.review),
            *map(tuple, strange),
            *map(tuple, stray),
        ),
        bool(stray),
        _whole(told, photo.outlines),
        tuple(map(tuple, told)),
    )


def _whole(
    told: Sequence[Sequence[ReadLine]], outlines: Sequence[CardOutline]
) -> tuple[CardOutline, ...]:
    """The outlines of several cards, each with one in it: around a fan there is one as well."""
    around = [outline_of(card, outlines) for card in told]
    whole = [o for o in around if o is not None and sum(o is other for other in around) == 1]
    return tuple(whole) if len(whole) > 1 else ()


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
