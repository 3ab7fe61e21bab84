"""The club in a real PostgreSQL: people, results that tables confirm, deletion, a tournament."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from threading import Thread
from typing import Any

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.club.finished import MOST_OF_TABLE
from companion.hub.club.people import People
from companion.hub.database import Database, migrate
from companion.hub.evidence import Replayed, keep_evenings, replayed
from companion.hub.intake import Intake
from companion.hub.room import Room
from companion.log.rows import Row
from companion.relay.wire import Link, link_row
from companion.table.history.chronicle import KeptEvening
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.support.postgres import Cluster
from web.errors import ActionRefusedError, NotFoundError
from web.hub.club_state import Person

BOARDS = {
    "usa": load_board("usa"),
    "france": load_board("france"),
    **{game.id: game for game in mapless_games() if game.id == "paris-by-counts"},
}
TABLES = (
    "game_seats, games, seatings, rounds, entrants, tournament_tables, tournaments, seasons,"
    " sittings, aliases, players, forgotten, left_out, joined, evenings, openings, events, chains,"
    " tables"
)


@pytest.fixture(scope="module")
def kept(postgres: Cluster) -> Iterator[Database]:
    with Database.open(postgres.database("club", migrate)) as database:
        yield database


@pytest.fixture
def database(kept: Database) -> Database:
    with kept.transaction() as connection:
        connection.execute(f"TRUNCATE {TABLES} RESTART IDENTITY CASCADE")
    return kept


@pytest.fixture
def club(database: Database) -> ClubDesk:
    return ClubDesk(database, Room({}), BOARDS)


def finished(database: Database, *players: tuple[str, str, int], hour: int = 20) -> str:
    """A finished game of table 1 with players as (name, colour, points), the best first."""
    ended = datetime(2026, 3, 1, hour, tzinfo=UTC)
    best = players[0][0]
    result = {
        "winners": [best],
        "violations": [{"text": f"{best} holds both lines.", "players": [best], "routes": []}],
        "players": [
            {
                "name": name,
                "colour": colour,
                "total": points,
                "rank": rank,
                "tickets_completed": 2,
                "longest_path": {"length": 30 - rank},
            }
            for rank, (name, colour, points) in enumerate(players, 1)
        ],
    }
    game = {"players": [{"name": name, "colour": colour} for name, colour, _ in players]}
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES ('t1', 'Table 1') ON CONFLICT DO NOTHING"
        )
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " VALUES ('t1', %s, 'usa', %s, %s, %s, %s)",
            [str(hour), ended, ended, json.dumps(game), json.dumps(result)],
        )
    return str(hour)


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


def test_two_players_become_one_person(database: Database, club: ClubDesk) -> None:
    """At the tables she was Ada and Ada Rossi; each name won one game of two."""
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90), hour=18)
    finished(database, ("Ada Rossi", "red", 100), ("Ben", "blue", 80), hour=20)
    whole, ben = club.add_person("Ada Rossi"), club.add_person("Ben")
    club.confirm("t1", "20", [whole.id, ben.id])
    club.confirm("t1", "18", [None, ben.id])
    short = club.person_named("Ada")
    assert short is not None
    season = club.add_season("Spring", date(2026, 3, 1), date(2026, 3, 31))
    before = [(line.person.name, line.games) for line in club.standings(season)[1]]
    assert before == [("Ada", 1), ("Ada Rossi", 1), ("Ben", 2)]
    secret = club.secrets([short.id])[short.id]

    club.join(short.id, whole.id)

    table = [(line.person.name, line.games, line.wins) for line in club.standings(season)[1]]
    assert table == [("Ada Rossi", 2, 2), ("Ben", 2, 0)]
    assert [line.person.name for line in club.ratings()] == ["Ada Rossi", "Ben"]
    assert club.person_named("ada") == whole, "a table that knows her as Ada means her"
    assert not any(game.counting for game in club.results()), "no result is asked about again"
    with pytest.raises(NotFoundError):
        club.person_by_secret(secret)
    with pytest.raises(NotFoundError):
        club.person(short.id)
    with pytest.raises(NotFoundError):
        club.confirm("t1", "18", [short.id, ben.id])  # a page that was open before


def test_who_sat_together_stays_two_people(database: Database, club: ClubDesk) -> None:
    finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", "20", [None, None])
    ada, ben = club.people()
    with pytest.raises(ActionRefusedError, match="two people"):
        club.join(ada.id, ben.id)
    with pytest.raises(NotFoundError):
        club.join(ada.id, ada.id)
    assert [line.games for line in club.ratings()] == [1, 1]


def test_two_players_of_one_tournament_become_one(club: ClubDesk) -> None:
    """Ada left and was entered anew as Ada Rossi: she keeps what she played before."""
    people = [club.add_person(name) for name in ("Ada", "Ben", "Cleo", "Ada Rossi")]
    ada, ben, cleo, again = (one.id for one in people)
    evening = club.add_tournament("Spring", 60)
    club.add_table(evening, "1", "usa")
    for one in (ada, ben, cleo):
        club.arrive(evening, one)
    club.draw(evening)
    club.enter_result(evening, 1, "1", {ada: 90, ben: 80, cleo: 70})
    club.leave(evening, ada)
    club.arrive(evening, again)
    club.join(again, ada)
    view = club.tournament(evening)
    assert [(one.name, is_here) for one, is_here in view.entrants] == [
        ("Ada", True),
        ("Ben", True),
        ("Cleo", True),
    ]
    club.draw(evening)
    last = club.tournament(evening).rounds[-1]
    assert {one.name for one in last.tables[0].people} == {"Ada", "Ben", "Cleo"}
    dan = club.add_person("Dan").id
    club.join(ada, dan)
    played = club.tournament(evening)
    assert {one.name for one in played.rounds[0].tables[0].people} == {"Dan", "Ben", "Cleo"}
    assert (played.standings[0].person.name, played.standings[0].points) == ("Dan", 90)
    eve = club.add_person("Eve").id
    club.arrive(evening, eve)
    club.draw(evening)
    with pytest.raises(ActionRefusedError, match="two people"):
        club.join(eve, dan)


def test_two_who_were_joined_by_mistake_are_parted_with_what_was_theirs(
    database: Database, club: ClubDesk
) -> None:
    """Ada Rossi is Ada's cousin; a game is confirmed while the club takes both for one."""
    for hour, (name, points) in enumerate([("Ada", 110), ("Ada Rossi", 100), ("Ada", 70)], 18):
        finished(database, (name, "red", points), ("Ben", "blue", 60), hour=hour)
    short, cousin, ben = (club.add_person(name).id for name in ("Ada", "Ada Rossi", "Ben"))
    club.add_alias(short, "Adina")
    club.confirm("t1", "18", [short, ben])
    club.confirm("t1", "19", [cousin, ben])
    secret = club.secrets([short])[short]
    club.join(short, cousin)
    club.confirm("t1", "20", [cousin, ben])
    club.add_alias(cousin, "Rossi")
    (joined,) = club.person(cousin).joined
    assert (joined.id, joined.name, joined.since) == (short, "Ada", 1)

    club.part(cousin, short)

    assert club.person_by_secret(secret) == Person(short, "Ada")
    assert club.person(short).aliases == ("Ada", "Adina")
    assert club.person(cousin).aliases == ("Ada Rossi", "Rossi")
    points = {
        one: sorted(line[1] for game in club.person(one).games for line in game.lines[:1])
        for one in (short, cousin)
    }
    assert points == {short: [110], cousin: [70, 100]}, "what came since stays where it was put"
    assert {line.person.name: line.games for line in club.ratings()} == {
        "Ada": 1,
        "Ada Rossi": 2,
        "Ben": 3,
    }
    assert club.person(cousin).joined == ()
    with pytest.raises(NotFoundError):
        club.part(cousin, short)  # the button was tapped twice


def test_a_seat_that_was_taken_before_the_mistake_is_theirs_again(
    database: Database, club: ClubDesk
) -> None:
    ada, zoe = club.add_person("Ada"), club.add_person("Zoe")
    evening = finished(database, ("Red", "red", 110), ("Blue", "blue", 90))
    with database.transaction() as connection:
        for colour, one in (("red", ada), ("blue", zoe)):
            connection.execute(
                "INSERT INTO sittings VALUES ('t1', %s, '2026-03-01T19:00:00.123456Z', %s)",
                [colour, one.id],
            )
    club.join(ada.id, zoe.id)
    assert [one.person for one in club.result("t1", evening).seats] == [zoe, zoe]
    club.part(zoe.id, ada.id)
    assert [one.person for one in club.result("t1", evening).seats] == [ada, zoe]


def test_joined_twice_they_are_parted_in_the_other_order(club: ClubDesk) -> None:
    ada, bea, cleo = (club.add_person(name).id for name in ("Ada", "Bea", "Cleo"))
    club.join(ada, bea)
    club.join(bea, cleo)
    assert [one.name for one in club.person(cleo).joined] == ["Bea"]
    club.part(cleo, bea)
    assert club.person(bea).aliases == ("Ada", "Bea")
    club.part(bea, ada)
    assert [one.name for one in club.people()] == ["Ada", "Bea", "Cleo"]
    assert [club.person(one).aliases for one in (ada, bea)] == [("Ada",), ("Bea",)]


def test_a_name_that_was_given_away_since_stands_in_the_way(club: ClubDesk) -> None:
    ada, bea = club.add_person("Ada").id, club.add_person("Bea").id
    club.join(ada, bea)
    club.rename(bea, "Ada")
    with pytest.raises(ActionRefusedError, match="Ada is the player's own name"):
        club.part(bea, ada)
    club.rename(bea, "Bea")
    club.remove_alias(bea, "Ada")
    other = club.add_person("Ada").id
    with pytest.raises(ActionRefusedError, match="Ada is already in the club"):
        club.part(bea, ada)
    assert [one.name for one in club.people()] == ["Ada", "Bea"], "nothing was changed"
    club.rename(other, "Ada Neri")
    club.remove_alias(other, "Ada")
    club.part(bea, ada)
    assert [one.name for one in club.people()] == ["Ada", "Ada Neri", "Bea"]


def test_a_deleted_player_comes_back_by_no_parting(database: Database, club: ClubDesk) -> None:
    """Neither who was joined into them, nor who was joined into that one before."""
    ada, bea, cleo, dan = (club.add_person(name).id for name in ("Ada", "Bea", "Cleo", "Dan"))
    club.join(ada, bea)
    club.join(bea, cleo)
    assert [one["name"] for one in club.export(cleo)["joined"]] == ["Bea"]
    club.forget(cleo)
    with pytest.raises(NotFoundError):
        club.part(cleo, bea)
    club.join(dan, club.add_person("Eve").id)
    with database.transaction() as connection:
        kept = connection.execute("SELECT name FROM joined").fetchall()
    assert [row["name"] for row in kept] == ["Dan"]


def test_parted_players_have_their_own_places_in_a_tournament(club: ClubDesk) -> None:
    """Round 1 with Ada; as Eve, who came later, she is drawn into round 2; then they are two."""
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve")
    ada, ben, cleo, dan, eve = (club.add_person(name).id for name in names)
    evening = club.add_tournament("Spring", 60)
    club.add_table(evening, "1", "usa")
    for one in (ada, ben, cleo, dan):
        club.arrive(evening, one)
    club.draw(evening)
    club.enter_result(evening, 1, "1", {ada: 90, ben: 80, cleo: 70, dan: 60})
    club.join(ada, eve)
    club.draw(evening)

    club.part(eve, ada)

    view = club.tournament(evening)
    seated = [{one.name for one in each.tables[0].people} for each in view.rounds]
    assert seated == [{"Ada", "Ben", "Cleo", "Dan"}, {"Eve", "Ben", "Cleo", "Dan"}]
    assert [(one.name, is_here) for one, is_here in view.entrants] == [
        ("Ada", True),
        ("Ben", True),
        ("Cleo", True),
        ("Dan", True),
        ("Eve", True),
    ]
    assert view.standings[0].person.name == "Ada"


def test_who_had_left_before_the_mistake_has_left_after_it(club: ClubDesk) -> None:
    """Ada left and Eve is here, who never played: after the parting it is so again, and of one
    who was never entered nothing stays."""
    ada, eve, dan = (club.add_person(name).id for name in ("Ada", "Eve", "Dan"))
    evening = club.add_tournament("Spring", 60)
    for one in (ada, eve):
        club.arrive(evening, one)
    club.leave(evening, ada)
    for other in (eve, dan):
        club.join(ada, other)
        club.part(other, ada)
        entrants = club.tournament(evening).entrants
        assert [(one.name, is_here) for one, is_here in entrants] == [("Ada", False), ("Eve", True)]
    club.join(eve, ada)
    assert [is_here for _, is_here in club.tournament(evening).entrants] == [True]
    club.part(ada, eve)
    entrants = club.tournament(evening).entrants
    assert [(one.name, is_here) for one, is_here in entrants] == [("Ada", False), ("Eve", True)]


def test_a_new_link_takes_the_place_of_the_old_one(club: ClubDesk) -> None:
    ada = club.add_person("Ada")
    before = club.secrets([ada.id])[ada.id]
    club.renew_link(ada.id)
    with pytest.raises(NotFoundError):
        club.person_by_secret(before)
    assert club.person_by_secret(club.secrets([ada.id])[ada.id]) == ada


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


@pytest.mark.parametrize("again", ["Ada", " ada ", "ADA", "Countess"])
def test_a_player_entered_twice_is_one_sentence(club: ClubDesk, again: str) -> None:
    ada = club.add_person("Ada")
    club.add_alias(ada.id, "Countess")
    with pytest.raises(ActionRefusedError, match="already in the club"):
        club.add_person(again)
    assert [person.name for person in club.people()] == ["Ada"]


def test_an_accent_typed_as_a_sign_of_its_own_makes_no_other_person(
    database: Database, club: ClubDesk
) -> None:
    zoe = club.add_person("Zoe\u0308")
    assert zoe.name == "Zo\u00eb"
    with pytest.raises(ActionRefusedError, match="already in the club"):
        club.add_person("Zo\u00eb")
    evening = finished(database, ("Zoe\u0308", "red", 110), ("Ben", "blue", 90))
    assert club.result("t1", evening).seats[0].person == zoe


def test_a_person_may_be_called_what_they_are(club: ClubDesk) -> None:
    for name in ("player x", "Player 1"):
        club.add_person(name)
        with pytest.raises(ActionRefusedError, match="already in the club"):
            club.add_person(name)


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "\u200b\x00", "\u2800\u3164"])
def test_a_name_that_is_none_is_refused(club: ClubDesk, name: str) -> None:
    with pytest.raises(ActionRefusedError):
        club.add_person(name)


def test_one_person_at_two_seats_is_refused_by_name(database: Database, club: ClubDesk) -> None:
    ada = club.add_person("Ada")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    with pytest.raises(ActionRefusedError, match="Ada sits at this game twice"):
        club.confirm("t1", evening, [ada.id, ada.id])
    assert not club.result("t1", evening).is_confirmed


def test_a_renamed_player_is_still_known_by_the_old_name(
    database: Database, club: ClubDesk
) -> None:
    ada = club.add_person("Ada")
    club.rename(ada.id, "Ada L.")
    finished(database, ("ada", "red", 110), ("Ben", "blue", 90))
    person = club.results()[0].seats[0].person
    assert person is not None
    assert person.name == "Ada L."
    with pytest.raises(ActionRefusedError, match="give another name first"):
        club.remove_alias(ada.id, "ada l.")


def told(database: Database, *openings: tuple[str, dict[str, Any]]) -> None:
    """What table 1 told, each event with its place in the chain."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO chains (table_id, chain) VALUES ('t1', 'c')")
        for number, (kind, document) in enumerate(openings, 1):
            connection.execute(
                "INSERT INTO events"
                " (table_id, event_id, chain, place, number, at_s, before_id, commitment)"
                " VALUES ('t1', %s, 'c', %s, %s, 0, 'y', 'x')",
                [f"e{number}", number, number],
            )
            connection.execute(
                "INSERT INTO openings (table_id, event_id, kind, data, nonce)"
                " VALUES ('t1', %s, %s, %s, 'n')",
                [f"e{number}", kind, json.dumps(document)],
            )


def start_of(*names: str) -> tuple[str, dict[str, Any]]:
    return "started", {"board": "usa", "players": [{"name": name} for name in names]}


def kept_of(database: Database, table: str) -> str:
    with database.transaction() as connection:
        rows = connection.execute(f"SELECT row_to_json({table})::text AS row FROM {table}")
        return "".join(row["row"] for row in rows)


def test_a_deleted_person_is_found_nowhere_and_the_others_keep_their_results(
    database: Database, club: ClubDesk
) -> None:
    zoe, ben = club.add_person("Zoë"), club.add_person("Ben")
    club.confirm(
        "t1", finished(database, ("ZOË", "red", 110), ("Ben", "blue", 90)), [zoe.id, ben.id]
    )
    told(
        database,
        start_of("Ben", "Carl"),
        ("finished", {}),
        start_of("zoë", "Ben"),
        ("route-confirmed", {"route": "denver--omaha"}),
        start_of("Ben", "Dora"),
        ("player-renamed", {"colour": "red", "name": "Zoë"}),
        start_of("Ben", "Emil"),
        ("player-added", {"colour": "white", "name": "Zoë"}),
    )
    before = next(line for line in club.ratings() if line.person == ben)
    exported = club.export(zoe.id)
    assert exported["names"] == [{"name": "Zoë"}]
    assert (exported["games"][0]["points"], exported["games"][0]["rank"]) == (110, 1)
    secret = club.person(zoe.id).secret or ""
    assert club.person_by_secret(secret) == zoe

    club.forget(zoe.id)

    for table in TABLES.split(", "):
        kept = kept_of(database, table).casefold()
        assert "zoë" not in kept, table
        assert r"zo\u00eb" not in kept.replace("\\\\", "\\"), table
    openings = kept_of(database, "openings")
    assert [number for number in range(1, 9) if f'"e{number}"' in openings] == [*range(1, 9)]
    assert openings.count(r"\\u2013") == 3, "in 3, 6 and 8 another word stands for the name"
    with database.transaction() as connection:
        assert len(connection.execute("SELECT * FROM events").fetchall()) == 8
    with pytest.raises(NotFoundError):
        club.person_by_secret(secret)
    (after,) = club.ratings()
    assert (after.person, after.mean, after.games) == (ben, before.mean, 1)
    assert club.results()[0].seats[0].name == "–"


def taken_in(database: Database, chain: str, rows: list[Row], last: Link | None = None) -> Link:
    """Rows of table 1's log, told at once behind its last message; returns the new last one."""
    links: list[Link] = []
    for row in rows:
        last = link_row(chain, last, row, "b" * 32, is_open=True)
        links.append(last)
    Intake(database).take([("t1", link) for link in links], {})
    return links[-1]


def seats_told(database: Database, chain: str) -> list[list[str]]:
    """The names of each finished game of a chain, the newest game first."""
    found = replayed(database, "t1", chain, BOARDS).evenings
    return [[one["name"] for one in json.loads(game.document)["players"]] for game in found]


ZOE_AND_BEN = json.dumps(
    {
        "board": "usa",
        "camera": False,
        "settings": {},
        "players": [{"name": "ZOË", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    }
)
SWAPPED = '{"colour": "blue", "name": "Zoë"}'
"""Zoë and Ben had taken each other's seat."""


def test_a_deleted_name_stays_away_from_what_a_table_tells_late(
    database: Database, club: ClubDesk
) -> None:
    """Its network was away, or its log is told once more; whoever plays there later is named."""
    club.forget(club.add_person("Zoë").id)
    now_s = time.time()
    rows = [
        Row(1, now_s - 60, "started", ZOE_AND_BEN, "", ""),
        Row(2, now_s - 50, "finished", "{}", "", ""),
        Row(3, now_s - 40, "player-renamed", SWAPPED, "", ""),
        Row(4, now_s + 60, "started", ZOE_AND_BEN, "", ""),
        Row(5, now_s + 70, "finished", "{}", "", ""),
    ]
    for chain in ("a" * 32, "c" * 32):
        taken_in(database, chain, rows)
        assert seats_told(database, chain) == [["ZOË", "Ben"], ["Ben", "–"]]
    assert "zoë" not in kept_of(database, "forgotten").casefold()


def test_a_deleted_name_stays_away_from_a_game_that_goes_on(
    database: Database, club: ClubDesk
) -> None:
    """Its table swaps the names after Zoë was deleted: red is Ben's."""
    now_s, chain = time.time(), "a" * 32
    last = taken_in(database, chain, [Row(1, now_s - 60, "started", ZOE_AND_BEN, "", "")])
    club.forget(club.add_person("Zoë").id)
    swapped = Row(2, now_s + 60, "player-renamed", SWAPPED, "", "")
    taken_in(database, chain, [swapped, Row(3, now_s + 70, "finished", "{}", "", "")], last)
    assert seats_told(database, chain) == [["Ben", "–"]]


def test_a_real_sheet_keeps_no_name_of_a_deleted_person_anywhere(
    database: Database, club: ClubDesk
) -> None:
    """It says names in paths and remarks too: Zoë has the longest path, and too few tickets."""
    routes = {"Zoë": ["denver--omaha", "helena--omaha"], "Ben": ["atlanta--nashville"]}
    game = {
        "game": "usa",
        "players": [
            {"name": name, "colour": colour, "routes": routes[name], "tickets": []}
            for name, colour in (("Zoë", "red"), ("Ben", "blue"))
        ],
    }
    finished(database, ("Ben", "red", 1), ("Cleo", "blue", 0))
    told_game = KeptEvening("e", "usa", 0.0, 3600.0, json.dumps(game), "mark")
    keep_evenings(database, "t1", Replayed((told_game,), frozenset(), None), BOARDS, {})
    zoe = club.add_person("Zoë")
    assert kept_of(database, "evenings").count("Zoë") > 3
    club.forget(zoe.id)
    assert "Zoë" not in kept_of(database, "evenings")
    seats = club.result("t1", "e").seats
    # Routes of 4 and 5 (7 + 10) and the longest path (10); a route of one.
    assert [(seat.name, seat.points) for seat in seats] == [("–", 27), ("Ben", 1)]


def test_a_game_with_deleted_people_that_goes_on_counts_for_the_others(
    database: Database, club: ClubDesk
) -> None:
    """Ada and Eve go while they play Dan, who then takes a step back and finishes that game.

    The hub got no result of it. Both steps had once been taken for those of the game before.
    """
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    two = [{"name": "Ben", "colour": "red"}, {"name": "Cleo", "colour": "blue"}]
    seats = (("Ada", "blue"), ("Dan", "red"), ("Emil", "green"))
    others = [{"name": name, "colour": colour} for name, colour in seats]
    first = {"board": "usa", "camera": False, "settings": {}, "players": two}
    claim = {"route": "denver--omaha", "owner": "red"}
    told(
        database,
        ("started", first),
        ("route-corrected", claim),
        ("finished", {}),
        ("started", first | {"players": others}),
        ("player-renamed", {"colour": "green", "name": "Eve"}),
        ("route-corrected", {"route": "helena--omaha", "owner": "red"}),
    )
    before = replayed(database, "t1", "c", BOARDS).evenings
    dan = club.add_person("Dan")
    for name in ("Ada", "Eve"):
        club.forget(club.add_person(name).id)
    with database.transaction() as connection:
        later = [("undone", {}), ("route-corrected", claim | {"route": "atlanta--miami"})]
        for number, (kind, data) in enumerate([*later, ("finished", {})], 7):
            connection.execute(
                "INSERT INTO events (table_id, event_id, chain, place, number, at_s, before_id,"
                " commitment) VALUES ('t1', %s, 'c', %s, %s, 0, 'y', 'x')",
                [f"e{number}", number, number],
            )
            connection.execute(
                "INSERT INTO openings VALUES ('t1', %s, %s, %s, 'n')",
                [f"e{number}", kind, json.dumps(data)],
            )
    after = replayed(database, "t1", "c", BOARDS)
    assert json.loads(before[0].document)["players"][0]["routes"] == ["denver--omaha"]
    assert after.evenings[1:] == before
    keep_evenings(database, "t1", after, BOARDS, {})
    for table in ("evenings", "openings", "players"):
        assert not {"Ada", "Eve"} & set(kept_of(database, table).split('"')), table
    game = after.evenings[0].id
    # A route of five, and the longest path.
    seen = [(one.points, one.is_deleted) for one in club.result("t1", game).seats]
    assert seen == [(0, True), (20, False), (0, True)]
    club.confirm("t1", game, [None, dan.id, None])
    assert [(line.person, line.games) for line in club.ratings()] == [(dan, 1)]
    with pytest.raises(ActionRefusedError):
        club.add_person("––")


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


def tournament(club: ClubDesk, people: int, tables: int = 3) -> int:
    evening = club.add_tournament("Spring cup", minutes=60)
    for number in range(1, tables + 1):
        club.add_table(evening, f"T{number}", "usa" if number % 2 else "france")
    for number in range(people):
        club.arrive(evening, club.add_person(f"Player {number + 1}").id)
    return evening


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
    with pytest.raises(ActionRefusedError, match="T1 has no result"):
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


def tables_game(database: Database, club: ClubDesk) -> tuple[int, str, list[int]]:
    """A tournament of three, and their game as the table tells it: 90, 80, 70."""
    evening = tournament(club, 3)
    club.draw(evening)
    people = club.tournament(evening).rounds[0].tables[0].people
    names: list[Any] = [person.name for person in people]
    seats = zip(names, ("red", "blue", "green"), (90, 80, 70), strict=True)
    game = finished(database, *seats, hour=21)
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    return evening, game, [person.id for person in people]


def points_of_round(club: ClubDesk, evening: int) -> list[int] | None:
    result = club.tournament(evening).rounds[0].tables[0].result
    return None if result is None else [points for _, points, _ in result.lines]


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
    with pytest.raises(ActionRefusedError, match="every player at table T1"):
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
    with pytest.raises(ActionRefusedError, match="every player at table T1"):
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


def renamed(database: Database, *names: str) -> None:
    """The table corrects the names at its seats."""
    with database.transaction() as connection:
        for seat, name in enumerate(names):
            connection.execute(
                "UPDATE evenings SET result = jsonb_set(result, %s, to_jsonb(%s::text))",
                [["players", str(seat), "name"], name],
            )


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


def test_a_name_that_a_result_counted_by_goes_with_its_person(
    database: Database, club: ClubDesk
) -> None:
    """Nobody is asked who sat there: neither where the name is gone nor where a table says it."""
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [None, None])
    club.forget(club.results()[0].seats[0].person.id)
    with database.transaction() as connection:
        (row,) = connection.execute("SELECT told FROM games").fetchall()
    assert row["told"] == ["–", "Ben"]
    assert club.waiting() == 0
    renamed(database, "Ada", "Ben")
    assert club.waiting() == 0


def sitting(database: Database) -> list[tuple[str, int]]:
    with database.transaction() as connection:
        rows = connection.execute("SELECT colour, player FROM sittings ORDER BY since").fetchall()
    return [(row["colour"], row["player"]) for row in rows]


def test_two_deleted_people_keep_their_seats_where_points_are_corrected(
    database: Database, club: ClubDesk
) -> None:
    ada, ben = club.add_person("Ada"), club.add_person("Ben")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [ada.id, ben.id])
    club.forget(ada.id)
    club.forget(ben.id)
    with database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', '99')"
        )
    club.confirm("t1", evening, [ada.id, ben.id])
    assert club.result("t1", evening).counting == ()
    with pytest.raises(ActionRefusedError, match="– sits at this game twice"):
        club.confirm("t1", evening, [ben.id, ben.id])


def test_a_deleted_person_comes_back_by_no_page_that_was_still_open(club: ClubDesk) -> None:
    """Another organiser's page still showed the person, and the name stayed taken for good."""
    ada = club.add_person("Ada").id
    evening = club.add_tournament("Cup", 90)
    club.forget(ada)
    for late in (
        lambda: club.rename(ada, "Ada L."),
        lambda: club.add_alias(ada, "Adina"),
        lambda: club.arrive(evening, ada),
    ):
        with pytest.raises(NotFoundError):
            late()
    assert club.people() == []
    assert club.tournament(evening).entrants == ()
    assert [club.add_person(name).name for name in ("Adina", "Ada L.")] == ["Adina", "Ada L."]


def test_a_result_whose_players_were_deleted_counts_for_the_others(
    database: Database, club: ClubDesk
) -> None:
    """Two had gone before anybody confirmed: both seats were offered as a new player called –."""
    ada, ben, cleo = (club.add_person(name) for name in ("Ada", "Ben", "Cleo"))
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90), ("Cleo", "green", 70))
    club.forget(ada.id)
    club.forget(ben.id)
    assert [seat.is_deleted for seat in club.results()[0].seats] == [True, True, False]
    club.confirm("t1", evening, [None, None, cleo.id])
    assert [line.person for line in club.ratings()] == [cleo]
    assert club.people() == [cleo]
    with pytest.raises(ActionRefusedError):
        club.add_person("–")


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


def test_no_event_keeps_anybody_from_being_deleted(database: Database, club: ClubDesk) -> None:
    ada = club.add_person("Ada")
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    deep = "[" * 5000 + "]" * 5000
    told(database, start_of("Ben"), start_of("Cleo"), start_of("Dora"))
    with database.transaction() as connection:
        connection.execute("ALTER TABLE openings DISABLE TRIGGER openings_stay")
        connection.execute("UPDATE openings SET data = %s WHERE event_id = 'e1'", [deep])
        connection.execute(
            "UPDATE openings SET data = %s WHERE event_id = 'e2'", [deep[:5000] + '{"name": "ADA"}']
        )
        connection.execute("ALTER TABLE openings ENABLE TRIGGER openings_stay")
    club.forget(ada.id)
    openings = kept_of(database, "openings")
    assert openings.count("ADA") == 0
    assert [number for number in range(1, 4) if f'"e{number}"' in openings] == [1, 3]


def test_deleting_a_person_brings_no_deleted_evening_back(
    database: Database, club: ClubDesk
) -> None:
    ada = club.add_person("Ada")
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    told(
        database,
        start_of("Ben", "Cleo"),
        ("finished", {}),
        start_of("Ada", "Ben"),
        ("evening-deleted", {"evening": "e1"}),
        ("finished", {}),
    )
    club.forget(ada.id)
    openings = kept_of(database, "openings")
    assert [number for number in range(1, 6) if f'"e{number}"' in openings] == [1, 2, 3, 4, 5]


def test_points_beyond_any_game_are_refused(database: Database, club: ClubDesk) -> None:
    evening = finished(database, ("Ada", "red", 3_000_000_000), ("Ben", "blue", 90))
    with pytest.raises(ActionRefusedError, match="2000"):
        club.confirm("t1", evening, [None, None])


def test_points_are_asked_of_everybody_at_the_table(club: ClubDesk) -> None:
    evening = tournament(club, 3)
    club.draw(evening)
    with pytest.raises(ActionRefusedError, match="every player at table T1"):
        club.enter_result(evening, 1, "T1", {1: 50})
    with pytest.raises(NotFoundError):
        club.enter_result(evening, 2, "T1", {1: 50})


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
    assert told["t1"] is not None
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET began_at = began_at - interval '25 hours'")
    club.tell_tables()
    assert told["t1"] is None


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
