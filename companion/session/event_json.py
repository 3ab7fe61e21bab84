"""Events as JSON documents, and back with every field checked: a log may be damaged, or newer."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from companion.session.event_fields import fields_of, read_as
from companion.session.events import EVENT_OF_KIND, Event, EventError, UnknownEventError
from companion.session.json_values import FieldError
from scoring.language import Message


def event_to_json(event: Event) -> dict[str, Any]:
    """The event's fields as a JSON document, without its kind."""
    return {one.name: _plain(getattr(event, one.name)) for one in fields_of(type(event))}


def event_from_json(kind: str, data: Any) -> Event:
    """Build an event from its kind and document; raises EventError."""
    if kind not in EVENT_OF_KIND:
        raise UnknownEventError("companion.event.unknown", kind=repr(kind))
    try:
        return read_as(EVENT_OF_KIND[kind], data)
    except FieldError as error:
        raise EventError("companion.event.damaged", kind=repr(kind), reason=error) from error


def _plain(value: Any) -> Any:
    """Dataclasses and tuples as JSON objects and lists, at any depth."""
    if isinstance(value, Message):
        return value.to_json()
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields_of(type(value))}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
