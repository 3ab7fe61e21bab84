"""The table in play: one lock around log, state, camera, eye and box; what the panel talks to."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.log.store import EventStore, StoreError
from companion.refusals import RefusalError
from companion.session.board_check import check_event
from companion.session.events import Event, EventError, Finished, Started, Undone
from companion.session.reducer import advance
from companion.session.replay import resume
from companion.session.state import Facts, State
from companion.table import box
from companion.table.actions import ACTIONS, Command, Payload, Press, TakeBack, Upload, command_of
from companion.table.box import BoxCursor, Scan
from companion.table.box_face import BoxFace
from companion.table.camera_feed import CameraFeed
from companion.table.crops import Crops, CropsError
from companion.table.eye import Eye, Photo, Seen
from companion.table.live_score import Reckoning, reckon
from companion.table.panel_state import Moment, game_in_play, snapshot, winning_colours
from companion.table.questions import Questions, empty_hands, open_questions
from companion.table.troubles import Troubles
from companion.table.watching import Glimpse, NewWatcher, TableWatch
from hardware.cameras.camera import Frame
from hardware.console.console import Button, Console
from hardware.console.virtual import VirtualConsole
from hardware.errors import HardwareError
from scoring.board.board import Board
from scoring.errors import GameError
from scoring.language import Message, SpokenError
from vision.errors import VisionError
from web.ports import Action, ActionRefusedError, CameraState, GameInPlay, TableState

FRAME_TIMEOUT_S = 15.0
"""How long a scan waits for a frame: a sleeping camera is opened anew within that time."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table is made of; without eye or feed everything is entered by hand.

    With `new_watcher` the camera's frames are followed between scans as well. `tell` hears what
    is wrong with a part ("camera", "box") whenever that changes; None: it works.
    """

    boards: Sequence[Board]
    data: Path
    eye: Eye | None = None
    feed: CameraFeed | None = None
    console: Console = field(default_factory=VirtualConsole)
    new_watcher: NewWatcher | None = None
    tell: Callable[[str, SpokenError | None], None] = lambda part, trouble: None


class Table:
    """A session with its camera and box; implements `web.ports.Table`.

    Threads of the panel, of the box and of the camera all come through here and through its one
    lock. Reading a photo happens outside the lock: nothing at the table waits for the camera.
    Raises StoreError where the log in `config.data` cannot be used.
    """

    def __init__(self, config: TableConfig) -> None:
        self._config = config
        self._boards = {board.id: board for board in config.boards}
        self._store = EventStore(config.data / "evening.sqlite3")
        self._crops = Crops(config.data / "crops")
        self._changed = threading.Condition(threading.RLock())
        self._state, self._notices = resume(self._store, self._boards)
        self._version = self._state.version
        self._reckoned: tuple[State, Reckoning] | None = None
        self._asked: tuple[State, Questions] | None = None
        self._cursor = box.follow(self._state, self._state, BoxCursor(), self._questions().routes)
        self._looking = False
        self._unsaved: Message | None = None
        self._face = BoxFace()
        self._troubles = Troubles()
        config.console.listen(self._pressed, self._box_changed)
        config.tell("camera", None)
        config.tell("box", config.console.trouble)
        if config.feed is not None:
            watch = config.new_watcher and TableWatch(config.new_watcher)
            on_frame = (lambda frame: self._watch(watch, frame)) if watch else None
            config.feed.start(self._camera_changed, on_frame)
        self._announce()

    def close(self) -> None:
        """CameraState off, lamps out, log closed."""
        if self._config.feed is not None:
            self._config.feed.stop()
        self._config.console.close()
        with self._changed:
            self._store.close()

    def state(self) -> TableState:
        """The present state for the panel."""
        with self._changed:
            moment = self._moment()
        return snapshot(moment)

    def board(self) -> Board | None:
        """The board in play, None without a game."""
        with self._changed:
            return self._boards.get(self._state.facts.board or "")

    def actions(self) -> Mapping[str, Action]:
        """Every action that the panel may ask for, by name."""
        return ACTIONS

    def in_play(self) -> GameInPlay:
        """What a request is checked against."""
        with self._changed:
            facts = self._state.facts
        return game_in_play(facts, self._config.boards)

    def act(self, action: str, payload: Payload) -> int:
        """Do what the panel asks for; returns the new version. Raises ActionRefusedError."""
        if action == "upload-photo":  # before the photos are decoded, which takes memory
            self._refuse_another_look()
        try:
            command = command_of(action, payload)
        except RefusalError as error:
            raise ActionRefusedError.saying(error) from error
        with self._changed:
            self._fulfil(command)
            return self._version

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the version is another one or the time is over; returns the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def crop(self, route: str) -> bytes | None:
        """The photo's piece around a route, a picture, or None where there is no photo."""
        return self._crops.get(self._state.facts.number, route)

    def _fulfil(self, command: Command) -> None:
        match command:
            case Scan():
                self._scan()
            case Upload():
                self._start_look(lambda: command.photos_bgr, sent=True)
            case Press() if isinstance(self._config.console, VirtualConsole):
                self._press(command.button)
            case TakeBack():
                self._take_back(command)
            case Press():
                raise ActionRefusedError("companion.refused.real-box")
            case _:
                self._record(command)

    def _take_back(self, command: TakeBack) -> None:
        """Undo, if the last step is the one that is meant; the start of a game only if asked."""
        last = self._state.past[-1] if self._state.past else None
        if command.step is not None and (last is None or last.step != command.step):
            raise ActionRefusedError("companion.refused.undo-other")
        if last is not None and isinstance(last.left_by, Started) and not command.really:
            raise ActionRefusedError("companion.refused.undo-start")
        self._record(Undone())

    def _record(self, event: Event) -> None:
        """Check, write, then believe: in this order, so that a crash loses an event whole."""
        try:
            after = advance(self._state, event)
            self._check(event, after)
            self._store.append(event)
        except (RefusalError, StoreError) as error:
            raise ActionRefusedError.saying(error) from error
        except EventError as error:
            raise ActionRefusedError("companion.refused.not-an-event", reason=error) from error
        before, self._state = self._state, after
        self._cursor = box.follow(before, after, self._cursor, self._questions().routes)
        self._announce()

    def _check(self, event: Event, after: State) -> None:
        """Refuse what the board in play does not know, and entries that contradict the game."""
        if after.facts.board is None:
            return
        board = self._boards.get(after.facts.board)
        if board is None:
            raise RefusalError("companion.refused.unknown-board", board=after.facts.board)
        check_event(event, board)
        if event.can_contradict:
            self._check_entry(event, reckon(after, board).error)

    def _check_entry(self, event: Event, error: GameError | None) -> None:
        """Only a new contradiction is the entry's own fault; a sheet has to be free of any."""
        if error is None:
            return
        before = self._reckoning()
        known = before.error.messages if before is not None and before.error is not None else ()
        if isinstance(event, Finished) or not set(error.messages) <= set(known):
            raise ActionRefusedError.saying(error)

    def _pressed(self, button: Button, made_s: float) -> None:
        """A press of the box, made at `made_s`; what can't be done now is left alone.

        CONFIRM answers what was on show when it was pressed: one that was made before the present
        question showed was meant for another and answers nothing.
        """
        with self._changed:
            if button is Button.CONFIRM and not self._face.showed(made_s):
                return
            try:
                self._press(button)
            except ActionRefusedError:
                return

    def _press(self, button: Button) -> None:
        before = self._cursor
        board = self._boards.get(self._state.facts.board or "")
        step = box.press(self._state, before, button, empty_hands(self._state, board))
        if self._looking and box.must_wait(step, button):
            self._face.say_wait(self._announce)
            self._announce()
            raise ActionRefusedError("companion.refused.looking")
        self._cursor = step.cursor
        try:
            if step.command is None:
                self._face.move(self._state, self._cursor)
                self._announce()
            else:
                self._fulfil(step.command)
        except ActionRefusedError:
            self._cursor = before
            raise

    def _box_changed(self) -> None:
        self._config.tell("box", self._config.console.trouble)
        self._announce()

    def _camera_changed(self) -> None:
        if self._config.feed is not None:
            self._config.tell("camera", self._config.feed.status.trouble)
        self._announce()

    def _scan(self) -> None:
        feed = self._config.feed
        if feed is None or not self._state.facts.camera:
            raise ActionRefusedError("companion.refused.no-camera")
        self._start_look(lambda: (feed.fresh(FRAME_TIMEOUT_S).image_bgr,))

    def _start_look(self, photos: Callable[[], Sequence[Photo]], sent: bool = False) -> None:
        """Begin to read photos, `sent` by somebody or taken by the camera."""
        eye, facts = self._refuse_another_look(), self._state.facts
        self._looking = True
        self._troubles.begin_look()
        threading.Thread(
            target=self._look, args=(eye, photos, facts, sent), name="look", daemon=True
        ).start()
        self._announce()

    def _refuse_another_look(self) -> Eye:
        """The eye, where it may look now; raises ActionRefusedError."""
        eye, facts = self._config.eye, self._state.facts
        if facts.board is None:
            raise ActionRefusedError("companion.refused.no-game")
        if facts.phase == "sheet":
            raise ActionRefusedError("companion.refused.finished")
        if eye is None:
            raise ActionRefusedError("companion.refused.no-eye")
        if self._looking:
            raise ActionRefusedError("companion.refused.looking")
        return eye

    def _look(
        self, eye: Eye, photos: Callable[[], Sequence[Photo]], facts: Facts, sent: bool
    ) -> None:
        """On a thread of its own: photograph, read, propose; trouble becomes a message."""
        trouble: Message | None = Message("companion.camera.fault")
        try:
            self._take(eye.look(photos(), self._boards[facts.board or ""], facts.colours), facts)
            trouble = None
        except (ActionRefusedError, HardwareError) as error:
            trouble = error.message
        except VisionError as error:
            trouble = Message("companion.camera.unreadable", reason=error)
        finally:
            self._end_look(trouble, facts, sent)

    def _end_look(self, trouble: Message | None, facts: Facts, sent: bool) -> None:
        with self._changed:
            self._looking = False
            self._troubles.keep_to(self._state.facts)
            if self._state.facts.number == facts.number and sent:
                self._troubles.photo = trouble
            elif self._state.facts.number == facts.number:
                self._troubles.scan = trouble
            self._announce()

    def _watch(self, watch: TableWatch, frame: Frame) -> None:
        """On the camera's thread: what a frame tells by itself, while a game is on."""
        facts = self._state.facts
        board = self._boards.get(facts.board or "")
        if board is None or not facts.camera or facts.phase == "sheet":
            return
        try:
            glimpse = watch.see(frame.image_bgr, frame.t_s, board, facts)
            if glimpse.seen is not None:
                self._take(glimpse.seen, facts)
        except VisionError as error:
            glimpse = Glimpse(blocked=True, reason=error.message)
        except ActionRefusedError as error:
            with self._changed:
                self._troubles.scan = error.message
                self._announce()
            return
        with self._changed:
            self._troubles.keep_to(self._state.facts)
            if self._state.facts.number == facts.number and self._troubles.take(glimpse):
                self._announce()

    def _take(self, seen: Seen, facts: Facts) -> None:
        """Propose what was seen in a game, unless another one is on by now.

        The crops come first, so that whoever sees a doubt can see its picture.
        """
        doubtful = [name for name, route in seen.proposed.routes.items() if route.review]
        unsaved: Message | None = None
        try:
            self._crops.renew(facts.number, seen.crop, doubtful)
        except CropsError as error:
            unsaved = error.message
        with self._changed:
            if self._state.facts.number == facts.number:
                self._unsaved = unsaved
                self._record(seen.proposed)

    def _announce(self) -> None:
        """Something changed: lamps first, then everybody who waits."""
        with self._changed:
            self._version += 1
            is_sheet = self._state.facts.phase == "sheet"
            winners = winning_colours(self._reckoning()) if is_sheet else ()
            waits = self._face.says_wait
            states = box.lamps(self._state, self._cursor, self._looking, winners, waits)
            self._config.console.show(states)
            self._face.note(self._state, self._cursor)
            self._changed.notify_all()

    def _reckoning(self) -> Reckoning | None:
        """The sheet as it would be now, worked out once a state."""
        board = self._boards.get(self._state.facts.board or "")
        if board is None:
            return None
        if self._reckoned is None or self._reckoned[0] is not self._state:
            self._reckoned = (self._state, reckon(self._state, board))
        return self._reckoned[1]

    def _questions(self) -> Questions:
        """The open questions in the order in which they are asked, worked out once a state."""
        if self._asked is None or self._asked[0] is not self._state:
            board = self._boards.get(self._state.facts.board or "")
            self._asked = (self._state, open_questions(self._state, board))
        return self._asked[1]

    def _moment(self) -> Moment:
        return Moment(
            version=self._version,
            state=self._state,
            board=self._boards.get(self._state.facts.board or ""),
            boards=self._config.boards,
            reckoning=self._reckoning(),
            cursor=self._cursor,
            questions=self._questions(),
            camera=self._camera(),
            extra_notices=(*self._notices, *([self._unsaved] if self._unsaved else [])),
            virtual_box=isinstance(self._config.console, VirtualConsole),
            told_to_wait=self._face.says_wait,
            photo=self._troubles.photo,
            box=self._box_trouble(),
        )

    def _camera(self) -> CameraState:
        feed, facts = self._config.feed, self._state.facts
        self._troubles.keep_to(facts)
        if self._looking:
            return CameraState(status="looking", message=None)
        if feed is None or (facts.board is not None and not facts.camera):
            return CameraState(status="none", message=None)
        return self._troubles.camera(feed.status)

    def _box_trouble(self) -> Message | None:
        trouble = self._config.console.trouble
        return None if trouble is None else trouble.message
