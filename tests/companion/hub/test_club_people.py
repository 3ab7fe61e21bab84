"""A club's people in a real PostgreSQL: their names, who is joined with whom, and parted again."""

from datetime import date

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database
from tests.companion.hub.club_games import club as club
from tests.companion.hub.club_games import database as database
from tests.companion.hub.club_games import finished
from tests.companion.hub.club_games import kept as kept
from web.errors import ActionRefusedError, NotFoundError
from web.hub.club_state import Person


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
