"""Set-up at the table: a photo of the empty board, its corners, the wagons' colours, ready."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import BadRequestError, NotFoundError
from web.pages.corners import read_corners
from web.pages.told_on_page import told_on_page
from web.panel import Panel
from web.picture_data import jpeg_data
from web.pictures import picture
from web.sent.whole_numbers import whole_number
from web.setup_port import SetupPort


def setup_pages(panel: Panel, setup: SetupPort) -> Blueprint:
    """`/setup` and the pages under it."""
    pages = Blueprint("setup", __name__, url_prefix="/setup")
    desk = _Pages(panel, setup)

    pages.get("")(desk.tables)
    pages.post("")(desk.bring_in)
    pages.get("/photo")(desk.photo)
    pages.post("/photo")(desk.take_photo)
    pages.get("/photo.jpg")(desk.photo_picture)
    pages.get("/live.json")(desk.live)
    pages.get("/board")(desk.board)
    pages.post("/board")(desk.place)
    pages.post("/vouch")(desk.vouch)
    pages.post("/save")(desk.save)
    pages.get("/wagons")(desk.wagons)
    pages.post("/wagons")(desk.take_wagons)
    pages.get("/ready")(desk.ready)
    pages.post("/kept/<key>/<action>")(desk.change)
    pages.get("/kept/<key>.jpg")(desk.kept_picture)
    pages.get("/kept/<key>.calibration")(desk.export)
    return pages


class _Pages:
    """The pages' functions; what is refused is told on the page that asked for it."""

    def __init__(self, panel: Panel, setup: SetupPort) -> None:
        self._panel = panel
        self._setup = setup

    @open_to(Role.HOST)
    def tables(self, problem: str = "") -> str:
        """The tables that are kept, and the way to a new one."""
        return self._page("setup.html", problem, tables=self._setup.kept())

    @open_to(Role.HOST)
    def bring_in(self) -> ResponseReturnValue:
        """A calibration file from elsewhere."""

        def do() -> None:
            with self._panel.uploads.file("file") as file:
                if file is None:
                    raise BadRequestError("web.setup.no-file")
                self._setup.bring_in(file)

        return self._after(do, "/setup", self.tables)

    @open_to(Role.HOST)
    def photo(self, problem: str = "") -> str:
        """How to photograph the empty board, with the camera's live picture."""
        return self._page(
            "setup_photo.html",
            problem,
            boards=self._setup.boards(),
            chosen=request.values.get("board", ""),
        )

    @open_to(Role.HOST)
    def take_photo(self) -> ResponseReturnValue:
        """A photo of the empty board, sent or by the box's camera."""

        def do() -> None:
            with self._panel.uploads.file("image") as image:
                if image is None and "camera" not in request.form:
                    raise BadRequestError("web.error.no-photo")
                self._setup.take_photo(image, request.form.get("board") or None)

        return self._after(do, "/setup/board", self.photo)

    @open_to(Role.HOST)
    def photo_picture(self) -> ResponseReturnValue:
        """The photo that is being set up."""
        return picture(self._setup.photo())

    @open_to(Role.HOST)
    def live(self) -> ResponseReturnValue:
        """What the camera sees now, and what to do about it."""
        look = self._setup.look()
        context = self._panel.context()
        told = [{"text": context.sentence(one.message), "good": one.good} for one in look.advice]
        return jsonify({"picture": jpeg_data(look.picture), "advice": told})

    @open_to(Role.HOST)
    def board(self, problem: str = "") -> ResponseReturnValue:
        """The photo with corners and spaces."""
        draft = self._setup.draft()
        if draft is None:
            return self.photo(problem) if problem else redirect("/setup/photo")
        boards = self._setup.boards()
        return self._page("setup_board.html", problem, draft=draft, boards=boards)

    @open_to(Role.HOST)
    def place(self) -> ResponseReturnValue:
        """Other corners, another board, or a new search."""

        def do() -> None:
            wanted = request.form.get("by", "corners")
            corners = None if wanted == "search" else read_corners(request.form.get("corners", ""))
            self._setup.place(_number(), request.form.get("board", ""), corners)

        return self._after(do, "/setup/board", self.board)

    @open_to(Role.HOST)
    def vouch(self) -> ResponseReturnValue:
        """It is really empty."""
        return self._after(lambda: self._setup.vouch(_number()), "/setup/board", self.board)

    @open_to(Role.HOST)
    def save(self) -> ResponseReturnValue:
        """Keep it."""
        name = request.form.get("name", "")
        return self._after(lambda: self._setup.save(_number(), name), "/setup/wagons", self.board)

    @open_to(Role.HOST)
    def wagons(self, problem: str = "") -> ResponseReturnValue:
        """A photo with wagons, and how their colours look."""
        draft = self._setup.draft()
        if draft is None or draft.saved is None:
            return self.tables(problem) if problem else redirect("/setup")
        return self._page("setup_wagons.html", problem, draft=draft)

    @open_to(Role.HOST)
    def take_wagons(self) -> ResponseReturnValue:
        """A photo with wagons, sent or by the box's camera."""

        def do() -> None:
            with self._panel.uploads.file("image") as image:
                if image is None and "camera" not in request.form:
                    raise BadRequestError("web.error.no-photo")
                self._setup.take_wagons(_number(), image)

        return self._after(do, "/setup/wagons", self.wagons)

    @open_to(Role.HOST)
    def ready(self) -> ResponseReturnValue:
        """It is done."""
        draft = self._setup.draft()
        if draft is None or draft.saved is None:
            return redirect("/setup")
        return self._page("setup_ready.html", "", draft=draft)

    @open_to(Role.HOST)
    def change(self, key: str, action: str) -> ResponseReturnValue:
        """Use, rename or delete a table that is kept, or measure its wagons."""
        deeds: dict[str, Callable[[], None]] = {
            "use": lambda: self._setup.use(key),
            "name": lambda: self._setup.rename(key, request.form.get("name", "")),
            "delete": lambda: self._setup.delete(key),
            "wagons": lambda: self._setup.take_up(key),
        }
        if action not in deeds:
            raise NotFoundError("web.error.http.404")
        onward = "/setup/wagons" if action == "wagons" else "/setup"
        return self._after(deeds[action], onward, self.tables)

    @open_to(Role.HOST)
    def kept_picture(self, key: str) -> ResponseReturnValue:
        """The empty board of a table that is kept."""
        return picture(self._setup.kept_picture(key))

    @open_to(Role.HOST)
    def export(self, key: str) -> ResponseReturnValue:
        """The file of a table that is kept."""
        name, data = self._setup.export(key)
        answer = Response(data, mimetype="application/zip")
        answer.headers.set("Content-Disposition", "attachment", filename=name)
        return answer

    def _after(
        self,
        do: Callable[[], None],
        onward: str,
        page: Callable[[str], ResponseReturnValue],
    ) -> ResponseReturnValue:
        """On to the next page; what is refused is told on this one."""

        def do_it() -> ResponseReturnValue:
            do()
            return redirect(onward, code=303)

        return told_on_page(self._panel, do_it, page)

    def _page(self, template: str, problem: str, **more: Any) -> str:
        return self._panel.page(
            template,
            self._panel.context().of_any_board(),
            tab="",
            quiet=True,
            problem=problem,
            has_camera=self._setup.has_camera,
            **more,
        )


def _number() -> int:
    """Which draft a form was about; raises BadRequestError."""
    number = whole_number(request.form.get("number", ""))
    if number is None:
        raise BadRequestError("web.error.field", field="number")
    return number
