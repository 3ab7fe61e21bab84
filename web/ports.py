"""What the panel needs from a table: the state it shows and the actions it asks for.

The panel knows no session, no camera and no pin. Whoever runs the table hands in an object of the
`TablePort` protocol. What the state holds is told in `web.table_state`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict

from scoring.board.board import Board
from scoring.game.game import Game
from scoring.language import MessageJson
from scoring.sheet.sheet import Sheet
from web.history_port import HistoryPort
from web.table_state import BoardChoice, PanelPlayer, TableState


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the panel may ask the table for, with the fields of its payload by name.

    A field means the same in every action; `web.sent.payload` reads each from a form or a JSON
    document. The table says which actions it knows.
    """

    name: str
    fields: tuple[str, ...] = ()
    turns_page: bool = False
    """Whether it leads to another phase, whose page one then wants to see."""
    needed: tuple[str, ...] = ()
    """Those of the fields that cannot be left out."""
    about: str = ""
    """One sentence on it."""
    is_for_players: bool = False
    """Whether players may do it too, those with a `player` for themselves; else only the host."""


@dataclass(frozen=True, slots=True)
class GameInPlay:
    """What a request is checked against, without the rest of the state."""

    boards: Sequence[BoardChoice]
    board: Board | None
    players: Sequence[PanelPlayer]
    passengers: Mapping[str, Mapping[str, int]]
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What each player typed beside tickets and passengers, by colour and key of `GAME.json`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the table has agreed so far, without the defaults."""
    known_boards: Sequence[Board] = ()
    """The boards that can be played here, for the pictures of their maps."""
    began_ms: int | None = None
    """When the game began, since 1970; no two games of a table have the same. None without one."""
    began_s: float | None = None
    """When it began by `time.monotonic`; None where that was before the program was started."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card in a photo of a hand."""

    tickets: tuple[str, ...]
    """What it may be by the ids of tickets, likeliest first; none where it could not be told."""
    is_sure: bool
    """Whether the first of these need not be asked about."""
    crop: bytes
    """The photo's piece that shows it, a JPEG picture; empty where there is none."""
    why: str = ""
    """Why it could not be told: "unclear", "other-deck", "no-names" or "cut-off"."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """All cards in the photos of one hand. As secret as the hand itself, and never logged."""

    cards: tuple[CardSeen, ...]
    remarks: tuple[MessageJson, ...] = ()
    """What is wrong with the photos, and what is odd about the cards."""
    evidence: object = None
    """What the table needs to join another photo of the same hand."""


class Finding(TypedDict):
    """Something that the check-up looked at."""

    status: str
    """"broken", "missing" (which may be meant) or "good"."""
    message: MessageJson
    """How it is and, if it is not well, what to do."""


class Wire(TypedDict):
    """A part of the box and where it is wired to."""

    part: MessageJson
    gpio: int
    pin: int | None
    """Of the header, 1 to 40; None where the header has no such GPIO."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """How the box is wired by its configuration."""

    wires: Sequence[Wire]
    clashes: Sequence[MessageJson]
    drawing: str
    """An SVG document in the visitor's language."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table's state at one moment, with the board and the sheet that belong to it."""

    state: TableState
    board: Board | None
    """The board in play, from which the panel draws its map; None in the phase start."""
    sheet: Sheet | None
    """None before the phase sheet."""
    game: Game | None = None
    """The game that the sheet scores, for questions about it; None before the phase sheet."""
    began_ms: int | None = None
    """When the game in play began, as `GameInPlay` has it."""


Turn = Callable[[], AbstractContextManager[None]]
"""While photos are read; others may be read before the next one."""


class TablePort(Protocol):
    """A table in play. Every method may be called from several threads at once."""

    def state(self) -> TableState:
        """The present state: a value of its own that later changes leave alone."""
        ...

    def moment(self) -> Moment:
        """The same state with its board and sheet, all of one moment."""
        ...

    def actions(self) -> Mapping[str, Action]:
        """Every action that the panel may ask for, by name."""
        ...

    def in_play(self) -> GameInPlay:
        """What a request is checked against: cheap, and there whatever is wrong with the state."""
        ...

    @property
    def history(self) -> HistoryPort:
        """The old evenings."""
        ...

    def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
        """Do one of the actions and return the version it led to.

        A request whose name (`request_id`) is that of one that was done does nothing again.

        A scan may go on after the call has returned; `camera.status` is then "looking".
        Raises ActionRefusedError where the table can't do it, BusyError where it can in a moment.
        """
        ...

    def was_done(self, request_id: str) -> bool:
        """Whether a request of this name was done: it comes once more, by the network's fault."""
        ...

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the version is another one or the time is over; returns the version."""
        ...

    def announce(self) -> None:
        """Something that the pages show is another one, without an event: they all look again."""
        ...

    def crop(self, route: str) -> bytes | None:
        """The photo's piece around a route, straightened: the bytes of a JPEG or PNG picture.

        None where there is no photo. The same piece every time until the next look.
        """
        ...

    def read_hand(
        self, images: Sequence[bytes], earlier: HandSeen | None, turn: Turn = nullcontext
    ) -> HandSeen:
        """Read tickets in photos of one hand, joined with what earlier photos of it showed.

        Without images the table's own camera takes one. Nothing is entered and nothing is kept.
        Images are looked at within a `turn`, which does not last long; there may be several.
        Raises ActionRefusedError where no photo can be read now.
        """
        ...

    def expect_hand(self) -> None:
        """Somebody may send photos of a hand soon."""
        ...
