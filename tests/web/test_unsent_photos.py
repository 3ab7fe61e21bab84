"""What a player sends without network outlives the hiding of the hand, and shows nothing of it."""

import io
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import open_hand
from tests.web.fake_table import FakeTable, grey_png
from tests.web.test_hand_photos import hand_of, send
from web.app import create_app
from web.open_hands import OPEN_S, OpenHands
from web.ports import CardSeen, TablePort

Serve = Callable[[TablePort], str]

HELENA, MIAMI = "helena--los-angeles", "boston--miami"
SECRET = "Helena – Los Angeles"
PHOTO = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
NOT_SENT = "has not reached the box yet"


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
    page.get_by_text("The box doesn't answer; trying again").wait_for()


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
    page.get_by_text("The box doesn't answer; trying again").wait_for()
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
    page.goto(f"{serve(ready)}/tickets/red")
    page.wait_for_load_state("load")
    photograph_without_network(page)
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
    page.goto(f"{serve(ready)}/tickets/red")
    page.wait_for_load_state("load")
    photograph_without_network(page)
    page.context.set_offline(False)
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert ready.images == [[grey_png()]]


def test_a_waiting_photo_stays_though_the_table_moves_on(
    page: Any, serve: Serve, ready: FakeTable
) -> None:
    """What reaches the page by the line of news while the photo still waits."""
    page.goto(f"{serve(ready)}/tickets/red")
    page.wait_for_load_state("load")
    page.route("**/api/state", lambda route: route.abort())
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Photograph my tickets").click()
    chooser.value.set_files(PHOTO)
    page.get_by_text("The box doesn't answer; trying again").wait_for()
    with page.expect_response("**/tickets/red"):
        ready.act("finish", {})
    page.wait_for_timeout(500)
    assert page.url.endswith("/tickets/red")
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


def test_found_cards_that_waited_too_long_are_told(
    ready: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box forgets them two minutes after the hand was touched last."""
    now_s = [0.0]
    monkeypatch.setattr(OpenHands.__init__, "__defaults__", (lambda: now_s[0],))
    client = create_app(ready).test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    ready.photographed *= 2
    shown = send(client)
    assert 'name="earlier"' in shown
    key = shown.split('data-hand="')[1].split('"')[0]
    now_s[0] += OPEN_S
    sent = {"hand": key, "card-0": MIAMI}
    late = client.post("/tickets/red/photo/enter", data=sent, follow_redirects=True)
    assert "forgotten meanwhile" in late.text
    assert SECRET not in late.text
    assert hand_of(ready) == [HELENA]
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg"), "hand": key, "earlier": "yes"}
    again = client.post("/tickets/red/photo", data=photo, follow_redirects=True)
    assert "forgotten meanwhile" in again.text
    assert "One card lies here" in again.text
