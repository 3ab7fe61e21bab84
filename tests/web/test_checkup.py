"""The check-up on the panel: what needs somebody first, in the visitor's language."""

import re

import pytest

from scoring.language import Message
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.ports import Finding, Wire, Wiring

FOUND = [
    Finding(status="good", message=Message("companion.doctor.memory", free=300).to_json()),
    Finding(status="missing", message=Message("companion.doctor.no-usb-camera").to_json()),
    Finding(status="broken", message=Message("companion.doctor.hot", degrees=83).to_json()),
]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["to mend", "83 °C and slows down", "not here", "No USB camera", "works", "300 MB"]),
        ("it", ["da sistemare", "83 °C e rallenta", "non c", "USB", "funziona", "300 MB"]),
    ],
)
def test_what_is_to_mend_comes_first(table: FakeTable, language: str, words: list[str]) -> None:
    client = create_app(table, language_default=language, examine=lambda: FOUND).test_client()
    answer = client.get("/checkup", headers={"Accept-Language": language})
    assert answer.status_code == 200
    page = re.split("<ul class=.findings.>", answer.text)[1]
    places = [page.index(word) for word in words]
    assert places == sorted(places)
    assert "/checkup" in client.get("/start", headers={"Accept-Language": language}).text


def test_a_command_stands_without_the_backquotes_that_nobody_types(table: FakeTable) -> None:
    named = Message("companion.doctor.no-name", name="<b>.local")
    found = [Finding(status="missing", message=named.to_json())]
    client = create_app(table, examine=lambda: found).test_client()
    page = client.get("/checkup", headers={"Accept-Language": "it"}).text
    assert "<code>sudo apt install avahi-daemon</code>" in page
    assert "&lt;b&gt;.local" in page
    assert "`" not in re.split("<ul class=.findings.>", page)[1].split("</ul>")[0]


def test_all_well_is_said(table: FakeTable) -> None:
    client = create_app(table, examine=lambda: FOUND[:1]).test_client()
    page = client.get("/checkup", headers={"Accept-Language": "en"}).text
    assert "Everything that is here works" in page
    assert "To the start" in page


def test_the_page_of_the_box_leads_on_to_all_that_is_wrong(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says the first of the configuration's troubles alone."""
    state = table.state() | {"box": CLASH.to_json()}
    monkeypatch.setattr(table, "state", lambda: state)
    page = create_app(table, examine=lambda: FOUND).test_client().get("/box").text
    assert 'href="/checkup"' in page.split('id="box-trouble"')[1].split("</p>")[0]


def test_the_start_page_tells_what_is_urgent(table: FakeTable) -> None:
    client = create_app(table, examine=list, urgent=lambda: FOUND[2:]).test_client()
    page = client.get("/start", headers={"Accept-Language": "en"}).text
    assert "83 °C and slows down" in page
    assert "83 °C" not in create_app(table, examine=list).test_client().get("/start").text


def test_a_panel_that_cannot_look_has_no_such_page(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.get("/checkup").status_code == 404
    assert "/checkup" not in client.get("/start").text


CLASH = Message("hardware.pins.used-twice", pin=5, first="a", second="b")


def drawn(language: str) -> Wiring:
    part = Message("hardware.part.lamp", seat=1).to_json()
    wires = [Wire(part=part, gpio=17, pin=11)]
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg"><text>{language}</text></svg>'
    return Wiring(wires, [CLASH.to_json()], drawing)


def test_the_wiring_is_a_drawing_and_a_table_that_says_the_same(table: FakeTable) -> None:
    client = create_app(table, examine=lambda: FOUND, wiring=drawn).test_client()
    italian = {"Accept-Language": "it"}
    assert 'href="/wiring"' in client.get("/checkup", headers=italian).text
    page = client.get("/wiring", headers=italian).text
    assert re.search(r"luce 1</th><td>17</td><td>11</td>", page)
    assert "Il pin 5" in page
    picture = client.get("/wiring.svg", headers=italian)
    assert picture.mimetype == "image/svg+xml"
    assert "<text>it</text>" in picture.text


def test_a_configuration_that_cannot_be_read_is_said_in_the_place_of_a_drawing(
    table: FakeTable,
) -> None:
    client = create_app(table, wiring=lambda language: Wiring([], [], "<svg/>")).test_client()
    page = client.get("/wiring", headers={"Accept-Language": "en"}).text
    assert "nothing to draw" in page
    assert "<img" not in page.split("<main")[1]


def test_a_panel_without_a_box_has_no_wiring(table: FakeTable) -> None:
    client = create_app(table, examine=lambda: FOUND).test_client()
    assert client.get("/wiring").status_code == 404
    assert "/wiring" not in client.get("/checkup").text
