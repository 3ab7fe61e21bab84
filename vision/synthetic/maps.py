"""Makes up maps that nobody prints: places, lines of any bend between them, doubles, crossings."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, BoardFrame, Place, Route, Space

Points = NDArray[np.float64]

COLOURS = ("red", "orange", "yellow", "green", "blue", "pink", "black", "white")

EDGE_MM = 42.0
"""No place is nearer to the board's edge than this: the score track is there."""

CLEAR_MM = 1.2
"""Smallest gap between boxes of different lines."""

POINTS_BY_LENGTH = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}


@dataclass(slots=True)
class _Sheet:
    """What is laid out so far; lengths in millimetres."""

    size_mm: tuple[float, float]
    box_mm: tuple[float, float]
    track_beds: bool
    crossings: float
    axes: Points = field(default_factory=lambda: np.zeros((0, 2, 2)))
    lines: list[tuple[int, int, str, str | None, Points]] = field(default_factory=list)


def make_map(seed: int) -> Board:
    """A board of a made-up map: every seed its own size, boxes, places and lines."""
    rng = np.random.default_rng([seed, 61])
    long, short = rng.uniform(640, 820), rng.uniform(480, 640)
    size = (long, short) if rng.uniform() < 0.6 else (short, long)
    box = (float(rng.uniform(23.0, 27.0)), float(rng.uniform(7.2, 11.0)))
    beds = bool(rng.uniform() < 0.3)
    sheet = _Sheet(size, box, beds, 0.15 if beds else 0.03)
    places = _scatter(rng, size, float(rng.uniform(42, 75)))
    for first, second in _pairs(rng, places):
        _join(rng, sheet, places, first, second)
    return _board(seed, sheet, places)


def _scatter(rng: np.random.Generator, size_mm: tuple[float, float], apart_mm: float) -> Points:
    """Places no nearer to each other than that; shape (N, 2)."""
    places: list[Points] = []
    for _ in range(500):
        at = rng.uniform(EDGE_MM, np.array(size_mm) - EDGE_MM)
        if all(np.hypot(*(at - other)) > apart_mm for other in places):
            places.append(at)
    return np.array(places)


def _pairs(rng: np.random.Generator, places: Points) -> list[tuple[int, int]]:
    """Pairs of places, near ones rather first."""
    apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    first, second = np.triu_indices(len(places), 1)
    near = apart[first, second] < 260
    order = np.argsort(apart[first, second][near] * rng.uniform(0.5, 1.5, int(near.sum())))
    return [(int(first[near][k]), int(second[near][k])) for k in order]


def _join(rng: np.random.Generator, sheet: _Sheet, places: Points, first: int, second: int) -> None:
    """Lay one to three lines between two places, if there is room for them."""
    wanted = int(rng.choice([1, 2, 3], p=[0.68, 0.26, 0.06]))
    bow = 0.0 if rng.uniform() < 0.45 else float(rng.normal(0, 0.16))
    lines = _lines(rng, sheet, places[first], places[second], wanted, bow)
    if not lines or not all(_is_free(rng, sheet, places, line) for line in lines):
        return
    group = f"{first}-{second}" if len(lines) > 1 else None
    plain = "track-bed" if sheet.track_beds else "grey"
    same = bool(rng.uniform() < 0.5)
    for line in lines:
        coloured = not same and rng.uniform() < (0.25 if sheet.track_beds else 0.75)
        colour = str(rng.choice(COLOURS)) if coloured else plain
        sheet.lines.append((first, second, colour, group, line))
        sheet.axes = np.concatenate([sheet.axes, _axes(line, sheet.box_mm[0])])


def _lines(
    rng: np.random.Generator, sheet: _Sheet, start: Points, end: Points, wanted: int, bow: float
) -> list[Points]:
    """Boxes (n, 3) of parallel lines: centre in millimetres and direction in degrees."""
    path = _bent(start, end, bow)
    gap, side = rng.uniform(0.2, 3.2), sheet.box_mm[1] * 1.02 + rng.uniform(0.0, 2.0)
    margin = rng.uniform(6.0, 9.0)
    along = _lengths(path)
    step = sheet.box_mm[0] + gap
    count = int((along[-1] - 2 * margin + gap) / step)
    if not 1 <= count <= 7:
        return []
    spare = along[-1] - 2 * margin - count * step + gap
    begin = margin + spare / 2 + (count > 1) * rng.uniform(-0.3, 0.3) * spare
    shifts = (np.arange(wanted) - (wanted - 1) / 2) * side
    at = begin + np.arange(count) * step + sheet.box_mm[0] / 2
    return [_along(path, along, at, shift) for shift in shifts]


def _bent(start: Points, end: Points, bow: float) -> Points:
    """Points of a bent line between two places, as a quadratic curve; shape (M, 2)."""
    chord = end - start
    middle = (start + end) / 2 + 2 * bow * np.array([-chord[1], chord[0]])
    t = np.linspace(0, 1, 200)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end)


def _lengths(path: Points) -> Points:
    """Length of a path from its start to each of its points."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])


def _along(path: Points, along: Points, at: Points, shift: float) -> Points:
    """Boxes centred at those lengths, moved sideways by a shift."""
    x, y = (np.interp(at, along, path[:, k]) for k in (0, 1))
    before, after = (
        np.stack([np.interp(at + d, along, path[:, k]) for k in (0, 1)], 1) for d in (-8, 8)
    )
    direction = (after - before) / np.hypot(*(after - before).T)[:, None]
    x, y = x - shift * direction[:, 1], y + shift * direction[:, 0]
    return np.stack([x, y, np.degrees(np.arctan2(direction[:, 1], direction[:, 0]))], axis=1)


def _axes(boxes: Points, along_mm: float) -> Points:
    """Both ends of each box's long axis, shape (n, 2, 2)."""
    angle = np.radians(boxes[:, 2])
    half = np.stack([np.cos(angle), np.sin(angle)], axis=1) * along_mm / 2
    return np.stack([boxes[:, :2] - half, boxes[:, :2] + half], axis=1)


def _is_free(rng: np.random.Generator, sheet: _Sheet, places: Points, boxes: Points) -> bool:
    """Whether boxes lie on the board, apart from every other line's and from the places.

    Some maps let a line cross another at a wide angle, as France's do.
    """
    size = np.array(sheet.size_mm)
    if np.any(boxes[:, :2] < EDGE_MM - 4) or np.any(boxes[:, :2] > size - EDGE_MM + 4):
        return False
    axes = _axes(boxes, sheet.box_mm[0])
    samples = _samples(axes)
    if np.hypot(*(samples[:, None] - places).transpose(2, 0, 1)).min() < sheet.box_mm[1] / 2 + 1:
        return False
    clear = sheet.box_mm[1] + CLEAR_MM
    near = _around(sheet.axes, samples, clear)
    if not len(near):
        return True
    apart = np.hypot(*(samples[:, None] - _samples(near)).transpose(2, 0, 1))
    mine, theirs = np.nonzero(apart < clear)
    if not len(mine):
        return True
    turn = _angle(axes)[mine // 9] - _angle(near)[theirs // 9]
    crosses = np.abs(np.sin(turn)) > 0.6
    return bool(crosses.all() and rng.uniform() < sheet.crossings)


def _around(axes: Points, points: Points, reach_mm: float) -> Points:
    """Those of the axes that may come so near to one of the points."""
    low, high = points.min(axis=0) - reach_mm, points.max(axis=0) + reach_mm
    inside = (axes.min(axis=1) < high) & (axes.max(axis=1) > low)
    return np.asarray(axes[inside.all(axis=1)])


def _samples(axes: Points) -> Points:
    """Nine points of each axis, flat."""
    t = np.linspace(0, 1, 9)[:, None]
    return np.asarray((axes[:, None, 0] * (1 - t) + axes[:, None, 1] * t).reshape(-1, 2))


def _angle(axes: Points) -> Points:
    way = axes[:, 1] - axes[:, 0]
    return np.asarray(np.arctan2(way[:, 1], way[:, 0]))


def _board(seed: int, sheet: _Sheet, places: Points) -> Board:
    size = np.array(sheet.size_mm)
    used = sorted({end for line in sheet.lines for end in line[:2]})
    routes, copies = [], dict[tuple[int, int], int]()
    for first, second, colour, group, boxes in sheet.lines:
        number = copies[first, second] = copies.get((first, second), 0) + 1
        name = f"place-{first:02d}--place-{second:02d}" + (f"-{number}" if group else "")
        spaces = tuple(Space(float(x / size[0]), float(y / size[1]), float(a)) for x, y, a in boxes)
        ends = (f"place-{first:02d}", f"place-{second:02d}")
        routes.append(Route(name, ends, len(boxes), colour, group, 0, spaces))
    return Board(
        id=f"map-{seed}",
        title=f"Map {seed}",
        edition="made up",
        version=1,
        frame=BoardFrame("outer", sheet.size_mm),
        players=(2, 5),
        player_colours=("blue", "red", "green", "yellow", "black"),
        wagons_per_player=45,
        doubles_open_from=4,
        route_points=POINTS_BY_LENGTH,
        space_size_mm=sheet.box_mm,
        places=tuple(_place(k, places[k] / size) for k in used),
        routes=tuple(routes),
        tickets=(),
    )


def _place(number: int, at: Points) -> Place:
    """A place with a name as short and long as real ones."""
    syllables = ("Bar", "lo", "den", "Mi", "ra", "tal", "Os", "ne", "vik", "Sa", "burg", "um")
    rng = np.random.default_rng([number, 67])
    name = "".join(syllables[k] for k in rng.integers(len(syllables), size=rng.integers(2, 5)))
    return Place(f"place-{number:02d}", name.capitalize(), "city", float(at[0]), float(at[1]))
