"""A finished game as its pages show it: the one on the table, or an old evening opened again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from scoring.game.game import Game
from scoring.sheet.sheet import Sheet
from web.errors import NotFoundError
from web.history_port import EveningSummary, OldEvening
from web.page_context import PageContext
from web.panel import Panel
from web.table_state import RouteState, TableState


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that can be asked about, with the addresses of its pages."""

    now: PageContext
    """The table's present moment: what stands around the page."""
    shown: PageContext
    """The game itself; for the one on the table the same moment."""
    base: str
    """What its pages' addresses begin with."""
    sheet_page: str
    sheet: Sheet
    game: Game
    evening: EveningSummary | None

    @property
    def is_old(self) -> bool:
        """Whether it is read from the history, where nothing can be changed."""
        return bool(self.base)

    @property
    def tab(self) -> str:
        """The part of the panel that its pages belong to."""
        return "history" if self.is_old else "sheet"


def finished_game(panel: Panel, evening: str | None = None) -> FinishedGame | None:
    """The game on the table, None where it has no sheet yet; or that of an old evening.

    Raises NotFoundError where there is no such evening.
    """
    now = panel.context()
    if evening is None:
        if now.sheet is None or now.board is None or now.game is None:
            return None
        return FinishedGame(now, now, "", "/sheet", now.sheet, now.game, current_evening(panel))
    opened = opened_evening(panel, evening)
    base = f"/history/{opened.summary.id}"
    shown = old_context(panel, now, opened)
    return FinishedGame(now, shown, base, base, opened.sheet, opened.game, opened.summary)


def current_evening(panel: Panel) -> EveningSummary | None:
    """The finished game that still lies on the table, as an evening."""
    return next((one for one in panel.table.history.evenings() if one.is_current), None)


def rematch_address(evening: EveningSummary) -> str:
    """The start page with the same players and colours on offer."""
    names = {f"name-{one.colour}": one.name for one in evening.players}
    return f"/start?{urlencode({'board': evening.board, **names})}"


def opened_evening(panel: Panel, evening: str) -> OldEvening:
    """An evening with its sheet; raises NotFoundError."""
    opened = panel.table.history.evening(evening)
    if opened is None:
        raise no_evening(panel, evening)
    return opened


def no_evening(panel: Panel, evening: str) -> NotFoundError:
    """Why an evening cannot be opened: there is none, it goes on, or its board is another now."""
    if evening == str(panel.table.in_play().began_ms):
        return NotFoundError("web.error.evening-goes-on")
    is_listed = evening in {one.id for one in panel.table.history.evenings()}
    return NotFoundError("web.error.evening-board" if is_listed else "web.error.evening")


def game_titles(context: PageContext) -> Mapping[str, str]:
    """The games' names by the boards' ids."""
    return {
        one["id"]: context.game_title(one["id"], one["title"]) for one in context.state["boards"]
    }


def old_context(panel: Panel, now: PageContext, opened: OldEvening) -> PageContext:
    """The old evening where a page expects the table's present moment; nobody's present hand."""
    routes = {
        route: RouteState(owner=player.colour, status="confirmed", confidence=1.0)
        for player in opened.game.players
        for route in player.routes
    }
    players = [{"name": one.name, "colour": one.colour} for one in opened.summary.players]
    past: dict[str, Any] = {
        **now.state,
        "phase": "sheet",
        "board": opened.board.id,
        "players": players,
        "routes": routes,
        "doubts": [],
        "tickets": {},
        "set_aside": {},
        "closed": {},
        "track_pieces": [
            route for route in opened.game.track_pieces if route not in opened.game.owner_by_route
        ],
        "cursor": {"route": None, "choice": None, "player": None},
    }
    return replace(
        now,
        state=TableState(**past),  # type: ignore[typeddict-item]
        board=opened.board,
        drawing=panel.drawings.of(opened.board),
        photo=panel.photo_of(opened.board),
        sheet=opened.sheet,
        game=opened.game,
    )
