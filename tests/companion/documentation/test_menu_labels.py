"""What the set-up pages put in quotes stands so on the panel, in both languages."""

import re
from pathlib import Path

import pytest

from tests.support.catalogues import whole_catalogue

DOCS = Path(__file__).parents[3] / "docs"

PAGES = [("set-up.md", "en", r'"([^"]+)"'), ("set-up.it.md", "it", "«([^»]+)»")]

EXAMPLES = {"Kitchen table", "Tavolo della cucina"}
"""Names that somebody may choose."""


@pytest.mark.parametrize(("page", "language", "quoted"), PAGES)
def test_every_label_is_one_of_the_panels(page: str, language: str, quoted: str) -> None:
    words = " ".join((DOCS / page).read_text("utf-8").split())
    labels = set(re.findall(quoted, words)) - EXAMPLES
    said = list(whole_catalogue(language).values())
    assert len(labels) > 10
    assert {one for one in labels if not any(one in text for text in said)} == set()
