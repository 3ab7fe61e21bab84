"""Who plays what, as the form or the document of a new game says it."""

from collections.abc import Mapping, Sequence
from functools import partial

from scoring.game.rules import PARIS_BY_COUNTS_ID
from web.errors import BadRequestError
from web.names import has_ink, one_line, one_spelling
from web.sent.fields import Request, Sent, fitting, read_all, text_in
from web.sent.whole_numbers import whole_number
from web.table_state import BoardChoice

NAME_LENGTH = 24
"""Letters of a player's name that fit on the panel's buttons."""

LAST = 99
"""A place in the order of play behind every other."""


def read_board(request: Request) -> str:
    """The id of a board that can be played; raises BadRequestError."""
    return _choice(request)["id"]


def read_players(request: Request) -> list[dict[str, str]]:
    """Those who play, as many and in such colours as the board has; raises BadRequestError."""
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
    if twice := _later_of_one_name(players):
        fields = [f"name-{colour}" for colour in twice]
        raise BadRequestError("web.error.name-twice").at(*fields)
    return players


def _later_of_one_name(players: Sequence[Mapping[str, str]]) -> list[str]:
    """Colours of those whose name another one before them has."""
    known: set[str] = set()
    later = []
    for player in players:
        name = one_spelling(player["name"])
        if name in known:
            later.append(player["colour"])
        known.add(name)
    return later


def read_name(request: Request) -> str:
    """A player's new name, as it is written where another has it; raises BadRequestError."""
    name = clean_name(request.sent.get("name"))
    if not name:
        raise BadRequestError("web.error.no-name").at("name")
    player = request.sent.get("player")
    others = [one["name"] for one in request.game.players if one["colour"] != player]
    return next((one for one in others if one_spelling(one) == one_spelling(name)), name)


def _choice(request: Request) -> BoardChoice:
    """The board that is meant; Paris is played by counts where nobody has taught its map."""
    name = text_in(request.sent, "board")
    choices = {choice["id"]: choice for choice in request.game.boards}
    if name == "paris" and name not in choices:
        name = PARIS_BY_COUNTS_ID
    if name not in choices:
        raise BadRequestError("web.error.board", board=name[:40])
    return choices[name]


def _players_of_form(sent: Sent, choice: BoardChoice) -> list[dict[str, str]]:
    """A form has `name-COLOUR` for each colour, blank where nobody plays it, and `seat-COLOUR`."""
    fields = {colour: f"name-{colour}" for colour in choice["player_colours"]}
    names = read_all({c: partial(clean_name, sent.get(at, ""), at) for c, at in fields.items()})
    playing = [{"name": name, "colour": colour} for colour, name in names.items() if name]
    return sorted(playing, key=lambda player: _seat(sent, player["colour"]))


def _seat(sent: Sent, colour: str) -> int:
    """A colour's place in the order of play, as a form says it; who is not told sits last."""
    seat = whole_number(str(sent.get(f"seat-{colour}", "")), LAST)
    return LAST if seat is None else seat


def _players_of_json(sent: Sent) -> list[dict[str, str]]:
    players = sent["players"]
    if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
        raise BadRequestError("web.error.field", field="players")
    cleaned = [{"name": clean_name(p.get("name")), "colour": text_in(p, "colour")} for p in players]
    if not all(player["name"] for player in cleaned):
        raise BadRequestError("web.error.field", field="name")
    return cleaned


def clean_name(sent: object, field: str = "name") -> str:
    """A player's name without invisible signs; raises BadRequestError for a long one."""
    if not isinstance(sent, str):
        return ""
    name = one_line(sent)
    return fitting(name, NAME_LENGTH, field) if has_ink(name) else ""
