"""Doubts a player of whom far more wagons were read than a set holds.

No rule lets that happen, so one colour is taken for another all over the photo, as green is for
blue by a dim yellow lamp. Each such claim looks sure by itself, to both witnesses.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.board.board import Board
from vision.reading import Owner, RouteReading, Why
from vision.routes.posterior import Posterior
from vision.routes.review import asked_also

FAR_OVER = 1.25
"""Expected wagons of a colour, as a part of its set, from which on its claims are asked about. A
route or two read wrongly stay below; see docs/decisions/0062."""


def ask_about_supply(
    routes: Mapping[str, RouteReading],
    board: Board,
    weighed: Posterior,
    owners: Sequence[Owner],
) -> dict[str, RouteReading]:
    """The routes; doubted are all claims of a colour that would need far more than its set.

    `owners` are those of `weighed`, in its order.
    """
    expected = np.sum([weighed.routes[route.id] * route.length for route in board.routes], axis=0)
    most = FAR_OVER * board.wagons_per_player
    too_many = {
        owner
        for owner, wagons in zip(owners, expected, strict=True)
        if owner is not None and wagons > most
    }
    names = [name for name, route in routes.items() if route.owner in too_many]
    return asked_also(routes, names, Why.TOO_MANY_WAGONS)
