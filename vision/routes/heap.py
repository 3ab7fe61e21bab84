"""Doubts what is claimed amid a heap of wagons that stand for no claim.

Of many wagons poured onto a map some lie on printed spaces as placed ones do, and one of another
colour lies on a placed one: both witnesses are sure of these.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import RouteReading
from vision.routes.account import Account, matches_of
from vision.routes.witness import LIMITS

ABOUT_MM = 60.0
HEAP = 8
"""So many loose wagons within so far of one of them are a heap. Of 80 readings of careless games,
games by a lamp and strange prints, one has a heap with a claim amid it; of 186 with sixty wagons
poured onto them, 185."""

AMID = 6
"""With so many of a heap about one of its spaces, a claim lies amid it: 24 of 29 silent mistakes
there do, and 3.7 true claims a photo."""


def amid_a_heap(
    routes: Mapping[str, RouteReading], board: Board, accounts: Sequence[Account]
) -> list[str]:
    """The claimed routes that lie in a heap of loose wagons in one of a moment's photos."""
    found = set[str]()
    for matched in matches_of(accounts, routes, board):
        wagons = matched.account.wagons
        loose_mm = wagons.at_mm[matched.left_over(LIMITS.loose)]
        thick_mm = loose_mm[_about(loose_mm, loose_mm) >= HEAP]
        heap_mm = loose_mm[_about(loose_mm, thick_mm) > 0]
        amid = _about(wagons.spaces_mm.mean(axis=1), heap_mm) >= AMID
        found.update(name for name, spaces in board.spaces_of.items() if amid[spaces].any())
    return [name for name, route in routes.items() if name in found and route.owner is not None]


def _about(at_mm: NDArray[np.float64], wagons_mm: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many of the wagons (M, 2) lie about each point (N, 2), millimetres; (N,)."""
    apart_mm = np.linalg.norm(at_mm[:, None] - wagons_mm[None], axis=2)
    return np.asarray((apart_mm < ABOUT_MM).sum(axis=1))
