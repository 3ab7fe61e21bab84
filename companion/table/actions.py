"""The panel's actions: each is an event class, or one of the commands here that lead to events.

Everything about an action comes from its class: its name, its fields and what they may hold. A new
event that the panel may send is an action by being one of `EVENTS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

from companion.errors import RefusalError
from companion.session.event_fields import FieldType, fields_of
from companion.session.events import EVENTS, Event, TablePointsSet, TypedSet
from companion.session.json_values import FieldError, boolean, table, text, whole_number
from companion.session.typed_figures import FIGURES, POINTS
from companion.table.box import Scan, ScoreFirstPass
from companion.table.eye import Photo
from hardware.console.console import Button
from vision.errors import VisionError
from vision.images.photo import decode_photos
from web.ports import Action

Payload = Mapping[str, Any]


def _button(value: object) -> Button:
    try:
        button = Button(text(value))
    except ValueError as error:
        raise FieldError("companion.field.no-button") from error
    if button is Button.COPY:  # the panel has a page for it, which only the host may use
        raise FieldError("companion.field.no-button")
    return button


def _photos(value: object) -> tuple[Photo, ...]:
    """Decoded at once, so that whoever sent the photos hears what is wrong with them."""
    try:
        return decode_photos(value)  # type: ignore[arg-type]
    except VisionError as error:
        raise RefusalError("companion.refused.photo", reason=error) from error


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button of the virtual box."""

    action: ClassVar[str] = "press"
    turns_page: ClassVar[bool] = False

    button: Annotated[Button, FieldType("button", _button, sent_as="button")]


@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """Photos of this moment, ndarrays of shape (H, W, 3), uint8, BGR."""

    action: ClassVar[str] = "upload-photo"
    turns_page: ClassVar[bool] = False

    photos_bgr: Annotated[tuple[Photo, ...], FieldType("photos", _photos, sent_as="images")]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A request to undo: `step` where it names one, `really` where somebody was asked."""

    action: ClassVar[str] = "undo"
    turns_page: ClassVar[bool] = False

    step: Annotated[int | None, FieldType("step", whole_number, sent_as="step")] = None
    really: Annotated[bool, FieldType("really", boolean, sent_as="really")] = False


@dataclass(frozen=True, slots=True)
class ShowReveal:
    """How far the reveal of the sheet is, for all pages that show it.

    With `after` it goes on only from there: of several tablets that play it the first leads.
    """

    action: ClassVar[str] = "show-reveal"
    turns_page: ClassVar[bool] = False
    is_for_players: ClassVar[bool] = True

    step: Annotated[int, FieldType("step", whole_number, sent_as="step")]
    playing: Annotated[bool, FieldType("playing", boolean, sent_as="playing")] = False
    after: Annotated[int | None, FieldType("after", whole_number, sent_as="after")] = None


Command = Event | Scan | ScoreFirstPass | Press | Upload | TakeBack | ShowReveal
"""What an action asks for."""


COMMANDS: tuple[type[Command], ...] = (
    Scan,
    ScoreFirstPass,
    Press,
    Upload,
    TakeBack,
    ShowReveal,
)
"""Those that are no events themselves."""


@dataclass(frozen=True, slots=True)
class _Maker:
    """An action as the panel knows it, and what makes its command."""

    action: Action
    make: Callable[[Payload], Command]


def command_of(action: str, payload: Payload) -> Command:
    """What an action with its payload asks for; raises RefusalError where it is none."""
    if action not in _MAKERS:
        raise RefusalError("companion.refused.unknown-action", action=action)
    try:
        return _MAKERS[action].make(payload)
    except FieldError as error:
        raise RefusalError("companion.refused.not-an-event", reason=error) from error


def _maker(command: type[Command]) -> _Maker:
    """For a class whose fields are what the panel sends."""
    sent = {one.sent_as: one for one in fields_of(command) if one.sent_as is not None}
    for_players = getattr(command, "is_for_players", False)
    action = Action(
        command.action,
        tuple(sent),
        command.turns_page,
        tuple(name for name, one in sent.items() if one.is_needed),
        first_sentence(command.__doc__),
        for_players,
    )

    def make(payload: Payload) -> Command:
        missing = [name for name, one in sent.items() if one.is_needed and name not in payload]
        if missing:
            raise FieldError("companion.field.missing", names=", ".join(missing))
        read = {one.name: one.read(payload[n]) for n, one in sent.items() if n in payload}
        return command(**read)

    return _Maker(action, make)


def first_sentence(documentation: str | None) -> str:
    """The first line of a class's documentation, empty where a dataclass wrote its own."""
    line = (documentation or "").strip().partition("\n")[0]
    return "" if "(" in line.partition(" ")[0] else line


def _figure_maker(name: str) -> _Maker:
    """For a player's figure: the action `set-NAME` with the fields `player` and its key."""

    def make(payload: Payload) -> TypedSet:
        if "player" not in payload or name not in payload:
            raise FieldError("companion.field.missing", names=f"player, {name}")
        return TypedSet(payload["player"], name, payload[name])

    action = f"set-{name.replace('_', '-')}"
    fields, about = ("player", name), f"A player's {name.replace('_', ' ')}."
    return _Maker(Action(action, fields, False, fields, about, is_for_players=True), make)


def _points_maker(name: str) -> _Maker:
    """For points printed on the table's own board or cards: `set-NAME` with one field."""
    field = name.replace("-", "_")

    def make(payload: Payload) -> TablePointsSet:
        if field not in payload:
            raise FieldError("companion.field.missing", names=field)
        return TablePointsSet(name, table(payload[field], whole_number))

    about = f"The {name.replace('-', ' ')} that are printed on the table's own board or cards."
    return _Maker(Action(f"set-{name}", (field,), False, (field,), about), make)


_MAKERS: Mapping[str, _Maker] = MappingProxyType(
    {
        one.action.name: one
        for one in (
            *(_maker(event) for event in EVENTS if event.is_offered),
            *(_maker(command) for command in COMMANDS),
            *(_figure_maker(name) for name in FIGURES),
            *(_points_maker(name) for name in POINTS),
        )
    }
)

ACTIONS: Mapping[str, Action] = MappingProxyType({n: one.action for n, one in _MAKERS.items()})
"""Every action that the panel may send."""
