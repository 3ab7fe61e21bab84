"""No web page of another site changes the game, holds a seat or reads anything: every address."""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.fake_table import FakeTable
from web.app import create_app
from web.security import host_name, is_home_name

VALUES = {
    "action": "scan",
    "route": "denver--omaha",
    "player": "red",
    "colour": "red",
    "filename": "panel.js",
    "link": "none",
    "evening": "none",
    "board": "usa",
}
"""What stands for each part of an address."""

HOSTILE_HOSTS = (
    "",
    "a_b.evil.example",
    "evil.example",
    "box.fritz.box",
    "[::1",
    "[evil.example]",
    "localhost:80:80",
    "localhost@evil.example",
    "localhost, evil.example",
    "evil.example.",
    ".local",
    "..local",
    "box.local.",
    "bücher.local",
    "localhost/",
    "http://localhost",
    ":8000",
)

FROM_ELSEWHERE: tuple[Mapping[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://["},
    {"Origin": "http://localhost:99999999999"},
    {"Origin": "http://localhost:9999"},
    {"Origin": "ftp://localhost"},
    {"Origin": "localhost"},
    {"Origin": "http://localhost@evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "mars"},
    {"Sec-Fetch-Site": ""},
)

FOREIGN_REFERERS = ("http://[", "https://evil.example/page", "null", "", "javascript:1")

LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.fixture
def app(playing: FakeTable) -> Flask:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    playing.acts.clear()
    return create_app(playing)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def address_of(rule: Rule) -> str:
    values = {name: VALUES[name] for name in rule.arguments}
    with_values = rule.build(values)
    assert with_values is not None
    return with_values[1]


def everything(app: Flask) -> Iterator[tuple[str, str]]:
    """Every method and address of the panel."""
    for rule in app.url_map.iter_rules():
        for method in sorted(rule.methods or ()):
            yield method, address_of(rule)


def test_every_address_refuses_hosts_that_are_not_the_box(
    app: Flask, client: FlaskClient, playing: FakeTable
) -> None:
    for (method, path), host in product(everything(app), HOSTILE_HOSTS):
        answer = client.open(path, method=method, headers={"Host": host})
        assert answer.status_code == 403, (method, path, host)
        assert "Ada" not in answer.text
        assert "helena" not in answer.text
    assert playing.acts == []


def test_every_address_refuses_what_another_site_sends(
    app: Flask, client: FlaskClient, playing: FakeTable
) -> None:
    for (method, path), headers in product(everything(app), FROM_ELSEWHERE):
        answer = client.open(path, method=method, headers=headers)
        assert answer.status_code == 403, (method, path, headers)
        assert "Ada" not in answer.text
    assert playing.acts == []


@pytest.mark.parametrize("referer", FOREIGN_REFERERS)
def test_where_only_the_referer_tells_actions_data_and_seats_are_refused(
    app: Flask, client: FlaskClient, playing: FakeTable, referer: str
) -> None:
    told = {"Referer": referer}
    for path in ("/events", "/api/state", "/api/crop/denver--omaha.png", "/api/tickets/red"):
        assert client.get(path, headers=told).status_code == 403
    for path in (path for method, path in everything(app) if method == "POST"):
        assert client.post(path, headers=told, data={}).status_code == 403, path
    assert client.get("/board", headers=told).status_code == 200
    assert playing.acts == []


def test_a_refusal_is_one_sentence_in_the_readers_language(client: FlaskClient) -> None:
    said = client.get("/board", headers={"Host": "a_b.evil.example", "Accept-Language": "it"})
    assert "La scatola non si chiama «a_b.evil.example»" in said.text
    told = client.get("/api/state", headers={"Origin": "null"})
    assert "another site" in told.json["error"]


@pytest.mark.parametrize("path", ["/", "/start", "/board", "/tickets", "/tickets/red", "/sheet"])
def test_a_link_on_another_site_may_lead_to_a_page(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers=LINK).status_code in (200, 302)


@pytest.mark.parametrize("path", ["/events", "/api/state", "/api/tickets/red"])
def test_no_link_on_another_site_leads_to_data_or_a_seat(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers=LINK).status_code == 403


def test_programs_and_the_panels_own_pages_are_answered(client: FlaskClient) -> None:
    own = {"Origin": "http://localhost", "Referer": "http://localhost/board"}
    typed = {"Host": "Box.local:8000", "Origin": "http://box.local:8000"}
    for headers in ({}, own, own | {"Sec-Fetch-Site": "same-origin"}, typed):
        assert client.get("/api/state", headers=headers).status_code == 200
        assert client.post("/api/act/scan", headers=headers, json={}).status_code == 200


@pytest.mark.parametrize("host", ["fritz.box", "pi.fritz.box", "router.box"])
def test_a_public_ending_counts_only_where_the_owner_lists_the_name(host: str) -> None:
    assert not is_home_name(host)
    listed = create_app(FakeTable(), extra_hosts=[host]).test_client()
    assert listed.get("/start", headers={"Host": host}).status_code == 200
    assert listed.get("/start", headers={"Host": f"x.{host}"}).status_code == 403


def test_a_host_is_a_name_or_an_address_and_perhaps_a_port() -> None:
    assert host_name("Box.local:8000") == "box.local"
    assert host_name("[fe80::1]:80") == "fe80::1"
    assert host_name("192.168.1.20") == "192.168.1.20"
    assert host_name("a_b") is None


@pytest.mark.parametrize(
    "accept", ["image/avif,image/webp,*/*;q=0.8", "text/html,application/xml;q=0.9,*/*;q=0.8"]
)
def test_a_picture_or_a_frame_takes_no_seat(client: FlaskClient, accept: str) -> None:
    """Over plain HTTP a browser tells of these neither site nor, if asked not to, page."""
    assert client.get("/events", headers={"Accept": accept}).status_code == 406


def test_a_browser_gets_a_cookie_that_other_sites_requests_do_not_carry(
    client: FlaskClient,
) -> None:
    cookie = client.get("/start").headers["Set-Cookie"]
    assert cookie.startswith("device=")
    assert "SameSite=Strict" in cookie
    assert "HttpOnly" in cookie
    assert client.get("/board").headers["Set-Cookie"] == cookie, "the name stays the same"
