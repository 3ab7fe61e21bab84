"""A hand shows to whoever lifts its curtain, once: no address, no Back and no other device does."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import hide_hand, key_on, open_hand
from tests.web.fake_table import FakeTable
from web.open_hands import MOST_OPEN, OPEN_S, OpenHands
from web.ports import TablePort

Serve = Callable[[TablePort], str]

TICKET = {"player": "red", "ticket": "helena--los-angeles"}
SECRET = "Helena – Los Angeles"


@pytest.fixture
def held(playing: FakeTable) -> FakeTable:
    """Ada (red) holds Helena – Los Angeles."""
    playing.act("add-ticket", TICKET)
    playing.acts.clear()
    return playing


@pytest.fixture
def plain(browser: Any) -> Iterator[Any]:
    """A tablet whose browser runs no script."""
    context = browser.new_context(java_script_enabled=False, locale="en")
    yield context.new_page()
    context.close()


def test_no_address_opens_a_hand(client: FlaskClient, held: FakeTable) -> None:
    for query in ("", "?open=1", "?hand=", "?hand=1", "?open=1&q=hel"):
        assert SECRET not in client.get(f"/tickets/red{query}").text
    for method in ("HEAD", "OPTIONS"):
        assert client.open("/tickets/red?open=1", method=method).data == b""


def test_the_address_that_a_curtain_leads_to_works_once(
    client: FlaskClient, held: FakeTable
) -> None:
    address = client.post("/tickets/red").location
    assert SECRET in client.get(address).text
    assert SECRET not in client.get(address).text


def test_a_key_opens_one_hand_only_and_is_asked_for_by_its_page(
    client: FlaskClient, held: FakeTable
) -> None:
    key = key_on(client.post("/tickets/red", follow_redirects=True).text)
    for _ in range(3):
        assert SECRET in client.get("/tickets/red", headers={"X-Hand": key}).text
    assert "data-hand" not in client.get("/tickets/blue", headers={"X-Hand": key}).text
    assert SECRET not in client.get("/tickets/red", headers={"X-Hand": "x"}).text


def test_nothing_that_shows_a_hand_is_kept_by_a_browser(
    client: FlaskClient, held: FakeTable
) -> None:
    opening = client.post("/tickets/red")
    shown = client.get(opening.location)
    key = {"X-Hand": key_on(shown.text)}
    for answer in (opening, shown, client.get("/api/tickets/red", headers=key)):
        assert answer.headers["Cache-Control"] == "no-store"


def test_an_open_hand_closes_by_itself_and_keys_do_not_pile_up() -> None:
    now = [0.0]
    hands = OpenHands(lambda: now[0])
    key = hands.open("red")
    now[0] += OPEN_S - 1
    assert hands.is_open("red", key)
    now[0] += OPEN_S - 1
    assert hands.is_open("red", key)
    now[0] += OPEN_S
    assert not hands.is_open("red", key)
    assert hands.exchange("red", key) is None
    first, of_another = hands.open("red"), hands.open("blue")
    last = [hands.open("red") for _ in range(MOST_OPEN)][-1]
    assert not hands.is_open("red", first)
    assert hands.is_open("red", last)
    assert hands.is_open("blue", of_another), "whoever opens a hand again and again closes no other"


def test_an_unknown_hand_has_no_curtain(client: FlaskClient, held: FakeTable) -> None:
    assert client.post("/tickets/mauve").status_code == 404
    assert client.post("/tickets/green").status_code == 404


def test_after_hide_and_pass_on_back_shows_the_curtain(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    address = serve(held)
    page.goto(f"{address}/tickets")
    page.get_by_role("link", name="Ada red").click()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_text(SECRET).wait_for()
    page.get_by_label("Add a ticket").fill("mia")
    page.locator("#found button").first.wait_for()
    hide_hand(page)
    page.get_by_role("heading", name="Tickets").wait_for()
    for go in (page.go_back, page.go_back, page.go_forward, page.go_forward, page.go_back):
        go()
        page.wait_for_load_state()
        assert SECRET not in page.content()
        assert "mia" not in page.url
    assert page.locator("[data-hand]").count() == 0


def test_reload_and_the_pages_own_address_show_the_curtain(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    open_hand(page, f"{serve(held)}/tickets/red")
    assert page.url.endswith("/tickets/red")
    page.reload()
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert SECRET not in page.content()


def test_a_page_that_the_browser_keeps_has_nothing_to_show(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    """What a browser does that keeps pages for Back: the page is left, and comes back as it was."""
    open_hand(page, f"{serve(held)}/tickets/red")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert SECRET not in page.content()
    held.act("add-ticket", {**TICKET, "ticket": "boston--miami"})
    page.wait_for_timeout(400)
    assert "Boston" not in page.locator("#main").inner_text()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert SECRET not in page.content()


def test_a_tablet_that_is_laid_aside_shows_the_curtain(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    open_hand(page, f"{serve(held)}/tickets/red")
    page.evaluate(
        """() => {
        Object.defineProperty(document, 'hidden', {value: true});
        document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    page.get_by_role("button", name="Show my tickets").wait_for()


TURN_SCREEN_OFF = """() => {
    Object.defineProperty(document, 'hidden', {value: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def no_curtain(page: Any) -> None:
    """A page that asks for its curtain stays as it is from here on: no answer comes."""
    page.route("**/tickets/red", lambda route: route.fulfill(status=204))


@pytest.mark.parametrize("typed_ms", [0, 300], ids=["not asked yet", "asked"])
def test_a_hand_that_hides_while_somebody_types_is_gone_without_a_fault(
    page: Any, serve: Serve, held: FakeTable, typed_ms: int
) -> None:
    """An error of the page's script fails the test."""
    open_hand(page, f"{serve(held)}/tickets/red")
    no_curtain(page)
    answers: list[Any] = []
    page.route("**/tickets/red?q=*", lambda route: answers.append(route))
    page.get_by_label("Add a ticket").fill("seattle")
    page.wait_for_timeout(typed_ms)
    page.evaluate(TURN_SCREEN_OFF)
    page.wait_for_timeout(300)
    for answer in answers:
        answer.continue_()
    page.wait_for_timeout(700)
    assert page.locator("#main").inner_text() == ""


def test_what_was_typed_into_a_hidden_hand_never_stands_in_the_address(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    """A ticket that was taken, whose answer gets lost once the hand is hidden."""
    open_hand(page, f"{serve(held)}/tickets/red")
    page.get_by_label("Add a ticket").fill("seattle")
    page.locator("#found button").first.wait_for()
    page.wait_for_timeout(300)
    no_curtain(page)
    taps: list[Any] = []
    page.route("**/api/act/add-ticket", lambda route: taps.append(route))
    page.locator("#found button").first.click()
    page.evaluate(TURN_SCREEN_OFF)
    for _ in range(3):  # as often as the page tries
        page.wait_for_timeout(1000)
        taps.pop().abort()
    page.wait_for_timeout(500)
    assert page.evaluate("location.search") == ""


def test_a_hand_that_comes_when_the_screen_is_off_already_is_hidden(
    page: Any, serve: Serve, held: FakeTable
) -> None:
    page.goto(f"{serve(held)}/tickets/red")
    page.add_init_script("Object.defineProperty(document, 'hidden', {value: true})")
    with page.expect_response("**/tickets/red?hand=*"):
        page.get_by_role("button", name="Show my tickets").click()
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert SECRET not in page.content()


def test_another_device_does_not_see_the_hand_that_lies_open(
    page: Any, browser: Any, serve: Serve, held: FakeTable
) -> None:
    address = serve(held)
    addresses: list[str] = []
    page.on("framenavigated", lambda frame: addresses.append(frame.url))
    open_hand(page, f"{address}/tickets/red")
    phone = browser.new_context().new_page()
    for seen in (f"{address}/tickets/red", f"{address}/tickets/red?open=1", *addresses):
        phone.goto(seen)
        assert SECRET not in phone.content()
    page.get_by_text(SECRET).wait_for()
    phone.context.close()


def test_a_hand_is_entered_and_hidden_without_any_script(
    plain: Any, serve: Serve, held: FakeTable
) -> None:
    plain.goto(f"{serve(held)}/tickets")
    plain.get_by_role("link", name="Ada red").click()
    plain.get_by_role("button", name="Show my tickets").click()
    plain.get_by_text(SECRET).wait_for()  # a click returns before the page is read to its end
    plain.get_by_label("Add a ticket").fill("boston mia")
    plain.get_by_label("Add a ticket").press("Enter")
    plain.get_by_role("button", name="Add Boston – Miami").click()
    plain.get_by_role("button", name="Remove Boston – Miami").wait_for()
    hide_hand(plain)
    for _ in range(4):
        plain.go_back()
        assert SECRET not in plain.content()
        assert "Remove" not in plain.content()
