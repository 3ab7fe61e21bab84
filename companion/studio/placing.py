"""Where a draft's spaces lie in its photo, and where a known board's spaces lie in a new one."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import BOX, Boxes
from calibration.studio.measuring import measured
from calibration.studio.straightening import Straight, straighten
from companion.studio.draft import Box, Draft, DraftPlace, DraftRules, DraftTicket, Line
from scoring.board.angles import line_deg
from scoring.board.board import Board
from vision.registration.board_geometry import board_size_mm
from vision.registration.geometry import Points, corners_of_size, homography_of_quads, project

SURE = 0.5
"""Likeness from which on a space that was drawn by hand is put where one is seen printed."""

REACH = 12.0
"""Units, of which a box is 25 long, that it may be moved by for that."""

LOOKS = 4


def box_size(draft: Draft) -> Points:
    """Length and width of a usual box, units."""
    return np.array(draft.space_size_mm) * BOX / draft.space_size_mm[0]


def straight_board(draft: Draft, photo_bgr: NDArray[np.uint8], corners_px: Points) -> Straight:
    """The board as its photo shows it, straightened so that its spaces are `BOX` long."""
    unit = BOX / draft.space_size_mm[0]
    width, height = (float(side * unit) for side in draft.size_mm)
    return straighten(photo_bgr, corners_px, (width, height))


def snapped(
    draft: Draft, boxes: tuple[Box, ...], photo_bgr: NDArray[np.uint8], corners_px: Points
) -> tuple[Box, ...]:
    """The boxes where they are seen printed; one that is not seen near stays where it is."""
    straight = straight_board(draft, photo_bgr, corners_px)
    centres = np.array([(box.x, box.y) for box in boxes]) * straight.size
    angles = np.array([box.angle for box in boxes])
    shape = np.tile(box_size(draft), (len(boxes), 1))
    seen = measured(straight, Boxes(centres, angles, shape, np.ones(len(boxes))), LOOKS)
    kept = []
    for box, was, at, angle, likeness in zip(
        boxes, centres, seen.centres, seen.angles_deg, seen.likeness, strict=True
    ):
        is_near = float(np.hypot(*(at - was))) <= REACH
        found = Box.seen_at(at / straight.size, angle)
        kept.append(found if likeness >= SURE and is_near else box)
    return tuple(kept)


def draft_of_board(board: Board, corners_px: Points, spaces_px: Points) -> Draft:
    """A known board as it lies in a photo: its print may be another, all else is taken over.

    `corners_px` (4, 2) are its outer corners there, `spaces_px` (N, 4, 2) its spaces.
    """
    size = board_size_mm(board)
    flat = project(homography_of_quads(corners_px, corners_of_size(size)), spaces_px)
    boxes = [_box(quad, size) for quad in flat]
    numbers = {place.id: k + 1 for k, place in enumerate(board.places)}
    draft = Draft(size, board.space_size_mm, {}, {}, rules=_rules(board))
    for place in board.places:
        x, y = _seen_place(board, place.id, boxes)
        draft = draft.with_place(numbers[place.id], DraftPlace(x, y, place.name, place.is_country))
    for route in board.routes:
        own = tuple(boxes[board.spaces_of[route.id]])
        ends = (numbers[route.ends[0]], numbers[route.ends[1]])
        line = Line(own, route.colour, ends, route.ferry, route.tunnel)
        draft = draft.with_line(draft.next_number, line)
    tickets = tuple(
        DraftTicket((numbers[one.places[0]], numbers[one.places[1]]), one.points)
        for one in board.tickets
    )
    line_of = {route.id: number for route, number in zip(board.routes, draft.lines, strict=True)}
    crossings = tuple((line_of[one], line_of[other]) for one, other in board.crossings)
    return replace(draft, tickets=tickets, crossings=crossings)


def _box(quad: Points, size: tuple[float, float]) -> Box:
    """A quadrilateral in millimetres as a box."""
    centre = quad.mean(axis=0) / np.array(size)
    way = quad[1] + quad[2] - quad[0] - quad[3]
    return Box.seen_at(centre, line_deg(*way))


def _seen_place(board: Board, place: str, boxes: list[Box]) -> tuple[float, float]:
    """A place in the middle of the nearest spaces of its lines."""
    near = []
    for route in board.routes:
        own = boxes[board.spaces_of[route.id]]
        if place in route.ends:
            near.append(own[0] if route.ends[0] == place else own[-1])
    if not near:
        return 0.5, 0.5
    return (
        round(sum(box.x for box in near) / len(near), 5),
        round(sum(box.y for box in near) / len(near), 5),
    )


def _rules(board: Board) -> DraftRules:
    return DraftRules(
        title=board.title,
        edition=board.edition,
        players=board.players,
        colours=board.player_colours,
        wagons=board.wagons_per_player,
        doubles_open_from=board.doubles_open_from,
        points=dict(board.route_points),
        longest_path=board.bonuses.longest_path,
        globetrotter=board.bonuses.globetrotter,
        flag=board.bonuses.flag,
        stations=board.stations,
    )
