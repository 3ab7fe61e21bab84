"""What the panel's actions ask for, as values: an event for the log, a look, a press of the box."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.refusals import RefusalError
from companion.session.events import (
    Event,
    Finished,
    PassengersSet,
    Player,
    PlayerRenamed,
    PutAway,
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
)
from companion.table.box import Scan
from companion.table.eye import Photo
from hardware.console.console import Button
from vision.errors import VisionError
from vision.images.photo import decode_photos

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button of the virtual box."""

    button: Button


@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """Photos of this moment, ndarrays of shape (H, W, 3), uint8, BGR."""

    photos_bgr: tuple[Photo, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The wish to undo: `step` where it names one, `really` where somebody was asked."""

    step: int | None = None
    really: bool = False


Wish = Event | Scan | Press | Upload | TakeBack


def wish_of(action: str, payload: Payload) -> Wish:
    """What an action with its payload asks for; raises RefusalError where it is none."""
    if action not in _WISHES:
        raise RefusalError("companion.refused.unknown-action", action=action)
    return _WISHES[action](payload)


def _start(payload: Payload) -> Started:
    players = tuple(Player(p["name"], p["colour"]) for p in payload["players"])
    settings = dict(payload.get("settings", {}))
    return Started(payload["board"], players, settings, bool(payload.get("camera", True)))


def _upload(payload: Payload) -> Upload:
    """Decoded at once, so that whoever sent the photos hears what is wrong with them."""
    try:
        return Upload(decode_photos(payload["images"]))
    except VisionError as error:
        raise RefusalError("companion.refused.photo", reason=error) from error


_WISHES: Mapping[str, Callable[[Payload], Wish]] = {
    "start": _start,
    "new-game": lambda payload: PutAway(),
    "show": lambda payload: Shown(payload["phase"]),
    "scan": lambda payload: Scan(),
    "upload-photo": _upload,
    "confirm-route": lambda payload: RouteConfirmed(payload["route"]),
    "correct-route": lambda payload: RouteCorrected(payload["route"], payload["owner"]),
    "add-ticket": lambda payload: TicketAdded(payload["player"], payload["ticket"]),
    "remove-ticket": lambda payload: TicketRemoved(payload["player"], payload["ticket"]),
    "set-tickets": lambda payload: TicketsSet(payload["player"], tuple(payload["tickets"])),
    "set-passengers": lambda payload: PassengersSet(payload["player"], payload["passengers"]),
    "set-flags": lambda payload: TypedSet(payload["player"], "flags", payload["flags"]),
    "set-settings": lambda payload: SettingsSet(payload["settings"]),
    "rename-player": lambda payload: PlayerRenamed(payload["player"], payload["name"]),
    "finish": lambda payload: Finished(),
    "reopen": lambda payload: Reopened(),
    "undo": lambda payload: TakeBack(payload.get("step"), payload.get("really", False)),
    "redo": lambda payload: Redone(),
    "press": lambda payload: Press(Button(payload["button"])),
}
