"""Which of the doubtful routes could change the ranking at all, so that only those are asked.

What is asked is a *place*: one route, or lines of a double whose owners are asked about together.
A place is *decisive* if, for some owners of the other doubtful places, giving it to one of its
possible owners or to others gives different ranks. Once every decisive place is settled, the
others can be whatever they are: changing them one at a time never changes a rank.

With few possibilities all of them are scored. With many, players whose totals cannot reach each
other are told apart by bounds instead; the answer then may name a route too many but never one
too few. The bounds rest on this: with more routes a player's own points, completed tickets and
longest path only grow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, compress, product
from math import prod

from scoring.errors import AssumptionError
from scoring.game.game import Game, owner_index
from scoring.sheet.account import Account, account_of
from scoring.sheet.ranking import Standings, outcome

MOST_SCORED = 4096
"""Combinations of owners that are scored one by one unless a caller wants fewer; above, bounds
decide."""

Owner = str | None
"""A colour or a player's name; None for nobody."""


@dataclass(frozen=True, slots=True)
class Decisive:
    """The answer: `routes` in the order they were given; `exact` is False if bounds decided."""

    routes: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class DecisivePlaces:
    """The same for places, each by its lines."""

    places: tuple["Place", ...]
    exact: bool


Place = tuple[str, ...]
"""Lines that are asked about together."""

Owners = tuple[Owner, ...]
"""An owner for each line of a place, in the order of the lines."""

Indices = tuple[int | None, ...]

Options = Mapping[Place, tuple[Indices, ...]]
"""Possible owners of the lines of each doubtful place, as indices of players."""


def decisive_routes(
    game: Game, doubtful: Mapping[str, Sequence[Owner]], most_scored: int = MOST_SCORED
) -> Decisive:
    """The doubtful routes that could change the ranking; who has them in `game` doesn't matter.

    `doubtful` gives each route's possible owners. Up to `most_scored` combinations of them are
    scored; the time grows with their number. Raises AssumptionError where an owner doesn't play or
    a route isn't on the board.

    >>> from scoring.documents.game import parse_game
    >>> game = parse_game({"game": "usa", "players": [{"name": "Ada"}, {"name": "Ben"}]})
    >>> decisive_routes(game, {"denver--omaha": ["Ada", "Ben"]}).routes
    ('denver--omaha',)
    """
    places: dict[Place, list[Owners]] = {
        (route,): [(owner,) for owner in owners] for route, owners in doubtful.items()
    }
    found = decisive_places(game, places, most_scored)
    return Decisive(tuple(route for (route,) in found.places), found.exact)


def decisive_places(
    game: Game, doubtful: Mapping[Place, Sequence[Owners]], most_scored: int = MOST_SCORED
) -> DecisivePlaces:
    """The same for places: `doubtful` gives for each the possible owners of its lines together.

    Raises AssumptionError as `decisive_routes` does.

    >>> from scoring.documents.game import parse_game
    >>> game = parse_game({"game": "usa", "players": [{"name": "Ada"}, {"name": "Ben"}]})
    >>> decisive_places(game, {("denver--omaha",): [("Ada",), ("Ben",)]}).places
    (('denver--omaha',),)
    """
    options: Options = {
        place: tuple(dict.fromkeys(tuple(_index(game, one) for one in o) for o in owners))
        or ((None,) * len(place),)
        for place, owners in doubtful.items()
    }
    for route in _lines(options):
        if game.board is None or route not in game.board.route_by_id:
            raise AssumptionError("scoring.assumed.no-route", route=route, game=game.id)
    if any(player.stations for player in game.players):  # any route may be one that is lent
        several = tuple(place for place, owners in options.items() if len(owners) > 1)
        return DecisivePlaces(several, exact=False)
    bare = game.without(frozenset(_lines(options)))
    if prod(map(len, options.values())) <= most_scored:
        return DecisivePlaces(_by_scoring(bare, options), exact=True)
    return DecisivePlaces(_by_bounds(bare, options), exact=False)


def _lines(options: Options) -> tuple[str, ...]:
    return tuple(route for place in options for route in place)


def _index(game: Game, owner: Owner) -> int | None:
    return None if owner is None else owner_index(owner, game.players)


def _by_scoring(game: Game, options: Options) -> tuple[Place, ...]:
    """Score every combination; compare those that differ in one place only."""
    ranks_of: dict[tuple[Indices, ...], tuple[int, ...]] = {}
    scorer = _Scorer(game, _lines(options))
    for owners in product(*options.values()):
        ranks_of[owners] = scorer.ranks(tuple(chain.from_iterable(owners)))
    return tuple(place for number, place in enumerate(options) if _matters(ranks_of, number))


def _matters(ranks_of: Mapping[tuple[Indices, ...], tuple[int, ...]], number: int) -> bool:
    first: dict[tuple[Indices, ...], tuple[int, ...]] = {}
    for owners, ranks in ranks_of.items():
        others = owners[:number] + owners[number + 1 :]
        if first.setdefault(others, ranks) != ranks:
            return True
    return False


class _Scorer:
    """Ranks for given owners of the doubtful routes; each player's account is kept for reuse."""

    def __init__(self, game: Game, routes: tuple[str, ...]) -> None:
        self._game = game
        self._routes = routes
        self._kept: dict[tuple[int, tuple[str, ...]], Account] = {}

    def ranks(self, owners: Indices) -> tuple[int, ...]:
        """The players' ranks in their order."""
        accounts = [
            self._account(index, tuple(compress(self._routes, (o == index for o in owners))))
            for index in range(len(self._game.players))
        ]
        return outcome(self._game, accounts).ranking.ranks

    def _account(self, index: int, more: tuple[str, ...]) -> Account:
        key = index, more
        if key not in self._kept:
            self._kept[key] = _account_with(self._game, index, more)
        return self._kept[key]


def _account_with(game: Game, index: int, more: tuple[str, ...]) -> Account:
    player = game.players[index]
    return account_of(game, replace(player, routes=player.routes + more))


@dataclass(frozen=True, slots=True)
class _Range:
    """One player's lowest and highest possible total."""

    total: tuple[int, int]
    open_bonus: bool
    """Whether a bonus that compares the players' routes is still undecided for this player."""


def _by_bounds(game: Game, options: Options) -> tuple[Place, ...]:
    """Keep every place that might reach two players whose order is not settled."""
    ranges = _ranges(game, options)
    unsettled = {
        index
        for a, b in combinations(range(len(ranges)), 2)
        if not (ranges[a].total[0] > ranges[b].total[1] or ranges[b].total[0] > ranges[a].total[1])
        for index in (a, b)
    }
    any_bonus = any(ranges[index].open_bonus for index in unsettled)
    return tuple(
        place
        for place, owners in options.items()
        if len(owners) > 1
        and unsettled
        and (any_bonus or not unsettled.isdisjoint(chain.from_iterable(owners)))
    )


def _ranges(game: Game, options: Options) -> list[_Range]:
    indices = range(len(game.players))
    lows = [_account_with(game, index, ()) for index in indices]
    highs = [_account_with(game, index, _most_lines(options, index)) for index in indices]
    return [_range(game, lows, highs, index) for index in indices]


def _most_lines(options: Options, index: int) -> tuple[str, ...]:
    """Every line that a player may hold; more than the rules allow only widens the range."""
    return tuple(
        route
        for place, owners in options.items()
        for number, route in enumerate(place)
        if any(one[number] == index for one in owners)
    )


def _range(game: Game, lows: Sequence[Account], highs: Sequence[Account], index: int) -> _Range:
    """Best case: everything possible is this player's and nothing possible the others'."""
    worst_case, best_case = list(highs), list(lows)
    worst_case[index], best_case[index] = lows[index], highs[index]
    worst, best = outcome(game, worst_case), outcome(game, best_case)
    return _Range(
        total=(worst.totals[index], best.totals[index]),
        open_bonus=_points(worst, index) != _points(best, index),
    )


def _points(result: Standings, index: int) -> int:
    return sum(bonus.points for bonus in result.bonuses[index])
