"""The check-up on the panel: what needs somebody first, in the visitor's language."""

import re

import pytest

from scoring.language import Message
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.ports import Finding

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


def test_all_well_is_said(table: FakeTable) -> None:
    client = create_app(table, examine=lambda: FOUND[:1]).test_client()
    page = client.get("/checkup", headers={"Accept-Language": "en"}).text
    assert "Everything that is here works" in page


def test_a_panel_that_cannot_look_has_no_such_page(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.get("/checkup").status_code == 404
    assert "/checkup" not in client.get("/start").text
