"""Longest trails: on random legal end positions, and on networks made to be hard."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.longest_path.certificate import certify
from scoring.longest_path.search import Edge, longest_trail
from scoring.longest_path.verify import verify
from scoring.network import edges as network_edges
from tests.bench.networkx_search import longest_by_networkx
from tests.bench.timing import Times, ratio, time_calls
from tests.support.networks import loop_heavy
from tests.support.plain_search import longest_by_walking
from tests.support.positions import any_end_position

POSITIONS, HARD = 10_000, 2_000
"""Networks measured of either kind."""

COMPARED = 400
"""Networks of either kind on which the baselines run too (they are slow)."""

PATIENCE = 50_000
"""Steps after which a baseline gives up on a network; its ratio is then a lower bound."""

Network = Sequence[Edge]


def run() -> None:
    """Print the figures of both kinds of networks."""
    print("Longest trail, processor time of one core")
    random = Random(19)
    _measure("players' networks at the end of random legal games", _positions(random), POSITIONS)
    _measure("loop-heavy networks of 45 wagons", _hard(random), HARD)


def _positions(random: Random) -> Iterator[Network]:
    boards = [load_board(name) for name in BOARDS_WITH_DATA]
    while True:
        board = random.choice(boards)
        for routes in any_end_position(board, random).values():
            yield network_edges(board, routes)


def _hard(random: Random) -> Iterator[Network]:
    while True:
        yield loop_heavy(random)


def _measure(title: str, source: Iterator[Network], count: int) -> None:
    networks = list(islice(source, count))
    print(f"\n {title}")
    print(time_calls(longest_trail, networks).row("this program"))
    print(time_calls(_prove, networks).row("with the proof made"))
    few = networks[:COMPARED]
    print(f"\n the first {COMPARED} of them beside the baselines")
    own = time_calls(longest_trail, few)
    print(own.row("this program"))
    _compare("every trail walked", partial(longest_by_walking, at_most=PATIENCE), few, own)
    _compare("networkx", partial(longest_by_networkx, at_most=PATIENCE), few, own)
    print(time_calls(_prove_and_verify, few).row("proof made and verified"))


def _compare(
    name: str, search: Callable[[Network], int | None], networks: Sequence[Network], own: Times
) -> None:
    found: list[int | None] = []
    times = time_calls(lambda network: found.append(search(network)), networks)
    given_up = found.count(None)
    wrong = sum(
        length not in (None, longest_trail(network).length)
        for length, network in zip(found, networks, strict=True)
    )
    print(times.row(name))
    at_least = (
        f" at least: given up on {given_up} networks after {PATIENCE} steps" if given_up else ""
    )
    print(f"    {ratio(times, own)}{at_least}; {wrong} lengths differ")


def _prove(network: Network) -> None:
    certify(network, longest_trail(network))


def _prove_and_verify(network: Network) -> None:
    trail = longest_trail(network)
    verify(network, trail, certify(network, trail))
