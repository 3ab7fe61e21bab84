"""Results that wait and may be of a game that the organiser typed already: it would count twice."""

from collections.abc import Iterable, Sequence
from datetime import date

from web.hub.club_state import GameLine, PaperGame
from web.names import one_spelling

SAME_S = 12 * 3600.0
"""A game ends on one day and may be typed on the next."""


def typed_already(
    waiting: Iterable[GameLine], typed: Sequence[PaperGame]
) -> dict[GameLine, PaperGame]:
    """By result that nobody has confirmed, the game on paper that may be the same."""
    found = {
        game: next((one for one in typed if _may_be(game, one)), None)
        for game in waiting
        if not game.is_confirmed
    }
    return {game: one for game, one in found.items() if one is not None}


def _may_be(game: GameLine, typed: PaperGame) -> bool:
    """Whether all but one of its players are in a game typed for that day, or its points are."""
    days = {date.fromtimestamp(at_s) for at_s in (game.ended_s, typed.ended_s)}
    is_near = len(days) == 1 or abs(game.ended_s - typed.ended_s) < SAME_S
    if game.board != typed.board or not is_near:
        return False
    names = {one_spelling(person.name or "") for person, _, _ in typed.lines}
    here = [one_spelling((one.person and one.person.name) or one.name) for one in game.seats]
    points = sorted(own for _, own, _ in typed.lines)
    return sum(one in names for one in here) >= len(here) - 1 or points == sorted(
        one.points for one in game.seats
    )
