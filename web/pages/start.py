"""The first page of an evening: which game, who plays in which colour and order, who joins."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, request

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.language.lists import join_names
from web.access.roles import Role, open_to
from web.drawing.board_svg import Drawings, draw_routes
from web.invitation import invitation, qr_code
from web.panel import Panel
from web.settings import view_settings
from web.table_state import BoardChoice, PanelPlayer, TableState


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A small picture of a map: its size in millimetres, each route's colour and `points`."""

    width: float
    height: float
    routes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """A colour that can be played, and the name that is offered for it."""

    colour: str
    name: str


def start_page(panel: Panel) -> Blueprint:
    """`GET /start`, with the board chosen so far in `?board=`.

    Those who played last are seated by `?names=last` only: somebody may be absent tonight.
    """
    pages = Blueprint("start", __name__)
    pictures = Drawings(_draw_picture)

    @pages.get("/start")
    @open_to(Role.HOST)
    def start() -> str:
        context = panel.context()
        boards = {board["id"]: board for board in context.state["boards"]}
        chosen = boards.get(request.args.get("board", ""))
        is_choosing = chosen is None and context.state["phase"] == "start"
        open_settings = {} if chosen is None else chosen.get("settings", {})
        agreed = {} if chosen is None else chosen.get("agreed", {})
        settings = view_settings(open_settings, agreed, context.language)
        before = _last_players(panel, context.state)
        last = before if chosen is None else before[: chosen["players"][1]]
        seated = _seated_players(context.state, last)
        return panel.page(
            "start.html",
            context,
            tab="start",
            chosen=chosen,
            settings=settings,
            agreed=bool(agreed),
            seats=[] if chosen is None else seats_for(chosen, seated),
            has_names=bool(seated),
            last_names="" if seated else _names(panel, last),
            too_many=_names(panel, before[len(last) :]),
            pictures=_pictures(panel, pictures) if is_choosing else {},
            invitation=invitation(panel.own_addresses()),
            qr_code=qr_code,
            to_set_up=chosen is not None and panel.is_to_be_set_up(chosen["id"]),
        )

    return pages


def _players_in_address() -> list[PanelPlayer]:
    """Those of `?name-COLOUR=`."""
    return [
        PanelPlayer(name=name, colour=key.removeprefix("name-"))
        for key, name in request.args.items()
        if key.startswith("name-") and name
    ]


def _names(panel: Panel, players: Sequence[PanelPlayer]) -> str:
    return join_names([one["name"] for one in players], panel.language)


def _last_players(panel: Panel, state: TableState) -> Sequence[PanelPlayer]:
    """Who played last at this table: in the game before this one, else in the newest evening."""
    before = state.get("last_players", [])
    if before:
        names = panel.table.history.named_today([one["name"] for one in before])
        return [
            PanelPlayer(name=name, colour=one["colour"])
            for name, one in zip(names, before, strict=True)
        ]
    kept = (one for one in panel.table.history.evenings() if not one.is_deleted)
    newest = next(kept, None)
    players = () if newest is None else newest.players
    return [PanelPlayer(name=one.name, colour=one.colour) for one in players]


def _seated_players(state: TableState, last: Sequence[PanelPlayer]) -> Sequence[PanelPlayer]:
    """Those of `?name-COLOUR=` (a rematch), of `?names=last`, and of a start that was taken back.

    Somebody has named them for this game; to seat others is for those at the table.
    """
    asked = _players_in_address()
    named = request.args.get("names", "last" if state.get("redo") == "start" else "none")
    return asked or (last if named == "last" else [])


def seats_for(board: BoardChoice, last: Sequence[PanelPlayer]) -> list[Seat]:
    """The colours of a game in the order of play: those who played last first, then the others.

    A player whose colour this game lacks is offered the first that is free.
    """
    colours = list(board["player_colours"])
    free = [colour for colour in colours if colour not in {one["colour"] for one in last}]
    seats: list[Seat] = []
    for player in last:
        if player["colour"] in colours:
            seats.append(Seat(player["colour"], player["name"]))
        elif free:
            seats.append(Seat(free.pop(0), player["name"]))
    taken = {seat.colour for seat in seats}
    return [*seats, *(Seat(colour, "") for colour in colours if colour not in taken)]


def _pictures(panel: Panel, drawings: Drawings[MapPicture]) -> dict[str, MapPicture]:
    """The maps of the games that have positions, by the board's id."""
    shipped = [load_board(board) for board in BOARDS_WITH_DATA]
    known = {board.id: board for board in (*shipped, *panel.table.in_play().known_boards)}
    return {name: map_ for name, board in known.items() if (map_ := drawings.of(board))}


def _draw_picture(board: Board) -> MapPicture:
    routes = tuple((route.colour, route.points) for route in draw_routes(board))
    return MapPicture(*board.frame.size_mm, routes)
