"""From buttons that go down and up to presses and gestures; pure.

NEXT and COPY count as soon as they are down. BACK counts when it is let go, because holding it is
undo. SCAN and CONFIRM, the outer two, wait a moment for each other, because both together mean
power off.
"""

from dataclasses import dataclass
from typing import ClassVar

from hardware.console.console import Button, Gesture
from hardware.errors import ConsoleError
from scoring.language import Message

LONG_S = 0.8
"""Holding BACK for so long takes back the last step."""

TOGETHER_S = 0.04
"""Two fingers that press at once are 10 to 30 ms apart."""

SIGN_S = 1.0
"""After so long the lamps say what holding the outer two will do."""

POWER_OFF_S = 4.0
"""Holding the outer two for so long, the sign included, switches off."""

JAMMED_S = 30.0
"""A button that is held for so long is jammed: no gesture takes longer than four seconds."""

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed at a time in seconds of `time.monotonic`."""

    button: Button
    at_s: float


Said = Press | Gesture


def jammed(button: Button) -> ConsoleError:
    """What is told of a button that nobody can press."""
    return ConsoleError("hardware.console.jammed", button=Message(f"hardware.part.{button}"))


class Fingers:
    """Follows all buttons of a box."""

    AT_ONCE: ClassVar[tuple[Button, ...]] = (Button.NEXT, Button.COPY)
    OUTER: ClassVar[tuple[Button, Button]] = (Button.SCAN, Button.CONFIRM)

    def __init__(self) -> None:
        self._down: dict[Button, float] = {}
        self._waiting: set[Button] = set()
        """Buttons that are down and have said nothing yet."""
        self._together_s: float | None = None
        self._signed = False

    def down(self, button: Button, at_s: float) -> list[Said]:
        """A button went down."""
        said = self.wait(at_s)
        self._down[button] = at_s
        if button in self.OUTER and all(self._is_new(one, at_s) for one in self.OUTER):
            self._together_s, self._signed = at_s, False
            self._waiting.difference_update(self.OUTER)
        elif button in self.AT_ONCE:
            said.append(Press(button, at_s))
        else:
            self._waiting.add(button)
        return said

    def _is_new(self, button: Button, at_s: float) -> bool:
        """Whether a button went down just now: one that is jammed takes no other along."""
        return at_s - self._down.get(button, -NEVER) < SIGN_S

    def up(self, button: Button, at_s: float) -> list[Said]:
        """A button was let go."""
        said = self.wait(at_s)
        began_s = self._down.pop(button, at_s)
        if button in self._waiting:
            self._waiting.remove(button)
            said.append(Press(button, began_s))
        if button in self.OUTER:
            said += self._part()
        return said

    def vanish(self) -> list[Said]:
        """The buttons went with their device: none is held any more, and none was pressed."""
        self._down.clear()
        self._waiting.clear()
        return self._part()

    def _part(self) -> list[Said]:
        """The outer two are no longer held together."""
        was_signed = self._together_s is not None and self._signed
        self._together_s = None
        return [Gesture.LET_GO] if was_signed else []

    def wait(self, now_s: float) -> list[Said]:
        """What the time alone says: a button was held, or its partner did not come."""
        said: list[Said] = []
        for button in [one for one in self._waiting if now_s >= self._due_of(one)]:
            self._waiting.remove(button)
            is_held = button is Button.BACK
            said.append(Gesture.UNDO if is_held else Press(button, self._down[button]))
        if self._together_s is None:
            return said
        if not self._signed and now_s >= self._together_s + SIGN_S:
            self._signed = True
            said.append(Gesture.HOLD)
        if now_s >= self._together_s + POWER_OFF_S:
            self._together_s = None
            said.append(Gesture.POWER_OFF)
        return said

    def jammed(self, now_s: float) -> ConsoleError | None:
        """What is told of a button that has been down for too long."""
        held = (one for one, since_s in self._down.items() if now_s - since_s >= JAMMED_S)
        return next(map(jammed, held), None)

    @property
    def due_s(self) -> float:
        """When `wait` has something to say if nothing happens before."""
        times = [self._due_of(button) for button in self._waiting]
        if self._together_s is not None:
            times.append(self._together_s + (POWER_OFF_S if self._signed else SIGN_S))
        return min(times, default=NEVER)

    def _due_of(self, button: Button) -> float:
        return self._down[button] + (LONG_S if button is Button.BACK else TOGETHER_S)
