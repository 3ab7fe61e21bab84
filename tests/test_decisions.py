"""The decisions' list names every record, and what was replaced says by what."""

import re
from pathlib import Path

import pytest

DECISIONS = Path(__file__).parents[1] / "docs" / "decisions"
RECORDS = {path.name: path.read_text("utf-8") for path in sorted(DECISIONS.glob("0*.md"))}
IN_FORCE, REPLACED = (DECISIONS / "README.md").read_text("utf-8").split("## Replaced")
LISTED = re.compile(r"^- \[(\d{4})\]\((\1-[\w-]+\.md)\) .+", re.MULTILINE)
STATUS = re.compile(r"^\*\*Status\.\*\* (?P<holds>.*)$", re.MULTILINE)


def listed(part: str) -> list[str]:
    return [name for _, name in LISTED.findall(part)]


def test_every_record_is_listed_once() -> None:
    assert sorted(listed(IN_FORCE) + listed(REPLACED)) == list(RECORDS)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_its_number_its_parts_and_its_status(name: str) -> None:
    record = RECORDS[name]
    assert record.startswith(f"# {int(name[:4])}. ")
    assert "**Context.**" in record
    assert re.search(r"\*\*(Choice|Tried)", record)
    status = STATUS.search(record)
    is_replaced = status is not None and status["holds"].startswith("Replaced by [0")
    assert (name in listed(REPLACED)) == is_replaced


def test_what_was_replaced_is_listed_with_what_replaced_it() -> None:
    for name in listed(REPLACED):
        status = STATUS.search(RECORDS[name])
        assert status is not None
        (line,) = [line for line in REPLACED.splitlines() if f"]({name})" in line]
        assert (
            re.findall(r"\]\((0[\w-]+\.md)\)", status["holds"])[:1]
            == re.findall(r"\]\((0[\w-]+\.md)\)", line)[1:]
        )
