"""The room: every table with its standing, phase and camera; one table; the big screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, redirect
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from web.access.roles import Role, open_to
from web.errors import NotFoundError
from web.hub.live import Pieces
from web.hub.ports import Evidence, RoomTable
from web.hub.site import Site
from web.page_context import PageContext
from web.sheet import view_sheet
from web.table_state import CameraState, PanelCursor, RouteState, TableState


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A player of the room and where they sit."""

    name: str
    colour: str
    points: int
    table: str
    is_winner: bool


def room_pages(site: Site) -> Blueprint:
    """`/`, `/scoreboard` and `/tables/ID` with their live parts, and shutting a table out."""
    pages = Blueprint("room", __name__)
    cards = Pieces(site, lambda language, _: _piece(site, language, "_tables.html"))
    scores = Pieces(site, lambda language, _: _piece(site, language, "_scores.html"))
    tables = Pieces(site, lambda language, id: _table_piece(site, language, id))

    @pages.get("/")
    @open_to(Role.SPECTATOR)
    def room() -> str:
        return site.page("room.html", tab="tables", piece=Markup(cards.piece(site.language)))

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        return cards.stream()

    @pages.get("/scoreboard")
    @open_to(Role.SPECTATOR)
    def scoreboard() -> str:
        piece = Markup(scores.piece(site.language))
        return site.page("scoreboard.html", tab="scoreboard", piece=piece)

    @pages.get("/scoreboard/events")
    @open_to(Role.SPECTATOR)
    def scoreboard_events() -> Response:
        return scores.stream()

    @pages.get("/tables/<id>")
    @open_to(Role.SPECTATOR)
    def table(id: str) -> str:
        known = _known(site, id)
        piece = Markup(tables.piece(site.language, id))
        return site.page("table.html", tab="tables", table=known, piece=piece)

    @pages.get("/tables/<id>/events")
    @open_to(Role.SPECTATOR)
    def table_events(id: str) -> Response:
        _known(site, id)
        return tables.stream(id)

    @pages.post("/tables/<id>/shut-out")
    @open_to(Role.HOST)
    def shut_out(id: str) -> ResponseReturnValue:
        known = _known(site, id)
        site.room.shut_out(id, not known.is_shut_out)
        return redirect(f"/tables/{id}", code=303)

    return pages


def _known(site: Site, id: str) -> RoomTable:
    table = site.room.table(id)
    if table is None:
        raise NotFoundError("web.hub.error.table")
    return table


def _piece(site: Site, language: str, template: str) -> str:
    tables = site.room.tables()
    return site.part_in(language, template, tables=tables, lines=score_lines(tables))


def _table_piece(site: Site, language: str, id: str) -> str:
    table, evidence = _known(site, id), site.room.evidence(id)
    page = _context(site, table, evidence, language)
    sheet = None
    if evidence is not None and table.state.get("phase") == "sheet":
        sheet = view_sheet(evidence.sheet, evidence.board, language)
    return site.part_in(
        language, "_table.html", table=table, evidence=evidence, sheet=sheet, page=page
    )


def score_lines(tables: Sequence[RoomTable]) -> list[ScoreLine]:
    """Everybody who plays, most points first."""
    lines = [
        ScoreLine(
            row["name"],
            row["colour"],
            row["points"],
            table.name,
            row["name"] in table.state["winners"],
        )
        for table in tables
        if table.state and not table.is_shut_out
        for row in table.state["standing"]
    ]
    return sorted(lines, key=lambda line: (-line.points, line.name))


def _context(
    site: Site, table: RoomTable, evidence: Evidence | None, language: str
) -> PageContext | None:
    """The table's board as a page draws it; None without a board that is here."""
    state: Mapping[str, Any] = table.state
    board = site.room.board(state["board"]) if state and state["board"] else None
    if board is None or not state:
        return None
    doubtful = set(state["doubtful"])
    routes = {
        route: RouteState(
            owner=owner,
            status="doubtful" if route in doubtful else "confirmed",
            confidence=1.0,
        )
        for route, owner in state["routes"].items()
        if route in board.route_by_id
    }
    shown: dict[str, Any] = {
        "version": table.version,
        "phase": "sheet",  # nothing to press
        "boards": [],
        "board": board.id,
        "players": state["players"],
        "extras": [],
        "routes": routes,
        "doubts": [],
        "standing": state["standing"],
        "tickets": {},
        "passengers": {},
        "flags": {},
        "sheet": None,
        "camera": CameraState(status=state["camera"], message=None),
        "notices": [],
        "undo": None,
        "lamps": {},
        "cursor": PanelCursor(route=None, choice=None, player=None),
        "virtual_box": False,
    }
    sheet, game = (None, None) if evidence is None else (evidence.sheet, evidence.game)
    told = TableState(**shown)  # type: ignore[typeddict-item]
    return PageContext(told, board, site.drawings.of(board), sheet, language, game)
