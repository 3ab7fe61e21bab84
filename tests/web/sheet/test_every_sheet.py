"""Every kind of line that a sheet can hold is shown and printed, in every language."""

import pytest

from companion.cli.sheet_print import print_sheet
from scoring.documents.sheet import KINDS
from scoring.language import LANGUAGES
from tests.support.golden import GOLDEN, golden_sheet
from tests.web.fake_table import FakeTable
from tests.web.test_pages import words
from web.app import create_app
from web.sheet.sheet import view_sheet


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_line_is_shown_and_printed(language: str) -> None:
    seen = set()
    for path in GOLDEN:
        sheet, board = golden_sheet(path)
        view = view_sheet(sheet, board, language)
        lines = [line for card in view.cards for line in card.lines]
        assert all(line.title.strip() for line in lines)
        assert print_sheet(sheet.to_json(language), language, board)
        seen |= {line.kind for line in lines}
    assert seen == set(KINDS)


THROUGH_SWITZERLAND = {
    "en": (
        "not completed: Konstanz – Lindau and Freiburg – Konstanz were missing; "
        "no way leads through Schweiz: every line ends there"
    ),
    "it": (
        "non completato: mancavano Konstanz – Lindau e Freiburg – Konstanz; "
        "per Schweiz non si passa: ogni linea finisce lì"
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ticket_that_only_a_country_joins_says_so_on_screen_and_printed(language: str) -> None:
    """Ada's Munich - Freiburg; her Munich - Konstanz has no line to Konstanz in any case."""
    name = "germany-no-way-through-switzerland-or-denmark"
    sheet, board = golden_sheet(next(path for path in GOLDEN if path.stem == name))
    ada = next(card for card in view_sheet(sheet, board, language).cards if card.name == "Ada")
    tickets = {line.title: line.detail for line in ada.lines if line.kind == "ticket"}
    assert tickets["München – Freiburg"] == THROUGH_SWITZERLAND[language]
    assert "Schweiz" not in tickets["München – Konstanz"]
    printed = " ".join(print_sheet(sheet.to_json(language), language, board).split())
    assert THROUGH_SWITZERLAND[language].split("; ")[1] in printed


WITH_PASSENGERS = {
    "en": ("Ada wins!", "Passengers: green", "most: Ada 2, Ben 1", "second most: Ada 2, Ben 1"),
    "it": ("Vince Ada!", "Passeggeri: verde", "più di tutti: Ada 2, Ben 1", "secondo: Ada 2"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_germanys_sheet_says_who_holds_most_passengers(language: str) -> None:
    """Two green passengers are the most (20 points), one is the second most (10)."""
    table = FakeTable()
    client = create_app(table).test_client()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    client.post("/api/act/start", json={"board": "germany", "players": players})
    for player, count in (("red", "2"), ("white", "1")):
        client.post("/api/act/set-passengers", data={"player": player, "passengers-green": count})
    client.post("/api/act/finish", json={})
    page = client.get(f"/sheet?lang={language}")
    assert page.status_code == 200
    for part in WITH_PASSENGERS[language]:
        assert part in words(page.text)
    assert "+20" in page.text
    assert "+10" in page.text
    client.post("/api/act/reopen", json={})
    client.post("/api/act/set-passengers", data={"player": "white", "passengers-green": "2"})
    client.post("/api/act/finish", json={})
    tied = {"en": "so nobody is second: Ada 2, Ben 2", "it": "nessuno è secondo: Ada 2, Ben 2"}
    assert tied[language] in words(client.get(f"/sheet?lang={language}").text)
