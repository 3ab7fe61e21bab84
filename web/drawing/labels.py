"""Where the names of places stand on the drawn board, so that they hide as little as possible."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf
from types import MappingProxyType

Point = tuple[float, float]

WIDTH_OF_LETTER = 0.68
"""Mean width of a letter, as a fraction of the text's height, in the widest of the panel's faces
(DejaVu Serif's bold; in Palatino's it is 0.56)."""

SPACE_RADIUS_MM = 5.0
"""A route's box is kept free as a row of circles of this radius along its axis."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name's anchor on its baseline, and which end of the text the anchor holds."""

    x: float
    y: float
    anchor: str


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> "_Box":
        return _Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def held(self, points: Sequence[Point]) -> list[Point]:
        """Those of the points, which are sorted, that lie inside."""
        first = bisect_right(points, (self.left, inf))
        last = bisect_left(points, (self.right, -inf))
        return [point for point in points[first:last] if self.top < point[1] < self.bottom]

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def distance(self, point: Point) -> float:
        """From the box's edge to a point; 0 inside."""
        beside = max(self.left - point[0], 0.0, point[0] - self.right)
        above = max(self.top - point[1], 0.0, point[1] - self.bottom)
        return hypot(beside, above)

    def overlap(self, other: "_Box") -> float:
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


def place_labels(
    names: Mapping[str, tuple[str, Sequence[Point]]],
    obstacles: Sequence[Point],
    size: tuple[float, float],
    text_height: float,
) -> Mapping[str, Label]:
    """A label for every name, each beside one of its dots, placed greedily, the hardest first.

    `names` maps an id to its text and its dots; `obstacles` are centres of what labels should not
    hide. All in the same units as `size` (width, height) and `text_height`.
    """
    sheet = _Box(0, 0, *size)
    dots = sorted(dot for _, own in names.values() for dot in own)
    spaces = sorted(obstacles)
    options = {
        name: [
            (label, box, far + _hidden(box, own, spaces, dots, sheet))
            for label, box, far in _candidates(own, _width(text, text_height), text_height)
        ]
        for name, (text, own) in names.items()
    }
    taken: list[_Box] = []
    labels: dict[str, Label] = {}
    for name in sorted(options, key=lambda one: -min(cost for _, _, cost in options[one])):
        best = min(options[name], key=lambda option: option[2] + _crowding(option[1], taken))
        labels[name] = best[0]
        taken.append(best[1])
    return MappingProxyType(labels)


def _width(text: str, text_height: float) -> float:
    return len(text) * text_height * WIDTH_OF_LETTER


def _candidates(
    dots: Sequence[Point], width: float, height: float
) -> Iterable[tuple[Label, _Box, float]]:
    """Places around each dot: its label, the box it covers, and the cost of being far."""
    for x, y in dots:
        for far, gap in ((0.0, 0.55), (1.5, 0.9), (4.0, 1.4)):
            for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
                reach = gap * height
                at_x = x + dx * reach * (0.5 if dy else 1.0)
                middle_y = y + dy * (reach + 0.2 * height)
                left = at_x - {1: 0.0, -1: width, 0: width / 2}[dx]
                box = _Box(left, middle_y - height / 2, left + width, middle_y + height / 2)
                anchor = {1: "start", -1: "end", 0: "middle"}[dx]
                yield Label(at_x, middle_y + 0.35 * height, anchor), box, far


def _hidden(
    box: _Box,
    own: Sequence[Point],
    spaces: Sequence[Point],
    dots: Sequence[Point],
    sheet: _Box,
) -> float:
    """Cost of a label there: what it hides; the edge and other cities weigh most.

    `spaces` and `dots` are sorted.
    """
    outside = 1 - box.overlap(sheet) / box.area
    near = box.grown(SPACE_RADIUS_MM)
    away = min(map(box.distance, own))
    strange = any(box.distance(dot) < away for dot in box.grown(away).held(dots))
    return 60 * outside + 0.8 * len(near.held(spaces)) + 5 * len(near.held(dots)) + 8 * strange


def _crowding(box: _Box, taken: Sequence[_Box]) -> float:
    return 40 * sum(box.overlap(other) for other in taken) / box.area
