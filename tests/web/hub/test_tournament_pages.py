"""The pages of a tournament: drawing, seats, points, and desks whose page is older."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from scoring.language import text
from tests.web.hub.club_games import address as address
from tests.web.hub.club_games import club as club
from tests.web.hub.club_games import (
    drawn,
    finished_at_table_one,
    finished_with,
    known,
    press,
    secret_of,
)
from tests.web.hub.club_games import tab as tab
from tests.web.hub.club_games import table_one as table_one
from tests.web.hub.club_site import ClubSite
from tests.web.test_accessibility import TAGS, found_by_axe
from web.hub.ports import RoomTable
from web.hub.tournament_pages import names_of, next_name

ELEVEN = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim"]


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


def test_a_wrong_name_is_told_also_where_the_points_were_typed_before_the_table_told_them(
    club: ClubSite,
) -> None:
    """The table had no network. With the wrong name its game counted once more, beside the typed
    one."""
    organiser = club.organiser()
    cup = drawn(organiser, "Typed first", "Ugo, Vito, Zita", "Table 1")
    ugo, vito, zita = (known(club, name) for name in ("Ugo", "Vito", "Zita"))
    typed = {f"points-{ugo}": "110", f"points-{vito}": "90", f"points-{zita}": "80"}
    organiser.post(f"{cup}/result", data={"round": "1", "table": "Table 1", **typed})
    finished_with(club, ("Ugo", "red", 110, 1), ("Vito", "blue", 90, 2), ("Ada", "green", 80, 3))
    told = "The draw has at this table also: Zita."
    known(club, "Ada")
    assert told in organiser.get("/club/results").text
    phone, me = club.app.test_client(), f"/me/{secret_of(club, 'Vito')}"
    sent = {"table": "t1", "evening": "e1"}
    assert phone.post(f"{me}/confirm", data=sent).status_code == 409
    organiser.post("/club/results", data=sent | {"player": [ugo, vito, zita]})
    assert told not in organiser.get("/club/results").text
    with club.database.transaction() as connection:
        row = connection.execute(
            "SELECT count(*) AS games FROM game_seats WHERE player = %s", [zita]
        ).fetchone()
    assert row == {"games": 1}
    finished_with(club, ("Ugo", "red", 70, 1), ("Vito", "blue", 60, 2), ("Ada", "green", 50, 3))
    with club.database.transaction() as connection:  # the other tests count their own games
        connection.execute("DELETE FROM games WHERE table_id = 't1'")
    assert told in organiser.get("/club/results").text, "nothing counts for the table"
    organiser.post(f"{cup}/result", data={"round": "1", "table": "Table 1", **typed})
    assert told not in organiser.get("/club/results").text, "another game, after the typed one"
    count_no_more(club, int(cup.rpartition("/")[2]))


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


def test_in_a_large_room_a_player_sees_their_own_table_open(club: ClubSite) -> None:
    """Of twenty tables there were eighty buttons, and their own one was anywhere among them."""
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


def test_points_that_are_typed_over_a_table_s_leave_everybody_at_their_seat(
    club: ClubSite,
) -> None:
    """The seats were those of the draw from then on: who confirmed the table's result once more
    gave its winner's points to whoever was drawn first."""
    organiser = club.organiser()
    cup = drawn(organiser, "Seats", "Ugo, Vito, Zita", "Table 1")
    (table,) = club.desk.tournament(int(cup.rpartition("/")[2])).rounds[0].tables
    one, other, winner = (person.name or "" for person in table.people)
    finished_with(club, (winner, "red", 110, 1), (one, "blue", 90, 2), (other, "green", 80, 3))
    people = [known(club, name) for name in (winner, one, other)]
    with club.database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = now() - interval '1 hour'")
    organiser.post("/club/results", data={"table": "t1", "evening": "e1", "player": people})
    typed = {f"points-{id}": own for id, own in zip(people, ("110", "90", "85"), strict=True)}
    organiser.post(f"{cup}/result", data={"round": "1", "table": "Table 1", **typed})
    waiting = club.desk.result("t1", "e1")
    assert waiting.is_asked_about
    seated = [(seat.name, seat.person and seat.person.name) for seat in waiting.seats]
    assert seated == [(winner, winner), (one, one), (other, other)]
    count_no_more(club, int(cup.rpartition("/")[2]))


def test_a_table_that_is_called_table_is_called_so_once(club: ClubSite) -> None:
    """The set-up names them so: "Table Table 1 has no result yet"."""
    organiser = club.organiser()
    cup = drawn(organiser, "Two words", "Ugo, Vito, Zita", "Table 1")
    organiser.post(f"{cup}/begin", data={"drawn": "1"})
    told = unescape(organiser.post(f"{cup}/draw", data={"drawn": "1"}).text)
    assert "The table “Table 1” has no result yet" in told
    place = {"round": "1", "table": "Table 1"}
    told = unescape(organiser.post(f"{cup}/result", data=place).text)
    assert "every player at the table “Table 1”." in told
    assert 'aria-label="Remove the table “Table 1”"' in unescape(organiser.get(cup).text)


def test_the_standings_of_an_evening_are_saved_as_a_spreadsheet(club: ClubSite) -> None:
    """Ugo wins with 110, Vito and Zita share the second place: 12, 3 and 3."""
    organiser, watching = club.organiser(), club.app.test_client()
    cup = drawn(organiser, "Spring: cup", "Ugo, Vito, Zita", "1")
    assert "standings.csv" not in watching.get(cup).text, "nothing was played"
    points = {"Ugo": "110", "Vito": "80", "Zita": "80"}
    sent = {f"points-{known(club, name)}": own for name, own in points.items()}
    organiser.post(f"{cup}/result", data={"round": "1", "table": "1", **sent})
    assert f'href="{cup}/standings.csv"' in watching.get(cup).text
    answer = watching.get(f"{cup}/standings.csv?lang=en")
    assert "standings-spring-cup.csv" in answer.headers["Content-Disposition"]
    assert answer.text.removeprefix("\ufeff").split() == [
        "Place,Player,Score,Wins,Games,Points",
        "1,Ugo,12.0,1,1,110",
        "2,Vito,3.0,0,1,80",
        "2,Zita,3.0,0,1,80",
    ]
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


def test_nobody_prints_a_seat_card_for_somebody_who_was_deleted(club: ClubSite) -> None:
    organiser = club.organiser()
    at = drawn(organiser, "Cards", "Vera, Walt, Xenia, Yves", "C1")
    club.desk.forget(known(club, "Yves"))
    page = organiser.get(f"{at}/cards").text
    assert sorted(re.findall(r'<p class="name">(.*?)</p>', page)) == ["Vera", "Walt", "Xenia"]


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


PAGE_MS = 20_000
"""As long a page may take to show what it was asked for."""


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
