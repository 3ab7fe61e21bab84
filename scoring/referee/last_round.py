"""The last round: whether it has begun, who began it, and whose turn is the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game
from scoring.game.rules import LAST_ROUND_AT
from scoring.sheet.violations import pieces_left


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round has begun; names are those of the players."""

    low: tuple[str, ...]
    """Players with so few pieces left that they may have begun it, in the order of the game."""
    begun_by: str | None
    """Whoever began it; None where several may have."""
    turns: tuple[str, ...]
    """Every player's last turn in order, the one who began it last; empty where that is not
    known."""

    @property
    def last(self) -> str | None:
        """Whose turn is the last of the game (rulebook 000: everybody has one more turn, the
        player who began it too); None where that is not known."""
        return self.turns[-1] if self.turns else None


def last_round(
    game: Game, begun_by: str | None = None, seats: Sequence[str] | None = None
) -> LastRound | None:
    """The last round, or None where nobody is down to two pieces or the game has no pieces.

    `begun_by` is the player who got there first, where the table knows. `seats` are the players'
    names in the order of their turns, where that is not the order of the game's document.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "route_lengths": {"3": 5}}
    >>> found = last_round(parse_game({"game": "paris", "players": [ada, {"name": "Bo"}]}))
    >>> found.turns if found else None
    ('Bo', 'Ada')
    """
    low = tuple(
        player.name
        for player in game.players
        if (left := pieces_left(game, player)) is not None and left <= LAST_ROUND_AT
    )
    if not low:
        return None
    first = begun_by if begun_by in low else low[0] if len(low) == 1 else None
    order = [player.name for player in game.players] if seats is None else list(seats)
    turns: tuple[str, ...] = ()
    if first in order:
        after = order.index(first) + 1
        turns = (*order[after:], *order[:after])
    return LastRound(low, first, turns)


def wagons_left(game: Game) -> dict[str, int]:
    """Pieces that should still lie before each player; empty where the game has none.

    >>> from scoring.documents.game import parse_game
    >>> wagons_left(parse_game({"game": "usa", "players": [{"name": "Ada"}]}))
    {'Ada': 45}
    """
    left = {player.name: pieces_left(game, player) for player in game.players}
    return {name: count for name, count in left.items() if count is not None}
