"""The hub's pages: everybody looks, the organiser enters a PIN, other sites get nothing."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.documentation.guards import guarded_routes
from tests.web.hub.fake_room import FakeRoom
from web.access.club import Club
from web.access.roles import Role
from web.hub.app import create_hub_app

OPEN_TO_WRITE = {"/join/host", "/join/leave"}


@pytest.fixture
def app(access: Club) -> Flask:
    return create_hub_app(FakeRoom(), access)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_every_route_says_whom_it_is_open_to(app: Flask) -> None:
    assert [one.address for one in guarded_routes(app) if one.need is None] == []


def test_a_spectator_changes_nothing(app: Flask) -> None:
    writing = [one for one in guarded_routes(app) if one.method != "GET"]
    open_ones = {one.address for one in writing if one.need and one.need.role is Role.SPECTATOR}
    assert open_ones == OPEN_TO_WRITE


def test_the_pin_makes_the_organiser_and_then_is_another_one(
    client: FlaskClient, access: Club
) -> None:
    pin = access.pin.pin
    assert "This device is the organiser" not in client.get("/join").text
    assert client.post("/join/host", data={"pin": pin}).status_code == 303
    assert "This device is the organiser" in client.get("/join").text
    assert access.pin.pin != pin
    client.post("/join/leave")
    assert "This device is the organiser" not in client.get("/join").text


def test_a_lost_device_of_the_organiser_is_put_out(
    app: Flask, client: FlaskClient, access: Club
) -> None:
    lost = app.test_client()
    for one in (lost, client):
        one.post("/join/host", data={"pin": access.pin.pin})
    page = client.get("/join?lang=en").text
    assert "One other device is the organiser&#39;s. After this it only watches" in page
    assert client.post("/join/only-host").location == "/join"
    assert "This device is the organiser" in client.get("/join?lang=en").text
    assert "You are watching" in lost.get("/join?lang=en").text
    assert lost.post("/join/only-host").status_code == 403


def test_a_wrong_pin_lets_nobody_in(client: FlaskClient, access: Club) -> None:
    wrong = f"{(int(access.pin.pin) + 1) % 10**6:06d}"
    assert client.post("/join/host", data={"pin": wrong}).status_code == 400
    assert "This device is the organiser" not in client.get("/join").text


def test_a_panel_on_the_same_machine_keeps_its_own_devices(client: FlaskClient) -> None:
    """Browsers send the cookies of a machine to every port of it."""
    client.set_cookie("device", "signed-by-the-panel")
    client.get("/")
    kept = client.get_cookie("device")
    assert kept is not None
    assert kept.value == "signed-by-the-panel"


def test_a_refusal_of_the_hub_speaks_of_no_box(client: FlaskClient) -> None:
    """Somebody who has only the club's pages was told that the box is not called so."""
    italian = {"Accept-Language": "it"}
    by_name = client.get("/", headers={**italian, "Host": "a_b.evil.example"})
    assert "L&#39;hub non si chiama «a_b.evil.example»" in by_name.text
    past_the_end = client.get(
        client.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0],
        headers={**italian, "Range": "bytes=99999999-"},
    )
    assert past_the_end.status_code == 416
    assert "Qualcosa è andato storto; riprova." in past_the_end.text
    assert "scatola" not in by_name.text + past_the_end.text


def test_other_sites_and_foreign_names_get_nothing(client: FlaskClient) -> None:
    evil = {"Origin": "http://evil.example"}
    assert client.post("/join/leave", headers=evil).status_code == 403
    assert client.get("/", headers={"Host": "club.evil.example"}).status_code == 403


FOREIGN: tuple[dict[str, str], ...] = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:9999"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Host": "evil.example"},
)


def test_the_organisers_browser_does_nothing_for_another_site(
    app: Flask, client: FlaskClient, access: Club
) -> None:
    """At any address that changes something; also not for another port of this machine."""
    client.post("/join/host", data={"pin": access.pin.pin})
    writing = [one.address for one in guarded_routes(app) if one.method != "GET"]
    assert len(writing) >= 3
    for address in writing:
        for head in FOREIGN:
            answer = client.post(address.replace("<id>", "t1"), headers=head)
            assert answer.status_code == 403, (address, head)
    assert "This device is the organiser" in client.get("/join").text


def test_pages_load_nothing_from_elsewhere_and_are_never_kept(client: FlaskClient) -> None:
    answer = client.get("/")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No table has told"), ("it", "Nessun tavo")]
)
def test_an_empty_room_says_how_a_table_joins(
    client: FlaskClient, language: str, words: str
) -> None:
    page = client.get("/", query_string={"lang": language}).text
    assert words in page
    assert "companion serve --hub" in page


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Only the organiser may do that"), ("it", "Solo l&#39;organizzatore può farlo")],
)
def test_whoever_is_not_the_organiser_is_told_how_to_become_one(
    client: FlaskClient, language: str, words: str
) -> None:
    answer = client.post("/tables/t1/shut-out", query_string={"lang": language})
    assert answer.status_code == 403
    assert words in answer.text


def test_an_unknown_address_is_a_page_with_a_sentence(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "<h1>" in answer.text
