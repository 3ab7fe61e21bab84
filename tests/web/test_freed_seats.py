"""A hand is shut at once, in the open page too, when its seat goes to nobody or another device."""

import io
from typing import Any

import pytest
from flask import Flask

from tests.web.club_devices import ADA, DEVICES, HOST, device, link_of
from tests.web.conftest import key_on, open_hand, served
from tests.web.fake_table import FakeTable
from web.access.club import Club, LetIn
from web.app import create_app
from web.ports import CardSeen, HandSeen

SOON_MS = 10_000
"""Far less than the minute after which an open page looks by itself whose its hand is."""

SECRET = "Helena – Los Angeles"


@pytest.fixture
def app(playing: FakeTable) -> Flask:
    """The host has paired, Ada sits on red with a phone of her own and holds a ticket."""
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    return create_app(playing, access=Club(DEVICES, LetIn([HOST], {"red": ADA})))


@pytest.mark.parametrize("is_touched", [False, True])
def test_a_freed_seats_open_hand_goes_at_once(page: Any, app: Flask, is_touched: bool) -> None:
    """Whether or not a finger, under which else nothing is exchanged, lies on the page."""
    with served(app) as address:
        page.context.add_cookies([{"name": "device", "value": DEVICES.signed(ADA), "url": address}])
        open_hand(page, f"{address}/tickets/red")
        page.get_by_text(SECRET).wait_for()
        page.wait_for_timeout(300)  # the line of news stands
        if is_touched:
            page.mouse.move(2, 400)
            page.mouse.down()
        device(app, HOST).post("/club/free/red")
        page.get_by_text(SECRET).wait_for(state="detached", timeout=SOON_MS)
        page.wait_for_url(f"{address}/join")
        page.go_back()
        assert SECRET not in page.content()


def test_who_leaves_the_seat_in_one_tab_leaves_no_hand_open_in_another(
    page: Any, app: Flask
) -> None:
    with served(app) as address:
        page.context.add_cookies([{"name": "device", "value": DEVICES.signed(ADA), "url": address}])
        open_hand(page, f"{address}/tickets/red")
        page.wait_for_timeout(300)
        device(app, ADA).post("/join/leave")
        page.get_by_text(SECRET).wait_for(state="detached", timeout=SOON_MS)


def test_a_hand_that_the_host_looks_at_is_shut_when_its_player_sits_down(
    app: Flask, playing: FakeTable
) -> None:
    """The key is spent even for a host who gets the seat back."""
    playing.act("add-ticket", {"player": "blue", "ticket": "boston--miami"})
    host = device(app, HOST)
    opened = host.post("/tickets/blue", follow_redirects=True).text
    key = {"X-Hand": key_on(opened)}
    assert "Boston – Miami" in host.get("/tickets/blue", headers=key).text
    version = playing.state()["version"]
    device(app, "ben").post(link_of(app, "Ben"))
    assert playing.state()["version"] > version, "the open page looks again"
    assert "Boston – Miami" not in host.get("/tickets/blue", headers=key).text
    host.post("/club/free/blue")
    assert "Boston – Miami" not in host.get("/tickets/blue", headers=key).text


def test_a_photo_that_is_read_while_another_takes_the_seat_shows_nothing_to_them(
    app: Flask, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits behind a curtain waits for whoever opens the hand next, but not for anybody."""
    card = CardSeen(("boston--miami",), is_sure=True, crop=b"")

    def read_meanwhile(*_: object) -> HandSeen:
        device(app, HOST).post("/club/free/red")
        device(app, "cleo").post(link_of(app, "Ada"))
        return HandSeen((card,))

    monkeypatch.setattr(playing, "read_hand", read_meanwhile)
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    device(app, ADA).post("/tickets/red/photo", data=photo)
    opened = device(app, "cleo").post("/tickets/red", follow_redirects=True).text
    assert SECRET in opened, "the hand goes with the seat"
    assert "Boston – Miami" not in opened


def test_another_players_open_hand_stays_open(app: Flask, playing: FakeTable) -> None:
    ada = device(app, ADA)
    opened = ada.post("/tickets/red", follow_redirects=True).text
    device(app, "ben").post(link_of(app, "Ben"))
    assert SECRET in ada.get("/tickets/red", headers={"X-Hand": key_on(opened)}).text
