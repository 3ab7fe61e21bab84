"""Who plays, and in which colour, is put right on the panel while the game goes on."""

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from scoring.board.board import Board, load_board
from tests.companion.tables import (
    ADA_AND_BEN,
    ADA_BEN_AND_CLEO,
    ToldEye,
    game_by_hand,
    new_table,
    scanned,
    sure,
)
from tests.web.club_devices import DEVICES, HOST, device, link_of
from tests.web.conftest import STILL
from web.access.club import Club, LetIn
from web.app import create_app
from web.ports import CardSeen, HandSeen, TablePort

Serve = Callable[[TablePort], str]

HTML = {"Accept": "text/html", "Accept-Language": "en"}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ada (red) holds Denver - Omaha (4 wagons, 7 points), Ben (blue) Atlanta - Miami (5, 10)."""
    table = game_by_hand(tmp_path, {"denver--omaha": "red", "atlanta--miami": "blue"})
    table.act("add-ticket", {"player": "blue", "ticket": "denver--el-paso"})
    return table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def standing(table: Table) -> list[tuple[str, str, int]]:
    return [(row["name"], row["colour"], row["points"]) for row in table.state()["standing"]]


def send(client: FlaskClient, action: str, language: str = "en", **sent: str) -> Any:
    headers = {"Accept-Language": language}
    return client.post(f"/api/act/{action}", json=sent, headers=headers)


def test_a_fourth_at_the_table_and_a_wrong_colour_and_the_sheet_is_right(
    table: Table, client: FlaskClient
) -> None:
    """Ben plays green, Cleo was forgotten: she has Dallas - Houston, one wagon, one point.

    Denver - El Paso is not completed: minus 4 for Ben. His path is the longest: 10 points.
    """
    assert send(client, "change-colour", player="blue", colour="green").status_code == 200
    assert "Undo: Ben&#39;s colour" in client.get("/board", headers=HTML).text
    assert send(client, "add-player", colour="blue", name="Cleo").status_code == 200
    table.act("correct-route", {"route": "dallas--houston-1", "owner": "blue"})
    assert standing(table) == [("Ben", "green", 10), ("Ada", "red", 7), ("Cleo", "blue", 1)]
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    (evening,) = table.history.evenings()
    points = {one.name: one.total for one in evening.players}
    assert points == {"Ben": 10 - 4 + 10, "Ada": 7, "Cleo": 1}


def test_the_page_offers_what_can_be_put_right_and_no_more(
    table: Table, client: FlaskClient
) -> None:
    """USA is for two to five: nobody of two may go, and a sixth finds no colour."""
    page = client.get("/names", headers=HTML).text
    assert "Somebody was forgotten" in page
    assert "Ben plays green" in page
    assert "Somebody does not play" not in page
    assert 'href="/names"' in client.get("/start", headers=HTML).text
    for colour in ("green", "yellow", "black"):
        send(client, "add-player", colour=colour, name=colour.title())
    page = client.get("/names", headers=HTML).text
    assert "Somebody was forgotten" not in page
    assert "Somebody plays another colour" not in page
    assert "Take Yellow out" in page
    assert "Take Ada out" not in page, "she has a route: it could only be refused"
    assert "Whoever leaves in the middle of the game stays in the score" in page
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    assert "Take Yellow out" not in client.get("/names", headers=HTML).text


def test_who_sits_where_is_put_right_and_the_lamps_follow(
    table: Table, client: FlaskClient
) -> None:
    assert "Move Ben up" in client.get("/names", headers=HTML).text
    send(client, "move-player", player="blue")
    assert [one["name"] for one in table.state()["players"]] == ["Ben", "Ada"]
    assert list(table.state()["lamps"]) == ["blue", "red"]
    assert standing(table) == [("Ben", "blue", 10), ("Ada", "red", 7)]
    page = client.get("/names", headers=HTML).text
    assert "Move Ada up" in page
    assert "the order of play" in page


def test_another_board_on_the_table_takes_one_tap_and_undo_brings_the_game_back(
    tmp_path: Path,
) -> None:
    """Germany has no blue wagons: its first colour that is free is white.

    What was agreed stays where it makes sense: Germany has no longest path to decide ties, and a
    score track of 50 was the other board's.
    """
    boards = [load_board(name) for name in ("usa", "france", "germany")]
    table = new_table(tmp_path, open_camera=None, boards=boards)
    table.act("start", ADA_AND_BEN)
    table.act("move-player", {"player": "blue"})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    agreed = {"longest-path-needs-a-route": False, "tie-breaks": ["longest-path"]}
    table.act("set-settings", {"settings": agreed | {"fewest-tickets": 1, "score-track": 50}})
    client = create_app(table).test_client()
    played, kept = [], []
    for board in ("germany", "france"):
        page = client.get("/names", headers=HTML).text
        form = page.split(f'name="board" value="{board}"')[1].split("</form>")[0]
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', form))
        assert send(client, "start", **fields, board=board).status_code == 200
        state = table.state()
        assert (state["board"], state["phase"], state["routes"]) == (board, "look", {})
        settings = state["settings"]
        kept.append((settings["tie-breaks"], settings["fewest-tickets"], settings["score-track"]))
        played.append([(one["name"], one["colour"]) for one in state["players"]])
        table.act("undo", {"really": True})
        assert table.state()["board"] == "usa"
        assert standing(table) == [("Ada", "red", 7), ("Ben", "blue", 0)]
    assert played == [[("Ben", "white"), ("Ada", "red")], [("Ben", "blue"), ("Ada", "red")]]
    assert kept == [(["tickets", "passengers"], 1, 100), (["longest-path"], 1, 100)]
    assert state["settings"]["longest-path-needs-a-route"] is False


@pytest.mark.parametrize(
    ("language", "action", "sent", "sentence"),
    [
        (
            "en",
            "add-player",
            {"colour": "red", "name": "Cleo"},
            "red is played already; choose another colour.",
        ),
        (
            "it",
            "change-colour",
            {"player": "red", "colour": "blue"},
            "Con il colore blu gioca già qualcuno: scegline un altro.",
        ),
        (
            "en",
            "add-player",
            {"colour": "mauve", "name": "Cleo"},
            "This board has no wagons of the colour “mauve”.",
        ),
        (
            "en",
            "add-player",
            {"colour": "green", "name": "ben\ufe0e"},
            "Two players have the same name; tell them apart.",
        ),
        ("en", "add-player", {"colour": "green"}, "A player needs a name; type one."),
        ("en", "remove-player", {"player": "red"}, "Ada has a route, a ticket or something else"),
    ],
)
def test_what_does_not_do_is_refused_in_one_sentence(
    table: Table,
    client: FlaskClient,
    language: str,
    action: str,
    sent: dict[str, str],
    sentence: str,
) -> None:
    refused = send(client, action, language, **sent)
    assert refused.status_code in (400, 409)
    assert refused.json["error"].startswith(sentence)
    assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]


def test_as_many_play_as_the_game_is_for(tmp_path: Path) -> None:
    """Germany has six colours and is for two to five players."""
    table = new_table(tmp_path, open_camera=None, boards=(load_board("germany"),))
    players = [{"name": colour, "colour": colour} for colour in ("red", "white")]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    client = create_app(table).test_client()
    said = "This game is for 2 to 5 players."
    assert send(client, "remove-player", player="white").json["error"] == said
    for colour in table.state()["boards"][0]["player_colours"]:
        send(client, "add-player", colour=colour, name=colour)
    assert len(table.state()["players"]) == 5


def test_a_photo_that_is_read_in_the_old_colours_is_read_once_more_in_the_new_ones(
    tmp_path: Path,
) -> None:
    """Ben's colour is put right meanwhile, and Cleo plays too: her four wagons were nobody's."""
    in_colours: list[Sequence[str]] = []

    class BusyEye(ToldEye):
        def look(self, photos_bgr: Any, board: Board, colours: Sequence[str]) -> Any:
            in_colours.append(colours)
            if len(in_colours) == 1:
                table.act("change-colour", {"player": "blue", "colour": "green"})
                table.act("add-player", {"colour": "black", "name": "Cleo"})
            self.routes = {"denver--omaha": sure("black" if "black" in colours else "blue")}
            return super().look(photos_bgr, board, colours)

    table = new_table(tmp_path, BusyEye())
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    assert in_colours == [("red", "blue"), ("red", "green", "black")]
    assert table.state()["routes"]["denver--omaha"]["owner"] == "black"


def test_a_phone_with_a_hand_whose_colour_was_wrong_comes_to_the_tickets(
    table: Table, client: FlaskClient
) -> None:
    """Also a phone that slept through the end of the game in which that colour was played."""
    assert "Ben" in client.get("/tickets/blue", headers=HTML).text
    send(client, "change-colour", player="blue", colour="green")
    assert client.get("/tickets/blue", headers=HTML).location == "/tickets"
    assert client.get("/check/blue", headers=HTML).location == "/tickets"
    assert client.get("/tickets/mauve", headers=HTML).status_code == 404


def test_who_gets_a_colour_does_not_get_a_look_at_the_hand_before(
    table: Table, client: FlaskClient
) -> None:
    """Ben's hand lies open on his phone under blue; then Dora plays blue."""
    opened = client.post("/api/v1/hands/blue")
    key = {"X-Hand": opened.json["key"]}
    assert len(client.get("/api/v1/hands/blue", headers=key).json) == 1
    send(client, "change-colour", player="blue", colour="green")
    send(client, "add-player", colour="blue", name="Dora")
    table.act("add-ticket", {"player": "blue", "ticket": "denver--el-paso"})
    assert client.get("/api/v1/hands/blue", headers=key).status_code == 403


BOSTON = HandSeen((CardSeen(("boston--miami",), is_sure=True, crop=b""),))
"""What Ben's photo shows; nothing of it is entered yet."""


def send_photo(client: FlaskClient, colour: str) -> Any:
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    return client.post(f"/tickets/{colour}/photo", data=photo)


def opened(client: FlaskClient, colour: str) -> str:
    return client.post(f"/tickets/{colour}", follow_redirects=True).text


def test_cards_in_a_photo_go_along_to_the_other_colour_and_back(
    table: Table, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dora, who plays the old colour then, sees nothing of them."""
    monkeypatch.setattr(table, "read_hand", lambda *_: BOSTON)
    send_photo(client, "blue")
    send(client, "change-colour", player="blue", colour="green")
    send(client, "add-player", colour="blue", name="Dora")
    assert "Boston – Miami" in opened(client, "green")
    assert "Boston – Miami" not in opened(client, "blue")
    send(client, "undo")
    send(client, "undo")
    assert "Boston – Miami" in opened(client, "blue")


def test_a_photo_that_is_read_while_the_colour_is_put_right_shows_its_cards_there(
    table: Table, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_meanwhile(*_: object) -> HandSeen:
        send(client, "change-colour", player="blue", colour="green")
        return BOSTON

    monkeypatch.setattr(table, "read_hand", read_meanwhile)
    address = send_photo(client, "blue").location
    assert address.startswith("/tickets/green?")
    assert "Boston – Miami" in client.get(address).text


def test_in_a_club_a_phone_keeps_its_seat_and_its_cards_in_another_colour(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the link of Ada, who has not sat down yet, leads to her seat still."""
    monkeypatch.setattr(table, "read_hand", lambda *_: BOSTON)
    app = create_app(table, access=Club(DEVICES, LetIn([HOST])))
    ben, ada = device(app, "ben"), device(app, "ada")
    ben.post(link_of(app, "Ben"))
    link = link_of(app, "Ada")
    send_photo(ben, "blue")
    for player, colour in (("blue", "green"), ("red", "yellow")):
        send(device(app, HOST), "change-colour", player=player, colour=colour)
    ada.post(link)
    assert "Boston – Miami" in opened(ben, "green")
    assert ada.post("/tickets/yellow").status_code == 303
    assert ada.post("/tickets/green").status_code == 403


def test_undo_says_what_it_takes_back(table: Table, client: FlaskClient) -> None:
    send(client, "add-player", colour="green", name="Cleo")
    assert "Cleo as a player" in client.get("/board", headers=HTML).text
    italian = {**HTML, "Accept-Language": "it"}
    assert "Cleo come giocatore" in client.get("/board", headers=italian).text
    send(client, "remove-player", player="green")
    assert "a player taken out" in client.get("/board", headers=HTML).text
    table.act("undo", {})
    table.act("undo", {})
    assert [one["name"] for one in table.state()["players"]] == ["Ada", "Ben"]


def test_it_is_there_again_after_a_restart(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_BEN_AND_CLEO)
    table.act("remove-player", {"player": "blue"})
    table.act("change-colour", {"player": "green", "colour": "black"})
    table.close()
    again = new_table(tmp_path, open_camera=None)
    assert again.state()["players"] == [
        {"name": "Ada", "colour": "red"},
        {"name": "Cleo", "colour": "black"},
    ]


def test_who_changes_colour_with_the_board_is_told_before(tmp_path: Path) -> None:
    """Germany has no blue wagons: Ben got the first free colour, and nobody was told."""
    boards = (load_board("usa"), load_board("germany"), load_board("france"))
    table = new_table(tmp_path / "other", open_camera=None, boards=boards)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    page = create_app(table).test_client().get("/names?lang=it").text
    asked = re.findall(r'data-sure="([^"]*stessi giocatori[^"]*)"', page)
    assert asked == [
        "Iniziare da capo su Ticket to Ride Germania, con gli stessi giocatori? "
        "Ben avrà il colore bianco.",
        "Iniziare da capo su Ticket to Ride Francia, con gli stessi giocatori?",
    ]


def test_a_family_puts_it_right_by_hand_and_the_phones_follow(
    page: Any, browser: Any, serve: Serve, table: Table
) -> None:
    address = serve(table)
    phone = browser.new_context(
        viewport={"width": 360, "height": 740}, locale="en", **STILL
    ).new_page()
    phone.goto(f"{address}/board")
    page.goto(f"{address}/board")
    page.get_by_role("link", name="Players", exact=True).click()
    page.get_by_text("Somebody was forgotten").click()
    page.get_by_label("Name of the green player").fill("Cleo")
    page.get_by_role("button", name="Add the green player").click()
    page.locator("#standing").get_by_text("Cleo").wait_for()
    phone.locator("#standing").get_by_text("Cleo").wait_for()
    page.get_by_role("link", name="Players", exact=True).click()
    page.get_by_text("Somebody plays another colour").click()
    page.get_by_role("button", name="Ben plays yellow").click()
    page.wait_for_url("**/board")
    assert standing(table) == [("Ben", "yellow", 10), ("Ada", "red", 7), ("Cleo", "green", 0)]
    phone.locator("#standing .c-yellow").first.wait_for()
    phone.context.close()
