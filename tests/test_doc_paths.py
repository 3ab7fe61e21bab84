"""Files and folders that the documentation names exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
AT_THE_TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = [*AT_THE_TOP, *sorted((ROOT / "docs").rglob("*.md"))]
ROOMS = "scoring|vision|calibration|hardware|web|companion|tests|scripts|docs"
NAMED = re.compile(rf"`((?:{ROOMS})/[\w./-]*)(?::[\w.]+)?`")
LINKED = re.compile(r"\]\((?!https?:)([^)#]+)\)")


def of_the_pages(pattern: re.Pattern[str], relative: bool) -> list[tuple[str, Path]]:
    return [
        (f"{page.relative_to(ROOT)} names {name}", (page.parent if relative else ROOT) / name)
        for page in PAGES
        for name in pattern.findall(page.read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    ("where", "path"), [*of_the_pages(NAMED, False), *of_the_pages(LINKED, True)]
)
def test_what_a_page_names_is_there(where: str, path: Path) -> None:
    assert path.exists(), where
