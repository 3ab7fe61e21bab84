"""Looks at the board: photos are read on a thread of their own, and what they say is proposed."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.session.events import ReadingProposed
from companion.session.state import Facts, State
from companion.table.camera_feed import CameraFeed
from companion.table.clearing import (
    WhilePlaying,
    WhileTicketsAreEntered,
    telling_what_is_free,
)
from companion.table.crops import Crops, CropsError
from companion.table.evening import Evening
from companion.table.eye import Eye, Photo, Seen
from companion.table.process_memory import release_free_memory
from companion.table.troubles import Troubles
from companion.table.watching import Glimpse, TableWatch, uncovered_since
from hardware.cameras.camera import Frame
from hardware.errors import HardwareError
from scoring.language import Message
from vision.errors import VisionError
from web.errors import ActionRefusedError, BusyError
from web.table_state import CameraState


class Looks:
    """One look at a time, for a scan or for photos that were sent; and the frames in between.

    Reading happens outside the evening's lock, so that nothing at the table waits for the camera;
    everything that comes of it is told under the lock. `announce` is called at every change.
    """

    def __init__(
        self,
        evening: Evening,
        eye: Eye | None,
        feed: CameraFeed | None,
        crops: Crops,
        announce: Callable[[], None],
    ) -> None:
        self._evening = evening
        self._eye = eye
        self._feed = feed
        self._crops = crops
        self._announce = announce
        self._troubles = Troubles()
        self._while_playing = WhilePlaying()
        self._while_tickets = WhileTicketsAreEntered()
        self.is_looking = False
        self.unsaved: Message | None = None
        """Why the last crops could not be kept on disk."""

    @property
    def photo_trouble(self) -> Message | None:
        """Why the last photo that was sent could not be read."""
        return self._troubles.photo

    @property
    def covered(self) -> frozenset[str] | None:
        """The routes over which something lies by now, None where the last look still tells it."""
        self._troubles.keep_to(self._evening.facts)
        return self._troubles.covered

    def camera_state(self) -> CameraState:
        """The camera as the panel shows it."""
        facts = self._evening.facts
        self._troubles.keep_to(facts)
        if self.is_looking:
            return CameraState(status="looking", message=None)
        if self._feed is None or (facts.board is not None and not facts.camera):
            return CameraState(status="none", message=None)
        return self._troubles.camera(self._feed.status)

    def scan(self) -> None:
        """Look with the camera; raises ActionRefusedError."""
        feed = self._feed
        if feed is None or not self._evening.facts.camera:
            raise ActionRefusedError("companion.refused.no-camera")
        self.start(lambda: (feed.photograph(),))

    def camera_is_back(self) -> None:
        """It gives pictures: what was wrong with a look while it was away no longer matters."""
        with self._evening.lock:
            self._troubles.scan = None

    def start(self, photos: Callable[[], Sequence[Photo]], sent: bool = False) -> None:
        """Begin to read photos, `sent` by somebody or taken by the camera.

        Raises what `eye_for_another` does.
        """
        with self._evening.lock:
            eye, facts = self.eye_for_another(sent), self._evening.facts
            # First the thread, which the system may refuse: its end waits for the lock.
            threading.Thread(
                target=self._look, args=(eye, photos, facts, sent), name="look", daemon=True
            ).start()
            self.is_looking = True
            self._troubles.begin_look(sent)
            self._announce()

    def eye_for_another(self, sent: bool = False) -> Eye:
        """The eye, where it may look now.

        Raises ActionRefusedError, and BusyError for photos that were `sent` while it looks: a phone
        keeps them, and sends them again.
        """
        with self._evening.lock:
            facts = self._evening.facts
            if facts.board is None:
                raise ActionRefusedError("companion.refused.no-game")
            if not facts.has_map:
                raise ActionRefusedError("companion.refused.no-map")
            if facts.phase == "sheet":
                raise ActionRefusedError("companion.refused.finished")
            if self._eye is None:
                raise ActionRefusedError("companion.refused.no-eye")
            if self.is_looking:
                refusal = BusyError if sent else ActionRefusedError
                raise refusal("companion.refused.looking")
            return self._eye

    def watch(self, watch: TableWatch, frame: Frame) -> None:
        """On the camera's thread: what a frame tells by itself, while a game is on."""
        with self._evening.lock:
            facts, board = self._evening.facts, self._evening.board
        if board is None or not facts.camera or facts.phase == "sheet":
            return
        try:
            glimpse = watch.see(frame.image_bgr, frame.t_s, board, facts)
            if glimpse.seen is not None:
                self._take(self._as_in_this_phase(glimpse.seen, facts, frame.t_s), facts)
            self._take_what_counts_now(glimpse, facts, frame.t_s)
        except VisionError as error:
            glimpse = Glimpse(blocked=True, reason=error.message)
        except ActionRefusedError as error:
            self._not_taken(error)
            return
        with self._evening.lock:
            self._troubles.keep_to(self._evening.facts)
            if self._is_same_game(facts):
                told = self._troubles.tell_gone(self._while_playing.told(self._evening.facts))
                if self._troubles.take(glimpse) or told:
                    self._announce()

    def _look(
        self, eye: Eye, photos: Callable[[], Sequence[Photo]], facts: Facts, sent: bool
    ) -> None:
        """On a thread of its own: photograph, read, propose; trouble becomes a message.

        Photos that were read while somebody put right who plays are read once more in the colours
        of now: nobody would learn that nothing came of them.
        """
        trouble: Message | None = Message("companion.camera.fault")
        try:
            board = self._evening.boards[facts.board or ""]
            self._take(eye.look(photos(), board, facts.colours), facts)
            while not self._is_same_game(facts) and self._evening.facts.number == facts.number:
                facts = self._evening.facts
                self._take(eye.look(photos(), board, facts.colours), facts)
            trouble = None
        except (ActionRefusedError, HardwareError) as error:
            trouble = error.message
        except VisionError as error:
            trouble = Message("companion.camera.unreadable", reason=error)
        finally:
            self._end(trouble, facts, sent)
            release_free_memory()

    def _end(self, trouble: Message | None, facts: Facts, sent: bool) -> None:
        with self._evening.lock:
            self.is_looking = False
            self._troubles.keep_to(self._evening.facts)
            if self._is_same_game(facts) and sent:
                self._troubles.photo = trouble
            elif self._is_same_game(facts):
                self._troubles.scan = trouble
            self._announce()

    def _not_taken(self, error: ActionRefusedError) -> None:
        with self._evening.lock:
            self._troubles.scan = error.message
            self._announce()

    def _take(self, seen: Seen, facts: Facts) -> None:
        """Propose what was seen in a game, unless another one is on by now, or in other colours.

        What the camera sees by itself while a game is finished comes too late for its sheet. The
        crops come first, so that whoever sees a doubt can see its picture. They are cut before the
        lock is taken.
        """
        pieces = {n: seen.crop(n) for n, route in seen.proposed.routes.items() if route.review}
        seen.put_away()
        with self._evening.lock:
            if not self._is_same_game(facts) or self._changes_nothing(seen):
                return
            self.unsaved = None
            try:
                self._crops.renew(facts.number, seen.crop, pieces)
            except CropsError as error:
                self.unsaved = error.message
            try:
                proposed = seen.proposed
                if proposed.whole:
                    proposed = telling_what_is_free(proposed, self._evening.state)
                self._evening.record(proposed)
                if proposed.whole:
                    self._while_playing.looked(facts)
                    self._troubles.tell_gone(0)
            except ActionRefusedError:
                self.unsaved = None  # the reading was not kept either, and that is told
                raise

    def _take_what_counts_now(self, glimpse: Glimpse, facts: Facts, t_s: float) -> None:
        """Propose what is seen again of what a look asked about, and what was withheld until people
        said that the board has really changed; the crops stay those of before."""
        with self._evening.lock:
            state = self._evening.state
            if not self._is_same_game(facts) or state.facts.phase == "sheet":
                return
            proposed = uncovered_since(state, glimpse.sure)
            if not proposed.routes and not self._while_playing.withholds(facts):
                return
            proposed = self._in_this_phase(proposed, state, t_s)
            if proposed.routes:
                self._evening.record(proposed)

    def _as_in_this_phase(self, seen: Seen, facts: Facts, t_s: float) -> Seen:
        """What was seen of another game, or in other colours, is not taken at all."""
        with self._evening.lock:
            if not self._is_same_game(facts):
                return seen
            proposed = self._in_this_phase(seen.proposed, self._evening.state, t_s)
        return replace(seen, proposed=proposed)

    def _in_this_phase(
        self, proposed: ReadingProposed, state: State, t_s: float
    ) -> ReadingProposed:
        proposed = self._while_playing.take(proposed, state, t_s)
        return self._while_tickets.take(proposed, state)

    def _changes_nothing(self, seen: Seen) -> bool:
        too_late = self._evening.facts.phase == "sheet"
        return not seen.proposed.whole and (too_late or not seen.proposed.routes)

    def _is_same_game(self, facts: Facts) -> bool:
        return self._evening.facts.is_same_game(facts)
