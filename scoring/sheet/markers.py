"""Checks the wooden markers on the score track against the points of the routes on the board."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game
from scoring.sheet.account import Account


@dataclass(frozen=True, slots=True)
class MarkerCheck:
    """One typed marker, before tickets and bonuses are added to it."""

    name: str
    marker: int
    expected: int
    """Points that the board says were scored during play."""
    difference: int
    """Marker less board, the nearest way round the track; 0 where they agree."""

    def to_json(self) -> dict[str, object]:
        """The check's JSON document."""
        return {
            "name": self.name,
            "marker": self.marker,
            "expected": self.expected,
            "difference": self.difference,
            "agrees": self.difference == 0,
        }


def check_markers(game: Game, accounts: Sequence[Account]) -> tuple[MarkerCheck, ...]:
    """A check for every player whose marker was typed, where the game has a score track.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.sheet.account import account_of
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"], "marker": 9}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> check_markers(game, [account_of(game, game.players[0])])[0].difference  # the route gave 7
    2
    """
    checks: list[MarkerCheck] = []
    for player, account in zip(game.players, accounts, strict=True):
        if player.marker is not None and game.rules.score_track:
            expected = account.route_points + account.flags * game.rules.bonuses.flag
            off = _around(player.marker - expected, game.score_track)
            checks.append(MarkerCheck(player.name, player.marker, expected, off))
    return tuple(checks)


def _around(difference: int, track: int) -> int:
    """The difference by the shorter way round: a marker at 4 may mean 104 (rulebook 000)."""
    ahead = difference % track
    return ahead if ahead <= track // 2 else ahead - track
