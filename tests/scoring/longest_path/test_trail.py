"""The longest trail: worked by hand, against the classic mistakes, and against a plain search."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board.board import load_board
from scoring.longest_path.search import NO_TRAIL, Edge, longest_trail
from scoring.network import edges as network_edges
from tests.support.plain_search import is_trail, longest_by_walking


def network(*lines: str) -> list[Edge]:
    """Edges from words such as "a-b 3"; the route's name is the whole word and its place."""
    edges = []
    for number, line in enumerate(lines, start=1):
        ends, wagons = line.split()
        a, b = ends.split("-")
        edges.append((f"{ends}/{number}", a, b, int(wagons)))
    return edges


def assert_travels(edges: Sequence[Edge], length: int) -> None:
    """The trail has this length, and its path can be travelled over that many wagons."""
    trail = longest_trail(edges)
    assert trail.length == length
    assert is_trail(edges, trail.path)
    assert sum(wagons for name, _, _, wagons in edges if name in trail.path) == length
    ends = {name: {a, b} for name, a, b, _ in edges}
    steps = zip(trail.path, trail.stops, trail.stops[1:], strict=False)
    assert all({here, there} == ends[name] for name, here, there in steps)
    assert len(trail.stops) == len(trail.path) + bool(trail.path)


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        pytest.param(["a-b 4"], 4, id="a single route"),
        pytest.param(["a-b 4", "b-c 5"], 9, id="two routes in a row"),
        pytest.param(["a-b 4", "c-d 6"], 6, id="two routes that do not meet"),
        pytest.param(["o-a 2", "o-b 3", "o-c 5"], 8, id="a star: the two longest rays"),
        pytest.param(["a-b 1", "b-c 2", "c-a 3"], 6, id="a ring, all of it"),
        pytest.param(["a-b 1", "b-c 2", "c-a 3", "c-d 4"], 10, id="a ring and a tail"),
        pytest.param(
            ["a-b 1", "b-c 1", "c-a 1", "a-x 5", "b-y 4"],
            11,
            id="a ring with two tails: a short cut",
        ),
        pytest.param(
            ["a-b 1", "b-c 1", "c-a 1", "a-x 5", "a-y 4"], 12, id="a ring passed between two tails"
        ),
        pytest.param(
            ["o-a 1", "a-b 1", "b-o 1", "o-c 2", "c-d 2", "d-o 2"], 9, id="two rings that touch"
        ),
        pytest.param(
            ["a-b 2", "b-c 2", "c-a 2", "c-d 3", "d-e 2", "e-f 2", "f-d 2"], 15, id="a dumb-bell"
        ),
        pytest.param(
            [
                *("j-a 1", "a-b 1", "b-j 1", "k-c 1", "c-d 1", "d-k 1"),
                *("j-p 5", "p-q 1", "q-r 1", "r-k 5", "p-x 6", "q-y 20", "r-z 20"),
            ],
            41,
            id="two long tails on the bridge of a dumb-bell, behind a short one",
        ),
        pytest.param(
            ["a-b 6", "a-b 1", "a-b 2"], 9, id="three parallel lines, there and back and there"
        ),
        pytest.param(
            ["a-b 3", "b-c 3", "c-d 3", "d-a 3", "a-c 2"], 14, id="a square with a diagonal"
        ),
        pytest.param(
            ["a-b 1", "a-c 1", "a-d 1", "b-c 1", "b-d 1", "c-d 1"], 5, id="four cities, all joined"
        ),
    ],
)
def test_lengths_worked_by_hand(lines: list[str], length: int) -> None:
    assert_travels(network(*lines), length)


def test_of_three_rings_on_a_star_only_two_are_visited() -> None:
    """Three triangles (3 wagons each) on bridges of 2 from the middle: 3 + 2 + 2 + 3 = 10.

    Parity alone would allow more: leave out one bridge, and all but two nodes are even.
    """
    lines = []
    for name in "abc":
        lines += [f"o-{name}1 2", f"{name}1-{name}2 1", f"{name}2-{name}3 1", f"{name}3-{name}1 1"]
    assert_travels(network(*lines), 10)


def test_nothing_anywhere_is_a_trail_of_no_length() -> None:
    assert longest_trail([]) == NO_TRAIL
    assert NO_TRAIL.length == 0
    assert NO_TRAIL.path == ()


# --- the classic mistakes of other scorers -----------------------------------------------------


def test_mistake_simple_path_a_city_may_be_passed_twice() -> None:
    """A figure of eight between two tails: a simple path would skip both rings and score 2."""
    edges = network("x-o 1", "o-a 2", "a-b 2", "b-o 2", "o-y 1")
    assert_travels(edges, 8)


def test_mistake_marks_never_undone_a_bad_first_turn_spoils_nothing() -> None:
    """Going first to the dead end d, then trying again, must find the routes free again."""
    edges = network("a-b 1", "b-d 1", "b-c 1", "c-e 1", "e-b 1", "b-f 5")
    # a-b-c-e-b-f: 1 + 1 + 1 + 1 + 5; the dead end b-d stays out.
    assert_travels(edges, 9)


def test_mistake_parallel_lines_merged_both_lines_of_a_double_count() -> None:
    edges = network("a-b 2", "b-c 3", "b-c 3", "b-d 4")
    assert_travels(edges, 12)


def test_mistake_first_route_left_out_a_lone_route_has_its_full_length() -> None:
    assert_travels(network("a-b 6"), 6)


def test_mistake_routes_counted_instead_of_wagons() -> None:
    assert_travels(network("a-b 1", "b-c 1", "c-d 1", "x-y 6"), 6)


def test_mistake_trails_only_between_dead_ends() -> None:
    """The best trail starts at a dead end, and ends on a ring where it has been before."""
    edges = network("m-a 1", "a-b 4", "b-c 4", "c-a 4", "m-x 3", "m-y 2")
    # x-m-a-b-c-a: 3 + 1 + 12; y stays out.
    assert_travels(edges, 16)


@pytest.mark.parametrize(
    ("board", "routes", "length"),
    [
        # From France to Freiburg to Switzerland; Konstanz is reached by another line.
        (
            "germany",
            ["frankreich--freiburg", "freiburg--schweiz", "konstanz--schweiz"],
            2 + 2,
        ),
        # Three ferries into Corsica end in three harbours.
        ("france", ["corse--marseille", "corse--nice", "corse--perpignan"], 5),
        # A double into one country: both lines from the same city, there and there.
        ("france", ["allemagne--strasbourg-1", "allemagne--strasbourg-2"], 1 + 1),
    ],
)
def test_mistake_countries_joined_through_the_middle(
    board: str, routes: list[str], length: int
) -> None:
    assert_travels(network_edges(load_board(board), routes), length)


# --- against a search that walks every trail ---------------------------------------------------


@st.composite
def networks(draw: st.DrawFn, loops: bool = False) -> list[Edge]:
    """Up to 14 routes between up to nine nodes: parallel, in several pieces, with dead ends."""
    few = draw(st.integers(2, 9))
    nodes = st.sampled_from("abcdefghi"[:few])
    ends = st.tuples(nodes, nodes).filter(lambda pair: loops or pair[0] != pair[1])
    lines = draw(st.lists(st.tuples(ends, st.integers(1, 6)), max_size=14))
    return [(f"route-{i}", a, b, wagons) for i, ((a, b), wagons) in enumerate(lines)]


@settings(max_examples=200, deadline=None)
@given(networks())
def test_as_long_as_the_longest_of_all_trails(edges: list[Edge]) -> None:
    longest = longest_by_walking(edges, at_most=100_000)
    if longest is not None:
        assert_travels(edges, longest)


@settings(max_examples=100, deadline=None)
@given(networks(loops=True))
def test_routes_that_return_to_their_own_node_count_too(edges: list[Edge]) -> None:
    longest = longest_by_walking(edges, at_most=100_000)
    if longest is not None:
        assert_travels(edges, longest)


@settings(max_examples=100, deadline=None)
@given(networks().flatmap(lambda edges: st.tuples(st.just(edges), st.permutations(edges))))
def test_neither_order_nor_direction_of_the_routes_matters(
    both: tuple[list[Edge], list[Edge]],
) -> None:
    edges, shuffled = both
    turned = [(name, b, a, wagons) for name, a, b, wagons in shuffled]
    assert longest_trail(turned).length == longest_trail(edges).length


@settings(max_examples=100, deadline=None)
@given(networks(), st.integers(0, 13))
def test_one_route_less_never_makes_the_trail_longer(edges: list[Edge], gone: int) -> None:
    fewer = edges[:gone] + edges[gone + 1 :]
    lost = sum(edge[3] for edge in edges) - sum(edge[3] for edge in fewer)
    whole = longest_trail(edges).length
    assert longest_trail(fewer).length <= whole
    assert whole <= 2 * longest_trail(fewer).length + lost
