"""The result of a game in figures only: accounts, bonuses, totals and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game
from scoring.sheet.account import Tally
from scoring.sheet.bonuses import Bonus, bonuses
from scoring.sheet.ranking import Standing, rank


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that has one entry a player stands in the players' order."""

    tallies: tuple[Tally, ...]
    bonuses: tuple[tuple[Bonus, ...], ...]
    totals: tuple[int, ...]
    standing: Standing


def outcome(game: Game, tallies: Sequence[Tally]) -> Outcome:
    """Compare the players' own accounts."""
    awarded = bonuses(game, tallies)
    totals = tuple(
        tally.route_points
        + tally.ticket_points
        + tally.flags * game.rules.bonuses.flag
        + tally.by_hand
        + sum(bonus.points for bonus in own)
        for tally, own in zip(tallies, awarded, strict=True)
    )
    measures = {
        "tickets": [tally.completed for tally in tallies],
        "longest-path": [tally.trail.length if tally.trail else 0 for tally in tallies],
        "passengers": [tally.passengers for tally in tallies],
        "bonus-cards": [sum(bonus.kind == "big-city" for bonus in own) for own in awarded],
    }
    return Outcome(tuple(tallies), awarded, totals, rank(totals, measures, game.tie_breaks))
