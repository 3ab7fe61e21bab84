"""Holds what was read of the routes against the wagons that were found: each must be accounted for.

The two see the same photo with other eyes. One looks at every printed space and says what is on it
(`vision/spaces`), the other finds wagons wherever they stand (`vision/wagons`). Where they agree a
reading is surer than either alone; where they do not, a person is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.reading import OCCLUDED, Owner, RouteReading, Why
from vision.routes.account import (
    ACCOUNT_LIMITS,
    Account,
    WagonMatch,
    matches_of,
    near,
    rows_of,
)
from vision.routes.places import places_of
from vision.routes.review import asked_also


@dataclass(frozen=True, slots=True)
class WitnessLimits:
    """How the wagons that were found count; measured on states apart, see docs/decisions/0036."""

    loose: float = 0.35
    """A wagon as sure as this that stands for no claimed route is asked about,"""
    loose_like_print: float = 0.62
    like_print_deg: float = 10.0
    """or as sure as the first, where it has the colour of the free space's print, or might be a
    track piece, and lies along it within the second: frames and lines of the print are found as
    wagons of its colour, 0.35 to 0.6,"""
    beside_mm: float = 4.5
    beside_deg: float = 10.0
    """if it lies so far across a free space, or is turned so much: what lies exactly on a printed
    box may be no more than the print, which the reading of spaces tells better."""
    seen_black: float = 0.2
    seen_black_on_track: float = 0.4
    """A black claim of several spaces on which wagons are found less surely than this, in the mean,
    is asked about: dark frames and shadows are taken for black wagons, and where boards have them,
    bare track pieces."""
    white_found: float = 0.25
    white_read: float = 0.001
    """A free single space is asked about where a white wagon is found as surely as the first and
    its reading shows as much white as the second: white on pale print is what both overlook."""
    own_along_mm: float = 9.0
    own_across_mm: float = 7.0
    own_turned_deg: float = 30.0
    """A wagon this near its space confirms it,"""
    own_across_in_double_mm: float = 4.5
    """and across a line of a double no farther than this: half-way is the line beside it."""
    own_chance: float = 0.45
    own_colour: float = 0.8
    """A confirming wagon is as sure as this, and of its owner's colour."""
    least_confidence: float = 0.8
    """Readings less sure than this are not confirmed by anything."""
    missed: float = 0.15
    """A claim on whose spaces its owner's wagons are found less surely, in the mean, lacks them; of
    21,780 true ones, many on crowded tables by a lamp, 1 in 40 does (docs/decisions/0070)."""
    least_free: float = 0.97
    """The same of a reading that a place is free: what was not found may still be there."""


LIMITS = WitnessLimits()

MAY_BE_CONFIRMED = frozenset(
    {
        Why.UNSURE,
        Why.WARY_BOARD,
        Why.SINGLE_SPACE,
        Why.NEIGHBOUR,
        Why.GLARE,
        Why.OTHER_LINE,
    }
)
"""Doubts that say no more than that something is not certain enough."""

ALIKE_TO_BOTH = "black"
"""What shadows and bare track pieces look like to both witnesses: neither confirms the other."""


WITHOUT_HUE = frozenset({"black", "grey", "white"})


def hold_against_wagons(
    routes: Mapping[str, RouteReading], board: Board, accounts: Sequence[Account]
) -> dict[str, RouteReading]:
    """The routes after the wagons of one moment's photos were held against them.

    What every photo's wagons contradict is asked about, and what any photo's confirm is not, where
    only certainty was missing. There is at least one account.
    """
    matches = matches_of(accounts, routes, board)
    contradicted = [_contradictions(matched) for matched in matches]
    confirmed = set[str]().union(*(_confirmed(matched) for matched in matches))
    asked = {
        name: why
        for name, why in contradicted[0].items()
        if all(name in others for others in contradicted[1:])
    }
    return {
        name: _revised(route, asked.get(name), name in confirmed) for name, route in routes.items()
    }


def _revised(route: RouteReading, doubt: "Contradiction | None", confirmed: bool) -> RouteReading:
    if doubt is None:
        return replace(route, why=()) if confirmed else route
    if route.review:
        return route
    return replace(route, why=(doubt.why,), alternatives=with_colour(route, doubt.colour))


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why the wagons speak against a route's reading, and whose they are, if anybody's."""

    why: Why
    colour: str | None


def with_colour(route: RouteReading, colour: str | None) -> tuple[tuple[Owner, float], ...]:
    """The likely owners, the wagons' colour among the first two."""
    if colour is None or any(owner == colour for owner, _ in route.alternatives[:2]):
        return route.alternatives
    others = [(owner, p) for owner, p in route.alternatives if owner != colour]
    half = others[0][1] / 2
    return ((others[0][0], half), (colour, half), *others[1:2])


def _contradictions(matched: WagonMatch) -> dict[str, Contradiction]:
    """The sure routes whose reading leaves a wagon over, or lacks most of its own."""
    sure = [route for route in matched.routes.values() if not route.review]
    unseen = {
        route.route: Contradiction(Why.NO_WAGON, None)
        for route in sure
        if _is_unseen(matched, route)
    }
    white = {
        route.route: Contradiction(Why.WHITE_TRACE, "white")
        for route in sure
        if _shows_white(matched, route)
    }
    return unseen | white | _loose(matched)


def _loose(matched: WagonMatch) -> dict[str, Contradiction]:
    """The free routes beside which a wagon lies that stands for no claimed one.

    Where a route that it may belong to is asked about already, that question is enough.
    """
    account, routes, board = matched.account, matched.routes, matched.board
    names = [name for name, spaces in board.spaces_of.items() for _ in rows_of(spaces, board)]
    beside = near(account)
    found = {}
    for wagon in np.flatnonzero(matched.left_over(LIMITS.loose)):
        rows = np.flatnonzero(beside[:, wagon])
        if not len(rows) or any(routes[names[row]].review for row in rows):
            continue
        nearest = int(rows[account.cost[rows, wagon].argmin()])
        route = routes[names[nearest]]
        colour = COLOURS[int(account.wagons.colours[wagon].argmax())]
        turned = float(account.turned[nearest, wagon])
        off_its_box = (
            abs(account.across[nearest, wagon]) > LIMITS.beside_mm or turned > LIMITS.beside_deg
        )
        along_print = turned < LIMITS.like_print_deg and _like_print(colour, route.route, board)
        if along_print and account.wagons.chances[wagon] < LIMITS.loose_like_print:
            continue
        if route.owner is None and off_its_box and colour in route.spaces[0].probabilities:
            found[route.route] = Contradiction(Why.LOOSE_WAGON, colour)
    return found


def _like_print(colour: str, name: str, board: Board) -> bool:
    """Whether a wagon of a colour looks like the print of a route: its own colour, or where both
    have no hue, another brightness of it. A track piece on the track bed has any colour."""
    both = {board.route_by_id[name].colour, colour}
    return len(both) == 1 or both <= WITHOUT_HUE or name in board.track_lines


def may_be_print(matched: WagonMatch, route: RouteReading) -> bool:
    """Whether both witnesses may take the print of a single space, or a track piece, for a wagon of
    its colour: it is found no more surely than those are."""
    if (
        route.owner is None
        or len(route.spaces) > 1
        or not _like_print(route.owner, route.route, matched.board)
    ):
        return False
    wagon = matched.own(route.route)[0]
    return bool(wagon >= 0 and matched.account.wagons.chances[wagon] < LIMITS.loose_like_print)


def _is_unseen(matched: WagonMatch, route: RouteReading) -> bool:
    """Whether a claim by black lacks the wagons that it should have."""
    seen = np.array([space.label != OCCLUDED for space in route.spaces])
    if route.owner != ALIKE_TO_BOTH or len(route.spaces) < 2 or not seen.any():
        return False
    own = matched.own(route.route)[seen]
    chance = np.append(matched.account.wagons.chances, 0.0)[own].mean()  # -1, none, is the last
    on_track = route.route in matched.board.track_lines
    return bool(chance < (LIMITS.seen_black_on_track if on_track else LIMITS.seen_black))


def missed(
    names: Iterable[str],
    routes: Mapping[str, RouteReading],
    board: Board,
    accounts: Sequence[Account],
) -> list[str]:
    """Those claims of whose wagons hardly one is found in any of one moment's photos that no other
    claim needs."""
    matches = matches_of(accounts, routes, board)
    return [
        name for name in names if all(matched.found(name) < LIMITS.missed for matched in matches)
    ]


def ask_about_missed(
    routes: Mapping[str, RouteReading], board: Board, accounts: Sequence[Account]
) -> dict[str, RouteReading]:
    """The routes; doubted is also whoever was read where no wagon of theirs is.

    The next line's wagon may lie over it, or the print have that colour by a lamp. Not so black
    ones, of which too many are overlooked.
    """
    claims = [name for name, r in routes.items() if r.owner not in (None, ALIKE_TO_BOTH)]
    return asked_also(routes, missed(claims, routes, board, accounts), Why.NO_WAGON)


def ask_about_other_colours(
    routes: Mapping[str, RouteReading],
    board: Board,
    accounts: Sequence[Account],
    colours: Sequence[str],
) -> dict[str, RouteReading]:
    """The routes; doubted is also a single space whose wagon rather has the colour of another one
    of the players, `colours`, in every photo: two that stand side by side are found as one."""
    columns = [COLOURS.index(colour) for colour in colours]
    matches, doubted = matches_of(accounts, routes, board), dict(routes)
    for name, route in routes.items():
        if route.review or route.owner is None or len(route.spaces) > 1:
            continue
        looks = {
            colours[int(matched.account.wagons.colours[wagon, columns].argmax())]
            for matched in matches
            for wagon in matched.own(name)
            if wagon >= 0
        }
        if len(looks) == 1 and route.owner not in looks:
            why, found = Why.ROOF_COLOUR, with_colour(route, looks.pop())
            doubted[name] = replace(route, why=(why,), alternatives=found)
    return doubted


def _shows_white(matched: WagonMatch, route: RouteReading) -> bool:
    """Whether a free single space has a trace of a white wagon to both witnesses."""
    alone, wagons = route.spaces[0], matched.account.wagons
    if route.owner is not None or len(route.spaces) > 1:
        return False
    white = wagons.chances * wagons.colours[:, COLOURS.index("white")]
    near_it = near(matched.account)[matched.board.spaces_of[route.route]][0]
    found = white[near_it].max(initial=0.0)
    return bool(
        found > LIMITS.white_found and alone.probabilities.get("white", 0.0) > LIMITS.white_read
    )


def _confirmed(matched: WagonMatch) -> set[str]:
    """The lines of doubtful places of which the wagons say the same as what was read."""
    return {
        name
        for place in places_of(matched.board)
        if _may_be_confirmed([matched.routes[name] for name in place])
        and all(_agrees(matched, matched.routes[name], in_double=len(place) > 1) for name in place)
        for name in place
    }


def _may_be_confirmed(lines: Sequence[RouteReading]) -> bool:
    return (
        any(line.review for line in lines)
        and all(MAY_BE_CONFIRMED.issuperset(line.why) for line in lines)
        and all(line.owner != ALIKE_TO_BOTH for line in lines)
        and all(line.confidence >= _least(line) for line in lines)
    )


def _least(line: RouteReading) -> float:
    return LIMITS.least_free if line.owner is None else LIMITS.least_confidence


def _agrees(matched: WagonMatch, route: RouteReading, *, in_double: bool) -> bool:
    """Whether each space has its own wagon, or none of a free line has one near."""
    account = matched.account
    rows = np.array(rows_of(matched.board.spaces_of[route.route], matched.board))
    across = LIMITS.own_across_in_double_mm if in_double else LIMITS.own_across_mm
    if route.owner is None:
        wagons = account.wagons.chances > ACCOUNT_LIMITS.hardly_there
        reach = across if in_double else ACCOUNT_LIMITS.across_mm
        return not (near(account, reach)[rows] & wagons).any()
    own = matched.own(route.route)
    if (own < 0).any():
        return False
    return bool(
        not may_be_print(matched, route)
        and np.all(np.abs(account.along[rows, own]) < LIMITS.own_along_mm)
        and np.all(np.abs(account.across[rows, own]) < across)
        and np.all(account.turned[rows, own] < LIMITS.own_turned_deg)
        and np.all(account.wagons.chances[own] > LIMITS.own_chance)
        and np.all(account.wagons.colours[own, COLOURS.index(route.owner)] > LIMITS.own_colour)
    )
