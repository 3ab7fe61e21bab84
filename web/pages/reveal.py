"""The reveal of the sheet: a page for each step, which the script plays one after another."""

import zlib

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.pages.history import current_evening, rematch_address
from web.panel import Panel
from web.reveal import drawn_walks, view_reveal


def reveal_page(panel: Panel) -> Blueprint:
    """`GET /reveal?step=N`; before the end it leads to the sheet's own page."""
    pages = Blueprint("reveal", __name__)

    @pages.get("/reveal")
    @open_to(Role.SPECTATOR)
    @panel.live.page
    def reveal() -> ResponseReturnValue:
        context = panel.context()
        if context.sheet is None or context.board is None:
            return redirect("/sheet")
        shown = view_reveal(context.sheet, context.board, context.language)
        last = len(shown.steps) - 1
        asked = request.args.get("step", "0")
        number = min(int(asked), last) if asked.isdecimal() and len(asked) < 4 else 0
        step = shown.steps[number]
        colours = [player["colour"] for player in context.state["players"]]
        won = context.sheet.winners
        winning = [i for i, one in enumerate(context.sheet.players) if one.name in won]
        return panel.page(
            "reveal.html",
            context,
            tab="sheet",
            reveal=shown,
            step=step,
            number=number,
            last=last,
            winners=won,
            drawn=drawn_walks(step, colours),
            link="",
            evening=current_evening(panel),
            rematch_address=rematch_address,
            script={**shown.to_json(), "colours": colours, "winners": winning},
            mark_of_sheet=f"{zlib.crc32(repr(context.sheet.to_json()).encode()):08x}",
        )

    return pages
