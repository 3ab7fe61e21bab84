"""Who plays: names and order put right, colours exchanged, somebody who comes or goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.pages.start import Seat, seats_for
from web.panel import Panel
from web.settings import SettingView, view_settings
from web.table_state import BoardChoice, PanelPlayer, TableState


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another game that as many can play: everybody's seat, and what was agreed there."""

    board: BoardChoice
    seats: Sequence[Seat]
    agreed: Sequence[SettingView]
    moved: Sequence[Seat]
    """Those whose colour it lacks, with the one that they get."""


@dataclass(frozen=True, slots=True)
class Seats:
    """What can be put right about who plays, and what: colours that are free, for instance."""

    free: Sequence[str] = ()
    one_may_come: bool = False
    one_may_go: bool = False
    may_go: Sequence[str] = ()
    """Who has neither routes nor tickets."""
    elsewhere: Sequence[Elsewhere] = ()


def _seats(state: TableState, language: str) -> Seats:
    """Nothing, once the sheet is final."""
    choice = next((one for one in state["boards"] if one["id"] == state["board"]), None)
    if choice is None or state["phase"] == "sheet":
        return Seats()
    low, high = choice["players"]
    taken = [player["colour"] for player in state["players"]]
    free = [colour for colour in choice["player_colours"] if colour not in taken]
    usual = choice.get("settings", {})
    agreed = {n: v for n, v in state.get("settings", {}).items() if v != usual.get(n)}
    elsewhere = [
        _elsewhere(one, state["players"], _known(one, agreed, language))
        for one in state["boards"]
        if one["id"] != choice["id"] and one["players"][0] <= len(taken) <= one["players"][1]
    ]
    holders = {route["owner"] for route in state["routes"].values()}
    may_go = [one for one in taken if one not in holders and not state["tickets"].get(one)]
    return Seats(free, len(taken) < high, len(taken) > low, may_go, elsewhere)


def _elsewhere(
    choice: BoardChoice, players: Sequence[PanelPlayer], agreed: Sequence[SettingView]
) -> Elsewhere:
    seats = [seat for seat in seats_for(choice, players) if seat.name]
    now = {(one["name"], one["colour"]) for one in players}
    moved = [seat for seat in seats if (seat.name, seat.colour) not in now]
    return Elsewhere(choice, seats, agreed, moved)


def _known(choice: BoardChoice, agreed: Mapping[str, Any], language: str) -> Sequence[SettingView]:
    """What was agreed and another game knows too; its score track is its own."""
    return [
        one
        for one in view_settings(choice.get("settings", {}), agreed, language)
        if one.name in agreed
        and one.name != "score-track"
        and (not one.options or one.value in [option.value for option in one.options])
    ]


def players_page(panel: Panel) -> Blueprint:
    """`GET /names`."""
    pages = Blueprint("players", __name__)

    @pages.get("/names")
    @open_to(Role.HOST)
    def names() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        seats = _seats(context.state, context.language)
        return panel.page("names.html", context, tab="", seats=seats)

    return pages
