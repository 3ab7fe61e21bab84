"""What weighing both witnesses at once (`fusion.py`) changes in the places that are doubted.

It takes questions away where it says the same as was read, and mends the reading of what is asked.
What was sure stays as it was read, and is asked about where the weighing is not.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.reading import Owner, RouteReading, Why
from vision.routes.account import Account, WagonMatch, matches_of
from vision.routes.connection_prior import likeliest
from vision.routes.fusion import weigh
from vision.routes.places import bag_of, places_of
from vision.routes.posterior import Posterior
from vision.routes.witness import ALIKE_TO_BOTH, MAY_BE_CONFIRMED, hold_against_wagons, may_be_print
from vision.spaces.evidence import SpaceEvidence


@dataclass(frozen=True, slots=True)
class SettlingLimits:
    """How sure the weighing must be; see docs/decisions/0040, 0046, 0047 and 0052."""

    settled: float = 0.93
    """A doubted place is settled from so much on."""
    settled_plain: float = 0.85
    """The same of a single line that somebody holds in neither black nor white: shadows and pale
    prints look like those two, nothing looks like the other colours."""
    settled_hidden: float = 0.985
    """The same of a place of which much is hidden: only a part of it is weighed. Where nothing is
    seen it hardly ever comes out so surely."""
    settled_against: float = 0.985
    """The same where the witnesses contradict each other, or the wagons do not clearly have their
    owner's colour; not of a double with a black line, where both may take a shadow for wagons."""
    own_colour: float = 0.75
    """The wagons of a settled claim have its owner's colour with this probability, in the mean:
    black and purple look alike under a warm lamp, to both witnesses,"""
    perhaps_black: float = 0.2
    """so what may be black's to this probability is asked about however sure the weighing is."""
    doubted: float = 0.9
    doubted_colour: float = 0.97
    """What nobody doubted is asked about where the weighing is less sure than the first, or than
    the second where the wagons do not clearly have the owner's colour."""
    doubted_black: float = 0.995
    found_black: float = 0.4
    """The same of a black line of a double whose other line is another player's, and on which black
    wagons are found less surely than the second, in the mean: the gap that wagons beside their
    boxes leave, and their shadow, look black."""
    mended: float = 0.5
    """A doubted place is read otherwise where another bag of owners is likelier than this."""


LIMITS = SettlingLimits()

LIKE_THE_BOARD = (None, "black", "white")
"""What a shadow, a dark frame or pale print may be taken for."""

MAY_BE_SETTLED = MAY_BE_CONFIRMED | {
    Why.WHITE_TRACE,
    Why.ROOF_COLOUR,
    Why.SHADOW,
    Why.STRAY_WAGON,
    Why.HIDDEN,
}
"""Doubts that the weighing has seen all of."""

CONTRADICTIONS = frozenset({Why.NO_WAGON})
"""What the witnesses contradict each other in. Wagons of two players on one route and a wagon that
stands for none stay questions however sure the weighing is: a person sees at once what it is."""


def settled_by_both(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    accounts: Sequence[Account],
    *,
    with_empty: bool,
) -> tuple[dict[str, RouteReading], Posterior]:
    """The routes as both witnesses read them, and how they weigh them together.

    `routes` are as their spaces alone decide; `accounts` are the wagons of each photo of one
    moment. `with_empty` says whether a photo of the empty board was beside them.
    """
    held = hold_against_wagons(routes, board, accounts)
    weighed = weigh(evidence, board, accounts, with_empty=with_empty)
    owners = (None, *evidence.colours)
    return settle_doubts(held, board, weighed, owners, accounts), weighed


def settle_doubts(
    routes: Mapping[str, RouteReading],
    board: Board,
    weighed: Posterior,
    owners: Sequence[Owner],
    accounts: Sequence[Account],
) -> dict[str, RouteReading]:
    """The routes after all places were weighed; `owners` are the posterior's, in order.

    `accounts` are the wagons of each photo.
    """
    matches = matches_of(accounts, routes, board)
    pale = _in_any(matches, _of_doubtful_colour)
    printed = _in_any(matches, _perhaps_print)
    dark = _in_any(matches, _perhaps_black) & pale
    black = _in_any(matches, _hardly_black)
    revised = dict(routes)
    for place in places_of(board):
        lines = [routes[name] for name in place]
        bag, chance = _likeliest_bag(place, weighed, owners)
        agrees = bag == bag_of(line.owner for line in lines)
        if not any(line.review for line in lines):
            least = LIMITS.doubted if pale.isdisjoint(place) else LIMITS.doubted_colour
            if not black.isdisjoint(place):
                least = LIMITS.doubted_black
            if not agrees or chance < least:
                doubted = _doubted_most(lines, weighed, owners)
                revised |= {line.route: replace(line, why=(Why.UNSURE,)) for line in doubted}
        elif agrees:
            if dark.isdisjoint(place) and chance >= _enough(bag, lines, pale | printed):
                revised |= {line.route: replace(line, why=()) for line in lines}
        elif chance > LIMITS.mended and not any(Why.HIDDEN in line.why for line in lines):
            anew = {line.route: _read_anew(line, weighed, owners) for line in lines}
            if bag == bag_of(line.owner for line in anew.values()):
                revised |= anew
    return revised


def _doubted_most(
    lines: Sequence[RouteReading], weighed: Posterior, owners: Sequence[Owner]
) -> list[RouteReading]:
    """The lines of a place that the weighing takes for another's, or else the least sure of all."""
    chances = {line.route: weighed.routes[line.route] for line in lines}
    others = [line for line in lines if owners[int(chances[line.route].argmax())] != line.owner]
    return others or [min(lines, key=lambda line: float(chances[line.route].max()))]


def _enough(bag: tuple[Owner, ...], lines: Sequence[RouteReading], pale: set[str]) -> float:
    """How sure the weighing of a doubted place must be; infinite where a person must be asked.

    `pale` are the lines whose wagons do not clearly have their owner's colour, or may be print.
    """
    doubts = {why for line in lines for why in line.why}
    if not doubts <= MAY_BE_SETTLED or not pale.isdisjoint(line.route for line in lines):
        black_in_double = len(bag) > 1 and ALIKE_TO_BOTH in bag
        outright = doubts <= MAY_BE_SETTLED | CONTRADICTIONS and not black_in_double
        return LIMITS.settled_against if outright else math.inf
    if Why.HIDDEN in doubts:
        return LIMITS.settled_hidden
    plain = len(bag) == 1 and bag[0] not in LIKE_THE_BOARD
    return LIMITS.settled_plain if plain else LIMITS.settled


def _in_any(
    matches: Iterable[WagonMatch], routes_of: Callable[[WagonMatch], Iterable[str]]
) -> set[str]:
    """The routes of which `routes_of` says it in any of the photos."""
    return set[str]().union(*map(routes_of, matches))


def _of_doubtful_colour(matched: WagonMatch) -> set[str]:
    """The claimed routes whose wagons do not clearly have their owner's colour."""
    return {
        name
        for name, route in matched.routes.items()
        if route.owner is not None
        and (hue := _mean_hue(matched, name, route.owner)) is not None
        and hue < LIMITS.own_colour
    }


def _perhaps_black(matched: WagonMatch) -> set[str]:
    """The claimed routes whose wagons may be black, whoever is read as their owner."""
    return {
        name
        for name in matched.routes
        if (hue := _mean_hue(matched, name, ALIKE_TO_BOTH)) is not None
        and hue > LIMITS.perhaps_black
    }


def _mean_hue(matched: WagonMatch, name: str, colour: str) -> float | None:
    """How much of a colour a route's own wagons have, in the mean; None where it has none."""
    own = matched.own(name)
    hues = matched.account.wagons.colours[own[own >= 0], COLOURS.index(colour)]
    return float(hues.mean()) if len(hues) else None


def _perhaps_print(matched: WagonMatch) -> set[str]:
    """The claimed routes whose wagon may be no more than the print."""
    return {name for name, route in matched.routes.items() if may_be_print(matched, route)}


def _hardly_black(matched: WagonMatch) -> set[str]:
    """The black lines beside another player's on which hardly a black wagon is found."""
    owner = {name: route.owner for name, route in matched.routes.items()}
    return {
        name
        for place in places_of(matched.board)
        if not {owner[name] for name in place} <= {ALIKE_TO_BOTH, None}
        for name in place
        if owner[name] == ALIKE_TO_BOTH and matched.found(name) < LIMITS.found_black
    }


def _likeliest_bag(
    names: tuple[str, ...], weighed: Posterior, owners: Sequence[Owner]
) -> tuple[tuple[Owner, ...], float]:
    if len(names) == 1:
        chances = weighed.routes[names[0]]
        return (owners[int(chances.argmax())],), float(chances.max())
    return max(weighed.bags[names].items(), key=lambda entry: entry[1])


def _read_anew(line: RouteReading, weighed: Posterior, owners: Sequence[Owner]) -> RouteReading:
    likely = likeliest(weighed.routes[line.route], owners)
    owner, confidence = likely[0]
    return replace(line, owner=owner, confidence=confidence, alternatives=likely)
