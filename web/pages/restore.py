"""The page that puts a copy on a new box: one that is plugged in, or that a device sends."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import BadRequestError, WebError
from web.language import say
from web.pages.told_on_page import told_on_page
from web.panel import Panel
from web.restore_port import RestorePort
from web.sent.uploads import FILE_BYTES


def restore_pages(panel: Panel, copies: RestorePort) -> Blueprint:
    """`/restore`: the page, the tap, and the file of a device."""
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

    @pages.post("/file")
    @open_to(Role.HOST)
    def restore_sent() -> ResponseReturnValue:
        if (request.content_length or 0) > FILE_BYTES:
            large = say("restore.sent.large", panel.language, most=FILE_BYTES >> 20)
            return page(large), 413

        def do() -> ResponseReturnValue:
            sent = panel.uploads.on_disk("file")
            if sent is None:
                raise BadRequestError("web.setup.no-file")
            copies.restore_sent(sent.filename or "", sent.stream)
            return redirect("/restore", 303)

        return told_on_page(panel, do, page)

    return pages
