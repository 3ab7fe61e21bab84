"""The types of an event's fields: how each is checked in JSON and what a request calls it.

The values may come from a damaged log or from any program in the network. A type is an `Annotated`
with a FieldType; `read_as` builds the reader of any type from these. Every reader returns the value
in its right type or raises FieldError.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.session.json_values import (
    FieldError,
    boolean,
    document,
    free,
    items,
    probability,
    seconds,
    table,
    text,
    text_or_none,
    whole_number,
)
from scoring.language import Message

PHASES: tuple[str, ...] = ("start", "look", "doubts", "tickets", "sheet")
"""Where a tally stands, in order: the panel's words."""

T = TypeVar("T")
Reader = Callable[[object], Any]


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a field holds.

    `read` reads it from JSON (None: as its Python type says), `sent_as` is its name in a request
    of the panel (None: the panel never sends it).
    """

    name: str
    read: Reader | None = None
    sent_as: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass; `kind` is None where a plain Python type says everything."""

    name: str
    kind: FieldType | None
    read: Reader
    is_needed: bool

    @property
    def sent_as(self) -> str | None:
        """Its name in a request, None if the panel never sends it."""
        return self.kind.sent_as if self.kind is not None else None


def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a dataclass, in order."""
    if cls not in _FIELDS:
        _FIELDS[cls] = _described(cls)
    return _FIELDS[cls]


_FIELDS: dict[type, tuple[Field, ...]] = {}
"""Worked out once for each dataclass."""


def _described(cls: Any) -> tuple[Field, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(
        Field(
            one.name,
            _kind_of(hints[one.name]),
            reader_of(hints[one.name]),
            one.default is MISSING and one.default_factory is MISSING,
        )
        for one in fields(cls)
    )


def read_as(cls: type[T], value: object) -> T:
    """The dataclass from its JSON object; a field with a default may be missing (older logs)."""
    known = document(value)
    read: dict[str, Any] = {}
    for one in fields_of(cls):
        if one.name in known:
            read[one.name] = one.read(known[one.name])
        elif one.is_needed:
            raise FieldError("companion.field.missing", names=one.name)
    return cls(**read)


def reader_of(hint: Any) -> Reader:
    """The reader of a type: a FieldType's own, else what the type itself says."""
    kind = _kind_of(hint)
    if kind is not None:
        return kind.read or reader_of(get_args(hint)[0])
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: read_as(hint, value)
    if get_origin(hint) in (Union, UnionType):
        return _reader_of_optional(get_args(hint))
    if get_origin(hint) is tuple:
        return _reader_of_tuple(get_args(hint))
    if get_origin(hint) is Mapping:
        inner = reader_of(get_args(hint)[1])
        return lambda value: table(value, inner)
    return _PLAIN[hint]


def _kind_of(hint: Any) -> FieldType | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((one for one in get_args(hint)[1:] if isinstance(one, FieldType)), None)


def _reader_of_optional(options: tuple[Any, ...]) -> Reader:
    (only,) = (reader_of(option) for option in options if option is not NoneType)
    return lambda value: None if value is None else only(value)


def _reader_of_tuple(parts: tuple[Any, ...]) -> Reader:
    """Any number of one type (`tuple[str, ...]`), or exactly these (`tuple[str, float]`)."""
    if parts[-1] is Ellipsis:
        inner = reader_of(parts[0])
        return lambda value: items(value, inner)
    readers = tuple(reader_of(part) for part in parts)

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(readers):
            raise FieldError("companion.field.no-list-of", count=len(readers))
        return tuple(one(item) for one, item in zip(readers, value, strict=True))

    return read


def ticket(value: object) -> Any:
    """A ticket by its id, by its two places, or typed; a newer program may add fields to one."""
    match value:
        case str():
            return text(value)
        case [str(), str()]:
            return list(items(value, text))
        case dict():
            return {name: _TICKET.get(name, free)(one) for name, one in table(value, free).items()}
        case _:
            raise FieldError("companion.field.no-ticket")


def phase(value: object) -> str:
    """A phase that pages and box can be moved to: any but the first and the last."""
    if value not in PHASES[1:-1]:
        raise FieldError("companion.field.no-phase")
    return text(value)


def passenger_counts(value: object) -> Mapping[str, int]:
    """Passengers by colour."""
    return table(value, whole_number)


def wagons(value: object) -> int | None:
    """A count of wagons, or nothing where nobody has counted."""
    return None if value is None else whole_number(value)


def markers(value: object) -> Mapping[str, int]:
    """Fields of the score track by the marker's colour."""
    return table(value, whole_number)


def settings(value: object) -> Mapping[str, Any]:
    """Settings by name; their values are checked by `scoring`."""
    return table(value, free)


def message(value: object) -> Message:
    """A sentence of the catalogue; a newer version may know others, which cannot be told here."""
    try:
        read = Message.from_json(free(value))
    except ValueError as error:
        raise FieldError("companion.field.no-message") from error
    return read if read.can_be_told() else Message("companion.notice.unknown")


_TICKET: Mapping[str, Reader] = {
    "id": text,
    "from": text,
    "to": text,
    "points": whole_number,
    "completed": boolean,
    "cards": lambda value: table(value, whole_number),
}
"""The fields of a typed ticket, as `GAME.json` writes them."""

_PLAIN: Mapping[Any, Reader] = {str: text, bool: boolean, int: whole_number, Any: free}

EveningId = Annotated[str, FieldType("evening", text, sent_as="evening")]
EveningIds = Annotated[tuple[str, ...], FieldType("evenings")]
Seconds = Annotated[int, FieldType("seconds", seconds)]
Alias = Annotated[str, FieldType("alias", text, sent_as="alias")]
PersonName = Annotated[str, FieldType("person", text, sent_as="person")]
BoardId = Annotated[str, FieldType("board", text, sent_as="board")]
PlayerColour = Annotated[str, FieldType("colour", text, sent_as="player")]
FreeColour = Annotated[str, FieldType("free-colour", text, sent_as="colour")]
PlayerName = Annotated[str, FieldType("name", text, sent_as="name")]
RouteId = Annotated[str, FieldType("route", text, sent_as="route")]
TrackLine = Annotated[str, FieldType("track-line", text, sent_as="route")]
Wagons = Annotated[int | None, FieldType("wagons", wagons, sent_as="wagons")]
Markers = Annotated[Mapping[str, int], FieldType("markers", markers, sent_as="markers")]
RouteOwner = Annotated[str | None, FieldType("owner", text_or_none, sent_as="owner")]
PlaceLines = Annotated[tuple[str, ...], FieldType("lines", sent_as="routes")]
LineOwners = Annotated[
    tuple[str | None, ...],
    FieldType("owners", lambda value: items(value, text_or_none), sent_as="owners"),
]
Ticket = Annotated[Any, FieldType("ticket", ticket, sent_as="ticket")]
PassengerCounts = Annotated[
    Mapping[str, int], FieldType("passengers", passenger_counts, sent_as="passengers")
]
Phase = Annotated[str, FieldType("phase", phase, sent_as="phase")]
CameraUsed = Annotated[bool, FieldType("camera", boolean, sent_as="camera")]
Settings = Annotated[Mapping[str, Any], FieldType("settings", settings, sent_as="settings")]
ReadableMessage = Annotated[Message, FieldType("message", message)]
Probability = Annotated[float, FieldType("probability", probability)]
