"""What the set-up, box and club pages put in quotes stands so on the pages, in both languages."""

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
    ("club.md", "en", r'"([^"]+)"'),
    ("club.it.md", "it", "«([^»]+)»"),
]

EXAMPLES = {
    *("Kitchen table", "Tavolo della cucina", "Companion NAME", "Companion NOME"),
    *("Ada", "Ada Rossi", "–"),
}
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
    text = without_code((ROOT / "docs" / page).read_text("utf-8"))
    words = " ".join(text.split())
    labels = set(re.findall(quoted, words)) - EXAMPLES - FOREIGN - QUOTED
    wifi_page = json.loads((WIFI_PAGE / f"{language}.json").read_text("utf-8"))
    said = [*whole_catalogue(language).values(), *wifi_page.values()]
    assert len(labels) > 10
    assert {one for one in labels if not any(one in text for text in said)} == set()


PAIRS = [("set-up.md", "set-up.it.md"), ("box.md", "box.it.md"), ("club.md", "club.it.md")]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_page_in_two_languages_says_the_same_in_the_same_order(pair: tuple[str, str]) -> None:
    """As far as it can be told without reading: headings, lists and tables."""
    english, italian = (shape((ROOT / "docs" / page).read_text("utf-8")) for page in pair)
    assert english == italian


def test_the_clubs_pages_name_the_same_commands_and_files() -> None:
    english, italian = (commands((ROOT / "docs" / page).read_text("utf-8")) for page in PAIRS[-1])
    assert [one.replace("NOME", "NAME").replace("Tavolo", "Table") for one in italian] == english


@pytest.mark.parametrize("pair", PAIRS)
def test_a_page_names_the_one_in_the_other_language_first(pair: tuple[str, str]) -> None:
    english, italian = ((ROOT / "docs" / page).read_text("utf-8").splitlines() for page in pair)
    assert english[2] == f"*In italiano: [{pair[1]}]({pair[1]}).*"
    assert italian[2] == f"*In English: [{pair[0]}]({pair[0]}).*"


def test_the_readme_leads_to_the_pages_of_both_languages() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"(docs/{page})" in readme for pair in PAIRS for page in pair)


@pytest.mark.parametrize("page", [one for pair in PAIRS for one in pair])
def test_a_link_within_a_page_leads_to_a_heading(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    anchors = {anchor(line) for line in text.splitlines() if line.startswith("#")}
    assert {one for one in re.findall(r"\]\(#([^)]+)\)", text) if one not in anchors} == set()


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|^ {4,}.*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[str]:
    """What a line of code is made of, in a paragraph or alone."""
    return re.findall(r"`[^`\n]+`|^ {4,}.+$", text, flags=re.MULTILINE)


def anchor(heading: str) -> str:
    """As GitHub makes it."""
    words = re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower())
    return words.replace(" ", "-")


def shape(text: str) -> list[str]:
    """What each line begins with, where that says what it is."""
    kinds = (re.match(r"#+|- |\d+\. |\|", line) for line in without_code(text).splitlines())
    return [one.group() for one in kinds if one]
