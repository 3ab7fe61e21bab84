"""A club's table: every route and action for every role, links that work once, a guarded PIN."""

import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.documentation.guards import guarded_routes
from companion.table.actions import ACTIONS
from companion.table.table import Table
from scoring.game.mapless import mapless_games
from scoring.language import text
from tests.companion.tables import game_by_hand, new_table
from tests.web.fake_table import FakeTable
from tests.web.test_hostile import SENT
from web.access.club import SAVE_AGAIN_S, Club, LetIn
from web.access.devices import Devices
from web.access.pin import DIGITS, FREE_GUESSES, GUESSES_OF_ALL, PinLock
from web.access.roles import Role
from web.app import create_app

DEVICES = Devices(b"a key for these tests")

PLACES = {
    "action": "confirm-route",
    "route": "denver--omaha",
    "player": "red",
    "colour": "red",
    "filename": "panel.js",
    "link": "none",
}

HOST, ADA, WATCHER, STRANGER = "host", "ada", "watcher", ""
ROLES = {
    HOST: Role.HOST,
    ADA: Role.PLAYER,
    WATCHER: Role.SPECTATOR,
    STRANGER: Role.SPECTATOR,
}


REFUSALS = [text(f"web.error.only.{what}", "en") for what in ("player", "host", "own-hand")]


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def saved() -> list[LetIn]:
    return []


@pytest.fixture
def club(saved: list[LetIn]) -> Club:
    """The host has paired, Ada sits on red with a phone of her own; Ben (blue) has none."""
    return Club(DEVICES, LetIn([HOST], {"red": ADA}), saved.append)


@pytest.fixture
def app(playing: FakeTable, club: Club) -> Flask:
    playing.act("scan", {})
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    playing.acts.clear()
    return create_app(playing, access=club)


def as_device(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    if name:
        client.set_cookie("device", DEVICES.signed(name))
    return client


def every_address(app: Flask) -> Iterator[tuple[str, str, Role, bool]]:
    for one in guarded_routes(app):
        assert one.need is not None
        if "events" in one.address:
            continue  # an endless answer
        address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: PLACES.get(found[1], "1"), one.address)
        yield one.method, address, one.need.role, one.need.hand is not None


def is_refused(answer: TestResponse) -> bool:
    """Whether the role was too small; a hand's key and the like are asked for later."""
    said = unescape(answer.text) if answer.mimetype != "image/png" else ""
    return answer.status_code == 403 and any(sentence in said for sentence in REFUSALS)


@pytest.mark.parametrize("device", ROLES)
def test_every_route_and_method_answers_those_it_is_open_to_and_nobody_else(
    app: Flask, device: str
) -> None:
    client, walked = as_device(app, device), 0
    for method, address, needed, is_hand in every_address(app):
        if address == "/join/leave" or (device == HOST and "free" in address):
            continue  # the walk goes on with the same roles; both are tested below
        answer = client.open(address, method=method, headers={"Accept": "application/json"})
        is_let_in = ROLES[device] >= needed and not (is_hand and device == HOST)
        assert is_refused(answer) != is_let_in, (device, method, address)
        answer.close()
        walked += 1
    assert walked > 25


PLAYERS_MAY = {
    "add-ticket",
    "answer-place",
    "confirm-route",
    "correct-route",
    "count-wagons",
    "lay-track",
    "remove-ticket",
    "set-bonuses",
    "set-cards",
    "set-flags",
    "set-passengers",
    "set-route-lengths",
    "set-stations",
    "set-tickets",
    "show-reveal",
    "state-ticket",
}
"""What a player at a club's table does from a phone: answers about the board, and their own hand.

Beginning, ending, undoing and whatever concerns the others' hands is the host's.
"""


@pytest.mark.parametrize("device", ["ada", WATCHER, STRANGER])
def test_every_action_is_refused_to_those_who_may_not_do_it(
    app: Flask, playing: FakeTable, device: str
) -> None:
    client = as_device(app, device)
    for name in ACTIONS:
        answer = client.post(f"/api/act/{name}", json=SENT[name])
        may = device == ADA and name in PLAYERS_MAY
        assert (answer.status_code == 403) == (not may), (device, name)
    assert {name for name, _ in playing.acts} <= PLAYERS_MAY
    assert bool(playing.acts) == (device == ADA)


def test_the_host_may_do_every_action(app: Flask) -> None:
    client = as_device(app, HOST)
    for name in ACTIONS:
        sent = {**SENT[name], **({"player": "blue"} if "player" in SENT[name] else {})}
        assert client.post(f"/api/act/{name}", json=sent).status_code != 403, name


def test_a_player_enters_and_sees_their_own_hand_only(app: Flask, playing: FakeTable) -> None:
    client = as_device(app, ADA)
    ticket = {"ticket": "boston--miami"}
    assert client.post("/api/act/add-ticket", json={"player": "red", **ticket}).status_code == 200
    assert client.post("/api/act/add-ticket", json={"player": "blue", **ticket}).status_code == 403
    assert [sent["player"] for _, sent in playing.acts] == ["red"]
    assert client.post("/tickets/red").status_code == 303
    refused = client.post("/tickets/blue", headers={"Accept": "text/html"})
    assert refused.status_code == 403
    assert "another player" in refused.text


def seated(table: Table) -> Club:
    """The club of a table whose game has begun: Ada holds red on her phone."""
    return Club(DEVICES, LetIn([HOST], {"red": ADA}, {"red": "ada"}, table.in_play().began_ms))


MOMENTS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "look": [],
    "tickets": [("show", {"phase": "tickets"})],
    "sheet": [("confirm-route", {"route": "denver--omaha"}), ("finish", {})],
}


@pytest.mark.parametrize("device", [HOST, ADA, STRANGER])
@pytest.mark.parametrize("moment", MOMENTS)
def test_no_page_offers_what_its_reader_may_not_do(
    app: Flask, playing: FakeTable, device: str, moment: str
) -> None:
    """No button that answers "Only the host can do that", no link that ends where one joins."""
    for action, payload in MOMENTS[moment]:
        playing.act(action, payload)
    client = as_device(app, device)
    client.environ_base["HTTP_ACCEPT"] = "text/html"
    pages = ("/board", "/doubts", "/tickets", "/sheet", "/reveal", "/history", "/help")
    shown = [client.get(page) for page in (*pages, "/route/denver--omaha", "/history/1")]
    html = "".join(unescape(page.text) for page in shown if page.status_code == 200)
    links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', html)) - {"/join"}
    assert links
    routes = sorted(link for link in links if link.startswith(("/route/", "/what-if?route=")))
    for link in links.difference(routes[1:]):  # of a hundred routes one tells enough
        answer = client.get(link)
        assert answer.status_code != 403, link
        assert answer.headers.get("Location") != "/join", link
    for form in set(re.findall(r'<form [^>]*action="(/[^"]*)"', html)):
        action = ACTIONS.get(form.removeprefix("/api/act/"))
        if action is not None:
            may = Role.PLAYER if action.name in PLAYERS_MAY else Role.HOST
            assert ROLES[device] >= may, form
        elif form.startswith("/tickets/"):
            assert client.post(form).status_code == 303, form


@pytest.mark.parametrize(
    ("language", "hosts", "players"),
    [
        ("en", ("“Players”", "“Undo”", "Photograph"), "by a tap on it"),
        ("it", ("«Giocatori»", "«Annulla»", "Fotografa"), "si corregge toccandola"),
    ],
)
def test_help_tells_each_what_they_may_do(
    app: Flask, language: str, hosts: tuple[str, ...], players: str
) -> None:
    pages = {name: as_device(app, name).get(f"/help?lang={language}").text for name in ROLES}
    assert all(words in pages[HOST] for words in (*hosts, players))
    for name in (ADA, WATCHER, STRANGER):
        assert [words for words in hosts if words in pages[name]] == []
    assert [players in pages[name] for name in (ADA, WATCHER, STRANGER)] == [True, False, False]


@pytest.mark.parametrize(("device", "own", "other"), [(ADA, "red", "blue"), (HOST, "blue", "red")])
def test_wagons_are_counted_where_the_count_is_taken(
    tmp_path: Path, device: str, own: str, other: str
) -> None:
    """Ada counts her own on her phone, the host those of Ben, who has none."""
    table = game_by_hand(tmp_path, {"denver--omaha": "red"})
    table.act("show", {"phase": "tickets"})
    client = as_device(create_app(table, access=seated(table)), device)
    pages = {colour: client.get(f"/check/{colour}").text for colour in (own, other)}
    assert "count-wagons" in pages[own]
    assert "count-wagons" not in pages[other]
    for colour, expected in ((own, 200), (other, 403)):
        sent = {"player": colour, "wagons": 40}
        assert client.post("/api/act/count-wagons", json=sent).status_code == expected
    table.close()


def test_in_the_first_pass_a_phone_says_what_the_host_does_next(tmp_path: Path) -> None:
    """With four players of the Card Game the first pass is scored before any final sheet."""
    table = new_table(tmp_path, open_camera=None, boards=mapless_games())
    names = zip(("Ada", "Ben", "Cleo", "Dan"), ("red", "blue", "green", "yellow"), strict=True)
    players = [{"name": name, "colour": colour} for name, colour in names]
    table.act("start", {"board": "card-game", "players": players, "camera": False})
    html = as_device(create_app(table, access=seated(table)), ADA).get("/tickets").text
    assert "the host scores the first pass" in html
    assert "the host shows the final sheet" not in html
    table.close()


def test_who_has_entered_a_hand_on_a_phone_is_led_to_no_hand_of_another(
    app: Flask, playing: FakeTable
) -> None:
    """Ben's hand is still empty; it is not Ada's to enter."""
    playing.act("show", {"phase": "tickets"})
    page = as_device(app, ADA).get("/tickets", headers={"Accept-Language": "en"}).text
    assert "No ticket entered yet for Ben" in page
    assert "/tickets/blue" not in page
    assert "the host shows the final sheet" in page
    ada = as_device(app, ADA)
    opened = ada.post("/tickets/red", headers={"Accept-Language": "en"}, follow_redirects=True)
    assert "Pass" not in opened.text
    assert "/tickets/blue" not in opened.text
    host = as_device(app, HOST).get("/tickets", headers={"Accept-Language": "en"}).text
    assert "Enter Ben&#39;s tickets" in host


def test_the_host_sees_the_hands_that_nobody_holds_on_a_phone(app: Flask) -> None:
    client = as_device(app, HOST)
    assert client.post("/tickets/blue").status_code == 303
    assert client.post("/tickets/red").status_code == 403


def test_a_forged_or_altered_name_is_a_strangers(app: Flask) -> None:
    for value in (HOST, Devices(b"another key").signed(HOST), DEVICES.signed(HOST)[:-1], "\x00."):
        client = app.test_client()
        client.set_cookie("device", value)
        assert client.get("/start", headers={"Accept": "*/*"}).status_code == 403


def test_a_browser_without_a_name_has_no_role_whatever_the_list_says(playing: FakeTable) -> None:
    app = create_app(playing, access=Club(DEVICES, LetIn([""], {"red": ""})))
    stranger = as_device(app, STRANGER)
    for address in ("/start", "/api/tickets/red"):
        assert stranger.get(address, headers={"Accept": "*/*"}).status_code == 403


def test_a_browser_without_a_role_is_led_to_where_one_is_let_in(app: Flask) -> None:
    answer = as_device(app, STRANGER).get("/board", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.location) == (303, "/join")
    sent = as_device(app, STRANGER).post("/club/only-host", headers={"Accept": "text/html"})
    assert (sent.status_code, is_refused(sent)) == (403, True), "what was pressed is not done"
    assert as_device(app, STRANGER).get("/").location == "/scoreboard"
    assert as_device(app, ADA).get("/").location == "/doubts"


def test_the_code_of_a_free_seat_holds_its_link(
    app: Flask, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # OpenCV's detector misses a sound code now and then: the same link every time
    monkeypatch.setattr(
        "web.access.club.secrets.token_urlsafe", lambda size: "Zk3-9bQ_x7LmT2vRw5YcAg"
    )
    shown = as_device(app, HOST).get("/club").text
    (link,) = set(re.findall(r"/join/([\w-]{20,})", shown))
    held = []
    for figure in shown.split("<figure")[1:]:
        page.set_content(f"<style>.qr{{width:400px}}</style><figure{figure.split('</figure')[0]}")
        pixels = np.frombuffer(page.locator(".qr").screenshot(), np.uint8)
        grey = cv2.imdecode(pixels, cv2.IMREAD_GRAYSCALE)
        assert grey is not None
        held.append(cv2.QRCodeDetector().detectAndDecode(grey)[0])
    assert held == [f"http://localhost/join/{link}"]


def test_the_start_of_a_game_leads_the_host_to_the_seats_until_all_are_taken(
    app: Flask, playing: FakeTable
) -> None:
    host = as_device(app, HOST)
    fields = {"board": "usa", "name-red": "Ada", "name-blue": "Ben"}
    begun = host.post("/api/act/start", data=fields, headers={"Accept": "text/html"})
    assert host.get(begun.location).location == "/club"
    assert "Back to the game" in host.get("/club").text
    playing.act("new-game", {})
    assert "Back to the game" not in host.get("/club").text
    assert 'data-go="/club/begin"' in host.get("/start?board=usa").text
    seated = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    playing.act("start", {"board": "usa", "players": seated, "camera": False})
    page = host.get("/club").text
    for number, link in enumerate(re.findall(r'<a href="[^"]*(/join/[\w-]+)"', page)):
        assert as_device(app, f"phone {number}").post(link).status_code == 303
    assert host.get("/club/begin").location == "/"


def test_a_seats_link_works_once(app: Flask, saved: list[LetIn]) -> None:
    page = as_device(app, HOST).get("/club").text
    (link,) = set(re.findall(r"/join/([\w-]{20,})", page))
    phone, other = app.test_client(), app.test_client()
    assert "Sit down as Ben" in phone.get(f"/join/{link}").text
    assert "Sit down as Ben" in other.get(f"/join/{link}").text
    assert phone.post(f"/join/{link}").location == "/"
    assert phone.post("/tickets/blue").status_code == 303
    assert other.post(f"/join/{link}").status_code == 404
    assert other.post("/tickets/blue").status_code == 403
    assert phone.get(f"/join/{link}").location == "/join", "it leads whoever sits there back"
    assert other.get(f"/join/{link}").status_code == 404
    assert set(saved[-1].seats) == {"red", "blue"}


def test_of_two_phones_that_open_one_link_at_once_one_sits_down(
    app: Flask, club: Club, saved: list[LetIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one had looked whether the link is good before the first used it up."""
    link, place_of = club.link("blue"), Club.place_of

    def meanwhile(club: Club, link: str) -> str:
        place = place_of(club, link)
        monkeypatch.setattr(Club, "place_of", place_of)
        assert as_device(app, "first").post(f"/join/{link}").location == "/"
        return place

    monkeypatch.setattr(Club, "place_of", meanwhile)
    assert as_device(app, "second").post(f"/join/{link}").status_code == 404
    assert saved[-1].seats == {"red": ADA, "blue": "first"}


def test_a_freed_seat_is_the_hosts_to_give_again(app: Flask) -> None:
    host, ada = as_device(app, HOST), as_device(app, ADA)
    assert host.post("/club/free/red").location == "/club"
    assert ada.post("/tickets/red").status_code == 403
    assert host.post("/tickets/red").status_code == 303
    assert "Link for Ada" in host.get("/club").text


def test_the_link_of_a_seat_that_is_freed_lets_nobody_in(app: Flask, club: Club) -> None:
    """It was given to somebody who will not play."""
    host, link = as_device(app, HOST), club.link("blue")
    host.post("/club/free/blue")
    assert app.test_client().post(f"/join/{link}").status_code == 404
    assert club.link("blue") != link


def test_who_sits_down_on_another_seat_leaves_the_first_one(
    app: Flask, club: Club, saved: list[LetIn]
) -> None:
    """Ada sits on red and opens Ben's link: the tickets of red are no more hers to see."""
    ada = as_device(app, ADA)
    ada.post(f"/join/{club.link('blue')}")
    assert saved[-1].seats == {"blue": ADA}
    assert (ada.post("/tickets/red").status_code, ada.post("/tickets/blue").status_code) == (
        403,
        303,
    )


@pytest.mark.parametrize("api", ["/api/act", "/api/v1/actions"])
@pytest.mark.parametrize("action", ["add-ticket", "correct-route"])
def test_a_seat_that_is_freed_while_a_request_is_received_enters_nothing(
    app: Flask, club: Club, playing: FakeTable, action: str, api: str
) -> None:
    """Whoever had held the seat, and sent slowly, still wrote into the hand of the next one."""
    ticket = b'{"player": "red", "ticket": "boston--miami"}'
    route = b'{"route": "denver--omaha", "owner": "red"}'

    class Slowly(io.BytesIO):
        def readinto(self, buffer: Any) -> int:
            club.free("red")
            return super().readinto(buffer)

        def read(self, size: int | None = -1) -> bytes:
            club.free("red")
            return super().read(size)

    for address in (f"/api/act/{action}", f"/api/v1/actions/{action}"):
        body = ticket if action == "add-ticket" else route
        late = as_device(app, ADA).post(
            address,
            input_stream=Slowly(body),
            content_length=len(body),
            content_type="application/json",
        )
        assert late.status_code == 403
        assert playing.acts == []


def test_whoever_leaves_has_no_role_any_more(app: Flask, saved: list[LetIn]) -> None:
    host = as_device(app, HOST)
    assert host.post("/join/leave").location == "/join"
    assert host.get("/club", headers={"Accept": "*/*"}).status_code == 403
    assert (saved[-1].hosts, saved[-1].seats) == ((), {"red": ADA})


def test_who_could_not_be_saved_stays_let_in_and_is_saved_later(playing: FakeTable) -> None:
    clock, tries, is_full = Clock(), [], [True]

    def save(let_in: LetIn) -> None:
        tries.append(let_in)
        if is_full[0]:
            raise OSError

    club = Club(DEVICES, LetIn([HOST]), save, clock=clock)
    app = create_app(playing, access=club)
    sat = as_device(app, ADA)
    assert sat.post(f"/join/{club.link('red')}").status_code == 303
    before = len(tries)
    clock.now_s += SAVE_AGAIN_S - 1
    assert sat.get("/api/seat-that-is-none").status_code == 404
    assert len(tries) == before, "a full disk is not tried with each request"
    is_full[0] = False
    for _ in range(2):
        clock.now_s += SAVE_AGAIN_S
        assert sat.get("/api/seat-that-is-none").status_code == 404
    assert len(tries) == before + 1
    assert tries[-1].seats == {"red": ADA}


def test_the_pin_lets_in_the_host_once(app: Flask, club: Club, saved: list[LetIn]) -> None:
    pin = club.pin.pin
    tablet = app.test_client()
    told = tablet.post("/join/host", data={"pin": f"{pin[:3]} {pin[3:]}"})
    assert told.location == "/club"
    cookie = told.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert tablet.get("/start").status_code == 200
    assert len(saved[-1].hosts) == 2
    assert club.pin.pin != pin
    assert app.test_client().post("/join/host", data={"pin": pin}).status_code == 400


def test_the_panels_script_gets_the_cookie_that_makes_the_host(app: Flask, club: Club) -> None:
    tablet = app.test_client()
    headers = {"Accept": "application/json"}
    told = tablet.post("/join/host", data={"pin": club.pin.pin}, headers=headers)
    assert told.json == {"go": "/club"}
    assert tablet.get("/club").status_code == 200


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "8 devices are host now. Each further one takes the place"),
        ("it", "Ora 8 dispositivi ospitano. Ogni altro prende il posto"),
    ],
)
def test_that_a_ninth_host_puts_out_the_first_is_told_before_and_after(
    playing: FakeTable, language: str, said: str
) -> None:
    """The first tablet only watched from then on, and nobody knew why."""
    names = [f"tablet {number}" for number in range(1, 8)]
    club = Club(DEVICES, LetIn(names))
    app = create_app(playing, access=club)

    def page(client: FlaskClient) -> str:
        return unescape(client.get(f"/club?lang={language}").text)

    assert said not in page(as_device(app, "tablet 7"))
    for _ in range(2):
        last = app.test_client()
        last.post("/join/host", data={"pin": club.pin.pin})
        assert said in page(last)
    assert (
        as_device(app, "tablet 1").get("/club", headers={"Accept": "text/html"}).status_code == 303
    )
    assert said in page(as_device(app, "tablet 2"))


def test_a_host_that_types_the_pin_again_takes_nobody_s_place(playing: FakeTable) -> None:
    club = Club(DEVICES, LetIn([HOST, "tablet"]))
    app = create_app(playing, access=club)
    for _ in range(8):
        as_device(app, "tablet").post("/join/host", data={"pin": club.pin.pin})
    assert as_device(app, HOST).get("/club").status_code == 200
    assert "One other device is the host." in as_device(app, HOST).get("/club?lang=en").text


def test_a_pin_of_the_tables_own_lets_in_every_evening_and_is_never_shown(
    playing: FakeTable,
) -> None:
    """The one that the program makes is another one each time, and stands in a journal."""
    told: list[str] = []
    club = Club(DEVICES, LetIn(), told=told.append, own_pin="482913")
    app = create_app(playing, access=club)
    for typed in ("482913", "482 913"):
        tablet = app.test_client()
        assert tablet.post("/join/host", data={"pin": typed}).location == "/club"
    page = tablet.get("/club").text
    assert not {"482913", "482 913"} & {*told, *re.findall(r"[\d ]{6,}", page)}
    assert tablet.post("/club/only-host").location == "/club"
    assert app.test_client().post("/join/host", data={"pin": "482913"}).status_code == 303
    assert app.test_client().post("/join/host", data={"pin": club.pin.pin}).status_code == 303


def test_a_pin_of_ones_own_is_guessed_no_faster() -> None:
    """Twenty wrong guesses of all together; then everybody waits, the right one too."""
    clock = Clock()
    lock = PinLock(clock, own="482913")
    for number in range(GUESSES_OF_ALL):
        assert not lock.guess("111111", f"phone {number}")
    assert not lock.guess("482913", "tablet")
    clock.now_s = 60
    assert lock.guess("482913", "tablet")


def test_a_lost_device_of_the_host_is_put_out_with_all_that_it_could_read(
    app: Flask, club: Club, saved: list[LetIn]
) -> None:
    """It was the host for a year, and could be put out by eight more devices only."""
    host, lost = as_device(app, HOST), app.test_client()
    assert "Put out" not in host.get("/club?lang=en").text, "there is no other"
    lost.post("/join/host", data={"pin": club.pin.pin})
    seen = lost.get("/club").text
    pin, link = club.pin.pin, re.search('/join/([^"]+)"', seen)
    assert link is not None
    assert "One other device is the host." in host.get("/club?lang=en").text
    assert host.post("/club/only-host").location == "/club"
    assert saved[-1].hosts == (HOST,)
    assert saved[-1].seats == {"red": ADA}, "players stay"
    for path in ("/club/only-host", "/api/act/scan"):
        assert lost.post(path, json={}).status_code == 403
    assert lost.post("/join/host", data={"pin": pin}).status_code == 400
    assert lost.post(f"/join/{link[1]}").status_code == 404
    assert host.get("/club").status_code == 200
    assert app.test_client().post("/join/host", data={"pin": club.pin.pin}).status_code == 303


def test_a_device_that_comes_back_is_known_for_a_year_from_then(app: Flask) -> None:
    """The host's tablet of every week was a stranger a year after its first page, in mid-game."""
    for device in (HOST, ADA):
        kept = as_device(app, device).get("/board").headers["Set-Cookie"]
        assert kept.startswith(f"device={DEVICES.signed(device)};")
        assert "Max-Age=31536000" in kept  # 365 days


def test_wrong_pins_are_said_and_soon_made_to_wait(app: Flask, club: Club) -> None:
    wrong = "000000" if club.pin.pin != "000000" else "111111"
    client = app.test_client()
    html = {"Accept": "text/html"}
    for _ in range(FREE_GUESSES):
        answer = client.post("/join/host", data={"pin": wrong}, headers=html)
        assert (answer.status_code, "not the PIN" in answer.text) == (400, True)
    waiting = client.post("/join/host", data={"pin": club.pin.pin}, headers=html)
    assert waiting.status_code == 429
    assert "in 30 seconds" in waiting.text


def test_who_guesses_at_another_table_keeps_no_host_waiting(app: Flask, club: Club) -> None:
    guessing, hosts = app.test_client(), app.test_client()
    guessing.environ_base["REMOTE_ADDR"] = "192.168.1.66"
    wrong = "000000" if club.pin.pin != "000000" else "111111"
    for _ in range(FREE_GUESSES):
        guessing.post("/join/host", data={"pin": wrong})
    sent = {"pin": club.pin.pin}
    assert guessing.post("/join/host", data=sent).status_code == 429
    assert hosts.post("/join/host", data=sent).location == "/club"


@pytest.mark.parametrize("machines", [1, 250])
def test_who_guesses_all_evening_tries_few_pins(machines: int) -> None:
    """Ten hours, a guess a second from each machine in turn: 620 of a million at most."""
    clock = Clock()
    lock = PinLock(clock)
    tried = 0
    for second in range(36_000):
        clock.now_s = float(second)
        machine = str(second % machines)
        if lock.wait_s(machine) == 0:
            tried += 1
            assert not lock.guess("wrong", machine)
    assert tried <= GUESSES_OF_ALL + 600
    assert tried <= (FREE_GUESSES + 16 if machines == 1 else 620)
    assert 620 / 10**DIGITS < 0.001


def test_every_further_wrong_pin_doubles_the_wait_up_to_an_hour() -> None:
    clock = Clock()
    lock = PinLock(clock)
    waits = []
    for _ in range(13):
        assert not lock.guess("wrong", "phone")
        waits.append(lock.wait_s("phone"))
        assert not waits[-1] or not lock.guess(lock.pin, "phone"), "not even the right one"
        clock.now_s += waits[-1]
    assert waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert lock.guess(lock.pin, "phone")


def test_after_too_many_wrong_pins_everybody_waits_a_minute_for_one_more() -> None:
    clock = Clock()
    lock = PinLock(clock)
    for number in range(GUESSES_OF_ALL):
        assert not lock.guess("wrong", f"phone {number}")
    assert lock.wait_s("tablet") == 60
    clock.now_s = 59
    assert not lock.guess(lock.pin, "tablet")
    clock.now_s = 60
    assert not lock.guess("wrong", "tablet")
    assert lock.wait_s("tablet") == 60
    clock.now_s += 36_000
    assert lock.guess(lock.pin, "tablet"), "the next day"


def test_quiet_days_save_up_no_guesses() -> None:
    """A week later there are 20 wrong guesses for all machines together, and no more."""
    clock = Clock()
    lock = PinLock(clock)
    clock.now_s = 7 * 86_400.0
    for number in range(GUESSES_OF_ALL):
        assert lock.wait_s("tablet") == 0
        lock.guess("wrong", f"phone {number}")
    assert lock.wait_s("tablet") == 60


def test_who_was_let_in_may_mistype_again_as_often_as_anybody() -> None:
    clock = Clock()
    lock = PinLock(clock)
    for _ in range(2):
        for _ in range(FREE_GUESSES - 1):
            lock.guess("wrong", "phone")
        assert lock.guess(lock.pin, "phone")


def test_no_endless_list_is_kept_of_who_guessed_wrong() -> None:
    """512 others later a phone's five wrong guesses are forgotten."""
    clock = Clock()
    lock = PinLock(clock)
    for _ in range(5):
        lock.guess("wrong", "phone")
    for number in range(512):
        clock.now_s += 60
        lock.guess("wrong", f"other {number}")
    lock.guess("wrong", "phone")
    assert lock.wait_s("phone") == 0


def test_the_new_pin_is_told_to_whoever_stands_at_the_box(playing: FakeTable) -> None:
    told: list[str] = []
    club = Club(DEVICES, LetIn(), told=told.append)
    tablet = create_app(playing, access=club).test_client()
    tablet.post("/join/host", data={"pin": club.pin.pin})
    assert told == [club.pin.pin]


def test_at_home_there_is_nothing_to_be_let_into(client: FlaskClient) -> None:
    assert "At this table everybody may enter and change things." in client.get("/join").text
    for path in ("/club", "/join/abc"):
        assert client.get(path, headers={"Accept": "*/*"}).status_code == 404
    assert client.post("/join/host", data={"pin": "1"}).status_code == 404


def test_the_scoreboard_leads_on_while_nobody_plays(app: Flask) -> None:
    way_in = 'href="/join"'
    assert way_in in create_app(FakeTable()).test_client().get("/scoreboard").text
    assert way_in not in as_device(app, STRANGER).get("/scoreboard").text  # a game is on
