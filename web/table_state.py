"""The table's state as pages and the API read it: plain JSON data, no objects of the table.

`GET /api/state` prints it with the secret tickets left out. A player is named by the colour of the
wagons, which is unique at a table ("red"), and a route, place or ticket by its id in the board's
file.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from scoring.language import MessageJson

PHASES: tuple[str, ...] = ("start", "look", "doubts", "tickets", "sheet")
"""Where the evening stands.

"start": no game yet. "look": the board in play, to be scanned at any time. "doubts": routes wait
for a person. "tickets": tickets, passengers and flags are entered. "sheet": the final sheet.
"""

PHASES_TO_SHOW: tuple[str, ...] = ("look", "doubts", "tickets")
"""Those that pages and box can be moved to."""

ROUTE_STATUSES: tuple[str, ...] = ("proposed", "doubtful", "confirmed")
"""How sure a route's owner is: read and trusted, read and doubted, or said by a person."""

CAMERA_STATUSES: tuple[str, ...] = ("none", "starting", "ready", "looking", "blocked", "lost")
"""No camera in this game; warming up; ready; a scan is under way; view blocked; gone."""

CAMERA_TROUBLES = ("blocked", "lost")
"""Those in which the camera needs somebody's hand."""

LAMP_STATES: tuple[str, ...] = ("off", "on", "pulse", "blink")
"""Dark, lit, lit and breathing slowly (your turn to do something), blinking fast (asking)."""

BUTTONS: tuple[str, ...] = ("scan", "next", "back", "confirm")
"""The four buttons of the box."""

EXTRAS: tuple[str, ...] = (
    "passengers",
    "flags",
    "route_lengths",
    "cards",
    "stations",
    "bonuses",
)
"""What a game asks a player for beside tickets (Germany: passengers; Paris: flags; a board of
one's own: its stations and bonuses; without a map also routes by length, the Card Game's pile)."""


class PanelPlayer(TypedDict):
    """Somebody who plays, in the order of play."""

    name: str
    colour: str


class BoardChoice(TypedDict):
    """A board that can be played here, the user's own included."""

    id: str
    title: str
    edition: str
    players: tuple[int, int] | list[int]
    """Fewest and most players."""
    player_colours: list[str] | tuple[str, ...]
    settings: NotRequired[Mapping[str, Any]]
    """What the rulebooks leave open, by name, with the defaults."""
    agreed: NotRequired[Mapping[str, Any]]
    """What of it the last game on this board had otherwise; while no game is on."""
    has_map: NotRequired[bool]
    """False for a game that is typed as counts or cards; it has a title in the catalogue."""
    has_wagons: NotRequired[bool]
    """False where the colours are nothing but the seats' signs (the Card Game)."""
    has_buses: NotRequired[bool]
    """True where the pieces are buses (Paris)."""


class RouteState(TypedDict):
    """Whose a route is (None: nobody's), and how sure that is, 0..1."""

    owner: str | None
    status: str
    """One of ROUTE_STATUSES."""
    confidence: float


class Alternative(TypedDict):
    """A likely owner of a doubtful route, None for nobody."""

    owner: str | None
    probability: float


class PlaceChoice(TypedDict):
    """A likely answer to a question about a place."""

    owners: list[str | None]
    """One for each line of the place, None for nobody; which line is whose scores nothing."""
    probability: float


class Doubt(TypedDict):
    """A place that waits for a person; alternatives in order of probability, likeliest first."""

    route: str
    """The first of its lines that is in doubt."""
    alternatives: list[Alternative]
    """Who may own that line."""
    decisive: bool | None
    """Whether the answer could change the ranking; None where that cannot be said yet."""
    routes: NotRequired[list[str]]
    """All lines of the place: more than one where lines of a double are equally long."""
    choices: NotRequired[list[PlaceChoice]]
    """Who may own the lines together, likeliest first."""
    why: NotRequired[list[MessageJson]]
    """Why it is asked about."""
    other_side: NotRequired[bool]
    """Whether the photo cannot show it, and one from the other side may."""
    lies_over: NotRequired[bool]
    """Whether something seems to lie over it: then that has to go first."""


class StandingRow(TypedDict):
    """What the board alone says about a player: tickets and bonuses are not in it."""

    name: str
    colour: str
    points: int
    routes: int
    wagons_used: int
    wagons_left: int


class HandTicket(TypedDict):
    """A ticket in hand; `from`, `to` and `points` come from the board by the id."""

    ticket: str
    """Its id in the set, or a typed ticket as a JSON object in text."""
    completed: bool
    stated: NotRequired[bool | None]
    """Without a map: what the players say of it, None where nobody has said anything."""
    places: NotRequired[list[str] | None]
    """Only of a ticket that the board's set doesn't have, as its value is."""
    points: NotRequired[int]
    cards: NotRequired[Mapping[str, int] | None]
    """Card Game: its recipe."""
    path: NotRequired[list[str]]
    """The routes that complete it, from its one place to the other."""


class PanelRemark(TypedDict):
    """What the referee finds odd before the sheet, how to mend it, and whom it concerns."""

    code: str
    message: MessageJson
    mend: MessageJson
    players: list[str]
    """By colour."""
    routes: list[str]


class WagonsLeft(TypedDict):
    """The wagons that should still lie before a player."""

    colour: str
    left: int
    counted: int | None
    """As somebody counted them, None where nobody said that it is otherwise."""
    suspects: list[str]
    """Where the count differs: the routes that were most likely misread."""


class SheetCheck(TypedDict):
    """What is to be looked at before the sheet; in the phase sheet, what was waved through."""

    wagons: list[WagonsLeft]
    """In seat order; empty where the game has none."""
    remarks: list[PanelRemark]


class MarkerState(TypedDict):
    """A wooden marker on the score track, and the field where the board puts it."""

    marker: int
    expected: int
    difference: int


class UndoStep(TypedDict):
    """The step that `undo` would take back, and whom or what it is about. No hand is told."""

    step: int
    """Its number: an `undo` that names it is refused once another step is the last."""
    action: str
    """The name of an action."""
    asks: bool
    """Whether it leads to another game or to none: the panel asks before."""
    player: str | None
    route: str | None
    owner: str | None
    """Whom the route was given to, None for nobody."""
    routes: NotRequired[list[str]]
    """The lines of a place that was answered as a whole."""
    owners: NotRequired[list[str | None]]
    """Their owners, in the same order."""
    renamed: NotRequired[list[str]]
    """Those who got another name, by colour: two where they changed names with each other."""


class RecentClaim(TypedDict):
    """A route that somebody was given, as it still stands."""

    route: str
    owner: str


class RevealState(TypedDict):
    """How far the pages of the reveal are, which go together."""

    step: int
    playing: bool
    """Whether it goes on by itself."""


class PanelNotice(MessageJson):
    """A message, and the routes it speaks about, if any."""

    routes: NotRequired[list[str]]


class CameraState(TypedDict):
    """How the camera is, as the panel shows it."""

    status: str
    """One of CAMERA_STATUSES."""
    message: MessageJson | None
    """What is wrong and how to mend it, or None."""


class PanelCursor(TypedDict):
    """What the box's next and back buttons point at; the panel marks it."""

    route: str | None
    choice: str | None
    """In the phase doubts: the owner that the confirm button would choose (None = nobody)."""
    player: str | None
    routes: NotRequired[list[str]]
    """All lines of the place that `route` belongs to."""
    owners: NotRequired[list[str | None]]
    """The owners that the confirm button would choose for them."""


class ClubRound(TypedDict):
    """A round of a club's tournament that is played at this table."""

    tournament: str
    number: int
    table: str
    ends_s: float
    """When its time is up, in seconds since 1970."""


class TableState(TypedDict):
    """Everything that the panel shows."""

    version: int
    """Grows with every change, never shrinks while the program runs."""
    phase: str
    boards: list[BoardChoice]
    board: str | None
    """None only in the phase start."""
    players: list[PanelPlayer]
    """In the order of play."""
    extras: list[str]
    """Those of EXTRAS that this game asks for."""
    routes: Mapping[str, RouteState]
    """A route that is missing is nobody's and "proposed"."""
    doubts: list[Doubt]
    """In the order in which they are asked, the same as the box's: the decisive first."""
    likely: float
    """Owners of a doubtful route less probable than this are offered in small, as others."""
    standing: list[StandingRow]
    """Most points first."""
    tickets: Mapping[str, list[HandTicket]]
    """By player colour, in the order of entry. Secret: the panel shows each hand on request."""
    passengers: Mapping[str, Mapping[str, int]]
    """By player colour, then bag colour. Empty where the game has none."""
    flags: Mapping[str, int]
    figures: NotRequired[Mapping[str, Mapping[str, Any]]]
    """What players typed by its key in `GAME.json`, by colour. As secret as tickets."""
    table_points: NotRequired[Mapping[str, Mapping[str, int]]]
    """Points printed on the table's own board or cards (`route-points`, `big-cities`), as typed."""
    points_before: NotRequired[Mapping[str, Mapping[str, int]]]
    """The same of this table's last game of the kind, as far as they have not been typed yet."""
    tickets_before: NotRequired[list[Mapping[str, Any]]]
    """Tickets as `GAME.json` writes them that were typed in this table's finished Card Games."""
    set_aside: NotRequired[Mapping[str, list[HandTicket]]]
    """The Card Game's tickets that were completed in the first pass, which everybody has seen."""
    first_pass_is_on: NotRequired[bool]
    """Whether the Card Game's completed tickets are still to be set aside the first time."""
    sheet: Mapping[str, Any] | None
    """The document of `score --json` in the phase sheet, else None."""
    camera: CameraState
    notices: list[PanelNotice]
    """Things to know: warnings of the reading, breaches of the rules."""
    undo: str | None
    """The action or event that `undo` would take back (the name of an action), None if nothing."""
    undo_step: NotRequired[UndoStep | None]
    """More on the same step, None if there is nothing to undo."""
    lamps: Mapping[str, str]
    """By player colour, one of LAMP_STATES."""
    cursor: PanelCursor
    virtual_box: bool
    """Whether `press` is taken: true where the box's buttons and lamps are the shipped fakes."""
    check: NotRequired[SheetCheck]
    settings: NotRequired[Mapping[str, Any]]
    """What the table agreed where the rulebooks are silent, defaults included."""
    markers: NotRequired[Mapping[str, MarkerState]]
    """The score markers that were typed, by player colour."""
    closed: NotRequired[Mapping[str, MessageJson]]
    """Free lines that nobody may claim any more, with the reason."""
    track_lines: NotRequired[list[str]]
    """Lines that take a track piece (France)."""
    track_pieces: NotRequired[list[str]]
    """Those that one lies on: built, and nobody's."""
    photo: NotRequired[MessageJson | None]
    """Why the last photo that was sent could not be read, or None."""
    hand_photos: NotRequired[str]
    """Whether tickets can be read from photos: "ready", or "missing" where the package is that
    reads them. It is left out where no photo could tell tickets of this game."""
    club_round: NotRequired[ClubRound]
    """The round that a club's hub has told; left out where none is under way."""
    hand_camera: NotRequired[bool]
    """Whether the table's own camera can take such a photo now."""
    last_players: NotRequired[list[PanelPlayer]]
    """In the phase start: who played last at this table, in seat order."""
    redo: NotRequired[str | None]
    """The action that `redo` would do again, None if there is none."""
    recent: NotRequired[list[RecentClaim]]
    """The routes that people gave to somebody last, the newest first."""
    reveal: NotRequired[RevealState | None]
    """In the phase sheet: how far its reveal is."""
    box: NotRequired[MessageJson | None]
    """What is wrong with the box of buttons and lamps, or None."""
    disk: NotRequired[MessageJson | None]
    """Why nothing can be kept, and so nothing entered, or None."""
