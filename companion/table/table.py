"""The table in play: evening, looks and box under one lock; what the panel talks to."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import RefusalError
from companion.session.events import (
    EveningDeleted,
    EveningRestored,
    PlayerRenamed,
    SeatedPlayer,
    Started,
    Undone,
)
from companion.session.state import State, first_pass_is_on
from companion.table import box
from companion.table.actions import (
    ACTIONS,
    Command,
    Payload,
    Press,
    ShowReveal,
    TakeBack,
    Upload,
    command_of,
)
from companion.table.box import Scan, ScoreFirstPass
from companion.table.box_face import BoxFace
from companion.table.camera_feed import CameraFeed
from companion.table.copy_button import CopyButton
from companion.table.crops import Crops
from companion.table.evening import Evening
from companion.table.eye import Eye
from companion.table.first_pass import first_pass_of
from companion.table.hand_photos.photos import CoverBoard, HandPhotos
from companion.table.hand_photos.reader import HandReader
from companion.table.history.history import History
from companion.table.looks import Looks
from companion.table.panel.snapshot import TableView, game_in_play, snapshot
from companion.table.questions import empty_hands
from companion.table.referee import colours_of, remarks_on
from companion.table.status_lamp import status_lamp
from companion.table.watching import NewWatcher, TableWatch
from hardware.console.console import Button, Buttons, Console, Gesture
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board
from scoring.errors import GameError
from scoring.language import Message, SpokenError
from web.ports import Action, ActionRefusedError, GameInPlay, HandSeen, Moment
from web.table_state import ClubRound, RevealState, TableState

REVEAL_BEGINS = RevealState(step=0, playing=True)

REQUESTS_REMEMBERED = 512
"""Of those that led to no event; a tablet repeats a request within seconds."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table is made of; without eye or feed everything is entered by hand.

    With `new_watcher` the camera's frames are followed between scans as well. `tell` hears what
    is wrong with a part ("camera", "box") whenever that changes; None: it works. With
    `hand_reader` tickets are read from photos, with `cover_board` from the camera's as well. `keys`
    are more buttons than the console's. `power_off` switches the machine off; it may raise OSError.
    `config_trouble` is what was wrong with the table's configuration. `save_copy` writes a copy of
    the table onto a stick and returns what is to be said; it may raise SpokenError.
    """

    boards: Sequence[Board]
    data: Path
    eye: Eye | None = None
    feed: CameraFeed | None = None
    console: Console = field(default_factory=VirtualConsole)
    new_watcher: NewWatcher | None = None
    tell: Callable[[str, SpokenError | None], None] = lambda part, trouble: None
    hand_reader: HandReader | None = None
    cover_board: CoverBoard | None = None
    keys: Sequence[Buttons] = ()
    power_off: Callable[[], None] | None = None
    config_trouble: SpokenError | None = None
    save_copy: Callable[[], Message] | None = None


class Table:
    """A session with its camera and box; implements `web.ports.TablePort`.

    Threads of the panel, of the box and of the camera all come through here and through the
    evening's one lock. Raises StoreError where the log in `config.data` cannot be used.
    """

    def __init__(self, config: TableConfig) -> None:
        self._config = config
        self._crops = Crops(config.data / "crops")
        self._evening = Evening(config.data, config.boards, self._followed)
        self._lock = self._evening.lock
        self._history = History(self._evening, config.data)
        self._history.prepare()
        self._version = self._evening.state.version
        self._looks = Looks(self._evening, config.eye, config.feed, self._crops, self.announce)
        self._done: deque[str] = deque(maxlen=REQUESTS_REMEMBERED)
        self._hand_photos = HandPhotos(
            self._evening, config.hand_reader, config.feed, config.cover_board
        )
        self._box = BoxFace(config.console)
        state = self._evening.state
        self._box.follow(state, state, self._evening.questions.routes)
        self._power_trouble: Message | None = None
        self._copy = CopyButton(config.save_copy, self._copy_changed)
        self._reveal = REVEAL_BEGINS
        self._club_round: ClubRound | None = None
        self._unsaved: Message | None = None
        for buttons in (config.console, *config.keys):
            buttons.listen(self._pressed, self._box_changed, self._gestured)
        config.tell("camera", None)
        config.tell("box", self._box_trouble)
        if config.feed is not None:
            watch = config.new_watcher and TableWatch(config.new_watcher)
            on_frame = (lambda frame: self._looks.watch(watch, frame)) if watch else None
            config.feed.start(self._camera_changed, on_frame, self._nobody_plays)
        self.announce()

    def close(self) -> None:
        """Camera off, lamps out, log closed."""
        if self._config.feed is not None:
            self._config.feed.stop()
        for buttons in (self._config.console, *self._config.keys):
            buttons.close()
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
            view = self._view()
        return Moment(snapshot(view), view.board, view.final_sheet, view.final_game)

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
            facts, board, id = self._evening.facts, self._evening.board, self._evening.game_id
        return game_in_play(facts, board, self.boards, id)

    def act(self, action: str, payload: Payload, request_id: str = "") -> int:
        """Do what the panel asks for; returns the new version. Raises ActionRefusedError.

        A request that was done already is not done again, whenever it comes.
        """
        if request_id and self.was_done(request_id):
            return self._version
        if action == Upload.action:  # before the photos are decoded, which takes memory
            self._looks.eye_for_another()
        try:
            command = command_of(action, payload)
        except RefusalError as error:
            raise ActionRefusedError.saying(error) from error
        with self._lock, self._evening.on_behalf_of(request_id):
            if request_id and self.was_done(request_id):
                return self._version
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

    def crop(self, route: str) -> bytes | None:
        """The photo's piece around a route, a picture, or None where there is no photo."""
        with self._lock:
            number = self._evening.facts.number
        return self._crops.get(number, route)

    def read_hand(self, images: Sequence[bytes], earlier: HandSeen | None) -> HandSeen:
        """The tickets in photos of a hand; raises ActionRefusedError."""
        return self._hand_photos.read(images, earlier)

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
            case Press() if isinstance(self._config.console, VirtualConsole):
                self._press(command.button)
            case Press():
                raise ActionRefusedError("companion.refused.real-box")
            case ShowReveal():
                self._show_reveal(command)
            case TakeBack():
                self._take_back(command)
            case Started():
                self._evening.start(command)
            case PlayerRenamed() if self._is_name_of(command):
                pass  # a step that changes nothing would be one to undo
            case ScoreFirstPass():
                self._score_first_pass()
            case EveningDeleted() | EveningRestored():
                self._move_evening(command)
            case _:
                self._evening.record(command)

    def _show_reveal(self, command: ShowReveal) -> None:
        """All pages of the reveal go to a step. It is forgotten when the program ends."""
        if self._evening.facts.phase != "sheet":
            raise ActionRefusedError("companion.refused.no-reveal")
        wanted = RevealState(step=command.step, playing=command.playing)
        goes_on = command.after is None or command.after == self._reveal["step"]
        if goes_on and wanted != self._reveal:
            self._reveal = wanted
            self.announce()

    def _is_name_of(self, command: PlayerRenamed) -> bool:
        """Whether the player is called so already."""
        players = self._evening.facts.players
        return SeatedPlayer(command.name.strip(), command.colour) in players

    def _score_first_pass(self) -> None:
        evening = self._evening
        if evening.board is None:
            raise ActionRefusedError("companion.refused.no-game")
        try:
            event = first_pass_of(evening.state, evening.board)
        except (GameError, RefusalError) as error:
            raise ActionRefusedError.saying(error) from error
        evening.record(event)

    def _move_evening(self, command: EveningDeleted | EveningRestored) -> None:
        """Into the bin or out of it; only what is there can be moved."""
        now = self._evening.evenings_now()
        is_there = command.evening in {one.id for one in now.kept}
        is_deleted = command.evening in now.deleted
        if not is_there or is_deleted == isinstance(command, EveningDeleted):
            raise ActionRefusedError("companion.refused.no-evening")
        self._evening.record(command)

    def _take_back(self, command: TakeBack) -> None:
        """Undo, if the last step is the one that is meant; the start of a game only if asked."""
        past = self._evening.state.past
        last = past[-1] if past else None
        if command.step is not None and (last is None or last.step != command.step):
            raise ActionRefusedError("companion.refused.undo-other")
        if last is not None and isinstance(last.left_by, Started) and not command.really:
            raise ActionRefusedError("companion.refused.undo-start")
        self._evening.record(Undone())

    def _pressed(self, button: Button, made_s: float) -> None:
        """A press of the box, made at `made_s`; one that means nothing in this phase is ignored.

        CONFIRM answers what was on show when it was pressed: one that was made before the present
        question showed was meant for another and answers nothing.
        """
        if button is Button.COPY:
            self._copy.press()
            return
        with self._lock:
            if button is Button.CONFIRM and not self._box.showed(made_s):
                return
            try:
                self._press(button)
            except ActionRefusedError:
                return

    def _gestured(self, gesture: Gesture) -> None:
        """A gesture at the box; one that means nothing now is ignored."""
        with self._lock:
            if gesture is Gesture.UNDO:
                with suppress(ActionRefusedError):
                    self._fulfil(TakeBack())
            elif self._config.power_off is not None:
                self._box.say_power(gesture)
                self._light()
                if gesture is Gesture.POWER_OFF:
                    threading.Thread(target=self._power_off, name="power-off").start()

    def _power_off(self) -> None:
        assert self._config.power_off is not None
        try:
            self._config.power_off()
        except OSError as error:
            with self._lock:
                self._power_trouble = Message("companion.box.no-power-off", reason=error)
                self._box.say_power(Gesture.LET_GO)
                self.announce()

    def _press(self, button: Button) -> None:
        state = self._evening.state
        outcome = self._box.outcome(state, button, self._objections())
        if self._looks.is_looking and box.must_wait(outcome, button):
            self._box.say_wait(self.announce)
            self.announce()
            raise ActionRefusedError("companion.refused.looking")
        if self._box.press(state, outcome, self._fulfil):
            self.announce()

    def _objections(self) -> tuple[str, ...]:
        """The colours that something is odd about before the sheet: empty hands before all else.

        A first pass of the Card Game is followed by another one: nothing is odd about it yet.
        """
        state, reckoning = self._evening.state, self._evening.reckoning
        game = None if reckoning is None else reckoning.game
        empty = empty_hands(state, self._evening.board)
        if empty or game is None or first_pass_is_on(state.facts):
            return empty
        return colours_of(state, remarks_on(state, game))

    def _followed(self, before: State) -> None:
        """An event was recorded."""
        if self._evening.state.facts.phase != "sheet":
            self._reveal = REVEAL_BEGINS
        self._box.follow(before, self._evening.state, self._evening.questions.routes)
        self._box.say_claims(before, self._evening.state, self._light)
        self._box.say_saved(self._light)
        self.announce()

    def _copy_changed(self) -> None:
        with self._lock:
            self._box.copy = self._copy.sign
            self.announce()

    def _box_changed(self) -> None:
        self._config.tell("box", self._box_trouble)
        self.announce()

    @property
    def _box_trouble(self) -> SpokenError | None:
        """What is wrong with buttons and lamps."""
        config = self._config
        troubles = (config.console.trouble, *(keys.trouble for keys in config.keys))
        return next((one for one in troubles if one is not None), None)

    def _nobody_plays(self) -> bool:
        with self._lock:
            return self._evening.facts.phase in ("start", "sheet")

    def _camera_changed(self) -> None:
        if self._config.feed is not None:
            self._config.tell("camera", self._config.feed.status.trouble)
        self.announce()

    def announce(self) -> None:
        """Something changed: lamps first, then everybody who waits."""
        with self._lock:
            self._version += 1
            self._light()
            self._lock.notify_all()

    def _light(self) -> None:
        """Set the lamps for the present state."""
        with self._lock:
            state, looks = self._evening.state, self._looks
            unsaved = self._evening.no_room or looks.unsaved or self._unsaved
            is_broken = self._box_message is not None or unsaved is not None
            camera = looks.camera_state()
            self._box.show(
                state,
                looking=looks.is_looking,
                winners=self._winners(),
                status=status_lamp(state, self._box.cursor, camera, is_broken),
            )

    @property
    def _box_message(self) -> Message | None:
        """What the panel says of the box and its configuration."""
        if self._power_trouble is not None:
            return self._power_trouble
        trouble = self._box_trouble or self._config.config_trouble
        return None if trouble is None else trouble.message

    def _winners(self) -> tuple[str, ...]:
        """The colours whose lamps shine on the sheet."""
        is_sheet = self._evening.facts.phase == "sheet"
        reckoning = self._evening.reckoning if is_sheet else None
        return () if reckoning is None else reckoning.winning_colours

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
                *filter(None, (looks.unsaved, self._unsaved, self._copy.said)),
            ),
            virtual_box=isinstance(self._config.console, VirtualConsole),
            told_to_wait=self._box.says_wait,
            reveal=self._reveal,
            photo=looks.photo_trouble,
            box=self._box_message,
            disk=evening.no_room,
            hand_photos=self._hand_photos.status,
            hand_camera=self._hand_photos.has_camera,
            club_round=self._club_round,
        )
