"""Lines that cross each other: where they do on the map, and which exclude each other."""

from dataclasses import replace
from itertools import combinations, pairwise

from companion.errors import RefusalError
from companion.studio.draft import Draft, DraftPlace, Line
from companion.studio.step_fields import Step, line_in

Pair = tuple[int, int]
Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def crossed_lines(draft: Draft) -> dict[int, list[int]]:
    """For each line the ones that it runs across; lines that end in one place do not cross."""
    ways = {number: _way(draft, line) for number, line in draft.lines.items()}
    around = {number: _rectangle(way) for number, way in ways.items()}
    found: dict[int, list[int]] = {number: [] for number in ways}
    for one, other in combinations(ways, 2):
        apart = not set(draft.lines[one].ends) & set(draft.lines[other].ends)
        if apart and _near(around[one], around[other]) and _cross(ways[one], ways[other]):
            found[one].append(other)
            found[other].append(one)
    return found


def cross_lines(draft: Draft, step: Step) -> Draft:
    """Of two lines only one can be claimed."""
    pair = _pair(draft, step)
    return replace(draft, crossings=(*_without(draft, pair), pair))


def uncross_lines(draft: Draft, step: Step) -> Draft:
    """Both of two lines can be claimed."""
    return replace(draft, crossings=_without(draft, _pair(draft, step)))


def excluded_by(draft: Draft, number: int) -> list[int]:
    """The lines that are marked as crossing a line."""
    return [sum(pair) - number for pair in draft.crossings if number in pair]


def handed_on(draft: Draft, crossings: tuple[Pair, ...], parts: tuple[int, ...]) -> Draft:
    """The draft with the crossings of lines that were cut or joined on those that are left.

    `crossings` are those before, `parts` the lines that stand for the old ones; a crossing goes to
    the part that crosses, the first where none is seen to.
    """
    kept: list[Pair] = []
    crossed = crossed_lines(draft)
    for one, other in crossings:
        for number in (one, other):
            if number in parts or number not in draft.lines:
                across = one + other - number
                seen = [part for part in parts if across in crossed[part]]
                kept.append(_ordered((seen or list(parts))[0], across))
                break
        else:
            kept.append((one, other))
    known = [pair for pair in kept if set(pair) <= draft.lines.keys() and pair[0] != pair[1]]
    return replace(draft, crossings=tuple(dict.fromkeys(known)))


def _pair(draft: Draft, step: Step) -> Pair:
    first, second = line_in(draft, step, "line"), line_in(draft, step, "other")
    if first == second:
        raise RefusalError("companion.studio.crosses-itself")
    return _ordered(first, second)


def _ordered(first: int, second: int) -> Pair:
    return (first, second) if first < second else (second, first)


def _without(draft: Draft, pair: Pair) -> tuple[Pair, ...]:
    return tuple(one for one in draft.crossings if one != pair)


def _way(draft: Draft, line: Line) -> list[Point]:
    """A line's way from place to place through its spaces, in millimetres."""
    first, last = (draft.places[end] for end in line.ends)
    stops: list[DraftPlace | Point] = [first, *((box.x, box.y) for box in line.boxes), last]
    width, height = draft.size_mm
    points = [(one.x, one.y) if isinstance(one, DraftPlace) else one for one in stops]
    return [(x * width, y * height) for x, y in points]


def _rectangle(way: list[Point]) -> Rectangle:
    across, down = [point[0] for point in way], [point[1] for point in way]
    return min(across), min(down), max(across), max(down)


def _near(one: Rectangle, other: Rectangle) -> bool:
    """Whether two rectangles touch."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _cross(one: list[Point], other: list[Point]) -> bool:
    return any(_segments_cross(a, b, c, d) for a, b in pairwise(one) for c, d in pairwise(other))


def _segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two stretches that do not run the same way have a point in common."""
    slanted = (b[0] - a[0]) * (d[1] - c[1]) != (b[1] - a[1]) * (d[0] - c[0])
    return slanted and _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0


def _side(a: Point, b: Point, point: Point) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
