"""A club's tournament: its tables, draws, and the timers of its rounds."""

from datetime import date
from typing import Any

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database
from companion.hub.room import Room
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
from web.errors import ActionRefusedError, NotFoundError


def play(club: ClubDesk, evening: int) -> None:
    """Results by hand for the last round; the first of each table wins."""
    last = club.tournament(evening).rounds[-1]
    for table in last.tables:
        points = {person.id: 100 - place for place, person in enumerate(table.people)}
        club.enter_result(evening, last.number, table.name, points)


def test_a_button_that_is_tapped_twice_makes_one_tournament_and_one_season(club: ClubDesk) -> None:
    first = club.add_tournament("Friday", 90)
    assert club.add_tournament("Friday", 90) == first
    club.add_table(first, "1", "usa")
    assert club.add_tournament("Friday", 90) != first, "the next Friday's"
    days = date(2026, 3, 1), date(2026, 3, 31)
    march = club.add_season("March", *days)
    assert club.add_season("March", *days) == march
    assert club.add_season("March", date(2027, 3, 1), date(2027, 3, 31)) != march
    assert [len(club.tournaments()), len(club.seasons())] == [2, 2]


def test_three_people_make_one_table_and_two_make_none(club: ClubDesk) -> None:
    evening = tournament(club, 2)
    with pytest.raises(ActionRefusedError, match="at least 3 players"):
        club.draw(evening)
    club.arrive(evening, club.add_person("Third").id)
    club.draw(evening)
    (table,) = club.tournament(evening).rounds[0].tables
    assert len(table.people) == 3


def test_two_tables_with_one_name_are_refused(club: ClubDesk) -> None:
    evening = tournament(club, 0)
    with pytest.raises(ActionRefusedError, match="Two tables are called T1"):
        club.add_table(evening, "t1", "usa")


def test_a_table_s_accent_is_one_sign_whichever_device_typed_it(club: ClubDesk) -> None:
    evening = tournament(club, 0, tables=0)
    club.add_table(evening, "Cafe\N{COMBINING GRAVE ACCENT}", "usa")
    with pytest.raises(ActionRefusedError, match="Two tables are called"):
        club.add_table(evening, "caf\N{LATIN SMALL LETTER E WITH GRAVE}", "usa")


def test_a_long_name_of_a_tournament_or_table_is_refused_and_not_cut(club: ClubDesk) -> None:
    with pytest.raises(ActionRefusedError, match="1 to 60 letters"):
        club.add_tournament("A" * 61, 90)
    evening = club.add_tournament("A" * 60, 90)
    with pytest.raises(ActionRefusedError, match="1 to 40 letters"):
        club.add_table(evening, "T" * 41, "usa")
    assert club.tournament(evening).tables == ()


def test_eleven_people_three_rounds_and_one_who_leaves(club: ClubDesk) -> None:
    evening = tournament(club, 11)
    club.draw(evening)
    with pytest.raises(ActionRefusedError, match="Player 1 is already"):
        club.arrive(evening, 1)
    club.begin_round(evening)
    with pytest.raises(ActionRefusedError, match="The table “T1” has no result"):
        club.draw(evening)
    play(club, evening)
    club.draw(evening)
    play(club, evening)
    club.leave(evening, 11)
    club.draw(evening)
    play(club, evening)
    view = club.tournament(evening)
    assert [[len(table.people) for table in one.tables] for one in view.rounds] == [
        [4, 4, 3],
        [4, 4, 3],
        [4, 3, 3],
    ]
    assert sum(line.games for line in view.standings) == 11 + 11 + 10
    assert sum(line.wins for line in view.standings) == 9
    assert view.open_tables == ()
    first = view.rounds[0]
    assert first.began_s is not None
    assert first.ends_s == first.began_s + 3600
    assert len(club.ratings()) == 11


def test_who_left_in_the_course_of_a_game_needs_no_points(
    database: Database, club: ClubDesk
) -> None:
    """The others' result closes their table, typed or told by their box, which knows two players.

    It counted beside the tournament, and the next round could be drawn only with points for the
    third: then that game counted twice.
    """
    evening = tournament(club, 3)
    club.draw(evening)
    ada, ben, gone = club.tournament(evening).rounds[0].tables[0].people
    points = {ada.id: 50, ben.id: 40}
    with pytest.raises(ActionRefusedError, match="every player at the table “T1”"):
        club.enter_result(evening, 1, "T1", points)
    club.leave(evening, gone.id)
    club.enter_result(evening, 1, "T1", points)
    assert points_of_round(club, evening) == [50, 40]
    told = [(str(one.name), colour, n) for one, colour, n in ((ada, "red", 90), (ben, "blue", 80))]
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    club.confirm("t1", finished(database, *told), [ada.id, ben.id])
    assert points_of_round(club, evening) == [90, 80]
    standings = club.tournament(evening).standings
    assert [(one.person, one.games) for one in standings] == [(ada, 1), (ben, 1), (gone, 0)]
    with pytest.raises(ActionRefusedError, match="every player at the table “T1”"):
        club.enter_result(evening, 1, "T1", points | {club.add_person("Zoe").id: 30})


def test_who_is_deleted_in_the_course_of_a_round_has_played_it(
    database: Database, club: ClubDesk
) -> None:
    """The table's game counted beside the tournament, and the round stayed open."""
    evening, game, people = tables_game(database, club)
    club.forget(people[1])
    seen = club.result("t1", game).seats
    assert [seat.is_deleted for seat in seen] == [False, True, False]
    club.confirm("t1", game, [people[0], None, people[2]])
    assert points_of_round(club, evening) == [90, 80, 70]
    standings = club.tournament(evening).standings
    assert [(one.person.id, one.games) for one in standings] == [(id, 1) for id in people]


def test_who_came_late_or_sits_elsewhere_plays_at_that_table(club: ClubDesk) -> None:
    """Six sit at two tables. Zoe comes late and plays at T1; one of T1 had sat down at T2."""
    evening = tournament(club, 6)
    club.draw(evening)
    club.begin_round(evening)
    zoe = club.add_person("Zoe")
    with pytest.raises(ActionRefusedError, match="Zoe is not in the tournament"):
        club.seat(evening, zoe.id, "T1")
    club.arrive(evening, zoe.id)
    club.seat(evening, zoe.id, "T1")
    first, second = club.tournament(evening).rounds[0].tables
    moved = first.people[0]
    club.seat(evening, moved.id, "T2")
    after = [table.people for table in club.tournament(evening).rounds[0].tables]
    assert after == [(*first.people[1:3], zoe), (*second.people, moved)]
    club.seat(evening, after[0][0].id, "T2")
    with pytest.raises(ActionRefusedError, match="not with 1"):
        club.seat(evening, zoe.id, "T2")
    play(club, evening)
    assert club.tournament(evening).open_tables == ()
    with pytest.raises(ActionRefusedError, match="has been played"):
        club.seat(evening, moved.id, "T1")


@pytest.mark.parametrize("is_there", [True, False])
def test_nobody_is_a_fifth_at_a_board_for_four(club: ClubDesk, is_there: bool) -> None:
    """Paris lets four play, by its rulebook; also at a table that plays no further round."""
    evening = club.add_tournament("Paris cup", 60)
    club.add_table(evening, "Seine", "paris-by-counts")
    people = [club.add_person(name) for name in ("Ada", "Ben", "Cleo", "Dan", "Eva")]
    for one in people[:4]:
        club.arrive(evening, one.id)
    club.draw(evening)
    if not is_there:
        club.remove_table(evening, "Seine")
    club.arrive(evening, people[4].id)
    with pytest.raises(ActionRefusedError, match="2 to 4 players, not with 5"):
        club.seat(evening, people[4].id, "Seine")
    (table,) = club.tournament(evening).rounds[0].tables
    assert {one.name for one in table.people} == {"Ada", "Ben", "Cleo", "Dan"}
    played = [(one.name or "", 50) for one in people]
    with pytest.raises(ActionRefusedError, match="2 to 4 players, not with 5"):
        club.add_paper_game("paris-by-counts", date(2026, 3, 1), played)
    club.add_paper_game("usa", date(2026, 3, 1), played)


def test_a_round_shows_the_board_that_a_table_played_though_another_was_drawn(
    database: Database, club: ClubDesk
) -> None:
    evening = club.add_tournament("Spring cup", minutes=60)
    club.add_table(evening, "T1", "france")
    people = [club.add_person(name).id for name in ("Ada", "Ben", "Cleo")]
    for one in people:
        club.arrive(evening, one)
    club.draw(evening)
    (table,) = club.tournament(evening).rounds[0].tables
    assert table.board == "france"
    game = finished(database, ("Ada", "red", 90), ("Ben", "blue", 80), ("Cleo", "green", 70))
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    club.confirm("t1", game, people)
    (table,) = club.tournament(evening).rounds[0].tables
    assert (table.board, table.result is None) == ("usa", False)
    club.enter_result(evening, 1, "T1", dict(zip(people, (90, 80, 75), strict=True)))
    (table,) = club.tournament(evening).rounds[0].tables
    assert (table.board, [one.board for one in club.boards()]) == ("usa", ["usa"])


def test_points_of_one_player_that_are_corrected_leave_the_others_as_the_sheet_has_them(
    database: Database, club: ClubDesk
) -> None:
    """Ada won the tie with Ben by her tickets; Cleo's points were wrong."""
    evening = tournament(club, 3)
    club.draw(evening)
    people = [one.id for one in club.tournament(evening).rounds[0].tables[0].people]
    names = [str(club.person(one).person.name) for one in people]
    ada, ben, cleo = people
    seats = zip(names, ("red", "blue", "green"), (90, 90, 70), strict=True)
    game = finished(database, *seats)
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    club.confirm("t1", game, people)

    def places(points: int) -> list[tuple[int, int, int]]:
        club.enter_result(evening, 1, "T1", {ada: 90, ben: 90, cleo: points})
        result = club.tournament(evening).rounds[0].tables[0].result
        assert result is not None
        return sorted((rank, own, people.index(one.id)) for one, own, rank in result.lines)

    assert places(75) == [(1, 90, 0), (2, 90, 1), (3, 75, 2)]
    (board,) = club.boards()
    assert board.longest_path is not None
    assert (board.longest_path[0].id, board.longest_path[1]) == (ada, 29), "as the sheet tells it"
    assert places(90) == [(1, 90, 0), (1, 90, 1), (1, 90, 2)], "nothing decides among the three"


def test_points_are_asked_of_everybody_at_the_table(club: ClubDesk) -> None:
    evening = tournament(club, 3)
    club.draw(evening)
    some: list[dict[int, int]] = [{1: 50}, {}]
    for points in some:
        with pytest.raises(ActionRefusedError, match="every player at the table “T1”"):
            club.enter_result(evening, 1, "T1", points)
    for round in (0, 2):
        with pytest.raises(NotFoundError):
            club.enter_result(evening, round, "T1", {1: 50})


def telling_tables(database: Database, *names: str) -> tuple[ClubDesk, dict[str, Any]]:
    """A club with tables of these names, and what each was last told of its round."""
    room, told = Room({}), dict[str, Any]()
    for name in names:
        room.hear_state(name.lower(), {"name": name, "instance": "i", "sent_at": 0.0})
    return ClubDesk(database, room, BOARDS, told.__setitem__), told


def test_a_tables_round_is_told_from_the_timers_start_to_its_result(database: Database) -> None:
    club, told = telling_tables(database, "T1", "Bar")
    evening = tournament(club, 3)
    club.draw(evening)
    assert told == {"t1": None, "bar": None}
    club.begin_round(evening)
    ends_s = club.tournament(evening).rounds[0].ends_s
    assert told["bar"] is None, "no table of the tournament"
    assert told["t1"] == {"tournament": "Spring cup", "number": 1, "table": "T1", "ends_s": ends_s}
    play(club, evening)
    assert told["t1"] is None


def test_a_timer_that_was_started_too_early_is_stopped_and_the_round_drawn_again(
    database: Database,
) -> None:
    """Zoe came a minute later; she would have watched for a whole round."""
    club, told = telling_tables(database, "T1")
    evening = tournament(club, 3)
    club.draw(evening)
    club.begin_round(evening)
    club.arrive(evening, club.add_person("Zoe").id)
    club.stop_round(evening)
    assert told == {"t1": None}
    club.draw(evening)
    (round,) = club.tournament(evening).rounds
    assert (len(round.tables[0].people), round.began_s) == (4, None)
    club.begin_round(evening)
    play(club, evening)
    with pytest.raises(ActionRefusedError, match="has been played"):
        club.stop_round(evening)


def test_a_timer_that_runs_is_not_started_once_more(database: Database) -> None:
    """Two organisers tap it, or one taps twice: the round would last longer than was said."""
    club, told = telling_tables(database, "T1")
    evening = tournament(club, 3)
    club.draw(evening)
    club.begin_round(evening)
    ends_s = told["t1"]["ends_s"]
    club.begin_round(evening)
    assert told["t1"]["ends_s"] == ends_s


def test_another_tournament_takes_no_table_s_timer_away(database: Database) -> None:
    """Juniors play at the same time, and next week's evening is prepared meanwhile."""
    club, told = telling_tables(database, "T1", "J1")
    cup = tournament(club, 3)
    club.draw(cup)
    club.begin_round(cup)
    juniors = club.add_tournament("Juniors", 30)
    club.add_table(juniors, "J1", "usa")
    for name in ("Kim", "Lea", "Max"):
        club.arrive(juniors, club.add_person(name).id)
    club.draw(juniors)
    club.begin_round(juniors)
    assert [told["t1"]["tournament"], told["j1"]["tournament"]] == ["Spring cup", "Juniors"]
    club.add_table(club.add_tournament("Next week", 90), "T1", "usa")
    play(club, juniors)
    assert told["t1"]["tournament"] == "Spring cup"
    assert told["j1"] is None


def test_a_timer_that_nobody_ended_is_told_no_more_the_next_day(database: Database) -> None:
    room, told = Room({}), dict[str, Any]()
    club = ClubDesk(database, room, BOARDS, told.__setitem__)
    room.hear_state("t1", {"name": "T1", "instance": "i", "sent_at": 0.0})
    evening = tournament(club, 3)
    club.draw(evening)
    club.begin_round(evening)
    for hours, is_told in ((10, True), (15, False)):
        with database.transaction() as connection:
            connection.execute(
                "UPDATE rounds SET began_at = began_at - make_interval(hours => %s)", [hours]
            )
        club.tell_tables()
        assert (told["t1"] is not None) == is_told, "ten hours are the longest round there is"


def test_a_table_is_told_its_round_whichever_device_typed_its_accent(database: Database) -> None:
    room, told = Room({}), dict[str, Any]()
    club = ClubDesk(database, room, BOARDS, told.__setitem__)
    typed = "Cafe\N{COMBINING GRAVE ACCENT}"
    room.hear_state("bar", {"name": typed, "instance": "i", "sent_at": 0.0})
    evening = tournament(club, 3, tables=0)
    club.add_table(evening, typed, "usa")
    club.draw(evening)
    club.begin_round(evening)
    assert told["bar"]["number"] == 1
