"""What a home is told of the table: one document, with nothing secret in it; pure."""

from collections.abc import Mapping
from typing import Any

from scoring.language import Message, text
from web.table_state import CAMERA_TROUBLES, TableState


def home_document(state: TableState, language: str) -> dict[str, Any]:
    """The table for a home: where the evening stands, whose turn it is, and each seat's points.

    Points are those of the board before the sheet, and the sheet's after it: hands stay secret.
    """
    sheet = state["sheet"]
    return {
        "phase": state["phase"],
        "phase_text": text(f"companion.home.phase.{state['phase']}", language),
        "board": state["board"],
        "turn": _turn(state),
        "questions": len(state["doubts"]),
        "seats": _seats(state),
        "winners": list(sheet["winners"]) if sheet else [],
        "camera": state["camera"]["status"],
        "camera_text": text(f"companion.home.camera.{state['camera']['status']}", language),
        "trouble": _trouble(state, language),
    }


def _turn(state: TableState) -> str | None:
    """Who is asked for tickets now."""
    colour = state["cursor"]["player"]
    return next((one["name"] for one in state["players"] if one["colour"] == colour), None)


def _seats(state: TableState) -> list[dict[str, Any]]:
    rows: Mapping[str, Any] = {row["colour"]: row for row in state["standing"]}
    sheet = state["sheet"]
    totals = {one["colour"]: one["total"] for one in sheet["players"]} if sheet else {}
    seats = []
    for player in state["players"]:
        row = rows.get(player["colour"], {})
        seats.append(
            {
                "name": player["name"],
                "colour": player["colour"],
                "points": totals.get(player["colour"], row.get("points")),
                "routes": row.get("routes"),
                "wagons_left": row.get("wagons_left"),
            }
        )
    return seats


def _trouble(state: TableState, language: str) -> str | None:
    """What is wrong with disk or box, or the camera while it is needed, as the panel says it."""
    camera = state["camera"]
    told = state.get("disk") or state.get("box")
    if told is None and camera["status"] in CAMERA_TROUBLES and state["phase"] != "sheet":
        told = camera["message"] or Message(f"companion.home.camera.{camera['status']}").to_json()
    return None if told is None else Message.from_json(told).text(language)
