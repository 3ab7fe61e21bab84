"""Stand-ins that the tests of the table share: an eye that sees what it is told, a still camera."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.session.events import Notice, ProposedPlace, ReadingProposed, RouteProposal
from companion.table.camera_feed import CameraFeed
from companion.table.eye import Photo, Seen
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.watching import Glimpse, NewWatcher
from hardware.cameras.camera import ClosesItself, Frame
from hardware.console.console import Console
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board, load_board
from tests.support.waiting import until
from vision.errors import BoardNotFoundError
from vision.images.photo import TAKE_ANOTHER

OPEN: list[Table] = []
"""Tables that the fixture in `conftest.py` closes after each test."""

USA = load_board("usa")
ADA_AND_BEN = {
    "board": "usa",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "camera": True,
}
ADA_BEN_AND_CLEO = {
    "board": "usa",
    "players": [
        {"name": "Ada", "colour": "red"},
        {"name": "Ben", "colour": "blue"},
        {"name": "Cleo", "colour": "green"},
    ],
    "camera": True,
}


def sure(owner: str | None) -> RouteProposal:
    return RouteProposal(owner, 0.999, review=False, alternatives=((owner, 0.999),))


def unsure(owner: str | None, other: str | None) -> RouteProposal:
    return RouteProposal(owner, 0.6, review=True, alternatives=((owner, 0.6), (other, 0.4)))


@dataclass
class ToldEye:
    """Sees the routes it is told, however the photo looks; None: finds no board."""

    routes: Mapping[str, RouteProposal] | None = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    looks: int = 0
    places: tuple[ProposedPlace, ...] = ()

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        self.looks += 1
        if self.routes is None:
            raise BoardNotFoundError("vision.board.none", again=TAKE_ANOTHER)
        proposed = ReadingProposed(dict(self.routes), True, self.notices, self.places)
        return Seen(proposed, lambda route: f"PNG of {route}".encode())


class GatedEye(ToldEye):
    """Looks only once `gate` is set."""

    def __init__(self, routes: Mapping[str, RouteProposal]) -> None:
        super().__init__(routes)
        self.gate = threading.Event()

    def look(self, *words: Any) -> Any:
        assert self.gate.wait(20)
        return super().look(*words)


class ToldWatcher:
    """Sees one thing after the other, a frame each."""

    def __init__(self, *glimpses: Glimpse) -> None:
        self.glimpses = list(glimpses)

    def feed(self, image_bgr: object, t_s: float) -> Glimpse:
        return self.glimpses.pop(0) if self.glimpses else Glimpse()

    def confirm(self, route: str, owner: str | None) -> None:
        """What people answer is no news to it."""


class GreyCamera(ClosesItself):
    """A camera that always gives the same grey picture, as fast as a real one would."""

    name = "grey"

    def read(self) -> Frame:
        time.sleep(0.01)
        return Frame(np.full((8, 12, 3), 128, np.uint8), None, 0.0)


def new_table(
    data: Path,
    eye: ToldEye | None = None,
    console: Console | None = None,
    open_camera: Callable[[], Any] | None = GreyCamera,
    new_watcher: NewWatcher | None = None,
    boards: Sequence[Board] = (USA,),
    power_off: Callable[[], None] | None = None,
    now: Callable[[], float] = time.time,
    steady: Callable[[], float] | None = None,
) -> Table:
    feed = CameraFeed(open_camera, retry_s=0.05, interval_s=0.01) if open_camera else None
    config = TableConfig(
        boards,
        data,
        eye or ToldEye(),
        feed,
        console or VirtualConsole(),
        new_watcher,
        power_off=power_off,
        now=now,
        steady=steady,
    )
    table = Table(config)
    OPEN.append(table)
    return table


def game_by_hand(data: Path, owners: Mapping[str, str] | None = None) -> Table:
    """Ada and Ben play on USA's board without a camera; `owners` are routes that they have."""
    table = new_table(data, open_camera=None)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    for route, owner in (owners or {}).items():
        table.act("correct-route", {"route": route, "owner": owner})
    return table


def owners(table: Table) -> dict[str, str | None]:
    """Whose the routes are on the panel, those of nobody left out."""
    routes = table.state()["routes"]
    return {name: route["owner"] for name, route in routes.items() if route["owner"]}


def notices(table: Table) -> list[str]:
    """The keys of what the panel tells."""
    return [notice["key"] for notice in table.state()["notices"]]


def scanned(table: Table) -> None:
    """Wait until the look under way is over."""
    until(lambda: table.state()["camera"]["status"] != "looking")
