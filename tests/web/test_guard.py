"""Other web sites can't drive the box, and names that people type can't run in the page."""

import pytest
from flask.testing import FlaskClient

from tests.web.fake_table import FakeTable
from web.app import create_app
from web.security import is_home_name

SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
)
def test_an_action_from_another_site_is_refused(
    client: FlaskClient, playing: FakeTable, headers: dict[str, str]
) -> None:
    answer = client.post("/api/act/scan", headers=headers, json={})
    assert answer.status_code == 403
    assert "another site" in answer.json["error"]
    assert playing.acts == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_an_action_from_the_panel_or_a_program_is_done(
    client: FlaskClient, playing: FakeTable, headers: dict[str, str]
) -> None:
    assert client.post("/api/act/scan", headers=headers, json={}).status_code == 200


@pytest.mark.parametrize(
    "host", ["raspberrypi", "box.local", "192.168.1.20", "[fe80::1]", "box.lan"]
)
def test_names_of_a_home_network_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/start", headers={"Host": f"{host}:8080"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "box.local.evil.example", "1.2.3.4.nip.io"])
def test_a_web_sites_own_name_for_the_box_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/api/state", headers={"Host": host}).status_code == 403


def test_a_table_may_name_its_own_host() -> None:
    client = create_app(FakeTable(), extra_hosts=["Train.Example.org"]).test_client()
    assert client.get("/start", headers={"Host": "train.example.org"}).status_code == 200


def test_an_address_is_a_home_name_but_a_dotted_name_is_not() -> None:
    assert is_home_name("10.0.0.7")
    assert not is_home_name("10.0.0.7.example")


def test_names_are_shown_as_text_never_as_markup(client: FlaskClient, table: FakeTable) -> None:
    name = SCRIPT[:24]
    players = [{"name": name, "colour": "red"}, {"name": '"><img onerror=x>', "colour": "blue"}]
    client.post("/api/act/start", json={"board": "usa", "players": players})
    client.post("/api/act/scan", json={})
    for path in (
        "/board",
        "/doubts",
        "/route/denver--omaha",
        "/tickets",
        "/tickets/red",
        "/box",
    ):
        page = client.get(path).text + client.post("/tickets/red", follow_redirects=True).text
        assert "<script>alert" not in page
        assert "<img onerror" not in page


def test_typed_search_text_is_shown_as_text(client: FlaskClient, playing: FakeTable) -> None:
    key = client.post("/tickets/red").location.partition("hand=")[2]
    for path in ("/board", "/tickets/red"):
        asked = {"q": SCRIPT, "hand": key}
        page = client.get(path, query_string=asked).text
        assert "alert(1)" in page
        assert SCRIPT not in page


def test_pages_may_load_only_the_panels_own_files(client: FlaskClient) -> None:
    answer = client.get("/start")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy, "no page lays itself over the panel's buttons"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Referrer-Policy"] == "same-origin", "a seat's link is told to nobody"
    assert "http://" not in answer.text
    assert "https://" not in answer.text


def test_after_a_form_one_is_never_sent_to_another_site(
    client: FlaskClient, playing: FakeTable
) -> None:
    html = {"Accept": "text/html"}
    address, given = "/api/act/correct-route", {"route": "denver--omaha", "owner": "red"}
    home = client.post(
        address, data=given, headers=html | {"Referer": "http://localhost/board?q=x"}
    )
    assert (home.status_code, home.location) == (303, "/board")
    away = client.post(
        address, data=given, headers=html | {"Referer": "http://localhost//evil.example/"}
    )
    assert (away.status_code, away.location) == (303, "/")
    unknown = client.post(address, data=given, headers=html)
    assert (unknown.status_code, unknown.location) == (303, "/")
    turned = client.post(
        "/api/act/show",
        data={"phase": "tickets"},
        headers=html | {"Referer": "http://localhost/board"},
    )
    assert (turned.status_code, turned.location) == (303, "/")
