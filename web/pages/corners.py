"""The corners of a board in a photo, as a page sends them."""

from web.errors import BadRequestError
from web.setup_port import Point

FURTHEST = 3000.0
"""How far outside the photo a corner may be put, in the units of its points."""


QUARTERS = {"1": 1, "2": 2}


def turned(corners: list[Point], quarters: str | None) -> list[Point]:
    """The corners of a board that is turned to the right, top-left first as before.

    >>> turned([(0, 0), (9, 0), (9, 5), (0, 5)], "1")
    [(0, 5), (0, 0), (9, 0), (9, 5)]
    """
    by = QUARTERS.get(quarters or "", 0)
    return corners[len(corners) - by :] + corners[: len(corners) - by]


def read_corners(words: str) -> list[Point]:
    """Four corners from `x,y x,y x,y x,y`; raises BadRequestError."""
    try:
        points = [(float(x), float(y)) for x, y in (one.split(",") for one in words.split())]
    except ValueError:
        raise BadRequestError("web.error.field", field="corners") from None
    near = all(abs(x) <= FURTHEST and abs(y) <= FURTHEST for x, y in points)  # nor is NaN near
    if len(points) != 4 or not near:
        raise BadRequestError("web.error.field", field="corners")
    return points
