"""Stations: which route of another player each of them lends, so that the tickets are worth most.

The rule is an edition's own (Europe's, as it is generally known): at the end a station lets its
owner use one route of another player that ends in its city, the same one for all of the owner's
tickets. It counts for tickets only, never for route points or the longest path. Every way of
borrowing is tried, so a player's choice is the best there is.

Where the most completed tickets give a bonus, the choice depends on the others'. Everybody starts
with the choice that is best without that bonus; then each in turn may change to one with a
strictly better result, until nobody wants to. The turns follow what the players hold, not where
they stand in the document.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType

from scoring.game.game import Game, Player
from scoring.sheet.account import tickets_done

MOST_ROUNDS = 20
"""Turns of changing one's mind, should the players chase each other in a circle."""


@dataclass(frozen=True, slots=True)
class Loan:
    """One way of borrowing: station city to route, with what the tickets are then worth."""

    routes: tuple[tuple[str, str], ...]
    points: int
    completed: int


def borrow_routes(game: Game) -> Game:
    """The same game with the best routes borrowed by everybody who has a station on the map.

    >>> from scoring.documents.game import parse_game
    >>> game = parse_game({"game": "usa", "players": [{"name": "Ada"}]})
    >>> borrow_routes(game) is game  # no stations there
    True
    """
    if game.board is None or not any(player.stations for player in game.players):
        return game
    loans = [_best_of_each_count(game, index) for index in range(len(game.players))]
    chosen = _settle(game, loans)
    players = tuple(
        replace(player, borrowed=MappingProxyType(dict(loan.routes)))
        for player, loan in zip(game.players, chosen, strict=True)
    )
    return replace(game, players=players)


def _best_of_each_count(game: Game, index: int) -> list[Loan]:
    """For every number of completed tickets the loan with the most points, fewest routes first."""
    best: dict[int, Loan] = {}
    for loan in _loans(game, index):
        known = best.get(loan.completed)
        if known is None or _order(loan) > _order(known):
            best[loan.completed] = loan
    return list(best.values())


def _order(loan: Loan) -> tuple[int, int]:
    """More points first, then fewer borrowed routes; the first found wins what is still tied."""
    return loan.points, -len(loan.routes)


def _loans(game: Game, index: int) -> Iterator[Loan]:
    """Every way of borrowing at most one route into each station's city."""
    player = game.players[index]
    options = [[(city, r) for r in _lendable(game, index, city)] for city in player.stations]
    for picked in product(*([None, *choices] for choices in options)):
        routes = tuple(pick for pick in picked if pick is not None)
        if len({route for _, route in routes}) == len(routes):
            yield _valued(game, player, routes)


def _lendable(game: Game, index: int, city: str) -> list[str]:
    """Routes into a city that somebody else holds."""
    assert game.board is not None, "stations stand on a map"
    owners = game.owner_by_route
    return [
        route.id
        for route in game.board.routes
        if city in route.ends and owners.get(route.id, index) != index
    ]


def _valued(game: Game, player: Player, routes: tuple[tuple[str, str], ...]) -> Loan:
    done = tickets_done(game, replace(player, borrowed=dict(routes)))
    values = (
        ticket.points if is_done else -ticket.points
        for ticket, is_done in zip(player.tickets, done, strict=True)
    )
    return Loan(routes, sum(values), sum(done))


def _settle(game: Game, loans: Sequence[Sequence[Loan]]) -> list[Loan]:
    """Every player's loan once nobody would change."""
    chosen = [max(own, key=lambda loan: (*_order(loan), loan.completed)) for own in loans]
    bonus = game.rules.bonuses.globetrotter
    for _ in range(MOST_ROUNDS if bonus else 0):
        before = list(chosen)
        for index in _turns(game):
            chosen[index] = _reconsidered(game, loans[index], chosen, index)
        if chosen == before:
            break
    return chosen


def _turns(game: Game) -> list[int]:
    """The players by what they hold; equal hands are told apart by name."""
    players = game.players
    return sorted(range(len(players)), key=lambda i: (sorted(players[i].routes), players[i].name))


def _reconsidered(game: Game, own: Sequence[Loan], chosen: Sequence[Loan], index: int) -> Loan:
    """The present loan unless another is strictly better against the others' present ones."""
    most = max((loan.completed for i, loan in enumerate(chosen) if i != index), default=0)
    needs_one = 1 if game.settings.globetrotter_needs_a_ticket else 0

    def worth(loan: Loan) -> tuple[int, int]:
        wins = loan.completed >= max(most, needs_one)
        return loan.points + wins * game.rules.bonuses.globetrotter, loan.completed

    better = max(own, key=worth)
    return better if worth(better) > worth(chosen[index]) else chosen[index]
