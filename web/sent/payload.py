"""What a browser or program sent, checked and turned into the payload of an action."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from scoring.board.spellings import place_meant, places_by_spelling
from scoring.language import Message
from web.errors import BadRequestError
from web.ports import Action, GameInPlay
from web.sent.fields import (
    LEFT_OUT,
    Request,
    Sent,
    flag_reader,
    number_in,
    object_in,
    one_of,
    read_all,
    text_in,
    whole_reader,
    words_in,
)
from web.sent.mapless_entries import (
    KEYS,
    bonuses_from,
    completed,
    counts_from,
    mapless_ticket,
    points_from,
    sent_ticket,
    wrong,
)
from web.sent.players import read_board, read_name, read_players
from web.sent.typed_values import (
    SETTING,
    known_or_typed,
    read_markers,
    read_settings,
    read_ticket,
    read_wagons,
)
from web.table_state import BUTTONS, PHASES_TO_SHOW

Payload = dict[str, Any]


def known_action(name: str, actions: Mapping[str, Action]) -> Action:
    """The action of that name; raises BadRequestError."""
    if name not in actions:
        raise BadRequestError("web.error.action", action=name[:40])
    return actions[name]


def read_payload(action: Action, sent: Sent, in_play: Callable[[], GameInPlay]) -> Payload:
    """The payload of an action, from a form or a JSON document.

    Raises BadRequestError with everything that is missing, wrong or not in play.
    """
    request = Request(sent, in_play)
    payload = read_all({name: partial(FIELDS[name], request) for name in action.fields})
    return {name: value for name, value in payload.items() if value is not LEFT_OUT}


def _evening(request: Request) -> str:
    sent = text_in(request.sent, "evening")
    if not (sent.isascii() and sent.isdecimal() and len(sent) < 20):
        raise BadRequestError("web.error.evening")
    return sent


def _camera(request: Request) -> bool:
    return request.sent.get("camera", False) not in (False, "", "off", None)


def _phase(request: Request) -> str:
    return one_of(request.sent, "phase", PHASES_TO_SHOW)


def _button(request: Request) -> str:
    return one_of(request.sent, "button", BUTTONS)


def _images(request: Request) -> list[bytes]:
    sent = request.sent.get("images")
    images = (
        [one for one in sent if isinstance(one, bytes) and one] if isinstance(sent, list) else []
    )
    if not images:
        raise BadRequestError("web.error.no-photo")
    return images


def _owner(request: Request) -> str | None:
    """A player's colour, or nobody; a route becomes nobody's only where that is said."""
    if "owner" not in request.sent:
        raise BadRequestError("web.error.field", field="owner")
    if request.sent["owner"] in (None, "", "nobody"):
        return None
    return _colour_in_play(request, "owner")


def _owners(request: Request) -> list[str | None]:
    """An owner for each line, as a list or as words in one text: a colour, or nobody."""
    return [
        _owner(Request({"owner": one}, lambda: request.game)) for one in words_in(request, "owners")
    ]


def _routes(request: Request) -> list[str]:
    return [
        _route(Request({"route": one}, lambda: request.game)) for one in words_in(request, "routes")
    ]


def _player(request: Request) -> str:
    return _colour_in_play(request, "player")


def _colour(request: Request) -> str:
    """A colour of the board in play; the table knows whether it is free."""
    colour, board = text_in(request.sent, "colour"), request.game.board
    if board is None or colour not in board.player_colours:
        raise BadRequestError("web.error.colour", colour=colour[:40])
    return colour


def _route(request: Request) -> str:
    name, board = text_in(request.sent, "route"), request.game.board
    if board is None or name not in board.route_by_id:
        raise BadRequestError("web.error.route", route=name[:80])
    return name


def _ticket(request: Request) -> object:
    if request.is_mapless:
        return _ticket_without_map(request.sent.get("ticket"), request)
    return read_ticket(request.sent, request.game.board)


def _tickets(request: Request) -> list[object]:
    tickets = request.sent.get("tickets")
    if not isinstance(tickets, list):
        raise BadRequestError("web.error.field", field="tickets")
    if request.is_mapless:
        return [_ticket_without_map(ticket, request) for ticket in tickets]
    return [known_or_typed(ticket, request.game.board) for ticket in tickets]


def _ticket_without_map(ticket: object, request: Request) -> object:
    """A ticket of the set by its id, one that is sent whole, or one typed into a form."""
    if ticket in (None, ""):
        return mapless_ticket(request.sent)
    if isinstance(ticket, str) and not ticket.startswith("{"):
        return known_or_typed(ticket, request.game.board)
    return sent_ticket(ticket)


def _completed(request: Request) -> bool | None:
    return completed(request.sent.get("completed"))


def _counts(name: str) -> Callable[[Request], object]:
    """Reads a figure that is a table of counts."""

    def read(request: Request) -> dict[str, int]:
        known = any(key == name or key.startswith(f"{name}-") for key in request.sent)
        if not known:
            raise wrong(name)
        before = request.figures.get(name, {})
        return counts_from(request.sent, name, KEYS[name], before)

    return read


def _stations(request: Request) -> int | list[str]:
    """How many are left; on a map the cities, as `stations` or one more `city` or less `remove`."""
    sent, board = request.sent, request.game.board
    built = request.figures.get("stations", [])
    before = [str(city) for city in built] if isinstance(built, list | tuple) else []
    if isinstance(sent.get("stations"), list):
        return [text_in({"city": city}, "city") for city in sent["stations"]]
    if "remove" in sent:
        return [city for city in before if city != sent["remove"]]
    if "city" in sent and board is not None:
        city = text_in(sent, "city")
        return list(dict.fromkeys([*before, place_meant(places_by_spelling(board), city) or city]))
    return number_in(sent.get("stations"), "stations", Message("web.hand.stations"))


def _bonuses(request: Request) -> dict[str, int]:
    return bonuses_from(request.sent, request.figures.get("bonuses", {}))


def _points(name: str) -> Callable[[Request], object]:
    """Reads points that are printed on the table's own board or cards."""

    def read(request: Request) -> dict[str, int]:
        return points_from(request.sent, name, KEYS[name])

    return read


def _passengers(request: Request) -> dict[str, int]:
    """All counts as `passengers`, or some as fields `passengers-COLOUR`, the others unchanged."""
    sent, game = request.sent, request.game
    colours = () if game.board is None else tuple(game.board.passengers_in_bag)
    if not colours:
        raise BadRequestError("web.error.no-passengers" if game.board else "web.error.no-game")
    counts = dict(game.passengers.get(str(sent.get("player")), {}))
    whole = object_in(sent, "passengers")
    if whole is not None:
        counts = {str(colour): number for colour, number in whole.items()}
    counts |= {c: sent[f"passengers-{c}"] for c in colours if f"passengers-{c}" in sent}
    if not set(counts) <= set(colours):
        raise BadRequestError("web.error.field", field="passengers")
    called = Message("web.hand.passengers")
    return read_all(
        {c: partial(number_in, n, f"passengers-{c}", called) for c, n in counts.items()}
    )


def _settings(request: Request) -> object:
    """Those of the game in play, or at a game's start those of the board that is chosen."""
    sent, game = request.sent, request.game
    named = {choice["id"]: choice for choice in game.boards}
    new = "board" in sent
    board = sent.get("board") if new else (game.board.id if game.board else None)
    choice = named.get(str(board))
    if new and "settings" not in sent and not any(name.startswith(SETTING) for name in sent):
        return LEFT_OUT
    defaults = {} if choice is None else choice.get("settings", {})
    return read_settings(sent, defaults, {} if new else game.settings)


def _markers(request: Request) -> dict[str, int]:
    return read_markers(request.sent, tuple(one["colour"] for one in request.game.players))


def _wagons(request: Request) -> int | None:
    return read_wagons(request.sent, request.game.board)


def _flags(request: Request) -> int:
    return number_in(request.sent.get("flags"), "flags", Message("web.hand.flags"))


def _colour_in_play(request: Request, field: str) -> str:
    colour = text_in(request.sent, field)
    if colour not in {player["colour"] for player in request.game.players}:
        raise BadRequestError("web.error.player", colour=colour[:40])
    return colour


def _old_name(field: str) -> Callable[[Request], str]:
    """Reads the name of somebody who has played; it was checked when it was typed."""
    return lambda request: text_in(request.sent, field)


FIELDS: Mapping[str, Callable[[Request], object]] = MappingProxyType(
    {
        "board": read_board,
        "players": read_players,
        "camera": _camera,
        "phase": _phase,
        "images": _images,
        "route": _route,
        "routes": _routes,
        "owner": _owner,
        "owners": _owners,
        "player": _player,
        "colour": _colour,
        "name": read_name,
        "ticket": _ticket,
        "tickets": _tickets,
        "passengers": _passengers,
        "flags": _flags,
        "settings": _settings,
        "markers": _markers,
        "wagons": _wagons,
        "stations": _stations,
        "bonuses": _bonuses,
        "completed": _completed,
        "route_lengths": _counts("route_lengths"),
        "cards": _counts("cards"),
        "route_points": _points("route_points"),
        "big_cities": _points("big_cities"),
        "button": _button,
        "step": whole_reader("step"),
        "after": whole_reader("after"),
        "playing": flag_reader("playing"),
        "really": flag_reader("really"),
        "evening": _evening,
        "alias": _old_name("alias"),
        "person": _old_name("person"),
    }
)
"""How each field is read, whatever action it belongs to."""
