"""Who was drawn for a table whose result names them at no seat.

As long as that is so the game is not the tournament's, and somebody may sit there under the name of
another player of the club.
"""

from collections.abc import Sequence

from scoring.language.lists import join_names
from web.hub.club_frame import ClubSite
from web.hub.club_state import GameLine, TableResult, TournamentView
from web.names import one_spelling

RECENT = 3
"""Tournaments, the newest first, that a result may still be of."""


def not_named(pages_of: ClubSite, games: Sequence[GameLine]) -> dict[GameLine, str]:
    """The names of those who are missing in these results and are still here, by result."""
    if not games:
        return {}
    club, language = pages_of.club, pages_of.site.language
    evenings = [club.tournament(one.id) for one in club.tournaments()[:RECENT]]
    found = ((game, _missing(game, evenings)) for game in games if not game.is_of_tournament)
    return {game: join_names(names, language) for game, names in found if names}


def _missing(game: GameLine, evenings: Sequence[TournamentView]) -> list[str]:
    seated = [seat.person for seat in game.seats]
    for evening in evenings:
        last = evening.rounds[-1] if evening.rounds else None
        if last is None or (last.began_s or 0) > game.ended_s:
            continue
        here = [person for person, is_here in evening.entrants if is_here]
        for table in last.tables:
            is_of_it = one_spelling(table.name) == one_spelling(game.table)
            is_open = table.result is None or _has_points_of(game, table.result)
            if is_of_it and is_open and any(one in seated for one in table.people):
                missing = [one for one in table.people if one in here and one not in seated]
                return [one.name or "" for one in missing]
    return []


def _has_points_of(game: GameLine, result: TableResult) -> bool:
    """Whether it is this game, which somebody typed before its table could tell it."""
    typed = sorted(points for _, points, _ in result.lines)
    return typed == sorted(seat.points for seat in game.seats)
