"""What was sent with an action, and how plain fields of it are read."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from scoring.game.mapless import MaplessGame
from scoring.language import Message
from web.errors import BadRequestError
from web.ports import GameInPlay
from web.sent.whole_numbers import whole_number

LEFT_OUT = object()
"""Stands for a field that need not be sent and was not."""

Sent = Mapping[str, Any]

Read = TypeVar("Read")


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


def object_in(sent: Sent, field: str) -> Mapping[str, Any] | None:
    """The object that was sent in a field, None where none was; raises BadRequestError for anything
    else."""
    whole = sent.get(field)
    if isinstance(whole, Mapping | None):
        return whole
    raise BadRequestError("web.error.field", field=field)


def read_all(readers: Mapping[str, Callable[[], Read]]) -> dict[str, Read]:
    """What each of them reads; raises BadRequestError with everything that is wrong."""
    found: dict[str, Read] = {}
    wrong: list[BadRequestError] = []
    for name, read in readers.items():
        try:
            found[name] = read()
        except BadRequestError as error:
            wrong.append(error)
    if wrong:
        raise BadRequestError.of_all(wrong)
    return found


def text_in(sent: Sent, field: str) -> str:
    """A text that must not be empty; raises BadRequestError."""
    value = sent.get(field)
    if not isinstance(value, str) or not value:
        raise BadRequestError("web.error.field", field=field)
    return value


def fitting(name: str, longest: int, field: str) -> str:
    """The name as it is; raises BadRequestError where it has more letters than fit."""
    if len(name) > longest:
        shown = f"{name[:longest]}…"
        raise BadRequestError("web.error.name-long", name=shown, longest=longest).at(field)
    return name


def one_of(sent: Sent, field: str, known: tuple[str, ...]) -> str:
    """One of the known words; raises BadRequestError."""
    value = text_in(sent, field)
    if value not in known:
        raise BadRequestError("web.error.field", field=field)
    return value


def number_in(value: object, field: str, called: Message, most: int = 99) -> int:
    """A whole number from 0 to `most`, `called` so on the page.

    Raises BadRequestError, told at the form's field.
    """
    number = whole_number(str(value).strip(), most)
    if number is None:
        raise BadRequestError("web.error.number-to", field=called, most=most).at(field)
    return number


def words_in(request: Request, field: str) -> list[Any]:
    """A list, or the words of one text; raises BadRequestError where there is none."""
    sent = request.sent.get(field)
    words = sent.split() if isinstance(sent, str) else sent
    if not isinstance(words, list) or not words:
        raise BadRequestError("web.error.field", field=field)
    return words


def flag_reader(field: str) -> Callable[[Request], object]:
    """Reads a field that holds or is left out."""

    def read(request: Request) -> object:
        return LEFT_OUT if request.sent.get(field) in (None, False, "", "off") else True

    return read


def whole_reader(field: str) -> Callable[[Request], object]:
    """Reads a whole number that may be left out; for anything else BadRequestError is raised."""

    def read(request: Request) -> object:
        if field not in request.sent:
            return LEFT_OUT
        number = whole_number(str(request.sent[field]))
        if number is None:
            raise BadRequestError("web.error.field", field=field)
        return number

    return read
