"""The vocabulary of the longest path: what goes in, what is found, and what proves it."""

from collections.abc import Iterator
from dataclasses import dataclass

Edge = tuple[str, str, str, int]
"""One route of the player's network: (route id, node, node, wagons)."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A longest trail.

    `length` is in wagons, `path` the route ids in travel order, `stops` the nodes passed in
    travel order: one more than routes, or none where there is no route.
    """

    length: int
    path: tuple[str, ...]
    stops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UpperBound:
    """An upper bound on trails within one connected component.

    `odd` are the component's odd nodes, `left_out` the cheapest routes that pair all of them but
    two (None: they cannot be paired at all), `wagons` those of the whole component.
    """

    routes: tuple[str, ...]
    wagons: int
    odd: tuple[str, ...]
    left_out: tuple[str, ...] | None
    most: int


@dataclass(frozen=True, slots=True)
class Bounded:
    """No trail of this case is longer: `bounds` has every component that a trail could lie in.

    There is none where routes that the trail has to use lie in different components.
    """

    bounds: tuple[UpperBound, ...]


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """Either the trail uses this route or it does not; each case has its own argument."""

    route: str
    used: "Argument"
    unused: "Argument"


Argument = Bounded | CaseSplit


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why nothing is longer than `length`."""

    length: int
    argument: Argument

    @property
    def is_one_bound(self) -> bool:
        """Whether one bound proves it, without a case split."""
        return isinstance(self.argument, Bounded)

    @property
    def cases(self) -> int:
        """How many cases the argument has."""
        return sum(1 for _ in bounded_cases(self.argument))


def bounded_cases(argument: Argument) -> Iterator[Bounded]:
    """The cases of an argument, those that use a route before those that do not.

    >>> split = CaseSplit("a-b", used=Bounded(()), unused=Bounded(()))
    >>> len(list(bounded_cases(split)))
    2
    """
    if isinstance(argument, Bounded):
        yield argument
    else:
        yield from bounded_cases(argument.used)
        yield from bounded_cases(argument.unused)
