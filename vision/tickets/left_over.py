"""Cards that were seen and not read: outlines without names, plates without a ticket."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import along_and_down
from vision.tickets.outlines import CardOutline, Shapes
from vision.tickets.plates import ReadLine, may_be_together
from vision.tickets.reading import UnreadCard

WITNESSES = 2
"""Whole cards that say how large one is."""
LIKE_AREA = 1.45
"""Greatest ratio of the areas of two whole cards in one photo."""
LIKE_HEIGHT = 1.6
"""Greatest ratio of the height of a stray line to that of the names."""
SURELY_A_NAME = -0.3
"""Cost of a letter of a line that is a name of this deck."""
TWO_LINES_HIGH = 2.6
"""Greatest ratio where it is one: two lines of a card may be seen as one."""
LEAST_LETTERS = 4
"""Letters of a line, at least, that may be a name nobody could read."""
PART_OF_A_NAME = 2
"""Letters of a line that is worth another look."""
LEAST_CLEARNESS = -0.4
"""Under this no person could tell that letters stand there."""
PART_OF_A_CARD, BESIDE_ITS_NAMES = 0.85, 3.0
"""A field printed on a card is at most such a part of a card, and as many heights of the letters
from the card's names: 0.7 and 1.5 on drawn cards."""
AT_THE_EDGE = 0.005
"""In long sides of the photo: names as near to its edge may go on beyond it."""
LEAST_NAME_PART = 4.0
"""A card's area over that of its names, at least."""
WHOLE_CARDS = 0.12
"""By what part the area of a clump may differ from that of so many cards."""
SAME_SIDE, LEAST_CUT, MOST_CUT = 0.15, 0.25, 1.1
"""By what part a side of a card that the photo's edge cuts may differ from a whole card's; least
and most of its other side beside the whole card's."""
OTHER_SIGNS = 0.5
"""Part of a line's signs that no name has, from which it is an ornament or the table's grain."""
WORDS_OF_A_CARD = 8
"""Letters from which clear words unlike all names are taken for those of another deck."""
CLEAR_WORD = -0.12
"""Clearness of a line that is a word whatever it says: names of another deck are as clear."""
LIKE_A_NAME = -1.2
"""Cost of a letter up to which a soft line is a name of this deck; ornaments read as letters cost
more."""


def unread_cards(
    read: Sequence[ReadLine],
    cards: Sequence[Sequence[ReadLine]],
    strange: Sequence[Sequence[ReadLine]],
    shapes: Shapes,
    photo: int,
) -> list[UnreadCard]:
    """Every card without a ticket: `cards` are the plates found, `strange` those of no ticket."""
    outlines = shapes.cards
    whole = [outline for card in cards if (outline := outline_of(card, outlines)) is not None]
    found = [
        UnreadCard(corners_of(card, outline_of(card, outlines)), "other-deck", photo)
        for card in strange
    ]
    stray = _one_a_card(_stray_plates(read, cards, whole), outlines, whole)
    found += [
        UnreadCard(corners_of(plate, outline_of(plate, outlines)), _why_unread(plate), photo)
        for plate in stray
    ]
    taken = whole + [o for plate in stray if (o := outline_of(plate, outlines)) is not None]
    parted = [card for card in cards if outline_of(card, outlines) is None]
    bare = _bare(outlines, taken, [line for card in cards for line in card], parted)
    middles = [np.mean([read.centre for read in card], axis=0) for card in (*cards, *stray)]
    middles += [outline.corners_px.mean(axis=0) for outline in bare]
    bare += _in_clumps((*shapes.clumps, *outlines), taken, middles)
    found += [UnreadCard(outline.corners_px, "no-names", photo) for outline in bare]
    found += [UnreadCard(card.corners_px, "cut-off", photo) for card in _cut(shapes, whole, read)]
    return found


def _why_unread(plate: Sequence[ReadLine]) -> str:
    """Whether a plate shows words of another deck, or is unclear."""
    is_strange = all(
        read.script.clearness > CLEAR_WORD
        and float(read.spots.singles.max()) < LIKE_A_NAME * read.script.letters
        for read in plate
    )
    letters = sum(read.script.letters for read in plate)
    return "other-deck" if is_strange and letters >= WORDS_OF_A_CARD else "unclear"


def _cut(
    shapes: Shapes, whole: Sequence[CardOutline], read: Sequence[ReadLine]
) -> list[CardOutline]:
    """What is as wide or as high as the whole cards and ends at the photo's edge, without text."""
    if len(whole) < WITNESSES:
        return []
    short, long = (float(side) for side in np.median([card.sides_px for card in whole], axis=0))
    return [
        part
        for part in shapes.cut
        if _is_part(part.sides_px, short, long)
        and not any(part.holds(line.centre) for line in read)
        and not any(_overlaps(part, card) for card in whole)
    ]


def _is_part(sides_px: tuple[float, float], short_px: float, long_px: float) -> bool:
    """Whether one of the sides is a whole card's, and the other at most its other one."""
    return any(
        abs(side / like - 1) < SAME_SIDE and LEAST_CUT * rest < other < MOST_CUT * rest
        for side, other in (sides_px, sides_px[::-1])
        for like, rest in ((short_px, long_px), (long_px, short_px))
    )


def told_if_cut_off(card: UnreadCard, shape: Sequence[int]) -> UnreadCard:
    """The card of a photo of that shape (H, W, …), with the photo's edge as the reason if it is."""
    edge_px = AT_THE_EDGE * max(shape[:2])
    low, high = card.corners_px.min(axis=0), card.corners_px.max(axis=0)
    is_within = (low > edge_px).all() and (high < [shape[1] - edge_px, shape[0] - edge_px]).all()
    return card if is_within else replace(card, why="cut-off")


def _in_clumps(
    shapes: Sequence[CardOutline],
    whole: Sequence[CardOutline],
    known: Sequence[NDArray[np.float64]],
) -> list[CardOutline]:
    """A clump for each card by which its area is more than the cards known within.

    `whole` are single cards, `known` the middles of all that were seen otherwise. Where a card
    lies alone within, that is no clump: a mat, a tray, a screen.
    """
    if not whole:
        return []
    card_px = float(np.median([outline.filled_px for outline in whole]))
    found: list[CardOutline] = []
    for clump in shapes:
        cards = round(clump.filled_px / card_px)
        is_whole = abs(clump.filled_px / card_px - cards) < WHOLE_CARDS * cards
        is_mat = any(card.is_alone and clump.holds(card.centre_px) for card in whole)
        if cards < 2 or not is_whole or is_mat or any(_overlaps(clump, x) for x in found):
            continue
        found += [clump] * (cards - sum(clump.holds(middle) for middle in known))
    return found


def stray_lines(
    read: Sequence[ReadLine], cards: Sequence[Sequence[ReadLine]], outlines: Sequence[CardOutline]
) -> list[list[ReadLine]]:
    """Lines that may be part of a name and belong to no card, those of one plate together."""
    whole = [outline for card in cards if (outline := outline_of(card, outlines)) is not None]
    return _one_a_card(_stray_plates(read, cards, whole, PART_OF_A_NAME), outlines, whole)


def outline_of(card: Sequence[ReadLine], outlines: Sequence[CardOutline]) -> CardOutline | None:
    """The smallest outline that holds all of a card's names and is large enough for a card."""
    names_px = sum(read.line.width_px * read.line.height_px for read in card)
    holding = [
        outline
        for outline in outlines
        if outline.area_px > LEAST_NAME_PART * names_px
        and all(outline.holds(read.centre) for read in card)
    ]
    return min(holding, key=lambda outline: outline.area_px, default=None)


def corners_of(card: Sequence[ReadLine], outline: CardOutline | None) -> NDArray[np.float64]:
    """Corners from the top left as printed: of the whole card if it is seen, else of its names."""
    along, down = along_and_down(card[0].angle_deg)
    points = (
        outline.corners_px
        if outline is not None
        else np.concatenate([read.line.corners_px for read in card])
    )
    u, v = points @ along, points @ down
    if outline is None:
        box = [(u.min(), v.min()), (u.max(), v.min()), (u.max(), v.max()), (u.min(), v.max())]
        return np.array([a * along + b * down for a, b in box])
    first = int(np.argmin(u + v))
    return np.roll(points, -first, axis=0)


def _stray_plates(
    read: Sequence[ReadLine],
    cards: Sequence[Sequence[ReadLine]],
    whole: Sequence[CardOutline],
    least_letters: int = LEAST_LETTERS,
) -> list[list[ReadLine]]:
    """Lines like names that belong to no card, those of one plate together."""
    used = [line for card in cards for line in card]
    names = {id(line) for line in used}
    height = float(np.median([line.line.height_px for line in used])) if used else None
    plates: list[list[ReadLine]] = []
    for line in read:
        if id(line) in names or not _is_like_names(line, height, least_letters):
            continue
        if any(o.holds(line.centre) for o in whole) or any(_beside(line, x) for x in used):
            continue
        near = next((p for p in plates if any(may_be_together(line, other) for other in p)), None)
        if near is None:
            plates.append([line])
        else:
            near.append(line)
    return plates


def _one_a_card(
    plates: Sequence[list[ReadLine]], outlines: Sequence[CardOutline], whole: Sequence[CardOutline]
) -> list[list[ReadLine]]:
    """The plates, those within the outline of one card together.

    Only where the cards that were read tell how large one is: around a fan there is an outline too.
    """
    if not whole:
        return list(plates)
    card_px = float(np.median([outline.area_px for outline in whole]))
    together: dict[int, list[ReadLine]] = {}
    for number, plate in enumerate(plates):
        around = outline_of(plate, outlines)
        is_card = around is not None and around.area_px < LIKE_AREA * card_px
        together.setdefault(id(around) if is_card else number, []).extend(plate)
    return list(together.values())


def _is_like_names(line: ReadLine, height_px: float | None, least_letters: int) -> bool:
    if line.script.letters < least_letters or line.script.clearness < LEAST_CLEARNESS:
        return False
    if line.script.text.count("?") > OTHER_SIGNS * len(line.script.text):
        return False
    likeness = float(line.spots.singles.max()) / line.script.letters
    if line.script.clearness < CLEAR_WORD and likeness < LIKE_A_NAME:
        return False
    own = line.line.height_px
    ratio = LIKE_HEIGHT if likeness < SURELY_A_NAME else TWO_LINES_HIGH
    return height_px is None or max(own, height_px) < ratio * min(own, height_px)


def _beside(line: ReadLine, name: ReadLine) -> bool:
    """Whether a line stands so near a card's name that it is on the same card."""
    step = line.centre - name.centre
    along, down = (abs(float(step @ way)) for way in along_and_down(name.angle_deg))
    touching = (line.line.width_px + name.line.width_px) / 2 if _is_no_name(line) else 0.0
    return down < 0.6 * name.line.height_px and along < max(touching, name.line.width_px / 2)


def _is_no_name(line: ReadLine) -> bool:
    return float(line.spots.singles.max()) < SURELY_A_NAME * line.script.letters


def _bare(
    outlines: Sequence[CardOutline],
    taken: Sequence[CardOutline],
    names: Sequence[ReadLine],
    parted: Sequence[Sequence[ReadLine]],
) -> list[CardOutline]:
    """Outlines like those of the cards in which nothing was read.

    Where no card was read nothing is known of their size: then all of one size count. Beside the
    names of a card whose own outline is not seen, `parted`, the map on that card is no other card.
    """
    free = [
        outline
        for outline in outlines
        if not any(_overlaps(outline, other) for other in taken)
        and not any(outline.holds(line.centre) for line in names)
    ]
    if taken:
        area = float(np.median([outline.area_px for outline in taken]))
    elif names or not free:
        return []
    else:
        area = max(outline.area_px for outline in free)
    bare: list[CardOutline] = []
    for outline in free:
        like = max(outline.area_px, area) < LIKE_AREA * min(outline.area_px, area)
        is_field = outline.area_px < PART_OF_A_CARD * area and _stands_beside(outline, parted)
        if like and not is_field and not any(_overlaps(outline, other) for other in bare):
            bare.append(outline)
    return bare


def _stands_beside(outline: CardOutline, cards: Sequence[Sequence[ReadLine]]) -> bool:
    corners = outline.corners_px.astype(np.float32)
    for card in cards:
        x, y = map(float, np.mean([read.centre for read in card], axis=0))
        height = float(np.median([read.line.height_px for read in card]))
        if abs(cv2.pointPolygonTest(corners, (x, y), True)) < BESIDE_ITS_NAMES * height:
            return True
    return False


def _overlaps(one: CardOutline, other: CardOutline) -> bool:
    common, _ = cv2.intersectConvexConvex(
        one.corners_px.astype(np.float32), other.corners_px.astype(np.float32)
    )
    return float(common) > 0.3 * min(one.area_px, other.area_px)
