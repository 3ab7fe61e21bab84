"""Reads cards of a deck that nobody has taught: what stands there, for a person to confirm.

Without a deck nothing says which words are names. So the lines of one card are taken that stand in
its direction and are about as high as its highest; a number apart from them are its points.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from vision.errors import NoTicketsError
from vision.images.photo import check_legible
from vision.tickets.expected_places import expected_number
from vision.tickets.left_over import corners_of, outline_of
from vision.tickets.lines import TextLine, apart_deg
from vision.tickets.looks import look_at_all, look_at_card, look_at_names, look_closer
from vision.tickets.names import Lexicon, fold, make_lexicon_of, spellings
from vision.tickets.networks import TextNetworks, load_text_networks
from vision.tickets.outlines import CardOutline, find_shapes
from vision.tickets.plates import ReadLine, may_be_together
from vision.tickets.points import Number, numbers_of, read_points, value_at
from vision.tickets.reading_lines import read_words
from vision.tickets.same_places import best_of, elsewhere
from vision.tickets.upright import read_lines

CLEAR_NAME = -0.2
"""Clearness from which a line is taken for a name: a person looks at each."""
LEAST_LETTERS = 3
"""Letters of a name, at least."""
LIKE_HIGHEST = 0.55
"""Height of a name's letters, at least, beside the highest of the card: a map's are lower."""
SAME_DIRECTION_DEG = 15.0
"""By how much the direction of a name may differ from that of the highest line of its card."""
ALIKE = 0.8
"""Likeness of letters from which a name is that of a known place."""
MOST_BARE = 12
"""Outlines without text that are looked at once more."""
PARTED = re.compile(r"\s*[–—•·]\s*|\s+-\s*|\s*-\s+")
"""What stands between two names on one line; a hyphen within a name has no space beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class NewCard:
    """A card's names as they read, empty where they could not be told; `points` None likewise.

    `are_known` says of each name whether it is that of a known place, which is then spelled so.
    """

    names: tuple[str, str]
    are_known: tuple[bool, bool]
    points: int | None
    corners_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """A line with the words on it."""

    read: ReadLine
    words: str


def read_new_cards(image_bgr: NDArray[np.uint8], known: Sequence[str]) -> list[NewCard]:
    """The cards in a photo of shape (H, W, 3), uint8, BGR; `known` are names of places.

    Raises NoTicketsError where no card is seen, and the errors of a photo that is no good.
    """
    networks = load_text_networks()
    check_legible(image_bgr)
    lexicon = make_lexicon_of(known)
    outlines = find_shapes(image_bgr).cards
    lines, read = _read_all(image_bgr, outlines, networks, lexicon)
    groups = _cards(image_bgr, read, outlines)
    names = [[one.read for one in card] for card, _ in groups]
    near = [
        line
        for (_, outline), card in zip(groups, names, strict=True)
        for line in _look_near(image_bgr, card, outline, networks)
    ]
    free = elsewhere([*near, *lines], read)
    agreed = read_points(image_bgr, free, names, networks, lexicon)
    numbers = [
        number if outline is None else _own_number(image_bgr, card, outline, free, lexicon, number)
        for card, (_, outline), number in zip(names, groups, agreed, strict=True)
    ]
    points = _in_place_of_others(
        image_bgr, names, [around for _, around in groups], numbers, lexicon
    )
    places = Places(known)
    found = [
        _card(card, outline, number, places)
        for (card, outline), number in zip(groups, points, strict=True)
    ]
    if not found:
        raise NoTicketsError("vision.tickets.no-cards")
    return sorted(found, key=lambda card: _reading_order(card, image_bgr.shape[0]))


def _own_number(
    image_bgr: NDArray[np.uint8],
    card: Sequence[ReadLine],
    outline: CardOutline,
    free: Sequence[TextLine],
    lexicon: Lexicon,
    agreed: int | None,
) -> Number | None:
    """The one number within a card's outline; of several the one that stands where it does on the
    other cards, else None."""
    within = [one for one in free if outline.holds(np.array([one.x_px, one.y_px]))]
    reach_px = float(np.hypot(*outline.sides_px))
    networks = load_text_networks()
    found = numbers_of(image_bgr, 0, card, within, networks, lexicon, reach_px=reach_px)
    if len({number.value for number in found}) > 1:
        found = [number for number in found if number.value == agreed]
    return found[0] if found else None


def _in_place_of_others(
    image_bgr: NDArray[np.uint8],
    names: Sequence[Sequence[ReadLine]],
    outlines: Sequence[CardOutline | None],
    numbers: Sequence[Number | int | None],
    lexicon: Lexicon,
) -> list[int | None]:
    """Each card's number; where none was found, what stands where the other cards have theirs."""
    known = [
        (number.line, card[0].angle_deg, outline)
        for card, outline, number in zip(names, outlines, numbers, strict=True)
        if isinstance(number, Number) and number.line is not None and outline is not None
    ]
    found: list[int | None] = []
    for card, outline, number in zip(names, outlines, numbers, strict=True):
        value = number.value if isinstance(number, Number) else number
        if value is None and outline is not None and known:
            line = expected_number(known, card[0].angle_deg, outline)
            turn = round(card[0].angle_deg - line.angle_deg)
            value = value_at(image_bgr, line, turn, load_text_networks(), lexicon)
        found.append(value)
    return found


def _look_near(
    image_bgr: NDArray[np.uint8],
    card: Sequence[ReadLine],
    outline: CardOutline | None,
    networks: TextNetworks,
) -> Sequence[TextLine]:
    """For the number, which stands in a picture and is found late."""
    if outline is not None:
        return look_at_card(image_bgr, outline.corners_px, networks)
    return look_at_names(image_bgr, card, networks)


def _reading_order(card: NewCard, height_px: int) -> tuple[int, float]:
    """Rows from above, each from the left."""
    x, y = card.corners_px.mean(axis=0)
    return round(8 * float(y) / height_px), float(x)


def _read_all(
    image_bgr: NDArray[np.uint8],
    outlines: Sequence[CardOutline],
    networks: TextNetworks,
    lexicon: Lexicon,
) -> tuple[list[TextLine], list[ReadLine]]:
    """Every line that two looks at the photo find, and one at each card that shows none then;
    and those of them that bear words."""
    coarse = look_at_all(image_bgr, networks)
    first = read_lines(image_bgr, coarse.lines, networks, lexicon)
    closer = look_closer(image_bgr, coarse, first, outlines, networks).lines
    read = best_of([*first, *read_lines(image_bgr, closer, networks, lexicon)])
    lines = [*coarse.lines, *closer]
    bare = [one for one in outlines if not any(one.holds(line.centre) for line in read)]
    for outline in bare[:MOST_BARE]:
        near = look_at_card(image_bgr, outline.corners_px, networks)
        read = best_of([*read, *read_lines(image_bgr, near, networks, lexicon)])
        lines += near
    return lines, read


def _cards(
    image_bgr: NDArray[np.uint8], read: Sequence[ReadLine], outlines: Sequence[CardOutline]
) -> list[tuple[list[_Words], CardOutline | None]]:
    """Each card's lines that may be names: of those within one outline, or standing together."""
    networks = load_text_networks()
    groups: list[tuple[list[ReadLine], CardOutline | None]] = []
    for line in read:
        outline = outline_of([line], outlines)
        for lines, around in groups:
            same = around is outline if outline is not None else around is None
            if same and (outline is not None or any(may_be_together(line, one) for one in lines)):
                lines.append(line)
                break
        else:
            groups.append(([line], outline))
    cards = []
    for lines, outline in groups:
        words = [
            _Words(line, read_words(image_bgr, line.line, line.turn_deg, networks))
            for line in lines
        ]
        cards.append((_name_lines(words), outline))
    return [(card, outline) for card, outline in cards if card]


def _card(
    lines: Sequence[_Words], outline: CardOutline | None, number: int | None, places: "Places"
) -> NewCard:
    told = places.pair([one.words for one in lines])
    corners = corners_of([one.read for one in lines], outline)
    return NewCard(told, (places.is_known(told[0]), places.is_known(told[1])), number, corners)


def _name_lines(lines: Sequence[_Words]) -> list[_Words]:
    """Those that may be names, as read from above."""
    worded = [
        one
        for one in lines
        if sum(sign.isalpha() for sign in one.words) >= LEAST_LETTERS
        and one.read.script.clearness > CLEAR_NAME
    ]
    if not worded:
        return []
    chief = max(worded, key=lambda one: one.read.line.width_px * one.read.line.height_px)
    angle = np.deg2rad(chief.read.angle_deg)
    highest = max(one.read.line.height_px for one in worded)
    kept = [
        one
        for one in worded
        if apart_deg(one.read.angle_deg, chief.read.angle_deg) < SAME_DIRECTION_DEG
        and one.read.line.height_px > LIKE_HIGHEST * highest
    ]
    down = np.array([-np.sin(angle), np.cos(angle)])
    return sorted(kept, key=lambda one: float(one.read.centre @ down))


class Places:
    """The names of known places, found again however a card spells them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {spelling: name for name in names for spelling in spellings(name)}

    def is_known(self, name: str) -> bool:
        """Whether it is spelled as one of them."""
        return name in self._names.values()

    def pair(self, lines: Sequence[str]) -> tuple[str, str]:
        """The two names on a card's lines, known ones as they are known.

        >>> Places(["Saint-Malo"]).pair(["SAINT MALO - LOS ANGELES"])
        ('Saint-Malo', 'Los Angeles')
        """
        whole = " ".join(line.strip() for line in lines)
        parts = [part.strip(" -–—•·.,") for part in PARTED.split(whole)]
        parts = [part for part in parts if part]
        if len(parts) != 2:
            parts = self._by_lines([line.strip(" -–—•·.,") for line in lines])
        first, second = (*parts, "", "")[:2]
        return self.spelled(first), self.spelled(second)

    def _by_lines(self, lines: Sequence[str]) -> list[str]:
        """Two names on as many lines, a long one on two of them, or both on one without a dash."""
        if len(lines) == 1:
            return self._in_two(lines[0].replace("-", " ").split()) or list(lines)
        ways = [[" ".join(lines[:k]), " ".join(lines[k:])] for k in range(1, len(lines))]
        return max(ways, key=self._known_of, default=[])

    def _in_two(self, words: Sequence[str]) -> list[str]:
        ways = [[" ".join(words[:k]), " ".join(words[k:])] for k in range(1, len(words))]
        best = max(ways, key=self._known_of, default=[])
        return best if len(ways) == 1 or (best and self._known_of(best)) else []

    def _known_of(self, names: Sequence[str]) -> int:
        return sum(self._found(name) is not None for name in names)

    def spelled(self, name: str) -> str:
        """As the place is known; else as printed, without capitals throughout."""
        found = self._found(name)
        if found is not None:
            return found
        return name.title() if name.isupper() else name

    def _found(self, name: str) -> str | None:
        near = get_close_matches(fold(name), self._names, 1, ALIKE)
        return self._names[near[0]] if near else None
