"""A player's name is corrected in the course of a game, and is right everywhere at once."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.table.table import Table
from scoring.board.board import load_board
from tests.companion.tables import ADA_AND_BEN, OPEN, ToldEye, game_by_hand, new_table
from tests.web.conftest import STILL, open_hand, skip_reveal
from vision.errors import BoardNotFoundError
from web.access.club import Club, LetIn
from web.access.devices import Devices
from web.app import create_app
from web.ports import TablePort

Serve = Callable[[TablePort], str]

HTML = {"Accept": "text/html", "Accept-Language": "en"}
DENVER_OMAHA = 7
"""Points of a route of four wagons, by the rulebook."""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ada (red) holds Denver - Omaha and one ticket, Ben (blue) nothing."""
    table = game_by_hand(tmp_path, {"denver--omaha": "red"})
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    return table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def rename(client: FlaskClient, name: object, player: str = "red", language: str = "en") -> Any:
    sent = {"player": player, "name": name}
    return client.post("/api/act/rename-player", json=sent, headers={"Accept-Language": language})


def shown(client: FlaskClient, address: str) -> str:
    return client.get(address, headers=HTML, follow_redirects=True).text


def test_the_new_name_is_everywhere_and_nothing_else_changes(
    table: Table, client: FlaskClient
) -> None:
    before = dict(table.state())
    assert rename(client, " Adele ").status_code == 200
    after = dict(table.state())
    assert after["players"] == [
        {"name": "Adele", "colour": "red"},
        {"name": "Ben", "colour": "blue"},
    ]
    for part in ("routes", "tickets", "settings"):
        assert after[part] == before[part]
    assert (after["standing"][0]["name"], after["standing"][0]["points"]) == ("Adele", DENVER_OMAHA)
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    evening = table.history.evenings()[0]
    assert [one.name for one in evening.players] == ["Adele", "Ben"]
    for page in ("/board", "/tickets", "/sheet", "/reveal", "/history", f"/history/{evening.id}"):
        assert "Adele" in shown(client, page)
        assert not re.search(r"\bAda\b", shown(client, page)), page
    assert client.get("/api/v1/sheet").json["players"][0]["name"] == "Adele"


def test_a_finished_game_keeps_its_points_under_the_new_name(
    table: Table, client: FlaskClient
) -> None:
    """Seven points for the route, minus 4 for Denver - El Paso, 10 for the longest path."""
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    assert rename(client, "Cleo").status_code == 200
    (evening,) = table.history.evenings()
    assert [(one.name, one.total) for one in evening.players] == [("Cleo", 13), ("Ben", 0)]
    assert "Cleo" in shown(client, "/statistics")
    assert client.get(f"/history/{evening.id}/result.png").status_code == 200


@pytest.mark.parametrize(
    ("name", "language", "sentence"),
    [
        ("  ", "en", "A player needs a name; type one."),
        ("  ", "it", "Al giocatore serve un nome: scrivilo."),
        (7, "en", "A player needs a name; type one."),
        ("A" * 25, "en", f"“{'A' * 24}…” is too long: at most 24 letters."),
        ("A" * 25, "it", f"«{'A' * 24}…» è troppo lungo: al massimo 24 lettere."),
    ],
)
def test_a_name_that_does_not_do_is_refused_in_one_sentence(
    table: Table, client: FlaskClient, name: object, language: str, sentence: str
) -> None:
    refused = rename(client, name, language=language)
    assert (refused.status_code, refused.json["error"]) == (400, sentence)
    assert table.state()["players"][0]["name"] == "Ada"


def test_capitals_of_ones_own_name_may_change_and_the_same_name_is_no_step(
    table: Table, client: FlaskClient
) -> None:
    assert rename(client, "Ada").status_code == 200
    assert table.state()["undo"] == "add-ticket"
    assert rename(client, "ADA").status_code == 200
    assert table.state()["players"][0]["name"] == "ADA"
    assert table.state()["undo"] == "rename-player"
    assert "ADA's new name" in shown(client, "/board").replace("&#39;", "'")
    table.act("undo", {})
    assert table.state()["players"][0]["name"] == "Ada"


@pytest.mark.parametrize(
    ("language", "told", "undo"),
    [
        ("en", "Ben and Ada have changed names.", "the swapped names of Ben and Ada"),
        ("it", "Ben e Ada si sono scambiati il nome.", "lo scambio dei nomi di Ben e Ada"),
    ],
)
def test_the_name_of_another_player_is_swapped_and_told(
    table: Table, client: FlaskClient, language: str, told: str, undo: str
) -> None:
    """Ada sits where Ben was typed, and he where she was: his are the 7 points of red."""
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    assert rename(client, "bEN").status_code == 200
    (evening,) = table.history.evenings()
    assert [(one.name, one.total) for one in evening.players] == [("Ben", 13), ("Ada", 0)]
    page = client.get("/sheet", headers={**HTML, "Accept-Language": language}).text
    assert told in page
    assert undo in page
    client.post("/api/act/undo", json={})
    assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]
    assert told not in shown(client, "/sheet")


def test_it_is_there_again_after_a_restart(
    table: Table, client: FlaskClient, tmp_path: Path
) -> None:
    rename(client, "Zoe\u0308")
    OPEN.pop().close()
    again = new_table(tmp_path, open_camera=None)
    assert again.state()["players"][0]["name"] == "Zo\u00eb"


def test_without_script_the_form_leads_back(table: Table, client: FlaskClient) -> None:
    headers = {**HTML, "Referer": "http://localhost/names"}
    sent = {"player": "blue", "name": "Bo"}
    answer = client.post("/api/act/rename-player", data=sent, headers=headers)
    assert (answer.status_code, answer.location) == (303, "/names")
    assert 'value="Bo"' in shown(client, "/names")
    client.post("/api/act/rename-player", data={**sent, "name": "ada"}, headers=headers)
    swapped = shown(client, "/names")
    assert re.findall(r'name="name" value="(\w+)"', swapped) == ["Bo", "Ada"]
    assert "Bo and Ada have changed names." in swapped


def test_without_a_game_there_is_nobody_to_name(tmp_path: Path) -> None:
    client = create_app(new_table(tmp_path)).test_client()
    assert client.get("/names").location == "/start"
    assert rename(client, "Cleo").status_code == 400


def test_in_a_club_the_host_names_all_seats(table: Table) -> None:
    """Also one that is held by a phone of its own, whose hand the host may not see."""
    devices = Devices(b"k" * 32)
    seats = LetIn(["host"], {"red": "ada"}, {"red": "ada"}, table.in_play().began_ms)
    club = Club(devices, seats)
    app = create_app(table, access=club)
    host, ada = app.test_client(), app.test_client()
    host.set_cookie("device", devices.signed("host"))
    ada.set_cookie("device", devices.signed("ada"))
    assert rename(ada, "Queen").status_code == 403
    assert club.is_taken("red")
    assert rename(host, "Adele").status_code == 200
    assert json.loads(ada.get("/api/state").text)["players"][0]["name"] == "Adele"


def test_a_name_is_corrected_by_hand_and_other_phones_follow(
    page: Any, browser: Any, serve: Serve, table: Table
) -> None:
    address = serve(table)
    phone = browser.new_context(
        viewport={"width": 360, "height": 740}, locale="en", **STILL
    ).new_page()
    phone.goto(f"{address}/board")
    page.goto(f"{address}/board")
    page.get_by_role("link", name="Players", exact=True).click()
    field = page.get_by_label("Name of Ada (red)", exact=True)
    field.fill("A" * 25)
    page.get_by_role("button", name="Save the name of Ada (red)").click()
    page.get_by_text("is too long").wait_for()
    field.fill("Adele")
    field.press("Enter")
    page.locator("#standing").get_by_text("Adele").wait_for()
    phone.locator("#standing").get_by_text("Adele").wait_for()
    phone.context.close()


def test_a_name_put_right_from_the_sheet_leads_back_to_it_and_not_into_the_reveal(
    page: Any, serve: Serve, table: Table
) -> None:
    address = serve(table)
    table.act("finish", {})
    page.goto(f"{address}/reveal")
    skip_reveal(page, "Ada wins!")
    page.get_by_role("link", name="Correct a name").click()
    page.get_by_label("Name of Ada (red)", exact=True).fill("Adele")
    page.get_by_role("button", name="Save the name of Ada (red)").click()
    page.get_by_role("heading", name="Adele wins!").wait_for()
    assert page.url == f"{address}/sheet"
    page.goto(f"{address}/reveal")  # the points that it tells were seen
    page.get_by_role("heading", name="Adele wins!").wait_for()
    assert page.get_by_role("link", name="Skip", exact=True).is_hidden()


class EyeOnGermany(ToldEye):
    """Every photo that it is shown is one of another board."""

    def look(self, photos_bgr: Any, board: Any, colours: Any) -> Any:
        raise BoardNotFoundError("vision.board.other", seen="Germany", wanted="USA")


def test_a_photo_of_another_board_leads_to_the_choice_of_the_right_one(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    boards = (load_board("usa"), load_board("germany"))
    table = new_table(tmp_path / "other", EyeOnGermany(), open_camera=None, boards=boards)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    page.goto(f"{serve(table)}/board")
    assert page.locator("#banner a").count() == 0
    photo = tmp_path / "germany.png"
    cv2.imwrite(str(photo), np.full((900, 1200, 3), 128, np.uint8))
    page.locator("input[type=file]").first.set_input_files(photo)
    page.get_by_text("this looks like Germany").wait_for()
    page.get_by_role("link", name="Other game", exact=True).click()
    page.on("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Ticket to Ride Germany").click()
    page.locator("#board").get_by_text("Berlin", exact=True).first.wait_for()
    page.locator("#standing").get_by_text("Ada").wait_for()
    assert table.state()["board"] == "germany"
    assert page.locator("#banner a").count() == 0


def test_a_half_typed_name_outlives_a_reload_and_a_look_at_the_board_but_no_other_game(
    page: Any, serve: Serve, table: Table
) -> None:
    """A finger that pulled the page down too far, or went back, took the name away.

    Somebody who was nearly added and forgotten again is not added with the next name that is saved.
    """
    address = serve(table)
    page.goto(f"{address}/names")
    ada = page.get_by_label("Name of Ada (red)", exact=True)
    ada.fill("Ad")
    page.get_by_text("Somebody was forgotten").click()
    page.get_by_label("Name of the green player").fill("Cl")
    page.reload()
    expect(ada).to_have_value("Ad")
    expect(page.get_by_label("Name of the green player")).to_have_value("Cl")
    expect(page.get_by_label("Name of the green player")).to_be_visible()
    page.get_by_role("link", name="Back to the game").click()
    page.locator("#standing").get_by_text("Ada").wait_for()
    page.goto(f"{address}/names")
    expect(ada).to_have_value("Ad")
    expect(page.get_by_label("Name of the green player")).to_have_value("")
    page.get_by_role("button", name="Save the name of Ada (red)").click()
    page.locator("#standing").get_by_text("Ad", exact=True).wait_for()
    page.goto(f"{address}/names")
    page.get_by_label("Name of Ad (red)", exact=True).fill("Adele")
    page.get_by_role("link", name="Back to the game").click()
    table.act("new-game", {})
    table.act("start", ADA_AND_BEN)
    page.goto(f"{address}/names")
    expect(ada).to_have_value("Ada")


def test_a_half_typed_name_does_not_come_back_over_another_device_s_correction(
    page: Any, serve: Serve, table: Table
) -> None:
    """It would be saved with the next name that is saved on this page."""
    address = serve(table)
    page.goto(f"{address}/names")
    page.get_by_label("Name of Ada (red)", exact=True).fill("Adah")
    page.get_by_label("Name of Ben (blue)", exact=True).fill("Benn")
    page.get_by_role("link", name="Back to the game").click()
    page.locator("#standing").get_by_text("Ada").wait_for()
    table.act("rename-player", {"player": "red", "name": "Ida"})
    page.goto(f"{address}/names")
    expect(page.get_by_label("Name of Ida (red)", exact=True)).to_have_value("Ida")
    page.get_by_role("button", name="Save the name of Ben (blue)").click()
    page.locator("#standing").get_by_text("Benn").wait_for()
    assert [one["name"] for one in table.state()["players"]] == ["Ida", "Benn"]


def test_one_tap_keeps_every_name_that_was_typed(page: Any, serve: Serve, table: Table) -> None:
    """The button beside one name leads back to the game, away from the other."""
    page.goto(f"{serve(table)}/names")
    page.get_by_label("Name of Ada (red)", exact=True).fill("Adele")
    page.get_by_label("Name of Ben (blue)", exact=True).fill("A" * 25)
    page.get_by_role("button", name="Save the name of Ben (blue)").click()
    page.get_by_text("is too long").wait_for()
    page.get_by_label("Name of Ben (blue)", exact=True).fill("Anna")
    page.get_by_role("button", name="Save the name of Ben (blue)").click()
    page.locator("#standing").get_by_text("Anna").wait_for()
    assert [one["name"] for one in table.state()["players"]] == ["Adele", "Anna"]


def test_what_is_wrong_with_a_name_is_told_though_the_page_is_drawn_anew_while_the_table_answers(
    page: Any, serve: Serve, table: Table
) -> None:
    def answer_late(route: Any) -> None:
        answer = route.fetch()
        table.act("rename-player", {"player": "red", "name": "Adele"})
        page.get_by_label("Name of Adele (red)", exact=True).wait_for()
        route.fulfill(response=answer)

    page.goto(f"{serve(table)}/names")
    page.route("**/api/act/rename-player*", answer_late)
    page.get_by_label("Name of Ben (blue)", exact=True).fill("A" * 25)
    page.get_by_role("button", name="Save the name of Ben (blue)").click()
    page.get_by_text("is too long").wait_for()
    field = page.get_by_label("Name of Ben (blue)", exact=True)
    expect(field).to_have_value("A" * 25)
    assert field.evaluate("field => field === document.activeElement")


def test_a_name_that_is_swapped_is_not_swapped_back_by_the_button_beside_the_other(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/names")
    page.get_by_label("Name of Ada (red)", exact=True).fill("Ben")
    page.get_by_role("button", name="Save the name of Ben (blue)").click()
    page.get_by_text("Ben and Ada have changed names.").wait_for()
    assert [one["name"] for one in table.state()["players"]] == ["Ben", "Ada"]
    page.get_by_role("link", name="Players", exact=True).click()
    page.get_by_label("Name of Ben (red)", exact=True).fill("Ada")
    page.get_by_label("Name of Ada (blue)", exact=True).fill("Ben")
    page.get_by_role("button", name="Save the name of Ada (blue)").click()
    page.get_by_text("Ada and Ben have changed names.").wait_for()
    assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]


def test_the_page_of_names_follows_what_another_phone_puts_right(
    page: Any, serve: Serve, table: Table
) -> None:
    """Who is typing goes on typing: neither the letters nor the place among them are lost."""
    page.goto(f"{serve(table)}/names")
    page.wait_for_load_state("load")
    page.get_by_text("Somebody was forgotten").click()
    page.get_by_label("Name of the yellow player").fill("Cle")
    ada = page.get_by_label("Name of Ada (red)", exact=True)
    ada.fill("Alan")
    ada.press("ArrowLeft")
    table.act("rename-player", {"player": "blue", "name": "Bo"})
    page.get_by_label("Name of Bo (blue)", exact=True).wait_for()
    table.act("add-player", {"colour": "green", "name": "Eva"})
    expect(page.get_by_label("Name of Eva (green)", exact=True)).to_have_value("Eva")
    assert page.get_by_label("Name of the green player").count() == 0
    expect(page.get_by_label("Name of the yellow player")).to_have_value("Cle")
    page.keyboard.type("i")
    expect(ada).to_have_value("Alain")
    page.get_by_role("button", name="Save the name of Ada (red)").click()
    page.locator("#standing").get_by_text("Alain").wait_for()
    names = [one["name"] for one in table.state()["players"]]
    assert sorted(names) == ["Alain", "Bo", "Cle", "Eva"]


def test_a_name_typed_beside_a_colour_that_another_phone_takes_is_kept(
    page: Any, serve: Serve, table: Table
) -> None:
    """It stands beside a free colour, and goes there only once somebody has looked at it."""
    page.goto(f"{serve(table)}/names")
    page.wait_for_load_state("load")
    page.get_by_text("Somebody was forgotten").click()
    field = page.get_by_label("Name of the green player")
    field.press_sequentially("Dor")
    page.get_by_label("Name of the yellow player").fill("Finn")
    field.focus()
    table.act("add-player", {"colour": "green", "name": "Eva"})
    moved = page.get_by_label("Name of the black player")
    expect(moved).to_have_value("Dor")
    expect(moved).to_be_focused()
    said = "The colour green was taken on another device. The name that you typed stands"
    expect(moved).to_have_accessible_description(re.compile(said))
    page.get_by_role("button", name="Add the yellow player").click()
    expect(moved).to_be_focused()
    assert len(table.state()["players"]) == 3, "not before black was looked at"
    table.act("rename-player", {"player": "blue", "name": "Bo"})
    page.get_by_label("Name of Bo (blue)", exact=True).wait_for()
    expect(moved).to_have_accessible_description(re.compile(said))

    table.act("add-player", {"colour": "black", "name": "dor"})
    expect(page.get_by_label("Name of the yellow player")).to_have_value("Finn")
    table.act("add-player", {"colour": "yellow", "name": "Gino"})
    expect(page.locator("#toast")).to_contain_text("nobody else can play")


def test_an_open_question_follows_what_another_phone_puts_right(
    page: Any, serve: Serve, table: Table
) -> None:
    address = serve(table)
    for place in (f"{address}/board", f"{address}/route/denver--omaha"):
        page.goto(place)
        page.wait_for_load_state("load")
        if place.endswith("/board"):
            page.locator("#r-denver--omaha a").press("Enter")
        asked = page.locator("#asked")
        asked.get_by_role("button", name="Ada").wait_for()
        table.act("rename-player", {"player": "red", "name": "Adele"})
        asked.get_by_role("button", name="Adele").wait_for()
        table.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
        asked.get_by_text("Now: Ben").wait_for()
        asked.get_by_role("button", name="Adele").click()
        page.locator("#r-denver--omaha.c-red").wait_for(state="attached")
        assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
        table.act("rename-player", {"player": "red", "name": "Ada"})


@pytest.mark.parametrize("is_open", [True, False])
def test_whose_hand_it_is_follows_what_another_phone_puts_right(
    page: Any, serve: Serve, table: Table, is_open: bool
) -> None:
    address = f"{serve(table)}/tickets/red"
    if is_open:
        open_hand(page, address)
        page.get_by_label("Add a ticket").fill("mia")
    else:
        page.goto(address)
        page.wait_for_load_state("load")
    table.act("rename-player", {"player": "red", "name": "Adele"})
    heading = "Adele's tickets" if is_open else "Only Adele looks"
    page.get_by_role("heading", name=heading).wait_for()
    assert page.title().startswith("Adele")
    if is_open:
        table.act("rename-player", {"player": "blue", "name": "Bo"})
        page.get_by_text("Hide and pass to Bo").first.wait_for()
        expect(page.get_by_label("Add a ticket")).to_have_value("mia")
