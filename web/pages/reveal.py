"""The reveal of the sheet: a page for each step, which the script plays one after another."""

import zlib

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from scoring.sheet.sheet import Sheet
from web.access.roles import Role, open_to
from web.pages.finished import finished_game, rematch_address
from web.panel import Panel
from web.sent.whole_numbers import whole_number
from web.sheet.reveal import drawn_walks, view_reveal


def reveal_page(panel: Panel) -> Blueprint:
    """`GET /reveal?step=N`, before the end the way to the sheet; and the same of an old evening."""
    pages = Blueprint("reveal", __name__)

    @pages.get("/reveal")
    @pages.get("/history/<evening>/reveal")
    @open_to(Role.SPECTATOR)
    @panel.live.page
    def reveal(evening: str | None = None) -> ResponseReturnValue:
        game = finished_game(panel, evening)
        if game is None:
            return redirect("/sheet")
        context = game.shown
        shown = view_reveal(game.sheet, context.board, context.language)
        last = len(shown.steps) - 1
        together = None if game.is_old else context.state.get("reveal")
        asked = request.args.get("step", str(together["step"] if together else 0))
        number = min(whole_number(asked) or 0, last)
        step = shown.steps[number]
        colours = [player["colour"] for player in context.state["players"]]
        won = game.sheet.winners
        winning = [i for i, one in enumerate(game.sheet.players) if one.name in won]
        return panel.page(
            "reveal.html",
            game.now,
            tab=game.tab,
            quiet=True,
            game=game,
            shown=context,
            reveal=shown,
            step=step,
            number=number,
            together=together,
            last=last,
            winners=won,
            drawn=drawn_walks(step, colours),
            link="",
            rematch_address=rematch_address,
            script={**shown.to_json(), "colours": colours, "winners": winning},
            mark_of_sheet=_mark(game.sheet),
        )

    return pages


def _mark(sheet: Sheet) -> str:
    """Told by all points: whoever has seen them is not shown them again for a name put right."""
    points = [
        (player.colour, player.rank, [(line.kind, line.points) for line in player.lines])
        for player in sheet.players
    ]
    return f"{zlib.crc32(repr(points).encode()):08x}"
