"""Claims whose colour may be that of light that lies over the board; see docs/decisions/0087."""

from collections.abc import Mapping

from scoring.board.board import Board
from vision.reading import RouteReading
from vision.spaces.evidence import SpaceEvidence
from vision.spaces.tint import BLUISH


def tinted_routes(
    routes: Mapping[str, RouteReading], evidence: SpaceEvidence, board: Board
) -> list[str]:
    """The routes read as blue or purple, more than half of whose spaces may owe that to the light.

    No limit on how sure the networks are: they are sure of it.
    """
    found = []
    for name, spaces in board.spaces_of.items():
        own = range(spaces.start, spaces.stop)
        if routes[name].owner in BLUISH and 2 * len(evidence.tinted.intersection(own)) > len(own):
            found.append(name)
    return found
