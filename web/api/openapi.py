"""The API's OpenAPI 3.1 document, made from the actions that the table knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from web.api.schemas import FIELDS, MOST_PLAYERS, Schema, Shapes
from web.ports import Action
from web.sent.once import REQUEST_ID, REQUEST_ID_PATTERN
from web.sent.uploads import MOST_PHOTOS
from web.table_state import HandTicket, TableState

VERSION = "1.0.0"

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_NUMBER_OR_NULL: Schema = {"type": ["integer", "null"]}

ERRORS: Mapping[str, str] = {
    "400": "What was sent is not what this document says",
    "403": "The sender's role does not include it, or the request comes from another site",
    "404": "There is no such thing in this game, or not yet",
    "409": "It does not fit the game in play",
    "413": "Too much was sent",
    "415": "It was not sent as JSON",
    "429": "Too many requests",
    "503": "Too many requests at once; the same one works a moment later",
    "507": "The disk of the box has no room to receive it",
}


def openapi(actions: Mapping[str, Action]) -> dict[str, Any]:
    """The document; `actions` become one path each."""
    shapes = Shapes()
    paths = {**_reading(shapes), **{_path_of(one): _acting(one) for one in actions.values()}}
    words: Schema = {"type": "string"}
    at_field = _object({"field": words, "error": words})
    shapes.components["Error"] = _object({"error": words})
    shapes.components["Error"]["properties"]["fields"] = {"type": "array", "items": at_field}
    shapes.components["Done"] = _object({"version": {"type": "integer"}})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": VERSION,
            "description": "Everything the panel does. Players are named by colour, routes, "
            "places and tickets by their ids in the board file, a ticket also by its two places.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": shapes.components},
    }


def body_schema(action: Action) -> Schema:
    """What the body of an action holds."""
    return {
        "type": "object",
        "properties": {name: FIELDS.get(name, {}) for name in action.fields},
        "required": list(action.needed),
        "additionalProperties": False,
    }


def _path_of(action: Action) -> str:
    return f"/api/v1/actions/{action.name}"


def _acting(action: Action) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": body_schema(action)}}
    if "images" in action.fields:
        image = {"type": "string", "format": "binary", "minLength": 1}
        images = {"type": "array", "items": image, "minItems": 1, "maxItems": MOST_PHOTOS}
        form = {"type": "object", "properties": {"images": images}, "required": ["images"]}
        content = {"multipart/form-data": {"schema": form}}
    return {
        "post": {
            "operationId": action.name,
            "summary": action.about,
            "tags": ["players" if action.is_for_players else "host"],
            "parameters": [
                {
                    "name": REQUEST_ID,
                    "in": "header",
                    "description": "Chosen anew for each action. The same one again does nothing.",
                    "schema": {"type": "string", "pattern": REQUEST_ID_PATTERN},
                }
            ],
            "requestBody": {"required": True, "content": content},
            "responses": {
                "200": _json("Done", {"$ref": "#/components/schemas/Done"}),
                **_errors("400", "403", "409", "413", "415", "503", "507"),
            },
        }
    }


def _reading(shapes: Shapes) -> dict[str, Any]:
    hand = shapes.of(HandTicket)
    _describe_state(shapes, hand)
    sheet = {"type": "object", "required": ["game", "players", "winners", "tie_break"]}
    return {
        "/api/v1/state": _get("state", "The table's state, without secret hands", _ref("State")),
        "/api/v1/sheet": _get("sheet", "The final sheet", sheet, ("404",)),
        "/api/v1/geometry": _get(
            "geometry", "The board's drawing, in millimetres", {"type": "object"}, ("404",)
        ),
        "/api/v1/hands/{player}": _hands(hand),
        "/api/v1/routes/{route}/crop": _get_picture(
            "crop", "The photo's piece around a route", "route", ("image/jpeg", "image/png")
        ),
        "/api/v1/boards/{board}/photo": _get_picture(
            "board-photo", "The table's own photo of an empty board, straightened", "board"
        ),
        "/api/v1/events": {
            "get": {
                "operationId": "events",
                "summary": "Server-sent events `change`: the version and what changed in the state",
                "responses": {
                    "200": {"description": "A stream", "content": {"text/event-stream": {}}},
                    "406": {"description": "The stream is not what was asked for"},
                    "503": {"description": "Too many listen"},
                },
            }
        },
        **_looking_back(),
        "/api/v1/openapi.json": _get("openapi", "This document", {"type": "object"}),
    }


def _describe_state(shapes: Shapes, hand: Schema) -> None:
    """The table's state, in which a hand that is secret has its count alone."""
    state = dict(shapes.components[_named(shapes, TableState)])
    counted = _object({"count": {"type": "integer"}})
    hands = {"anyOf": [counted, {"type": "array", "items": hand}]}
    state["properties"] = {
        **state["properties"],
        "tickets": {"type": "object", "additionalProperties": hands},
    }
    shapes.components["State"] = state
    del shapes.components["TableState"]


def _hands(hand: Schema) -> dict[str, Any]:
    player = _in_path("player")
    key = {"name": "X-Hand", "in": "header", "schema": {"type": "string"}}
    return {
        "post": {
            "operationId": "open-hand",
            "summary": "A key for a player's hand, to be sent as X-Hand; short-lived",
            "parameters": [player],
            "responses": {
                "200": _json("The key", _object({"key": {"type": "string"}})),
                **_errors("403", "404"),
            },
        },
        "get": {
            "operationId": "hand",
            "summary": "A player's tickets",
            "parameters": [player, key],
            "responses": {
                "200": _json("The tickets", {"type": "array", "items": hand}),
                **_errors("403", "404"),
            },
        },
    }


def _looking_back() -> dict[str, Any]:
    """Old evenings and statistics."""
    summary = _evening_summary()
    one = _get(
        "evening",
        "One evening with its whole sheet",
        _object({**summary, "sheet": {"type": "object"}}),
        ("404",),
        [_in_path("evening")],
    )
    chosen = [
        {"name": "board", "in": "query", "schema": _TEXT},
        {
            "name": "players",
            "in": "query",
            "schema": {"type": "integer", "minimum": 0, "maximum": MOST_PLAYERS},
        },
    ]
    listed = {"type": "array", "items": _object(summary)}
    return {
        "/api/v1/history": _get("history", "The finished evenings, the newest first", listed),
        "/api/v1/history/{evening}": one,
        "/api/v1/history/{evening}/picture": _get_picture(
            "evening-picture", "The result as a picture", "evening", ("image/png",)
        ),
        "/api/v1/statistics": _get(
            "statistics",
            "Wins, averages and bests, of all evenings or of those on a board or of a size",
            _object(_statistics()),
            ("400",),
            chosen,
        ),
    }


def _evening_summary() -> dict[str, Schema]:
    """An evening as the list has it."""
    text, number = _TEXT, _NUMBER
    result: dict[str, Schema] = {"name": text, "colour": text, "points": number, "rank": number}
    result |= {"tickets_completed": number, "longest_path": _NUMBER_OR_NULL}
    summary: dict[str, Schema] = {"evening": text, "began": text, "ended": text, "board": text}
    summary["winners"] = {"type": "array", "items": text}
    summary["players"] = {"type": "array", "items": _object(result)}
    return summary


def _statistics() -> dict[str, Schema]:
    """Figures of several evenings, and of each player over them."""
    text, number = _TEXT, _NUMBER
    best = _object({"name": text, "value": number, "evening": text})
    record: Schema = {"anyOf": [best, {"type": "null"}]}
    player: dict[str, Schema] = {"name": text, "played": number, "wins": number}
    player |= {
        "best_points": number,
        "mean_points": {"type": "number"},
        "longest_path": _NUMBER_OR_NULL,
    }
    figures: dict[str, Schema] = {"evenings": number, "mean_points": {"type": "number"}}
    figures |= {"highest": record, "closest": record}
    figures["players"] = {"type": "array", "items": _object(player)}
    return figures


def _named(shapes: Shapes, cls: type) -> str:
    shapes.of(cls)
    return cls.__name__


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _TEXT}


def _get(
    name: str,
    summary: str,
    schema: Schema,
    more: tuple[str, ...] = (),
    parameters: Sequence[Schema] = (),
) -> dict[str, Any]:
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": list(parameters),
            "responses": {"200": _json(summary, schema), **_errors("403", *more)},
        }
    }


def _get_picture(
    name: str, summary: str, of: str, kinds: Sequence[str] = ("image/jpeg",)
) -> dict[str, Any]:
    """A picture of what the last part of the address but one names."""
    picture = {"description": "The picture", "content": {kind: {} for kind in kinds}}
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": [_in_path(of)],
            "responses": {"200": picture, **_errors("403", "404")},
        }
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _json(description: str, schema: Schema) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _errors(*statuses: str) -> dict[str, Any]:
    return {status: _json(ERRORS[status], _ref("Error")) for status in statuses}
