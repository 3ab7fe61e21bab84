"""Sees every space beside those around it, and every route as a whole.

The space network looks at one space at a time. Where wagons lie beside the line, what settles whose
they are is how the others of the route lie, and those of the line beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.network import load_network
from vision.registration.board_geometry import board_angles_rad, board_centres_mm

STATES = 3
"""What a space network answers before its colours: empty, wagon, covered."""

OUTPUTS = STATES + len(COLOURS)

FEATURES = 96
"""Figures of every space that the space network hands on, besides its answer."""

NEIGHBOURS = 14
"""So many of the others a space is shown: those of its own route first, then the nearest."""

OF_OWN_ROUTE = 6
"""At most so many of them are of its own route."""

RELATION = 8
"""Figures of one neighbour: see `_relation`."""

REACH_MM = 30.0
"""Distances are told in this unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """A board's spaces beside each other.

    `index` (N, NEIGHBOURS) names the neighbours of each space by their row, `relation`
    (N, NEIGHBOURS, RELATION) says how each lies, float32; `routes` (R, L) are the rows of each
    route's spaces, -1 after the last.
    """

    index: NDArray[np.int64]
    relation: NDArray[np.float32]
    routes: NDArray[np.int64]


def beside_neighbours(
    told: NDArray[np.float32], board: Board
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logits of all spaces (N, OUTPUTS), and of all routes' owners (R, 1 + all colours), by what
    the space network tells of every space (N, OUTPUTS + FEATURES)."""
    beside = neighbourhood(board)
    routes = np.where(beside.routes < 0, len(told), beside.routes)
    answer = load_network("neighbours").run(
        {"told": told, "index": beside.index, "relation": beside.relation, "routes": routes}
    )
    spaces, owners = answer[: len(told)], answer[len(told) :, : 1 + len(COLOURS)]
    return spaces.astype(np.float64), owners.astype(np.float64)


def neighbourhood(board: Board) -> Neighbourhood:
    """The neighbours of all spaces of a board, in board order."""
    centres = board_centres_mm(board)
    route_of = np.repeat(np.arange(len(board.routes)), [r.length for r in board.routes])
    doubles = [(r.parallel_group or r.id, r.length) for r in board.routes]
    place_of = np.array([doubles.index(double) for double in doubles])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    same = route_of[:, None] == route_of[None]
    np.fill_diagonal(apart, np.inf)
    rank = np.where(same, apart, np.inf).argsort(axis=1).argsort(axis=1)
    first = same & np.isfinite(apart) & (rank < OF_OWN_ROUTE)
    count = min(NEIGHBOURS, len(centres) - 1)
    index = np.where(first, apart - 1e6, apart).argsort(axis=1)[:, :count]
    nobody = np.repeat(np.arange(len(centres))[:, None], NEIGHBOURS - count, axis=1)
    index = np.concatenate([index, nobody], axis=1)
    longest = max(route.length for route in board.routes)
    routes = np.full((len(board.routes), longest), -1, np.int64)
    for row, spaces in enumerate(board.spaces_of.values()):
        routes[row, : spaces.stop - spaces.start] = np.arange(spaces.start, spaces.stop)
    angles = board_angles_rad(board)
    relation = _relation(centres, angles, index, route_of, place_of[route_of])
    return Neighbourhood(index.astype(np.int64), relation, routes)


def _relation(
    centres: NDArray[np.float64],
    angles_rad: NDArray[np.float64],
    index: NDArray[np.int64],
    route_of: NDArray[np.int64],
    place_of: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Where each neighbour lies along and across the space, twice its angle to it as cosine and
    sine, how near it is, whether it is of the same route and of the same place's other line, and
    whether it is one at all."""
    cos, sin = np.cos(angles_rad)[:, None], np.sin(angles_rad)[:, None]
    right, down = np.moveaxis(centres[index] - centres[:, None], -1, 0)
    along, across = cos * right + sin * down, cos * down - sin * right
    turned = angles_rad[index] - angles_rad[:, None]
    own = route_of[index] == route_of[:, None]
    beside = (place_of[index] == place_of[:, None]) & ~own
    figures = (
        along / REACH_MM,
        across / REACH_MM,
        np.cos(2 * turned),
        np.sin(2 * turned),
        np.exp(-((along**2 + across**2) / REACH_MM**2)),
        own,
        beside,
        index != np.arange(len(index))[:, None],
    )
    return np.stack(figures, axis=-1).astype(np.float32)
