"""The corners of a board in a photo, as a page sends them."""

from web.errors import BadRequestError
from web.setup_port import Point

FURTHEST = 3000.0
"""How far outside the photo a corner may be put, in the units of its points."""


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
