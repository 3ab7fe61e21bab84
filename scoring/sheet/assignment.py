"""The Card Game's assignment problem, solved exactly: which tickets to complete from one pile.

Cards of one colour are alike and a locomotive stands for any card, so a set of tickets can be
completed together exactly if the cards that it lacks colour by colour, added up, are no more
than the locomotives (rulebook 003: each card serves one ticket). The search goes through the
tickets one by one, most points per card first, and takes or leaves each. It prunes by an upper
bound (the remaining cards spent at the best remaining rate of points, and every bonus still in
reach) and never visits the same remaining pile twice unless with a better value so far.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.game.rules import LOCOMOTIVE

POINT, TICKET, BONUS_CARD = 10_000, 100, 1
"""Weights of the goals: points first, then completed tickets, then bonus cards (tie-breaks)."""


@dataclass(frozen=True, slots=True)
class Job:
    """A ticket that may be completed."""

    points: int
    """Added if completed, subtracted if not."""
    recipe: Mapping[str, int]
    cities: frozenset[str] = frozenset()
    """Places that it names."""


@dataclass(frozen=True, slots=True)
class Prize:
    """A big city's card, for whoever completes at least `needed` more tickets that name it."""

    city: str
    points: int
    needed: int


@dataclass(frozen=True, slots=True)
class Allotment:
    """Cards laid on one ticket, and those that it still lacks."""

    cards: Mapping[str, int]
    lacks: Mapping[str, int]


def best_selection(
    pile: Mapping[str, int], jobs: Sequence[Job], prizes: Sequence[Prize] = ()
) -> tuple[bool, ...]:
    """The tickets to complete for the best final result, in the order of `jobs`.

    >>> cheap, dear = Job(5, {"red": 1}), Job(9, {"red": 2})
    >>> best_selection({"red": 2}, [cheap, dear])
    (False, True)
    """
    return _Search(pile, jobs, prizes).run()


def worth(jobs: Sequence[Job], prizes: Sequence[Prize], done: Sequence[bool]) -> int:
    """What a selection is worth in weighted goals; selections of the same jobs compare by it.

    >>> job = Job(5, {"red": 1})
    >>> worth([job], [], [True]) > worth([job], [], [False])
    True
    """
    chosen = [job for job, is_done in zip(jobs, done, strict=True) if is_done]
    named = Counter(city for job in chosen for city in job.cities)
    won = [prize for prize in prizes if named[prize.city] >= prize.needed]
    return sum(map(_gain, chosen)) + sum(map(_prize, won))


def lay_out(
    pile: Mapping[str, int], jobs: Sequence[Job], done: Sequence[bool]
) -> tuple[Allotment, ...]:
    """Which cards go to which ticket, and what each ticket left over lacks of the rest.

    >>> (allotment,) = lay_out({"red": 1, "locomotive": 1}, [Job(9, {"red": 2})], [True])
    >>> allotment.cards
    {'red': 1, 'locomotive': 1}
    """
    left = dict(pile)
    laid = {i: _allot(left, jobs[i].recipe) for i, is_done in enumerate(done) if is_done}
    return tuple(laid.get(i) or _lack(left, job.recipe) for i, job in enumerate(jobs))


def _lack(left: Mapping[str, int], recipe: Mapping[str, int]) -> Allotment:
    """A ticket left over keeps no card; each such ticket is measured against the whole rest."""
    return Allotment({}, _allot(dict(left), recipe).lacks)


def _allot(left: dict[str, int], recipe: Mapping[str, int]) -> Allotment:
    """Take a recipe's cards out of `left`, locomotives only for what the colours lack."""
    taken: Counter[str] = Counter()
    lacks: dict[str, int] = {}
    for colour, count in recipe.items():
        for kind in (colour, LOCOMOTIVE):
            found = min(count, left.get(kind, 0))
            if found:
                taken[kind] += found
                left[kind] -= found
                count -= found
        if count:
            lacks[colour] = count
    return Allotment(dict(taken), lacks)


def _gain(job: Job) -> int:
    """Completing swings the result by twice the value: added instead of subtracted."""
    return 2 * job.points * POINT + TICKET


def _prize(prize: Prize) -> int:
    return prize.points * POINT + BONUS_CARD


Rest = tuple[int, ...]
"""Cards left by colour, locomotives last."""


class _Search:
    """Depth first over the jobs; `_best` is the worth of the best selection found so far."""

    def __init__(
        self, pile: Mapping[str, int], jobs: Sequence[Job], prizes: Sequence[Prize]
    ) -> None:
        named = {colour for job in jobs for colour in job.recipe}
        self._colours = sorted(named - {LOCOMOTIVE})
        self._prizes = prizes
        self._order = sorted(range(len(jobs)), key=lambda i: -_rate(jobs[i]))
        self._jobs = [jobs[i] for i in self._order]
        self._needs = [self._need(job.recipe) for job in self._jobs]
        self._named = [tuple(p.city in job.cities for p in prizes) for job in self._jobs]
        self._named_prizes = [[i for i, is_in in enumerate(row) if is_in] for row in self._named]
        self._sparse = [[(i, n) for i, n in enumerate(need) if n] for need in self._needs]
        self._sizes = [sum(need) for need in self._needs]
        self._gains = [_gain(job) for job in self._jobs]
        self._demand_after = self._suffix_demand()
        self._start: Rest = tuple(pile.get(c, 0) for c in (*self._colours, LOCOMOTIVE))
        self._knapsack = self._best_by_cards()
        self._best = -1
        self._chosen: tuple[int, ...] = ()
        self._seen: dict[tuple[int, Rest, tuple[int, ...]], int] = {}

    def run(self) -> tuple[bool, ...]:
        """Which jobs to do, in the caller's order."""
        self._visit(0, self._start, (0,) * len(self._prizes), 0, ())
        done = {self._order[place] for place in self._chosen}
        return tuple(index in done for index in range(len(self._order)))

    def _visit(
        self, place: int, rest: Rest, counts: tuple[int, ...], value: int, chosen: tuple[int, ...]
    ) -> None:
        """Take or leave the job at `place`; `value` is without prizes."""
        if place == len(self._jobs):
            self._keep(value + self._won(counts), chosen)
            return
        rest = self._useful(place, rest)
        key = (place, rest, counts)
        if (
            self._seen.get(key, -1) >= value
            or value + self._ceiling(place, rest, counts) <= self._best
        ):
            return
        self._seen[key] = value
        after = _spend(rest, self._needs[place])
        if after is not None:
            more = tuple(n + named for n, named in zip(counts, self._named[place], strict=True))
            self._visit(place + 1, after, more, value + self._gains[place], (*chosen, place))
        self._visit(place + 1, rest, counts, value, chosen)

    def _keep(self, value: int, chosen: tuple[int, ...]) -> None:
        if value > self._best:
            self._best, self._chosen = value, chosen

    def _won(self, counts: tuple[int, ...]) -> int:
        return sum(
            _prize(prize)
            for prize, count in zip(self._prizes, counts, strict=True)
            if count >= prize.needed
        )

    def _useful(self, place: int, rest: Rest) -> Rest:
        """The rest of the pile without cards that no later job asks for."""
        demand = self._demand_after[place]
        return tuple(min(have, ask) for have, ask in zip(rest, demand, strict=True))

    def _ceiling(self, place: int, rest: Rest, counts: tuple[int, ...]) -> int:
        """What the jobs from `place` on can add at most, every prize in reach won."""
        fitting = [i for i in range(place, len(self._jobs)) if _fits(rest, self._sparse[i])]
        left = self._spendable(rest, fitting)
        whole = self._knapsack[place][left]
        divided = 0
        reach = list(counts)
        for index in fitting:
            for number in self._named_prizes[index]:
                reach[number] += 1
            size, gain = self._sizes[index], self._gains[index]
            if left > 0:
                divided += gain if size <= left else -(-gain * left // size)
                left -= size
        return min(whole, divided) + self._won(tuple(reach))

    def _spendable(self, rest: Rest, fitting: Sequence[int]) -> int:
        """Cards that the fitting jobs could use at most, each locomotive included."""
        demand = [0] * len(rest)
        for index in fitting:
            for colour, count in self._sparse[index]:
                demand[colour] += count
        coloured = sum(map(min, rest[:-1], demand))
        return min(coloured + rest[-1], sum(demand))

    def _best_by_cards(self) -> list[list[int]]:
        """Most worth of the jobs from each place on, by number of cards, colours ignored."""
        row = [0] * (sum(self._start) + 1)
        rows = [row]
        for size, gain in zip(self._sizes[::-1], self._gains[::-1], strict=True):
            row = [
                max(value, row[cards - size] + gain) if cards >= size else value
                for cards, value in enumerate(row)
            ]
            rows.append(row)
        return rows[::-1]

    def _need(self, recipe: Mapping[str, int]) -> Rest:
        return tuple(recipe.get(colour, 0) for colour in (*self._colours, LOCOMOTIVE))

    def _suffix_demand(self) -> list[Rest]:
        """For each place, the cards that its job and all later ones need; locomotives fit all."""
        demand = [0] * (len(self._colours) + 1)
        after: list[Rest] = []
        for need in reversed(self._needs):
            demand = [ask + count for ask, count in zip(demand, need, strict=True)]
            after.append((*demand[:-1], sum(demand)))
        return after[::-1]


def _rate(job: Job) -> float:
    return _gain(job) / sum(job.recipe.values())


def _spend(rest: Rest, need: Rest) -> Rest | None:
    """The rest after one job's cards, or None where even the locomotives don't suffice."""
    jokers = rest[-1] - need[-1]
    left: list[int] = []
    for have, count in zip(rest[:-1], need[:-1], strict=True):
        if have < count:
            jokers -= count - have
        left.append(max(have - count, 0))
    return None if jokers < 0 else (*left, jokers)


def _fits(rest: Rest, need: Sequence[tuple[int, int]]) -> bool:
    """Whether one job alone can be done from the rest; `need` is (colour, count)."""
    jokers = rest[-1]
    joker = len(rest) - 1
    for colour, count in need:
        if colour == joker:
            jokers -= count
        elif count > rest[colour]:
            jokers -= count - rest[colour]
    return jokers >= 0
