"""What the set-up and box pages put in quotes stands so on the panel, in both languages."""

import json
import re
from pathlib import Path

import pytest

from tests.support.catalogues import whole_catalogue

ROOT = Path(__file__).parents[3]
WIFI_PAGE = ROOT / "packaging/image/stage-companion/01-wifi/files/wifi-page"

PAGES = [
    ("set-up.md", "en", r'"([^"]+)"'),
    ("set-up.it.md", "it", "«([^»]+)»"),
    ("box.md", "en", r'"([^"]+)"'),
    ("box.it.md", "it", "«([^»]+)»"),
]

EXAMPLES = {"Kitchen table", "Tavolo della cucina", "Companion NAME", "Companion NOME"}
"""Names that somebody may choose."""

FOREIGN = {
    *("Usa immagine personalizzata", "Use custom", "Raspberry Pi OS (other)"),
    *("Terminal", "Terminale", "PowerShell", "unavailable", "non disponibile"),
    *("unsandboxed", "unmet dependencies", "dipendenze non soddisfatte"),
    "unpacking its Python parts",  # what the package says
}
"""Words of other programs and of the package."""

QUOTED = {
    *("companion.local does not open", "companion.local non si apre"),
    *("Black and nobody", "nero e nessuno", "for endurance", "endurance", "78°"),
}
"""A heading, an answer put together, words of the trade."""


@pytest.mark.parametrize(("page", "language", "quoted"), PAGES)
def test_every_label_is_one_of_the_panels(page: str, language: str, quoted: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / "docs" / page).read_text("utf-8"), flags=re.DOTALL)
    words = " ".join(text.split())
    labels = set(re.findall(quoted, words)) - EXAMPLES - FOREIGN - QUOTED
    wifi_page = json.loads((WIFI_PAGE / f"{language}.json").read_text("utf-8"))
    said = [*whole_catalogue(language).values(), *wifi_page.values()]
    assert len(labels) > 10
    assert {one for one in labels if not any(one in text for text in said)} == set()
