"""What may be answered to a question: the owners of a place's lines, the likeliest first; pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from companion.session.state import State, doubtful_routes, lines_with, owner_of
from companion.table.questions import LIKELY, Owners, allowed_together, bag_of


@dataclass(frozen=True, slots=True)
class OwnersChoice:
    """One answer on offer, and how probable the camera thinks it (0 where it did not name it)."""

    owners: Owners
    probability: float


def choices_for(state: State, route: str) -> tuple[OwnersChoice, ...]:
    """The answers on offer where this route is in doubt, for all lines of its place at once.

    Of equals what the camera read comes first; it weighs all lines together and may have read what
    is not the likeliest here. Of several lines only the owners as a whole matter, so each
    combination stands there once. Unlikely combinations are left out unless they change one line
    of the first, or are what was read.
    """
    lines = lines_with(state, route)
    if len(lines) == 1:
        odds = line_odds(state, route)
        return tuple(OwnersChoice((owner,), p) for owner, p in odds.items())
    choices = _combinations(state, lines)
    first, read = Counter(choices[0].owners), _read(state, lines)
    return tuple(
        one
        for one in choices
        if one.probability >= LIKELY
        or (first - Counter(one.owners)).total() <= 1
        or Counter(one.owners) == read
    )


def line_odds(state: State, route: str) -> Mapping[str | None, float]:
    """Everybody who plays, and nobody, with the camera's odds for a line in doubt, likeliest first;
    of equals what was read."""
    playing = (None, *state.facts.colours)
    proposal = state.proposed.routes.get(route)
    if proposal is None:
        return {owner: float(owner is None) for owner in playing}
    said = proposal.odds
    order = sorted(dict.fromkeys((*said, *playing)), key=lambda owner: -said.get(owner, 0.0))
    return {owner: said.get(owner, 0.0) for owner in order if owner in playing}


def _settled_odds(state: State, line: str) -> Mapping[str | None, float]:
    """The odds of one of several lines: what a person has said of it stands."""
    if line in state.facts.answers and line not in doubtful_routes(state):
        return {owner_of(state, line): 1.0}
    return line_odds(state, line)


def _combinations(state: State, lines: tuple[str, ...]) -> list[OwnersChoice]:
    """Every combination of owners that the rules allow, by probability; of equals as read."""
    odds = [_settled_odds(state, line) for line in lines]
    ways: dict[frozenset[tuple[str | None, int]], list[OwnersChoice]] = {}
    for owners in allowed_together(odds):
        probability = prod(one[owner] for one, owner in zip(odds, owners, strict=True))
        ways.setdefault(bag_of(owners), []).append(OwnersChoice(owners, probability))
    whole = sum(way.probability for same in ways.values() for way in same) or 1.0
    choices = [_as_one(same, whole) for same in ways.values()]
    read = _read(state, lines)
    return sorted(choices, key=lambda one: (-one.probability, Counter(one.owners) != read))


def _as_one(ways: list[OwnersChoice], whole: float) -> OwnersChoice:
    """The same owners on whichever line: the likeliest way stands for all of them."""
    likeliest = max(ways, key=lambda way: way.probability)
    return OwnersChoice(likeliest.owners, sum(way.probability for way in ways) / whole)


def _read(state: State, lines: tuple[str, ...]) -> Counter[str | None]:
    """Who was read on these lines, and how often."""
    proposed = ((line, state.proposed.routes.get(line)) for line in lines)
    return Counter(owner_of(state, line) if one is None else one.owner for line, one in proposed)
