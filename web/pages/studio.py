"""The board studio: a board is taught from one photo, a step at a time, on forms and a picture."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import ActionRefusedError, BadRequestError
from web.pages.corners import read_corners, turned
from web.pages.told_on_page import told_on_page
from web.panel import Panel
from web.pictures import picture
from web.sent.whole_numbers import whole_number
from web.studio_port import StudioBoard, StudioPort
from web.studio_suggestions import (
    all_are_named,
    goes_on_in,
    loose_ends,
    names_to_take,
    next_nameless,
    other_ends,
    perhaps_the_same,
    printed_beside,
)

PANELS: tuple[str, ...] = (
    "map",
    "names",
    "printed",
    "add-place",
    "missing",
    "ends",
    "tickets",
    "rules",
    "save",
    "saved",
)
"""What the side may show besides a place, a line or a space."""

SEEMS_FULL = ("companion.setup.wagons", "companion.studio.wagons")
"""Refusals of a photo that whoever looked at the board may overrule."""


def studio_pages(panel: Panel, studio: StudioPort) -> Blueprint:
    """`/studio` and the pages under it."""
    pages = Blueprint("studio", __name__, url_prefix="/studio")
    desk = _Pages(panel, studio)
    pages.get("", endpoint="list")(desk.boards)
    pages.post("")(desk.begin)
    pages.post("/boards")(desk.bring_in)
    pages.get("/boards/<board>.json")(desk.export)
    pages.get("/<key>", endpoint="board")(desk.board)
    pages.get("/<key>.jpg")(desk.picture)
    pages.get("/<key>/corners")(desk.corners)
    pages.post("/<key>/corners")(desk.place)
    pages.get("/<key>/photo.jpg")(desk.photo)
    pages.post("/<key>/step")(desk.step)
    pages.post("/<key>/cards")(desk.read_cards)
    pages.post("/<key>/cards/forget")(desk.forget_cards)
    pages.post("/<key>/undo")(desk.undo)
    pages.post("/<key>/save")(desk.save)
    pages.post("/<key>/delete")(desk.delete)
    return pages


class _Pages:
    """The pages' functions; what is refused is told on the page that asked for it."""

    def __init__(self, panel: Panel, studio: StudioPort) -> None:
        self._panel = panel
        self._studio = studio

    @open_to(Role.HOST)
    def boards(self, problem: str = "", *, seems_full: bool = False) -> str:
        """The boards in work, those that are finished, and the way to a new one.

        `seems_full`: wagons were seen on a photo, and somebody may know better.
        """
        return self._page(
            "studio.html",
            problem,
            drafts=self._studio.drafts(),
            taught=self._studio.taught(),
            known=self._studio.known(),
            has_camera=self._studio.has_camera,
            brought=request.args.get("brought"),
            chosen=request.form.get("board"),
            seems_full=seems_full,
        )

    @open_to(Role.HOST)
    def begin(self) -> ResponseReturnValue:
        """A new board from a photo."""

        seems_full = False

        def do() -> ResponseReturnValue:
            nonlocal seems_full
            with self._panel.uploads.file("image") as image:
                if image is None and "camera" not in request.form:
                    raise BadRequestError("web.error.no-photo")
                known = request.form.get("board") or None
                try:
                    key = self._studio.begin(image, known, really_empty="really" in request.form)
                except ActionRefusedError as error:
                    seems_full = error.key in SEEMS_FULL
                    raise
            if not self._studio.corners(key).is_found:
                return redirect(url_for("studio.corners", key=key), code=303)
            return self._to(key, "map" if known is None else self._where_to_begin(key))

        return told_on_page(
            self._panel, do, lambda problem: self.boards(problem, seems_full=seems_full)
        )

    def _where_to_begin(self, key: str) -> str:
        """Another print of a known board is one tap from ready where nothing has to be mended."""
        wrong = any(remark.is_error for remark in self._studio.board(key).remarks)
        return "map" if wrong else "save"

    @open_to(Role.HOST)
    def bring_in(self) -> ResponseReturnValue:
        """A board file from elsewhere."""

        def do() -> ResponseReturnValue:
            with self._panel.uploads.file("file") as file:
                if file is None:
                    raise BadRequestError("web.setup.no-file")
                brought = self._studio.bring_in(file)
            return redirect(url_for("studio.list", brought=brought), code=303)

        return told_on_page(self._panel, do, self.boards)

    @open_to(Role.HOST)
    def export(self, board: str) -> ResponseReturnValue:
        """A board file of this table."""
        name, data = self._studio.export(board)
        answer = Response(data, mimetype="application/json")
        answer.headers.set("Content-Disposition", "attachment", filename=name)
        return answer

    @open_to(Role.HOST)
    def board(self, key: str, problem: str = "") -> str:
        """The board in work, with what is chosen on it."""
        board = self._studio.board(key)
        what, number, space = _chosen(request.values.get("at", "map"), board)
        return self._page(
            "studio_board.html",
            problem,
            board=board,
            what=what,
            place=board.place(number) if what == "place" else None,
            line=board.line(number) if what in ("line", "space") else None,
            space=space,
            marked=_marked(board),
            all_named=all_are_named(board),
            first_nameless=next_nameless(board, None),
            after_this=next_nameless(board, board.place(number)) if what == "place" else None,
            same=perhaps_the_same(board, number) if what == "place" else [],
            printed=printed_beside(board, number) if what == "place" else [],
            other_ends=other_ends(board, number) if what == "line" else [],
            goes_on_in=goes_on_in(board, number) if what == "line" else [],
            loose_ends=loose_ends(board) if what in ("map", "ends", "place") else [],
            photo_is_kept=what == "saved" and self._studio.photo_is_kept(key),
            is_readable=what == "saved"
            and board.saved_as in {one.id for one in self._studio.known()},
            to_take=names_to_take(board) if what in ("map", "printed") else [],
        )

    @open_to(Role.HOST)
    def picture(self, key: str) -> ResponseReturnValue:
        """The straightened board."""
        return picture(self._studio.picture(key))

    @open_to(Role.HOST)
    def corners(self, key: str, problem: str = "") -> str:
        """The photo with the board's corners, to be dragged where they do not lie on its own."""
        photo = self._studio.corners(key)
        sent = request.form.get("corners")
        corners = photo.corners if sent is None else read_corners(sent)
        return self._page("studio_corners.html", problem, photo=photo, corners=corners)

    @open_to(Role.HOST)
    def place(self, key: str) -> ResponseReturnValue:
        """The board lies between these corners, turned by so many quarters to the right."""
        corners = turned(read_corners(request.form.get("corners", "")), request.form.get("turn"))

        def do() -> ResponseReturnValue:
            with self._panel.uploads.reading():
                self._studio.place(key, corners)
            return self._to(key, "map")

        return told_on_page(self._panel, do, lambda problem: self.corners(key, problem))

    @open_to(Role.HOST)
    def photo(self, key: str) -> ResponseReturnValue:
        """The photo that a board in work began with."""
        return picture(self._studio.photo(key))

    @open_to(Role.HOST)
    def step(self, key: str) -> ResponseReturnValue:
        """A step, and where it leads."""

        def do() -> ResponseReturnValue:
            before = self._studio.board(key)
            has_file = "file" in request.files
            with self._panel.uploads.file("file") if has_file else nullcontext() as file:
                made = self._studio.do(key, self._step(before, file))
            return self._to(key, self._onward(before, self._studio.board(key), made))

        return told_on_page(self._panel, do, lambda problem: self.board(key, problem))

    @open_to(Role.HOST)
    def read_cards(self, key: str) -> ResponseReturnValue:
        """Photos of ticket cards, which fill in the tickets for somebody to confirm."""

        def do() -> ResponseReturnValue:
            self._studio.board(key)
            with self._panel.uploads.photos() as (_, images):
                if not images:
                    raise BadRequestError("web.error.no-photo")
                self._studio.read_cards(key, images)
            return self._to(key, "tickets")

        return told_on_page(self._panel, do, lambda problem: self.board(key, problem))

    @open_to(Role.HOST)
    def forget_cards(self, key: str) -> ResponseReturnValue:
        """Nothing of what the photos showed."""

        def do() -> ResponseReturnValue:
            self._studio.forget_cards(key)
            return self._to(key, "tickets")

        return told_on_page(self._panel, do, lambda problem: self.board(key, problem))

    @open_to(Role.HOST)
    def undo(self, key: str) -> ResponseReturnValue:
        """The last step back."""

        def do() -> ResponseReturnValue:
            self._studio.undo(key, whole_number(request.form.get("seen", "")))
            return self._to(key, request.form.get("at", "map"))

        return told_on_page(self._panel, do, lambda problem: self.board(key, problem))

    @open_to(Role.HOST)
    def save(self, key: str) -> ResponseReturnValue:
        """The board file."""

        def do() -> ResponseReturnValue:
            with self._panel.uploads.reading():
                if "title" in request.form:
                    self._studio.do(key, {"do": "title", "title": request.form["title"]})
                self._studio.save(key, really="really" in request.form)
            return self._to(key, "saved")

        return told_on_page(self._panel, do, lambda problem: self.board(key, problem))

    @open_to(Role.HOST)
    def delete(self, key: str) -> ResponseReturnValue:
        """Away with a board in work."""

        def do() -> ResponseReturnValue:
            self._studio.delete(key)
            return redirect("/studio", code=303)

        return told_on_page(self._panel, do, self.boards)

    def _step(self, board: StudioBoard, file: bytes | None) -> dict[str, Any]:
        """What a form sent, as a step: points in fractions, the nudge added, a file's bytes."""
        sent: dict[str, Any] = request.form.to_dict()
        if sent.get("chip"):
            sent["name"] = sent["chip"]
        if "colours-sent" in sent:
            sent["colours"] = request.form.getlist("colours")
        if "tap.x" in sent:  # a picture that was tapped without script, 1,000 pixels wide
            sent |= {"px": sent["tap.x"], "py": sent.get("tap.y", "")}
        if "px" in sent:
            sent |= _placed(sent, board)
        if file is not None:
            sent["file"] = file
        dropped = ("chip", "px", "py", "tap.x", "tap.y", "nudge", "onward", "at", "colours-sent")
        return {name: value for name, value in sent.items() if name not in dropped}

    def _onward(self, before: StudioBoard, after: StudioBoard, made: int | None) -> str:
        """What the side shows next: what was made, the next nameless place, or the same."""
        onward, at = request.form.get("onward", ""), request.form.get("at", "map")
        if onward == "next":
            number = request.form.get("place", "")
            if not number and names_to_take(after):
                return "printed"
            named = whole_number(number)
            here = None if named is None else before.place(named)
            nameless = None if all_are_named(after) else next_nameless(after, here)
            if nameless is not None:
                return f"place-{nameless}"
            return "ends" if loose_ends(after) else "map"
        if onward == "place" and (after.names or loose_ends(after)):
            return "add-place" if after.names else "ends"
        if onward in ("made", "place") and made is not None:
            return f"place-{made}" if after.place(made) else f"line-{made}"
        return onward if onward not in ("", "made", "place") else at

    def _to(self, key: str, at: str) -> ResponseReturnValue:
        return redirect(url_for("studio.board", key=key, at=at), code=303)

    def _page(self, template: str, problem: str, **more: Any) -> str:
        context = self._panel.context().of_any_board()
        return self._panel.page(template, context, tab="", quiet=True, problem=problem, **more)


def _chosen(at: str, board: StudioBoard) -> tuple[str, int, int]:
    """What is chosen: its kind, its number, and of a line perhaps a space, from 1."""
    kind, _, rest = at.partition("-")
    numbers = rest.split("-")
    if kind in ("place", "line") and all(n.isascii() and n.isdigit() for n in numbers):
        number = int(numbers[0][:7])
        line = board.line(number) if kind == "line" else None
        if kind == "place" and board.place(number):
            return "place", number, 0
        if line is not None:
            space = int(numbers[1][:3]) if len(numbers) > 1 else 0
            return (
                ("space", number, space) if 1 <= space <= len(line.spaces) else ("line", number, 0)
            )
    return (at if at in PANELS else "map"), 0, 0


def _placed(sent: Mapping[str, Any], board: StudioBoard) -> dict[str, Any]:
    """A point of the page as fractions of the board; `nudge` moves it, `dx,dy,degrees`."""
    try:
        x, y = float(sent["px"]), float(sent["py"])
        dx, dy, turn = (float(part) for part in str(sent.get("nudge", "0,0,0")).split(","))
        angle = float(sent.get("angle", 0)) + turn
    except (ValueError, KeyError):
        raise BadRequestError("web.error.field", field="x, y") from None
    placed = {"x": (x + dx) / 1000, "y": (y + dy) / board.height}
    return {**placed, "angle": angle} if "angle" in sent else placed


def _marked(board: StudioBoard) -> tuple[set[int], set[int]]:
    """The lines and places that some remark is about."""
    lines = {number for remark in board.remarks for number in remark.lines}
    wrong = {number for remark in board.remarks if remark.is_error for number in remark.places}
    return lines, wrong
