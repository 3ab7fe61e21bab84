"""Where the names of places stand on the drawn board, so that they hide as little as possible."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

Point = tuple[float, float]

WIDTH_OF_LETTER = 0.56
"""Mean width of a letter, as a fraction of the text's height."""

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

    def holds(self, point: Point) -> bool:
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom

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
    """A label for every name, each beside one of its dots, placed greedily one by one.

    `names` maps an id to its text and its dots; `obstacles` are centres of what labels should not
    hide. All in the same units as `size` (width, height) and `text_height`.
    """
    sheet = _Box(0, 0, *size)
    dots = [dot for _, own in names.values() for dot in own]
    taken: list[_Box] = []
    labels: dict[str, Label] = {}
    for name, (text, own) in names.items():
        width = len(text) * text_height * WIDTH_OF_LETTER
        best = min(
            _candidates(own, width, text_height),
            key=lambda one: _cost(one[1], obstacles, dots, taken, sheet) + one[2],
        )
        labels[name] = best[0]
        taken.append(best[1])
    return MappingProxyType(labels)


def _candidates(
    dots: Sequence[Point], width: float, height: float
) -> Iterable[tuple[Label, _Box, float]]:
    """Places around each dot: its label, the box it covers, and a small cost for being far."""
    for x, y in dots:
        for ring, gap in enumerate((0.65, 1.1, 1.7, 2.4)):
            reach = gap * height
            for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
                anchor = {1: "start", -1: "end", 0: "middle"}[dx]
                at_x = x + dx * reach * (0.6 if dy else 1.0)
                middle_y = y + dy * (reach + 0.25 * height)
                left = at_x - {1: 0.0, -1: width, 0: width / 2}[dx]
                box = _Box(left, middle_y - height / 2, left + width, middle_y + height / 2)
                yield Label(at_x, middle_y + 0.35 * height, anchor), box, 0.6 * ring


def _cost(
    box: _Box,
    obstacles: Sequence[Point],
    dots: Sequence[Point],
    taken: Sequence[_Box],
    sheet: _Box,
) -> float:
    """How much a label there would hide; other labels and the sheet's edge weigh most."""
    area = (box.right - box.left) * (box.bottom - box.top)
    outside = 1 - box.overlap(sheet) / area
    near = box.grown(SPACE_RADIUS_MM)
    hidden = sum(near.holds(point) for point in obstacles)
    cities = sum(near.holds(point) for point in dots)
    labels = sum(box.overlap(other) for other in taken) / area
    return 60 * outside + hidden + 4 * cities + 40 * labels
