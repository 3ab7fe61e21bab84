"""Longest trails on random legal end positions of the three boards, against a plain search."""

import os
from random import Random

import pytest

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.longest_path.certificate import certify
from scoring.longest_path.search import longest_trail
from scoring.longest_path.verify import verify
from scoring.network import edges as network_edges
from tests.support.plain_search import is_trail, longest_by_walking
from tests.support.positions import any_end_position

POSITIONS = 2 * int(os.environ.get("POSITIONS", "250"))
"""Of each board, and many more in `make torture`; about 3.5 players hold a network in each."""

FEASIBLE = 200_000
"""Steps after which the plain search gives up; it hardly ever does."""


@pytest.mark.parametrize("board_id", BOARDS_WITH_DATA)
def test_every_trail_is_as_long_as_the_longest_of_all(board_id: str) -> None:
    board, random = load_board(board_id), Random(1947)
    compared = given_up = 0
    for _ in range(POSITIONS):
        for routes in any_end_position(board, random).values():
            edges = network_edges(board, routes)
            longest = longest_by_walking(edges, FEASIBLE)
            trail = longest_trail(edges)
            given_up += longest is None
            compared += longest is not None
            assert trail.length == longest or longest is None, routes
            assert is_trail(edges, trail.path)
    assert compared > POSITIONS
    assert given_up * 100 <= compared


@pytest.mark.parametrize("board_id", BOARDS_WITH_DATA)
def test_every_trail_is_proved_and_most_by_the_ceiling_alone(board_id: str) -> None:
    board, random = load_board(board_id), Random(2012)
    proofs = []
    for _ in range(POSITIONS // 40):
        for routes in any_end_position(board, random).values():
            edges = network_edges(board, routes)
            trail = longest_trail(edges)
            certificate = certify(edges, trail)
            verify(edges, trail, certificate)
            proofs.append(certificate.is_one_bound)
    assert sum(proofs) >= 0.9 * len(proofs)


def test_positions_keep_the_rules() -> None:
    """The generator itself: wagons, doubles, crossings, nobody holds what another does."""
    random = Random(7)
    for board_id in BOARDS_WITH_DATA:
        board = load_board(board_id)
        for _ in range(20):
            position = any_end_position(board, random)
            held = [name for routes in position.values() for name in routes]
            assert len(held) == len(set(held))
            assert not any(set(pair) <= set(held) for pair in board.crossings)
            for group in board.parallel_groups.values():
                owners = [
                    player
                    for player, routes in position.items()
                    for line in group
                    if line.id in routes
                ]
                assert len(owners) == len(set(owners))
                assert len(owners) <= (1 if len(position) < board.doubles_open_from else len(group))
            wagons = {
                player: sum(board.route_by_id[name].length for name in routes)
                for player, routes in position.items()
            }
            assert max(wagons.values()) <= board.wagons_per_player
            assert max(wagons.values()) >= board.wagons_per_player - 2
