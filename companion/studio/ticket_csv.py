"""Tickets that were pasted or exported from a spreadsheet: two places and a value a row."""

import codecs
import csv
import io
from typing import Any

from companion.errors import RefusalError
from companion.studio.draft import Draft
from companion.studio.names import likely_meant, place_of_name
from companion.studio.step_fields import MOST_POINTS, MOST_TOLD
from scoring.language import Message
from web.sent.whole_numbers import whole_number

MOST_ROWS = 300


def text_of(data: bytes) -> str:
    """The words of a file: UTF-8, or as Windows and its spreadsheets write them.

    >>> text_of("Köln;Mainz;4".encode("utf-16")), text_of("Köln;Mainz;4".encode("cp1252"))
    ('Köln;Mainz;4', 'Köln;Mainz;4')
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def tickets_of(words: str, draft: Draft) -> list[dict[str, Any]]:
    """The tickets of rows such as `Boston;Miami;12`, as the step `set-tickets` has them.

    Cells are parted by semicolons, tabs or commas; a first row without a number is a heading. A
    place is known by its name without accents and capitals. Raises RefusalError with every row that
    cannot be used.
    """
    rows = _rows(words)
    if rows and not any(cell.strip().isdigit() for cell in rows[0][1]):
        rows = rows[1:]
    if not rows:
        raise RefusalError("companion.studio.no-tickets")
    if len(rows) > MOST_ROWS:
        raise RefusalError("companion.studio.many-tickets", most=MOST_ROWS)
    tickets, problems = [], []
    for number, cells in rows:
        found = _ticket(cells, number, draft)
        if isinstance(found, Message):
            problems.append(found)
        else:
            tickets.append(found)
    if problems:
        raise RefusalError("companion.studio.csv", rows=tuple(problems[:MOST_TOLD]))
    return tickets


def _rows(words: str) -> list[tuple[int, list[str]]]:
    if "\0" in words:
        raise RefusalError("companion.studio.no-csv")
    words = "\n".join(words.replace("\r\n", "\n").split("\r"))
    first = next((line for line in words.splitlines() if line.strip()), "")
    delimiter = next((sign for sign in ";\t," if sign in first), ",")
    try:
        reader = csv.reader(io.StringIO(words), delimiter=delimiter)
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error:
        raise RefusalError("companion.studio.no-csv") from None


def _ticket(cells: list[str], row: int, draft: Draft) -> dict[str, Any] | Message:
    trimmed = [cell.strip() for cell in cells if cell.strip()]
    points = whole_number(trimmed[2], MOST_POINTS) if len(trimmed) > 2 else None
    if points is None:
        return Message("companion.studio.csv-row", row=row)
    places = []
    for name in trimmed[:2]:
        place = place_of_name(draft, name)
        if place is None:
            meant = likely_meant(draft, name)
            if meant is not None:
                return Message("companion.studio.csv-near", row=row, name=name[:40], near=meant)
            return Message("companion.studio.csv-place", row=row, name=name[:40])
        places.append(place)
    return {"places": places, "points": points}
