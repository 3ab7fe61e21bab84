"""Random end positions of games that could have been played: legal owners for a board's routes."""

import numpy as np

from scoring.board.board import Board, Route


def random_owners(
    board: Board, *, seed: int, players: int | None = None, fullness: float | None = None
) -> dict[str, str | None]:
    """Owners of every route after random turns that keep the rules.

    No player holds two lines of a double, doubles open by the number of players, crossings block
    each other, nobody places more wagons than the set has. `fullness` is the share of all wagons
    that are placed (0..1); without it anything from an opening to a finished game.
    """
    rng = np.random.default_rng([seed, 41])
    low, high = board.players
    count = int(rng.integers(low, high + 1)) if players is None else players
    colours = [str(c) for c in rng.permutation(board.player_colours)[:count]]
    share = float(rng.choice([rng.uniform(0.1, 1.0), 0.95])) if fullness is None else fullness
    left = dict.fromkeys(colours, int(board.wagons_per_player * share))
    owners: dict[str, str | None] = {route.id: None for route in board.routes}
    for turn, index in enumerate(rng.permutation(len(board.routes))):
        route = board.routes[int(index)]
        colour = colours[turn % count]
        if left[colour] >= route.length and _open(board, route, colour, owners, count):
            owners[route.id] = colour
            left[colour] -= route.length
    return owners


def _open(
    board: Board, route: Route, colour: str, owners: dict[str, str | None], players: int
) -> bool:
    """Whether the rules let a player claim a route now."""
    for first, second in board.crossings:
        if route.id in (first, second) and (owners[first] or owners[second]):
            return False
    if route.parallel_group is None:
        return True
    held = [owners[line.id] for line in board.parallel_groups[route.parallel_group]]
    taken = [owner for owner in held if owner is not None]
    if colour in taken:
        return False
    return not taken or players >= board.doubles_open_from
