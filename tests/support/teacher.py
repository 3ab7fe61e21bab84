"""Somebody who teaches a board in the studio: knows the map, and mends only what is wrong.

Works on the studio itself, without its pages, and counts the taps that the pages would take.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.studio.desk import StudioDesk
from scoring.board.board import Board, Route
from vision.registration.geometry import Points, homography_of_quads, project
from web.errors import ActionRefusedError
from web.studio_port import StudioBoard, StudioLine, StudioPlace, StudioSpace
from web.studio_suggestions import (
    LooseEnd,
    all_are_named,
    goes_on_in,
    loose_ends,
    next_nameless,
    other_ends,
)

SAME_SPACE_MM = 7.0
"""A proposed space that lies so near to a printed one is seen to be that one."""

SAME_PLACE_MM = 20.0
"""A proposed place so near to a town is taken for it: towns are mostly 40 mm apart."""

TAPS: Mapping[str, int] = {
    "names": 3,
    "name-place": 1,
    "skip-place": 1,
    "no-more-places": 1,
    "begin-to-add": 1,
    "add-place": 2,
    "to-the-ends": 1,
    "other-choice": 1,
    "loose-ends": 1,
    "begin-to-tap": 1,
    "tap-space": 1,
    "undo": 1,
    "to-the-map": 1,
    "open-line": 1,
    "choose": 2,
    "delete-line": 1,
    "delete-space": 2,
    "add-space": 2,
    "split-line": 1,
    "join-lines": 1,
    "line-ends": 1,
    "mark-line": 1,
    "cross-lines": 1,
    "add-line": 3,
    "tickets": 3,
    "rules": 3,
    "save": 2,
}
"""What each step takes where its page is open; to choose of a list is to open it and to tap."""


class Teacher:
    """One board in work, as somebody sees it who has the real one on the table."""

    def __init__(self, studio: StudioDesk, key: str, truth: Board, seen: Points) -> None:
        """`seen` (N, 2) are the printed spaces in the frame of the board in work, 0 to 1."""
        self._studio, self._key, self._truth = studio, key, truth
        self._size_mm = np.array(truth.frame.size_mm)
        self._seen_mm = seen * self._size_mm
        self._space_mm = np.array(truth.space_size_mm)
        self._towns_mm = _towns_in(truth, self._seen_mm)
        self._route_of = np.repeat(np.arange(len(truth.routes)), [r.length for r in truth.routes])
        self._board: StudioBoard | None = None
        self._height = self.board.height
        self._printed_at: dict[tuple[float, float], int | None] = {}
        self.taps = 2  # to the studio, and the photo
        self.steps: Counter[str] = Counter()
        self._at = "map"

    @property
    def board(self) -> StudioBoard:
        """The board as it stands; it is looked at far more often than anything changes."""
        if self._board is None:
            self._board = self._studio.board(self._key)
        return self._board

    def teach(self) -> None:
        """Names, lines, tickets, rules."""
        self.name_the_places()
        self.mend_the_ends()
        self.tap_the_missing()
        self.part_the_lines()
        self.complete_the_lines()
        self.draw_the_missing()
        self.mark_the_crossings()
        rows = "\n".join(self._ticket_row(one.places, one.points) for one in self._truth.tickets)
        self._to_map()
        self._do("tickets", "tickets", rows=rows)
        self._to_map()
        self._do("rules", "map", **_rules(self._truth))

    # --- places ---

    def name_the_places(self) -> None:
        """In the order in which the page asks; then those of which nothing was proposed.

        What is no place, or one that is named already, is passed over.
        """
        self._do("names", "place", names="\n".join(place.name for place in self._truth.places))
        number = next_nameless(self.board, None)
        while number is not None and self._unnamed_towns():
            here = self.board.place(number)
            assert here is not None
            name = self._town_at(here)
            if name is None or self._place_called(name) is not None:
                self._count("skip-place")
                number = next_nameless(self.board, here)
            else:
                self._do("name-place", "place", place=number, name=name)
                number = next_nameless(self.board, here)
        missing = [name for name in self._towns_mm if self._place_called(name) is None]
        if missing:
            self._count("no-more-places")
            self._count("begin-to-add")
        for name in missing:
            x, y = self._towns_mm[name] / self._size_mm
            self._do("add-place", "place", name=name, x=x, y=y)

    def _unnamed_towns(self) -> bool:
        """Whether a nameless place lies at a town that no place is called after."""
        nameless = (self._town_at(one) for one in self.board.places if not one.name)
        return any(name and self._place_called(name) is None for name in nameless)

    def mend_the_ends(self) -> None:
        """All ends at nameless places at once: a tap for each that is led elsewhere."""
        ends = loose_ends(self.board)
        if not ends:
            return
        if not all_are_named(self.board):
            self._count("to-the-ends")
        fields: dict[str, int] = {}
        for end in ends:
            town = self._town_of(end)
            right = next((one.number for one in end.places if one.name == town), None)
            offered = end.places[0].number if end.is_sure else None
            if right != offered:
                self._count("other-choice")
            if right is not None:
                fields[f"end-{end.line}-{end.side}"] = right
        self._do("loose-ends", "map", **fields)

    def _town_of(self, end: LooseEnd) -> str | None:
        """The town where a line's end truly is; None where no printed space lies there."""
        line = self._line(end.line)
        assert line is not None
        tip = line.spaces[0 if end.side == 0 else -1]
        route = self._route_at(tip)
        if route is None:
            return None
        there = self.board.place(line.ends[end.side])
        assert there is not None
        here = self._mm(there.x, there.y)
        other = self._name(line.ends[1 - end.side])
        names = [one for one in self._names_of(self._truth.routes[route]) if one != other]
        return min(names, key=lambda name: float(np.hypot(*(here - self._towns_mm[name]))))

    def _town_at(self, place: StudioPlace) -> str | None:
        here = self._mm(place.x, place.y)
        apart = {name: float(np.hypot(*(here - at))) for name, at in self._towns_mm.items()}
        name = min(apart, key=lambda one: apart[one])
        return name if apart[name] < SAME_PLACE_MM else None

    def _place_called(self, name: str) -> int | None:
        return next((one.number for one in self.board.places if one.name == name), None)

    # --- lines ---

    def tap_the_missing(self) -> None:
        """Printed spaces on which no frame lies; where none is seen, the tap was in vain."""
        missing = self._missing()
        if missing:
            self._to_map()
            self._count("begin-to-tap")
            self._at = "missing"
        for space in missing:
            if space in self._missing() and not self._is_framed(space):
                self._tap_space(space)

    def _tap_space(self, space: int) -> None:
        """What came of it is seen at once, and taken back where it is wrong."""
        x, y = self._seen_mm[space] / self._size_mm
        before = self.board.lines
        with suppress(ActionRefusedError):
            self._do("tap-space", "missing", x=float(x), y=float(y))
            made = [line for line in self.board.lines if line not in before]
            if any(len(set(map(self._route_at, line.spaces))) > 1 for line in made):
                self._undo()

    def _undo(self) -> None:
        self._count("undo")
        self._studio.undo(self._key)
        self._board = None

    def _is_framed(self, space: int) -> bool:
        """Whether the middle of a printed space lies well within a frame, though another's."""
        for line in self.board.lines:
            for one in line.spaces:
                off = self._seen_mm[space] - self._mm(one.x, one.y)
                way = np.radians(one.angle)
                along = off @ (np.cos(way), np.sin(way))
                across = off @ (-np.sin(way), np.cos(way))
                if np.all(np.abs([along, across]) < 0.45 * self._space_mm):
                    return True
        return False

    def _missing(self) -> list[int]:
        there = {self._printed(space) for line in self.board.lines for space in line.spaces}
        return [space for space in range(len(self._seen_mm)) if space not in there]

    def part_the_lines(self) -> None:
        """What is no space is deleted; a line that runs over two routes is cut between them."""
        for number in [line.number for line in self.board.lines]:
            self._clear(number)
            while (cut := self._first_change(self._line(number))) is not None:
                self._open(number)
                if cut != 1:  # what is offered
                    self._count("choose")
                self._do("split-line", "map", line=number, after=cut)
                number = self.board.lines[-1].number

    def _clear(self, number: int) -> None:
        line = self._line(number)
        strange = [k for k, space in enumerate(line.spaces, 1) if self._printed(space) is None]
        if len(strange) == len(line.spaces):
            self._delete(number)
            return
        for k in reversed(strange):
            self._open(number)
            self._do("delete-space", f"line-{number}", line=number, space=k)

    def _delete(self, number: int) -> None:
        self._open(number)
        self._do("delete-line", "map", line=number)

    def _first_change(self, line: StudioLine | None) -> int | None:
        """After which space a line goes on in another route."""
        if line is None:
            return None
        routes = [self._route_at(space) for space in line.spaces]
        return next((k for k in range(1, len(routes)) if routes[k] != routes[k - 1]), None)

    def complete_the_lines(self) -> None:
        """Line by line: parts are joined, missing spaces added, ends and colour put right."""
        for route in self._truth.routes:
            parts = self._parts(route)
            for other in parts[1:]:
                self._join(parts[0].number, other.number)
            if parts:
                self._add_missing(route, parts[0].number)
            self._set_the_ends(route)
            self._colour_the_lines(route)

    def _join(self, line: int, other: int) -> None:
        """One line of two; what cannot be joined is deleted, to be drawn anew."""
        self._open(line)
        if other not in [one.number for one in goes_on_in(self.board, line)]:
            offered = meeting(self.board, line)
            if other not in offered:
                self._delete(other)
                return
            if other != offered[0]:
                self._count("choose")
        try:
            self._do("join-lines", f"line-{line}", line=line, other=other)
        except ActionRefusedError:
            self._delete(other)

    def _add_missing(self, route: Route, number: int) -> None:
        line = self._line(number)
        assert line is not None
        there = {self._printed(space) for space in line.spaces}
        for space in range(*self._rows(route)):
            if space not in there:
                x, y = self._seen_mm[space] / self._size_mm
                self._open(number)
                self._do("add-space", f"line-{number}", line=number, x=x, y=y, snap="1")

    def draw_the_missing(self) -> None:
        """Routes of which nothing was proposed."""
        for route in self._truth.routes:
            if not self._parts(route):
                self._draw(route)

    def _draw(self, route: Route) -> None:
        """From place to place, by its length."""
        first, second = (self._place_called(name) for name in self._names_of(route))
        assert first is not None
        place = self.board.place(first)
        assert place is not None
        if self._at == "missing":
            self._to_map()
        if not place.lines:  # the form is open
            self.taps -= 1
        self._count("choose")
        if route.colour != "grey":
            self._count("choose")
        step = {"from": first, "to": second, "length": route.length}
        self._do("add-line", "made", colour=route.colour, **step)

    def _set_the_ends(self, route: Route) -> None:
        """Lines that end at another place than the printed one does."""
        for line in self._parts(route):
            ends = {self._name(end) for end in line.ends}
            names = self._names_of(route)
            if ends != set(names):
                first, second = (self._place_called(name) for name in names)
                self._open(line.number)
                at = "map"
                offered = [set(one.ends) for one in other_ends(self.board, line.number)]
                if {first, second} not in offered:
                    at = self._at
                    for _ in {first, second} - set(line.ends):
                        self._count("choose")
                self._do("line-ends", at, line=line.number, **{"from": first, "to": second})

    def _colour_the_lines(self, route: Route) -> None:
        """Printed colours that were read wrongly."""
        for line in self._parts(route):
            if line.colour != route.colour:
                self._open(line.number)
                marks = {"colour": route.colour, "ferry": 0}
                self._do("mark-line", "map", line=line.number, **marks)

    def mark_the_crossings(self) -> None:
        """Of two lines that lie on each other only one can be claimed."""
        for remark in self.board.remarks:
            one, *others = remark.lines or (None,)
            line = None if one is None else self._line(one)
            if line is not None and remark.is_error:
                for other in set(line.crosses) & set(others) - set(line.excludes):
                    self._open(line.number)
                    self._do("cross-lines", self._at, line=line.number, other=other)

    def line_of(self, route: Route) -> StudioLine | None:
        """The line that shows a route, None where there is not exactly one."""
        parts = self._parts(route)
        return parts[0] if len(parts) == 1 else None

    def off_mm(self) -> NDArray[np.float64]:
        """How far every space of the board in work lies from the nearest printed one, (M,)."""
        middles = [self._mm(s.x, s.y) for line in self.board.lines for s in line.spaces]
        apart = np.array(middles)[:, None] - self._seen_mm
        return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1))

    def _parts(self, route: Route) -> list[StudioLine]:
        """The lines whose spaces are mostly a route's, the longest first."""
        number = self._truth.routes.index(route)
        own = [
            line
            for line in self.board.lines
            if Counter(map(self._route_at, line.spaces)).most_common(1)[0][0] == number
        ]
        return sorted(own, key=lambda line: -len(line.spaces))

    def _printed(self, space: StudioSpace) -> int | None:
        """The printed space that a proposed one shows; each is asked for again and again."""
        at = (space.x, space.y)
        if at not in self._printed_at:
            apart = np.hypot(*(self._seen_mm - self._mm(*at)).T)
            nearest = int(apart.argmin())
            self._printed_at[at] = nearest if apart[nearest] < SAME_SPACE_MM else None
        return self._printed_at[at]

    def _route_at(self, space: StudioSpace) -> int | None:
        printed = self._printed(space)
        return None if printed is None else int(self._route_of[printed])

    def _rows(self, route: Route) -> tuple[int, int]:
        own = self._truth.spaces_of[route.id]
        return own.start, own.stop

    def _line(self, number: int) -> StudioLine | None:
        return self.board.line(number)

    # --- what is common ---

    def _name(self, place: int) -> str:
        found = self.board.place(place)
        return "" if found is None else found.name

    def _names_of(self, route: Route) -> tuple[str, str]:
        first, second = (self._truth.place_by_id[end].name for end in route.ends)
        return first, second

    def _ticket_row(self, places: tuple[str, str], points: int) -> str:
        first, second = (self._truth.place_by_id[place].name for place in places)
        return f"{first};{second};{points}"

    def _mm(self, x: float, y: float) -> NDArray[np.float64]:
        """A point of the page in the millimetres of the true board."""
        return np.array([x / 1000, y / self._height]) * self._size_mm

    def _open(self, line: int) -> None:
        """The page of a line, by a tap on the map; where a tap means a space, from another page."""
        if self._at == f"line-{line}":
            return
        if self._at == "missing":
            self._to_map()
        self._count("open-line")
        self._at = f"line-{line}"

    def _to_map(self) -> None:
        """The page from which all others are reached."""
        if self._at != "map":
            self._count("to-the-map")
            self._at = "map"

    def _do(self, what: str, at: str, **fields: Any) -> None:
        """A step, and the page that it leads to."""
        self._count(what)
        self._studio.do(self._key, {"do": what, **fields})
        self._board = None
        self._at = at

    def _count(self, what: str) -> None:
        self.steps[what] += 1
        self.taps += TAPS[what]


def meeting(board: StudioBoard, number: int) -> list[int]:
    """The lines with which one may be joined by the list on its page: they share one end."""
    line = board.line(number)
    assert line is not None
    return [
        one.number
        for one in board.lines
        if one.number != number and len(set(one.ends) & set(line.ends)) == 1
    ]


def seen_in(corners_px: Points, spaces_px: Points) -> Points:
    """Middles of spaces (N, 4, 2) of a photo in the frame of a board's corners there, (N, 2)."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    return project(homography_of_quads(corners_px, unit), spaces_px).mean(axis=1)


def _towns_in(board: Board, spaces_mm: Points) -> dict[str, NDArray[np.float64]]:
    """Where each town is printed, by its name: in the middle between the ends of its lines."""
    near: dict[str, list[NDArray[np.float64]]] = {place.name: [] for place in board.places}
    for route in board.routes:
        own = spaces_mm[board.spaces_of[route.id]]
        for place, first, second in (
            (route.ends[0], own[0], own[1] if len(own) > 1 else None),
            (route.ends[1], own[-1], own[-2] if len(own) > 1 else None),
        ):
            out = 0.8 * (first - second) if second is not None else 0.0
            near[board.place_by_id[place].name].append(first + out)
    return {name: np.median(points, axis=0) for name, points in near.items()}


def _rules(board: Board) -> dict[str, Any]:
    """The fields of the form of rules."""
    return {
        "title": board.title,
        "edition": board.edition,
        "players-low": board.players[0],
        "players-high": board.players[1],
        "colours": list(board.player_colours),
        "wagons": board.wagons_per_player,
        "doubles": board.doubles_open_from,
        "longest-path": board.bonuses.longest_path,
        "globetrotter": board.bonuses.globetrotter,
        "flag": board.bonuses.flag,
        "stations": board.stations,
        **{f"points-{length}": points for length, points in board.route_points.items()},
    }
