"""What the table has agreed, and where its score markers stand."""

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.panel import Panel
from web.settings import view_settings


def settings_pages(panel: Panel) -> Blueprint:
    """`GET /settings` and `/markers`."""
    pages = Blueprint("settings", __name__)

    @pages.get("/settings")
    @open_to(Role.HOST)
    def settings() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        views = view_settings(
            context.setting_defaults, context.state.get("settings", {}), context.language
        )
        return panel.page("settings.html", context, tab="", settings=views)

    @pages.get("/markers")
    @open_to(Role.HOST)
    def markers() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        return panel.page("markers.html", context, tab="")

    return pages
