"""The page that puts a copy on a new box: what is plugged in, and one tap."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import WebError
from web.panel import Panel
from web.restore_port import RestorePort


def restore_pages(panel: Panel, copies: RestorePort) -> Blueprint:
    """`/restore`: the page and the tap."""
    pages = Blueprint("restore", __name__, url_prefix="/restore")

    def page(problem: str = "") -> str:
        in_the_way, is_under_way = copies.in_the_way(), copies.is_under_way
        return panel.page(
            "restore.html",
            panel.context(),
            tab="restore",
            in_the_way=in_the_way and panel.told(in_the_way),
            copies=() if in_the_way or is_under_way else copies.found(),
            is_under_way=is_under_way,
            problem=problem,
        )

    @pages.get("")
    @open_to(Role.HOST)
    def show() -> str:
        return page("" if copies.trouble is None else panel.told(copies.trouble))

    @pages.post("")
    @open_to(Role.HOST)
    def restore() -> ResponseReturnValue:
        try:
            copies.restore(request.form.get("copy", ""))
        except WebError as error:
            return page(panel.sentence_of(error)), error.status
        return page()

    return pages
