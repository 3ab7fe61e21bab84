"""The scoreboard for a big screen or a stream: large, live, and nothing to press."""

import json
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup

from web.access.roles import Role, open_to
from web.events import News, open_stream
from web.page_context import PageContext
from web.panel import Panel
from web.sheet.sheet import SheetView, view_sheet


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A player's line. `left` are wagons, None where they count no more; `share` is in per cent."""

    name: str
    colour: str
    points: int
    left: int | None
    share: int
    winner: bool


def scoreboard_pages(panel: Panel) -> Blueprint:
    """`GET /scoreboard`, and `/scoreboard/events` with its live part."""
    pages = Blueprint("scoreboard", __name__)

    @pages.get("/scoreboard")
    @open_to(Role.SPECTATOR)
    def scoreboard() -> str:
        return panel.page(
            "scoreboard.html", panel.context(), tab="", board=Markup(_piece(panel, panel.language))
        )

    @pages.get("/scoreboard/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        language = panel.language
        return open_stream(panel, ("scoreboard", language), _news(panel, language))

    return pages


def _news(panel: Panel, language: str) -> News:
    """What a listener is sent."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def news(_told: int) -> tuple[int, str]:
        version = panel.table.wait(-1, 0.0)
        with app.app_context():
            html = _piece(panel, language)
        event = json.dumps({"version": version, "html": html})
        return version, f"event: piece\ndata: {event}\n\n"

    return news


def _piece(panel: Panel, language: str) -> str:
    """The live part of the page, made once for each version and language."""
    version = panel.table.wait(-1, 0.0)
    key = ("scoreboard", version, language)
    return panel.live.once(key, lambda: _made(panel, language))  # type: ignore[no-any-return]


def _made(panel: Panel, language: str) -> str:
    context = panel.context_in(language)
    known = context.sheet
    sheet = None if known is None else view_sheet(known, context.board, language)
    return render_template(
        "_scoreboard.html",
        page=context,
        state=context.state,
        say=context.say,
        count=context.count,
        sheet=sheet,
        rows=score_rows(context, sheet),
    )


def score_rows(context: PageContext, sheet: SheetView | None) -> list[ScoreRow]:
    """The players with their points, most first; without a map those are known on the sheet."""
    totals: list[tuple[str, str, int, int | None, bool]]
    if sheet is not None:
        totals = [(card.name, card.colour, card.total, None, card.winner) for card in sheet.cards]
    else:
        totals = [
            (one["name"], one["colour"], one["points"], one["wagons_left"], False)
            for one in context.state["standing"]
        ]
    most = max([1, *(points for _, _, points, _, _ in totals)])
    return [
        ScoreRow(name, colour, points, left, max(0, round(100 * points / most)), won)
        for name, colour, points, left, won in totals
    ]
