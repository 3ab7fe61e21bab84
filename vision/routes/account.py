"""Where the wagons of a photo stand beside its spaces, and for which claims they stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.reading import OCCLUDED, RouteReading
from vision.wagons.find import FoundWagons


@dataclass(frozen=True, slots=True)
class AccountLimits:
    """Which wagons may stand for a space; measured on states apart, see docs/decisions/0036."""

    along_mm: float = 17.0
    across_mm: float = 12.0
    turned_deg: float = 50.0
    """A wagon this near a space, and turned so little, may belong to it."""
    least_colour: float = 0.1
    """Its owner's colour has at least this probability in the wagon."""
    hardly_there: float = 0.2
    """One less sure than this is none."""


ACCOUNT_LIMITS = AccountLimits()


@dataclass(frozen=True, eq=False)
class Account:
    """What one photo's wagons say: whether each may stand for each space, and how well.

    `along`, `across` (N, M) are the wagons' places from the spaces', millimetres, `turned` (N, M)
    the angle between them in degrees, 0 to 90.
    """

    wagons: FoundWagons
    along: NDArray[np.float64]
    across: NDArray[np.float64]
    turned: NDArray[np.float64]

    @cached_property
    def cost(self) -> NDArray[np.float64]:
        """How badly each wagon fits each space (N, M)."""
        return np.asarray((self.along / 10) ** 2 + (self.across / 6) ** 2 + (self.turned / 30) ** 2)

    @cached_property
    def fits(self) -> NDArray[np.float64]:
        """How well each wagon fits each space that it may belong to, 0 for others; (N, M)."""
        return np.asarray(np.exp(-self.cost / 2) * near(self))


def account_of(wagons: FoundWagons) -> Account:
    """Where the wagons stand beside every space."""
    boxes = wagons.spaces_mm
    way = boxes[:, 1] + boxes[:, 2] - boxes[:, 0] - boxes[:, 3]
    way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    off = wagons.at_mm[None] - boxes.mean(axis=1)[:, None]
    along = (off * way[:, None]).sum(-1)
    across = off[..., 1] * way[:, None, 0] - off[..., 0] * way[:, None, 1]
    turn = np.arctan2(way[:, 1], way[:, 0])[:, None] - wagons.angles_rad[None]
    turned = np.degrees(np.abs(np.arcsin(np.clip(np.sin(turn), -1, 1))))
    return Account(wagons, along, across, turned)


def near(account: Account, across_mm: float = ACCOUNT_LIMITS.across_mm) -> NDArray[np.bool_]:
    """Which wagons may belong to which spaces, (N, M)."""
    return np.asarray(
        (np.abs(account.along) < ACCOUNT_LIMITS.along_mm)
        & (np.abs(account.across) < across_mm)
        & (account.turned < ACCOUNT_LIMITS.turned_deg)
    )


@dataclass(frozen=True, eq=False)
class WagonMatch:
    """One photo's wagons, matched to the spaces of the routes as they were read."""

    account: Account
    routes: Mapping[str, RouteReading]
    board: Board

    @cached_property
    def stands_for(self) -> NDArray[np.intp]:
        """The wagon that stands for each space of a claimed route, -1 for none; (N,).

        A greedy matching: a space has one wagon of its owner's colour at most, and a wagon one
        space; the best fits come first.
        """
        account, column = self.account, self._owner_columns
        fits = near(account) & (column >= 0)[:, None]
        fits &= account.wagons.chances > ACCOUNT_LIMITS.hardly_there
        fits &= ACCOUNT_LIMITS.least_colour < account.wagons.colours[:, column].T
        rows, found = np.nonzero(fits)
        wagon_of = np.full(self.board.space_count, -1)
        taken: set[int] = set()
        for k in np.argsort(account.cost[rows, found]):
            space, wagon = int(rows[k]), int(found[k])
            if wagon_of[space] < 0 and wagon not in taken:
                wagon_of[space] = wagon
                taken.add(wagon)
        return wagon_of

    @cached_property
    def _owner_columns(self) -> NDArray[np.intp]:
        """Where in `COLOURS` each space's owner stands, -1 where nobody claims it; (N,)."""
        column = np.full(self.board.space_count, -1)
        for name, spaces in self.board.spaces_of.items():
            owner = self.routes[name].owner
            if owner is not None:
                column[spaces] = COLOURS.index(owner)
        return column

    @cached_property
    def own_colour(self) -> NDArray[np.float64]:
        """How surely the wagon for each space has its owner's colour, 0 without one; (N,)."""
        colour, there = np.zeros(self.board.space_count), self.stands_for >= 0
        wagon, column = self.stands_for[there], self._owner_columns[there]
        colour[there] = self.account.wagons.colours[wagon, column]
        return colour

    @cached_property
    def found_on_spaces(self) -> NDArray[np.float64]:
        """How surely a wagon of its owner's colour stands on each space, 0 without one; (N,)."""
        found, there = np.zeros(self.board.space_count), self.stands_for >= 0
        wagon = self.stands_for[there]
        fits = np.exp(-self.account.cost[there, wagon] / 2)
        found[there] = self.account.wagons.chances[wagon] * fits * self.own_colour[there]
        return found

    def left_over(self, chance: float) -> NDArray[np.bool_]:
        """Which wagons are found more surely than this and stand for no claim, (M,)."""
        left = self.account.wagons.chances > chance
        left[self.stands_for[self.stands_for >= 0]] = False
        return left

    def own(self, name: str) -> NDArray[np.intp]:
        """The wagons that stand for a route's spaces, -1 for none."""
        return self.stands_for[self.board.spaces_of[name]]

    def found(self, name: str) -> float:
        """`found_on_spaces` of a claim's spaces that are seen, in the mean.

        1 where none is seen, or nobody claims it.
        """
        route = self.routes[name]
        seen = [space.label != OCCLUDED for space in route.spaces]
        if route.owner is None or not any(seen):
            return 1.0
        return float(self.found_on_spaces[self.board.spaces_of[name]][seen].mean())


def matches_of(
    accounts: Iterable[Account], routes: Mapping[str, RouteReading], board: Board
) -> list[WagonMatch]:
    """The wagons of each photo of one moment, matched to the routes as they were read."""
    return [WagonMatch(account, routes, board) for account in accounts]


def rows_of(spaces: slice, board: Board) -> range:
    """The numbers of those spaces."""
    return range(board.space_count)[spaces]
