"""Standings and tournament evenings as the pages show them: with people instead of keys."""

from collections.abc import Mapping, Sequence

from companion.club.results import PlayedGame
from companion.club.seating import Seating
from companion.club.standings import Standing
from companion.club.tournament import Round, Tournament
from companion.hub.club.forgetting import key_of
from companion.hub.club.player_keys import id_of
from web.hub import club_state as club
from web.names import one_spelling
from web.table_state import ClubRound

Names = Mapping[int, club.Person]
"""Everybody by id."""


def counted_games(games: Sequence[PlayedGame], names: Names) -> tuple[club.CountedGame, ...]:
    """Games that count with people for keys, the best of each first."""
    return tuple(
        club.CountedGame(
            game.board,
            game.ended_s,
            tuple(
                (names[id_of(seat.player)], seat.points, seat.rank)
                for seat in sorted(game.seats, key=lambda seat: seat.rank)
            ),
        )
        for game in games
    )


def standing_lines(table: Sequence[Standing], names: Names) -> tuple[club.StandingLine, ...]:
    """A table of standings with people for keys; who shares a place stands there by name."""
    lines = [
        club.StandingLine(
            names[id_of(one.player)],
            one.place,
            one.games,
            one.wins,
            one.place_points,
            one.points,
        )
        for one in table
    ]
    return tuple(sorted(lines, key=lambda one: (one.place, key_of(one.person.name or ""))))


def tournament_view(id: int, name: str, evening: Tournament, names: Names) -> club.TournamentView:
    """A tournament evening as its page shows it."""
    return club.TournamentView(
        id=id,
        name=name,
        minutes=evening.minutes,
        tables=tuple(club.TournamentTable(one.name, one.board) for one in evening.tables),
        entrants=tuple((names[id_of(one)], one in evening.here) for one in evening.entrants),
        rounds=tuple(
            _round_view(number, one, evening, names) for number, one in enumerate(evening.rounds, 1)
        ),
        standings=standing_lines(evening.standings(), names),
        open_tables=evening.open_tables,
        can_redraw=evening.can_redraw,
    )


def rounds_under_way(view: club.TournamentView) -> dict[str, ClubRound]:
    """The round of each table that still plays in it, by the table's name in one spelling."""
    last = view.rounds[-1] if view.rounds else None
    if last is None or last.ends_s is None:
        return {}
    return {
        one_spelling(table.name): ClubRound(
            tournament=view.name, number=last.number, table=table.name, ends_s=last.ends_s
        )
        for table in last.tables
        if table.result is None
    }


def _round_view(number: int, one: Round, evening: Tournament, names: Names) -> club.RoundView:
    return club.RoundView(
        number=number,
        tables=tuple(_round_table(number, seating, evening, names) for seating in one.seatings),
        repeats=one.repeats,
        is_best=one.is_best,
        began_s=one.began_s,
        ends_s=one.ends_s(evening.minutes),
    )


def _round_table(
    number: int, seating: Seating, evening: Tournament, names: Names
) -> club.RoundTable:
    game = evening.results.get((number, seating.table))
    lines = () if game is None else sorted(game.seats, key=lambda seat: seat.rank)
    return club.RoundTable(
        name=seating.table,
        board=seating.board if game is None else game.board,
        people=tuple(names[id_of(player)] for player in seating.players),
        result=None
        if game is None
        else club.TableResult(
            tuple((names[id_of(seat.player)], seat.points, seat.rank) for seat in lines)
        ),
    )
