"""The final sheet: who won, every line, and the routes on the board that prove it."""

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from scoring.documents.settings_in_words import settings_in_words
from web.access.roles import Role, open_to
from web.days import day_of
from web.pages.finished import current_evening, rematch_address
from web.panel import Panel
from web.sheet.sheet import view_sheet


def sheet_page(panel: Panel) -> Blueprint:
    """`GET /sheet`; before the end, the way to it."""
    pages = Blueprint("sheet", __name__)

    @pages.get("/sheet")
    @open_to(Role.SPECTATOR)
    @panel.live.page
    def sheet() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        known = context.sheet
        view = None if known is None else view_sheet(known, context.board, context.language)
        evening = None if known is None else current_evening(panel)
        agreed = () if known is None else settings_in_words(known.settings, context.language)
        return panel.page(
            "sheet.html",
            context,
            tab="sheet",
            sheet=view,
            agreed=agreed,
            evening=evening,
            rematch_address=rematch_address,
            when="" if evening is None else day_of(evening.day_s, context.language),
        )

    return pages
