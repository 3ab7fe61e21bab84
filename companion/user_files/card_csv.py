"""Turns a spreadsheet of the Card Game's tickets (CSV) into the document of its game file.

One row a ticket: `from`, `to`, `points` and a column for each colour of train card; `id` where
two tickets have the same places. A row without `to` is a big city's card.
"""

import csv
import io
from typing import Any

from companion.errors import UnusableInputError
from scoring.board.format import FORMAT
from scoring.fields import LARGEST_NUMBER
from scoring.game.rules import CARD_COLOURS, CARD_GAME_ID
from scoring.language.foreign import LONGEST_SHOWN

COLUMNS: tuple[str, ...] = ("id", "from", "to", "points", *CARD_COLOURS)
NEEDED: tuple[str, ...] = ("from", "to", "points")

Row = dict[str, str]


def document_from_csv(raw: bytes, name: str, title: str) -> dict[str, Any]:
    """The card-game document of a CSV file in UTF-8, columns parted by commas or semicolons.

    Raises UnusableInputError where the columns aren't those of tickets or a figure is none.
    """
    rows = _rows(raw, name)
    return {
        "format": FORMAT,
        "id": CARD_GAME_ID,
        "title": title,
        "tickets": [_ticket(row, number, name) for number, row in rows if row["to"]],
        "big_cities": _big_cities(rows, name),
    }


def _rows(raw: bytes, name: str) -> list[tuple[int, Row]]:
    """Rows with their line numbers, cells trimmed; a missing cell is empty."""
    try:
        return _parsed(raw.decode("utf-8-sig"), name)
    except UnicodeDecodeError:
        raise UnusableInputError("companion.error.csv-utf8", name=name) from None
    except csv.Error as error:
        raise UnusableInputError("companion.error.no-csv", name=name, reason=error) from None


def _parsed(text: str, name: str) -> list[tuple[int, Row]]:
    lines = io.StringIO(text, newline=None)  # whichever way lines end, as on a Mac of old
    delimiter = ";" if ";" in lines.readline() else ","
    lines.seek(0)
    reader = csv.reader(lines, delimiter=delimiter)
    header = [cell.strip().lower() for cell in next(reader, [])]
    while header and not header[-1]:  # columns that were used once, and are empty now
        del header[-1]
    _check_header(header, name)
    rows: list[tuple[int, Row]] = []
    for cells in reader:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise UnusableInputError("companion.error.csv-cells", name=name, line=reader.line_num)
        padded = [cell.strip() for cell in cells] + [""] * (len(header) - len(cells))
        row = dict(zip(header, padded, strict=False))
        if any(row.values()):
            rows.append((reader.line_num, row))
        if len(rows) > LARGEST_NUMBER:
            break  # the check of the card set says that these are too many
    return rows


def _check_header(header: list[str], name: str) -> None:
    strangers = [cell for cell in header if cell not in COLUMNS]
    missing = [cell for cell in NEEDED if cell not in header]
    if strangers or missing:
        key = "companion.error.csv-stranger" if strangers else "companion.error.csv-missing"
        column = (strangers or missing)[0][:LONGEST_SHOWN]
        raise UnusableInputError(key, name=name, column=column, known=", ".join(COLUMNS))
    twice = next((cell for cell in header if header.count(cell) > 1), None)
    if twice is not None:  # the cells of one of them would be lost
        raise UnusableInputError("companion.error.csv-twice", name=name, column=twice)


def _big_cities(rows: list[tuple[int, Row]], name: str) -> dict[str, int]:
    cities: dict[str, int] = {}
    for number, row in rows:
        city = _slug(row["from"])
        if row["to"]:
            continue
        if city in cities:
            raise UnusableInputError(
                "companion.error.csv-city", name=name, line=number, city=city[:LONGEST_SHOWN]
            )
        cities[city] = _number(row, "points", number, name)
    return cities


def _ticket(row: Row, number: int, name: str) -> dict[str, Any]:
    cards = {
        c: _number(row, c, number, name) for c in CARD_COLOURS if row.get(c, "") not in ("", "0")
    }
    ticket: dict[str, Any] = {"id": row["id"]} if row.get("id") else {}
    places = {"from": _slug(row["from"]), "to": _slug(row["to"])}
    return {**ticket, **places, "points": _number(row, "points", number, name), "cards": cards}


def _slug(place: str) -> str:
    return place.lower().replace(" ", "-")


def _number(row: Row, column: str, number: int, name: str) -> int:
    cell = row[column]
    if not (cell.isascii() and cell.isdigit() and len(cell) < 5):
        raise UnusableInputError(
            "companion.error.csv-number",
            name=name,
            line=number,
            column=column,
            cell=repr(cell[:LONGEST_SHOWN]),
        )
    return int(cell)
