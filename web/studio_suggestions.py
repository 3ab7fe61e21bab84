"""What the studio suggests, so that a tap is enough: names, places that are one, ends of lines.

All of it is read off the board as it stands; nothing is entered before somebody confirms it.
"""

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches
from math import atan2, degrees, hypot

from scoring.board.angles import between_deg, direction_deg
from web.studio_port import StudioBoard, StudioLine, StudioPlace, StudioPrinted, StudioSpace

NEAR = 70.0
"""Thousandths of the width: two places of a map are mostly farther apart."""

PRINTED_NEAR = 55.0
"""Thousandths of the width: the middle of a name is mostly printed nearer to its place."""

MOST_PRINTED = 3

ALIKE = 0.7
"""Likeness of letters from which a printed name is taken for one of the list."""

END_NEAR = 90.0
"""Thousandths of the width from a line's last space: two lengths of a space and a little."""

MOST_OTHER = 2
MUCH_FARTHER = 1.5

GOES_ON, GOES_ON_DEG = (0.7, 1.9), 40.0
"""Lengths of a space from one middle to the next, and the bend, where a line may go on."""

MEETING = 2
"""Lines that meet in a place, mostly."""

BAND = 120.0
"""Thousandths of the width: places that are asked about from left to right, or back."""

LOOSE_NEAR = 150.0
"""As far from a line's last space a place is offered that it may end at: its own is missing."""

AHEAD_DEG = 50.0
"""A line that goes straight on towards a place surely ends there; beside it, nobody knows."""

AT_END, ASIDE_DEG = 15.0, 100.0
"""A place right at the last space may lie aside of it as well."""


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """Places that a line may join: with `place` at one end instead of another one."""

    ends: tuple[int, int]
    place: int
    instead_of: int


@dataclass(frozen=True, slots=True)
class LooseEnd:
    """An end of a line at a nameless place, and the named places that it may mean, nearest first.

    `side` is 0 where the line begins and 1 where it ends; `x` and `y` are its last space there.
    """

    line: int
    side: int
    x: float
    y: float
    places: tuple[StudioPlace, ...]
    is_sure: bool
    """Whether the first of them lies ahead and much nearer than the next."""


@dataclass(frozen=True, slots=True)
class NameToTake:
    """A name that is printed beside a nameless place, as the list of names spells it."""

    place: StudioPlace
    name: str
    is_sure: bool
    """Whether no other nameless place lies about as near to the words."""


Spot = StudioPlace | StudioSpace | StudioPrinted


def _apart(one: Spot, other: Spot) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def perhaps_the_same(board: StudioBoard, number: int) -> list[StudioPlace]:
    """Named places so near that both may be one, the nearest first."""
    here = board.place(number)
    if here is None:
        return []
    named = [one for one in board.places if one.name and one.number != number]
    apart = {one.number: _apart(one, here) for one in named}
    near = sorted(named, key=lambda one: apart[one.number])
    return [one for one in near if apart[one.number] < NEAR][:2]


def printed_beside(board: StudioBoard, number: int) -> list[str]:
    """Names that are printed near a place, the nearest first: as in the list of names, if there."""
    here = board.place(number)
    if here is None:
        return []
    used = {one.name.casefold() for one in board.places}
    listed = {name.casefold(): name for name in board.names}
    apart = sorted((_apart(one, here), one.words) for one in board.printed)
    near = [words for far, words in apart if far < PRINTED_NEAR]
    meant = [get_close_matches(words.casefold(), listed, 1, ALIKE) for words in near]
    names = [listed[one[0]] if one else words for one, words in zip(meant, near, strict=True)]
    free = [name for name in dict.fromkeys(names) if name.casefold() not in used]
    return free[:MOST_PRINTED]


def other_ends(board: StudioBoard, number: int) -> list[OtherEnd]:
    """The named places near each end of a line at which it may end instead, the nearest first.

    Where the place that it ends at has a name and lies much nearer, none is offered.
    """
    line = board.line(number)
    if line is None:
        return []
    named = [one for one in board.places if one.name and one.number not in line.ends]
    found = []
    for side, tip in enumerate((_tip(line, 0), _tip(line, 1))):
        apart = sorted((_apart(one, tip), one.number) for one in named)
        now = board.place(line.ends[side])
        is_told = now is not None and now.name
        here = _apart(now, tip) if now is not None and is_told else END_NEAR
        for far, place in apart[:MOST_OTHER]:
            if far < min(MUCH_FARTHER * here, END_NEAR):
                ends = (place, line.ends[1]) if side == 0 else (line.ends[0], place)
                found.append(OtherEnd(ends, place, line.ends[side]))
    return found


def goes_on_in(board: StudioBoard, number: int) -> list[StudioLine]:
    """Lines that begin or end right before an end of a line: perhaps both are one.

    Lines that meet in a place with a name are two.
    """
    line = board.line(number)
    if line is None:
        return []
    named = {one.number for one in board.places if one.name}
    sides = [(one, other) for one in (0, 1) for other in (0, 1)]
    found = {
        other.number: (min(gaps), other)
        for other in board.lines
        if other.number != number
        and (
            gaps := [
                _apart(_tip(line, here), _tip(other, there))
                for here, there in sides
                if _follows(_tip(line, here), _tip(other, there))
                and not {line.ends[here]} & {other.ends[there]} & named
            ]
        )
    }
    near = sorted(found.values(), key=lambda one: one[0])
    return [other for _, other in near[:MOST_OTHER]]


def _follows(one: StudioSpace, other: StudioSpace) -> bool:
    """Whether two spaces lie in a row, one right behind the other."""
    (left, top), (right, bottom), *_ = one.corners
    lengths = _apart(one, other) / hypot(right - left, bottom - top)
    way = direction_deg((one.x, one.y), (other.x, other.y))
    bends = [between_deg(space.angle, way) for space in (one, other)]
    return GOES_ON[0] < lengths < GOES_ON[1] and max(bends) < GOES_ON_DEG


def loose_ends(board: StudioBoard) -> list[LooseEnd]:
    """Ends of lines at nameless places beside which named ones lie; the unsure ones first."""
    named = [one for one in board.places if one.name]
    nameless = {one.number for one in board.places if not one.name}
    found = []
    for line in board.lines:
        taken = {end for end in line.ends if end not in nameless}
        for side in (0, 1):
            if line.ends[side] in nameless:
                free = [one for one in named if one.number not in taken]
                end = _loose_end(board, line, side, free)
                if end is not None:
                    found.append(end)
                    taken.add(end.places[0].number)
    return sorted(found, key=lambda end: end.is_sure)


def _loose_end(
    board: StudioBoard, line: StudioLine, side: int, named: list[StudioPlace]
) -> LooseEnd | None:
    tip = _tip(line, side)
    apart = {one.number: _apart(one, tip) for one in named}
    near = sorted(
        (one for one in named if apart[one.number] < LOOSE_NEAR), key=lambda one: apart[one.number]
    )
    if not near:
        return None
    first, *others = near[:MOST_OTHER]
    much_nearer = all(apart[one.number] > MUCH_FARTHER * apart[first.number] for one in others)
    turn_deg = _turn_deg(board, line, side, first)
    lies_there = turn_deg < (ASIDE_DEG if apart[first.number] < AT_END else AHEAD_DEG)
    is_sure = much_nearer and lies_there
    return LooseEnd(line.number, side, tip.x, tip.y, (first, *others), is_sure)


def _tip(line: StudioLine, side: int) -> StudioSpace:
    return line.spaces[0 if side == 0 else -1]


def _turn_deg(board: StudioBoard, line: StudioLine, side: int, place: StudioPlace) -> float:
    """By how much a line would turn from its last space towards a place, 0 to 180.

    A line of one space comes from its other end.
    """
    tip, other = _tip(line, side), board.place(line.ends[1 - side])
    behind = line.spaces[1 if side == 0 else -2] if len(line.spaces) > 1 else other
    if behind is None:
        return 180.0
    came = atan2(tip.y - behind.y, tip.x - behind.x)
    goes = atan2(place.y - tip.y, place.x - tip.x)
    turn = abs(degrees(goes - came)) % 360
    return min(turn, 360 - turn)


def names_to_take(board: StudioBoard) -> list[NameToTake]:
    """Names of the list, each printed nearest to one nameless place, which has none nearer."""
    listed = {name.casefold(): name for name in board.names}
    nameless = [one for one in board.places if not one.name]
    found = []
    for printed in board.printed if nameless else ():
        apart = {one: _apart(one, printed) for one in nameless}
        nearest, *others = sorted(nameless, key=lambda one: apart[one])
        meant = get_close_matches(printed.words.casefold(), listed, 1, ALIKE)
        if meant and printed_beside(board, nearest.number)[:1] == [listed[meant[0]]]:
            alone = all(apart[one] > MUCH_FARTHER * apart[nearest] for one in others[:1])
            sure = alone and nearest.lines >= MEETING
            found.append(NameToTake(nearest, listed[meant[0]], sure))
    often = Counter(one.name for one in found)
    return sorted(
        (one for one in found if often[one.name] == 1),
        key=lambda one: (one.is_sure, one.place.number),
    )


def all_are_named(board: StudioBoard) -> bool:
    """Whether every name of the list has its place: a nameless one that is left is none."""
    return board.listed > 0 and not board.names


def next_nameless(board: StudioBoard, here: StudioPlace | None) -> int | None:
    """The nameless place that comes after another one, round and round; None if there is none.

    First those at which lines meet, then those where a single one ends, which are often there
    already; both as one reads, in bands from left to right and back.
    """
    nameless = [one for one in board.places if not one.name]
    if here is not None:
        nameless = [one for one in nameless if one.number != here.number]
    behind = [] if here is None else [one for one in nameless if _turn_of(one) > _turn_of(here)]
    return min(behind or nameless, key=_turn_of).number if nameless else None


def _turn_of(place: StudioPlace) -> tuple[bool, int, float]:
    """When a place is asked about."""
    band = int(place.y // BAND)
    return place.lines < MEETING, band, -place.x if band % 2 else place.x
