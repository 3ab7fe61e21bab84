"""The result in figures: bonuses and totals, who won, and which rule decided it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.game.game import Game
from scoring.sheet.account import Account
from scoring.sheet.bonuses import Bonus, bonuses

SHARED = "shared"
"""Said of a tie that no rule breaks."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order of the players: `ranks` in the players' order, the best is 1, ties share one."""

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    tie_break: str | None
    """The rule that decided the victory, SHARED, or None where points alone did."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that has one entry a player stands in the players' order."""

    accounts: tuple[Account, ...]
    bonuses: tuple[tuple[Bonus, ...], ...]
    totals: tuple[int, ...]
    measures: Mapping[str, tuple[int, ...]]
    """What each rule of `TIE_BREAKS` counts, more being better."""
    ranking: Ranking


def outcome(game: Game, accounts: Sequence[Account]) -> Standings:
    """Compare the players' own accounts.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.sheet.account import account_of
    >>> ada, ben = {"name": "Ada", "routes": ["denver--omaha"]}, {"name": "Ben"}
    >>> game = parse_game({"game": "usa", "players": [ada, ben]})
    >>> outcome(game, [account_of(game, player) for player in game.players]).totals
    (17, 0)
    """
    awarded = bonuses(game, accounts)
    totals = tuple(
        account.route_points
        + account.ticket_points
        + account.flags * game.rules.bonuses.flag
        + account.by_hand
        + sum(bonus.points for bonus in own)
        for account, own in zip(accounts, awarded, strict=True)
    )
    measures = {
        "tickets": tuple(account.completed for account in accounts),
        "longest-path": tuple(account.trail.length if account.trail else 0 for account in accounts),
        "passengers": tuple(account.passengers for account in accounts),
        "bonus-cards": tuple(sum(bonus.kind == "big-city" for bonus in own) for own in awarded),
    }
    ranking = rank(totals, measures, game.tie_breaks)
    return Standings(tuple(accounts), awarded, totals, measures, ranking)


def rank(
    totals: Sequence[int], measures: Mapping[str, Sequence[int]], tie_breaks: Sequence[str]
) -> Ranking:
    """Order players by points, then by each tie-break's measure (more is better) in turn.

    >>> rank([20, 20, 5], {"tickets": [2, 3, 9]}, ["tickets"])
    Ranking(ranks=(2, 1, 3), winners=(1,), tie_break='tickets')
    """
    columns = (totals, *(measures[name] for name in tie_breaks))
    keys = list(zip(*columns, strict=True))
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    winners = tuple(index for index, place in enumerate(ranks) if place == 1)
    return Ranking(ranks, winners, _decider(totals, measures, tie_breaks))


def _decider(
    totals: Sequence[int], measures: Mapping[str, Sequence[int]], tie_breaks: Sequence[str]
) -> str | None:
    """The last rule that took somebody out of the lead; SHARED if more than one player stays."""
    top = [index for index, total in enumerate(totals) if total == max(totals)]
    decider: str | None = None
    for name in tie_breaks:
        best = max(measures[name][index] for index in top)
        left = [index for index in top if measures[name][index] == best]
        if len(left) < len(top):
            decider, top = name, left
    return SHARED if len(top) > 1 else decider
