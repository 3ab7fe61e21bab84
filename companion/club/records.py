"""Averages and bests, by board and by player."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.club.results import PlayedGame, Seat


@dataclass(frozen=True, slots=True)
class Best:
    """A record: whose it is, how much, and in which game."""

    player: str
    value: int
    game: str


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """What was played on one board."""

    board: str
    games: int
    mean_points: float
    highest: Best
    longest_path: Best | None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What one player did on one board; `board` is None for all boards together."""

    player: str
    board: str | None
    games: int
    wins: int
    mean_points: float
    best_points: int
    longest_path: int | None


def by_board(games: Iterable[PlayedGame]) -> tuple[BoardRecord, ...]:
    """One record a board, the most played first. Of equal bests the earlier one counts."""
    boards: dict[str, list[PlayedGame]] = {}
    for game in games:
        boards.setdefault(game.board, []).append(game)
    records = [_board_record(board, own) for board, own in boards.items()]
    return tuple(sorted(records, key=lambda one: (-one.games, one.board)))


def by_player(games: Iterable[PlayedGame], player: str) -> tuple[PlayerRecord, ...]:
    """A player's records: all boards together first, then each board, the most played first."""
    seats = [(game.board, seat) for game in games for seat in game.seats if seat.player == player]
    boards: dict[str, list[Seat]] = {}
    for board, seat in seats:
        boards.setdefault(board, []).append(seat)
    each = [_player_record(player, board, own) for board, own in boards.items()]
    each.sort(key=lambda one: (-one.games, one.board or ""))
    return (_player_record(player, None, [seat for _, seat in seats]), *each) if seats else ()


def _board_record(board: str, games: Sequence[PlayedGame]) -> BoardRecord:
    seats = [(game, seat) for game in games for seat in game.seats]
    paths = [
        Best(seat.player, seat.longest_path, game.id)
        for game, seat in seats
        if seat.longest_path is not None
    ]
    points = [Best(seat.player, seat.points, game.id) for game, seat in seats]
    return BoardRecord(
        board=board,
        games=len(games),
        mean_points=sum(best.value for best in points) / len(points),
        highest=max(points, key=lambda best: best.value),
        longest_path=max(paths, key=lambda best: best.value, default=None),
    )


def _player_record(player: str, board: str | None, seats: Sequence[Seat]) -> PlayerRecord:
    points = [seat.points for seat in seats]
    return PlayerRecord(
        player=player,
        board=board,
        games=len(seats),
        wins=sum(seat.rank == 1 for seat in seats),
        mean_points=sum(points) / len(points),
        best_points=max(points),
        longest_path=max(
            (seat.longest_path for seat in seats if seat.longest_path is not None), default=None
        ),
    )
