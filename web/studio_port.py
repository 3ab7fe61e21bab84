"""What the pages of the board studio need: a board that is taught step by step from one photo.

Positions are in thousandths of the straightened board's width, x right and y down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.language import MessageJson
from web.picture_data import jpeg_data

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StudioSpace:
    """A space: its corners, its middle, and its direction in degrees."""

    corners: Sequence[Point]
    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class StudioLine:
    """A line by its number, between two places by theirs; `name` is made of the places'."""

    number: int
    name: str
    ends: tuple[int, int]
    colour: str
    ferry: int
    tunnel: bool
    spaces: Sequence[StudioSpace]
    parallels: int
    """Lines between the same places, this one included."""
    excludes: Sequence[int] = ()
    """Lines of which only one can be claimed with this one: they cross."""
    crosses: Sequence[int] = ()
    """Lines that it runs across on the map, marked so or not."""


@dataclass(frozen=True, slots=True)
class StudioPlace:
    """A city or country; `name` is empty until somebody gives it one."""

    number: int
    name: str
    shown: str
    x: float
    y: float
    is_country: bool
    lines: int


@dataclass(frozen=True, slots=True)
class StudioPrinted:
    """Words that are printed on the map, as read, and the middle of their line."""

    words: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class StudioTicket:
    """A ticket with its places' names."""

    places: tuple[str, str]
    points: int
    numbers: tuple[int, int] = (0, 0)
    """Of its places."""


@dataclass(frozen=True, slots=True)
class CardToTeach:
    """A ticket card in a photo, its names and points as read, for a person to confirm.

    A name is empty and `points` None where they could not be read; `are_known` says of each name
    whether a place is called so. `crop` is a JPEG of the card.
    """

    names: tuple[str, str]
    are_known: tuple[bool, bool]
    points: int | None
    crop: bytes

    @property
    def picture(self) -> str:
        """The crop within a page."""
        return jpeg_data(self.crop)


@dataclass(frozen=True, slots=True)
class StudioRemark:
    """What a check found, and the lines and places that it is about."""

    message: MessageJson
    is_error: bool
    lines: Sequence[int]
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class StudioRules:
    """What is not on the map."""

    title: str
    edition: str
    players: tuple[int, int]
    colours: Sequence[str]
    every_colour: Sequence[str]
    wagons: int
    doubles_open_from: int
    points: Mapping[int, int]
    longest_path: int
    globetrotter: int
    flag: int
    stations: int


@dataclass(frozen=True, slots=True)
class StudioBoard:
    """The board that is being taught, as it stands; every step gives another `version`."""

    key: str
    version: int
    height: float
    """Of the picture, in the units of its points; its width is 1,000."""
    framed: str
    """Another one for every picture: its corners may be moved."""
    lines: Sequence[StudioLine]
    places: Sequence[StudioPlace]
    tickets: Sequence[StudioTicket]
    rules: StudioRules
    names: Sequence[str]
    """Pasted names that no place has yet."""
    listed: int
    """How many names were pasted in all."""
    remarks: Sequence[StudioRemark]
    undo: str | None
    """The step that would be taken back, None if there is none."""
    spaces: int
    saved_as: str | None
    """The id of the board file that was written of it."""
    line_colours: Sequence[str]
    reads_cards: bool = False
    """Whether photos of its ticket cards can be read here."""
    cards: Sequence[CardToTeach] = ()
    """Cards that photos showed and nobody has confirmed yet."""
    card_remarks: Sequence[MessageJson] = ()
    """What is to be said of the last photos."""
    printed: Sequence[StudioPrinted] = ()
    """Names on the map, where they can be read and were by now."""

    def place(self, number: int) -> StudioPlace | None:
        """The place of that number."""
        return next((one for one in self.places if one.number == number), None)

    def line(self, number: int) -> StudioLine | None:
        """The line of that number."""
        return next((one for one in self.lines if one.number == number), None)


@dataclass(frozen=True, slots=True)
class StudioCorners:
    """Where the corners of a board in work lie in its photo, in thousandths of the photo's width.

    `height` is the photo's in that unit; `is_found` says whether a board was seen between them.
    With `version` 0 nothing was taught yet, and other corners mean another look.
    """

    key: str
    version: int
    title: str
    height: float
    corners: Sequence[Point]
    is_found: bool


@dataclass(frozen=True, slots=True)
class StudioDraft:
    """A board in work, or one that cannot be opened and why."""

    key: str
    title: str
    created: str
    """The moment as its file notes it."""
    steps: int
    problem: MessageJson | None = None


@dataclass(frozen=True, slots=True)
class TaughtBoard:
    """A board file of this table."""

    id: str
    title: str
    edition: str


class StudioPort(Protocol):
    """The studio; every method may be called from several threads at once.

    All that change something raise ActionRefusedError with a sentence, and lose nothing then.
    """

    @property
    def has_camera(self) -> bool:
        """Whether the box has a camera of its own."""
        ...

    def drafts(self) -> Sequence[StudioDraft]:
        """The boards in work, the newest first."""
        ...

    def known(self) -> Sequence[TaughtBoard]:
        """Boards with a map that another print may be taught from."""
        ...

    def taught(self) -> Sequence[TaughtBoard]:
        """The board files of this table."""
        ...

    def begin(self, image: bytes | None, board: str | None, *, really_empty: bool) -> str:
        """A new board from a photo of it, empty (None: by the box's camera); returns its key.

        With `board` it is another print of that one.
        """
        ...

    def board(self, key: str) -> StudioBoard:
        """A board in work."""
        ...

    def picture(self, key: str) -> bytes | None:
        """The straightened board, as JPEG."""
        ...

    def corners(self, key: str) -> StudioCorners:
        """Its photo's shape, and where the corners of the board lie in it."""
        ...

    def photo(self, key: str) -> bytes | None:
        """The photo that it began with, small enough for a page, as JPEG."""
        ...

    def place(self, key: str, corners: Sequence[Point]) -> None:
        """The board lies between these corners.

        Before the first step it is looked at anew; later all that was taught stays where the photo
        shows it, and that is a step too.
        """
        ...

    def do(self, key: str, step: Mapping[str, Any]) -> int | None:
        """Take a step; returns the number of the place or line that it made, if any."""
        ...

    def read_cards(self, key: str, photos: Sequence[bytes]) -> None:
        """Read photos of ticket cards; what they show stands in the board's `cards` then."""
        ...

    def forget_cards(self, key: str) -> None:
        """Nothing is taken of what the photos showed."""
        ...

    def undo(self, key: str, seen: int | None = None) -> None:
        """Take the last step back; `seen` is the version that the page showed, where it says so.

        A step that another device has taken since then is left alone.
        """
        ...

    def save(self, key: str, *, really: bool) -> str:
        """Write the board file and offer it for a new game; returns the board's id.

        With mistakes in it only if somebody `really` wants that.
        """
        ...

    def photo_is_kept(self, key: str) -> bool:
        """Whether photos of the board that was saved are read beside a photo of it, empty."""
        ...

    def delete(self, key: str) -> None:
        """Throw a board in work away; a file that was written stays."""
        ...

    def export(self, board: str) -> tuple[str, bytes]:
        """A board file of this table, by its name."""
        ...

    def bring_in(self, file: bytes) -> str:
        """Keep a board file from elsewhere and offer it; returns the board's id."""
        ...
