"""JSON Schemas of what the API takes and gives, and a check of documents against them."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NotRequired, Required, Union, get_args, get_origin, get_type_hints

from web.errors import BadRequestError
from web.sent.mapless_entries import KEYS, MOST_POINTS, TICKET_KEYS
from web.table_state import BUTTONS, PHASES_TO_SHOW

Schema = Mapping[str, Any]

MOST_LETTERS = 120
"""Of any text that is sent; ids and names are shorter."""


MOST_PLAYERS = 12
"""At one table."""


def _text(**more: Any) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS, **more}


def _number(most: int) -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": most}


def _counts(most: int, names: Sequence[str] = ()) -> Schema:
    """A table of numbers, with these names only, if any are given."""
    if not names:
        return {"type": "object", "additionalProperties": _number(most)}
    known = {name: _number(most) for name in names}
    return {"type": "object", "properties": known, "additionalProperties": False}


_NULL: Schema = {"type": "null"}
_BOOLEAN: Schema = {"type": "boolean"}
_OWNER: Schema = {"anyOf": [_text(description="A player's colour"), _NULL]}
_TYPED_TICKET: Schema = {
    "type": "object",
    "description": "A ticket that the board's set does not have",
    "properties": {
        "id": _text(),
        "from": _text(),
        "to": _text(),
        "points": _number(MOST_POINTS),
        "completed": _BOOLEAN,
        "cards": _counts(99),
    },
    "minProperties": 1,
    "additionalProperties": False,
}
_TICKET: Schema = {
    "anyOf": [
        _text(description="A ticket's id in the board file"),
        {"type": "array", "items": _text(), "minItems": 2, "maxItems": 2},
        _TYPED_TICKET,
    ]
}
_PLAYER: Schema = {
    "type": "object",
    "properties": {"name": _text(description="At most 24 letters"), "colour": _text()},
    "required": ["name", "colour"],
    "additionalProperties": False,
}

FIELDS: Mapping[str, Schema] = MappingProxyType(
    {
        "board": _text(description="One of `boards` in the state, by its id"),
        "players": {"type": "array", "items": _PLAYER, "minItems": 1, "maxItems": MOST_PLAYERS},
        "camera": {"type": "boolean", "default": False},
        "evening": _text(maxLength=19, pattern="^[0-9]+$", description="An evening's number"),
        "alias": _text(description="A name of an old evening"),
        "person": _text(description="Another name of an old evening, which stands for both"),
        "phase": {"type": "string", "enum": list(PHASES_TO_SHOW)},
        "route": _text(description="A route's id in the board file"),
        "routes": {"type": "array", "items": _text(), "minItems": 1, "maxItems": 12},
        "owner": _OWNER,
        "owners": {"type": "array", "items": _OWNER, "minItems": 1, "maxItems": 12},
        "player": _text(description="A player's colour"),
        "colour": _text(description="A colour of the board that nobody plays"),
        "name": _text(description="At most 24 letters"),
        "ticket": _TICKET,
        "tickets": {"type": "array", "items": _TICKET, "maxItems": 100},
        "passengers": _counts(99),
        "flags": _number(99),
        "settings": {"type": "object"},
        "markers": _counts(999),
        "wagons": {"anyOf": [_number(99), _NULL]},
        "stations": _number(99),
        "bonuses": _counts(MOST_POINTS),
        "completed": {"anyOf": [_BOOLEAN, _NULL]},
        "route_lengths": _counts(99, KEYS["route_lengths"]),
        "cards": _counts(99, KEYS["cards"]),
        "route_points": _counts(MOST_POINTS, KEYS["route_points"]),
        "big_cities": _counts(MOST_POINTS, KEYS["big_cities"]),
        "button": {"type": "string", "enum": list(BUTTONS)},
        "step": _number(999_999_999),
        "after": _number(999_999_999),
        "playing": _BOOLEAN,
        "really": _BOOLEAN,
    }
)
"""How each field of an action is sent as JSON; `images` come as a form."""

assert set(_TYPED_TICKET["properties"]) == TICKET_KEYS


def check(value: Any, schema: Schema, where: str = "") -> Any:
    """The value with whole numbers as int; raises BadRequestError where it is not as the schema.

    Knows what the schemas here use.
    """
    if "anyOf" in schema:
        return _any_of(value, schema["anyOf"], where)
    if "type" in schema:
        _refuse_unless(_TYPES[schema["type"]](value), where)
    if "enum" in schema:
        _refuse_unless(value in schema["enum"], where)
    match value:
        case bool():
            return value
        case str():
            low, high = schema.get("minLength", 0), schema.get("maxLength", MOST_LETTERS)
            _refuse_unless(low <= len(value) <= high, where)
            _refuse_unless(re.search(schema.get("pattern", ""), value) is not None, where)
        case int() | float():
            _refuse_unless(schema.get("minimum", value) <= value, where)
            _refuse_unless(value <= schema.get("maximum", value), where)
            return int(value) if schema.get("type") == "integer" else value
        case list():
            return _checked_list(value, schema, where)
        case dict():
            return _checked_object(value, schema, where)
    return value


def _checked_list(value: list[Any], schema: Schema, where: str) -> list[Any]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    _refuse_unless(low <= len(value) <= high, where)
    inner = schema.get("items", {})
    return [check(one, inner, f"{where}/{place}") for place, one in enumerate(value)]


def _checked_object(value: dict[str, Any], schema: Schema, where: str) -> dict[str, Any]:
    _refuse_unless(len(value) >= schema.get("minProperties", 0), where)
    for name in schema.get("required", ()):
        _refuse_unless(name in value, f"{where}/{name}")
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    _refuse_unless(others is not False or set(value) <= set(known), where)
    return {
        name: check(one, known.get(name, others), f"{where}/{name}") for name, one in value.items()
    }


def _any_of(value: Any, schemas: Sequence[Schema], where: str) -> Any:
    for schema in schemas[:-1]:
        try:
            return check(value, schema, where)
        except BadRequestError:
            continue
    return check(value, schemas[-1], where)


def _refuse_unless(fits: bool, where: str) -> None:
    if not fits:
        raise BadRequestError("web.error.schema", field=where.strip("/")[:80] or "JSON")


_TYPES: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {
        "string": lambda value: isinstance(value, str),
        "boolean": lambda value: isinstance(value, bool),
        "null": lambda value: value is None,
        "array": lambda value: isinstance(value, list),
        "object": lambda value: isinstance(value, dict),
        "integer": lambda value: (
            (isinstance(value, int) and not isinstance(value, bool))
            or (isinstance(value, float) and value.is_integer())
        ),
    }
)


class Shapes:
    """Schemas of TypedDicts, collected by name for `components` of an OpenAPI document."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, hint: Any) -> Schema:
        """The schema of a type hint; what says nothing (`Any`) takes anything."""
        origin, parts = get_origin(hint), get_args(hint)
        if origin in (Required, NotRequired):
            return self.of(parts[0])
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(part) for part in parts]}
        if origin in (list, tuple, Sequence):
            return {"type": "array", "items": self.of(parts[0])}
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if hasattr(hint, "__required_keys__"):
            return self._named(hint)
        return _PLAIN.get(hint, {})

    def _named(self, cls: Any) -> Schema:
        if cls.__name__ not in self.components:
            self.components[cls.__name__] = {}  # stands for itself while it is being made
            hints = get_type_hints(cls, include_extras=True)
            self.components[cls.__name__] = {
                "type": "object",
                "properties": {name: self.of(hint) for name, hint in hints.items()},
                "required": sorted(cls.__required_keys__),
            }
        return {"$ref": f"#/components/schemas/{cls.__name__}"}


_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: _BOOLEAN,
    NoneType: _NULL,
}
