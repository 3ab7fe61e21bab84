"""The first page of an evening: which board, who plays in which colour, with or without camera."""

from flask import Blueprint, request

from web.access.roles import Role, open_to
from web.page_context import Panel
from web.settings import view_settings


def start_page(panel: Panel) -> Blueprint:
    """`GET /start`, with the board chosen so far in `?board=`."""
    pages = Blueprint("start", __name__)

    @pages.get("/start")
    @open_to(Role.HOST)
    def start() -> str:
        context = panel.context()
        boards = {board["id"]: board for board in context.state["boards"]}
        chosen = boards.get(request.args.get("board", ""))
        open_settings = {} if chosen is None else chosen.get("settings", {})
        settings = view_settings(open_settings, {}, context.language)
        return panel.page(
            "start.html",
            context,
            tab="start",
            chosen=chosen,
            settings=settings,
            names=_names(panel),
            to_set_up=chosen is not None and panel.is_to_be_set_up(chosen["id"]),
        )

    return pages


def _names(panel: Panel) -> dict[str, str]:
    """Names on offer by colour: those of the address, else those of the last evening."""
    named = {key[5:]: name[:24] for key, name in request.args.items() if key[:5] == "name-"}
    if named:
        return named
    kept = (one for one in panel.table.history.evenings() if not one.is_deleted)
    last = next(kept, None)  # the newest comes first
    return {} if last is None else {one.colour: one.name for one in last.players}
