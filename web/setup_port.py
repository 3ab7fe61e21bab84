"""What the set-up pages need: photos of the empty board become calibrations of this table.

Positions on a photo are in thousandths of its width, x right and y down, so that a page may show
it in any size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.language import MessageJson

Point = tuple[float, float]

SHOWN_WIDTH = 1000.0
"""Width of every photo in the units of its points."""


@dataclass(frozen=True, slots=True)
class BoardName:
    """A board whose photos can be read."""

    id: str
    title: str
    edition: str
    is_set_up: bool
    """Whether an empty photo of it is in use, kept here or given at the start."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence about a photo; `good` where nothing has to be done."""

    message: MessageJson
    good: bool


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """A printed space on the photo: four corners; `look` is "found", "unseen" or "wagon"."""

    corners: Sequence[Point]
    look: str


@dataclass(frozen=True, slots=True)
class WagonColour:
    """How a colour's wagons look under this lamp: RGB as `#rrggbb`, and the colours like it."""

    colour: str
    seen: str
    like: Sequence[str]


@dataclass(frozen=True, slots=True)
class SetupDraft:
    """The photo that is being set up. Every change of it gives another `number`."""

    number: int
    height: float
    """Of the photo, in the units of its points; its width is SHOWN_WIDTH."""
    board: str | None
    """By id; None where nobody said and none was recognised."""
    board_title: str
    recognised: bool
    corners: Sequence[Point]
    """Four, clockwise from the print's top left."""
    spaces: Sequence[DrawnSpace]
    quality: Sequence[Told]
    """The verdict first, then what is to be said about the photo."""
    problem: MessageJson | None
    """Why it cannot be used as it is."""
    instead: str | None
    """The id of the board that is seen where another one was chosen."""
    can_vouch: bool
    """Whether wagons are seen, and a person may say that there are none."""
    is_usable: bool
    name: str
    """Offered as the table's name."""
    saved: str | None
    """The key of the calibration that was made of it."""
    colours: Sequence[WagonColour]
    colours_problem: MessageJson | None


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A calibration that is kept. `problem` says why it cannot be used; then most is empty."""

    key: str
    name: str
    board: str
    board_title: str
    created: str
    """The moment as its file notes it."""
    in_use: bool
    problem: MessageJson | None = None


@dataclass(frozen=True, slots=True)
class LiveLook:
    """The box's camera now: a JPEG picture, and what to do about it."""

    picture: bytes
    advice: Sequence[Told]


class SetupPort(Protocol):
    """Set-up of one table; every method may be called from several threads at once.

    All that change something raise ActionRefusedError with a sentence, and lose nothing then.
    """

    @property
    def has_camera(self) -> bool:
        """Whether the box has a camera of its own."""
        ...

    def boards(self) -> Sequence[BoardName]:
        """The boards that can be set up."""
        ...

    def draft(self) -> SetupDraft | None:
        """The photo that is being set up, None before there is one."""
        ...

    def photo(self) -> bytes | None:
        """That photo, small enough for a page, as JPEG."""
        ...

    def look(self) -> LiveLook:
        """What the box's camera sees now."""
        ...

    def take_photo(self, image: bytes | None, board: str | None) -> None:
        """Begin with a photo of the empty board, None for one by the box's camera.

        `board` None has it recognised.
        """
        ...

    def place(self, number: int, board: str, corners: Sequence[Point] | None) -> None:
        """Look again: on that board, between these corners, or wherever it is found."""
        ...

    def vouch(self, number: int) -> None:
        """A person has looked: the board is empty, whatever it looks like."""
        ...

    def save(self, number: int, name: str) -> None:
        """Keep the calibration under that name, and use it from now on."""
        ...

    def take_up(self, key: str) -> None:
        """Go on with a table that is kept, at the step of its wagons."""
        ...

    def take_wagons(self, number: int, image: bytes | None) -> None:
        """Learn the wagons' colours from a photo of a game, None for one by the box's camera."""
        ...

    def kept(self) -> Sequence[KeptTable]:
        """The calibrations that are kept, the newest first."""
        ...

    def kept_picture(self, key: str) -> bytes | None:
        """The empty board of one, straightened and small, as JPEG."""
        ...

    def use(self, key: str) -> None:
        """Read photos of its board with that one from now on."""
        ...

    def rename(self, key: str, name: str) -> None:
        """Give one another name."""
        ...

    def delete(self, key: str) -> None:
        """Throw one away."""
        ...

    def export(self, key: str) -> tuple[str, bytes]:
        """The file of one, by its name."""
        ...

    def bring_in(self, file: bytes) -> None:
        """Keep a file that was exported here or elsewhere, and use it."""
        ...
