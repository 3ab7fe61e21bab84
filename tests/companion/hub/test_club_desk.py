"""The club in a real PostgreSQL: people, results that tables confirm, deletion, a tournament."""

import json
import time
from dataclasses import replace
from datetime import date, datetime, timedelta
from threading import Thread

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.club.finished import MOST_OF_TABLE
from companion.hub.club.people import People
from companion.hub.database import Database
from companion.hub.evidence import Replayed, keep_evenings
from companion.hub.room import Room
from companion.table.history.chronicle import KeptEvening
from tests.companion.hub.club_games import (
    BOARDS,
    finished,
    points_of_round,
    renamed,
    tables_game,
)
from tests.companion.hub.club_games import club as club
from tests.companion.hub.club_games import database as database
from tests.companion.hub.club_games import kept as kept
from web.errors import ActionRefusedError, NotFoundError
from web.hub.club_state import Person


def test_a_page_is_of_one_moment_whatever_is_confirmed_while_it_is_made(
    database: Database, club: ClubDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cleo and Dora come into the club after the names were read, and before the games are."""
    first = finished(database, ("Ada", "red", 90), ("Ben", "blue", 80))
    second = finished(database, ("Cleo", "red", 70), ("Dora", "blue", 60), hour=21)
    club.confirm("t1", first, [None, None])
    read_names, other = People.by_id, ClubDesk(database, Room({}), BOARDS)

    def names_then_a_new_person(people: People) -> dict[int, Person]:
        names = read_names(people)
        if people is club._people and len(other.people()) == 2:
            cleo = Thread(target=other.confirm, args=("t1", second, [None, None]))
            cleo.start()
            cleo.join()
        return names

    monkeypatch.setattr(People, "by_id", names_then_a_new_person)
    assert [one.person.name for one in club.ratings()] == ["Ada", "Ben"]
    assert sorted(str(one.person.name) for one in club.ratings()) == ["Ada", "Ben", "Cleo", "Dora"]


def test_a_result_counts_once_it_is_confirmed(database: Database, club: ClubDesk) -> None:
    ada = club.add_person("Ada")
    evening = finished(database, ("ADA", "red", 110), ("Ben", "blue", 90))
    (waiting,) = club.results()
    assert not waiting.is_confirmed
    assert [seat.person for seat in waiting.seats] == [ada, None]
    assert club.ratings() == []
    club.confirm("t1", evening, [ada.id, None])
    assert [(line.person.name, line.games) for line in club.ratings()] == [("Ada", 1), ("Ben", 1)]
    (usa,) = club.boards()
    assert (usa.mean_points, usa.highest) == (100.0, (ada, 110))
    assert usa.longest_path == (ada, 29)
    club.confirm("t1", evening, [seat.person.id for seat in club.results()[0].seats][::-1])
    assert club.ratings()[0].person.name == "Ben", "a corrected result corrects the ratings"


def test_a_persons_page_lists_the_games_that_count_the_newest_first(
    database: Database, club: ClubDesk
) -> None:
    for hour, players in (
        (18, (("Ada", "red", 110), ("Ben", "blue", 90))),
        (20, (("Ben", "blue", 120), ("Ada", "red", 70))),
        (22, (("Ben", "blue", 100), ("Cleo", "red", 80))),
        (23, (("Ada", "red", 99), ("Ben", "blue", 98))),
    ):
        finished(database, *players, hour=hour)
    for evening in ("18", "20", "22"):
        seats = club.result("t1", evening).seats
        club.confirm("t1", evening, [seat.person and seat.person.id for seat in seats])
    ada = club.person_named("Ada")
    assert ada is not None
    told = [
        [(str(one.name), points, rank) for one, points, rank in game.lines]
        for game in club.person(ada.id).games
    ]
    assert told == [[("Ben", 120, 1), ("Ada", 70, 2)], [("Ada", 110, 1), ("Ben", 90, 2)]]


def test_a_game_that_was_played_for_a_trial_counts_for_nobody(
    database: Database, club: ClubDesk
) -> None:
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.leave_out("t1", evening)
    assert (club.waiting(), club.results(), club.ratings()) == (0, [], [])
    assert [(one.table, one.seats[0].name) for one in club.left_out()] == [("Table 1", "Ada")]
    with pytest.raises(ActionRefusedError, match="does not count"):
        club.confirm("t1", evening, [None, None])  # of a page that was open before
    club.take_in("t1", evening)
    assert (club.waiting(), club.left_out()) == (1, [])
    club.confirm("t1", evening, [None, None])
    assert [one.games for one in club.ratings()] == [1, 1]
    club.leave_out("t1", evening)
    assert (club.ratings(), club.results()) == ([], []), "also where somebody had confirmed it"
    with pytest.raises(NotFoundError):
        club.leave_out("t1", "never")


def test_nobody_confirms_what_they_have_not_seen(database: Database, club: ClubDesk) -> None:
    """The table corrects points, or who played, while the page of results is open."""
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    seen = club.results()[0].mark
    with database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,name}', '\"Cleo\"')"
        )
    ada = club.add_person("Ada")
    with pytest.raises(ActionRefusedError, match="corrected"):
        club.confirm("t1", evening, [ada.id, None], seen)
    assert (club.ratings(), club.person_named("Ben")) == ([], None)
    club.confirm("t1", evening, [None, None], club.results()[0].mark)
    assert sorted(str(one.person.name) for one in club.ratings()) == ["Ben", "Cleo"]


def test_a_game_of_six_waits_for_nobody(database: Database, club: ClubDesk) -> None:
    """Ratings are for two to five players, so nobody could confirm it."""
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
    colours = ("red", "blue", "green", "black", "white", "pink")
    six = [(name, colour, 90) for name, colour in zip(names, colours, strict=True)]
    finished(database, *six)
    assert (club.waiting(), club.results()) == (0, [])
    finished(database, *six[:5], hour=22)
    assert (club.waiting(), len(club.results())) == (1, 1)


def test_results_of_two_tables_of_one_name_are_told_apart(database: Database) -> None:
    """By the number that the table has in the room."""
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t2', 'Table 1')")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " SELECT 't2', evening, board, began_at + interval '1 hour', ended_at, game, result"
            " FROM evenings"
        )
    room = Room({})
    names = {game.table_id: game.table for game in ClubDesk(database, room, BOARDS).results()}
    assert names == {"t1": "Table 1 (1)", "t2": "Table 1 (2)"}
    room.hear_state("t2", {"name": "Table 1", "instance": "a", "sent_at": 0.0})
    names = {game.table_id: game.table for game in ClubDesk(database, room, BOARDS).results()}
    assert names == {"t1": "Table 1 (2)", "t2": "Table 1"}


def test_a_table_that_tells_of_games_without_end_hides_no_other_tables(
    database: Database, club: ClubDesk
) -> None:
    """Times to come neither: they would be the newest for ever."""
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('evil', 'Evil')")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " SELECT 'evil', n::text, board, began_at, ended_at + interval '900 years', game,"
            " result"
            " FROM evenings, generate_series(1, 500) AS n"
        )
    listed = [game.table for game in club.results()]
    assert listed.count("Table 1") == 1
    assert len(listed) == 1 + MOST_OF_TABLE
    assert club.waiting() == 501


def test_a_game_that_two_boxes_tell_counts_once(database: Database, club: ClubDesk) -> None:
    """A broken box's log was put into another one, which tells its old games once more."""
    people = [club.add_person(name).id for name in ("Ada", "Ben")]
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    finished(database, ("Ada", "red", 70), ("Ben", "blue", 60), hour=22)
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t2', 'Table 2')")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " SELECT 't2', evening, board, began_at, ended_at, game, result FROM evenings"
        )
    assert club.waiting() == 4
    club.confirm("t1", evening, people)
    assert club.waiting() == 2
    told = [(game.table, game.evening, game.is_confirmed) for game in club.results()]
    assert ("Table 1", "20", True) in told
    assert ("Table 2", "20", False) not in told
    assert {("Table 1", "22", False), ("Table 2", "22", False)} <= set(told)
    with pytest.raises(ActionRefusedError, match="counts already, as one of Table 1's"):
        club.confirm("t2", evening, people)  # by a page that was open before
    assert [line.games for line in club.ratings()] == [1, 1]
    club.confirm("t1", evening, people[::-1])  # who is who is corrected

    deleted = "UPDATE evenings SET is_deleted = %s WHERE table_id = 't1' AND evening = '20'"
    with database.transaction() as connection:
        connection.execute(deleted, [True])
    club.confirm("t2", evening, people)  # it waits at the other table again
    with database.transaction() as connection:
        connection.execute(deleted, [False])
    assert [line.games for line in club.ratings()] == [1, 1], "restored, it counts once still"


def test_who_took_a_seat_by_their_link_counts_before_a_name(
    database: Database, club: ClubDesk
) -> None:
    zoe = club.add_person("Zoe")
    club.add_person("Ada")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO sittings VALUES ('t1', 'red', '2026-03-01T19:00Z', %s)", [zoe.id]
        )
    assert club.result("t1", evening).seats[0].person == zoe


def test_a_game_on_paper_counts_in_its_season_and_once(club: ClubDesk) -> None:
    """No box told it; the button was tapped twice. Second and third share 6 and 0."""
    cleo, ada, ben = (club.add_person(name).id for name in ("Cleo", "Ada", "Ben"))
    day = date(2026, 3, 1)
    season = club.add_season("Spring", day, day)
    for _ in range(2):
        club.add_paper_game("usa", day, [("Ben", 80), ("ada", 90), ("Cleo", 80)])
    (game,) = club.paper_games()
    assert [(one.name, points, rank) for one, points, rank in game.lines] == [
        ("Ada", 90, 1),
        ("Ben", 80, 2),
        ("Cleo", 80, 2),
    ]
    table = club.standings(season)[1]
    lines = [(one.person.id, one.place_points) for one in table]
    assert lines == [(ada, 12), (ben, 3), (cleo, 3)], "who shares a place by name"
    with pytest.raises(ActionRefusedError, match="not with 1"):
        club.add_paper_game("usa", day, [("Ada", 90)])
    with pytest.raises(ActionRefusedError, match="2000"):
        club.add_paper_game("usa", day, [("Ada", 9999), ("Typo", 50)])
    assert club.person_named("Typo") is None, "nobody comes in with a game that was refused"
    club.remove_paper_game(game.id)
    assert (club.paper_games(), club.standings(season)[1]) == ([], ())


def test_a_season_has_the_standings_of_its_days(database: Database, club: ClubDesk) -> None:
    ada, ben = club.add_person("Ada"), club.add_person("Ben")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90), hour=12)
    club.confirm("t1", evening, [ada.id, ben.id])
    spring = club.add_season("Spring", date(2026, 2, 1), date(2026, 3, 1))
    later = club.add_season("Later", date(2026, 3, 2), date(2026, 4, 1))
    line, table = club.standings(spring)
    assert line.name == "Spring"
    assert [(one.person.name, one.place_points) for one in table] == [("Ada", 12.0), ("Ben", 0.0)]
    assert club.standings(later)[1] == ()
    with pytest.raises(ActionRefusedError, match="ends before it begins"):
        club.add_season("Odd", date(2026, 3, 2), date(2026, 3, 1))


def test_points_that_the_table_corrects_count_once_they_are_confirmed_anew(
    database: Database, club: ClubDesk
) -> None:
    evening, game, people = tables_game(database, club)
    club.confirm("t1", game, people)
    assert (club.result("t1", game).counting, club.waiting()) == ((), 0)
    with database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', '99')"
        )
    assert [points for _, points in club.result("t1", game).counting] == [90, 80, 70]
    assert club.waiting() == 1
    assert points_of_round(club, evening) == [90, 80, 70]
    club.confirm("t1", game, people)
    assert (club.result("t1", game).counting, club.waiting()) == ((), 0)
    assert points_of_round(club, evening) == [99, 80, 70]


def counts(club: ClubDesk) -> list[tuple[str | None, int]]:
    """Whose points count for the only game, from top to bottom."""
    (game,) = club.results()
    seats = [(seat.person, seat.points) for seat in game.seats if seat.person is not None]
    return [(person.name, points) for person, points in game.counting or seats]


def test_names_that_the_table_swaps_after_the_result_counts_are_asked_about(
    database: Database, club: ClubDesk
) -> None:
    """Ada and Ben sat in each other's place, and nobody saw it before the final sheet."""
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [None, None])
    renamed(database, "Ben", "Ada")
    (game,) = club.results()
    assert [(seat.name, seat.person and seat.person.name) for seat in game.seats] == [
        ("Ben", "Ben"),
        ("Ada", "Ada"),
    ]
    assert counts(club) == [("Ada", 110), ("Ben", 90)], "until the organiser says so"
    assert club.waiting() == 1
    club.confirm("t1", evening, [seat.person and seat.person.id for seat in game.seats])
    assert counts(club) == [("Ben", 110), ("Ada", 90)]
    assert club.waiting() == 0
    assert club.ratings()[0].person.name == "Ben"


def test_whom_the_organiser_chose_for_a_name_stays_where_the_table_corrects_another(
    database: Database, club: ClubDesk
) -> None:
    """Of two called Ada the table knows one; Cleo took over Ben's seat after the result counted."""
    other = club.add_person("Ada B.")
    club.add_person("Ada")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [other.id, None])
    assert club.waiting() == 0
    renamed(database, "Ada", "Cleo")
    (game,) = club.results()
    assert [seat.person for seat in game.seats] == [other, None]
    assert game.strangers == ("Cleo",)
    assert counts(club) == [("Ada B.", 110), ("Ben", 90)]


def sitting(database: Database) -> list[tuple[str, int]]:
    with database.transaction() as connection:
        rows = connection.execute("SELECT colour, player FROM sittings ORDER BY since").fetchall()
    return [(row["colour"], row["player"]) for row in rows]


def test_a_table_that_was_switched_off_the_evening_before_has_no_seat_to_take(
    database: Database,
) -> None:
    """Its game would count for whoever took a colour there before the new one was begun."""
    room = Room({})
    club, ada = ClubDesk(database, room, BOARDS), [{"name": "Ada", "colour": "red"}]
    for table, hours in (("t1", 13), ("t2", 11)):
        sent_at = time.time() - hours * 3600
        room.hear_state(table, {"name": table, "instance": "i", "sent_at": sent_at, "players": ada})
    assert [seat.table_id for seat in club.open_seats()] == ["t2"]
    room.hear_status("t1", True)
    assert [seat.table_id for seat in club.open_seats()] == ["t1", "t2"]


def test_a_seat_is_its_first_takers_for_the_evening(database: Database) -> None:
    room = Room({})
    club = ClubDesk(database, room, BOARDS)
    ada, ben = club.add_person("Ada").id, club.add_person("Ben").id
    players = [{"name": "x", "colour": colour} for colour in ("red", "blue")]
    state = {"name": "T1", "instance": "i", "sent_at": time.time(), "players": players}
    room.hear_state("t1", state)
    with pytest.raises(NotFoundError):
        club.sit(ada, "t1", "red")  # the database has heard nothing of this table
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    for _ in range(3):
        club.sit(ada, "t1", "red")
    assert sitting(database) == [("red", ada)]
    with pytest.raises(ActionRefusedError, match="Ada took this seat"):
        club.sit(ben, "t1", "red")
    club.sit(ada, "t1", "blue")
    club.sit(ben, "t1", "red")
    assert sitting(database) == [("blue", ada), ("red", ben)]
    with database.transaction() as connection:
        connection.execute("UPDATE evenings SET ended_at = now()")
    club.sit(ada, "t1", "red")
    assert sitting(database)[2:] == [("red", ada)], "another evening"


def test_who_sits_down_at_another_table_leaves_the_first(database: Database) -> None:
    """Ada had tapped the wrong table: nobody else could take that seat, and its game was hers."""
    room = Room({})
    club = ClubDesk(database, room, BOARDS)
    ada, ben = club.add_person("Ada").id, club.add_person("Ben").id
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t2', 'Table 2')")
    for table in ("t1", "t2"):
        state = {"name": table, "instance": table, "sent_at": time.time()}
        room.hear_state(table, {**state, "players": [{"name": "x", "colour": "red"}]})
    club.sit(ada, "t1", "red")
    club.sit(ada, "t2", "red")
    club.sit(ben, "t1", "red")
    taken = {seat.table_id: seat.taken_by for seat in club.open_seats()}
    assert taken == {"t1": ben, "t2": ada}


@pytest.mark.parametrize("clock_s", [20.0, 2_240_000_000.0], ids=["1970", "2040"])
def test_a_game_by_a_clock_that_is_wrong_ends_when_it_is_told(
    database: Database, clock_s: float
) -> None:
    """Who had taken a seat by a link was not known at a game that ended in 1970, which was in no
    season either. After one that ended in 2040 no seat at that table could be taken till then."""
    room = Room({})
    club = ClubDesk(database, room, BOARDS)
    ada, ben = club.add_person("Ada"), club.add_person("Ben")
    players = [{"name": "A.", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    room.hear_state(
        "t1", {"name": "T1", "instance": "i", "sent_at": time.time(), "players": players}
    )
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'T1')")
    club.sit(ada.id, "t1", "red")
    seats = [{**one, "routes": [], "tickets": []} for one in players]
    game = json.dumps({"game": "usa", "players": seats})
    evening = str(int(clock_s * 1000))
    told_game = KeptEvening(evening, "usa", clock_s, clock_s + 3600, game, "mark")
    found = Replayed((told_game,), frozenset(), None)
    kept = keep_evenings(database, "t1", found, BOARDS, {})
    (line,) = club.results()
    assert abs(line.ended_s - time.time()) < 600
    assert [seat.person for seat in line.seats] == [ada, ben]
    corrected = Replayed((replace(told_game, mark="other"),), frozenset(), None)
    keep_evenings(database, "t1", corrected, BOARDS, kept)
    assert club.results()[0].ended_s == line.ended_s, "a correction does not move the game"
    club.confirm("t1", evening, [ada.id, ben.id])
    today = datetime.now().date()
    season = club.add_season("This week", today - timedelta(1), today + timedelta(1))
    assert {one.person.name for one in club.standings(season)[1]} == {"Ada", "Ben"}
    club.sit(ben.id, "t1", "red")
    assert sitting(database) == [("red", ada.id), ("red", ben.id)]
    assert [seat.taken_by for seat in club.open_seats()] == [ben.id, None]


def test_names_that_the_table_swaps_move_who_took_the_seats_by_their_links(
    database: Database,
) -> None:
    """Ada and Ben tapped their names, which the table had typed for each other's colour."""
    room = Room({})
    club = ClubDesk(database, room, BOARDS)
    ada, ben = club.add_person("Ada"), club.add_person("Ben")

    def tells(red: str, blue: str) -> None:
        players = [{"name": red, "colour": "red"}, {"name": blue, "colour": "blue"}]
        state = {"name": "T1", "instance": "i", "sent_at": time.time(), "players": players}
        room.hear_state("t1", state)

    def taken() -> list[tuple[str, int | None]]:
        return [(seat.name, seat.taken_by) for seat in club.open_seats()]

    tells(red="Ada", blue="Bem")
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'T1')")
    club.sit(ada.id, "t1", "red")
    club.sit(ben.id, "t1", "blue")
    tells(red="Ada", blue="Ben")
    assert taken() == [("Ada", ada.id), ("Ben", ben.id)], "a name that was mistyped is Ben's own"
    tells(red="Ben", blue="Ada")
    assert taken() == [("Ben", None), ("Ada", None)]
    club.sit(ben.id, "t1", "red")
    assert taken() == [("Ben", ben.id), ("Ada", None)]
    finished(database, ("Ben", "red", 110), ("Ada", "blue", 90))
    with database.transaction() as connection:
        connection.execute("UPDATE evenings SET ended_at = now()")
    assert [seat.person for seat in club.results()[0].seats] == [ben, ada]


def test_points_beyond_any_game_are_refused(database: Database, club: ClubDesk) -> None:
    evening = finished(database, ("Ada", "red", 3_000_000_000), ("Ben", "blue", 90))
    with pytest.raises(ActionRefusedError, match="2000"):
        club.confirm("t1", evening, [None, None])
