"""What a player sends without network outlives the hiding of the hand, and shows nothing of it."""

import io
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import open_hand, served
from tests.web.fake_table import FakeTable, grey_png
from tests.web.test_hand_photos import hand_of, key_on, send
from web.app import create_app
from web.open_hands import FOUND_S, OPEN_S, OpenHands
from web.ports import CardSeen, HandSeen, TablePort

Serve = Callable[[TablePort], str]

HELENA, MIAMI = "helena--los-angeles", "boston--miami"
SECRET = "Helena – Los Angeles"
PHOTO = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
NOT_SENT = "has not reached Companion yet"
FOUND = "Your photo was read"
FOUND_AT_ONCE = f'role="status">{FOUND}'  # not in what only a script shows


@pytest.fixture
def ready(playing: FakeTable) -> FakeTable:
    """Ada holds a ticket; her next photo shows another."""
    playing.offer_hand_photos("ready")
    playing.act("add-ticket", {"player": "red", "ticket": HELENA})
    playing.photographed = [(CardSeen((MIAMI,), True, grey_png()),)]
    return playing


def turn_screen_off(page: Any) -> None:
    page.evaluate(
        """() => {
        Object.defineProperty(document, 'hidden', {value: true, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
        delete document.hidden;
        }"""
    )


def photograph_without_network(page: Any) -> None:
    page.context.set_offline(True)
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Photograph my tickets").click()
    chooser.value.set_files(PHOTO)
    page.get_by_text("Companion doesn't answer; trying again").wait_for()


def photograph_from_the_curtain(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("load")
    photograph_without_network(page)


def test_a_photo_waits_behind_the_curtain_until_its_player_taps(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.get_by_text(SECRET).wait_for()
    photograph_without_network(page)
    turn_screen_off(page)
    page.get_by_text(NOT_SENT).wait_for()
    assert SECRET not in page.content()
    page.get_by_role("button", name="Send it").click()
    page.get_by_text("Companion doesn't answer; trying again").wait_for()
    page.context.set_offline(False)
    page.wait_for_timeout(2000)
    assert ready.images == [], "the hand does not open by itself"
    page.get_by_role("button", name="Send it").click()
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[grey_png()]]


def be_idle(page: Any) -> None:
    page.clock.run_for(61_000)


@pytest.mark.parametrize("leave_alone", [turn_screen_off, be_idle])
def test_a_photo_from_the_curtain_opens_no_hand_that_nobody_waits_for(
    page: Any, serve: Serve, ready: FakeTable, leave_alone: Callable[[Any], None]
) -> None:
    page.clock.install()
    photograph_from_the_curtain(page, f"{serve(ready)}/tickets/red")
    leave_alone(page)
    page.get_by_text(NOT_SENT).wait_for()
    page.context.set_offline(False)
    page.clock.run_for(2_000)
    page.wait_for_timeout(1000)
    assert ready.images == []
    page.get_by_role("button", name="Send it").click()
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[grey_png()]]


def test_a_photo_from_the_curtain_goes_by_itself_while_its_player_waits(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    photograph_from_the_curtain(page, f"{serve(ready)}/tickets/red")
    page.context.set_offline(False)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[grey_png()]]


def test_a_waiting_photo_stays_though_the_table_moves_on(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """What reaches the page by the line of news while the photo still waits."""
    page.goto(f"{serve(ready)}/tickets/red")
    page.wait_for_load_state("load")
    for address in ("**/api/state", "**/tickets/red/photo"):
        page.route(address, lambda route: route.abort())
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Photograph my tickets").click()
    chooser.value.set_files(PHOTO)
    page.get_by_text("Companion doesn't answer; trying again").wait_for()
    with page.expect_response("**/tickets/red"):
        ready.act("finish", {})
    page.wait_for_timeout(500)
    assert page.url.endswith("/tickets/red")
    page.unroute("**/tickets/red/photo")
    page.unroute("**/api/state")
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[grey_png()]]


def test_a_photo_is_kept_when_the_hand_hides_by_itself(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    page.clock.install()
    open_hand(page, f"{serve(ready)}/tickets/red")
    photograph_without_network(page)
    page.clock.run_for(61_000)
    page.get_by_text(NOT_SENT).wait_for()
    assert SECRET not in page.content()
    page.context.set_offline(False)
    page.get_by_role("button", name="Send it").click()
    page.get_by_text("One card lies here, and it was read.").wait_for()


def test_a_tap_just_when_the_network_is_back_sends_the_photo_once(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """The page finds by itself, too, that the box answers."""
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.route("**/tickets/red/photo", lambda route: (time.sleep(2), route.continue_()))
    photograph_without_network(page)
    turn_screen_off(page)
    page.get_by_text(NOT_SENT).wait_for()
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.method))
    page.context.set_offline(False)
    page.get_by_role("button", name="Send it").click()
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert posts.count("POST") == 1


def test_who_takes_long_with_the_camera_loses_no_photo(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    page.clock.install()
    open_hand(page, f"{serve(ready)}/tickets/red")
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Photograph my tickets").click()
    page.clock.run_for(61_000)
    assert SECRET not in page.content()
    chooser.value.set_files(PHOTO)
    page.get_by_text("One card lies here, and it was read.").wait_for()


def test_what_is_not_to_be_sent_is_dropped_by_one_tap(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    address = serve(ready)
    open_hand(page, f"{address}/tickets/red")
    photograph_without_network(page)
    turn_screen_off(page)
    page.context.set_offline(False)
    page.get_by_role("link", name="Don't send it").click()
    page.wait_for_url(f"{address}/tickets")
    page.get_by_role("heading", name="Tickets", exact=True).wait_for()
    assert ready.images == []


def test_the_browser_asks_before_a_waiting_photo_is_left(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    photograph_without_network(page)
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.locator(".tabs a").first.click()
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    page.context.set_offline(False)
    page.get_by_text("One card lies here, and it was read.").wait_for()


def test_found_cards_that_waited_too_long_are_told(ready: FakeTable) -> None:
    """The box forgets them a quarter of an hour after the photo."""
    now_s = [0.0]
    client = create_app(ready, clock=lambda: now_s[0]).test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    ready.photographed *= 2
    shown = send(client)
    assert 'name="earlier"' in shown
    key = shown.split('data-hand="')[1].split('"')[0]
    sent = {"hand": key, "card-0": MIAMI}
    now_s[0] += OPEN_S
    shut = client.post("/tickets/red/photo/enter", data=sent, follow_redirects=True)
    assert FOUND_AT_ONCE in shut.text
    now_s[0] += FOUND_S - OPEN_S
    late = client.post("/tickets/red/photo/enter", data=sent, follow_redirects=True)
    assert "forgotten meanwhile" in late.text
    assert SECRET not in shut.text + late.text
    assert hand_of(ready) == [HELENA]
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg"), "hand": key, "earlier": "yes"}
    again = client.post("/tickets/red/photo", data=photo, follow_redirects=True)
    assert "forgotten meanwhile" in again.text
    assert "One card lies here" in again.text


@pytest.fixture
def restart(ready: FakeTable) -> Iterator[tuple[str, Callable[[], None]]]:
    """The panel's address, and what starts its program anew, with the table as it was kept."""
    apps = [create_app(ready)]

    def newest(environ: Any, start: Any) -> Any:
        return apps[-1](environ, start)

    with served(newest) as address:
        yield address, lambda: apps.append(create_app(ready))


@pytest.mark.parametrize("is_open", [True, False])
def test_found_cards_that_a_restart_of_the_box_has_lost_are_told(
    page: Any, ready: FakeTable, restart: tuple[str, Callable[[], None]], is_open: bool
) -> None:
    address, start_again = restart
    open_hand(page, f"{address}/tickets/red")
    page.locator("[data-photo] input[type=file]").first.set_input_files(PHOTO)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    page.wait_for_load_state("load")
    page.get_by_text("A ticket that is not in the list").click()
    page.get_by_label("Points").fill("17")
    if not is_open:
        turn_screen_off(page)
        page.get_by_text(FOUND).wait_for()
    start_again()
    if is_open:
        ready.act("add-ticket", {"player": "blue", "ticket": MIAMI})  # the page hears of it
    else:
        page.get_by_role("button", name="Show my tickets").click()
    page.get_by_text("forgotten meanwhile").wait_for()
    assert hand_of(ready) == [HELENA]
    if is_open:
        page.get_by_role("button", name="Show my tickets").click()
    page.get_by_text(SECRET).wait_for()
    expect(page.get_by_label("Points")).to_have_value("17")


def test_found_cards_are_there_still_after_a_look_elsewhere(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """A page loaded anew, another language, the board: whoever opens the hand next finds them."""
    address = serve(ready)
    open_hand(page, f"{address}/tickets/red")
    page.locator("[data-photo] input[type=file]").first.set_input_files(PHOTO)
    found = page.get_by_text("One card lies here, and it was read.")
    found.wait_for()
    page.reload()
    for leave in (lambda: page.goto(f"{address}/board"), lambda: page.goto(f"{address}/tickets")):
        page.get_by_text(FOUND).wait_for()
        assert SECRET not in page.content()
        page.get_by_role("button", name="Show my tickets").click()
        found.wait_for()
        leave()
        page.goto(f"{address}/tickets/red")
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_role("button", name="Enter this ticket").click()
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    assert hand_of(ready) == [HELENA, MIAMI]
    page.goto(f"{address}/tickets/red")
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert page.get_by_text(FOUND).count() == 0


def test_forgotten_cards_and_an_unreadable_photo_wait_for_nobody(ready: FakeTable) -> None:
    client = create_app(ready).test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    page = send(client)
    assert "One card lies here" in page
    assert FOUND_AT_ONCE in client.get("/tickets/red").text
    client.post("/tickets/red/photo/forget", data={"hand": key_on(page)})
    assert FOUND_AT_ONCE not in client.get("/tickets/red").text
    empty = client.post("/tickets/red/photo", data={"images": (io.BytesIO(b""), "hand.jpg")})
    assert empty.status_code == 303
    assert FOUND_AT_ONCE not in client.get("/tickets/red").text
    opened = client.post("/tickets/red", follow_redirects=True).text
    assert SECRET in opened
    assert "One card lies here" not in opened


def test_cards_that_were_looked_at_are_there_still_when_the_screen_comes_on_again(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """Their player compares them with the cards on the table meanwhile."""
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.locator("[data-photo] input[type=file]").first.set_input_files(PHOTO)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    page.wait_for_load_state("load")
    turn_screen_off(page)
    page.get_by_text(FOUND).wait_for()
    assert SECRET not in page.content()
    assert "Boston – Miami" not in page.content()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_role("button", name="Enter this ticket").click()
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    assert hand_of(ready) == [HELENA, MIAMI]


def test_a_hand_without_a_photo_leaves_nothing_behind_its_curtain(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    turn_screen_off(page)
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert page.get_by_text(FOUND).count() == 0


@pytest.fixture
def slow(ready: FakeTable, monkeypatch: pytest.MonkeyPatch) -> Event:
    """The box's own camera takes photos, and reading one lasts until this is set."""
    may_answer, read = Event(), ready.read_hand

    def read_slowly(images: Sequence[bytes], earlier: HandSeen | None, turn: Any) -> HandSeen:
        may_answer.wait(30)
        return read(images, earlier, turn)

    monkeypatch.setattr(ready, "read_hand", read_slowly)
    ready._state["hand_camera"] = True
    return may_answer


def test_what_the_boxs_camera_found_waits_for_a_hand_that_was_hidden_meanwhile(
    page: Any, serve: Serve, ready: FakeTable, slow: Event
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.get_by_role("button", name="Use the board's camera").click()
    page.get_by_text("Reading the cards").wait_for()
    turn_screen_off(page)
    page.get_by_text(NOT_SENT).wait_for()
    slow.set()
    page.get_by_text(FOUND).wait_for()
    page.wait_for_timeout(500)
    assert SECRET not in page.content()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[]]


def test_who_taps_while_the_photo_is_read_sees_what_came_of_it(
    page: Any, serve: Serve, ready: FakeTable, slow: Event
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.get_by_role("button", name="Use the board's camera").click()
    page.get_by_text("Reading the cards").wait_for()
    turn_screen_off(page)
    page.get_by_role("button", name="Send it").click()
    page.wait_for_timeout(500)
    slow.set()
    page.get_by_text("One card lies here, and it was read.").wait_for()


def test_a_tap_before_the_screen_went_off_again_opens_nothing(
    page: Any, serve: Serve, ready: FakeTable, slow: Event
) -> None:
    open_hand(page, f"{serve(ready)}/tickets/red")
    page.get_by_role("button", name="Use the board's camera").click()
    page.get_by_text("Reading the cards").wait_for()
    turn_screen_off(page)
    page.get_by_role("button", name="Send it").click()
    page.wait_for_timeout(500)
    turn_screen_off(page)
    slow.set()
    page.get_by_text(FOUND).wait_for()
    page.wait_for_timeout(500)
    assert SECRET not in page.content()


def test_found_cards_wait_longer_than_an_open_hand_but_not_for_ever() -> None:
    now_s = [0.0]
    hands = OpenHands(lambda: now_s[0])
    seen = HandSeen((CardSeen((MIAMI,), True, b""),))
    kept = [hands.keep(hands.hand("red"), seen) or ("", "") for _ in range(3)]
    looked, unseen, late = (key for _, key in kept)
    shown = hands.exchange("red", looked)
    now_s[0] += OPEN_S
    assert shown is not None
    assert not hands.is_open("red", shown), "the hand itself lies open no longer than before"
    assert hands.exchange("red", unseen) is not None
    assert hands.seen("red", hands.open("red")) is seen
    assert hands.found("blue") is None
    now_s[0] += FOUND_S
    assert hands.exchange("red", late) is None
    assert hands.found("red") is None


def test_cards_of_another_device_s_photo_wait_on_when_those_before_are_entered() -> None:
    """Ada enters from her tablet what it showed; a second photo from her phone came meanwhile."""
    hands = OpenHands()
    duluth, miami = (CardSeen((ticket,), True, b"") for ticket in ("duluth--houston", MIAMI))
    hands.keep(hands.hand("red"), HandSeen((duluth, miami)))
    hands.forget("red", HandSeen((duluth,)))
    found = hands.found("red")
    assert found is not None
    assert found.cards == (duluth, miami)
    hands.forget("red", found)
    assert hands.found("red") is None


def test_a_photo_delivered_twice_is_read_once(ready: FakeTable) -> None:
    """The answer to the first was lost: the second gets the same one."""
    client = create_app(ready).test_client()
    name = {"Idempotency-Key": "0f" * 16, "Accept": "application/json, text/html;q=0.9"}
    answers = []
    for _ in range(2):
        photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
        answers.append(client.post("/tickets/red/photo", data=photo, headers=name).json)
    assert answers[0] == answers[1]
    assert ready.images == [[b"a photo"]]
    assert "One card lies here" in client.get(answers[0]["go"]).text
    late = client.get(answers[1]["go"] + "&late=yes", headers={"Accept-Language": "en"}).text
    assert FOUND_AT_ONCE in late
    assert "forgotten meanwhile" not in late
    assert SECRET not in late
