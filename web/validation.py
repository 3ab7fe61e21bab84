"""What a browser or program sent, checked and turned into the payload of an action."""

import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from scoring.board.board import Board
from web.errors import BadRequestError
from web.ports import BUTTONS, PHASES, BoardChoice, TableState

NAME_LENGTH = 24
"""Letters of a player's name that fit on the panel's buttons."""

STATELESS = frozenset({"new-game", "scan", "finish", "reopen", "undo"})
"""Actions that are read without asking what the table's state is."""

Sent = Mapping[str, Any]
Payload = dict[str, Any]


def read_payload(action: str, sent: Sent, state: TableState, board: Board | None) -> Payload:
    """The payload of an action with fields, from a form or a JSON document.

    Raises BadRequestError for an unknown action, a missing field or an id that is not in play.
    """
    reader = _READERS.get(action)
    if reader is None:
        raise BadRequestError("web.error.action", action=action[:40])
    return reader(sent, state, board)


def _start(sent: Sent, state: TableState, _board: Board | None) -> Payload:
    choice = _choice(sent, state)
    players = _players_of_json(sent) if "players" in sent else _players_of_form(sent, choice)
    low, high = choice["players"]
    if not low <= len(players) <= high:
        raise BadRequestError("web.error.player-count", low=low, high=high, n=len(players))
    colours = [player["colour"] for player in players]
    unknown = [colour for colour in colours if colour not in choice["player_colours"]]
    if unknown:
        raise BadRequestError("web.error.colour", colour=str(unknown[0])[:40])
    if len(set(colours)) < len(colours):
        raise BadRequestError("web.error.colour-twice")
    if len({player["name"].casefold() for player in players}) < len(players):
        raise BadRequestError("web.error.name-twice")
    camera = sent.get("camera", False) not in (False, "", "off", None)
    return {"board": choice["id"], "players": players, "camera": camera}


def _choice(sent: Sent, state: TableState) -> BoardChoice:
    name = _text(sent, "board")
    for choice in state["boards"]:
        if choice["id"] == name:
            return choice
    raise BadRequestError("web.error.board", board=name[:40])


def _players_of_form(sent: Sent, choice: BoardChoice) -> list[dict[str, str]]:
    """A form has a field `name-COLOUR` for each colour; those left blank don't play."""
    names = {
        colour: clean_name(sent.get(f"name-{colour}", "")) for colour in choice["player_colours"]
    }
    return [{"name": name, "colour": colour} for colour, name in names.items() if name]


def _players_of_json(sent: Sent) -> list[dict[str, str]]:
    players = sent["players"]
    if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
        raise BadRequestError("web.error.field", field="players")
    cleaned = [{"name": clean_name(p.get("name")), "colour": _text(p, "colour")} for p in players]
    if not all(player["name"] for player in cleaned):
        raise BadRequestError("web.error.field", field="name")
    return cleaned


def clean_name(sent: object) -> str:
    """A player's name in one line, without invisible signs, cut to what fits."""
    if not isinstance(sent, str):
        return ""
    visible = "".join(
        sign for sign in sent if unicodedata.category(sign)[0] != "C" or sign.isspace()
    )
    return " ".join(visible.split())[:NAME_LENGTH].strip()


def _show(sent: Sent, _state: TableState, _board: Board | None) -> Payload:
    return {"phase": _one_of(sent, "phase", PHASES[1:4])}


def _press(sent: Sent, _state: TableState, _board: Board | None) -> Payload:
    return {"button": _one_of(sent, "button", BUTTONS)}


def _upload(sent: Sent, _state: TableState, _board: Board | None) -> Payload:
    images = [image for image in sent.get("images", ()) if isinstance(image, bytes) and image]
    if not images:
        raise BadRequestError("web.error.no-photo")
    return {"images": images}


def _confirm(sent: Sent, _state: TableState, board: Board | None) -> Payload:
    return {"route": _route(sent, board)}


def _correct(sent: Sent, state: TableState, board: Board | None) -> Payload:
    owner = sent.get("owner")
    if owner in (None, "", "nobody"):
        return {"route": _route(sent, board), "owner": None}
    return {"route": _route(sent, board), "owner": _player(sent, state, "owner")}


def _ticket(sent: Sent, state: TableState, board: Board | None) -> Payload:
    return {"player": _player(sent, state), "ticket": _known_ticket(_text(sent, "ticket"), board)}


def _tickets(sent: Sent, state: TableState, board: Board | None) -> Payload:
    tickets = sent.get("tickets")
    if not isinstance(tickets, list):
        raise BadRequestError("web.error.field", field="tickets")
    known = [_known_ticket(str(ticket), board) for ticket in tickets]
    return {"player": _player(sent, state), "tickets": known}


def _passengers(sent: Sent, state: TableState, board: Board | None) -> Payload:
    """All counts as `passengers`, or some as fields `passengers-COLOUR`, the others unchanged."""
    player = _player(sent, state)
    colours = () if board is None else tuple(board.passengers_in_bag)
    counts = dict(state["passengers"].get(player, {}))
    whole = sent.get("passengers")
    if isinstance(whole, Mapping):
        counts = {str(colour): number for colour, number in whole.items()}
    counts |= {c: sent[f"passengers-{c}"] for c in colours if f"passengers-{c}" in sent}
    if not set(counts) <= set(colours):
        raise BadRequestError("web.error.field", field="passengers")
    return {
        "player": player,
        "passengers": {c: _number(v, "passengers") for c, v in counts.items()},
    }


def _flags(sent: Sent, state: TableState, _board: Board | None) -> Payload:
    return {"player": _player(sent, state), "flags": _number(sent.get("flags"), "flags")}


def read_stateless(action: str, sent: Sent) -> Payload:
    """The payload of one of STATELESS.

    An undo may name the step that is meant and say that somebody was asked; the others need
    nothing but their name. Raises BadRequestError.
    """
    payload: Payload = {}
    if action != "undo":
        return payload
    if "step" in sent:
        payload["step"] = _step(sent["step"])
    if sent.get("really") not in (None, False, "", "off"):
        payload["really"] = True
    return payload


def _step(value: object) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRequestError("web.error.field", field="step")
    return int(text)


def _text(sent: Sent, field: str) -> str:
    value = sent.get(field)
    if not isinstance(value, str) or not value:
        raise BadRequestError("web.error.field", field=field)
    return value


def _one_of(sent: Sent, field: str, known: tuple[str, ...]) -> str:
    value = _text(sent, field)
    if value not in known:
        raise BadRequestError("web.error.field", field=field)
    return value


def _number(value: object, field: str) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if not 0 <= number <= 99:
        raise BadRequestError("web.error.number", field=field)
    return number


def _player(sent: Sent, state: TableState, field: str = "player") -> str:
    colour = _text(sent, field)
    if colour not in {player["colour"] for player in state["players"]}:
        raise BadRequestError("web.error.player", colour=colour[:40])
    return colour


def _route(sent: Sent, board: Board | None) -> str:
    name = _text(sent, "route")
    if board is None or name not in board.route_by_id:
        raise BadRequestError("web.error.route", route=name[:80])
    return name


def _known_ticket(name: str, board: Board | None) -> str:
    if board is None or name not in board.ticket_by_id:
        raise BadRequestError("web.error.ticket", ticket=name[:80])
    return name


_READERS: Mapping[str, Callable[[Sent, TableState, Board | None], Payload]] = MappingProxyType(
    {
        "start": _start,
        "show": _show,
        "upload-photo": _upload,
        "confirm-route": _confirm,
        "correct-route": _correct,
        "add-ticket": _ticket,
        "remove-ticket": _ticket,
        "set-tickets": _tickets,
        "set-passengers": _passengers,
        "set-flags": _flags,
        "press": _press,
    }
)
