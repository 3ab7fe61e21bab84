"""What the studio proposes for a board that nobody has taught, and how it comes to it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import StudioError
from calibration.studio.boxes import Boxes, without_copies
from calibration.studio.colours import colours_of, name_colours, samples_lab
from calibration.studio.filling import filled
from calibration.studio.finding import check_corners, check_photo, find_corners
from calibration.studio.measuring import measured
from calibration.studio.meeting import Places, ends_that_meet, find_places
from calibration.studio.parallels import find_parallels
from calibration.studio.searching import look, supposed_boxes
from calibration.studio.sizing import FEWEST, straighten_to_boxes
from calibration.studio.straightening import Straight, with_even_contrast
from calibration.studio.stringing import Line, string_lines
from calibration.studio.wagons import count_wagons
from vision.registration.geometry import Points

SUPPOSED, FAINT, SURE, SURE_ALONE = 0.2, 0.22, 0.5, 0.72
"""Likeness from which on a box is looked at more closely; is proposed within a line, between two
others; at a line's end; though no other box lies in line with it or beside it. Of 2,005 printed
spaces on seven boards 7 have less than 0.5, and 30 things that are none have more."""

MOST_UNSURE = 0.08
"""Share of the boxes that are not sure from which on a second look is taken: the published boards
have 0.05 at most, a made-up map of faint print has 0.15."""

MOST_WAGONS = 0.08
"""Share of the boxes that may seem to hold wagons: empty boards have 0.03 at most, games of the
shared photos and renders 0.18 and more."""


@dataclass(frozen=True, slots=True)
class ProposedLine:
    """A line: its spaces in order, printed colour, the line it runs beside, the places it joins.

    `spaces` and `places` are indices into the proposal's; `colour` is a word of the board file, or
    "unknown"; `parallel_to` is the first line of its group, None for that one and for single lines.
    """

    spaces: tuple[int, ...]
    colour: str
    parallel_to: int | None
    places: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class BoardProposal:
    """Spaces, lines and places as they seem to be printed.

    `corners_px` (4, 2) are the board's in the photo; `size_mm` its width and height, measured by
    boxes of 25 mm where nobody said it; `spaces` (N, 3) are centres in fractions of the frame and
    directions in degrees, clockwise; `places` (M, 2) are fractions too.
    """

    corners_px: Points
    size_mm: tuple[float, float]
    space_size_mm: tuple[float, float]
    spaces: Points
    lines: tuple[ProposedLine, ...]
    places: Points

    def to_json(self) -> dict[str, Any]:
        """The document of `companion studio propose --json`."""
        return {
            "frame": {
                "corners": self.corners_px.round(2).tolist(),
                "size_mm": [round(side, 1) for side in self.size_mm],
            },
            "space_size_mm": [round(side, 2) for side in self.space_size_mm],
            "spaces": [[round(x, 5), round(y, 5), round(a, 1)] for x, y, a in self.spaces.tolist()],
            "routes": [
                {
                    "spaces": list(line.spaces),
                    "colour": line.colour,
                    "parallel_to": line.parallel_to,
                    "places": list(line.places),
                }
                for line in self.lines
            ],
            "places": self.places.round(5).tolist(),
        }


def propose(
    photo_bgr: NDArray[np.uint8],
    corners_px: Points | None = None,
    size_mm: tuple[float, float] | None = None,
    really_empty: bool = False,
) -> BoardProposal:
    """Spaces, lines and places of the board in a photo of it, empty.

    `corners_px` (4, 2), top-left, top-right, bottom-right, bottom-left as printed, are found where
    they aren't given; so is the board's size. `really_empty` vouches that no wagons lie on it where
    some seem to. Raises StudioError where no board can be proposed,
    BoardNotFoundError where none is seen.
    """
    check_photo(photo_bgr)
    corners = find_corners(photo_bgr) if corners_px is None else check_corners(corners_px)
    straight = straighten_to_boxes(photo_bgr, corners, size_mm and size_mm[0] / size_mm[1])
    supposed = supposed_boxes(look(straight), SUPPOSED)
    if not really_empty:
        _refuse_wagons(photo_bgr, straight, supposed)
    boxes, lines = _boxes_in_lines(straight, supposed)
    if len(boxes) < FEWEST:
        raise StudioError("calibration.studio.no-boxes")
    colours = name_colours(samples_lab(straight, boxes), boxes, lines)
    return _proposal(straight, boxes, lines, colours, size_mm)


def _refuse_wagons(photo_bgr: NDArray[np.uint8], straight: Straight, supposed: Boxes) -> None:
    """Raise StudioError where wagons lie on the board: they cover what is to be measured."""
    likely = supposed.chosen(supposed.likeness > SURE)
    wagons = count_wagons(photo_bgr, straight, likely)
    if wagons > MOST_WAGONS * len(likely):
        raise StudioError("calibration.studio.wagons", count=wagons)


def _boxes_in_lines(straight: Straight, supposed: Boxes) -> tuple[Boxes, list[Line]]:
    """Boxes and lines: faint ends are dropped until none is left, then stray boxes; gaps filled.

    Where many are unsure, as of grey print on grey ground, a second look has the contrast raised.
    """
    seen = measured(straight, supposed)
    boxes = without_copies(seen.chosen(seen.likeness > FAINT))
    if len(boxes) and float((boxes.likeness <= SURE).mean()) > MOST_UNSURE:
        evened = with_even_contrast(straight)
        again = measured(evened, supposed_boxes(look(evened), SUPPOSED))
        boxes = without_copies(boxes.joined(again.chosen(again.likeness > SURE)))
    lines = _strung(straight, boxes)
    while (kept := _without_faint_ends(boxes, lines)).sum() < len(boxes):
        boxes = boxes.chosen(kept)
        lines = _strung(straight, boxes)
    boxes = _without_strays(boxes, lines)
    boxes = filled(straight, boxes, _strung(straight, boxes))
    return boxes, _strung(straight, boxes)


def _without_faint_ends(boxes: Boxes, lines: list[Line]) -> NDArray[np.bool_]:
    """Which boxes are sure, or lie between two others of their line."""
    kept = boxes.likeness > SURE
    for line in lines:
        kept[list(line[1:-1])] = True
    return kept


def _strung(straight: Straight, boxes: Boxes) -> list[Line]:
    return string_lines(boxes, colours_of(samples_lab(straight, boxes))) if len(boxes) else []


def _without_strays(boxes: Boxes, lines: list[Line]) -> Boxes:
    """The boxes less those that lie for themselves and are not sure enough for that.

    One from place to place is a line of its own: other lines end where either of its ends aims.
    """
    parallel = find_parallels(boxes, lines)
    together = {k for k, other in enumerate(parallel) if other is not None}
    together |= {other for other in parallel if other is not None}
    together |= set(np.flatnonzero(ends_that_meet(boxes, lines).all(axis=1)).tolist())
    kept = [
        box
        for number, line in enumerate(lines)
        for box in line
        if len(line) > 1 or number in together or boxes.likeness[box] > SURE_ALONE
    ]
    return boxes.chosen(np.array(sorted(kept), np.int64))


def _proposal(
    straight: Straight,
    boxes: Boxes,
    lines: list[Line],
    colours: list[str],
    size_mm: tuple[float, float] | None,
) -> BoardProposal:
    """All of it in fractions of the frame, spaces in the order of their lines."""
    places = find_places(boxes, lines)
    order = np.array([box for line in lines for box in line], np.int64)
    number = {int(box): place for place, box in enumerate(order)}
    size = size_mm or straight.size
    unit_mm = size[0] / straight.size[0]
    length, width = (float(side) * unit_mm for side in np.median(boxes.sizes, axis=0))
    return BoardProposal(
        corners_px=straight.corners_px,
        size_mm=size,
        space_size_mm=(length, width),
        spaces=np.c_[boxes.centres[order] / straight.size, boxes.angles_deg[order]],
        lines=_lines(lines, number, colours, find_parallels(boxes, lines), places),
        places=places.centres / straight.size,
    )


def _lines(
    lines: list[Line],
    number: dict[int, int],
    colours: list[str],
    parallels: list[int | None],
    places: Places,
) -> tuple[ProposedLine, ...]:
    return tuple(
        ProposedLine(tuple(number[box] for box in line), colour, parallel, ends)
        for line, colour, parallel, ends in zip(
            lines, colours, parallels, places.of_lines, strict=True
        )
    )
