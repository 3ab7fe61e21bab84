"""The proof that nothing longer exists: it holds, and nothing false gets past the verifier."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.longest_path.certificate import certify
from scoring.longest_path.search import Edge, longest_trail
from scoring.longest_path.types import Bounded, CaseSplit, Certificate, Trail, UpperBound
from scoring.longest_path.verify import ProofError, verify
from tests.support.networks import FAMILIES

STAR = [("o-a", "o", "a", 2), ("o-b", "o", "b", 3), ("o-c", "o", "c", 5)]
"""Every city is odd; two are ends, the other two are paired by leaving the shortest ray out."""

TRIANGLE = [("a1-a2", "a1", "a2", 1), ("a2-a3", "a2", "a3", 1), ("a3-a1", "a3", "a1", 1)]


def rings_on_a_star() -> list[Edge]:
    """Three triangles on bridges of 2: here the ceiling alone is too high."""
    edges: list[Edge] = []
    for name in "abc":
        ring = [name + number for number in "123"]
        edges.append((f"o-{name}", "o", ring[0], 2))
        edges += [(a + b, a, b, 1) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    return edges


def only_ceiling(certificate: Certificate) -> UpperBound:
    """The one ceiling of a proof that has no cases and no second piece."""
    assert isinstance(certificate.argument, Bounded)
    (ceiling,) = certificate.argument.bounds
    return ceiling


def proved(edges: Sequence[Edge]) -> Certificate:
    trail = longest_trail(edges)
    certificate = certify(edges, trail)
    verify(edges, trail, certificate)
    return certificate


def test_of_a_star_the_shortest_ray_is_left_out() -> None:
    certificate = proved(STAR)
    assert certificate.is_one_bound
    ceiling = only_ceiling(certificate)
    assert set(ceiling.odd) == {"o", "a", "b", "c"}
    assert ceiling.left_out == ("o-a",)
    assert (ceiling.wagons, ceiling.most) == (10, 8)


def test_a_ring_needs_no_more_than_its_sum() -> None:
    ceiling = only_ceiling(proved(TRIANGLE))
    assert (ceiling.odd, ceiling.left_out, ceiling.most) == ((), (), 3)


def test_a_lesser_piece_is_ruled_out_by_its_wagons() -> None:
    certificate = proved([*STAR, ("x-y", "x", "y", 6)])
    assert isinstance(certificate.argument, Bounded)
    lesser = [ceiling for ceiling in certificate.argument.bounds if "x-y" in ceiling.routes]
    assert [(ceiling.wagons, ceiling.most) for ceiling in lesser] == [(6, 6)]


def test_where_the_ceiling_is_too_high_cases_are_told_apart() -> None:
    """Leaving one bridge out keeps 13 wagons in two pieces; no trail has more than 10."""
    certificate = proved(rings_on_a_star())
    assert certificate.length == 10
    assert not certificate.is_one_bound
    assert certificate.cases >= 2


def test_no_network_at_all_is_proved_by_nothing() -> None:
    assert proved([]).argument == Bounded(())


def test_a_trail_that_is_not_the_longest_cannot_be_certified() -> None:
    short = Trail(5, ("o-b", "o-a"), ("b", "o", "a"))
    with pytest.raises(ValueError, match="there is a trail of 8 wagons"):
        certify(STAR, short)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 10**6))
def test_every_proof_of_a_loop_heavy_network_holds(family: str, seed: int) -> None:
    proved(FAMILIES[family](Random(seed)))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 10**6))
def test_no_proof_holds_for_a_trail_cut_short(family: str, seed: int) -> None:
    """The same certificate, re-labelled for a trail without its last route, is refused."""
    edges = FAMILIES[family](Random(seed))
    trail = longest_trail(edges)
    certificate = certify(edges, trail)
    wagons = {edge[0]: edge[3] for edge in edges}
    cut = Trail(trail.length - wagons[trail.path[-1]], trail.path[:-1], trail.stops[:-1])
    cut = replace(cut, stops=cut.stops if cut.path else ())
    with pytest.raises(ProofError):
        verify(edges, cut, replace(certificate, length=cut.length))


# --- tampering ---------------------------------------------------------------------------------

GOOD = Trail(8, ("o-b", "o-c"), ("b", "o", "c"))


@pytest.mark.parametrize(
    ("trail", "complaint"),
    [
        (replace(GOOD, length=9), "8 wagons, not 9"),
        (replace(GOOD, path=("o-b", "o-b")), "travelled twice"),
        (replace(GOOD, path=("o-b", "o-z")), "not in the network"),
        (replace(GOOD, stops=("b", "o")), "stops are missing"),
        (replace(GOOD, stops=("o", "b", "c")), "does not join its stops"),
    ],
)
def test_a_trail_that_cannot_be_travelled_is_refused(trail: Trail, complaint: str) -> None:
    with pytest.raises(ProofError, match=complaint):
        verify(STAR, trail, certify(STAR, GOOD))


CEILING = UpperBound(("o-a", "o-b", "o-c"), 10, ("o", "a", "b", "c"), ("o-a",), 8)


@pytest.mark.parametrize(
    ("ceiling", "complaint"),
    [
        (replace(CEILING, wagons=9, most=7), "10 wagons, not 9"),
        (replace(CEILING, odd=("a", "b")), "odd nodes are others"),
        (replace(CEILING, left_out=(), most=10), "10 wagons is not ruled out"),
        (replace(CEILING, left_out=(), most=8), "sum is wrong"),
        (replace(CEILING, left_out=("o-b",), most=7), "leaving out 2 wagons is enough"),
        (replace(CEILING, left_out=("o-z",), most=8), "not free to be left out"),
        (replace(CEILING, left_out=None, most=0), "can be paired"),
        (replace(CEILING, routes=("o-a", "o-b")), "no ceiling"),
    ],
)
def test_a_ceiling_that_does_not_hold_is_refused(ceiling: UpperBound, complaint: str) -> None:
    with pytest.raises(ProofError, match=complaint):
        verify(STAR, GOOD, Certificate(8, Bounded((ceiling,))))


def test_the_right_ceiling_is_accepted() -> None:
    verify(STAR, GOOD, Certificate(8, Bounded((CEILING,))))


@pytest.mark.parametrize(
    ("certificate", "complaint"),
    [
        (Certificate(9, Bounded((CEILING,))), "another length"),
        (Certificate(8, Bounded(())), "no ceiling"),
        (Certificate(8, Bounded((CEILING, replace(CEILING, routes=("x",))))), "no piece"),
        (Certificate(8, CaseSplit("o-z", Bounded(()), Bounded(()))), "no route of this case"),
        (
            Certificate(
                8, CaseSplit("o-a", CaseSplit("o-a", Bounded(()), Bounded(())), Bounded(()))
            ),
            "told apart twice",
        ),
    ],
)
def test_an_argument_that_leaves_something_open_is_refused(
    certificate: Certificate, complaint: str
) -> None:
    with pytest.raises(ProofError, match=complaint):
        verify(STAR, GOOD, certificate)


def test_a_case_left_out_is_noticed() -> None:
    """Without its second half the proof of the three rings proves nothing."""
    edges = rings_on_a_star()
    trail = longest_trail(edges)
    whole = certify(edges, trail).argument
    assert isinstance(whole, CaseSplit)
    for half in (replace(whole, used=whole.unused), replace(whole, unused=whole.used)):
        with pytest.raises(ProofError):
            verify(edges, trail, Certificate(trail.length, half))
