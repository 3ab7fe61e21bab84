"""The last round: whether it has begun, who began it, and whose turn is the last."""

from collections.abc import Collection
from dataclasses import dataclass

from scoring.game.game import Game
from scoring.game.rules import LAST_ROUND_AT
from scoring.sheet.violations import pieces_left


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round has begun, or may have; names are those of the players."""

    low: tuple[str, ...]
    """Players who surely have so few pieces left that they may have begun it, in the order of the
    game; empty where it hangs on what is still asked about."""
    perhaps: tuple[str, ...]
    """Players who are so low only with the routes that are still asked about."""
    turns: tuple[str, ...]
    """Every player's last turn in order, the one who began it last; empty where that is not
    known."""

    @property
    def last(self) -> str | None:
        """Whose turn is the last of the game (rulebook 000: everybody has one more turn, the
        player who began it too); None where that is not known."""
        return self.turns[-1] if self.turns else None


def last_round(
    game: Game,
    begun_by: str | None = None,
    asked: Collection[str] = (),
) -> LastRound | None:
    """The last round, or None where nobody is down to two pieces or the game has no pieces.

    `asked` are the routes whose owner in the game is not sure yet.

    `begun_by` is the player who got there first, where the table knows. The players take their
    turns in the order of the game.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> last_round(game) is None  # 41 wagons are left
    True
    """
    all_low = _low(game)
    if not all_low:
        return None
    low = _low(game.without(asked))
    first = begun_by if begun_by in low else low[0] if len(low) == len(all_low) == 1 else None
    order = [player.name for player in game.players]
    turns: tuple[str, ...] = ()
    if first in order:
        after = order.index(first) + 1
        turns = (*order[after:], *order[:after])
    return LastRound(low, tuple(name for name in all_low if name not in low), turns)


def _low(game: Game) -> tuple[str, ...]:
    return tuple(name for name, left in wagons_left(game).items() if left <= LAST_ROUND_AT)


def wagons_left(game: Game) -> dict[str, int]:
    """Pieces that should still lie before each player; empty where the game has none.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> wagons_left(game)
    {'Ada': 41}
    """
    left = {player.name: pieces_left(game, player) for player in game.players}
    return {name: count for name, count in left.items() if count is not None}
