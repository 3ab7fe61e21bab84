"""Who has a part in two games that were played at the same time: one person, or two of one name."""

from collections.abc import Iterable, Iterator, Sequence

from web.hub.club_state import GameLine
from web.names import one_spelling

OVERLAP_S = 900.0
"""Two games share more than this: a sheet that is entered late, while its players sit at the next
table already, or a clock that is minutes ahead puts nobody in two places."""

LONGEST_S = 8 * 3600.0
"""No game lasts longer: its table's clock was behind when it began, and says nothing of where
somebody was."""


def at_once(
    waiting: Sequence[GameLine], games: Iterable[GameLine]
) -> dict[GameLine, list[tuple[str, str]]]:
    """By game that waits, each name there that sat at another table meanwhile, and that table."""
    others = list(games)
    found = ((game, list(_elsewhere(game, others))) for game in waiting)
    return {game: told for game, told in found if told}


def _elsewhere(game: GameLine, others: Sequence[GameLine]) -> Iterator[tuple[str, str]]:
    if not _is_timed(game):
        return
    for seat in game.seats:
        spelling = one_spelling(seat.name)
        for other in others:
            if other.table_id == game.table_id or _overlap_s(game, other) <= OVERLAP_S:
                continue
            if not _is_timed(other) or (other.began_s, other.board) == (game.began_s, game.board):
                continue  # one game: its log was put into another box, which tells it once more
            if any(
                one.person == seat.person if seat.person else one_spelling(one.name) == spelling
                for one in other.seats
            ):
                yield seat.name, other.table


def _is_timed(game: GameLine) -> bool:
    return game.ended_s - game.began_s <= LONGEST_S


def _overlap_s(one: GameLine, other: GameLine) -> float:
    return min(one.ended_s, other.ended_s) - max(one.began_s, other.began_s)
