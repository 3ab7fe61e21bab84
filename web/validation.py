"""What a browser or program sent, checked and turned into the payload of an action."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from scoring.game.mapless import MaplessGame
from scoring.language import Message
from web.errors import BadRequestError
from web.ports import Action, GameInPlay
from web.table_state import BUTTONS, PHASES, BoardChoice
from web.typed_entries import (
    KEYS,
    bonuses_from,
    completed,
    counts_from,
    points_from,
    sent_ticket,
    typed_ticket,
    wrong,
)
from web.typed_values import (
    SETTING,
    known_or_typed,
    read_markers,
    read_settings,
    read_ticket,
    read_wagons,
)

NAME_LENGTH = 24
"""Letters of a player's name that fit on the panel's buttons."""

LEFT_OUT = object()
"""Stands for a field that need not be sent and was not."""

Sent = Mapping[str, Any]
Payload = dict[str, Any]


class Request:
    """What was sent, and the game it is about; that is asked for only where a field needs it.

    So undo and a new game remain, whatever is wrong with the state.
    """

    def __init__(self, sent: Sent, in_play: Callable[[], GameInPlay]) -> None:
        self.sent = sent
        self._in_play = in_play

    @cached_property
    def game(self) -> GameInPlay:
        """The game in play."""
        return self._in_play()

    @property
    def is_mapless(self) -> bool:
        """Whether the game in play has no map, so that tickets are typed."""
        return isinstance(self.game.board, MaplessGame)

    @property
    def figures(self) -> Mapping[str, Any]:
        """What the player that this is about has typed so far."""
        return self.game.figures.get(str(self.sent.get("player")), {})


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
    payload: Payload = {}
    problems: list[Message] = []
    for name in action.fields:
        try:
            value = FIELDS[name](request)
        except BadRequestError as error:
            problems.append(error.message)
        else:
            if value is not LEFT_OUT:
                payload[name] = value
    if problems:
        raise BadRequestError("web.error.several", problems=tuple(dict.fromkeys(problems)))
    return payload


def _evening(request: Request) -> str:
    sent = _text(request.sent, "evening")
    if not (sent.isascii() and sent.isdecimal() and len(sent) < 20):
        raise BadRequestError("web.error.evening")
    return sent


def _board(request: Request) -> str:
    return _choice(request)["id"]


def _camera(request: Request) -> bool:
    return request.sent.get("camera", False) not in (False, "", "off", None)


def _players(request: Request) -> list[dict[str, str]]:
    """Those who play, as many and in such colours as the board has."""
    sent, choice = request.sent, _choice(request)
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
    return players


def _choice(request: Request) -> BoardChoice:
    name = _text(request.sent, "board")
    for choice in request.game.boards:
        if choice["id"] == name:
            return choice
    raise BadRequestError("web.error.board", board=name[:40])


def _players_of_form(sent: Sent, choice: BoardChoice) -> list[dict[str, str]]:
    """A form has `name-COLOUR` for each colour, blank where nobody plays it, and `seat-COLOUR`."""
    names = {
        colour: clean_name(sent.get(f"name-{colour}", "")) for colour in choice["player_colours"]
    }
    playing = [{"name": name, "colour": colour} for colour, name in names.items() if name]
    return sorted(playing, key=lambda player: _seat(sent, player["colour"]))


def _seat(sent: Sent, colour: str) -> int:
    """A colour's place in the order of play, as a form says it; who is not told sits last."""
    seat = str(sent.get(f"seat-{colour}", ""))
    return int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else 99


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


def _phase(request: Request) -> str:
    return _one_of(request.sent, "phase", PHASES[1:4])


def _button(request: Request) -> str:
    return _one_of(request.sent, "button", BUTTONS)


def _images(request: Request) -> list[bytes]:
    images = [one for one in request.sent.get("images", ()) if isinstance(one, bytes) and one]
    if not images:
        raise BadRequestError("web.error.no-photo")
    return images


def _owner(request: Request) -> str | None:
    """A player's colour, or nobody."""
    if request.sent.get("owner") in (None, "", "nobody"):
        return None
    return _colour_in_play(request, "owner")


def _owners(request: Request) -> list[str | None]:
    """An owner for each line, as a list or as words in one text: a colour, or nobody."""
    return [
        _owner(Request({"owner": one}, lambda: request.game)) for one in _words(request, "owners")
    ]


def _routes(request: Request) -> list[str]:
    return [
        _route(Request({"route": one}, lambda: request.game)) for one in _words(request, "routes")
    ]


def _words(request: Request, field: str) -> list[Any]:
    sent = request.sent.get(field)
    words = sent.split() if isinstance(sent, str) else sent
    if not isinstance(words, list) or not words:
        raise BadRequestError("web.error.field", field=field)
    return words


def _player(request: Request) -> str:
    return _colour_in_play(request, "player")


def _route(request: Request) -> str:
    name, board = _text(request.sent, "route"), request.game.board
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
        return typed_ticket(request.sent)
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


def _stations(request: Request) -> int:
    return _number(request.sent.get("stations"), "stations")


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
    counts = dict(game.passengers.get(str(sent.get("player")), {}))
    whole = sent.get("passengers")
    if isinstance(whole, Mapping):
        counts = {str(colour): number for colour, number in whole.items()}
    counts |= {c: sent[f"passengers-{c}"] for c in colours if f"passengers-{c}" in sent}
    if not set(counts) <= set(colours):
        raise BadRequestError("web.error.field", field="passengers")
    return {colour: _number(count, "passengers") for colour, count in counts.items()}


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
    return _number(request.sent.get("flags"), "flags")


def _set(field: str) -> Callable[[Request], object]:
    """A field that holds or is left out."""

    def read(request: Request) -> object:
        return LEFT_OUT if request.sent.get(field) in (None, False, "", "off") else True

    return read


def _whole(field: str) -> Callable[[Request], object]:
    """A whole number that may be left out."""

    def read(request: Request) -> object:
        if field not in request.sent:
            return LEFT_OUT
        text = str(request.sent[field])
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise BadRequestError("web.error.field", field=field)
        return int(text)

    return read


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


def _colour_in_play(request: Request, field: str) -> str:
    colour = _text(request.sent, field)
    if colour not in {player["colour"] for player in request.game.players}:
        raise BadRequestError("web.error.player", colour=colour[:40])
    return colour


FIELDS: Mapping[str, Callable[[Request], object]] = MappingProxyType(
    {
        "board": _board,
        "players": _players,
        "camera": _camera,
        "phase": _phase,
        "images": _images,
        "route": _route,
        "routes": _routes,
        "owner": _owner,
        "owners": _owners,
        "player": _player,
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
        "step": _whole("step"),
        "after": _whole("after"),
        "playing": _set("playing"),
        "really": _set("really"),
        "evening": _evening,
    }
)
"""How each field is read, whatever action it belongs to."""
