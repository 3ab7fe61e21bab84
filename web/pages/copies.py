"""A copy of the whole table: on a stick by one tap, or on the device that asks."""

from flask import Blueprint, request, send_file
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.copy_port import CopyPort, CopySaved
from web.errors import WebError
from web.panel import Panel


def copy_pages(panel: Panel, copies: CopyPort) -> Blueprint:
    """`/copy`: the page, the tap, and the file itself."""
    pages = Blueprint("copies", __name__, url_prefix="/copy")

    def page(saved: CopySaved | None = None, problem: str = "") -> str:
        return panel.page(
            "copy.html",
            panel.context(),
            tab="copy",
            places=copies.places(),
            forgets=copies.forgets(),
            saved=saved,
            problem=problem,
        )

    @pages.get("")
    @open_to(Role.HOST)
    def show() -> str:
        return page()

    @pages.post("")
    @open_to(Role.HOST)
    def save() -> ResponseReturnValue:
        try:
            return page(copies.save(request.form.get("place", "")))
        except WebError as error:
            return page(problem=panel.sentence_of(error)), error.status

    @pages.post("/table.zip")
    @open_to(Role.HOST)
    def table_file() -> ResponseReturnValue:
        packed = copies.packed()
        answer = send_file(
            packed.file,
            mimetype="application/zip",
            as_attachment=True,
            download_name=packed.name,
        )
        answer.headers["Cache-Control"] = "no-store"
        answer.call_on_close(packed.file.close)
        return answer

    return pages
