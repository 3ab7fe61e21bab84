"""Where the first looks leave doubts: lines found by a closer look at one thing or another."""

from dataclasses import replace

import numpy as np

from vision.tickets.cards_so_far import Look, Photo, better
from vision.tickets.expected_places import expected_lines
from vision.tickets.fans import are_within, find_fan, next_in_fan
from vision.tickets.left_over import outline_of
from vision.tickets.lines import TextFound, TextLine
from vision.tickets.looks import (
    look_around,
    look_at_cards,
    look_at_names,
    look_turned,
)
from vision.tickets.missing import things_apart
from vision.tickets.outlines import CardOutline
from vision.tickets.same_places import grown
from vision.tickets.upright import clear_heights_px

MOST_CARDS_LEVELLED = 9
"""Cards that get a look of their own: each costs as much as a small photo."""
MOST_NAMES_LOOKED_AT = 6
"""Doubtful names that get a closer look."""
MOST_THINGS = 2
"""Things apart from the cards that are looked at, the likeliest first."""
TURNS_DEG = (90.0, 45.0, -45.0)
"""Directions in which lines are looked for where level ones leave doubts, likeliest first."""


def lines_of_doubtful_cards(photo: Photo, look: Look) -> list[TextLine]:
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


def lines_beside_a_fan(photo: Photo, look: Look) -> list[TextLine]:
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


def lines_where_others_have_theirs(photo: Photo, look: Look) -> list[TextLine]:
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


def lines_around_things(photo: Photo, look: Look) -> list[TextLine]:
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


def look_from_all_sides(photo: Photo, coarse: TextFound, look: Look, missed: bool) -> Look:
    """Looks at the turned photo, as long as lines may be `missed` and one of them helps."""
    helps = True
    for turn_deg in TURNS_DEG:
        wanted = missed or not look.cards.tickets or (look.misses_names and helps)
        if wanted and photo.networks.detector.may_go_on:
            turned = look_turned(photo.image_bgr, coarse, photo.outlines, turn_deg, photo.networks)
            before, look = look, better(photo, look, turned)
            missed, helps = False, look.worth > before.worth
    return look
