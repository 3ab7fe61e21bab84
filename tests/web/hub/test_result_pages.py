"""The pages of a club on which results are confirmed, corrected, typed and counted."""

import json
import re
from datetime import date
from html import unescape
from typing import Any

import pytest

from scoring.game.mapless import mapless_games
from scoring.language import Message
from tests.web.hub.club_games import address as address
from tests.web.hub.club_games import club as club
from tests.web.hub.club_games import (
    drawn,
    finished_at_table_one,
    finished_with,
    known,
    organiser_who_counts,
    secret_of,
)
from tests.web.hub.club_games import table_one as table_one
from tests.web.hub.club_site import ClubSite


@pytest.fixture
def zoe_is_new(club: ClubSite) -> None:
    """Nobody of the club is called Zoe, whoever tests before took in."""
    if zoe := club.desk.person_named("Zoe"):
        club.organiser().post(f"/club/players/{zoe.id}/delete")


@pytest.mark.usefixtures("zoe_is_new")
def test_the_organiser_confirms_a_result_and_takes_in_who_is_new(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    ada = known(club, "Ada")
    organiser = club.organiser()
    page = organiser.get("/club/results").text
    assert "New player Zoe" in page
    sent = {"table": "t1", "evening": "e1", "player": [str(ada), "new"]}
    assert organiser.post("/club/results", data=sent).status_code == 303
    assert club.desk.result(*table_one).is_confirmed
    assert "No result waits" in organiser.get("/club/results").text
    assert "Zoe" in club.app.test_client().get("/club").text
    for page in (f"/club/players/{ada}", f"/me/{secret_of(club, 'Ada')}"):
        games = organiser.get(page).text.partition("Latest games")[2]
        assert re.search(r"Zoe</a> <strong>90<", games)
    zoe = known(club, "Zoe")
    organiser.post(f"/club/players/{zoe}/delete")
    assert "Zoe" not in organiser.get("/club").text
    assert "Deleted player" in organiser.get("/club/results").text


@pytest.mark.usefixtures("zoe_is_new")
def test_the_organiser_says_that_a_game_does_not_count(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    organiser, watching = club.organiser(), club.app.test_client()
    mark = club.desk.result(*table_one).mark
    assert f'name="seen" value="{mark}"' in organiser.get("/club/results").text
    place = {"table": "t1", "evening": "e1"}
    sent = place | {"counts": "no", "player": ["", "new"]}
    assert organiser.post("/club/results", data=sent).status_code == 303
    page = organiser.get("/club/results").text
    assert "No result waits" in page
    assert "Games that do not count" in page
    assert "do not count" not in watching.get("/club/results").text
    assert watching.post("/club/results/take-in", data=place).status_code == 403
    assert organiser.post("/club/results/take-in", data=place).status_code == 303
    stale = place | {"player": [str(known(club, "Ada")), "new"], "seen": "another"}
    assert "corrected this result meanwhile" in organiser.post("/club/results", data=stale).text
    assert not club.desk.result(*table_one).is_confirmed
    assert organiser.post("/club/results", data=stale | {"seen": mark}).status_code == 303
    assert club.desk.result(*table_one).is_confirmed


def play(club: ClubSite, table: str, began: str, ended: str) -> None:
    """A game of Ada and Zoe at a table on 1 March, in place of its game before."""
    with club.database.transaction() as connection:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES (%(id)s, %(name)s) ON CONFLICT DO NOTHING",
            {"id": table, "name": table.replace("t", "Table ")},
        )
        connection.execute(
            """INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)
            SELECT %(table)s, 'e1', 'usa', %(began)s, %(ended)s, game, result FROM evenings
            WHERE table_id = 't1' ON CONFLICT (table_id, evening)
            DO UPDATE SET began_at = %(began)s, ended_at = %(ended)s""",
            {"table": table, "began": f"2026-03-01 {began}", "ended": f"2026-03-01 {ended}"},
        )


def test_the_organiser_is_told_of_one_player_at_two_tables_at_once(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """Two people are called Ada. The one game is from eight to nine, the other from half past."""
    organiser, watching = club.organiser(), club.app.test_client()

    told = "At the same time ada played at Table 2."
    play(club, "t1", "20:00", "21:00")
    play(club, "t2", "20:30", "21:30")
    assert told in unescape(organiser.get("/club/results").text)
    assert (
        "Nelle stesse ore ada ha giocato a Table 2." in organiser.get("/club/results?lang=it").text
    )
    organiser.get("/club/results?lang=en")
    assert "At the same time" not in watching.get("/club/results").text
    play(club, "t2", "20:00", "21:00")  # a box with table 1's log tells its game once more
    assert "At the same time" not in organiser.get("/club/results").text
    play(club, "t2", "00:30", "21:30")  # a clock that was behind when the game began
    assert "At the same time" not in organiser.get("/club/results").text
    play(club, "t2", "20:50", "21:30")  # the next game had begun while tickets were entered
    assert "At the same time" not in organiser.get("/club/results").text
    with club.database.transaction() as connection:
        connection.execute("DELETE FROM evenings")


def test_no_player_confirms_a_result_that_has_somebody_at_two_tables_at_once(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """The other Ada's game counted as hers, before the organiser had seen that there are two."""
    phone, me = club.app.test_client(), f"/me/{secret_of(club, 'Zoe')}"
    known(club, "Ada")
    sent = {"table": "t1", "evening": "e1"}
    play(club, "t1", "20:00", "21:00")
    play(club, "t2", "20:30", "21:30")
    told = "At the same time ada played at Table 2. The organiser confirms this result."
    page = unescape(phone.get(me).text)
    assert told in page
    assert "That is right" not in page, "what would be refused is not offered"
    refused = phone.post(f"{me}/confirm", data=sent)
    assert (refused.status_code, told in unescape(refused.text)) == (409, True)
    assert not club.desk.result(*table_one).is_confirmed
    play(club, "t2", "21:10", "22:00")
    assert "That is right" in phone.get(me).text
    assert phone.post(f"{me}/confirm", data=sent).status_code == 303
    assert club.desk.result(*table_one).is_confirmed
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")
        connection.execute("DELETE FROM evenings")


def test_who_sat_there_is_corrected_also_where_a_result_counts(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """A guest called like somebody of the club, whose player confirmed it: no page offered it."""
    organiser, zoe = club.organiser(), known(club, "Zoe")
    sent = {"table": "t1", "evening": "e1", "player": [str(known(club, "Ada")), str(zoe)]}
    organiser.post("/club/results", data=sent)
    link = "/club/results?table=t1&amp;evening=e1"
    assert link in organiser.get("/club/results").text
    asked = {"table": "t1", "evening": "e1"}
    mending = organiser.get("/club/results", query_string=asked).text
    assert "Who is ada?" in mending
    assert "Points are corrected at the table" in mending, "no field for them says where"
    assert "Points are corrected" not in organiser.get("/club/results").text
    assert "<form" not in club.app.test_client().get("/club/results", query_string=asked).text
    guest = known(club, "Ada Guest")
    organiser.post("/club/results", data=sent | {"player": [str(guest), str(zoe)]})
    assert [one.person and one.person.id for one in club.desk.result(*table_one).seats] == [
        guest,
        zoe,
    ]


def test_a_player_confirms_no_result_that_names_another_than_the_draw(club: ClubSite) -> None:
    """ "Nives" is typed for Nives Neri, who was drawn: the game would be the other Nives's, who
    plays at another table."""
    organiser, phone = club.organiser(), club.app.test_client()
    known(club, "Nives")
    cup = drawn(organiser, "Two Nivess", "Piero, Nives Neri, Quinto", "Table 1")
    organiser.post(f"{cup}/leave", data={"person": known(club, "Quinto")})
    finished_at_table_one(club, ("Piero", "red"), ("Nives", "blue"))
    for name in ("Piero", "Nives"):
        page = phone.get(f"/me/{secret_of(club, name)}").text
        assert "The draw has at this table also: Nives Neri." in page
        assert "That is right" not in page, "what would be refused is not offered"
        sent = {"table": "t1", "evening": "e1"}
        refused = phone.post(f"/me/{secret_of(club, name)}/confirm", data=sent)
        assert refused.status_code == 409
        assert "Nives Neri" in refused.text
    assert not club.desk.result("t1", "e1").is_confirmed
    people = [known(club, name) for name in ("Piero", "Nives Neri")]
    organiser.post("/club/results", data={"table": "t1", "evening": "e1", "player": people})
    assert club.desk.tournament(int(cup.rpartition("/")[2])).open_tables == ()
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


def test_the_results_say_which_points_count_where_the_table_tells_others(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    organiser = club.organiser()
    people = [str(known(club, name)) for name in ("Ada", "Pia")]
    sent = {"table": "t1", "evening": "e1", "player": people}
    organiser.post("/club/results", data=sent)
    with club.database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', '120')"
        )
    assert "these points count: Ada 110, Pia 90." in organiser.get("/club/results").text
    organiser.post("/club/results", data=sent)
    assert "these points count" not in organiser.get("/club/results").text


def test_a_player_who_was_forgotten_and_comes_after_the_result_counts_is_asked_about(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """The table took its sheet back, added the third player and finished anew: the page of results
    was an error from then on."""
    organiser, sent = club.organiser(), {"table": "t1", "evening": "e1"}
    ada, zoe, pia = (str(known(club, name)) for name in ("Ada", "Zoe", "Pia"))
    organiser.post("/club/results", data=sent | {"player": [ada, zoe]})
    third = '{"name": "Pia", "colour": "green", "total": 70, "rank": 3}'
    with club.database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,2}', %s::jsonb)", [third]
        )
    page = organiser.get("/club/results")
    assert page.status_code == 200
    assert "these points count: Ada 110, Zoe 90." in page.text
    named = [seat.person and str(seat.person.id) for seat in club.desk.result(*table_one).seats]
    assert named == [ada, zoe, pia]
    organiser.post("/club/results", data=sent | {"player": named})
    assert "Pia</a> <strong>70</strong>" in organiser.get("/club/results").text
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


def test_points_that_the_organiser_keeps_are_asked_about_no_more_until_the_table_tells_others(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """The only way out was to take the table's points, or to let the whole game not count."""
    organiser = club.organiser()
    people = [str(known(club, name)) for name in ("Ada", "Pia")]
    place = {"table": "t1", "evening": "e1"}
    organiser.post("/club/results", data=place | {"player": people})

    def table_tells(points: int) -> str:
        with club.database.transaction() as connection:
            connection.execute(
                "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', %s::jsonb)",
                [str(points)],
            )
        return club.desk.result(*table_one).mark

    seen = table_tells(80)
    assert "Keep the points that count" in organiser.get("/club/results").text
    keep = place | {"counts": "kept", "player": people, "seen": seen}
    assert club.app.test_client().post("/club/results", data=keep).status_code == 403
    for _ in range(2):  # tapped twice
        assert organiser.post("/club/results", data=keep).status_code == 303
    older = place | {"player": people, "seen": seen}
    assert organiser.post("/club/results", data=older).status_code == 409, "a desk's older page"
    page = organiser.get("/club/results").text
    assert ("No result waits" in page, club.desk.waiting()) == (True, 0)
    assert re.search(r"Ada</a> <strong>110</strong>.*Pia</a> <strong>90</strong>", page)
    assert "<strong>80</strong>" not in page, "they do not count"
    table_tells(70)
    assert "these points count: Ada 110, Pia 90." in organiser.get("/club/results").text
    refused = organiser.post("/club/results", data=keep)
    assert (refused.status_code, club.desk.waiting()) == (409, 1), "of a page from before"
    organiser.post("/club/results", data=place | {"player": people})
    assert "<strong>70</strong>" in organiser.get("/club/results").text
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


def test_a_desk_with_an_older_page_lets_no_result_go_that_another_has_confirmed(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """One desk confirmed it, the other one said in the same moment that it does not count: it
    counted no more, and the first one was not told."""
    organiser, people = club.organiser(), [str(known(club, name)) for name in ("Ada", "Zoe")]
    older = {"table": "t1", "evening": "e1", "seen": club.desk.result(*table_one).mark}
    assert organiser.post("/club/results", data=older | {"player": people}).status_code == 303
    refused = organiser.post("/club/results", data=older | {"counts": "no"})
    assert refused.status_code == 409
    assert "somebody has confirmed it" in unescape(refused.text)
    assert club.desk.result(*table_one).is_confirmed
    newer = older | {"counts": "no", "seen": club.desk.result(*table_one).mark}
    assert organiser.post("/club/results", data=newer).status_code == 303, "who saw it may"
    assert not club.desk.result(*table_one).is_confirmed
    organiser.post("/club/results/take-in", data=older)


def test_the_organiser_sees_which_confirmed_game_its_table_has_deleted(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """It was gone from every standing, and no page said so."""
    organiser, told = club.organiser(), "Confirmed games that their table has deleted"
    people = [str(known(club, name)) for name in ("Ada", "Zoe")]
    organiser.post("/club/results", data={"table": "t1", "evening": "e1", "player": people})
    assert told not in organiser.get("/club/results").text
    with club.database.transaction() as connection:
        connection.execute("UPDATE evenings SET is_deleted = true")
    assert (club.desk.results(), club.desk.waiting()) == ([], 0)
    _, found, after = organiser.get("/club/results").text.partition(told)
    assert found
    assert re.search(r"1\. ada <strong>110</strong>.*2\. Zoe <strong>90</strong>", after)
    assert told not in club.app.test_client().get("/club/results").text
    with club.database.transaction() as connection:
        connection.execute("UPDATE evenings SET is_deleted = false")
    assert told not in organiser.get("/club/results").text
    assert club.desk.result(*table_one).is_confirmed
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


def test_a_deleted_player_s_seat_is_offered_to_nobody_else_where_points_are_corrected(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """The first player of the list would have got the seat."""
    organiser = club.organiser()
    known(club, "Abe")
    people = [str(known(club, name)) for name in ("Ada", "Pia")]
    organiser.post("/club/results", data={"table": "t1", "evening": "e1", "player": people})
    organiser.post(f"/club/players/{people[1]}/delete")
    with club.database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', '120')"
        )
    page = organiser.get("/club/results").text
    assert f'<option value="{people[1]}" selected>Deleted player</option>' in page


def test_a_player_confirms_a_result_beside_somebody_who_was_deleted(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    secret, zoe = secret_of(club, "Ada"), known(club, "Zoe")
    organiser, phone = club.organiser(), club.app.test_client()
    organiser.post(f"/club/players/{zoe}/delete")
    page = organiser.get("/club/results").text
    assert '<option value="new" selected>Deleted player</option>' in page
    sent = {"table": "t1", "evening": "e1"}
    assert phone.post(f"/me/{secret}/confirm", data=sent).status_code == 303
    assert club.desk.result(*table_one).is_confirmed
    assert "–" not in [person.name for person in club.desk.people()]


@pytest.mark.usefixtures("zoe_is_new")
def test_a_player_confirms_by_their_link_once_everybody_is_known(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    secret, phone = secret_of(club, "Ada"), club.app.test_client()
    sent = {"table": "t1", "evening": "e1"}
    page = phone.get(f"/me/{secret}").text
    assert "Is this right?" in page
    assert "Delete my data" in page
    assert "Zoe is not in the club yet" in page
    assert "That is right" not in page, "what would be refused is not offered"
    refused = phone.post(f"/me/{secret}/confirm", data=sent)
    assert refused.status_code == 409
    assert "Zoe is not in the club yet" in refused.text
    other = secret_of(club, "Yan")
    assert phone.post(f"/me/{other}/confirm", data=sent).status_code == 404, "who sat elsewhere"
    known(club, "Zoe")
    assert "That is right" in phone.get(f"/me/{secret}").text
    assert phone.post(f"/me/{secret}/confirm", data=sent).status_code == 303
    assert club.desk.result(*table_one).is_confirmed
    assert phone.get(f"/me/{secret}/export").get_json()["name"] == "Ada"


def test_whoever_took_the_seat_of_another_does_not_confirm_that_result_alone(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """Uwe, at another table, took Ada's seat by his link: her 110 points counted as his."""
    phone, sent = club.app.test_client(), {"table": "t1", "evening": "e1"}
    for name in ("Ada", "Uwe", "Zoe"):
        known(club, name)
    with club.database.transaction() as connection:
        connection.execute(
            "INSERT INTO sittings (table_id, colour, player, told, since)"
            " SELECT 't1', 'red', %s, 'ada', ended_at - interval '1 s' FROM evenings",
            [known(club, "Uwe")],
        )
    page = phone.get(f"/me/{secret_of(club, 'Uwe')}?lang=en").text
    assert "The table calls your seat ada, who is somebody else in the club" in page
    assert "That is right" not in page, "what would be refused is not offered"
    refused = phone.post(f"/me/{secret_of(club, 'Uwe')}/confirm", data=sent)
    assert refused.status_code == 409
    assert not club.desk.result(*table_one).is_confirmed
    assert "1. Uwe" in phone.get(f"/me/{secret_of(club, 'Zoe')}?lang=en").text, "she sees whose"
    assert phone.post(f"/me/{secret_of(club, 'Zoe')}/confirm", data=sent).status_code == 303
    assert club.desk.result(*table_one).is_confirmed
    with club.database.transaction() as connection:
        connection.execute("DELETE FROM sittings")


def test_two_players_of_a_table_say_that_a_result_is_right(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """The second of them read that there is no such game."""
    first, second = secret_of(club, "Ada"), secret_of(club, "Zoe")
    phone, sent = club.app.test_client(), {"table": "t1", "evening": "e1"}
    sent["seen"] = club.desk.result(*table_one).mark
    for secret in (first, second):
        answer = phone.post(f"/me/{secret}/confirm", data=sent, follow_redirects=True)
        assert answer.status_code == 200
        assert "Is this right?" not in answer.text
        assert "<strong>110</strong>" in answer.text, "the page shows what counts"
    assert len(club.desk.person(known(club, "Zoe")).games) == 1


def test_the_organisers_form_has_the_best_first_and_each_player_at_their_seat(
    club: ClubSite,
) -> None:
    """The seats stood in the order of play, with 2. before 1.: beside the sheet of the table that
    is read as another result."""
    third, second, first = (("Ida", "red"), ("Leo", "blue"), ("Mia", "green"))
    finished_with(club, (*third, 80, 3), (*second, 100, 2), (*first, 120, 1))
    organiser = club.organiser()
    page = organiser.get("/club/results").text
    assert re.findall(r"<span>(\d\. \w+)", page) == ["1. Mia", "2. Leo", "3. Ida"]
    seats = re.findall(r'name="seat" value="(\d)"', page)
    chosen = [known(club, name) for name in ("Mia", "Leo", "Ida")]
    sent = {"table": "t1", "evening": "e1", "seat": seats, "player": chosen}
    assert organiser.post("/club/results", data=sent | {"seat": ["0", "0", "1"]}).status_code == 409
    assert organiser.post("/club/results", data=sent | {"seat": ["0", "x", "1"]}).status_code == 409
    organiser.post("/club/results", data=sent)
    counted = club.desk.result("t1", "e1")
    assert counted.is_confirmed
    assert [(one.name, one.person and one.person.name) for one in counted.seats] == [
        ("Ida", "Ida"),
        ("Leo", "Leo"),
        ("Mia", "Mia"),
    ]
    assert counted.counting == ()
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


def test_a_desk_with_an_older_page_takes_no_correction_back(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """One desk chose the guest for the name of another player; the other one tapped "That is
    right" on the page from before, and the guest's game was the other player's again."""
    organiser, guest = club.organiser(), known(club, "Ada Guest")
    ada, zoe = known(club, "Ada"), known(club, "Zoe")
    place = {"table": "t1", "evening": "e1", "seen": club.desk.result(*table_one).mark}
    chosen = place | {"player": [str(guest), str(zoe)]}
    assert organiser.post("/club/results", data=chosen).status_code == 303
    assert organiser.post("/club/results", data=chosen).status_code == 303, "tapped twice"
    older = organiser.post("/club/results", data=place | {"player": [str(ada), str(zoe)]})
    assert older.status_code == 409
    assert "somebody has confirmed it" in unescape(older.text)
    assert [one.person and one.person.id for one in club.desk.result(*table_one).seats] == [
        guest,
        zoe,
    ]
    seen = {"seen": club.desk.result(*table_one).mark}
    organiser.post("/club/results", data=place | seen | {"player": [str(ada), str(zoe)]})
    assert [one.person and one.person.id for one in club.desk.result(*table_one).seats] == [
        ada,
        zoe,
    ]


def test_the_organiser_types_a_game_that_was_played_on_paper(club: ClubSite) -> None:
    """Rows may stay empty, but not the half of one; who is new comes into the club."""
    organiser = club.organiser()
    sent: dict[str, Any] = {"board": "usa", "day": "2026-03-01"}
    half = sent | {"name": ["Rosa", "Tito", ""], "points": ["60", "50", "40"]}
    assert organiser.post("/club/paper", data=half).status_code == 400
    assert club.desk.person_named("Rosa") is None
    twice = sent | {"name": ["Rosa", "rosa"], "points": ["60", "50"]}
    assert "Rosa sits at this game twice" in organiser.post("/club/paper", data=twice).text
    assert club.desk.person_named("Rosa") is None
    whole = sent | {"name": ["Rosa", "Tito", ""], "points": ["60", "50", ""]}
    assert organiser.post("/club/paper", data=whole).status_code == 303
    page = organiser.get("/club/results").text
    (game,) = club.desk.paper_games()
    assert [(one.name, points) for one, points, _ in game.lines] == [("Rosa", 60), ("Tito", 50)]
    assert "Remove this game" in page
    organiser.post(f"/club/paper/{game.id}/remove")
    assert "Remove this game" not in organiser.get("/club/results").text
    future = whole | {"day": "2999-01-01"}
    assert "Choose a day" in organiser.post("/club/paper", data=future).text


def test_a_result_of_a_game_that_was_typed_before_is_told_and_is_the_organisers(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """Its box had no network; the players confirmed it, and it counted twice."""
    organiser, ada, zoe = club.organiser(), known(club, "Ada"), known(club, "Zoe")
    today = date.today().isoformat()
    typed = {"board": "usa", "day": today, "name": ["Ada", "Zoe"], "points": ["112", "88"]}
    organiser.post("/club/paper", data=typed)
    (game,) = club.desk.paper_games()
    player, hers = club.app.test_client(), f"/me/{secret_of(club, 'Ada')}"
    sent = {"table": "t1", "evening": "e1", "seen": club.desk.result(*table_one).mark}
    assert "The organiser confirms this result" in player.get(hers).text
    assert "was typed as a game on paper" in player.post(f"{hers}/confirm", data=sent).text
    assert not club.desk.result(*table_one).is_confirmed
    told = organiser.get("/club/results").text
    assert re.search(r"it would count twice: .* below: Ada 112, Zoe 88\.", told)
    organiser.post(f"/club/paper/{game.id}/remove")
    assert "count twice" not in organiser.get("/club/results").text
    assert player.post(f"{hers}/confirm", data=sent).status_code == 303
    assert [one.person and one.person.id for one in club.desk.result(*table_one).seats] == [
        ada,
        zoe,
    ]


def test_a_desk_with_an_older_page_confirms_no_result_that_another_has_typed(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """One desk typed the game, the other one had its result on the page still: it counted twice."""
    organiser, people = club.organiser(), [str(known(club, name)) for name in ("Ada", "Zoe")]
    older = {"table": "t1", "evening": "e1", "seen": club.desk.result(*table_one).mark}
    today = date.today().isoformat()
    typed = {"board": "usa", "day": today, "name": ["Ada", "Zoe"], "points": ["112", "88"]}
    organiser.post("/club/paper", data=typed)
    (game,) = club.desk.paper_games()
    refused = organiser.post("/club/results", data=older | {"player": people})
    assert refused.status_code == 409
    assert "was typed as a game on paper: load the page again" in refused.text
    assert not club.desk.result(*table_one).is_confirmed
    (shown,) = re.findall(r'name="typed" value="(\d+)"', organiser.get("/club/results").text)
    newer = older | {"player": people, "typed": shown}
    assert organiser.post("/club/results", data=newer).status_code == 303, "who read it may"
    assert club.desk.result(*table_one).is_confirmed
    organiser.post(f"/club/paper/{game.id}/remove")


def test_only_the_button_says_which_game_is_the_same(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """Its number in a link took another game away unseen, whichever button was tapped."""
    organiser = organiser_who_counts(club, table_one, "Ada", "Otto")
    asked = "/club/paper/same?board=usa&name=Ada&points=1&name=Zoe&points=2&alike=1&instead=7"
    page = organiser.get(asked).text
    assert re.findall(r'name="alike" value="(\d+)"', page) == ["1"]
    assert 'type="hidden" name="instead"' not in page


def test_a_game_typed_with_other_points_than_those_that_count_is_asked_about(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """It was confirmed for Otto in the place of Zoe, and counted twice."""
    organiser = organiser_who_counts(club, table_one, "Ada", "Otto")
    today = date.today().isoformat()
    typed = {"board": "usa", "day": today, "name": ["Ada", "Zoe"], "points": ["112", "88"]}
    asked = organiser.post("/club/paper", data=typed)
    assert asked.location.startswith("/club/paper/same?")
    assert club.desk.paper_games() == []
    page = organiser.get(asked.location).text
    assert "Is it the same game?" in page
    assert re.search(r"Table 1</b>.*Ada</a> <strong>110<.*Otto</a> <strong>90<", page)
    assert club.app.test_client().get(asked.location).status_code == 403
    (back,) = re.findall(r'href="(/club/results\?[^"]+)#paper"', page)
    typed_still = re.findall(
        r'name="(?:name|points)" value="(\w+)"', organiser.get(unescape(back)).text
    )
    assert typed_still == ["Ada", "112", "Zoe", "88"]
    sent = re.findall(r'type="hidden" name="(\w+)" value="(\w[\w-]*)"', page)
    again: dict[str, Any] = {name: [] for name, _ in sent}
    for name, value in sent:
        again[name].append(value)
    (same,) = re.findall(r'name="instead" value="(\d+)"', page)
    counted = organiser.post("/club/paper", data=again | {"instead": same})
    assert counted.location == "/club/results#paper"
    (game,) = club.desk.paper_games()
    assert [(one.name, points) for one, points, _ in game.lines] == [("Ada", 112), ("Zoe", 88)]
    assert "Table 1" in organiser.get("/club/results").text.partition("Games that do not count")[2]
    club.desk.remove_paper_game(game.id)


@pytest.mark.parametrize(
    ("language", "head", "said"),
    [
        (
            "en",
            "Finished all the same, although:",
            ["No ticket has been entered for Zoe.", "Wagons left of ada: 40 by count, 45 by"],
        ),
        (
            "it",
            "Chiuso lo stesso, anche se:",
            ["Nessun biglietto inserito per Zoe.", "Vagoni rimasti di ada: 40 contati, 45 secondo"],
        ),
    ],
)
def test_whoever_confirms_a_result_reads_what_stands_against_it(
    club: ClubSite, table_one: tuple[str, str], language: str, head: str, said: list[str]
) -> None:
    """As the table's page in the room does; what a newer hub has kept there costs no page."""
    zoe = secret_of(club, "Zoe")
    known(club, "Ada")
    told = [
        Message("scoring.remark.no-tickets", who="Zoe").to_json(),
        {"key": "scoring.remark.of-another-year", "values": {}},
        "a word",
        Message("scoring.remark.wagons-differ", who="ada", counted=40, left=45).to_json(),
    ]
    with club.database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = result || jsonb_build_object('objections', %s::jsonb)",
            [json.dumps(told)],
        )
    for visitor, page in (
        (club.organiser(), "/club/results"),
        (club.app.test_client(), f"/me/{zoe}"),
    ):
        text = unescape(visitor.get(page, headers={"Accept-Language": language}).text)
        against = text.partition(head)[2].partition("</ul>")[0]
        assert against.count("<li>") == 2
        assert all(one in against for one in said)
    finished_at_table_one(club, ("ada", "red"), ("Zoe", "blue"))
    assert head not in club.organiser().get("/club/results").text


def test_results_of_a_whole_year_are_confirmed_ten_at_a_time(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """A club gets a hub after a year: each of 400 results offered all 120 players at four seats.

    A table keeps no other's results off the page.
    """
    with club.database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t0', 'Old table')")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " SELECT 't0', n::text, board, now(), now() + n * interval '1 day', game, result"
            " FROM evenings, generate_series(1, 13) AS n"
        )
    page = club.organiser().get("/club/results").text
    assert [page.count(f'name="table" value="{one}"') for one in ("t0", "t1")] == [10, 1]
    assert "Further results that wait: 3." in page
    finished_at_table_one(club, ("ada", "red"), ("Zoe", "blue"))
    assert "Further results" not in club.organiser().get("/club/results").text


def test_a_result_of_a_box_whose_clock_was_never_set_has_no_day(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """It is from 1970, says the box."""
    table, evening = table_one
    with club.database.transaction() as connection:
        connection.execute("UPDATE evenings SET ended_at = to_timestamp(80)")
    organiser = club.organiser()

    def listed() -> str:
        return organiser.get("/club/results", headers={"Accept-Language": "it"}).text

    unknown = "giorno sconosciuto: l&#39;orologio della scatola non era regolato"
    assert unknown in listed()
    assert "1970" not in listed()
    sent = {"table": table, "evening": evening, "player": [known(club, "Ada"), known(club, "Zoe")]}
    organiser.post("/club/results", data=sent)
    assert "to-confirm" not in listed()
    assert unknown in listed()


def test_a_waiting_result_names_a_player_once(club: ClubSite) -> None:
    """The table says bea, the club Bea: both stand there. Zora is Zora."""
    known(club, "Bea")
    known(club, "Zora")
    # Neither names nor seats of another test: some rename players, one sits down on red.
    finished_at_table_one(club, ("bea", "green"), ("Zora", "black"))
    page = club.app.test_client().get("/club/results").text
    seats = re.sub("<[^>]+>", "", page.split('class="found-seats"')[1].split("</ul>")[0])
    assert re.findall("bea|Bea|Zora", seats) == ["bea", "Bea", "Zora"]


def test_games_without_a_map_are_offered_in_the_visitors_language(
    club: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stood there as "Paris", "The Card Game" and "Any map"."""
    here = [("usa", "USA"), *((game.id, game.title) for game in mapless_games())]
    monkeypatch.setattr(club.desk, "boards_here", lambda: here)
    page = club.organiser().get("/club/results?lang=it").text
    offered = re.findall(r'<option value="[\w-]+">([^<]+)</option>', page.partition("on-paper")[2])
    assert {unescape(one) for one in offered} == {
        "USA",
        "Ticket to Ride Parigi, per conteggi",
        "Ticket to Ride: il gioco di carte",
        "Qualsiasi mappa, per conteggi",
    }


def test_no_name_that_a_table_tells_makes_a_page_of_results_wider_than_a_phone(
    browser: Any, club: ClubSite, address: str
) -> None:
    """Points stood under a name of 24 wide letters; one that nobody can type had no end."""
    known(club, "W" * 24)
    finished_at_table_one(club, ("W" * 24, "red"), ("\u202e" + "M" * 10_000, "blue"))
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    for page in ("/club/results", f"/me/{secret_of(club, 'W' * 24)}"):
        phone.goto(address + page)
        seats = phone.locator(".found-seats li")
        assert seats.count() == 2
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
        for seat in seats.all():
            name, points = (seat.locator(part).first.bounding_box() for part in ("span", "b"))
            assert name["x"] + name["width"] <= points["x"]
        assert "M" * 61 not in phone.content()
        assert "\u202e" not in phone.content()
    phone.close()


def test_points_stand_beside_their_own_name_however_long_it_is(
    browser: Any, club: ClubSite, address: str
) -> None:
    """37 dropped into the row below, beside that player's 2: it read 237."""
    names = ["Nia", "Bartholomew Featherstonehaugh", "Zelda"]
    organiser = club.organiser()
    at = drawn(organiser, "Winter", ", ".join(names), "1")
    points = zip([known(club, name) for name in names], ("78", "37", "2"), strict=True)
    sent = {f"points-{id}": told for id, told in points}
    organiser.post(f"{at}/result", data={"round": "1", "table": "1", **sent})
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    phone.goto(address + at)
    for name, told in zip(names, ("78", "37", "2"), strict=True):
        row = phone.locator(".placed li", has_text=name)
        assert row.locator("b").inner_text() == told
        own, box = row.bounding_box(), row.locator("b").bounding_box()
        assert own["y"] <= box["y"] + 1
        assert box["y"] + box["height"] <= own["y"] + own["height"] + 1, name
    phone.close()
