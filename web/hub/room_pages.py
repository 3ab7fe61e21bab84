"""The room: every table with its standing, phase and camera; one table; the big screen."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from flask import Blueprint, Response, redirect
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from web.access.roles import Role, open_to
from web.errors import BadRequestError, NotFoundError
from web.hub.live import Pieces
from web.hub.live_pieces import Piece
from web.hub.page_fields import of_page
from web.hub.ports import Evidence, RoomTable
from web.hub.site import Site
from web.page_context import PageContext
from web.sheet.sheet import view_sheet
from web.table_state import CameraState, PanelCursor, RouteState, TableState

Made = TypeVar("Made")

MOST_LINES = 100
"""More than a big screen shows that can be read."""

SHUT = {"yes": True, "no": False}
"""What a form says of a table that is to be shut out, or let in again."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A player of the room and where they sit."""

    name: str
    colour: str
    points: int
    table_id: str
    table: str
    is_winner: bool


def room_pages(site: Site) -> Blueprint:
    """`/`, `/scoreboard` and `/tables/ID` with their live parts, and shutting a table out."""
    pages = Blueprint("room", __name__)
    parts = Parts()
    cards = Pieces(site, lambda language, _: _cards(site, parts, language))
    scores = Pieces(site, lambda language, _: _scores(site, parts, language))
    tables = Pieces(site, lambda language, id: _table_piece(site, parts, language, id))

    @pages.get("/")
    @open_to(Role.SPECTATOR)
    def room() -> str:
        return site.page("room.html", tab="tables", piece=cards.piece(site.language))

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        return cards.stream()

    @pages.get("/scoreboard")
    @open_to(Role.SPECTATOR)
    def scoreboard() -> str:
        piece = scores.piece(site.language)
        return site.page("scoreboard.html", tab="scoreboard", piece=piece)

    @pages.get("/scoreboard/events")
    @open_to(Role.SPECTATOR)
    def scoreboard_events() -> Response:
        return scores.stream()

    @pages.get("/tables/<id>")
    @open_to(Role.SPECTATOR)
    def table(id: str) -> str:
        known = _known(site, id)
        piece = tables.piece(site.language, id)
        return site.page("table.html", tab="tables", table=known, piece=piece)

    @pages.get("/tables/<id>/events")
    @open_to(Role.SPECTATOR)
    def table_events(id: str) -> Response:
        _known(site, id)
        return tables.stream(id)

    @pages.post("/tables/<id>/shut-out")
    @open_to(Role.HOST)
    def shut_out(id: str) -> ResponseReturnValue:
        """The form says which of the two, so that a second tap, or a second desk, takes no first
        one back."""
        _known(site, id)
        shut = of_page("shut")
        if shut not in SHUT:
            raise BadRequestError("web.error.field", field="shut")
        site.room.shut_out(id, SHUT[shut])
        return redirect(f"/tables/{id}", code=303)

    return pages


def _known(site: Site, id: str) -> RoomTable:
    table = site.room.table(id)
    if table is None:
        raise NotFoundError("web.hub.error.table")
    return table


class Parts:
    """Parts of pages, made anew where what they show has changed."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[object, Any]] = {}

    def once(self, language: str, id: str, shown: object, make: Callable[[], Made]) -> Made:
        """A part, or a piece of several; `shown` is all that it shows."""
        kept = self._kept.get((language, id))
        if kept is None or kept[0] != shown:
            kept = self._kept[language, id] = (shown, make())
        made: Made = kept[1]
        return made


def _cards(site: Site, parts: Parts, language: str) -> Piece:
    cards = {}
    for table in site.room.tables():
        make = partial(site.part_in, language, "_card.html", table=table)
        cards[f"card-{table.id}"] = parts.once(language, f"card-{table.id}", table, make)
    return _list_of(site, language, "_tables.html", cards)


def _scores(site: Site, parts: Parts, language: str) -> Piece:
    lines = {}
    for place, line in enumerate(score_lines(site.room.tables())[:MOST_LINES]):
        id = f"line-{place}"  # of the place: whoever passes others changes theirs, not all
        make = partial(site.part_in, language, "_line.html", line=line, id=id)
        lines[id] = parts.once(language, id, line, make)
    return _list_of(site, language, "_scores.html", lines)


def _list_of(site: Site, language: str, template: str, parts: Mapping[str, str]) -> Piece:
    shown = [Markup(part) for part in parts.values()]
    return Piece(parts, lambda: site.part_in(language, template, parts=shown))


def _table_piece(site: Site, parts: Parts, language: str, id: str) -> Piece:
    table, evidence = _known(site, id), site.room.evidence(id)
    make = partial(_table_anew, site, table, evidence, language)
    return parts.once(language, id, (table, evidence), make)


def _table_anew(site: Site, table: RoomTable, evidence: Evidence | None, language: str) -> Piece:
    """A table's page: what it tells in words, every route of its map, the finished game's sheet."""
    page = _context(site, table, evidence, language)
    sheet = None
    if evidence is not None and table.state.get("phase") == "sheet":
        sheet = view_sheet(evidence.sheet, evidence.board, language)
    made = partial(site.part_in, language, table=table, evidence=evidence, sheet=sheet, page=page)
    told, proof = made("_told.html"), made("_proof.html")
    return Piece(
        {"told": told, **_routes(site, page), "proof": proof},
        lambda: made("_table.html", told=Markup(told), proof=Markup(proof)),
        kind="" if page is None or page.board is None else page.board.id,
    )


def _routes(site: Site, page: PageContext | None) -> dict[str, str]:
    """The routes of a table's map as they are sent; of a board without one the list of them."""
    if page is None:
        return {}
    if page.drawing is None:
        return {"board": site.part_in(page.language, "_routes.html", page=page)}
    parts: dict[str, str] = {}
    kept = page.drawing.kept
    for route in page.drawing.routes:
        shown = page.shown_of(route.id, "", False)
        group = kept.get(shown) or page.drawing.keep(
            shown, site.part_in(page.language, "_route.html", page=page, route=route)
        )
        sent = ("sent", shown)
        parts[f"r-{route.id}"] = kept.get(sent) or page.drawing.keep(sent, f"<svg>{group}</svg>")
    return parts


def score_lines(tables: Sequence[RoomTable]) -> list[ScoreLine]:
    """Everybody who plays this evening, most points first."""
    now_s = time.time()
    lines = [
        ScoreLine(
            row["name"],
            row["colour"],
            row["points"],
            table.id,
            table.name,
            row["name"] in table.state["winners"],
        )
        for table in tables
        if table.state and not table.is_shut_out and not table.is_of_before(now_s)
        for row in table.state["standing"]
    ]
    return sorted(lines, key=lambda line: (-line.points, line.name))


def _context(
    site: Site, table: RoomTable, evidence: Evidence | None, language: str
) -> PageContext | None:
    """The table's board as a page draws it; None without one here, and without routes."""
    state: Mapping[str, Any] = table.state
    board = site.room.board(state["board"]) if state and state["board"] else None
    if board is None or not board.routes:
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
