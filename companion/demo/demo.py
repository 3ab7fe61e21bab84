"""A game without a camera: a drawn board is photographed, read, asked about and scored.

Everything between the drawing and the sheet is what a real table uses: a camera of the one port,
the reader, the session, the box's buttons and lamps.
"""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.demo.simulated_game import SimulatedGame, simulate_game
from companion.errors import CompanionError
from companion.session.events import SeatedPlayer
from companion.table.camera_feed import CameraFeed
from companion.table.hand_photos.reader import ProcessReader
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye
from hardware.cameras.camera import CameraSpec
from hardware.cameras.open import open_camera
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board, load_board
from vision.empty_board import make_reference
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo
from web.table_state import PanelCursor, TableState

BOARD = "usa"
PLAYERS = (SeatedPlayer("Ada", "blue"), SeatedPlayer("Ben", "red"), SeatedPlayer("Chiara", "green"))
GAME_SEED = 2
"""A game that ends 123 to 122 to 122."""

PRINT_SEED, RIG_SEED, MOMENT_SEED = 213, 313, 5
"""The copy of the board, the room with its camera, and how the wagons happen to stand."""

VIEW = View(tilt_deg=21.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93)

ODDITIES = Oddities(
    missing_per_wagon=0.0,
    toppled_per_wagon=0.01,
    displaced_per_wagon=0.03,
    strays_per_photo=1.0,
    hand_per_photo=0.0,
    cards_per_photo=1.0,
    dice_per_photo=1.0,
    cups_per_photo=0.0,
)
"""As players leave a table: some wagons crooked or toppled, one astray, a card, a die."""

LOOK_TIMEOUT_S = 120.0
"""Reading takes seconds, on a slow machine longer; after this time something is wrong."""

MOST_PRESSES = 100
"""More than any question has answers."""


class DemoError(CompanionError, RuntimeError):
    """The demo could not be played to its end, which is a fault of the program."""


@dataclass(frozen=True, slots=True)
class Question:
    """A doubtful place by one of its lines, one that was misread if any was: the camera's likeliest
    owner, the true one, the presses it took, and all lines that were asked about."""

    route: str
    said: str | None
    truth: str | None
    presses: int
    lamps: tuple[Lamp, ...]
    place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DemoOutcome:
    """The result of the demo; times in seconds. `silent` are routes read wrongly and not asked."""

    wagons: int
    claimed: int
    routes: int
    right_before_questions: int
    questions: tuple[Question, ...]
    silent: tuple[str, ...]
    sheet: Mapping[str, Any]
    draw_s: float
    look_s: float
    evening_s: float

    def to_json(self) -> dict[str, Any]:
        """The document of `demo --json`."""
        return {
            "board": BOARD,
            "wagons": self.wagons,
            "routes": {
                "count": self.routes,
                "claimed": self.claimed,
                "right": self.right_before_questions,
            },
            "asked": [
                {"route": q.route, "said": q.said, "truth": q.truth, "presses": q.presses}
                for q in self.questions
            ],
            "silent_errors": list(self.silent),
            "sheet": dict(self.sheet),
            "timing_s": {
                "draw": round(self.draw_s, 2),
                "look": round(self.look_s, 2),
                "evening": round(self.evening_s, 2),
            },
        }


@dataclass(frozen=True, slots=True, eq=False)
class DemoScene:
    """A simulated game and its two photos: the empty board, and the end of the game."""

    board: Board
    game: SimulatedGame
    empty: DrawnPhoto
    full: DrawnPhoto
    draw_s: float

    @property
    def wagons(self) -> int:
        """How many spaces a wagon covers."""
        return sum(label != "empty" for label in self.full.wagons)

    @property
    def claimed(self) -> int:
        """How many routes have an owner."""
        return sum(owner is not None for owner in self.game.owners.values())


def draw_demo() -> DemoScene:
    """Simulate the game and draw its photos, both from the same camera."""
    started = time.perf_counter()
    board = load_board(BOARD)
    game = simulate_game(board, PLAYERS, GAME_SEED)
    empty = _photo(board, {}, MOMENT_SEED + 1, Oddities.none())
    full = _photo(board, game.owners, MOMENT_SEED, ODDITIES)
    return DemoScene(board, game, empty, full, time.perf_counter() - started)


def _photo(
    board: Board, owners: Mapping[str, str | None], seed: int, oddities: Oddities
) -> DrawnPhoto:
    return draw_photo(
        board,
        owners,
        seed=seed,
        print_seed=PRINT_SEED,
        rig_seed=RIG_SEED,
        camera=VIEW,
        oddities=oddities,
    )


def set_up_table(scene: DemoScene, data: Path) -> tuple[Table, VirtualConsole]:
    """A table with the drawn board: its camera shows the photo, its box is virtual.

    The reader is given no positions: it finds the board in both photos by itself. Raises OSError.
    """
    photo = data / "table.png"
    photo.write_bytes(bytes(cv2.imencode(photo.suffix, scene.full.image_bgr)[1]))
    reference = make_reference(scene.empty.image_bgr, scene.board)
    console = VirtualConsole()
    camera = CameraSpec("still", str(photo))
    feed = CameraFeed(lambda: open_camera(camera, live=True))
    config = TableConfig(
        (scene.board,), data, VisionEye(reference), feed, console, hand_reader=ProcessReader()
    )
    return Table(config), console


def play(scene: DemoScene, table: Table, console: VirtualConsole) -> DemoOutcome:
    """Play from the scan button to the final sheet; questions are answered with the truth.

    Raises DemoError if the board is not read or no sheet is written.
    """
    started = time.perf_counter()
    players = [{"name": p.name, "colour": p.colour} for p in scene.game.players]
    table.act("start", {"board": BOARD, "players": players, "camera": True})
    console.press(Button.SCAN)
    seen = _looked(table)
    look_s = time.perf_counter() - started
    questions = _answer_questions(scene, table, console)
    sheet = _enter_tickets(scene, table, console)
    asked = {line for question in questions for line in question.place}
    wrong = _wrong_routes(scene, seen)
    return DemoOutcome(
        wagons=scene.wagons,
        claimed=scene.claimed,
        routes=len(scene.board.routes),
        right_before_questions=len(scene.board.routes) - len(wrong),
        questions=tuple(questions),
        silent=tuple(route for route in wrong if route not in asked),
        sheet=sheet,
        draw_s=scene.draw_s,
        look_s=look_s,
        evening_s=time.perf_counter() - started - look_s,
    )


def _looked(table: Table) -> TableState:
    """The state once the board has been read; raises DemoError if that failed."""
    deadline = time.monotonic() + LOOK_TIMEOUT_S
    state = table.state()
    while state["camera"]["status"] == "looking" and time.monotonic() < deadline:
        table.wait(state["version"], timeout_s=1.0)
        state = table.state()
    if state["camera"]["message"] is not None or not state["routes"]:
        raise DemoError(f"the drawn board was not read: {state['camera']}")
    return state


def _wrong_routes(scene: DemoScene, seen: TableState) -> list[str]:
    """Routes whose owner the camera had wrong, in board order."""
    read = {name: route["owner"] for name, route in seen["routes"].items()}
    return [name for name, owner in scene.game.owners.items() if read.get(name) != owner]


def _answer_questions(scene: DemoScene, table: Table, console: VirtualConsole) -> list[Question]:
    """Press "next" until the lamp of the true owner blinks, then "confirm", for every doubt."""
    questions = []
    while (state := table.state())["phase"] == "doubts" and state["doubts"]:
        place = tuple(state["cursor"]["routes"])
        read = {line: state["routes"][line]["owner"] for line in place}
        misread = (line for line in place if read[line] != scene.game.owners[line])
        route = next(misread, state["cursor"]["route"] or "")
        truth, presses = scene.game.owners[route], 1
        while not _offers_truth(scene, table.state()["cursor"]):
            console.press(Button.NEXT)
            presses += 1
            if presses > MOST_PRESSES:
                raise DemoError(f"the box does not offer the owners of {route}")
        questions.append(Question(route, read[route], truth, presses, console.lamps, place))
        console.press(Button.CONFIRM)
    return questions


def _offers_truth(scene: DemoScene, cursor: PanelCursor) -> bool:
    """Whether CONFIRM would give the place its true owners, on whichever of its lines."""
    truth = Counter(scene.game.owners[line] for line in cursor["routes"])
    return Counter(cursor["owners"]) == truth


def _enter_tickets(scene: DemoScene, table: Table, console: VirtualConsole) -> Mapping[str, Any]:
    """Every player's tickets, then "confirm" seat by seat until the sheet stands."""
    table.act("show", {"phase": "tickets"})
    for player in scene.game.players:
        tickets = list(scene.game.tickets[player.colour])
        table.act("set-tickets", {"player": player.colour, "tickets": tickets})
        console.press(Button.CONFIRM)
    sheet = table.state()["sheet"]
    if sheet is None:
        raise DemoError("the game ended without a sheet")
    return sheet
