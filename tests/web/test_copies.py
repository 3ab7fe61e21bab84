"""The page of copies: what is plugged in, one tap, and when it may be pulled out."""

import io

import pytest
from flask.testing import FlaskClient

from scoring.language import Message
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.copy_port import CopyPlace, CopySaved, PackedTable
from web.errors import ActionRefusedError

ENGLISH = {"Accept-Language": "en"}


class FakeCopies:
    """Two sticks, of which the second is full."""

    def __init__(self) -> None:
        self.sent = PackedTable("companion-salon-2026-01-31-2015.zip", io.BytesIO(b"PK all of it"))
        self.does_forget = False
        self.left_out: Message | None = None

    def places(self) -> list[CopyPlace]:
        return [
            CopyPlace("k1", "KINGSTON", True, 3_200_000_000),
            CopyPlace("k2", "<b>FULL</b>", True, None),
        ]

    def forgets(self) -> bool:
        return self.does_forget

    def save(self, key: str) -> CopySaved:
        if key == "k1":
            name = "companion-salon-2026-01-31-2015.zip"
            return CopySaved("KINGSTON", name, 412, True, self.left_out)
        raise ActionRefusedError("companion.copy.full", name="<b>FULL</b>")

    def packed(self) -> PackedTable:
        return self.sent


@pytest.fixture
def copies() -> FakeCopies:
    return FakeCopies()


@pytest.fixture
def client(table: FakeTable, copies: FakeCopies) -> FlaskClient:
    return create_app(table, copies=copies).test_client()


def test_every_stick_is_offered_by_name(client: FlaskClient) -> None:
    page = client.get("/copy", headers=ENGLISH).text
    assert "Save on KINGSTON <small>3,200 MB free" in page
    assert "Save on &lt;b&gt;FULL" in page
    assert 'href="/copy"' in client.get("/start", headers=ENGLISH).text


def test_what_a_copy_lacks_is_told_beside_it(client: FlaskClient, copies: FakeCopies) -> None:
    copies.left_out = Message("companion.copy.left-out", files="boards/<b>.json")
    page = client.post("/copy", data={"place": "k1"}, headers=ENGLISH).text
    assert "You can pull it out now" in page
    assert "because the disk no longer gives it: boards/&lt;b&gt;.json." in page


@pytest.mark.parametrize(
    ("language", "words"), [("en", "You can pull it out now"), ("it", "Ora puoi togliere")]
)
def test_one_tap_saves_and_says_when_it_can_be_pulled(
    client: FlaskClient, language: str, words: str
) -> None:
    answer = client.post("/copy", data={"place": "k1"}, headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert words in answer.text
    assert "companion-salon-2026-01-31-2015.zip" in answer.text
    assert "412" in answer.text


def test_what_is_in_the_way_stands_above_the_sticks(client: FlaskClient) -> None:
    answer = client.post("/copy", data={"place": "k2"}, headers=ENGLISH)
    assert answer.status_code == 409
    assert "is full" in answer.text
    assert "Save on KINGSTON" in answer.text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "undo no longer leads back"), ("it", "Annulla non riporta più")]
)
def test_what_a_copy_costs_is_said_before_it_is_taken(
    client: FlaskClient, copies: FakeCopies, language: str, words: str
) -> None:
    for does_forget in (False, True):
        copies.does_forget = does_forget
        page = client.get("/copy", headers={"Accept-Language": language}).text
        assert (words in page) == does_forget


def test_the_copy_is_sent_to_the_device(client: FlaskClient, copies: FakeCopies) -> None:
    answer = client.post("/copy/table.zip")
    assert answer.data == b"PK all of it"
    assert "companion-salon-2026-01-31-2015.zip" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()
    assert copies.sent.file.closed


def test_a_panel_without_copies_has_no_such_page(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.get("/copy").status_code == 404
    assert "/copy" not in client.get("/start").text
