"""Old evenings for other programs: CSV for a spreadsheet, JSON, and a link into BG Stats."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from scoring.language import text
from web.history_port import EveningSummary, OldEvening
from web.language import say
from web.names import one_line, one_spelling

COLUMNS: tuple[str, ...] = (
    "evening",
    "began",
    "board",
    "rank",
    "name",
    "colour",
    "points",
    "won",
    "tickets_completed",
    "longest_path",
)

BEFORE_FORMULA = re.compile(r'(^|[,;\t][ "]*)(?=[=+@\t\r\uff1d\uff0b\uff20\uff0d-])')
"""A spreadsheet takes a cell that begins with such a sign for a formula; in Chinese and Japanese
also with one of those that are as wide as their letters.

Where the reader's language separates cells by another sign, one also begins within a name."""

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"

DAY_S = 86_400.0

BG_STATS = "bgstats://app.bgstatsapp.com/createPlay.html?data="


def evenings_csv(evenings: Iterable[EveningSummary], language: str = "en") -> str:
    """One row for each player of each evening, the newest evening first. Times are in UTC.

    Games keep their ids, everything else is told in the language.
    """
    rows: list[Sequence[object]] = [[say(f"csv.{name}", language) for name in COLUMNS]]
    for evening in evenings:
        for one in evening.in_order:
            row = [
                evening.id,
                _iso(evening.day_s),
                evening.board,
                one.rank,
                one.name,
                text(f"scoring.colour.{one.colour}", language),
                one.total,
                say("csv.yes" if one.name in evening.winners else "csv.no", language),
                one.tickets_completed,
                "" if one.longest_path is None else one.longest_path,
            ]
            rows.append(row)
    return spreadsheet(rows, language)


def spreadsheet(rows: Iterable[Sequence[object]], language: str) -> str:
    """Rows as CSV; where the language writes 0,5 a spreadsheet expects semicolons between cells.

    The mark at the beginning tells it that the letters are UTF-8.
    """
    sheet = io.StringIO()
    has_comma = "," in say("decimal", language, number=0.5)
    writer = csv.writer(sheet, delimiter=";" if has_comma else ",", lineterminator="\r\n")
    writer.writerows([_cell(one) for one in row] for row in rows)
    return BYTE_ORDER_MARK + sheet.getvalue()


def file_name(words: str) -> str:
    """Words as the name of a file: letters and digits of any language, hyphens between them.

    >>> file_name("Autumn: 2026/27")
    'autumn-2026-27'
    """
    return "-".join("".join(c if c.isalnum() else " " for c in one_line(words).lower()).split())


def evening_json(evening: EveningSummary) -> dict[str, Any]:
    """An evening's summary as a JSON document."""
    return {
        "evening": evening.id,
        "began": _iso(evening.day_s),
        "ended": _iso(evening.ended_s),
        "board": evening.board,
        "winners": list(evening.winners),
        "players": [
            {
                "name": one.name,
                "colour": one.colour,
                "points": one.total,
                "rank": one.rank,
                "tickets_completed": one.tickets_completed,
                "longest_path": one.longest_path,
            }
            for one in evening.players
        ],
    }


def opened_json(opened: OldEvening) -> dict[str, Any]:
    """One evening with its whole sheet, as `score --json` prints it."""
    return {**evening_json(opened.summary), "sheet": opened.sheet.to_json()}


def bg_stats_link(evening: EveningSummary, game: str) -> str:
    """A link that hands the play to the app BG Stats on the same device; no server sees it.

    Format: https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
    (the play as JSON in `data`, its time in UTC). `winner` always stands there, because the app
    for Android refuses a player without it. The app asks which of its games is meant.
    """
    play: Mapping[str, Any] = {
        "sourceName": "Companion",
        "sourcePlayId": evening.id,
        "playDate": f"{_utc(evening.day_s):%Y-%m-%d %H:%M:%S}",
        **_duration(evening.ended_s - evening.clock_began_s),
        "game": {
            "name": game,
            "sourceGameId": f"ttr-companion-{evening.board}",
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": one.name,
                "sourcePlayerId": one_spelling(one.name),
                "score": one.total,
                "winner": one.name in evening.winners,
                "rank": one.rank,
                "startPlayer": seat == 0,
            }
            for seat, one in enumerate(evening.players)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _duration(lasted_s: float) -> dict[str, int]:
    """Nothing where the clock was set in between, or the game lay until another day."""
    return {"durationMin": max(1, round(lasted_s / 60))} if 0 <= lasted_s < DAY_S else {}


def _utc(at_s: float) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)


def _iso(at_s: float) -> str:
    return f"{_utc(at_s):%Y-%m-%dT%H:%M:%SZ}"


def _cell(value: object) -> object:
    """What no spreadsheet takes for a formula, where it is a text."""
    return BEFORE_FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
