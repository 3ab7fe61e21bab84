"""What the looks at a photo have found so far, as cards."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tickets.choice import Claim, choose, make_claim
from vision.tickets.decide import decide
from vision.tickets.deck import Deck
from vision.tickets.joining import PhotoReading
from vision.tickets.left_over import (
    corners_of,
    outline_of,
    stray_lines,
    unread_cards,
)
from vision.tickets.lines import TextLine
from vision.tickets.names import Lexicon, spellings
from vision.tickets.networks import TextNetworks
from vision.tickets.outlines import CardOutline, Shapes
from vision.tickets.plates import ReadLine, SpotsOfLines, make_plates, spots_of
from vision.tickets.points import Values, believed, read_points
from vision.tickets.reading import Pair, TicketSeen, UnreadCard
from vision.tickets.same_places import best_of, elsewhere, not_yet_clear
from vision.tickets.upright import read_lines


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
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
class Look:
    """What all looks at a photo so far have found.

    `doubtful` are the lines of cards that are asked about or were not read, `stray` whether lines
    like names belong to no card, `told` the outlines of single cards that were read, `names` the
    lines of every card that was read, `spots` what stands on any lines together.
    """

    lines: tuple[TextLine, ...]
    read: list[ReadLine]
    cards: PhotoReading
    worth: float
    doubtful: tuple[tuple[ReadLine, ...], ...]
    stray: bool
    told: tuple[CardOutline, ...]
    names: tuple[tuple[ReadLine, ...], ...]
    spots: SpotsOfLines

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


def read_cards(photo: Photo, lines: Sequence[TextLine], known: Look | None = None) -> Look:
    """The cards by these lines, and by those that are known already."""
    networks, image = photo.networks, photo.image_bgr
    deck, lexicon = photo.deck, photo.lexicon
    before = [] if known is None else known.read
    new = read_lines(image, not_yet_clear(lines, before), networks, lexicon)
    read = best_of([*before, *new])
    lines = tuple(lines) if known is None else (*known.lines, *lines)
    pairs = tuple(deck.points)
    plates = make_plates(read, lexicon, photo.outlines, None if known is None else known.spots)
    claims = choose([make_claim(plate, lexicon, pairs) for plate in plates])
    names = [[read[k] for k in claim.plate.lines] for claim in claims]
    told = [card for claim, card in zip(claims, names, strict=True) if claim.is_ticket]
    strange = [card for claim, card in zip(claims, names, strict=True) if not claim.is_ticket]
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
    unread = tuple(unread_cards(read, names, strange, photo.shapes, photo.number))
    stray = stray_lines(read, names, photo.outlines)
    asked = [card for seen, card in zip(tickets, told, strict=True) if seen.review]
    return Look(
        lines=lines,
        read=read,
        cards=PhotoReading(tickets, unread),
        worth=sum(claim.worth for claim in claims),
        doubtful=tuple(map(tuple, (*asked, *strange, *stray))),
        stray=bool(stray),
        told=_whole(told, photo.outlines),
        names=tuple(map(tuple, told)),
        spots=spots_of(plates, read),
    )


def better(photo: Photo, look: Look, lines: Sequence[TextLine]) -> Look:
    """The look with these lines as well, if they make it better."""
    again = read_cards(photo, lines, look)
    return max(again, look, key=lambda one: one.worth)


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
