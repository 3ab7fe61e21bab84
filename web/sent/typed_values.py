"""Reads what people type freely: a ticket that the board doesn't have, settings, markers, wagons.

Every function raises BadRequestError with one sentence that says what is wrong.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from scoring.board.board import Board
from scoring.board.spellings import fold, place_meant, places_by_spelling
from scoring.documents.settings_in_words import ONE_OF
from scoring.documents.ticket import MOST_TICKET_POINTS, book_of_board
from scoring.fields import nearest
from scoring.game.rules import TIE_BREAKS
from web.errors import BadRequestError
from web.sent.documents import read_json
from web.sent.fields import object_in, read_all
from web.sent.whole_numbers import whole_number

MOST_FIELDS = 999
"""No score track, no hand and no set of wagons counts further."""

SETTING = "setting-"
"""The beginning of a form's fields that hold settings."""


def read_ticket(sent: Mapping[str, Any], board: Board | None) -> Any:
    """A ticket of a request: `ticket` (an id, or a typed one), or `from`, `to` and `points`."""
    if not sent.get("ticket") and ("from" in sent or "to" in sent):
        return typed_ticket(sent, board)
    return known_or_typed(sent.get("ticket"), board)


def known_or_typed(value: object, board: Board | None) -> Any:
    """The id of a ticket of the board, its two places, or a typed one as an object or JSON text."""
    if isinstance(value, str) and value.startswith("{"):
        value = read_json(value, "web.error.field", field="ticket")
    if isinstance(value, Mapping):
        return typed_ticket(value, board)
    if isinstance(value, list):
        return _ticket_between(value, board)
    if not isinstance(value, str) or not value:
        raise BadRequestError("web.error.field", field="ticket")
    if board is None or value not in board.ticket_by_id:
        raise BadRequestError("web.error.ticket", ticket=value[:80])
    return value


def _ticket_between(places: list[object], board: Board | None) -> str:
    """The id of the board's only ticket of these two places, in either order."""
    if board is None or len(places) != 2:
        raise BadRequestError("web.error.field", field="ticket")
    ends = _places({"from": places[0], "to": places[1]}, board)
    ticket = book_of_board(board).by_places.get(frozenset(ends))
    if ticket is None or ticket.id is None:
        raise BadRequestError("web.error.ticket", ticket=" – ".join(map(str, places))[:80])
    return ticket.id


def typed_ticket(sent: Mapping[str, Any], board: Board | None) -> Any:
    """Two places and a value; the id of the board's own ticket where that is the very same."""
    if board is None:
        raise BadRequestError("web.error.no-game")
    parts: dict[str, Any] = read_all(
        {"places": partial(_places, sent, board), "points": partial(_ticket_points, sent)}
    )
    (first, second), points = parts["places"], parts["points"]
    ticket = book_of_board(board).by_places.get(frozenset((first, second)))
    if ticket is not None and ticket.points == points:
        return ticket.id
    return {"from": first, "to": second, "points": points}


def _places(sent: Mapping[str, Any], board: Board) -> tuple[str, str]:
    places = read_all({end: partial(_place, sent, end, board) for end in ("from", "to")})
    if places["from"] == places["to"]:
        place = board.place_by_id[places["from"]].name
        raise BadRequestError("web.error.same-place", place=place).at("to")
    return places["from"], places["to"]


def _ticket_points(sent: Mapping[str, Any]) -> int:
    points = _number(sent.get("points"), MOST_TICKET_POINTS)
    if not points:
        raise BadRequestError("web.error.ticket-points", most=MOST_TICKET_POINTS).at("points")
    return points


def _place(sent: Mapping[str, Any], end: str, board: Board) -> str:
    """A place's id from its id or its name, however it is written."""
    value = sent.get(end)
    typed = value.strip() if isinstance(value, str) else ""
    if not typed:
        raise BadRequestError("web.error.place-missing").at(end)
    if typed in board.place_by_id:
        return typed
    known = place_meant(places_by_spelling(board), typed)
    if known is not None:
        return known
    names = {fold(place.name): place for place in board.places}
    likely = [name for name in names if name.startswith(fold(typed))]
    meant = likely[0] if likely else nearest(fold(typed), names, 0.6)
    if meant is None:
        raise BadRequestError("web.error.place", place=typed[:40]).at(end)
    near = BadRequestError("web.error.place-near", place=typed[:40], meant=names[meant].name)
    raise near.at(end)


def read_settings(
    sent: Mapping[str, Any], defaults: Mapping[str, Any], present: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings as a whole object `settings`, or the form's fields, the others unchanged.

    What is as the rulebooks' default is left out.
    """
    whole = object_in(sent, "settings")
    if whole is not None:
        return dict(whole)
    typed = read_all(
        {
            name: partial(_setting, name, sent[SETTING + name], default)
            for name, default in defaults.items()
            if SETTING + name in sent
        }
    )
    merged = {**present, **typed}
    return {n: value for n, value in merged.items() if n not in defaults or value != defaults[n]}


def _setting(name: str, value: object, default: object) -> Any:
    if isinstance(default, bool) and value in ("yes", "no"):
        return value == "yes"
    if isinstance(value, str) and value in ONE_OF.get(name, ()):
        return value
    if isinstance(default, list) and isinstance(value, str):
        words = value.split()
        if set(words) <= set(TIE_BREAKS):
            return words
    if type(default) is int:
        number = _number(value, MOST_FIELDS)
        if number is not None and (name != "score-track" or number >= 10):
            return number
        raise BadRequestError("web.error.setting-number", most=MOST_FIELDS).at(SETTING + name)
    raise BadRequestError("web.error.field", field=name)


def read_markers(sent: Mapping[str, Any], colours: tuple[str, ...]) -> dict[str, int]:
    """Where the markers stand: an object `markers`, or a form's fields `marker-COLOUR`.

    A blank field means that nobody has looked at that marker; without any field none is forgotten.
    """
    if not any(field == "markers" or field.startswith("marker-") for field in sent):
        raise BadRequestError("web.error.field", field="markers")
    whole = object_in(sent, "markers")
    if whole is None:
        whole = {
            c: sent[f"marker-{c}"] for c in colours if sent.get(f"marker-{c}") not in ("", None)
        }
    if not set(whole) <= set(colours):
        raise BadRequestError("web.error.field", field="markers")
    return read_all({str(colour): partial(_field, colour, at) for colour, at in whole.items()})


def _field(colour: str, value: object) -> int:
    number = _number(value, MOST_FIELDS)
    if number is None:
        raise BadRequestError("web.error.marker", most=MOST_FIELDS).at(f"marker-{colour}")
    return number


def read_wagons(sent: Mapping[str, Any], board: Board | None) -> int | None:
    """Wagons counted before a player; blank: the count is dropped."""
    if "wagons" not in sent:
        raise BadRequestError("web.error.field", field="wagons")
    value = sent["wagons"]
    if value in (None, ""):
        return None
    most = 0 if board is None else board.wagons_per_player
    number = _number(value, most)
    if number is None:
        raise BadRequestError("web.error.wagons", most=most).at("wagons")
    return number


def _number(value: object, most: int) -> int | None:
    """A whole number from 0 to `most`, None where it is none."""
    return whole_number(str(value).strip(), most)
