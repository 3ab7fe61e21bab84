"""What a club knows of a finished game: who sat at it, and what the sheet says of each."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import RefusalError

FEWEST, MOST = 2, 5
"""Players at one game."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part in a game, as the sheet says it."""

    player: str
    points: int
    rank: int
    """1 for the winner; ties that the rules leave share one, and the next place is left out."""
    tickets_completed: int = 0
    longest_path: int | None = None
    """In wagons; None where the game has no map."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game."""

    id: str
    board: str
    ended_s: float
    seats: tuple[Seat, ...]


def check_seats(count: int, places: int = MOST) -> None:
    """Raise RefusalError where so many play: too few for a game that counts, or too many for it
    or for a board with so many places."""
    most = min(MOST, places)
    if not FEWEST <= count <= most:
        raise RefusalError("companion.club.seats", n=count, fewest=str(FEWEST), most=str(most))


def check_game(game: PlayedGame) -> None:
    """Raise RefusalError if the game counts for no rating: too few, too many or one twice."""
    check_seats(len(game.seats))
    players = [seat.player for seat in game.seats]
    twice = next((player for player in players if players.count(player) > 1), None)
    if twice is not None:
        raise RefusalError("companion.club.seated-twice", name=twice)


def in_order(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Games by the time of their end; those of one moment by their ids."""
    return sorted(games, key=lambda game: (game.ended_s, game.id))
