"""The club's pages: whom they are open to, what they do with odd input, a whole tournament."""

from html import unescape

import pytest
from werkzeug.http import parse_options_header

from companion.documentation.guards import guarded_routes
from tests.web.hub.club_games import address as address
from tests.web.hub.club_games import club as club
from tests.web.hub.club_games import known, organiser_who_counts, secret_of
from tests.web.hub.club_games import table_one as table_one
from tests.web.hub.club_site import IN_THE_ROOM, ClubSite
from web.access.roles import Role
from web.invitation import qr_code

ODD = ["", " ", "a\x00b", "x" * 5000, "-1", "9" * 30, "²", "<b>", "null", "2026-02-30"]


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


ASKED = {"alike": "1", "instead": "1"}

FORMS: dict[str, dict[str, str]] = {
    "/club/players": {"name": "Odd One"},
    "/club/players/1/rename": {"name": "Odd Two"},
    "/club/players/1/alias": {"name": "Odd Three"},
    "/club/players/1/no-alias": {"name": "Odd Three"},
    "/club/players/1/join": {"into": "2"},
    "/club/results": {"table": "t1", "evening": "e1", "player": "new"},
    "/club/results/take-in": {"table": "t1", "evening": "e1"},
    "/club/paper": {"board": "usa", "day": "2026-03-01", "name": "Odd Five", "points": "50"}
    | ASKED,
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
    "/tournaments/1/result": {"round": "1", "table": "1", "points-1": "50"} | ASKED,
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


def test_a_link_made_on_the_hub_itself_can_be_opened_on_a_phone(club: ClubSite) -> None:
    secret = secret_of(club, "Ada")
    player = known(club, "Ada")
    page = club.organiser().get(f"/club/players/{player}").text
    assert qr_code(f"{IN_THE_ROOM}me/{secret}") in page
    assert f'<a href="{IN_THE_ROOM}me/{secret}">' in page, "to be sent where nobody can scan it"


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
