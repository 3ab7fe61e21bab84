"""A made-up map of twenty places that no network and no file knows, and photos drawn of it."""

from collections.abc import Mapping
from functools import cache
from math import atan2, cos, degrees, hypot, sin

import numpy as np

from scoring.board.board import Board, BoardFrame, Place, Route, Space, Ticket
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo

SIZE_MM = (795.0, 525.0)
BOX_MM = (25.0, 8.6)
STEP_MM = 26.5
COLUMNS, ROWS = 5, 4

LEFT_OUT = {(3, 8), (6, 7), (12, 17)}
"""Neighbours that no line joins."""

DOUBLES = {(0, 1), (7, 12), (13, 14)}

COLOURS = ("grey", "red", "blue", "green", "yellow", "white", "black", "orange")

VIEW = View(tilt_deg=5.0, azimuth_deg=15.0, roll_deg=-3.0, hfov_deg=60.0, fill=0.93)


@cache
def twenty_places() -> Board:
    """Towns on a grid that is a little out of order, neighbours joined by straight lines."""
    towns = _towns()
    routes: list[Route] = []
    for first, second in _neighbours():
        pair = (first, second) in DOUBLES
        for number, aside in enumerate((-5.2, 5.2) if pair else (0.0,), start=1):
            colour = COLOURS[len(routes) % len(COLOURS)]
            spaces = _spaces(towns[first], towns[second], aside)
            ends = (f"town-{first}", f"town-{second}")
            name = "--".join(ends)
            group = name if pair else None
            name += f"-{number}" if pair else ""
            routes.append(Route(name, ends, len(spaces), colour, group, 0, spaces))
    return Board(
        id="twenty",
        title="Twenty",
        edition="",
        version=1,
        frame=BoardFrame("outer", SIZE_MM),
        players=(2, 5),
        player_colours=("blue", "red", "green", "yellow", "black"),
        wagons_per_player=45,
        doubles_open_from=4,
        route_points={1: 1, 2: 2, 3: 4, 4: 7, 5: 10},
        space_size_mm=BOX_MM,
        places=tuple(
            Place(f"town-{k}", f"Town {chr(65 + k)}", "city", x / SIZE_MM[0], y / SIZE_MM[1])
            for k, (x, y) in enumerate(towns)
        ),
        routes=tuple(routes),
        tickets=(Ticket("town-0--town-19", ("town-0", "town-19"), 8, ""),),
    )


def _towns() -> list[tuple[float, float]]:
    shaken = np.random.default_rng(5).uniform(-9, 9, (COLUMNS * ROWS, 2))
    return [
        (75 + 161 * (k % COLUMNS) + float(dx), 70 + 128 * (k // COLUMNS) + float(dy))
        for k, (dx, dy) in enumerate(shaken)
    ]


def _neighbours() -> list[tuple[int, int]]:
    towns = range(COLUMNS * ROWS)
    right = [(k, k + 1) for k in towns if k % COLUMNS < COLUMNS - 1]
    below = [(k, k + COLUMNS) for k in towns if k + COLUMNS in towns]
    return [pair for pair in [*right, *below] if pair not in LEFT_OUT]


def _spaces(
    start: tuple[float, float], end: tuple[float, float], aside: float
) -> tuple[Space, ...]:
    """As many boxes as there is room for, `aside` millimetres beside the middle."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    length = hypot(end[0] - start[0], end[1] - start[1])
    count = int((length - 18) / STEP_MM)
    begin = (length - count * STEP_MM) / 2 + STEP_MM / 2
    spaces = []
    for k in range(count):
        along = begin + k * STEP_MM
        x = start[0] + along * cos(angle) - aside * sin(angle)
        y = start[1] + along * sin(angle) + aside * cos(angle)
        spaces.append(Space(x / SIZE_MM[0], y / SIZE_MM[1], degrees(angle)))
    return tuple(spaces)


def photo_of_map(owners: Mapping[str, str], seed: int = 1) -> DrawnPhoto:
    """The map under one camera and lamp, with these routes claimed."""
    return draw_photo(
        twenty_places(),
        owners,
        seed=seed,
        print_seed=213,
        rig_seed=313,
        camera=VIEW,
        size_px=(1600, 1200),
        oddities=Oddities.none(),
    )
