"""Ratings of players, from all games in the order in which they ended.

The model is Plackett-Luce as Weng and Lin made it Bayesian (A Bayesian Approximation Method for
Online Ranking, JMLR 2011), by the library openskill. It takes games of any number of players and
ties as they are. Nothing is kept: games are rated anew, so a corrected game corrects everything.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from companion.club.results import PlayedGame, check_game, in_order

MEAN, DEVIATION = 25.0, 25.0 / 3
"""What is supposed of somebody who has not played."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a player's games say about their strength, and how surely."""

    player: str
    mean: float
    deviation: float
    games: int

    @property
    def margin(self) -> float:
        """Half the width of the interval that holds the strength with 95 %."""
        return 2 * self.deviation

    @property
    def surely(self) -> float:
        """The strength that the player has almost surely; the order of a table of ratings."""
        return self.mean - 3 * self.deviation


def rate(games: Iterable[PlayedGame]) -> tuple[Rating, ...]:
    """Everybody's rating, the best first. Raises RefusalError for a game of one or of six."""
    model = PlackettLuce(mu=MEAN, sigma=DEVIATION)
    known: dict[str, PlackettLuceRating] = {}
    played: dict[str, int] = {}
    for game in in_order(games):
        check_game(game)
        teams = [[known.get(seat.player) or model.rating()] for seat in game.seats]
        rated = model.rate(teams, ranks=[float(seat.rank) for seat in game.seats])
        for seat, (rating,) in zip(game.seats, rated, strict=True):
            known[seat.player] = rating
            played[seat.player] = played.get(seat.player, 0) + 1
    all_rated = [
        Rating(player, rating.mu, rating.sigma, played[player]) for player, rating in known.items()
    ]
    return tuple(sorted(all_rated, key=lambda one: (-one.surely, one.player)))
