"""The page that puts a copy on a new box: what is plugged in or sent, and what is in the way."""

from datetime import datetime
from io import BytesIO
from typing import IO, Any

import pytest
from flask.testing import FlaskClient

from scoring.language import Message
from tests.web.conftest import served
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.errors import ActionRefusedError
from web.restore_port import FoundCopy

ENGLISH = {"Accept-Language": "en"}


class FakeRestore:
    """A stick with two copies, the second of them damaged and of a clock that was never set."""

    def __init__(self) -> None:
        self.there_already: Message | None = None
        self.restored: list[str] = []
        self.sent: list[tuple[str, bytes]] = []
        self.is_under_way = False
        self.trouble: Message | None = None
        at = datetime(2026, 1, 31, 20, 15)
        self.copies = [
            FoundCopy("k1", "KINGSTON", "companion-salon-2026-01-31-2015.zip", "salon", at),
            FoundCopy("k2", "<b>STICK</b>", "companion-<i>.zip", "", None),
        ]

    def in_the_way(self) -> Message | None:
        return self.there_already

    def found(self) -> list[FoundCopy]:
        return self.copies

    def restore(self, key: str) -> None:
        if key != "k1":
            raise ActionRefusedError("companion.restore.no-copy", file="companion-<i>.zip")
        self.restored.append(key)
        self.is_under_way = True

    def restore_sent(self, name: str, file: IO[bytes]) -> None:
        file.seek(0)
        content = file.read()
        if content == b"holiday":
            raise ActionRefusedError("companion.restore.no-copy", file=name)
        self.sent.append((name, content))
        self.is_under_way = True


@pytest.fixture
def restore() -> FakeRestore:
    return FakeRestore()


@pytest.fixture
def client(table: FakeTable, restore: FakeRestore) -> FlaskClient:
    return create_app(table, restore=restore).test_client()


@pytest.mark.parametrize(
    ("language", "copy", "question"),
    [
        ("en", "Copy of 31 January 2026, 20:15", "No other one can be put on it afterwards."),
        ("it", "Copia: 31 gennaio 2026, 20:15", "Dopo non se ne può mettere un&#39;altra."),
    ],
)
def test_each_copy_is_offered_by_its_day(
    client: FlaskClient, language: str, copy: str, question: str
) -> None:
    page = client.get("/restore", headers={"Accept-Language": language}).text
    assert copy in page
    assert question in page
    assert "salon, " in page
    assert "companion-&lt;i&gt;.zip <small>" in page
    assert "&lt;b&gt;STICK" in page


def test_one_tap_is_enough(client: FlaskClient, restore: FakeRestore) -> None:
    answer = client.post("/restore", data={"copy": "k1"}, headers=ENGLISH)
    assert answer.status_code == 200
    assert restore.restored == ["k1"]
    assert "A stick can be pulled out" in answer.text
    assert "KINGSTON" not in answer.text


def test_a_copy_of_this_device_is_sent(client: FlaskClient, restore: FakeRestore) -> None:
    copy = {"file": (BytesIO(b"PK copy"), "companion-salon-2026-01-31-2015.zip")}
    answer = client.post("/restore/file", data=copy, headers=ENGLISH, follow_redirects=True)
    assert answer.status_code == 200
    assert restore.sent == [("companion-salon-2026-01-31-2015.zip", b"PK copy")]
    assert "The copy is being put on this box." in answer.text


@pytest.mark.parametrize(
    ("file", "status", "told"),
    [
        ((BytesIO(b"holiday"), "<i>.jpg"), 409, "&lt;i&gt;.jpg is no copy of a table"),
        ((BytesIO(b""), ""), 400, "Choose a file first."),
        ((BytesIO(b""), "copy.zip"), 400, "copy.zip"),  # a phone without room left it empty
    ],
)
def test_a_file_that_is_not_taken_is_told_above_the_copies(
    client: FlaskClient, restore: FakeRestore, file: Any, status: int, told: str
) -> None:
    answer = client.post("/restore/file", data={"file": file}, headers=ENGLISH)
    assert answer.status_code == status
    assert told in answer.text.split('id="places"')[0]
    assert "Copy of 31 January" in answer.text
    assert restore.sent == []


def test_a_file_too_large_to_be_sent_goes_on_a_stick(
    client: FlaskClient, restore: FakeRestore
) -> None:
    answer = client.post("/restore/file", content_length=91 << 20, headers=ENGLISH)
    assert answer.status_code == 413
    assert "This copy has more than 90 MB: put it on a USB stick" in answer.text
    assert restore.sent == []


def test_who_comes_before_the_box_has_started_anew_is_told(client: FlaskClient) -> None:
    """Another tablet, or the way back: nobody taps a second copy then."""
    client.post("/restore", data={"copy": "k1"})
    answer = client.get("/restore", headers=ENGLISH)
    assert "The copy is being put on this box." in answer.text
    assert "KINGSTON" not in answer.text


def test_a_refusal_stands_above_the_copies(client: FlaskClient) -> None:
    answer = client.post("/restore", data={"copy": "k2"}, headers=ENGLISH)
    assert answer.status_code == 409
    assert "companion-&lt;i&gt;.zip is no copy of a table" in answer.text
    assert "Copy of 31 January" in answer.text


def test_only_a_new_box_offers_it(client: FlaskClient, restore: FakeRestore) -> None:
    assert 'href="/restore"' in client.get("/start").text
    restore.there_already = Message("companion.restore.not-new")
    assert 'href="/restore"' not in client.get("/start").text
    page = client.get("/restore", headers=ENGLISH).text
    assert "Something was played or set up on this box already" in page
    assert "KINGSTON" not in page


def test_a_panel_without_it_has_no_such_page(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.get("/restore").status_code == 404
    assert "/restore" not in client.get("/start").text


def test_a_browser_asks_once_more_and_then_shows_the_table_that_came(
    table: FakeTable, restore: FakeRestore, page: Any
) -> None:
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.accept() if len(asked) > 1 else dialog.dismiss()

    page.on("dialog", answer)
    with served(create_app(table, restore=restore)) as address:
        page.goto(f"{address}/restore")
        button = page.get_by_role("button", name="Copy of 31 January 2026")
        button.click()
        assert restore.restored == []
        button.click()
        page.get_by_text("The copy is being put on this box.").wait_for()
        restore.is_under_way = False  # the box is there again, new as before: no game was in it
        page.wait_for_url("**/history", timeout=20_000)
    assert restore.restored == ["k1"]
    assert len(asked) == 2
    assert asked[0].startswith("Put the copy of 31 January 2026, 20:15 on this box? No other one")


def test_a_phone_sends_the_copy_that_was_saved_on_it(
    table: FakeTable, restore: FakeRestore, phone: Any
) -> None:
    """No stick is needed, on which it had to be put first."""
    restore.copies = []
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.accept() if len(asked) > 1 else dialog.dismiss()

    phone.on("dialog", answer)
    name = "companion-salon-2026-01-31-2015.zip"
    copy = {"name": name, "mimeType": "application/zip", "buffer": b"PK copy"}
    with served(create_app(table, restore=restore)) as address:
        phone.goto(f"{address}/restore?lang=it")
        phone.get_by_label("Una copia salvata su questo telefono").set_input_files(copy)
        button = phone.get_by_role("button", name="Mettila in questa scatola")
        button.click()
        assert restore.sent == []
        button.click()
        phone.get_by_text("Sto mettendo la copia in questa scatola.").wait_for()
        restore.is_under_way = False
        phone.wait_for_url("**/history", timeout=20_000)
    assert restore.sent == [(name, b"PK copy")]
    assert asked == ["Metto questa copia nella scatola? Dopo non se ne può mettere un'altra."] * 2


def test_a_box_that_could_not_take_the_copy_says_why(
    table: FakeTable, restore: FakeRestore, page: Any
) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    with served(create_app(table, restore=restore)) as address:
        page.goto(f"{address}/restore")
        page.get_by_role("button", name="Copy of 31 January 2026").click()
        page.get_by_text("The copy is being put on this box.").wait_for()
        restore.trouble = Message("companion.restore.not-taken", reason="the card is broken")
        restore.is_under_way = False  # the box is there again, without it
        told = "The copy could not be put on this box: the card is broken."
        page.get_by_text(told).wait_for(timeout=20_000)
        assert page.get_by_role("button", name="Copy of 31 January 2026").is_visible()


def test_a_long_name_leaves_a_narrow_phone_its_width(
    table: FakeTable, restore: FakeRestore, page: Any
) -> None:
    name = "thenameofthistablehasnogapanywhereinit"
    restore.copies = [FoundCopy("k1", "KINGSTON", f"{name}.zip", name, None)]
    page.set_viewport_size({"width": 320, "height": 600})
    with served(create_app(table, restore=restore)) as address:
        page.goto(f"{address}/restore")
        page.get_by_role("button", name=name).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
