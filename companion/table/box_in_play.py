"""The box of a table in play: presses and gestures become commands, the state becomes lamps."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.session.events import Event
from companion.session.state import State, first_pass_is_on
from companion.table import box
from companion.table.actions import TakeBack
from companion.table.box import BoxCursor, Scan, ScoreFirstPass
from companion.table.box_face import BoxFace
from companion.table.copy_button import CopyButton
from companion.table.evening import Evening
from companion.table.later import Later
from companion.table.looks import Looks
from companion.table.questions import empty_hands
from companion.table.referee import colours_of, told_before_sheet
from companion.table.status_lamp import status_lamp
from companion.table.table_config import TableConfig
from hardware.console.console import Button, Buttons, Gesture
from scoring.language import Message, SpokenError
from web.errors import ActionRefusedError

Fulfil = Callable[[Event | Scan | ScoreFirstPass | TakeBack], None]


class BoxInPlay:
    """Console, keys and lamps of a table. For any thread: all goes through the evening's lock.

    `fulfil` does what a press asks for and raises ActionRefusedError. `unsaved` says what could not
    be saved. `announce` is called where the panel shows something else too.
    """

    def __init__(
        self,
        config: TableConfig,
        evening: Evening,
        looks: Looks,
        fulfil: Fulfil,
        unsaved: Callable[[], Message | None],
        announce: Callable[[], None],
    ) -> None:
        self._config = config
        self._evening = evening
        self._lock = evening.lock
        self._looks = looks
        self._fulfil = fulfil
        self._unsaved = unsaved
        self._announce = announce
        self._later = Later()
        self._face = BoxFace(config.console, self._later)
        self._face.follow(evening.state, evening.state, evening.questions.routes)
        self._copy = CopyButton(config.save_copy, self._copy_changed, self._later)
        self._power_trouble: Message | None = None

    def listen(self) -> None:
        """Hear the buttons from now on."""
        for buttons in self._buttons:
            buttons.listen(self._pressed, self._changed, self._gestured)
        self._config.tell("box", self._trouble)

    def close(self) -> None:
        """Lamps out; no button is heard any more, and no sign ends later."""
        self._later.close()
        for buttons in self._buttons:
            buttons.close()

    @property
    def cursor(self) -> BoxCursor:
        """What the buttons point at."""
        return self._face.cursor

    @property
    def says_wait(self) -> bool:
        """Whether the lamps say that a press has to wait."""
        return self._face.says_wait

    @property
    def claimed(self) -> tuple[str, ...]:
        """The colours whose lamps say that a claim of theirs was seen."""
        return self._face.claimed

    @property
    def copy_said(self) -> Message | None:
        """How the copy went that a button began."""
        return self._copy.said

    @property
    def message(self) -> Message | None:
        """What the panel says of the box and its configuration."""
        if self._power_trouble is not None:
            return self._power_trouble
        trouble = self._trouble or self._config.config_trouble
        return None if trouble is None else trouble.message

    def followed(self, before: State) -> None:
        """An event was recorded."""
        self._face.follow(before, self._evening.state, self._evening.questions.routes)
        self._face.say_claims(before, self._evening.state, self._announce)
        self._face.say_saved(self.light)

    def light(self) -> None:
        """Set the lamps for the present state."""
        with self._lock:
            state, looks = self._evening.state, self._looks
            is_broken = self.message is not None or self._unsaved() is not None
            self._face.show(
                state,
                looking=looks.is_looking,
                winners=self._winners(),
                status=status_lamp(state, self.cursor, looks.camera_state(), is_broken),
            )

    def press(self, button: Button) -> None:
        """Do what a press means now; raises ActionRefusedError. The lock is held."""
        state = self._evening.state
        outcome = self._face.outcome(state, button, self._objections())
        if self._looks.is_looking and box.must_wait(outcome, button):
            self._face.say_wait(self._announce)
            self._announce()
            raise ActionRefusedError("companion.refused.looking")
        if self._face.press(state, outcome, self._fulfil):
            self._announce()

    @property
    def _buttons(self) -> Sequence[Buttons]:
        return (self._config.console, *self._config.keys)

    @property
    def _trouble(self) -> SpokenError | None:
        """What is wrong with buttons and lamps."""
        troubles = (one.trouble for one in self._buttons)
        return next((one for one in troubles if one is not None), None)

    def _pressed(self, button: Button, made_s: float) -> None:
        """A press of the box, made at `made_s`; one that means nothing in this phase is ignored.

        CONFIRM answers what was on show when it was pressed: one that was made before the present
        question showed was meant for another and answers nothing.
        """
        if button is Button.COPY:
            self._copy.press()
            return
        with self._lock:
            if button is Button.CONFIRM and not self._face.showed(made_s):
                return
            with suppress(ActionRefusedError):
                self.press(button)

    def _gestured(self, gesture: Gesture) -> None:
        """A gesture at the box; one that means nothing now is ignored."""
        with self._lock:
            if gesture is Gesture.UNDO:
                with suppress(ActionRefusedError):
                    self._fulfil(TakeBack())
            elif self._config.power_off is not None:
                self._face.say_power(gesture)
                self.light()
                if gesture is Gesture.POWER_OFF:
                    try:
                        threading.Thread(target=self._power_off, name="power-off").start()
                    except RuntimeError:  # the system gives no more threads
                        self._power_off()

    def _power_off(self) -> None:
        assert self._config.power_off is not None
        try:
            self._config.power_off()
        except OSError as error:
            with self._lock:
                self._power_trouble = Message("companion.box.no-power-off", reason=error)
                self._face.say_power(Gesture.LET_GO)
                self._announce()

    def _objections(self) -> tuple[str, ...]:
        """The colours that something is odd about before the sheet: empty hands before all else.

        A first pass of the Card Game is followed by another one: nothing is odd about it yet.
        """
        state, reckoning = self._evening.state, self._evening.reckoning
        game = None if reckoning is None else reckoning.game
        empty = empty_hands(state, self._evening.board)
        if empty or reckoning is None or game is None or first_pass_is_on(state.facts):
            return empty
        return colours_of(state, told_before_sheet(state, reckoning, game))

    def _winners(self) -> tuple[str, ...]:
        """The colours whose lamps shine on the sheet."""
        is_sheet = self._evening.facts.phase == "sheet"
        reckoning = self._evening.reckoning if is_sheet else None
        return () if reckoning is None else reckoning.winning_colours

    def _copy_changed(self) -> None:
        with self._lock:
            self._face.copy = self._copy.sign
            self._announce()

    def _changed(self) -> None:
        self._config.tell("box", self._trouble)
        self._announce()
