"""What players of a game without a map type: tickets and figures, from a form or a document.

Every reader raises BadRequestError, with the field, where what was typed makes no sense.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from scoring.board.spellings import fold
from scoring.game.rules import BIG_CITIES, CARD_COLOURS
from scoring.language import Message
from web.errors import BadRequestError
from web.names import one_line
from web.sent.documents import read_json
from web.sent.fields import Sent, fitting, number_in, read_all

PLACE_LENGTH = 40
"""Letters of a place's name, longer than any printed one."""

BONUS_LENGTH = 24

MOST_POINTS = 100

TICKET_KEYS = frozenset({"id", "from", "to", "points", "completed", "cards"})

LENGTHS: tuple[str, ...] = tuple(str(length) for length in range(1, 10))
"""Lengths of routes that any printed board has."""

KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "route_lengths": LENGTHS,
        "cards": CARD_COLOURS,
        "route_points": LENGTHS,
        "big_cities": BIG_CITIES,
    }
)
"""What the numbers of a table of counts or points may belong to."""

STATED: Mapping[str, bool | None] = {"yes": True, "no": False, "": None}
"""What a form says of a ticket: completed, not completed, nothing."""


def mapless_ticket(sent: Sent) -> dict[str, Any]:
    """A ticket from the fields of a form: value, two places, recipe, completed or not.

    Raises BadRequestError.
    """
    parts: dict[str, dict[str, Any]] = read_all(
        {
            "places": lambda: _places(sent),
            "points": lambda: {"points": number(sent.get("points"), "points", MOST_POINTS)},
            "recipe": lambda: _recipe(sent),
        }
    )
    return {**parts["places"], **parts["points"], **parts["recipe"]}


def _places(sent: Sent) -> dict[str, str]:
    """Both places of a ticket, or none."""
    places = read_all({end: partial(clean_place, sent.get(end), end) for end in ("from", "to")})
    blank = [end for end, place in places.items() if not place]
    if len(blank) == 1:
        raise BadRequestError("web.error.one-place").at(*blank)
    if fold(places["from"]) == fold(places["to"]) != "":
        raise BadRequestError("web.error.same-place", place=places["from"]).at("to")
    return {} if blank else places


def _recipe(sent: Sent) -> dict[str, Any]:
    """A ticket's cards, and whether it is said to be completed: one of them at least."""
    recipe = counts_from(sent, "recipe", CARD_COLOURS, {})
    cards = {colour: count for colour, count in recipe.items() if count}
    stated = completed(sent.get("completed"))
    if stated is None and "completed" in sent and not cards:
        raise BadRequestError("web.error.recipe-missing")
    said = {} if stated is None else {"completed": stated}
    return said | ({"cards": cards} if cards else {})


def sent_ticket(value: object) -> dict[str, Any]:
    """A ticket that was sent whole, as a JSON object or as one in text; raises BadRequestError."""
    if isinstance(value, str):
        value = read_json(value, "web.error.field-wrong", field=named("ticket"))
    if not isinstance(value, dict) or not value or not set(value) <= TICKET_KEYS:
        raise wrong("ticket")
    return value


def completed(value: object) -> bool | None:
    """Whether a ticket is said to be completed; None: nothing is said."""
    if value is None or isinstance(value, bool):
        return value
    if str(value) not in STATED:
        raise wrong("completed")
    return STATED[str(value)]


def clean_place(value: object, field: str) -> str:
    """A place's name in one line; raises BadRequestError for a long one."""
    return fitting(one_line(str(value or "")), PLACE_LENGTH, field)


def counts_from(
    sent: Sent, name: str, keys: Sequence[str], before: Mapping[str, int]
) -> dict[str, int]:
    """All counts as NAME, or some as fields NAME-KEY, the others as they were."""
    whole = sent.get(name)
    if not isinstance(whole, Mapping | None):
        raise wrong(name)
    counts = dict(before) if whole is None else {str(key): count for key, count in whole.items()}
    counts |= {key: sent[f"{name}-{key}"] for key in keys if f"{name}-{key}" in sent}
    if not set(counts) <= set(keys):
        raise wrong(name)
    return _numbers({key: count or 0 for key, count in counts.items()}, name, 99)


def points_from(sent: Sent, name: str, keys: Sequence[str]) -> dict[str, int]:
    """Points as NAME, or as fields NAME-KEY; a key whose field is left blank has none."""
    whole = sent.get(name)
    given = whole if isinstance(whole, Mapping) else {}
    given = {**given, **{key: sent[f"{name}-{key}"] for key in keys if f"{name}-{key}" in sent}}
    if not given or not set(map(str, given)) <= set(keys):
        raise wrong(name)
    filled = {str(key): value for key, value in given.items() if str(value).strip() != ""}
    return _numbers(filled, name, MOST_POINTS)


def _numbers(values: Mapping[str, object], name: str, most: int) -> dict[str, int]:
    """A table of numbers, each of which has a field NAME-KEY in a form."""
    return read_all(
        {k: partial(number, value, name, most, f"{name}-{k}") for k, value in values.items()}
    )


def bonuses_from(sent: Sent, before: Mapping[str, int]) -> dict[str, int]:
    """All bonuses as `bonuses`, or one to add (`bonus` and its `points`) or to `remove`.

    Raises BadRequestError.
    """
    whole = sent.get("bonuses")
    if isinstance(whole, Mapping):
        bonuses = {
            _bonus_name(key): number(value, "bonuses", MOST_POINTS) for key, value in whole.items()
        }
        if len(bonuses) < len(whole):
            raise wrong("bonuses")
        return bonuses
    if sent.get("remove"):
        return {name: points for name, points in before.items() if name != sent["remove"]}
    new: dict[str, Any] = read_all(
        {
            "name": lambda: _bonus_name(sent.get("bonus")),
            "points": lambda: number(sent.get("points"), "points", MOST_POINTS),
        }
    )
    return {**before, new["name"]: new["points"]}


def _bonus_name(value: object) -> str:
    """Raises BadRequestError for none, and for a long one."""
    name = fitting(one_line(str(value or "")), BONUS_LENGTH, "bonus")
    if not name:
        raise BadRequestError("web.error.bonus-name").at("bonus")
    return name


def number(value: object, field: str, most: int = 99, at: str | None = None) -> int:
    """A whole number from 0 on; raises BadRequestError, told at the form's field `at`."""
    return number_in(value, at or field, named(field), most)


def named(field: str) -> Message:
    """What a field is called on the page."""
    return Message(f"web.field.{field}")


def wrong(field: str) -> BadRequestError:
    """The error of a field that is missing or holds something else."""
    return BadRequestError("web.error.field-wrong", field=named(field))
