"""What the room may know of a table at any moment; pure."""

from collections.abc import Mapping
from typing import Any

from web.names import one_line
from web.table_state import TableState

FORMAT = 1


def room_document(
    state: TableState, *, name: str, instance: str, sent_at_s: float, place: int
) -> dict[str, Any]:
    """The table's public state: phase, standing, owners of the routes, camera; no hand.

    `instance` tells one run of the program from another, `place` the last message of the chain
    that it follows.
    """
    sheet = state["sheet"]
    owned = {route: one for route, one in state["routes"].items() if one["owner"] is not None}
    doubtful = {route: one for route, one in state["routes"].items() if one["status"] == "doubtful"}
    return {
        "format": FORMAT,
        "name": name,
        "instance": instance,
        "sent_at": sent_at_s,
        "place": place,
        "phase": state["phase"],
        "board": state["board"],
        "title": _title(state),
        "players": [dict(player) for player in state["players"]],
        "standing": _totals(sheet) if sheet else [_row(row) for row in state["standing"]],
        "winners": list(sheet["winners"]) if sheet else [],
        "routes": {route: one["owner"] for route, one in owned.items()},
        "doubtful": sorted(doubtful),
        "questions": len(state["doubts"]),
        "camera": state["camera"]["status"],
    }


def _title(state: TableState) -> str:
    """The board's; a file that somebody wrote may hold signs in it for which the hub would refuse
    all that the table tells."""
    titles = [one["title"] for one in state["boards"] if one["id"] == state["board"]]
    return one_line(titles[0]) if titles else ""


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("name", "colour", "points", "wagons_left")}


def _totals(sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sheet's totals, best first."""
    rows = [
        {"name": one["name"], "colour": one.get("colour"), "points": one["total"]}
        for one in sheet["players"]
    ]
    return sorted(rows, key=lambda row: -row["points"])
