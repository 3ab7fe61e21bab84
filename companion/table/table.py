"""The table in play: evening, looks and box under one lock; what the panel talks to."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from companion.errors import RefusalError
from companion.session.events import Finished, Redone
from companion.session.state import State
from companion.table.actions import (
    ACTIONS,
    Command,
    Payload,
    Press,
    ShowReveal,
    Upload,
    command_of,
)
from companion.table.box import Scan
from companion.table.box_in_play import BoxInPlay
from companion.table.crops import Crops
from companion.table.evening import Evening
from companion.table.hand_photos.photos import HandPhotos
from companion.table.history.history import History
from companion.table.looks import Looks
from companion.table.state_document.snapshot import TableView, game_in_play, snapshot
from companion.table.steps import take_step
from companion.table.table_config import TableConfig
from companion.table.watching import TableWatch
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board
from scoring.language import Message
from web.errors import ActionRefusedError
from web.ports import Action, GameInPlay, HandSeen, Moment, Turn
from web.table_state import ClubRound, RevealState, TableState

REVEAL_BEGINS = RevealState(step=0, playing=True)

REVEAL_IS_OVER = RevealState(step=999, playing=False)
"""Beyond every last step: an undo has led back to a sheet that people know."""

REQUESTS_REMEMBERED = 512
"""Of those that led to no event; a tablet repeats a request within seconds."""


class Table:
    """A session with its camera and box; implements `web.ports.TablePort`.

    Threads of the panel, of the box and of the camera all come through here and through the
    evening's one lock. Raises StoreError where the log in `config.data` cannot be used.
    """

    def __init__(self, config: TableConfig) -> None:
        self._config = config
        self._crops = Crops(config.data / "crops")
        self._evening = Evening(
            config.data, config.boards, self._followed, config.now, config.steady
        )
        self._lock = self._evening.lock
        self._history = History(self._evening, config.data)
        self._history.prepare()
        self._version = self._evening.state.version
        self._looks = Looks(self._evening, config.eye, config.feed, self._crops, self.announce)
        self._done: deque[str] = deque(maxlen=REQUESTS_REMEMBERED)
        self._hand_photos = HandPhotos(
            self._evening, config.hand_reader, config.feed, config.cover_board
        )
        self._reveal = REVEAL_BEGINS
        self._club_round: ClubRound | None = None
        self._unsaved: Message | None = None
        self._box = BoxInPlay(
            config, self._evening, self._looks, self._fulfil, self._what_is_unsaved, self.announce
        )
        config.tell("camera", None)
        self._box.listen()
        if config.feed is not None:
            watch = config.new_watcher and TableWatch(config.new_watcher)
            on_frame = (lambda frame: self._looks.watch(watch, frame)) if watch else None
            config.feed.start(self._camera_changed, on_frame, self._nobody_plays)
        self.announce()

    def close(self) -> None:
        """Camera off, lamps out, log closed."""
        if self._config.feed is not None:
            self._config.feed.stop()
        self._box.close()
        self._hand_photos.close()
        self._evening.close()

    @property
    def boards(self) -> Sequence[Board]:
        """The boards that are offered for a new game."""
        with self._lock:
            return tuple(self._evening.offered.values())

    def offer(self, board: Board) -> None:
        """Offer a board for new games, in the place of one with its id."""
        self._evening.offer(board)
        self.announce()

    def moment(self) -> Moment:
        """The present state, with the board and the sheet that belong to it."""
        with self._lock:
            view, began_ms = self._view(), self._began_ms
        return Moment(snapshot(view), view.board, view.final_sheet, view.final_game, began_ms)

    def state(self) -> TableState:
        """The present state for the panel."""
        return self.moment().state

    def actions(self) -> Mapping[str, Action]:
        """Every action that the panel may ask for, by name."""
        return ACTIONS

    @property
    def history(self) -> History:
        """The old evenings."""
        return self._history

    @property
    def evening(self) -> Evening:
        """The log's state, for what copies the log."""
        return self._evening

    def in_play(self) -> GameInPlay:
        """What a request is checked against."""
        with self._lock:
            facts, board, began_ms = self._evening.facts, self._evening.board, self._began_ms
            began_s = self._evening.game_began_s
        return game_in_play(facts, board, self.boards, began_ms, began_s)

    @property
    def _began_ms(self) -> int | None:
        """The id of a game is the moment at which it began."""
        id = self._evening.game_id
        return None if id is None else int(id)

    def act(self, action: str, payload: Payload, request_id: str = "") -> int:
        """Do what the panel asks for; returns the new version.

        Raises ActionRefusedError, and BusyError for photos while others of the board are read.
        A request that was done already is not done again, whenever it comes.
        """
        if request_id and self.was_done(request_id):
            return self._version
        if action == Upload.action:  # before the photos are decoded, which takes memory
            self._looks.eye_for_another(sent=True)
        game = self._evening.facts.number
        try:
            command = command_of(action, payload)
        except RefusalError as error:
            raise ActionRefusedError.saying(error) from error
        with self._lock, self._evening.on_behalf_of(request_id):
            if request_id and self.was_done(request_id):
                return self._version
            if isinstance(command, Upload) and self._evening.facts.number != game:
                raise ActionRefusedError("web.error.other-game")  # decoding lasts
            self._fulfil(command)
            if request_id:
                self._done.append(request_id)
            return self._version

    def was_done(self, request_id: str) -> bool:
        """Those that led to no event (a look, a press) are remembered while the program runs."""
        with self._lock:
            return request_id in self._done or self._evening.was_done(request_id)

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the version is another one or the time is over; returns the version."""
        with self._lock:
            self._lock.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def announce(self) -> None:
        """Something changed: lamps first, then everybody who waits."""
        with self._lock:
            self._version += 1
            self._box.light()
            self._lock.notify_all()

    def crop(self, route: str) -> bytes | None:
        """The photo's piece around a route, a picture, or None where there is no photo."""
        with self._lock:
            number = self._evening.facts.number
        return self._crops.get(number, route)

    def read_hand(
        self, images: Sequence[bytes], earlier: HandSeen | None, turn: Turn = nullcontext
    ) -> HandSeen:
        """The tickets in photos of a hand; raises ActionRefusedError."""
        return self._hand_photos.read(images, earlier, turn)

    def show_round(self, club_round: ClubRound | None) -> None:
        """Show the round of a club's tournament and its timer; None where there is none."""
        with self._lock:
            if club_round == self._club_round:
                return
            self._club_round = club_round
        self.announce()

    def say_unsaved(self, message: Message | None) -> None:
        """Say that something beside the log could not be saved; None where all is."""
        with self._lock:
            if message == self._unsaved:
                return
            self._unsaved = message
        self.announce()

    def expect_hand(self) -> None:
        """Photos of a hand may come soon."""
        self._hand_photos.expect()

    def _fulfil(self, command: Command) -> None:
        match command:
            case Scan():
                self._looks.scan()
            case Upload():
                self._looks.start(lambda: command.photos_bgr, sent=True)
            case Press() if self._has_virtual_box:
                self._box.press(command.button)
            case Press():
                raise ActionRefusedError("companion.refused.real-box")
            case ShowReveal():
                self._show_reveal(command)
            case Finished() | Redone() if self._looks.is_looking and self._finishes(command):
                raise ActionRefusedError("companion.refused.finish-looking")
            case _:
                take_step(self._evening, command)

    def _finishes(self, command: Command) -> bool:
        """Whether it leads to the final sheet, for which a photo that is read just now is late."""
        future = self._evening.state.future
        again = isinstance(command, Redone) and bool(future)
        return isinstance(future[-1].left_by if again else command, Finished)

    @property
    def _has_virtual_box(self) -> bool:
        return isinstance(self._config.console, VirtualConsole)

    def _show_reveal(self, command: ShowReveal) -> None:
        """All pages of the reveal go to a step. It is forgotten when the program ends."""
        if self._evening.facts.phase != "sheet":
            raise ActionRefusedError("companion.refused.no-reveal")
        wanted = RevealState(step=command.step, playing=command.playing)
        goes_on = command.after is None or command.after == self._reveal["step"]
        if goes_on and wanted != self._reveal:
            self._reveal = wanted
            self.announce()

    def _followed(self, before: State) -> None:
        """An event was recorded."""
        state = self._evening.state
        if state.facts.phase != "sheet":
            self._reveal = REVEAL_BEGINS
        elif before.facts.phase != "sheet" and state.future:
            self._reveal = REVEAL_IS_OVER
        self._box.followed(before)
        self.announce()

    def _nobody_plays(self) -> bool:
        with self._lock:
            return self._evening.facts.phase in ("start", "sheet")

    def _camera_changed(self) -> None:
        if self._config.feed is not None:
            feed = self._config.feed.status
            self._config.tell("camera", feed.trouble)
            if feed.status == "ready":
                self._looks.camera_is_back()
        self.announce()

    def _what_is_unsaved(self) -> Message | None:
        return self._evening.no_room or self._looks.unsaved or self._unsaved

    def _view(self) -> TableView:
        evening, looks = self._evening, self._looks
        return TableView(
            version=self._version,
            state=evening.state,
            board=evening.board,
            boards=self.boards,
            reckoning=evening.reckoning,
            cursor=self._box.cursor,
            questions=evening.questions,
            camera=looks.camera_state(),
            extra_notices=(
                *evening.notices,
                *filter(None, (evening.left, looks.unsaved, self._unsaved, self._box.copy_said)),
            ),
            virtual_box=self._has_virtual_box,
            told_to_wait=self._box.says_wait,
            claimed=self._box.claimed,
            reveal=self._reveal,
            photo=looks.photo_trouble,
            box=self._box.message,
            disk=evening.no_room,
            hand_photos=self._hand_photos.status,
            hand_camera=self._hand_photos.has_camera,
            club_round=self._club_round,
            covered=looks.covered,
        )
