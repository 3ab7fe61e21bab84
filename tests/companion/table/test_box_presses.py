"""Presses while the table is busy: none is lost, and none answers what nobody could have seen."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.log.store import EventStore
from companion.table.table import Table
from hardware.console.console import Button
from hardware.console.gpio import GpioConsole
from hardware.console.pins import PinMap
from tests.companion.tables import ADA_AND_BEN, GatedEye, ToldEye, new_table, scanned, sure, unsure
from tests.support.waiting import until

PINS = PinMap()
HELD_S = 0.06
"""How long a short press lasts, and the pause after it."""

FIRST, SECOND = "denver--omaha", "atlanta--miami"
ASKED = {FIRST: unsure("red", "blue"), SECOND: unsure("blue", "red")}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


class SlowStore:
    """Writes to the log once the gate is open; says when somebody waits for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate, self.waits = threading.Event(), threading.Event()
        self.gate.set()
        append = EventStore.append

        def slow(store: EventStore, event: Any, request_id: str = "") -> None:
            if not self.gate.is_set():
                self.waits.set()
                assert self.gate.wait(20)
            append(store, event, request_id)

        monkeypatch.setattr(EventStore, "append", slow)


class Hand:
    """Presses the buttons of a box whose threads run."""

    def __init__(self, factory: MockFactory) -> None:
        self.factory = factory
        self.console = GpioConsole(PINS, factory)

    def press(self, button: Button) -> None:
        pin = self.factory.pin(PINS.buttons[button])
        for drive in (pin.drive_low, pin.drive_high):
            drive()
            time.sleep(HELD_S)


def test_two_presses_in_a_row_both_arrive_however_slow_the_listener(factory: MockFactory) -> None:
    hand, gate, heard = Hand(factory), threading.Event(), list[Button]()

    def slow(button: Button, made_s: float) -> None:
        gate.wait(20)
        heard.append(button)

    hand.console.listen(slow)
    hand.console.run()
    for button in (Button.NEXT, Button.CONFIRM, Button.BACK, Button.NEXT):
        hand.press(button)
    assert heard == []
    gate.set()
    until(lambda: len(heard) == 4)
    assert heard == [Button.NEXT, Button.CONFIRM, Button.BACK, Button.NEXT]
    hand.console.close()


def test_a_press_that_fails_does_not_end_the_box(
    factory: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    hand, heard = Hand(factory), list[Button]()

    def fails_once(button: Button, made_s: float) -> None:
        heard.append(button)
        if len(heard) == 1:
            raise ValueError("a fault of the program")

    hand.console.listen(fails_once)
    hand.console.run()
    hand.press(Button.SCAN)
    hand.press(Button.NEXT)
    until(lambda: heard == [Button.SCAN, Button.NEXT])
    assert "a fault of the program" in caplog.text
    hand.console.close()


def unreadable(pin: MockPin) -> int:
    raise OSError("the chip is gone")


def test_pins_that_fail_are_told_on_every_page(
    tmp_path: Path, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand(factory)
    table = new_table(tmp_path, console=hand.console)
    hand.console.run()
    monkeypatch.setattr(MockPin, "_get_state", unreadable)
    until(lambda: table.state().get("box") is not None)
    message = table.state().get("box")
    assert message is not None
    assert message["key"] == "hardware.console.stopped"


def asking_table(tmp_path: Path, hand: Hand, eye: ToldEye | None = None) -> Table:
    """A table that asks the first of two questions on the box."""
    table = new_table(tmp_path, eye or ToldEye(ASKED), hand.console)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    hand.console.run()
    assert cursor(table) == (FIRST, "red")
    return table


def cursor(table: Table) -> tuple[str | None, str | None]:
    at = table.state()["cursor"]
    return at["route"], at["choice"]


def test_next_and_confirm_in_a_row_take_the_owner_that_was_meant(
    tmp_path: Path, factory: MockFactory
) -> None:
    hand = Hand(factory)
    table = asking_table(tmp_path, hand)
    hand.press(Button.NEXT)
    hand.press(Button.CONFIRM)
    until(lambda: cursor(table)[0] == SECOND)
    assert table.state()["routes"][FIRST] == {
        "owner": "blue",
        "status": "confirmed",
        "confidence": 1.0,
    }


def test_a_second_confirm_does_not_answer_a_question_that_had_not_been_shown(
    tmp_path: Path, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, hand = SlowStore(monkeypatch), Hand(factory)
    table = asking_table(tmp_path, hand)
    store.gate.clear()
    hand.press(Button.CONFIRM)
    assert store.waits.wait(20)
    hand.press(Button.CONFIRM)
    hand.press(Button.NEXT)
    store.gate.set()
    until(lambda: cursor(table) == (SECOND, "red"))
    assert table.state()["routes"][FIRST]["status"] == "confirmed"
    assert table.state()["routes"][SECOND]["status"] == "doubtful"
    hand.press(Button.CONFIRM)
    until(lambda: table.state()["routes"][SECOND]["status"] == "confirmed")
    assert table.state()["routes"][SECOND]["owner"] == "red"


def test_next_and_confirm_in_a_row_count_at_a_slow_table_too(
    tmp_path: Path, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, hand = SlowStore(monkeypatch), Hand(factory)
    table = asking_table(tmp_path, hand)
    store.gate.clear()
    entry = threading.Thread(
        target=table.act, args=("add-ticket", {"player": "red", "ticket": "chicago--atlanta"})
    )
    entry.start()
    assert store.waits.wait(20)
    hand.press(Button.NEXT)
    hand.press(Button.CONFIRM)
    store.gate.set()
    entry.join()
    until(lambda: cursor(table)[0] == SECOND)
    assert table.state()["routes"][FIRST]["owner"] == "blue"


def test_nothing_is_confirmed_while_the_camera_looks(
    tmp_path: Path, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.box_face.WAIT_SIGN_S", 60.0)
    hand, eye = Hand(factory), GatedEye({FIRST: unsure("red", None), SECOND: sure("blue")})
    table = new_table(tmp_path, eye, hand.console)
    table.act("start", ADA_AND_BEN)
    hand.console.run()
    for button in (Button.SCAN, Button.CONFIRM, Button.CONFIRM, Button.NEXT, Button.CONFIRM):
        hand.press(button)
    until(lambda: table.state()["lamps"] == {"red": "blink", "blue": "blink"})
    assert table.state()["camera"]["status"] == "looking"
    assert table.state()["phase"] == "look"
    monkeypatch.setattr("companion.table.box_face.WAIT_SIGN_S", 0.1)
    hand.press(Button.CONFIRM)
    until(lambda: table.state()["lamps"] == {"red": "pulse", "blue": "pulse"})
    eye.gate.set()
    scanned(table)
    assert cursor(table) == (FIRST, "red")
    assert table.state()["lamps"] == {"red": "blink", "blue": "off"}


def test_back_and_next_move_the_offer_while_the_camera_looks(
    tmp_path: Path, factory: MockFactory
) -> None:
    eye = GatedEye(ASKED)
    eye.gate.set()
    hand = Hand(factory)
    table = asking_table(tmp_path, hand, eye)
    eye.gate.clear()
    for button in (Button.SCAN, Button.NEXT):
        hand.press(button)
    until(lambda: cursor(table) == (FIRST, "blue"))
    hand.press(Button.BACK)
    until(lambda: cursor(table) == (FIRST, "red"))
    hand.press(Button.BACK)
    until(lambda: table.state()["phase"] == "look")
    eye.gate.set()
    scanned(table)
