"""Orders junctions for a sweep so that few are open (begun, not finished) at a time."""

from collections.abc import Collection, Iterator, Mapping

STARTS = 12
"""Starts tried for one piece: more cost more time than they save on networks of 45 wagons."""

SMALL = 5
"""Pieces with no more junctions than this are swept from the first: there is nothing to save."""


def sweep_orders(neighbours: Mapping[int, Collection[int]]) -> Iterator[list[int]]:
    """For every connected piece its nodes in a good order."""
    reach = {node: sum(1 << n for n in {node, *others}) for node, others in neighbours.items()}
    left = set(neighbours)
    while left:
        piece = _piece(neighbours, min(left))
        left.difference_update(piece)
        yield _best_order(reach, piece)


def _piece(neighbours: Mapping[int, Collection[int]], start: int) -> list[int]:
    """Every node that hangs together with the start."""
    piece = [start]
    for node in piece:  # grows as it goes
        piece += [other for other in neighbours[node] if other not in piece]
    return piece


def _best_order(reach: Mapping[int, int], piece: list[int]) -> list[int]:
    if len(piece) <= SMALL:
        return piece
    starts = sorted(piece, key=lambda node: reach[node].bit_count())[:STARTS]
    return min((_greedy(reach, piece, start) for start in starts), key=lambda found: found[0])[1]


def _greedy(reach: Mapping[int, int], piece: list[int], start: int) -> tuple[int, list[int]]:
    """Next always the node that opens the fewest; with the cost of that order.

    `reach` has the bits of a node and its neighbours. The cost is the number of parities that
    the sweep has to tell apart, summed over the nodes.
    """
    order, opened, cost, node = [start], reach[start], 0, start
    left = [other for other in piece if other != start]
    while left:
        cost += 1 << opened.bit_count() - len(order)
        shut = ~opened
        node = min(left, key=lambda other: (reach[other] & shut).bit_count())
        opened |= reach[node]
        left.remove(node)
        order.append(node)
    return cost, order
