"""Joins the photos of one hand: a ticket seen in two is one card."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.tickets.reading import (
    UNREAD,
    HandReading,
    Pair,
    TicketSeen,
    TicketWarning,
    UnreadCard,
    ticket_warning,
)

MOST_CARDS = 16
"""More than this nobody holds: several hands may lie in the photo."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoReading:
    """The cards of one photo."""

    tickets: tuple[TicketSeen, ...]
    unread: tuple[UnreadCard, ...]


def join_photos(board: str, photos: Sequence[PhotoReading]) -> HandReading:
    """One hand of all photos; a ticket twice in one photo is asked about, since decks have one."""
    best: dict[Pair, TicketSeen] = {}
    twice: list[TicketSeen] = []
    for photo in photos:
        here: set[Pair] = set()
        for seen in sorted(photo.tickets, key=lambda seen: -seen.confidence):
            if seen.ticket in here:
                twice.append(replace(seen, review=True, confidence=min(seen.confidence, 0.5)))
                continue
            here.add(seen.ticket)
            known = best.get(seen.ticket)
            if known is None or (known.review, -known.confidence) > (seen.review, -seen.confidence):
                best[seen.ticket] = seen
    tickets = (*best.values(), *_most_in_one_photo(twice))
    unread = _unread(photos)
    cards = len(tickets) + len(unread)
    warnings = _warnings(twice, unread, cards)
    return HandReading(board, tickets, len(unread), unread, warnings)


def _most_in_one_photo(twice: Sequence[TicketSeen]) -> list[TicketSeen]:
    """Second copies: those of the photo that shows most of them."""
    by_photo = {seen.photo: [x for x in twice if x.photo == seen.photo] for seen in twice}
    return max(by_photo.values(), key=len, default=[])


def _unread(photos: Sequence[PhotoReading]) -> tuple[UnreadCard, ...]:
    """Cards that no photo tells.

    One unread here may be one read in another photo of these cards: a photo that shares a ticket
    with this one shows the same hand, any other shows other cards. One that tells no ticket but
    those of another photo shows that one's unread cards once more, as when a card that a lamp
    washes out is photographed again.
    """
    told = [frozenset(seen.ticket for seen in photo.tickets) for photo in photos]
    left: list[UnreadCard] = []
    counted: list[tuple[frozenset[Pair], int]] = []
    for own, photo in sorted(zip(told, photos, strict=True), key=lambda one: -len(one[0])):
        elsewhere = {ticket for other in told if other & own for ticket in other - own}
        here = max(0, len(photo.unread) - len(elsewhere))
        again = max((n for others, n in counted if own and own <= others), default=0)
        left += photo.unread[again:here]
        counted.append((own, max(here, again)))
    return tuple(sorted(left, key=lambda card: card.photo))


def _warnings(
    twice: Sequence[TicketSeen], unread: Sequence[UnreadCard], cards: int
) -> tuple[TicketWarning, ...]:
    found = []
    for why in UNREAD:
        count = sum(card.why == why for card in unread)
        if count:
            found.append(ticket_warning(why, count, cards=cards))
    if twice:
        found.append(ticket_warning("same-ticket-twice"))
    if cards > MOST_CARDS:
        found.append(ticket_warning("many-cards", cards))
    return tuple(found)
