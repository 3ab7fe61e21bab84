"""What the network of neighbours is told of a board, and what it makes of it."""

import math

import numpy as np

from scoring.board.board import load_board
from scoring.game.colours import COLOURS
from vision.spaces.neighbours import (
    FEATURES,
    NEIGHBOURS,
    OUTPUTS,
    STATES,
    beside_neighbours,
    neighbourhood,
)

USA = load_board("usa")


def test_a_space_is_shown_its_own_route_first_then_the_other_line_of_its_double() -> None:
    """Five spaces between Los Angeles and San Francisco's double of three: a route of six is shown
    whole, and of a double the line beside is among the nearest."""
    told = neighbourhood(USA)
    spaces = USA.spaces_of["los-angeles--san-francisco-1"]
    other = USA.spaces_of["los-angeles--san-francisco-2"]
    for row in range(spaces.start, spaces.stop):
        shown = set(told.index[row].tolist())
        assert set(range(spaces.start, spaces.stop)) - {row} <= shown
        beside = {k for k in range(other.start, other.stop) if k in shown}
        assert beside
        flags = {
            int(k): flag for k, flag in zip(told.index[row], told.relation[row, :, 6], strict=True)
        }
        assert all(flags[k] == 1 for k in beside)


def test_no_space_is_its_own_neighbour_and_distances_are_of_the_board() -> None:
    told = neighbourhood(USA)
    assert told.index.shape == (USA.space_count, NEIGHBOURS)
    assert (told.index != np.arange(USA.space_count)[:, None]).all()
    along, across = told.relation[..., 0], told.relation[..., 1]
    # The next space of a route lies a wagon's length away, about 25 mm: told in units of 30 mm.
    nearest = np.hypot(along, across).min(axis=1)
    assert 0.2 < float(np.median(nearest)) < 1.0
    # Twice an angle, as cosine and sine.
    assert np.allclose(np.hypot(told.relation[..., 2], told.relation[..., 3]), 1, atol=1e-5)


def test_spaces_and_routes_are_answered_in_board_order() -> None:
    """What is plainly told of every space is what comes out, for it and for its route."""
    red = COLOURS.index("red")
    told = np.zeros((USA.space_count, OUTPUTS + FEATURES), np.float32)
    told[:, 0] = 8.0  # empty
    claimed = USA.spaces_of["duluth--helena"]
    told[claimed, 0], told[claimed, 1], told[claimed, STATES + red] = 0.0, 8.0, 8.0
    spaces, owners = beside_neighbours(told, USA)
    assert spaces.shape == (USA.space_count, OUTPUTS)
    assert owners.shape == (len(USA.routes), 1 + len(COLOURS))
    assert (spaces[claimed, :STATES].argmax(axis=1) == 1).all()
    row = list(USA.spaces_of).index("duluth--helena")
    others = np.delete(owners.argmax(axis=1), row)
    assert owners[row].argmax() == 1 + red
    assert (others == 0).mean() > 0.98
    assert math.isfinite(float(np.abs(owners).max()))
