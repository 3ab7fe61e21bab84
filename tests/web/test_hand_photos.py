"""Tickets from photos: seen by their owner alone, entered at one tap, only what is confirmed."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from scoring.language import Message
from tests.web.conftest import key_on, open_hand
from tests.web.fake_table import FakeTable, grey_png
from tests.web.test_layout import on_top
from tests.web.test_pages import opened, then_shows
from web.ports import CardSeen, TablePort

Serve = Callable[[TablePort], str]

HELENA, MIAMI, DENVER = "helena--los-angeles", "boston--miami", "denver--el-paso"
SURE = [CardSeen((name,), True, grey_png()) for name in (HELENA, MIAMI, DENVER)]
ASKED = CardSeen((MIAMI, DENVER), False, b"crop-of-a-doubtful-card")
UNREAD = CardSeen((), False, b"crop-of-an-unread-card", "unclear")


@pytest.fixture
def ready(playing: FakeTable) -> FakeTable:
    """Photos of hands can be read here."""
    playing.offer_hand_photos("ready")
    return playing


def send(client: FlaskClient, player: str = "red", **fields: Any) -> str:
    """Send a photo of a hand; gives the page that shows what was found."""
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    answer = client.post(f"/tickets/{player}/photo", data={**photo, **fields})
    assert answer.status_code == 303
    return client.get(answer.location).text


def enter(client: FlaskClient, page: str, **choices: str) -> Any:
    fields = {name.replace("_", "-"): value for name, value in choices.items()}
    return client.post("/tickets/red/photo/enter", data={"hand": key_on(page), **fields})


def hand_of(table: FakeTable, player: str = "red") -> list[str]:
    return [one["ticket"] for one in table.state()["tickets"][player]]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Photos taken before"), ("it", "Foto già fatte")]
)
def test_photos_that_were_taken_before_can_be_chosen(
    client: FlaskClient, ready: FakeTable, language: str, words: str
) -> None:
    """The camera's field stays empty then, and is sent all the same."""
    ready.photographed = [tuple(SURE)]
    shown = client.get("/tickets/red", headers={"Accept-Language": language}).text
    form = shown.split('action="/tickets/red/photo"')[1].split("</form>")[0]
    fields = [field.split(">")[0] for field in form.split("<input ")[1:]]
    assert [("capture" in one, "multiple" in one) for one in fields if "images" in one] == [
        (True, True),
        (False, True),
    ]
    assert words in form
    photos = [(io.BytesIO(b""), ""), (io.BytesIO(b"one"), "1.jpg"), (io.BytesIO(b"two"), "2.jpg")]
    answer = client.post("/tickets/red/photo", data={"images": photos})
    assert ready.images == [[b"one", b"two"]]
    assert "3 cards lie here, and all were read." in client.get(answer.location).text


def test_found_tickets_are_listed_and_none_is_entered(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.photographed = [tuple(SURE)]
    ready.act("correct-route", {"route": "denver--santa-fe", "owner": "red"})
    ready.act("correct-route", {"route": "el-paso--santa-fe", "owner": "red"})
    page = send(client)
    assert ready.images == [[b"a photo"]]
    assert "3 cards lie here, and all were read." in page
    denver, miami = (page.index(name) for name in ("Denver – El Paso", "Boston – Miami"))
    assert "not yet completed" in page[miami : miami + 100]
    assert "not yet completed" not in page[denver : denver + 300]
    assert "completed" in page[denver : denver + 300]
    assert hand_of(ready) == []
    assert "Hide without entering these 3 tickets" in page  # the way out says what is lost by it
    assert "Hide and pass to" not in page


def test_one_tap_enters_all_in_one_step_and_leads_to_the_next_hand(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.act("add-ticket", {"player": "red", "ticket": MIAMI})
    ready.photographed = [tuple(SURE)]
    page = send(client)
    assert "already entered" in page
    before = len(ready.acts)
    answer = enter(client, page, card_0=HELENA, card_2=DENVER)
    assert (answer.status_code, answer.location) == (303, "/tickets/blue")
    assert hand_of(ready) == [MIAMI, HELENA, DENVER]
    assert len(ready.acts) == before + 1


GERMANS = [
    {"name": "Ada", "colour": "red"},
    {"name": "Ben", "colour": "white"},
    {"name": "Cleo", "colour": "black"},
]


def germany(ready: FakeTable) -> None:
    """All three have claimed a route, along which passengers travel."""
    ready.act("start", {"board": "germany", "players": GERMANS, "camera": True})
    routes = ("berlin--leipzig", "hannover--magdeburg", "dortmund--kassel")
    for route, player in zip(routes, GERMANS, strict=True):
        ready.act("correct-route", {"route": route, "owner": player["colour"]})


def test_after_a_photo_of_tickets_the_passengers_are_still_asked_for(
    client: FlaskClient, ready: FakeTable
) -> None:
    """The one tap that enters the tickets led past them to the next player."""
    germany(ready)
    ready.photographed = [(CardSeen(("berlin--leipzig",), True, grey_png()),)]
    answer = enter(client, send(client), card_0="berlin--leipzig")
    assert answer.location.startswith("/tickets/red?hand=")
    assert answer.location.endswith("#passengers")
    page = client.get(answer.location).text
    assert 'id="passengers"' in page
    assert "Hide without entering passengers" in page

    client.post("/api/act/set-passengers", data={"player": "red", "passengers-green": "1"})
    page = opened(client, "red").text
    assert "Hide without entering passengers" not in page
    assert "Hide and pass to Ben" in page
    ready.photographed = [(CardSeen(("hamburg--rostock",), True, grey_png()),)]
    assert enter(client, send(client), card_0="hamburg--rostock").location == "/tickets/white"


def test_passengers_that_are_missing_are_asked_of_one_player_after_the_other(
    client: FlaskClient, ready: FakeTable
) -> None:
    """All tickets are entered; whoever adds the passengers hands on to who has none yet."""
    germany(ready)
    tickets = ("berlin--leipzig", "hamburg--rostock", "emden--hamburg")
    for player, ticket in zip(GERMANS, tickets, strict=True):
        ready.act("add-ticket", {"player": player["colour"], "ticket": ticket})

    def way_on(colour: str, count: str) -> str:
        sent = {"player": colour, "passengers-green": count}
        client.post("/api/act/set-passengers", data=sent)
        head = opened(client, colour).text.split('data-key="pass-on"')[1]
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", "", head.split(">", 1)[1].split("</a>")[0]))

    assert way_on("red", "1") == "Hide and pass to Ben"
    assert way_on("white", "2") == "Hide and pass to Cleo"
    assert way_on("black", "0") == "Hide without entering passengers"
    assert way_on("black", "1") == "Hide, all done"


def test_a_photo_of_the_board_that_failed_is_not_told_on_a_hand(
    client: FlaskClient, ready: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it would seem to speak of the photo of the tickets."""
    seen = ready.state()
    seen["photo"] = Message("companion.camera.unreadable", reason="too blurred").to_json()
    then_shows(ready, seen, monkeypatch)
    said = "The photo could not be read"
    assert said in client.get("/board").text
    assert said in client.get("/tickets").text
    assert said not in opened(client, "red").text


def test_cards_that_were_photographed_and_forgotten_are_told_before_the_sheet(
    client: FlaskClient, ready: FakeTable
) -> None:
    """The screen went off before Ada entered them, and the table is about to finish."""
    said = "The photo of Ada shows tickets that are not entered yet."
    ready.act("add-ticket", {"player": "red", "ticket": HELENA})
    assert said not in client.get("/tickets").text
    ready.photographed = [tuple(SURE)]
    page = send(client)
    waiting = client.get("/tickets").text
    assert said in waiting
    assert "1 ticket · photo read, not entered yet" in waiting
    assert "Finish all the same" in waiting
    enter(client, page, card_1=MIAMI)
    assert said not in client.get("/tickets").text
    ready.photographed = [tuple(SURE)]
    client.post("/tickets/red/photo/forget", data={"hand": key_on(send(client))})
    assert said not in client.get("/tickets").text


def test_a_ticket_that_the_player_unticks_is_not_entered(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.photographed = [tuple(SURE)]
    enter(client, send(client), card_0=HELENA)
    assert hand_of(ready) == [HELENA]


def test_a_doubtful_card_is_shown_and_asked_about(client: FlaskClient, ready: FakeTable) -> None:
    ready.photographed = [(SURE[0], ASKED)]
    page = send(client)
    assert "2 cards lie here, one was read." in page
    assert "Which ticket is this?" in page
    assert "data:image/jpeg;base64," in page
    left = enter(client, page, card_0=HELENA)  # nothing said of the doubtful one
    assert hand_of(ready) == [HELENA]
    page = client.get(left.location).text
    assert "Which ticket is this?" in page
    enter(client, page, card_0=DENVER)
    assert hand_of(ready) == [HELENA, DENVER]


def test_an_unread_card_is_shown_and_not_passed_over(client: FlaskClient, ready: FakeTable) -> None:
    ready.photographed = [(*SURE, UNREAD)]
    page = send(client)
    assert "4 cards lie here, 3 were read." in page
    assert "This card could not be read" in page
    left = enter(client, page, card_0=HELENA, card_1=MIAMI, card_2=DENVER)
    assert "This card could not be read" in client.get(left.location).text


def test_a_second_photo_joins_the_first(client: FlaskClient, ready: FakeTable) -> None:
    ready.photographed = [(SURE[0],), (SURE[1],)]
    first = send(client)
    both = send(client, hand=key_on(first))
    assert "2 cards lie here, and all were read." in both


def test_only_what_the_photo_showed_can_be_confirmed(client: FlaskClient, ready: FakeTable) -> None:
    ready.photographed = [(SURE[0], UNREAD)]
    page = send(client)
    enter(client, page, card_0=MIAMI, card_1=DENVER, card_7=HELENA)
    assert hand_of(ready) == []


def test_nothing_in_the_photo_is_said_in_one_sentence(
    client: FlaskClient, ready: FakeTable
) -> None:
    page = send(client)
    assert "No ticket card was found in the photo" in page
    nothing = client.post("/tickets/red/photo", data={}, follow_redirects=True)
    assert "No photo came with that" in nothing.text


def test_what_was_found_is_on_the_page_that_was_opened_and_nowhere_else(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.photographed = [(SURE[0], ASKED)]
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    answer = client.post("/tickets/red/photo", data=photo)
    shown = client.get(answer.location)
    assert "Helena – Los Angeles" in shown.text
    for said in (answer, shown):
        assert said.headers["Cache-Control"] == "no-store"
    key = key_on(shown.text)
    for address in (answer.location, "/tickets/red", "/tickets", "/api/state", "/board"):
        assert "Helena – Los Angeles" not in client.get(address).text
    # Another hand's page has no use for this key, and a key that opens nothing enters nothing.
    assert client.get("/tickets/blue", headers={"X-Hand": key}).text.count("In your photo") == 0
    client.post("/tickets/red/photo/enter", data={"hand": "x", "card-0": HELENA})
    client.post("/tickets/blue/photo/enter", data={"hand": key, "card-0": HELENA})
    assert (hand_of(ready), hand_of(ready, "blue")) == ([], [])


def test_the_page_is_the_same_whether_or_not_somebody_else_holds_a_ticket(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.photographed = [tuple(SURE), tuple(SURE)]
    before = send(client)
    client.post("/tickets/red/photo/forget", data={"hand": key_on(before)})
    ready.act("add-ticket", {"player": "blue", "ticket": MIAMI})
    after = send(client)
    section = re.compile(r'<section class="card seen">.*?</section>', re.S)
    found = [section.search(page.replace(key_on(page), "")) for page in (before, after)]
    assert len({one[0] for one in found if one is not None}) == 1
    assert None not in found


def test_without_the_package_one_sentence_says_how_to_get_it(
    client: FlaskClient, playing: FakeTable
) -> None:
    assert 'type="file"' not in client.get("/tickets/red").text
    playing.offer_hand_photos("missing")
    curtain = client.get("/tickets/red").text
    assert "make tickets" not in curtain, "the curtain says only whose turn it is"
    hand = client.post("/tickets/red", follow_redirects=True).text
    assert hand.index("make tickets") > hand.index("Add a ticket"), "typing comes first"
    assert 'type="file"' not in curtain + hand


def test_three_players_enter_nine_tickets_with_seven_taps_and_no_key(
    browser: Any, serve: Serve, ready: FakeTable, tmp_path: Any
) -> None:
    ready.act("start", {"board": "usa", "players": THREE, "camera": False})
    ready.photographed = [
        tuple(CardSeen((name,), True, grey_png()) for name in held) for held in NINE
    ]
    photo = tmp_path / "hand.png"
    photo.write_bytes(grey_png())
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en"
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{serve(ready)}/tickets")
    taps = 0

    def tap(role: str, name: str) -> None:
        nonlocal taps
        page.get_by_role(role, name=name).tap()
        taps += 1

    tap("button", "Enter Ada's tickets")
    for heading in ("Ada's tickets", "Only Ben looks", "Only Cleo looks"):
        page.get_by_role("heading", name=heading).wait_for()
        with page.expect_file_chooser() as chooser:
            page.get_by_text("Photograph my tickets").tap()
            taps += 1
        chooser.value.set_files(photo)
        page.locator(".seen [type=checkbox]").first.uncheck()
        page.get_by_role("button", name="Enter the chosen tickets").wait_for()
        page.locator(".seen [type=checkbox]").first.check()
        tap("button", "Enter these 3 tickets")
    page.get_by_role("heading", name="Tickets", exact=True).wait_for()
    page.wait_for_url("**/tickets")
    assert [hand_of(ready, colour) for colour in ("red", "blue", "green")] == NINE
    assert taps == 7
    context.close()


def test_a_card_that_was_unticked_stays_so_when_the_hand_was_hidden_meanwhile(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """It had been given back; the phone was laid aside, and all were entered."""
    address, photo = serve(ready), {"name": "a.png", "mimeType": "image/png", "buffer": grey_png()}
    ready.photographed = [(*SURE[:2], ASKED), (UNREAD,)]

    def chosen() -> list[bool]:
        inputs = page.locator(".seen :is([type=checkbox], [type=radio])")
        return [one.is_checked() for one in inputs.all()]

    page.goto(f"{address}/tickets/red")
    page.locator("[data-photo] [type=file]").first.set_input_files(photo)
    page.get_by_label("Helena – Los Angeles").uncheck()
    page.get_by_role("radio", name="Denver – El Paso").check()
    page.goto(f"{address}/tickets/red")
    page.get_by_role("button", name="Show my tickets").click()
    page.locator(".seen").wait_for()
    assert chosen() == [False, True, False, True, False]
    assert HELENA not in page.evaluate("JSON.stringify(sessionStorage)")
    page.locator(".seen [data-photo] [type=file]").first.set_input_files(photo)
    page.get_by_text("4 cards lie here").wait_for()
    assert chosen() == [False, True, False, True, False], "a second photo joined"


def test_while_the_camera_lies_over_the_page_nothing_of_the_hand_is_left_in_it(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    ready.act("add-ticket", {"player": "red", "ticket": HELENA})
    page.goto(f"{serve(ready)}/tickets/red")
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_text("Helena – Los Angeles").wait_for()
    page.wait_for_load_state("load")
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Photograph my tickets").click()
    page.evaluate(
        """() => {
        Object.defineProperty(document, 'hidden', {value: true, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
        delete document.hidden;
        }"""
    )
    assert "Helena" not in page.content()
    ready.photographed = [(SURE[1],)]
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
    chooser.value.set_files(photo)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    page.get_by_text("Helena – Los Angeles").wait_for()


def test_without_network_a_photo_and_what_was_found_wait_for_the_box(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """The browser's own page of errors would take the place of the hand."""
    ready.photographed = [(SURE[1],)]
    open_hand(page, f"{serve(ready)}/tickets/red")
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
    page.context.set_offline(True)
    page.locator("[data-photo] input[type=file]").first.set_input_files(photo)
    page.get_by_text("Companion doesn't answer; trying again").wait_for()
    page.context.set_offline(False)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    page.wait_for_load_state("load")
    page.context.set_offline(True)
    page.get_by_role("button", name="Enter this ticket").click()
    page.get_by_text("Companion doesn't answer; trying again").wait_for()
    assert page.get_by_text("Boston – Miami").count() > 0
    page.context.set_offline(False)
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    assert hand_of(ready) == [MIAMI]


THREE = [
    {"name": "Ada", "colour": "red"},
    {"name": "Ben", "colour": "blue"},
    {"name": "Cleo", "colour": "green"},
]
NINE = [
    ["helena--los-angeles", "boston--miami", "denver--el-paso"],
    ["dallas--new-york", "chicago--santa-fe", "kansas-city--houston"],
    ["duluth--el-paso", "calgary--phoenix", "chicago--atlanta"],
]


@pytest.fixture
def begin_next_game(ready: FakeTable, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A minute later, with the same colours at the table."""
    began_ms = [1_600_000_000_000]
    in_play = ready.in_play
    monkeypatch.setattr(ready, "in_play", lambda: replace(in_play(), began_ms=began_ms[0]))

    def begin() -> None:
        began_ms[0] += 60_000

    return begin


def test_cards_of_the_game_before_are_entered_in_no_next_one(
    client: FlaskClient, ready: FakeTable, begin_next_game: Callable[[], None]
) -> None:
    """They were found, then the network was gone for a minute, and a new game was begun."""
    page = send(client)
    (address,) = re.findall(r'action="(/tickets/red/photo/enter[^"]*)"', page)
    begin_next_game()
    held = hand_of(ready)
    cards = {"hand": key_on(page), "card-0": HELENA, "card-1": MIAMI}
    late = client.post(address, data=cards, headers={"Accept-Language": "en"})
    assert late.status_code == 409
    assert "Another game has begun meanwhile" in late.text
    assert hand_of(ready) == held


def test_forgetting_cards_of_the_game_before_shows_no_hand_of_the_next_one(
    client: FlaskClient, ready: FakeTable, begin_next_game: Callable[[], None]
) -> None:
    """It led the old player's phone to the hand of whoever had the colour by then."""
    page = send(client)
    (address,) = re.findall(r'action="(/tickets/red/photo/forget[^"]*)"', page)
    begin_next_game()
    key = {"hand": key_on(page)}
    late = client.post(address, data=key, headers={"Accept-Language": "en"})
    assert late.status_code == 409
    assert "Another game has begun meanwhile" in late.text


def test_forgetting_cards_that_lie_open_no_longer_leads_to_the_curtain(
    client: FlaskClient, ready: FakeTable
) -> None:
    ready.photographed = [tuple(SURE)]
    send(client)
    late = client.post("/tickets/red/photo/forget", data={"hand": "spent"}, follow_redirects=True)
    assert "data-hand" not in late.text
    assert 'name="found"' in late.text, "the cards wait behind it"


def test_what_was_found_in_the_game_before_opens_no_hand_of_the_next_one(
    client: FlaskClient, ready: FakeTable, begin_next_game: Callable[[], None]
) -> None:
    """The colour may be somebody else's, whose tickets would show on the old player's phone."""
    ready.photographed = [tuple(SURE)]
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    found = client.post("/tickets/red/photo", data=photo).location
    begin_next_game()
    assert "data-hand" not in client.get(found).text


def test_a_hand_that_lies_open_is_shut_by_the_next_game(
    client: FlaskClient, ready: FakeTable, begin_next_game: Callable[[], None]
) -> None:
    key = key_on(client.post("/tickets/red", follow_redirects=True).text)
    assert "data-hand" in client.get("/tickets/red", headers={"X-Hand": key}).text
    begin_next_game()
    assert "data-hand" not in client.get("/tickets/red", headers={"X-Hand": key}).text


def test_a_photo_that_waited_since_the_game_before_is_not_read_in_the_next_one(
    client: FlaskClient, ready: FakeTable, begin_next_game: Callable[[], None]
) -> None:
    page = client.get("/tickets/red").text
    (address,) = set(re.findall(r'action="(/tickets/red/photo[^"]*)"', page))
    begin_next_game()
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    late = client.post(address, data=photo, headers={"Accept-Language": "en"})
    assert late.status_code == 409
    assert "Another game has begun meanwhile" in late.text
    assert ready.images == []


def test_a_photo_that_is_read_while_the_next_game_begins_opens_no_hand_of_it(
    client: FlaskClient,
    ready: FakeTable,
    begin_next_game: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_hand = ready.read_hand

    def read_for_long(*photos: Any) -> Any:
        begin_next_game()
        return read_hand(*photos)

    monkeypatch.setattr(ready, "read_hand", read_for_long)
    page = client.get("/tickets/red").text
    (address,) = set(re.findall(r'action="(/tickets/red/photo[^"]*)"', page))
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    assert client.post(address, data=photo).status_code == 409


def test_on_a_phone_the_cards_are_entered_without_scrolling(
    phone: Any, serve: Serve, ready: FakeTable
) -> None:
    """Three cards already pushed the button under the tabs; what is asked is to be seen first."""
    phone.set_viewport_size({"width": 390, "height": 664})
    ready.photographed = [tuple(SURE), (SURE[0], ASKED)]
    open_hand(phone, f"{serve(ready)}/tickets/red")
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
    phone.locator("[data-photo] input[type=file]").first.set_input_files(photo)
    phone.get_by_text("3 cards lie here, and all were read.").wait_for()
    assert on_top(phone, phone.get_by_role("button", name="Enter these 3 tickets"))
    phone.get_by_role("button", name="Forget these cards").click()
    phone.get_by_text("3 cards lie here, and all were read.").wait_for(state="detached")
    phone.locator("[data-photo] input[type=file]").first.set_input_files(photo)
    phone.get_by_text("Which ticket is this?").wait_for()
    assert not on_top(phone, phone.locator(".seen form > .button.primary").first)
