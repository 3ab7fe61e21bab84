"""Which result counts for a round: typed by hand, told by its table, corrected, or deleted."""

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database
from companion.hub.evidence import Replayed, keep_evenings
from companion.table.history.chronicle import KeptEvening
from tests.companion.hub.club_games import (
    BOARDS,
    finished,
    points_of_round,
    tables_game,
    tournament,
)
from tests.companion.hub.club_games import club as club
from tests.companion.hub.club_games import database as database
from tests.companion.hub.club_games import kept as kept
from web.hub.club_state import Person


def test_a_tables_own_result_finds_its_place_in_the_round(
    database: Database, club: ClubDesk
) -> None:
    evening = tournament(club, 3)
    club.draw(evening)
    (table,) = club.tournament(evening).rounds[0].tables
    names: list[Any] = [person.name for person in table.people]
    game = finished(
        database, *zip(names, ("red", "blue", "green"), (90, 80, 70), strict=True), hour=21
    )
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    club.confirm("t1", game, [person.id for person in table.people])
    result = club.tournament(evening).rounds[0].tables[0].result
    assert result is not None
    assert [points for _, points, _ in result.lines] == [90, 80, 70]


@pytest.mark.parametrize("is_by_hand_first", [True, False])
def test_one_game_counts_once_by_hand_and_by_its_table(
    database: Database, club: ClubDesk, is_by_hand_first: bool
) -> None:
    evening, game, people = tables_game(database, club)
    by_hand = dict(zip(people, (95, 80, 70), strict=True))
    if is_by_hand_first:
        club.enter_result(evening, 1, "T1", by_hand)
        club.confirm("t1", game, people)
        expected = [90, 80, 70]
    else:
        club.confirm("t1", game, people)
        club.enter_result(evening, 1, "T1", by_hand)
        expected = [95, 80, 70]
    assert [line.games for line in club.ratings()] == [1, 1, 1]
    assert points_of_round(club, evening) == expected, "the later word counts"
    club.confirm("t1", game, people)
    assert [line.games for line in club.ratings()] == [1, 1, 1]
    assert points_of_round(club, evening) == [90, 80, 70]


def test_a_tie_that_the_table_decided_stays_where_the_same_points_are_kept(
    database: Database, club: ClubDesk
) -> None:
    """Kept with nothing changed they were both winners: by hand equal points share a place."""
    evening, game, people = tables_game(database, club)
    with database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,1,total}', '90')"
        )
    club.confirm("t1", game, people)
    winners = [line.person.id for line in club.tournament(evening).standings if line.wins]
    assert winners == people[:1], "the first one completed more tickets"
    club.enter_result(evening, 1, "T1", dict(zip(people, (90, 90, 70), strict=True)))
    assert [one.person.id for one in club.tournament(evening).standings if one.wins] == winners
    club.enter_result(evening, 1, "T1", dict(zip(people, (91, 91, 70), strict=True)))
    assert len([one for one in club.tournament(evening).standings if one.wins]) == 2


def test_a_game_begun_after_the_result_by_hand_is_another_one(
    database: Database, club: ClubDesk
) -> None:
    evening, game, people = tables_game(database, club)
    club.enter_result(evening, 1, "T1", dict(zip(people, (95, 80, 70), strict=True)))
    with database.transaction() as connection:
        connection.execute("UPDATE games SET ended_at = '2026-03-01T20:55Z'")
    club.confirm("t1", game, people)
    assert [line.games for line in club.ratings()] == [2, 2, 2]
    assert points_of_round(club, evening) == [95, 80, 70]


def test_a_game_begun_before_the_clock_was_set_is_as_old_as_its_box_says(
    database: Database, club: ClubDesk
) -> None:
    """One more game of the same three, on a box without a battery: it learns the time in its
    course. Its beginning in 1970 passed it off for the game whose result was typed."""
    evening, _, people = tables_game(database, club)
    club.enter_result(evening, 1, "T1", dict(zip(people, (95, 80, 70), strict=True)))
    seats = [
        {"name": one.name, "colour": colour, "routes": [], "tickets": []}
        for one, colour in zip(club.people(), ("red", "blue", "green"), strict=True)
    ]
    day_s = time.time() + 3600
    game = json.dumps({"game": "usa", "players": seats})
    told_game = KeptEvening("20000", "usa", 20.0, day_s + 600, game, "mark", day_s)
    keep_evenings(database, "t1", Replayed((told_game,), frozenset(), None), BOARDS, {})
    club.confirm("t1", "20000", [one.id for one in club.people()])
    assert points_of_round(club, evening) == [95, 80, 70]
    assert [line.games for line in club.ratings()] == [2, 2, 2]


def game_by_a_slow_clock(
    database: Database, people: Sequence[Person], *, is_told_as_played: bool = True
) -> float:
    """An hour's game that has just ended, by a clock three days behind; returns its end by it."""
    now = datetime.now(UTC)
    began_s = now.timestamp() - 3600 - 3 * 86_400
    seats = [
        {"name": one.name, "colour": colour, "routes": [], "tickets": []}
        for one, colour in zip(people, ("red", "blue", "green"), strict=True)
    ]
    game = json.dumps({"game": "usa", "players": seats})
    heard = now - timedelta(hours=1 if is_told_as_played else 0), now
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = now() - interval '2 hours'")
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'T1')")
        connection.execute("INSERT INTO chains (table_id, chain) VALUES ('t1', 'c')")
        for place, received_at in enumerate(heard, 1):
            connection.execute(
                "INSERT INTO events (table_id, event_id, chain, place, number, at_s, before_id,"
                " commitment, received_at) VALUES ('t1', %s, 'c', %s, %s, %s, '', '', %s)",
                [str(place), place, place, began_s + 3600 * (place - 1), received_at],
            )
    told_game = KeptEvening("1", "usa", began_s, began_s + 3600, game, "mark")
    keep_evenings(database, "t1", Replayed((told_game,), frozenset(), None), BOARDS, {})
    return began_s + 3600


@pytest.mark.parametrize("is_told_as_played", [True, False])
def test_a_game_by_a_clock_days_behind_counts_for_the_round_in_which_it_was_told(
    database: Database, club: ClubDesk, is_told_as_played: bool
) -> None:
    """A club without internet sets no box's clock. An hour's game that came an hour long ended when
    its end came, whatever the box says. Told all at once it may be an old one, of the same three.
    """
    evening = tournament(club, 3)
    club.draw(evening)
    people = club.tournament(evening).rounds[0].tables[0].people
    told_s = game_by_a_slow_clock(database, people, is_told_as_played=is_told_as_played)
    (line,) = club.results()
    club.confirm("t1", "1", [one.id for one in people])
    if is_told_as_played:
        assert abs(line.ended_s - time.time()) < 600
        assert points_of_round(club, evening) == [0, 0, 0]
    else:
        assert abs(line.ended_s - told_s) < 1, "as the table says"
        assert points_of_round(club, evening) is None


@pytest.mark.parametrize(("typed_ago", "points"), [(0, [0, 0, 0]), (90, [95, 80, 70])])
def test_a_result_by_hand_is_the_game_s_where_it_was_typed_after_the_hub_heard_it_begin(
    database: Database, club: ClubDesk, typed_ago: int, points: list[int]
) -> None:
    """The three play on, at a table whose clock is days behind: by it the second game would have
    begun before the first one's result was typed, 30 minutes earlier."""
    evening = tournament(club, 3)
    club.draw(evening)
    people = club.tournament(evening).rounds[0].tables[0].people
    by_hand = dict(zip([one.id for one in people], (95, 80, 70), strict=True))
    club.enter_result(evening, 1, "T1", by_hand)
    with database.transaction() as connection:
        connection.execute(f"UPDATE games SET ended_at = now() - interval '{typed_ago} minutes'")
    game_by_a_slow_clock(database, people)
    club.confirm("t1", "1", [one.id for one in people])
    assert points_of_round(club, evening) == points


def test_a_game_that_its_table_deleted_does_not_count(database: Database, club: ClubDesk) -> None:
    evening, game, people = tables_game(database, club)
    club.confirm("t1", game, people)
    with database.transaction() as connection:
        connection.execute("UPDATE evenings SET is_deleted = true")
    assert club.ratings() == []
    assert points_of_round(club, evening) is None
    club.enter_result(evening, 1, "T1", dict(zip(people, (50, 40, 30), strict=True)))
    assert points_of_round(club, evening) == [50, 40, 30]


def test_a_round_is_drawn_anew_after_its_table_deleted_the_game(
    database: Database, club: ClubDesk
) -> None:
    evening, game, people = tables_game(database, club)
    club.confirm("t1", game, people)
    with database.transaction() as connection:
        connection.execute("UPDATE evenings SET is_deleted = true")
    club.draw(evening)
    assert len(club.tournament(evening).rounds) == 1
    assert club.ratings() == []
