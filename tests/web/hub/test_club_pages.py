"""The club's pages: whom they are open to, what they do with odd input, a whole tournament."""

import json
import re
from collections.abc import Iterator
from html import unescape
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect
from werkzeug.http import parse_options_header
from werkzeug.serving import make_server

from companion.club.draw import LIMIT_S
from companion.documentation.guards import guarded_routes
from scoring.game.mapless import mapless_games
from scoring.language import text
from tests.support.postgres import Cluster
from tests.torture.proxy import CuttingProxy
from tests.web.hub.club_site import IN_THE_ROOM, ClubSite, club_site
from tests.web.test_accessibility import TAGS, found_by_axe
from tests.web.test_every_room import SMALL_FIELDS
from tests.web.test_phone import ROOM_AND_WORDS_PX
from tests.web.test_safari import CORRECTED
from web.access.roles import Role
from web.hub.ports import RoomTable
from web.hub.tournament_pages import names_of, next_name
from web.invitation import qr_code

ELEVEN = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim"]

ODD = ["", " ", "a\x00b", "x" * 5000, "-1", "9" * 30, "²", "<b>", "null", "2026-02-30"]


@pytest.fixture(scope="module")
def club(postgres: Cluster) -> Iterator[ClubSite]:
    with club_site(postgres) as site:
        yield site


@pytest.fixture
def table_one(club: ClubSite) -> tuple[str, str]:
    """Table 1 with a finished game of Ada (red, 110) and Zoe (blue, 90); (table, evening)."""
    return finished_at_table_one(club, ("ada", "red"), ("Zoe", "blue"))


def drawn(
    organiser: FlaskClient,
    title: str,
    names: str,
    table: str,
    *,
    board: str = "usa",
    minutes: str = "60",
) -> str:
    """The address of a new tournament with one table, to which these people were drawn."""
    made = organiser.post("/tournaments", data={"name": title, "minutes": minutes}).location
    organiser.post(f"{made}/tables", data={"name": table, "board": board})
    organiser.post(f"{made}/arrive", data={"names": names})
    organiser.post(f"{made}/draw", data={"drawn": "0"})
    return str(made)


def finished_at_table_one(
    club: ClubSite, first: tuple[str, str], second: tuple[str, str]
) -> tuple[str, str]:
    """The same of others, (name, colour) each."""
    return finished_with(club, (*first, 110, 1), (*second, 90, 2))


def finished_with(club: ClubSite, *players: tuple[str, str, int, int]) -> tuple[str, str]:
    """The same of players as (name, colour, total, rank), in the order of their seats."""
    parts = ("name", "colour", "total", "rank")
    result = {"players": [dict(zip(parts, one, strict=True)) for one in players]}
    with club.database.transaction() as connection:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES ('t1', 'Table 1') ON CONFLICT DO NOTHING"
        )
        connection.execute("DELETE FROM games WHERE table_id = 't1'")
        connection.execute("DELETE FROM evenings")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " VALUES ('t1', 'e1', 'usa', now(), now(), %s, %s)",
            [json.dumps(result), json.dumps(result)],
        )
    return "t1", "e1"


def known(club: ClubSite, name: str) -> int:
    """Somebody of this name, taken into the club where it has nobody of it."""
    person = club.desk.person_named(name) or club.desk.add_person(name)
    return person.id


def secret_of(club: ClubSite, name: str) -> str:
    return club.desk.person(known(club, name)).secret or ""


def test_a_spectator_changes_nothing_of_the_club(club: ClubSite) -> None:
    writing = [one for one in guarded_routes(club.app) if one.method != "GET"]
    open_ones = {one.address for one in writing if one.need and one.need.role is Role.SPECTATOR}
    assert open_ones == {
        "/join/host",
        "/join/leave",
        "/me/<secret>/sit",
        "/me/<secret>/confirm",
        "/me/<secret>/delete",
    }
    spectator = club.app.test_client()
    assert spectator.post("/club/players", data={"name": "Mallory"}).status_code == 403
    assert spectator.get(f"/club/players/{known(club, 'Ada')}/export").status_code == 403
    assert club.desk.person_named("Mallory") is None


def test_a_secret_stands_on_no_page_that_others_can_open(club: ClubSite) -> None:
    ada = known(club, "Ada")
    page = club.app.test_client().get(f"/club/players/{ada}").text
    assert "Ada" in page
    assert secret_of(club, "Ada") not in page
    assert "<svg" in club.organiser().get(f"/club/players/{ada}").text


FORMS: dict[str, dict[str, str]] = {
    "/club/players": {"name": "Odd One"},
    "/club/players/1/rename": {"name": "Odd Two"},
    "/club/players/1/alias": {"name": "Odd Three"},
    "/club/players/1/no-alias": {"name": "Odd Three"},
    "/club/players/1/join": {"into": "2"},
    "/club/results": {"table": "t1", "evening": "e1", "player": "new"},
    "/club/results/take-in": {"table": "t1", "evening": "e1"},
    "/club/paper": {"board": "usa", "day": "2026-03-01", "name": "Odd Five", "points": "50"},
    "/club/seasons": {"name": "Spring", "first": "2026-03-01", "last": "2026-06-01"},
    "/tournaments": {"name": "Cup", "minutes": "60"},
    "/tournaments/1/tables": {"name": "T9", "board": "usa"},
    "/tournaments/1/no-table": {"name": "T9"},
    "/tournaments/1/arrive": {"names": "Odd Four"},
    "/tournaments/1/back": {"person": "1"},
    "/tournaments/1/leave": {"person": "1"},
    "/tournaments/1/seat": {"person": "1", "table": "1", "drawn": "0"},
    "/tournaments/1/begin": {"drawn": "0"},
    "/tournaments/1/stop": {"drawn": "1"},
    "/tournaments/1/result": {"round": "1", "table": "1", "points-1": "50"},
}


@pytest.mark.parametrize("address", sorted(FORMS))
def test_no_field_of_any_form_makes_the_program_fail(club: ClubSite, address: str) -> None:
    known(club, "Somebody")
    club.desk.add_tournament("Odd evening", 60)
    client, form = club.organiser(), FORMS[address]
    for name in form:
        for value in ODD:
            answer = client.post(address, data=form | {name: value})
            assert answer.status_code in (303, 400, 404, 409), (name, value)
    assert client.post(address, data={}).status_code in (400, 404, 409)


@pytest.mark.parametrize(
    "address",
    ["/me/a%00b", "/me/%ED%A0%80", "/club/players/99999999999999999999", "/tournaments/0/cards"],
)
def test_an_address_of_nobody_is_not_found(club: ClubSite, address: str) -> None:
    assert club.organiser().get(address).status_code == 404


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


def test_whom_the_draw_has_at_a_table_and_its_result_does_not_name_is_told(
    club: ClubSite,
) -> None:
    """ "Vera B." would be a new player, and the table go on waiting for its result."""
    organiser = club.organiser()
    cup = drawn(organiser, "Named", "Ugo, Vera, Vera Bianchi", "Table 1")
    finished_at_table_one(club, ("Ugo", "red"), ("Vera B.", "blue"))

    def told(client: FlaskClient) -> list[str]:
        page = unescape(client.get("/club/results").text)
        found = re.search(r"The draw has at this table also: ([^.]+)\.", page)
        return sorted(found[1].split(" and ")) if found else []

    assert told(organiser) == ["Vera", "Vera Bianchi"]
    assert told(club.app.test_client()) == [], "whom the organiser alone can choose"
    ugo, vera, other = (known(club, name) for name in ("Ugo", "Vera", "Vera Bianchi"))
    organiser.post(f"{cup}/leave", data={"person": vera})
    assert told(organiser) == ["Vera Bianchi"]
    sent = {"table": "t1", "evening": "e1", "player": [ugo, other]}
    organiser.post("/club/results", data=sent)
    assert told(organiser) == []
    view = club.desk.tournament(int(cup.rpartition("/")[2]))
    assert [line.person.name for line in view.standings if line.games] == ["Ugo", "Vera Bianchi"]
    organiser.post(f"{cup}/arrive", data={"names": "Wanda"})
    organiser.post(f"{cup}/draw", data={"drawn": "1"})
    with club.database.transaction() as connection:  # its table corrects it after the next draw
        connection.execute(
            "UPDATE evenings SET ended_at = now(),"
            " result = jsonb_set(result, '{players,1,total}', '95')"
        )
    assert "these points count" in organiser.get("/club/results").text
    assert told(organiser) == [], "it is of the round before, in which Wanda was not"
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")


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


def test_a_link_made_on_the_hub_itself_can_be_opened_on_a_phone(club: ClubSite) -> None:
    secret = secret_of(club, "Ada")
    player = known(club, "Ada")
    page = club.organiser().get(f"/club/players/{player}").text
    assert qr_code(f"{IN_THE_ROOM}me/{secret}") in page
    assert f'<a href="{IN_THE_ROOM}me/{secret}">' in page, "to be sent where nobody can scan it"


def test_a_player_takes_a_seat_by_their_link(club: ClubSite, table_one: tuple[str, str]) -> None:
    """Yan sits where the table has typed Ada."""
    state = {"players": [{"name": "Ada", "colour": "red"}, {"name": "Zoe", "colour": "blue"}]}
    club.room.known["t1"] = RoomTable("t1", "Table 1", state, True, 1)
    secret, phone = secret_of(club, "Yan"), club.app.test_client()
    assert "Table 1: Ada (red)" in phone.get(f"/me/{secret}").text
    assert phone.post(f"/me/{secret}/sit", data={"seat": "t1 red"}).status_code == 303
    assert phone.post(f"/me/{secret}/sit", data={"seat": "t1 white"}).status_code == 404
    assert "Table 1: Ada (red) · you sit here" in phone.get(f"/me/{secret}").text
    other = club.app.test_client().get(f"/me/{secret_of(club, 'Pia')}").text
    assert "Table 1: Zoe (blue)" in other
    assert "Table 1: Ada" not in other, "it would be refused"
    with club.database.transaction() as connection:
        connection.execute("UPDATE evenings SET ended_at = now() + interval '1 hour'")
    person = club.desk.result(*table_one).seats[0].person
    assert person is not None
    assert person.name == "Yan"


def test_in_a_large_room_a_player_sees_the_own_table_open(club: ClubSite) -> None:
    """Of twenty tables there were eighty buttons, and the own one was anywhere among them."""
    for n in range(1, 6):
        players = [{"name": f"Red {n}", "colour": "red"}, {"name": f"Blue {n}", "colour": "blue"}]
        club.room.known[f"big-{n}"] = RoomTable(
            f"big-{n}", f"Big {n}", {"players": players}, True, 1
        )
    page = club.app.test_client().get(f"/me/{secret_of(club, 'Blue 4')}").text
    tables = re.findall(r"<details( open)?><summary[^>]*>(Big \d)<", page)
    shut = [("", f"Big {n}") for n in (1, 2, 3, 5)]
    assert tables == [(" open", "Big 4"), *shut]
    for n in range(1, 6):
        del club.room.known[f"big-{n}"]


def test_no_seat_is_taken_at_a_game_that_is_over(
    club: ClubSite, table_one: tuple[str, str]
) -> None:
    """It changed nothing of that game, and counted for whoever had the colour in the next one."""
    state = {"players": [{"name": "Red", "colour": "red"}], "phase": "sheet"}
    club.room.known["t1"] = RoomTable("t1", "Table 1", state, True, 1)
    secret, phone = secret_of(club, "Yan"), club.app.test_client()
    assert "Where do you sit?" not in phone.get(f"/me/{secret}").text
    assert phone.post(f"/me/{secret}/sit", data={"seat": "t1 red"}).status_code == 404


def test_points_that_are_corrected_stand_in_their_fields(club: ClubSite) -> None:
    """Points below zero too: a field for digits alone has no minus on some phones' keys."""
    organiser = club.organiser()
    here = drawn(organiser, "Autumn", "Ada, Yan, Pia", "1")
    ids = [known(club, name) for name in ("Ada", "Yan", "Pia")]
    sent = {f"points-{id}": points for id, points in zip(ids, ("12", "-5", "3"), strict=True)}
    organiser.post(f"{here}/result", data={"round": "1", "table": "1", **sent})
    page = organiser.get(here).text
    fields = dict(re.findall(r'name="(points-\d+)" value="([^"]*)" type="number"', page))
    assert fields == sent
    needed = re.compile(rf'name="points-{ids[2]}"[^>]* required')
    assert needed.search(page)
    organiser.post(f"{here}/leave", data={"person": ids[2]})
    assert not needed.search(organiser.get(here).text), "who left needs none"


def test_a_list_of_names_can_be_sent_again_once_one_was_corrected(club: ClubSite) -> None:
    """The second name is too long; those before it have come already."""
    organiser = club.organiser()
    at = organiser.post("/tournaments", data={"name": "Again", "minutes": "60"}).location
    long = "Maximilian " * 5
    wrong = organiser.post(f"{at}/arrive", data={"names": f"Nora, {long}, Otto"})
    assert wrong.status_code == 409
    right = organiser.post(f"{at}/arrive", data={"names": "Nora, Max, nora, Otto"})
    assert right.status_code == 303
    entrants = club.desk.tournament(int(at.rpartition("/")[2])).entrants
    assert [person.name for person, is_here in entrants if is_here] == ["Nora", "Max", "Otto"]


@pytest.mark.parametrize("typed", ["Marco, Luca, Marco", "Marco, Luca; marco"])
def test_a_second_player_of_one_name_is_not_left_out_unsaid(club: ClubSite, typed: str) -> None:
    """Two of a club are called Marco: one of them had no seat in the draw, and nobody knew why."""
    organiser, italian = club.organiser(), {"Accept-Language": "it"}
    at = organiser.post("/tournaments", data={"name": "Namesakes", "minutes": "60"}).location
    sent = organiser.post(f"{at}/arrive", data={"names": typed})
    told = text("web.club.arrive.here", "it", names="Marco")
    assert told in unescape(organiser.get(sent.location, headers=italian).text)
    again = organiser.post(f"{at}/arrive", data={"names": "Marco"}).location
    assert told in unescape(organiser.get(again, headers=italian).text)
    other = organiser.post(f"{at}/arrive", data={"names": "Marco B., Sara"}).location
    assert "Già tra i presenti" not in organiser.get(other, headers=italian).text
    entrants = club.desk.tournament(int(at.rpartition("/")[2])).entrants
    assert [person.name for person, _ in entrants] == ["Marco", "Luca", "Marco B.", "Sara"]


def test_an_older_page_draws_no_round_anew_that_another_desk_has_drawn(club: ClubSite) -> None:
    """Its cards may be printed; Uma, who came after, plays from the next round."""
    organiser = club.organiser()
    cup = organiser.post("/tournaments", data={"name": "Two desks", "minutes": "90"}).location
    organiser.post(f"{cup}/tables", data={"name": "Table 1", "board": "usa"})
    organiser.post(f"{cup}/arrive", data={"names": "Rea, Sol, Tea"})
    older = {"drawn": "0"}
    assert 'name="drawn" value="0"' in organiser.get(cup).text
    before_update = organiser.post(f"{cup}/draw")
    assert "This page is from before the hub was updated" in before_update.text
    organiser.post(f"{cup}/draw", data=older)
    assert "Somebody else sits here" not in organiser.get(cup).text, "all sit here"
    organiser.post(f"{cup}/arrive", data={"names": "Uma"})
    assert "Somebody else sits here" in organiser.get(cup).text
    organiser.post(f"{cup}/draw", data=older)
    (drawn,) = club.desk.tournament(int(cup.rsplit("/", 1)[1])).rounds
    assert {person.name for person in drawn.tables[0].people} == {"Rea", "Sol", "Tea"}
    assert 'name="drawn" value="1"' in organiser.get(cup).text
    organiser.post(f"{cup}/draw", data={"drawn": "1"})
    (again,) = club.desk.tournament(int(cup.rsplit("/", 1)[1])).rounds
    assert len(again.tables[0].people) == 4, "who sees the round may draw it anew"


def test_an_older_page_stops_no_later_round_and_seats_nobody_in_it(club: ClubSite) -> None:
    """A phone still shows round 1 while round 2 is played: its buttons are of round 1."""
    organiser = club.organiser()
    cup = drawn(organiser, "Old phone", "Ugo, Vito, Zita", "1")
    id = int(cup.rpartition("/")[2])
    organiser.post(f"{cup}/begin", data={"drawn": "1"})
    older = dict(
        re.findall(
            r'/stop"><input type="hidden" name="(\w+)" value="(\d)"', organiser.get(cup).text
        )
    )
    points = {f"points-{known(club, name)}": "5" for name in ("Ugo", "Vito", "Zita")}
    organiser.post(f"{cup}/result", data={"round": "1", "table": "1", **points})
    organiser.post(f"{cup}/draw", data={"drawn": "1"})
    organiser.post(f"{cup}/begin", data=older)
    assert club.desk.tournament(id).rounds[1].began_s is None
    organiser.post(f"{cup}/begin", data={"drawn": "2"})
    organiser.post(f"{cup}/stop", data=older)
    assert club.desk.tournament(id).rounds[1].began_s is not None
    organiser.post(f"{cup}/arrive", data={"names": "Ezra"})
    sent = {"person": known(club, "Ezra"), "table": "1"}
    organiser.post(f"{cup}/seat", data=sent | older)
    assert len(club.desk.tournament(id).rounds[1].tables[0].people) == 3
    organiser.post(f"{cup}/seat", data=sent | {"drawn": "2"})
    assert len(club.desk.tournament(id).rounds[1].tables[0].people) == 4
    organiser.post(f"{cup}/stop", data={"drawn": "2"})
    assert club.desk.tournament(id).rounds[1].began_s is None
    count_no_more(club, id)


def test_a_result_that_somebody_else_entered_meanwhile_is_not_typed_over(club: ClubSite) -> None:
    """Two desks have the same page open: the second one's figures stood, and nobody was told."""
    organiser = club.organiser()
    cup = drawn(organiser, "Two typists", "Ugo, Vito, Zita", "1")
    ugo, vito, zita = (known(club, name) for name in ("Ugo", "Vito", "Zita"))
    place = {"round": "1", "table": "1", "seen": seen_in(organiser, cup)}

    def points() -> list[tuple[str | None, int]]:
        (table,) = club.desk.tournament(int(cup.rpartition("/")[2])).rounds[0].tables
        return [] if table.result is None else [(a.name, b) for a, b, _ in table.result.lines]

    first = place | {f"points-{ugo}": "110", f"points-{vito}": "90", f"points-{zita}": "80"}
    assert organiser.post(f"{cup}/result", data=first).status_code == 303
    assert organiser.post(f"{cup}/result", data=first).status_code == 303, "tapped twice"
    italian = {"Accept-Language": "it"}
    refused = organiser.post(f"{cup}/result", data=first | {f"points-{ugo}": "11"}, headers=italian)
    assert refused.status_code == 409
    assert "ha avuto un altro risultato" in refused.text
    assert points() == [("Ugo", 110), ("Vito", 90), ("Zita", 80)]
    seen = {"seen": seen_in(organiser, cup)}
    organiser.post(f"{cup}/result", data=first | {f"points-{ugo}": "11"} | seen)
    assert points() == [("Vito", 90), ("Zita", 80), ("Ugo", 11)], "who saw it may correct it"
    count_no_more(club, int(cup.rpartition("/")[2]))


def count_no_more(club: ClubSite, tournament: int) -> None:
    """The other tests count their own games."""
    with club.database.transaction() as connection:
        connection.execute("DELETE FROM games WHERE tournament = %s", [tournament])


def seen_in(organiser: FlaskClient, address: str) -> str:
    """The mark of the result that a page shows."""
    found = re.search(r'name="seen" value="([^"]*)"', organiser.get(address).text)
    assert found is not None
    return found[1]


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
    assert "confirmed it with other players" in older.text
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


def test_two_players_are_joined_on_the_page_of_one(club: ClubSite) -> None:
    organiser = club.organiser()
    short, whole = known(club, "Mina"), known(club, "Mina Neri")
    page = organiser.get(f"/club/players/{short}").text
    assert f'<option value="{whole}">Mina Neri</option>' in page
    assert f'<option value="{short}">' not in page, "nobody is joined with themselves"
    empty = organiser.post(f"/club/players/{short}/join", data={"into": ""})
    assert (empty.status_code, known(club, "Mina")) == (400, short)
    answer = organiser.post(f"/club/players/{short}/join", data={"into": str(whole)})
    assert answer.location == f"/club/players/{whole}"
    assert ">Mina</span>" in organiser.get(answer.location).text, "one more of her names"
    assert organiser.get(f"/club/players/{short}").status_code == 404


def test_two_players_who_were_joined_by_mistake_are_parted_there(club: ClubSite) -> None:
    organiser = club.organiser()
    short, whole = known(club, "Gia"), known(club, "Gia Neri")
    said = organiser.get(f"/club/players/{short}").text
    assert "parted again on that player's page" in unescape(said)
    organiser.post(f"/club/players/{short}/join", data={"into": str(whole)})
    page = organiser.get(f"/club/players/{whole}").text
    assert "Gia is somebody else after all" in page
    assert (
        "is somebody else after all"
        not in club.app.test_client().get(f"/club/players/{whole}").text
    )
    answer = organiser.post(f"/club/players/{whole}/part", data={"gone": str(short)})
    assert answer.location == f"/club/players/{short}"
    assert "<h1>Gia</h1>" in organiser.get(answer.location).text
    assert "is somebody else after all" not in organiser.get(f"/club/players/{whole}").text


def test_a_lost_seat_card_opens_nothing_once_there_is_a_new_link(club: ClubSite) -> None:
    organiser, finder, lost = club.organiser(), club.app.test_client(), secret_of(club, "Ada")
    organiser.post(f"/club/players/{known(club, 'Ada')}/new-link")
    assert finder.get(f"/me/{lost}").status_code == 404
    assert finder.post(f"/me/{lost}/delete").status_code == 404
    assert finder.get(f"/me/{secret_of(club, 'Ada')}").status_code == 200


def test_a_copied_name_brings_no_sign_along_that_cannot_be_seen(club: ClubSite) -> None:
    """A phone copies a contact with signs for the direction around it."""
    organiser = club.organiser()
    copied = "\u2068Nina\u2069 Costa"
    answer = organiser.post("/club/players", data={"name": copied})
    assert "<h1>Nina Costa</h1>" in organiser.get(answer.location).text
    sent = {"board": "usa", "day": "2026-03-01", "name": [copied, "\u202eOtto"], "points": [60, 50]}
    assert organiser.post("/club/paper", data=sent).status_code == 303
    (game,) = club.desk.paper_games()
    assert [one.name for one, _, _ in game.lines] == ["Nina Costa", "Otto"]
    club.desk.remove_paper_game(game.id)


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


def test_a_tournament_that_was_made_by_mistake_is_removed(club: ClubSite) -> None:
    organiser, desk = club.organiser(), club.desk
    made = desk.add_tournament("By mistake", 60)
    people = [known(club, name) for name in ("Ada", "Ben", "Cleo")]
    for one in people:
        desk.arrive(made, one)
    desk.add_table(made, "1", "usa")
    desk.draw(made)
    assert "Remove this tournament" in organiser.get(f"/tournaments/{made}").text
    assert "Remove this" not in club.app.test_client().get(f"/tournaments/{made}").text
    desk.enter_result(made, 1, "1", dict.fromkeys(people, 50))
    assert "Remove this" not in organiser.get(f"/tournaments/{made}").text
    refused = organiser.post(f"/tournaments/{made}/remove")
    assert (refused.status_code, "has its result" in refused.text) == (409, True)
    other = desk.add_tournament("By mistake too", 60)
    desk.arrive(other, people[0])
    assert organiser.post(f"/tournaments/{other}/remove").location == "/tournaments"
    assert organiser.get(f"/tournaments/{other}").status_code == 404
    assert "By mistake too" not in organiser.get("/tournaments").text
    assert desk.person_named("Ada") is not None
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE tournament = %s", [made])


def test_names_come_by_commas() -> None:
    """One that stands twice is told: see the second player of one name."""
    assert names_of(" Ada,Ben ;; Ada,  Cleo  L. ") == ["Ada", "Ben", "Ada", "Cleo L."]
    assert names_of("Zoe\u0308, Zo\u00eb") == ["Zo\u00eb", "Zo\u00eb"]


@pytest.mark.parametrize(
    ("inside", "room", "offered"),
    [
        ([], [], "1"),
        ([], ["Corner", "Table 2"], "Corner"),
        (["Corner"], ["Corner", "Table 2"], "Table 2"),
        (["Table 1", "Table 2"], ["Table 1", "Table 2"], "Table 3"),
        (["Corner"], [], "1"),
        (["Caf\xe8"], ["Cafe\N{COMBINING GRAVE ACCENT}", "Table 2"], "Table 2"),
    ],
)
def test_the_next_table_of_a_tournament_has_a_name_to_begin_with(
    inside: list[str], room: list[str], offered: str
) -> None:
    assert next_name(inside, room) == offered


@pytest.fixture(scope="module")
def address(club: ClubSite) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, club.app, threaded=True)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


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


def organiser_who_counts(club: ClubSite, table_one: tuple[str, str], *names: str) -> FlaskClient:
    """The organiser, after the result of these players at table one was confirmed."""
    table, evening = table_one
    players = [str(known(club, name)) for name in names]
    organiser = club.organiser()
    sent = {"table": table, "evening": evening, "player": players}
    organiser.post("/club/results", data=sent)
    return organiser


def test_a_long_name_in_the_standings_of_a_season_is_not_broken_within_a_word(
    browser: Any, club: ClubSite, address: str, table_one: tuple[str, str]
) -> None:
    organiser = organiser_who_counts(club, table_one, "Massimiliano Bonaventura", "Zoe")
    season = {"name": "Autumn", "first": "2000-01-01", "last": "2100-01-01"}
    at = organiser.post("/club/seasons", data=season | {"last": "2001-01-01"}).location
    organiser.post(f"{at}/remove")
    assert organiser.get(at).status_code == 404, "its days were wrong"
    at = organiser.post("/club/seasons", data=season).location
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    phone.goto(address + at)
    name = phone.locator(".standings a", has_text="Massimiliano")
    height = name.evaluate("a => a.getClientRects()[0].height")
    line = phone.locator(".standings a", has_text="Zoe").evaluate(
        "a => parseFloat(getComputedStyle(a).lineHeight)"
    )
    assert height <= max(44, 2 * line + 1), "no more lines than words"
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.close()


def test_the_table_of_a_season_fits_a_phone_in_italian(
    browser: Any, club: ClubSite, address: str, table_one: tuple[str, str]
) -> None:
    """Its last column was cut: of 110 points one saw the first figure."""
    organiser = organiser_who_counts(club, table_one, "Ginevra", "Zoe")  # no other game is hers
    season = {"name": "Autunno", "first": "2000-01-01", "last": "2100-01-01"}
    at = organiser.post("/club/seasons", data=season).location
    phone = browser.new_page(viewport={"width": 360, "height": 740}, locale="it")
    phone.goto(address + at)
    card = phone.locator(".wide-table").bounding_box()
    row = phone.get_by_role("row").filter(has_text="Ginevra")
    points = row.get_by_role("cell", name="110", exact=True).bounding_box()
    assert points["x"] + points["width"] <= card["x"] + card["width"]
    assert phone.get_by_role("columnheader", name="Posto").count() == 1
    phone.emulate_media(media="print")
    assert row.bounding_box()["height"] < 30, "a club of sixty fits two sheets of paper, not five"
    assert phone.get_by_role("link", name="Il circolo").count() == 0
    phone.emulate_media(media="screen")
    phone.goto(f"{address}/club")
    heads = phone.get_by_role("heading", level=2).all_inner_texts()
    assert heads.index("Stagioni") < heads.index("Valutazioni"), "not below sixty players"
    phone.close()


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


@pytest.mark.parametrize(
    ("language", "head", "score"),
    [
        ("en", "Place,Player,Score,Wins,Games,Points", "1,'=1+1,12.0,1,1,110"),
        ("it", "Posto;Giocatore;Punteggio;Vittorie;Partite;Punti", "1;'=1+1;12,0;1;1;110"),
    ],
)
def test_the_table_of_a_season_is_taken_into_a_spreadsheet(
    club: ClubSite, table_one: tuple[str, str], language: str, head: str, score: str
) -> None:
    organiser = organiser_who_counts(club, table_one, "=1+1", "Zoe")
    season = {"name": "File", "first": "2000-01-01", "last": "2100-01-01"}
    at = organiser.post("/club/seasons", data=season).location
    visitor = club.app.test_client()
    assert f'href="{at}/standings.csv"' in visitor.get(at).text
    answer = visitor.get(f"{at}/standings.csv?lang={language}")
    assert answer.data.startswith(b"\xef\xbb\xbf"), "else a spreadsheet takes it for no UTF-8"
    lines = answer.data.decode("utf-8-sig").splitlines()
    assert lines[0] == head
    assert score in lines
    organiser.post(f"{at}/remove")
    assert visitor.get(f"{at}/standings.csv").status_code == 404


@pytest.mark.parametrize(
    ("name", "language", "file"),
    [
        ("Autunno 2026", "it", "classifica-autunno-2026.csv"),
        ("Autumn: 2026/27", "en", "standings-autumn-2026-27.csv"),
        ("★", "it", "classifica.csv"),
        ("Però", "it", "classifica-però.csv"),
    ],
)
def test_the_file_of_a_season_is_called_as_the_season_in_the_visitors_language(
    club: ClubSite, name: str, language: str, file: str
) -> None:
    season = {"name": name, "first": "2000-01-01", "last": "2100-01-01"}
    at = club.organiser().post("/club/seasons", data=season).location
    answer = club.app.test_client().get(f"{at}/standings.csv?lang={language}")
    kind, options = parse_options_header(answer.headers["Content-Disposition"])
    assert (kind, options["filename"]) == ("attachment", file)


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


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_fit_the_pages_of_a_club(
    large_letters: Any, club: ClubSite, address: str, language: str
) -> None:
    """With a round under way, at 360 pixels."""
    organiser = club.organiser()
    at = drawn(organiser, "Summer", "Nia, Bartholomew, Zelda", "1", minutes="90", board="germany")
    organiser.post(f"{at}/begin", data={"drawn": "1"})
    phone = large_letters.new_page(viewport={"width": 360, "height": 740})
    phone.goto(f"{address}/join?lang={language}")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "join"
    phone.locator("input[name=pin]").fill(club.access.pin.pin)
    press(phone, phone.locator("form.pin button"))
    me = f"/me/{secret_of(club, 'Nia')}"
    for path in ("/", "/scoreboard", "/club", "/club/results", "/join", at, f"{at}/cards", me):
        phone.goto(f"{address}{path}?lang={language}")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        last = phone.locator(".tabs a").last.bounding_box()
        assert last["x"] + last["width"] <= 361, f"{path}: the last tab"
    phone.close()


@pytest.fixture(scope="module")
def tab(browser: Any, club: ClubSite, address: str) -> Iterator[Any]:
    """The organiser's tablet."""
    context = browser.new_context(locale="en", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout((LIMIT_S + 40) * 1000)  # a draw on a busy machine takes its limit
    page.goto(f"{address}/join")
    page.get_by_label("PIN of the organiser").fill(club.access.pin.pin)
    press(page, page.get_by_role("button", name="I am the organiser"))
    yield page
    context.close()


PAGE_MS = 20_000
"""As long a page may take to show what it was asked for."""


def press(tab: Any, button: Any) -> None:
    """Press what leads to another page, and wait for that page."""
    with tab.expect_navigation():
        button.click()


def draw(tab: Any, number: int) -> None:
    """Draw a round and wait until the page shows it."""
    press(tab, tab.get_by_role("button", name=f"Draw round {number}"))
    heading = tab.locator(".round-now > h2")
    expect(heading).to_have_text(f"Round {number}", timeout=PAGE_MS)


def seated(tab: Any) -> list[list[str]]:
    """The names at each table of the present round."""
    cards = tab.locator(".round-now .room-table").all()
    return [card.locator("li a").all_inner_texts() for card in cards]


def enter_points(tab: Any) -> None:
    """At every table the first one gets 110 points, each next one 10 less."""
    placed, tables = tab.locator(".round-now .placed"), len(seated(tab))
    for number in range(1, tables + 1):
        card = tab.locator(".round-now .room-table:not(:has(.placed))").first
        if not card.locator("form").first.is_visible():
            card.locator("summary").first.click()
        for place, field in enumerate(card.get_by_role("spinbutton").all()):
            field.fill(str(110 - 10 * place))
        press(tab, card.get_by_role("button", name="Save"))
        expect(placed).to_have_count(number, timeout=PAGE_MS)


def test_eleven_people_play_three_rounds_and_one_leaves(tab: Any, address: str) -> None:
    tab.goto(f"{address}/tournaments")
    tab.get_by_label("Name of the tournament").fill("Spring cup")
    press(tab, tab.get_by_role("button", name="New tournament"))
    here = tab.url.split("#")[0]
    tab.get_by_label("Who comes").fill("Ada, Ben")
    press(tab, tab.get_by_role("button", name="Add").first)
    tab.get_by_role("button", name="Draw round 1").click()
    expect(tab.get_by_role("alert")).to_contain_text("at least 3 players", timeout=PAGE_MS)
    for board in ("usa", "france", "germany"):
        tab.get_by_label("Board").select_option(board)
        press(tab, tab.get_by_role("button", name="Add").last)
    tab.get_by_label("Who comes").fill(", ".join(ELEVEN[2:]))
    press(tab, tab.get_by_role("button", name="Add").first)

    draw(tab, 1)
    assert sorted(name for table in seated(tab) for name in table) == ELEVEN
    assert [len(table) for table in seated(tab)] == [4, 4, 3]
    press(tab, tab.get_by_role("button", name="Start the timer: 90 minutes"))
    expect(tab.locator(".timer b")).to_have_text(re.compile("^1:(29|30):"), timeout=PAGE_MS)
    assert found_by_axe(tab, {"runOnly": TAGS}) == []
    assert not tab.get_by_role("button", name="Draw round").count()
    enter_points(tab)

    draw(tab, 2)
    expect(tab.locator(".round-now")).to_contain_text(re.compile("meets? again"))
    enter_points(tab)
    press(tab, tab.get_by_role("button", name="Ben leaves"))
    expect(tab.locator("li.gone")).to_have_count(1, timeout=PAGE_MS)
    draw(tab, 3)
    last = seated(tab)
    assert [len(table) for table in last] == [4, 3, 3]
    assert "Ben" not in {name for table in last for name in table}
    enter_points(tab)

    rows = tab.locator("table.standings tbody tr").all_inner_texts()
    assert len(rows) == 11
    games = {row.split("\t")[1].strip(): row.split("\t")[4] for row in rows}
    assert games == {name: "2" if name == "Ben" else "3" for name in ELEVEN}
    tab.goto(f"{here}/cards")
    cards = tab.locator(".seat-card").all_inner_texts()
    assert len(cards) == 10
    assert all("Round 3" in card and "Spring cup" in card for card in cards)
    assert tab.locator(".seat-card svg.qr").count() == 10


@pytest.mark.parametrize("path", ["club", "club/results", "tournaments", "me"])
def test_axe_finds_nothing_on_a_page_of_the_club(
    tab: Any, club: ClubSite, table_one: tuple[str, str], address: str, path: str
) -> None:
    secret = secret_of(club, "Ada")
    tab.goto(f"{address}/{path}/{secret if path == 'me' else ''}".rstrip("/"))
    assert found_by_axe(tab, {"runOnly": TAGS}) == []


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_page_is_wider_than_a_phone(
    tab: Any, club: ClubSite, table_one: tuple[str, str], address: str, language: str
) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    ada = known(club, "Ada")
    if not club.desk.tournaments():  # where no test before this one has played any
        club.desk.add_tournament("Spring cup", 60)
    newest = club.desk.tournaments()[0].id
    pages = ["club", f"club/players/{ada}", "club/results", f"tournaments/{newest}"]
    for path in [*pages, f"me/{secret_of(club, 'Ada')}"]:
        tab.goto(f"{address}/{path}?lang={language}")
        wide = tab.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, path
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"{address}/club?lang=en")


def test_on_a_phone_no_field_grows_the_page_or_corrects_a_name_and_a_game_has_its_whole_name(
    tab: Any, club: ClubSite, address: str
) -> None:
    evening = {"name": "On phones", "minutes": "90"}
    tournament = club.organiser().post("/tournaments", data=evening).location
    phone = tab.context.new_page()
    phone.set_viewport_size({"width": 390, "height": 844})
    for page in ("/club", "/club/results", tournament):
        phone.goto(address + page)
        assert phone.evaluate(SMALL_FIELDS) == [], page
        assert phone.evaluate(CORRECTED) == [], page
    phone.locator("form[action$='/tables'] select").select_option(label="Ticket to Ride Germany")
    room, words = phone.locator("form[action$='/tables'] select").evaluate(ROOM_AND_WORDS_PX)
    assert words <= room
    phone.close()


def test_a_form_on_a_line_that_went_without_a_word_is_told_as_unanswered(
    browser: Any, club: ClubSite, address: str
) -> None:
    """Its page said nothing, and took no second tap, until the browser gave up minutes later."""
    network = CuttingProxy(int(address.rsplit(":", 1)[1]))
    with network.listening() as port:
        phone = browser.new_page(locale="it")
        phone.goto(f"http://127.0.0.1:{port}/join")
        pin = phone.get_by_label("PIN dell'organizzatore")
        pin.fill(club.access.pin.pin)
        network.is_deaf = True
        enter = phone.get_by_role("button", name="Sono l'organizzatore")
        enter.click()
        told = phone.get_by_role("alert")
        expect(told).to_contain_text("L'hub non ha risposto.", timeout=60_000)
        assert pin.input_value() == club.access.pin.pin
        network.is_deaf = False
        enter.click()
        phone.wait_for_url(f"http://127.0.0.1:{port}/", timeout=60_000)
        phone.close()


def test_what_is_refused_stays_on_its_page_with_what_was_typed(
    browser: Any, club: ClubSite, address: str
) -> None:
    """A wrong PIN, a name that is taken, days the wrong way round; what is right goes on."""
    phone = browser.new_page(viewport={"width": 390, "height": 844}, locale="it")
    phone.goto(f"{address}/join")
    pin = phone.get_by_label("PIN dell'organizzatore")
    wrong = f"{(int(club.access.pin.pin) + 1) % 10**6:06d}"
    pin.fill(wrong)
    phone.get_by_role("button", name="Sono l'organizzatore").click()
    expect(phone.get_by_role("alert")).to_contain_text("Il PIN non è questo.")
    assert phone.url == f"{address}/join"
    assert pin.input_value() == wrong
    expect(pin).to_be_focused()
    pin.fill(club.access.pin.pin)
    phone.get_by_role("button", name="Sono l'organizzatore").click()
    phone.wait_for_url(f"{address}/")

    club.organiser().post("/club/players", data={"name": "Presa"})
    phone.goto(f"{address}/club")
    name = phone.get_by_label("Nuovo giocatore")
    name.fill("PRESA")
    name.press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("PRESA è già nel circolo")
    assert phone.url == f"{address}/club"
    assert name.input_value() == "PRESA"

    season = phone.get_by_label("Nome della stagione")
    if not season.is_visible():  # there is a season already
        phone.get_by_text("Nuova stagione").click()
    season.fill("Inverno")
    phone.get_by_label("Primo giorno").fill("2026-03-01")
    phone.get_by_label("Ultimo giorno").fill("2026-01-01")
    season.press("Enter")
    expect(phone.get_by_role("alert")).to_have_count(2)
    assert season.input_value() == "Inverno"
    assert phone.get_by_label("Primo giorno").input_value() == "2026-03-01"
    phone.get_by_label("Ultimo giorno").fill("2026-04-01")
    season.press("Enter")
    phone.wait_for_url(f"{address}/club/seasons/*")
    phone.close()
