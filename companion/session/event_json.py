"""Events as JSON documents, and back with every field checked: a log may be damaged, or newer."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from companion.session.event_fields import (
    FieldError,
    boolean,
    field,
    free,
    items,
    probability,
    table,
    text,
    text_or_none,
    whole_number,
)
from companion.session.events import (
    PHASES,
    Event,
    EventError,
    Finished,
    Notice,
    PassengersSet,
    Player,
    PlayerRenamed,
    Proposal,
    PutAway,
    ReadingProposed,
    Redone,
    Reopened,
    RouteConfirmed,
    RouteCorrected,
    SettingsSet,
    Shown,
    Started,
    TicketAdded,
    TicketRemoved,
    TicketsSet,
    TypedSet,
    Undone,
    UnknownEventError,
)
from scoring.language import Message


def event_to_json(event: Event) -> dict[str, Any]:
    """The event's fields as a JSON document, without its kind."""
    return {name: _plain(getattr(event, name)) for name in event.__slots__}


def event_from_json(kind: str, data: Any) -> Event:
    """Build an event from its kind and document; raises EventError."""
    if kind not in _READERS:
        raise UnknownEventError(
            f"unknown event {kind!r}; a newer version of Companion may have written it"
        )
    try:
        return _READERS[kind](data)
    except FieldError as error:
        raise EventError(f"event {kind!r} is damaged: {error}") from error


def _plain(value: Any) -> Any:
    """Dataclasses and tuples as JSON objects and lists, at any depth."""
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Player | Proposal | Notice):
        return {name: _plain(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _read_started(data: Any) -> Started:
    players = items(field(data, "players"), _read_player)
    settings = table(field(data, "settings"), free)
    return Started(text(field(data, "board")), players, settings, boolean(field(data, "camera")))


def _read_player(data: Any) -> Player:
    return Player(text(field(data, "name")), text(field(data, "colour")))


def _read_shown(data: Any) -> Shown:
    phase = text(field(data, "phase"))
    if phase not in PHASES[1:-1]:
        raise FieldError("no phase of a tally")
    return Shown(phase)


def _read_proposed(data: Any) -> ReadingProposed:
    return ReadingProposed(
        table(field(data, "routes"), _read_proposal),
        boolean(field(data, "whole")),
        items(field(data, "notices"), _read_notice),
    )


def _read_notice(data: Any) -> Notice:
    routes = items(field(data, "routes"), text)
    return Notice(text(field(data, "code")), _read_message(data), routes)


def _read_message(notice: Any) -> Message:
    """A notice's sentence. Earlier versions wrote it in English; newer ones may know others."""
    if "text" in notice:
        return Message("companion.notice.plain", text=text(notice["text"]))
    try:
        message = Message.from_json(free(field(notice, "message")))
    except ValueError as error:
        raise FieldError("no message") from error
    return message if message.can_be_told() else Message("companion.notice.unknown")


def _read_proposal(data: Any) -> Proposal:
    return Proposal(
        text_or_none(field(data, "owner")),
        probability(field(data, "confidence")),
        boolean(field(data, "review")),
        items(field(data, "alternatives"), _read_alternative),
    )


def _read_alternative(data: Any) -> tuple[str | None, float]:
    if not isinstance(data, list) or len(data) != 2:
        raise FieldError("no owner with a probability")
    return text_or_none(data[0]), probability(data[1])


def _read_ticket(data: Any) -> Any:
    """A ticket by its id, by its two places, or typed."""
    if not isinstance(data, str | list | dict):
        raise FieldError("no ticket")
    return free(data)


def _read_typed(data: Any) -> TypedSet:
    name, value = text(field(data, "name")), free(field(data, "value"))
    return TypedSet(_colour(data), name, whole_number(value) if name == "flags" else value)


def _colour(data: Any) -> str:
    return text(field(data, "colour"))


def _route(data: Any) -> str:
    return text(field(data, "route"))


def _tickets(data: Any) -> tuple[Any, ...]:
    return items(field(data, "tickets"), _read_ticket)


def _ticket(data: Any) -> Any:
    return _read_ticket(field(data, "ticket"))


def _passengers(data: Any) -> Mapping[str, int]:
    return table(field(data, "passengers"), whole_number)


_READERS: Mapping[str, Callable[[Any], Event]] = MappingProxyType(
    {
        "started": _read_started,
        "put-away": lambda data: PutAway(),
        "shown": _read_shown,
        "reading-proposed": _read_proposed,
        "route-confirmed": lambda data: RouteConfirmed(_route(data)),
        "route-corrected": lambda data: RouteCorrected(
            _route(data), text_or_none(field(data, "owner"))
        ),
        "tickets-set": lambda data: TicketsSet(_colour(data), _tickets(data)),
        "ticket-added": lambda data: TicketAdded(_colour(data), _ticket(data)),
        "ticket-removed": lambda data: TicketRemoved(_colour(data), _ticket(data)),
        "passengers-set": lambda data: PassengersSet(_colour(data), _passengers(data)),
        "typed-set": _read_typed,
        "settings-set": lambda data: SettingsSet(table(field(data, "settings"), free)),
        "player-renamed": lambda data: PlayerRenamed(_colour(data), text(field(data, "name"))),
        "finished": lambda data: Finished(),
        "reopened": lambda data: Reopened(),
        "undone": lambda data: Undone(),
        "redone": lambda data: Redone(),
    }
)
