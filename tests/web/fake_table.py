"""A table for the panel's tests: rules as simple as can be, everything in memory."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from struct import pack
from threading import Condition
from typing import Any
from zlib import compress, crc32

from companion.table.actions import ACTIONS
from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.documents.game import parse_game
from scoring.sheet.sheet import score, score_game
from web.errors import ActionRefusedError
from web.history_port import EveningSummary, HistoryPort, OldEvening
from web.ports import Action, CardSeen, GameInPlay, HandSeen, Moment, Turn
from web.table_state import Alternative, BoardChoice, Doubt, PanelNotice, TableState

Reading = Mapping[str, tuple[str | None, float, bool]]
"""Route -> likeliest owner, its probability, and whether a person must confirm it."""


def grey_png(width: int = 8, height: int = 2) -> bytes:
    """A small grey picture: what the fake's camera saw."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", crc32(name + data))

    header = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\x80" * width) * height
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", compress(rows)) + chunk(b"IEND", b"")


class FakeTable:
    """A table whose camera "sees" the reading it was given, at once.

    `acts` lists every action that came through the panel, with its payload, for tests to look at.
    `photographed` are the cards that the next photos of a hand will show, `images` the photos that
    came. `decisive` are the routes that could change the ranking, None while that is unknown.
    The box's scan button looks at the board; its confirm button says yes to the first doubt.
    """

    def __init__(self, reading: Reading | None = None, picture: bytes = b"") -> None:
        self.acts: list[tuple[str, Mapping[str, Any]]] = []
        self.picture = picture or grey_png()
        self.decisive: frozenset[str] | None = None
        self.photographed: list[tuple[CardSeen, ...]] = []
        self.images: list[Sequence[bytes]] = []
        self._reading = dict(reading or {})
        self._news = Condition()
        self._history: list[TableState] = []
        self._state = _empty_state()
        self.history: HistoryPort = NoHistory()

    def state(self) -> TableState:
        """A copy of the present state."""
        with self._news:
            return deepcopy(self._state)

    def moment(self) -> Moment:
        """The same with the board and the sheet."""
        with self._news:
            state, began_ms = self.state(), self.in_play().began_ms
            if state["phase"] != "sheet":
                return Moment(state, self.board(), None, began_ms=began_ms)
            game = parse_game(self._game())
            return Moment(state, self.board(), score(game), game, began_ms)

    def board(self) -> Board | None:
        """The board in play."""
        name = self._state["board"]
        return None if name is None else load_board(name)

    def actions(self) -> Mapping[str, Action]:
        """The real table's."""
        return ACTIONS

    def in_play(self) -> GameInPlay:
        """What a request is checked against."""
        state = self.state()
        boards = [load_board(board) for board in BOARDS_WITH_DATA]
        return GameInPlay(
            state["boards"],
            self.board(),
            state["players"],
            state["passengers"],
            known_boards=boards,
        )

    def was_done(self, request_id: str) -> bool:
        """Nothing is delivered twice here."""
        return False

    def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
        """Do it and tell everyone who waits."""
        with self._news:
            self.acts.append((action, payload))
            before = deepcopy(self._state)
            getattr(self, "_" + action.replace("-", "_"))(**payload)
            if action not in ("undo", "show", "press"):
                self._history.append(before)
                self._state["undo"] = action
            self._look_through()
            self._state["version"] = before["version"] + 1
            self._news.notify_all()
            return self._state["version"]

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until something changes."""
        with self._news:
            self._news.wait_for(lambda: self._state["version"] != version, timeout_s)
            return self._state["version"]

    def announce(self) -> None:
        """Tell everyone who waits."""
        with self._news:
            self._state["version"] += 1
            self._news.notify_all()

    def crop(self, route: str) -> bytes | None:
        """The same picture for every route that was looked at."""
        return self.picture if route in self._state["routes"] else None

    def read_hand(
        self, images: Sequence[bytes], earlier: HandSeen | None, turn: Turn = nullcontext
    ) -> HandSeen:
        """The next cards of `photographed`, after those of earlier photos."""
        with turn():
            self.images.append(list(images))
        if not self.photographed:
            raise ActionRefusedError("vision.tickets.no-cards")
        known = () if earlier is None else earlier.cards
        return HandSeen((*known, *self.photographed.pop(0)))

    def offer_hand_photos(self, status: str, camera: bool = False) -> None:
        """Photos of hands can be read ("ready"), or could be with a package ("missing").

        `camera` says whether the board's camera can take one.
        """
        self._state["hand_photos"] = status
        self._state["hand_camera"] = camera

    def expect_hand(self) -> None:
        """Nothing is to be prepared."""

    def set_camera(self, status: str) -> None:
        """The camera goes well or badly, without anybody's doing."""
        with self._news:
            self._state["camera"] = {"status": status, "message": None}
            self.announce()

    def notice(self, *messages: PanelNotice) -> None:
        """The table has something to say."""
        with self._news:
            self._state["notices"] = list(messages)
            self.announce()

    def _start(self, board: str, players: list[Any], camera: bool) -> None:
        bag = load_board(board).passengers_in_bag
        self._state |= {"board": board, "players": players, "phase": "look"}
        self._state["extras"] = ["passengers"] if bag else []
        self._state["tickets"] = {player["colour"]: [] for player in players}
        self._state["camera"] = {"status": "ready" if camera else "none", "message": None}

    def _new_game(self) -> None:
        last = self._state["players"]
        self._state = _empty_state() | {"version": self._state["version"], "last_players": last}

    def _show(self, phase: str) -> None:
        self._state["phase"] = phase

    def _scan(self) -> None:
        if self._state["camera"]["status"] == "lost":
            raise ActionRefusedError("web.camera.lost")
        for route, (owner, sure, doubted) in self._reading.items():
            status = "doubtful" if doubted else "proposed"
            self._routes()[route] = {"owner": owner, "status": status, "confidence": sure}
        self._state["doubts"] = [_doubt(name, one) for name, one in self._reading.items() if one[2]]
        self._state["phase"] = "doubts" if self._state["doubts"] else "look"

    def _upload_photo(self, images: list[bytes]) -> None:
        self._scan()

    def _confirm_route(self, route: str) -> None:
        self._correct_route(route, self._routes()[route]["owner"])

    def _correct_route(self, route: str, owner: str | None) -> None:
        self._routes()[route] = {"owner": owner, "status": "confirmed", "confidence": 1.0}
        open_ones = [doubt for doubt in self._state["doubts"] if doubt["route"] != route]
        if self._state["phase"] == "doubts" and not open_ones:
            self._state["phase"] = "tickets"
        self._state["doubts"] = open_ones

    def _add_ticket(self, player: str, ticket: str) -> None:
        self._hands()[player].append({"ticket": ticket, "completed": False})

    def _remove_ticket(self, player: str, ticket: str) -> None:
        self._hands()[player] = [one for one in self._hands()[player] if one["ticket"] != ticket]

    def _set_tickets(self, player: str, tickets: list[str]) -> None:
        self._hands()[player] = [{"ticket": one, "completed": False} for one in tickets]

    def _set_passengers(self, player: str, passengers: Mapping[str, int]) -> None:
        self._state["passengers"] = {**self._state["passengers"], player: passengers}

    def _finish(self) -> None:
        if any(doubt["decisive"] is not False for doubt in self._state["doubts"]):
            raise ActionRefusedError("web.tickets.questions", questions=len(self._state["doubts"]))
        self._state |= {"phase": "sheet", "sheet": score_game(self._game()).to_json()}

    def _reopen(self) -> None:
        self._state |= {"phase": "tickets", "sheet": None}

    def _undo(self, step: int | None = None, really: bool = False) -> None:
        if not self._history:
            raise ActionRefusedError("web.undo.nothing")
        self._state = self._history.pop() | {"version": self._state["version"]}

    def _press(self, button: str) -> None:
        if button == "scan":
            self._scan()
        elif button == "confirm" and self._state["doubts"]:
            self._confirm_route(self._state["doubts"][0]["route"])

    def _game(self) -> dict[str, Any]:
        return {
            "game": self._state["board"],
            "players": [
                self._hand_in(player["name"], player["colour"]) for player in self._state["players"]
            ],
        }

    def _hand_in(self, name: str, colour: str) -> dict[str, Any]:
        routes = [route for route, one in self._routes().items() if one["owner"] == colour]
        tickets = [one["ticket"] for one in self._hands()[colour]]
        hand: dict[str, Any] = {
            "name": name,
            "colour": colour,
            "routes": routes,
            "tickets": tickets,
        }
        if self._state["extras"]:
            hand["passengers"] = self._state["passengers"].get(colour, {})
        return hand

    def _look_through(self) -> None:
        """Standing, the box's finger and the lamps follow from the rest."""
        board = self.board()
        doubts = self._state["doubts"]
        for doubt in doubts:
            doubt["decisive"] = None if self.decisive is None else doubt["route"] in self.decisive
        doubts.sort(key=lambda doubt: doubt["decisive"] is False)
        asked = doubts[0] if doubts and self._state["phase"] == "doubts" else None
        choice = None if asked is None else asked["alternatives"][0]["owner"]
        self._state["cursor"] = {
            "route": None if asked is None else asked["route"],
            "choice": choice,
            "player": None,
        }
        self._state["lamps"] = {
            player["colour"]: "blink" if asked and player["colour"] == choice else "on"
            for player in self._state["players"]
        }
        if board is not None:
            rows = [self._row(board, player) for player in self._state["players"]]
            self._state["standing"] = sorted(rows, key=lambda row: -row["points"])

    def _row(self, board: Board, player: Mapping[str, str]) -> Any:
        held = [
            board.route_by_id[route]
            for route, one in self._routes().items()
            if one["owner"] == player["colour"]
        ]
        used = sum(route.length for route in held)
        return {
            **player,
            "points": sum(board.route_points[route.length] for route in held),
            "routes": len(held),
            "wagons_used": used,
            "wagons_left": board.wagons_per_player - used,
        }

    def _routes(self) -> dict[str, Any]:
        return self._state["routes"]  # type: ignore[return-value]

    def _hands(self) -> dict[str, list[Any]]:
        return self._state["tickets"]  # type: ignore[return-value]


class NoHistory:
    """A table that keeps no evenings."""

    def evenings(self) -> Sequence[EveningSummary]:
        return ()

    def evening(self, id: str) -> OldEvening | None:
        return None

    def joined_names(self) -> Sequence[tuple[str, str]]:
        return ()

    def have_met(self, one: str, other: str) -> bool:
        return False

    def named_today(self, names: Sequence[str]) -> Sequence[str]:
        return names

    def picture(self, id: str, language: str) -> bytes | None:
        return None


def _doubt(route: str, read: tuple[str | None, float, bool]) -> Doubt:
    """The likeliest owner, and nobody (or else blue) with what is left."""
    owner, sure, _ = read
    other = "blue" if owner is None else None
    odds = [
        Alternative(owner=owner, probability=sure),
        Alternative(owner=other, probability=1 - sure),
    ]
    return Doubt(route=route, alternatives=odds, decisive=None)


def _empty_state() -> TableState:
    boards = [load_board(name) for name in BOARDS_WITH_DATA]
    return TableState(
        version=1,
        phase="start",
        boards=[
            BoardChoice(
                id=board.id,
                title=board.title,
                edition=board.edition,
                players=board.players,
                player_colours=board.player_colours,
            )
            for board in boards
        ],
        board=None,
        players=[],
        extras=[],
        routes={},
        doubts=[],
        likely=0.01,
        standing=[],
        tickets={},
        passengers={},
        flags={},
        sheet=None,
        camera={"status": "ready", "message": None},
        notices=[],
        undo=None,
        lamps={},
        cursor={"route": None, "choice": None, "player": None},
        virtual_box=True,
    )
