"""The figures of a step, as a form sends them: each is read and checked here.

Every reader raises RefusalError with a sentence where a figure makes no sense.
"""

from collections.abc import Mapping
from typing import Any

from companion.errors import RefusalError
from companion.studio.draft import Box, Draft
from companion.typed_name import NAME_LENGTH, typed_name
from web.names import one_line
from web.sent.whole_numbers import whole_number

Step = Mapping[str, Any]

TYPED_NAMES = ("name", "title", "edition")
"""Fields of a step that hold a name which somebody typed."""

MOST_BOXES = 12
MOST_POINTS = 99
"""The highest value of a ticket."""
MOST_TOLD = 5
"""Rows of a list that cannot be used, told of at once."""

LINE_COLOURS: tuple[str, ...] = (
    "grey",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "pink",
    "black",
    "white",
    "track-bed",
)
"""What a printed line may be coloured; `track-bed` takes a track piece first."""


def place_in(draft: Draft, step: Step, field: str) -> int:
    """The number of a place of the draft."""
    number = number_of(step, field, 0, 10**6)
    if number not in draft.places:
        raise RefusalError("companion.studio.no-such-place")
    return number


def line_in(draft: Draft, step: Step, field: str) -> int:
    """The number of a line of the draft."""
    number = number_of(step, field, 0, 10**6)
    if number not in draft.lines:
        raise RefusalError("companion.studio.no-such-line")
    return number


def space_in(draft: Draft, step: Step) -> int:
    """The index of a space in its line; people count from 1."""
    line = draft.lines[line_in(draft, step, "line")]
    return number_of(step, "space", 1, len(line.boxes)) - 1


def length_of(step: Step) -> int:
    """How many spaces a line has."""
    return number_of(step, "length", 1, MOST_BOXES)


def number_of(step: Step, field: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    number = whole_number(str(step.get(field, "")).strip(), high)
    if number is None or number < low:
        raise RefusalError("companion.studio.number", low=low, high=high)
    return number


def part_of(step: Step, field: str) -> float:
    """A fraction of the board; a little outside is allowed."""
    value = _real(step, field)
    if not -0.2 <= value <= 1.2:
        raise RefusalError("companion.studio.outside")
    return round(value, 5)


def angle_of(step: Step) -> float:
    """A direction in degrees, 0 to 180."""
    return round(_real(step, "angle"), 1) % 180


def _real(step: Step, field: str) -> float:
    try:
        value = float(step.get(field, ""))
    except (TypeError, ValueError):
        raise RefusalError("companion.studio.outside") from None
    if not abs(value) < 1e6:  # nor is NaN
        raise RefusalError("companion.studio.outside")
    return value


def boxes_of(step: Step) -> tuple[Box, ...]:
    """The spaces that were made of the photo; no form gives them."""
    return tuple(Box(float(x), float(y), float(angle)) for x, y, angle in step["boxes"])


def check_names(step: Step) -> None:
    """Refuse a step with a long name where somebody sends it; those that are kept are cut."""
    for field in TYPED_NAMES:
        typed_name(step.get(field, ""))
    for name in listed_names(step):
        typed_name(name)


def listed_names(step: Step) -> list[str]:
    """The names of a pasted list, one a line or parted by commas or semicolons."""
    return str(step.get("names", "")).replace(";", "\n").replace(",", "\n").splitlines()


def name_of(step: Step, field: str = "name") -> str:
    """A name without needless spaces, in composed letters, cut to its greatest length."""
    return one_line(str(step.get(field, "")))[:NAME_LENGTH].strip()


def flag_of(step: Step, field: str) -> bool:
    """Whether something is ticked."""
    return step.get(field, False) not in (False, "", "off", None)


def colour_of(step: Step) -> str:
    """A printed colour."""
    colour = str(step.get("colour", "grey"))
    if colour not in LINE_COLOURS:
        raise RefusalError("companion.studio.no-such-colour")
    return colour
