"""What one image (or several of one moment) says about every space and route of a board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.board import names
from scoring.board.board import Board, Route
from scoring.language import Message

EMPTY = "empty"
OCCLUDED = "occluded"

Owner = str | None
"""The colour of the player whose wagons cover a route, None where nobody's do."""


class Why(StrEnum):
    """Why a person is asked about a route; the words are `vision.why.<code>` of the catalogue.

    Most are set in `vision/routes/review.py`; ROOF_COLOUR, SHADOW, GLARE, TINTED and NOT_PLAYING
    come from its spaces, LOOSE_WAGON and NO_WAGON from the wagons that were found, TOO_MANY_WAGONS
    from the size of a set, LONE_COLOUR from what the others hold, LOOKED_CLAIMED from the photo of
    the empty board. OTHER_LINE stands alone, and is never a reason to ask about a place.
    """

    HIDDEN = "hidden"
    """Something lies over most of it."""
    STRAY_WAGON = "stray-wagon"
    """Nobody's, but a wagon stands on one of its spaces."""
    DISAGREE = "disagree"
    """Somebody's, but too many of its spaces show something else."""
    UNSURE = "unsure"
    """The likeliest owner is not likely enough."""
    WARY_BOARD = "wary-board"
    """Likely enough for most boards, but much of this one is doubtful."""
    SINGLE_SPACE = "single-space"
    """One space alone, which has to be surer than those that speak for each other."""
    WHITE_TRACE = "white-trace"
    """It seems free but for a trace of white."""
    TRACE = "trace"
    """It seems free, but its spaces look a little like wagons of a player who may be overlooked."""
    DOUBLE = "double"
    """One colour would hold two lines of a double."""
    NEIGHBOUR = "neighbour"
    """Wagons stand between this line and the one beside it."""
    ROOF_COLOUR = "roof-colour"
    """The wagons' roofs show another colour than the wagons."""
    SHADOW = "shadow"
    """So dark that it is a shadow rather than a black wagon."""
    GLARE = "glare"
    """A lamp is mirrored in it."""
    TINTED = "tinted"
    """Blue or purple, but light of a window that lies over it may have made its wagons so."""
    NOT_PLAYING = "not-playing"
    """Wagons of a colour that nobody was said to play."""
    LOOKED_CLAIMED = "looked-claimed"
    """It looked claimed on the photo of the empty board, for which nobody has vouched."""
    LOOSE_WAGON = "loose-wagon"
    """It seems free or another's, but a wagon lies there that no claimed route explains."""
    NO_WAGON = "no-wagon"
    """It seems claimed, but on most of it no wagon of its owner's was found."""
    TOO_MANY_WAGONS = "too-many-wagons"
    """Its owner would have far more wagons on the board than a set holds."""
    LONE_COLOUR = "lone-colour"
    """It looked like a colour that holds hardly anything else, and nobody said who plays."""
    OTHER_LINE = "other-line"
    """Sure by itself, but another line of its place is asked about, so the bag is in doubt."""


SEEN_FROM_ANOTHER_SIDE = frozenset({Why.HIDDEN, Why.GLARE, Why.TINTED})
"""Doubts about what a photo cannot show: one from the other side may, with nothing in the way."""


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """A space's likeliest label, how sure that is, and the whole distribution.

    `label` is "empty", "occluded" or a player colour; `probabilities` sums to 1 over them.
    """

    label: str
    confidence: float
    probabilities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RouteReading:
    """A route's likeliest owner (None = nobody), and why a person must confirm it, if at all.

    `alternatives` lists the owners in order of probability, the likeliest first, each with it.
    """

    route: str
    owner: Owner
    confidence: float
    why: tuple[Why, ...]
    spaces: tuple[SpaceReading, ...]
    alternatives: tuple[tuple[Owner, float], ...] = ()

    @property
    def review(self) -> bool:
        """Whether a person must confirm the owner."""
        return bool(self.why)


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """A place's lines with their owners in the same order, and why its bag of owners is in doubt.

    Lines of one double of equal length are one place: which of them is whose scores nothing.
    """

    routes: tuple[str, ...]
    owners: tuple[Owner, ...]
    why: tuple[Why, ...] = ()

    @property
    def review(self) -> bool:
        """Whether a person must confirm the bag of owners."""
        return bool(self.why)


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    """Something a person should know about the reading as a whole, and the routes it is about."""

    code: str
    message: Message
    routes: tuple[str, ...] = ()


COVERED = "covered"
"""Warns that something lies over routes; where it hid an owner, that is a question too."""


def warning(code: str, routes: tuple[str, ...] = (), /, **values: object) -> ReadingWarning:
    """The warning of a code; `values` are its sentence's, beside the `count` of the routes."""
    return ReadingWarning(code, warning_message(code, len(routes), **values), routes)


def warning_message(code: str, count: int, /, **values: object) -> Message:
    """The sentence of a warning about so many routes."""
    return Message(f"vision.warning.{code}", count=count, **values)


LayAgain = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Where a board's spaces lie, photo pixels (N, 4, 2), if each seems to lie so far from its place,
photo pixels (N, 2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """Where the board lies in a photo.

    `method` is "reference", "markers", "outline" or "corners". `corners_px` is an ndarray of
    shape (4, 2): the board's outer corners in photo pixels, top-left, top-right, bottom-right,
    bottom-left as printed. `spaces_px` is an ndarray of shape (N, 4, 2): the four corners of every
    printed space in photo pixels, routes in board order and spaces in route order.
    `error_px` is the registration's own estimate of its error, in photo pixels. `evidence` (N,) is
    how surely each space is seen where it lies, 0..1; None where the whole board was matched to a
    reference. `is_faint`: so little is seen of the spaces that other looks at the photo come first.
    `lay_again` says where they lie if what is seen of each is pulled from its place; None where
    they were not seen one by one. The arrays cannot be written to any more.
    """

    method: str
    corners_px: NDArray[np.float64]
    spaces_px: NDArray[np.float64]
    error_px: float
    evidence: NDArray[np.float64] | None = None
    is_faint: bool = False
    lay_again: LayAgain | None = None

    def __post_init__(self) -> None:
        self.corners_px.setflags(write=False)
        self.spaces_px.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The whole reading of one moment; routes in board order, every one in one of the places."""

    board: str
    registration: Registration
    routes: Mapping[str, RouteReading]
    warnings: tuple[ReadingWarning, ...]
    timing_ms: Mapping[str, float]
    places: tuple[PlaceReading, ...] = ()

    @property
    def review(self) -> tuple[str, ...]:
        """The routes that a person must confirm, in board order."""
        return tuple(name for name, route in self.routes.items() if route.review)

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The document of `scan --json`; its warnings are told in the language."""
        return {
            "board": self.board,
            "registration": {
                "method": self.registration.method,
                "corners": [
                    [round(float(v), 2) for v in xy] for xy in self.registration.corners_px
                ],
                "error_px": round(float(self.registration.error_px), 3),
            },
            "routes": {name: _route_json(route) for name, route in self.routes.items()},
            "review": list(self.review),
            "places": [_place_json(place) for place in self.places],
            "warnings": [
                {"code": w.code, "text": w.message.text(language), "routes": list(w.routes)}
                for w in self.warnings
            ],
            "timing_ms": {stage: int(ms) for stage, ms in self.timing_ms.items()},
        }


def _place_json(place: PlaceReading) -> dict[str, Any]:
    return {
        "routes": list(place.routes),
        "owners": list(place.owners),
        "review": place.review,
        "why": list(place.why),
    }


def _route_json(route: RouteReading) -> dict[str, Any]:
    return {
        "owner": route.owner,
        "confidence": round(route.confidence, 4),
        "review": route.review,
        "why": list(route.why),
        "spaces": [
            {"label": space.label, "confidence": round(space.confidence, 4)}
            for space in route.spaces
        ],
        "alternatives": [
            {"owner": owner, "probability": round(p, 4)} for owner, p in route.alternatives
        ],
    }


def route_name(board: Board, route: Route) -> str:
    """A route by its places, with the number of its line where there are several."""
    return names.route_name(board, route.id)
