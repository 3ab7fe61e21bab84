"""A board that is being taught: spaces in lines, places, tickets and rules, as values.

Positions are fractions of the board's outer frame, x right and y down; angles are degrees,
clockwise. Places and lines have numbers that no other one gets again.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from calibration.studio.proposal import BoardProposal
from scoring.game.rules import USUAL_ROUTE_POINTS

UNIT_FRAME: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The corners of a frame in its own fractions, from the top left one, clockwise."""

PLAYER_COLOURS: tuple[str, ...] = ("blue", "red", "green", "yellow", "black")


@dataclass(frozen=True, slots=True)
class Box:
    """A printed space: its centre, and the direction of its long side, from 0 up to 180 degrees."""

    x: float
    y: float
    angle: float

    @classmethod
    def seen_at(cls, at: Iterable[float], angle_deg: float) -> Self:
        """To a hundred-thousandth of the frame and a tenth of a degree: finer than it is seen."""
        x, y = at
        return cls(round(float(x), 5), round(float(y), 5), round(float(angle_deg), 1) % 180)


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: its spaces in order from its first place to its second, by number."""

    boxes: tuple[Box, ...]
    colour: str
    ends: tuple[int, int]
    ferry: int = 0
    tunnel: bool = False


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """A city, or a country; without a name until somebody gives it one."""

    x: float
    y: float
    name: str = ""
    is_country: bool = False


@dataclass(frozen=True, slots=True)
class DraftTicket:
    """A ticket between two places, by number."""

    places: tuple[int, int]
    points: int


@dataclass(frozen=True, slots=True)
class DraftRules:
    """What is not on the map. Points by length beyond those on the map do no harm."""

    title: str = ""
    edition: str = ""
    players: tuple[int, int] = (2, 5)
    colours: tuple[str, ...] = PLAYER_COLOURS
    wagons: int = 45
    doubles_open_from: int = 4
    points: Mapping[int, int] = field(default_factory=lambda: dict(USUAL_ROUTE_POINTS))
    longest_path: int = 10
    globetrotter: int = 0
    flag: int = 0
    stations: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """The whole board as it stands."""

    size_mm: tuple[float, float]
    space_size_mm: tuple[float, float]
    places: Mapping[int, DraftPlace]
    lines: Mapping[int, Line]
    tickets: tuple[DraftTicket, ...] = ()
    rules: DraftRules = field(default_factory=DraftRules)
    names: tuple[str, ...] = ()
    """Names of places that somebody pasted, to be offered."""
    next_number: int = 1
    crossings: tuple[tuple[int, int], ...] = ()
    """Pairs of lines, by number, of which only one can be claimed."""
    frame: tuple[tuple[float, float], ...] = UNIT_FRAME
    """Its outer corners in fractions of the frame that it began with; they may be moved."""

    def with_place(self, number: int, place: DraftPlace) -> "Draft":
        """The same with a place put there."""
        return replace(self, places={**self.places, number: place}, next_number=self._after(number))

    def with_line(self, number: int, line: Line) -> "Draft":
        """The same with a line put there, its spaces in order from its first place."""
        told = {**self.lines, number: self.oriented(line)}
        return replace(self, lines=told, next_number=self._after(number))

    def without_line(self, number: int) -> "Draft":
        """The same less a line."""
        return replace(
            self,
            lines={n: one for n, one in self.lines.items() if n != number},
            crossings=tuple(pair for pair in self.crossings if number not in pair),
        )

    def without_place(self, number: int) -> "Draft":
        """The same less a place."""
        return replace(self, places={n: one for n, one in self.places.items() if n != number})

    def lines_at(self, place: int) -> list[int]:
        """The lines that end at a place."""
        return [number for number, line in self.lines.items() if place in line.ends]

    def place_called(self, name: str) -> int | None:
        """The place of that name, however it is capitalised."""
        wanted = name.casefold()
        return next((n for n, one in self.places.items() if one.name.casefold() == wanted), None)

    def place_name(self, number: int) -> str:
        """Its name, or one made of its number."""
        return self.places[number].name or f"#{number}"

    def line_name(self, number: int) -> str:
        """A line by its places."""
        return " – ".join(self.place_name(end) for end in self.lines[number].ends)

    def oriented(self, line: Line) -> Line:
        """The line with its spaces from the place named first to the other."""
        first, last = (self.places[end] for end in line.ends)
        away = self.distance_mm(first, line.boxes[0]) + self.distance_mm(last, line.boxes[-1])
        turned = self.distance_mm(first, line.boxes[-1]) + self.distance_mm(last, line.boxes[0])
        return replace(line, boxes=line.boxes[::-1]) if turned < away else line

    def distance_mm(self, one: DraftPlace | Box, other: DraftPlace | Box) -> float:
        """How far two points of the board are apart."""
        across = (one.x - other.x) * self.size_mm[0]
        down = (one.y - other.y) * self.size_mm[1]
        return float((across**2 + down**2) ** 0.5)

    def _after(self, number: int) -> int:
        return max(self.next_number, number + 1)


def draft_of_proposal(proposal: BoardProposal) -> Draft:
    """What was proposed, as a draft; a printed colour that could not be told is grey."""
    places = {k + 1: DraftPlace(float(x), float(y)) for k, (x, y) in enumerate(proposal.places)}
    draft = Draft(proposal.size_mm, proposal.space_size_mm, places, {}, next_number=len(places) + 1)
    for line in proposal.lines:
        boxes = tuple(Box(*map(float, proposal.spaces[k])) for k in line.spaces)
        colour = "grey" if line.colour == "unknown" else line.colour
        ends = (line.places[0] + 1, line.places[1] + 1)
        draft = draft.with_line(draft.next_number, Line(boxes, colour, ends))
    return draft


def draft_to_json(draft: Draft) -> dict[str, Any]:
    """The draft as plain data, which shares nothing that can change with it."""
    rules = draft.rules
    return {
        **_fields(draft),
        "places": {str(n): _fields(one) for n, one in draft.places.items()},
        "lines": {
            str(n): {**_fields(one), "boxes": [_fields(box) for box in one.boxes]}
            for n, one in draft.lines.items()
        },
        "tickets": [_fields(one) for one in draft.tickets],
        "rules": {**_fields(rules), "points": {str(n): p for n, p in rules.points.items()}},
    }


def _fields(one: Draft | DraftPlace | Line | Box | DraftTicket | DraftRules) -> dict[str, Any]:
    """Its fields by name: `asdict` copies every number on its way, hundreds of boxes twice."""
    return {each.name: getattr(one, each.name) for each in fields(one)}


def draft_from_json(data: Any) -> Draft:
    """The draft of such data; raises KeyError, TypeError or ValueError where it is none."""
    rules = dict(data["rules"])
    rules |= {
        "players": tuple(rules["players"]),
        "colours": tuple(rules["colours"]),
        "points": {int(n): int(points) for n, points in rules["points"].items()},
    }
    draft = Draft(
        size_mm=(float(data["size_mm"][0]), float(data["size_mm"][1])),
        space_size_mm=(float(data["space_size_mm"][0]), float(data["space_size_mm"][1])),
        places={int(n): DraftPlace(**one) for n, one in data["places"].items()},
        lines={int(n): _line(one) for n, one in data["lines"].items()},
        tickets=tuple(
            DraftTicket((one["places"][0], one["places"][1]), one["points"])
            for one in data["tickets"]
        ),
        rules=DraftRules(**rules),
        names=tuple(data["names"]),
        next_number=int(data["next_number"]),
        crossings=tuple((int(one), int(other)) for one, other in data.get("crossings", ())),
        frame=tuple((float(x), float(y)) for x, y in data.get("frame", UNIT_FRAME)),
    )
    check_draft(draft)
    return draft


def check_draft(draft: Draft) -> None:
    """Raise ValueError or TypeError for what no draft has: every page that shows it would fail.

    A line or a ticket that leads to no place, a number beyond all numbers, a name that is no text.
    """
    pairs = [*(one.ends for one in draft.lines.values()), *(one.places for one in draft.tickets)]
    ends = {place for pair in pairs for place in pair}
    points: list[tuple[float, ...]] = [draft.size_mm, draft.space_size_mm, *draft.frame]
    points += [(one.x, one.y) for one in draft.places.values()]
    points += [(one.x, one.y, one.angle) for line in draft.lines.values() for one in line.boxes]
    names: list[Any] = [one.name for one in draft.places.values()]
    names += [draft.rules.title, draft.rules.edition, *draft.rules.colours, *draft.names]
    names += [line.colour for line in draft.lines.values()]
    lines = [number for pair in draft.crossings for number in pair]
    is_whole = ends <= draft.places.keys() and draft.lines.keys() >= {*lines}
    if not is_whole or not all(line.boxes for line in draft.lines.values()):
        raise ValueError("a line or a ticket without its places")
    if not all(math.isfinite(number) for point in points for number in point):
        raise ValueError("a number that is none")
    rules = draft.rules
    figures: list[Any] = [*rules.players, rules.wagons, rules.doubles_open_from, rules.flag]
    figures += [rules.longest_path, rules.globetrotter, rules.stations]
    figures += [one.points for one in draft.tickets]
    signs: list[Any] = [one.is_country for one in draft.places.values()]
    if {*map(type, figures)} - {int} or {*map(type, signs)} - {bool}:
        raise TypeError("no number")
    for name in names:
        checked_text(name)


def checked_text(value: Any) -> str:
    """The value; raises TypeError or ValueError where it is no text that a page can hold."""
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode("utf-8")
    return value


def _line(data: Any) -> Line:
    boxes = tuple(Box(float(b["x"]), float(b["y"]), float(b["angle"])) for b in data["boxes"])
    ends = (int(data["ends"][0]), int(data["ends"][1]))
    return Line(boxes, data["colour"], ends, int(data["ferry"]), bool(data["tunnel"]))
