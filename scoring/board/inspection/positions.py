"""Checks where a board's file puts its spaces: whether boxes, lines and cities fit together.

The limits are in lengths of a printed box, so that they serve boards of any size. Each stands with
what the four prints of the boards that come with the program show (1,347 spaces, measured by hand
or from the art); a board taught with 2 mm of error in every place keeps within them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from scoring.board.angles import Point, between_deg, direction_deg, mean_line_deg
from scoring.board.board import Board, Route
from scoring.board.inspection.axis_mistakes import AXIS_MISTAKES, AxisMistake
from scoring.board.inspection.finding import Finding
from scoring.board.inspection.geometry import (
    Box,
    boxes_of,
    gap_mm,
    near_pairs,
    overlap_mm,
)
from scoring.language import Message

LEAST_STEP, MOST_STEP = 0.6, 1.6
"""Centres of neighbouring spaces, in box lengths: the prints show 0.81 (a corner) to 1.32."""

MOST_GAP = 0.6
"""Between the facing ends of neighbours, in box lengths: the prints show up to 0.37."""

MOST_TURN_DEG = 30.0
"""Between the line through two neighbours and their mean direction: the prints show up to 10, where
the two differ by less than `CORNER_DEG`; around a sharper corner the mean says nothing, and a box
set square there cannot be told from one that isn't."""

CORNER_DEG = 60.0

MOST_SINGLE_TURN_DEG = 45.0
"""Between a single space and the line through its two cities: the prints show up to 10."""

FARTHEST_END = 3.0
"""From a city to the first space of its lines, in box lengths: the prints show up to 2.06."""

MOST_OVERLAP = 0.7
"""Of two spaces, in box widths: the prints show up to 0.05, but for lines that cross; with every
place up to 2 mm off, the lines of doubles up to 0.6."""

WIDEST_DOUBLE = 5.0
"""Between the lines of a double, in box widths: the prints show up to 2.32."""

ART_BORDER = 0.1
"""How far outside a frame that is the art alone a space may lie, in board units."""

USUAL_STEP = (0.8, 1.5)
"""Median step of a board whose frame and boxes are given in the same millimetres; prints: 1.07 to
1.13."""

FEWEST_STEPS = 5
"""With fewer steps or lines a median says nothing of the board as a whole."""

MANY, FEW = 0.25, 0.2
"""Where so large a part of the spaces doesn't fit, and a turn of all of them leaves only this part
of the problems, it was the turn."""

FEWEST_ENDS = 3
"""Lines that tell where a city without a position of its own lies."""


def check_positions(board: Board) -> list[Finding]:
    """Everything that looks wrong in any print of the board; none without positions.

    >>> from scoring.board.board import load_board
    >>> check_positions(load_board("germany"))
    []
    """
    findings: list[Finding] = []
    for number, printed in enumerate(board.as_printed):
        if any(route.spaces for route in printed.routes):
            findings += _Inspection(printed, number).findings()
    return findings


class _Inspection:
    """One print under inspection."""

    def __init__(self, board: Board, in_print: int) -> None:
        self._board = board
        self._print = in_print
        self._boxes = boxes_of(board)
        self._along_mm, self._across_mm = board.space_size_mm
        self._cities = _cities_mm(board, self._boxes)

    def findings(self) -> list[Finding]:
        """Causes that explain the whole board, or else every single problem."""
        found = list(self._of_lines())
        whole = list(self._of_all_spaces(len(found)))
        if whole:
            return [*whole, *self._outside()]
        return [*found, *self._outside(), *self._between_lines()]

    def bad_lines(self) -> int:
        """How many problems there are along the lines."""
        return sum(1 for _ in self._of_lines())

    def _of_all_spaces(self, problems: int) -> Iterator[Finding]:
        """One cause that explains the problems of the whole board, if there is one."""
        turn = self._turned(problems)
        angles = {box.angle_deg for line in self._boxes.values() for box in line}
        if turn is not None:
            yield self._of_all(f"all_{turn.name}")
        elif len(angles) == 1 and problems >= FEWEST_STEPS:
            yield self._of_all("all_angles", angle=angles.pop())
        else:
            yield from self._of_size()

    def _turned(self, problems: int) -> AxisMistake | None:
        """What was done to all positions alike, if that explains most of the problems."""
        if problems < MANY * sum(map(len, self._boxes.values())):
            return None
        tried = [
            (_Inspection(turn.undone(self._board), 0).bad_lines(), turn) for turn in AXIS_MISTAKES
        ]
        fewest, turn = min(tried, key=lambda pair: pair[0])
        return turn if fewest <= FEW * problems else None

    def _of_size(self) -> Iterator[Finding]:
        if self._across_mm >= self._along_mm:
            yield self._of_all("box_size", along=self._along_mm, across=self._across_mm)
            return
        steps = [math.dist(a.at_mm, b.at_mm) for a, b in self._neighbours()]
        if len(steps) < FEWEST_STEPS:
            return
        usual = median(steps)
        if not USUAL_STEP[0] <= usual / self._along_mm <= USUAL_STEP[1]:
            yield self._of_all("scale", usual=round(usual, 1), along=self._along_mm)

    def _of_lines(self) -> Iterator[Finding]:
        for one, other in self._neighbours():
            yield from self._joint(one, other)
        for route in self._board.routes:
            if route.id in self._boxes:
                yield from self._ends(route, self._boxes[route.id])

    def _neighbours(self) -> Iterator[tuple[Box, Box]]:
        for line in self._boxes.values():
            yield from pairwise(line)

    def _joint(self, one: Box, other: Box) -> Iterator[Finding]:
        step = math.dist(one.at_mm, other.at_mm)
        low, high = LEAST_STEP * self._along_mm, MOST_STEP * self._along_mm
        if not low <= step <= high:
            mm, near, far = round(step, 1), round(low), round(high)
            yield self._of_boxes("step", other, one, before=one.number, mm=mm, low=near, high=far)
            return
        chord = direction_deg(one.at_mm, other.at_mm)
        if self._is_turned(one, other, chord):
            blamed = max((one, other), key=lambda box: between_deg(box.angle_deg, chord))
            yield self._of_boxes("angle", blamed, angle=blamed.angle_deg, line=round(chord % 180))

    def _is_turned(self, one: Box, other: Box, chord: float) -> bool:
        if gap_mm(one, other, self._along_mm) > MOST_GAP * self._along_mm:
            return True
        if between_deg(one.angle_deg, other.angle_deg) > CORNER_DEG:
            return False
        return between_deg(mean_line_deg(one.angle_deg, other.angle_deg), chord) > MOST_TURN_DEG

    def _ends(self, route: Route, line: Sequence[Box]) -> Iterator[Finding]:
        """Whether the line starts and ends at its cities; a country's lines end anywhere."""
        cities = [self._cities.get(end) for end in route.ends]
        if self._is_backwards(cities, line):
            yield self._of_boxes("backwards", line[0], line[-1], error=False)
            return
        for end, city, box in zip(route.ends, cities, (line[0], line[-1]), strict=True):
            if city is not None:
                yield from self._end(self._board.place_by_id[end].name, city, box)
        first, last = cities
        if len(line) == 1 and first is not None and last is not None:
            chord = direction_deg(first, last)
            if between_deg(line[0].angle_deg, chord) > MOST_SINGLE_TURN_DEG:
                angle = line[0].angle_deg
                yield self._of_boxes("angle", line[0], angle=angle, line=round(chord % 180))

    def _end(self, name: str, city: Point, box: Box) -> Iterator[Finding]:
        far, most = math.dist(city, box.at_mm), FARTHEST_END * self._along_mm
        if far > most:
            yield self._of_boxes("far_end", box, place=name, mm=round(far), high=round(most))

    def _is_backwards(self, cities: Sequence[Point | None], line: Sequence[Box]) -> bool:
        first, last = cities
        if first is None or last is None or len(line) == 1:
            return False
        reach = FARTHEST_END * self._along_mm
        swapped = math.dist(first, line[-1].at_mm), math.dist(last, line[0].at_mm)
        straight = math.dist(first, line[0].at_mm), math.dist(last, line[-1].at_mm)
        return max(swapped) <= reach and sum(swapped) < sum(straight)

    def _outside(self) -> Iterator[Finding]:
        margin = ART_BORDER if self._board.frame.reference == "art" else 0.0
        for route in self._board.routes:
            for number, space in enumerate(route.spaces, start=1):
                if not all(-margin <= place <= 1 + margin for place in (space.x, space.y)):
                    box = self._boxes[route.id][number - 1]
                    yield self._of_boxes("outside", box, x=space.x, y=space.y)

    def _between_lines(self) -> Iterator[Finding]:
        yield from self._overlaps()
        for group, routes in self._board.parallel_groups.items():
            lengths = sorted({route.length for route in routes})
            if len(lengths) > 1:
                names = ", ".join(route.id for route in routes)
                values = {"routes": names, "lengths": ", ".join(map(str, lengths))}
                yield self._of_all("uneven", error=False, group=group, **values)
            for one, other in combinations(routes, 2):
                yield from self._apart(one, other)

    def _overlaps(self) -> Iterator[Finding]:
        crossing = {frozenset(pair) for pair in self._board.crossings}
        boxes = [box for line in self._boxes.values() for box in line]
        for one, other in near_pairs(boxes, math.hypot(self._along_mm, self._across_mm)):
            beside = one.route == other.route and abs(one.number - other.number) == 1
            if beside or frozenset((one.route, other.route)) in crossing:
                continue
            deep = overlap_mm(one, other, self._board.space_size_mm)
            if deep > MOST_OVERLAP * self._across_mm:
                yield self._of_boxes(
                    "overlap", one, other, mm=round(deep, 1), other=other.route, number=other.number
                )

    def _apart(self, one: Route, other: Route) -> Iterator[Finding]:
        lines = self._boxes.get(one.id, ()), self._boxes.get(other.id, ())
        if not all(lines):
            return
        far = max(min(math.dist(a.at_mm, b.at_mm) for b in lines[1]) for a in lines[0])
        if far > WIDEST_DOUBLE * self._across_mm:
            ends = (lines[0][0], *lines[1])
            yield self._of_boxes("not_beside", *ends, error=False, other=other.id, mm=round(far))

    def _of_boxes(self, name: str, *boxes: Box, error: bool = True, **values: object) -> Finding:
        """A finding about the first of these boxes; the others are meant too."""
        first = boxes[0]
        own = not self._print
        who = f"route {first.route}" if own else "board"
        field = "spaces" if own else f"prints.{self._print}.spaces.{first.route}"
        where = {"who": who, "field": f"{field}.{first.number}"}
        meant = tuple((box.route, box.number) for box in boxes)
        return Finding(
            Message(f"scoring.problem.{name}", **where, **values), error, meant, self._print
        )

    def _of_all(self, name: str, error: bool = True, **values: object) -> Finding:
        field = f"prints.{self._print}" if self._print else "spaces"
        said = Message(f"scoring.problem.{name}", who="board", field=field, **values)
        return Finding(said, error, (), self._print)


def _cities_mm(board: Board, boxes: Mapping[str, Sequence[Box]]) -> dict[str, Point]:
    """Positions of cities: given, else the middle of their lines' ends. Countries have none."""
    width_mm, height_mm = board.frame.size_mm
    found: dict[str, Point] = {}
    for place in board.places:
        ends = [_end_at(route, place.id, boxes) for route in board.routes]
        near = [end for end in ends if end is not None]
        if place.is_country:
            continue
        if place.x is not None and place.y is not None:
            found[place.id] = (place.x * width_mm, place.y * height_mm)
        elif len(near) >= FEWEST_ENDS:
            found[place.id] = (median(x for x, _ in near), median(y for _, y in near))
    return found


def _end_at(route: Route, place: str, boxes: Mapping[str, Sequence[Box]]) -> Point | None:
    if place not in route.ends or route.id not in boxes:
        return None
    return boxes[route.id][-1 if route.ends[1] == place else 0].at_mm
