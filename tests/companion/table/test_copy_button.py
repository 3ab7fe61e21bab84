"""The button for a copy: lamps that say how it goes, and one sentence on the panel."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from companion.table import copy_button
from companion.table.table import Table
from companion.table.table_config import TableConfig
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from scoring.language import Message
from tests.companion.tables import ADA_AND_BEN, OPEN, USA, notices
from tests.support.threads import no_more_threads
from tests.support.waiting import until
from web.errors import ActionRefusedError, BadRequestError

SAVED = Message("companion.copy.saved-stick", name="CLUB")


def table_that(save: Callable[[], Message], data: Path) -> tuple[Table, VirtualConsole]:
    console = VirtualConsole()
    table = Table(TableConfig([USA], data, console=console, save_copy=save))
    OPEN.append(table)
    table.act("start", ADA_AND_BEN)
    return table, console


def says(table: Table, key: str) -> bool:
    return notices(table) == [key]


def test_one_press_saves_a_copy_and_the_lamps_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_button, "SIGN_S", 0.3)
    begun, may_end, count = threading.Event(), threading.Event(), list[int]()

    def save() -> Message:
        count.append(1)
        begun.set()
        assert may_end.wait(20)
        return SAVED

    table, console = table_that(save, tmp_path)
    before = table.state()["phase"]
    console.press(Button.COPY)
    assert begun.wait(20)
    assert set(console.lamps) == {console.status} == {Lamp.PULSE}
    console.press(Button.COPY)
    may_end.set()
    until(lambda: set(console.lamps) == {Lamp.ON})
    assert notices(table) == ["companion.copy.saved-stick"]
    until(lambda: set(console.lamps) == {Lamp.OFF})
    assert notices(table) == ["companion.copy.saved-stick"], "the sentence stays longer"
    assert count == [1], "a second press meanwhile begins nothing"
    assert table.state()["phase"] == before


def test_a_copy_that_cannot_be_saved_blinks_and_is_told(tmp_path: Path) -> None:
    reasons: list[Exception] = [
        ActionRefusedError("companion.copy.none"),
        RuntimeError("something unforeseen"),
    ]

    def save() -> Message:
        raise reasons.pop(0)

    table, console = table_that(save, tmp_path)
    for key in ("companion.copy.none", "companion.copy.unreadable"):
        console.press(Button.COPY)
        until(partial(says, table, key))
        assert set(console.lamps) == {console.status} == {Lamp.BLINK}


def test_after_a_copy_that_could_not_begin_the_next_one_can(tmp_path: Path) -> None:
    """The lamps went on pulsing, and the button did nothing until the program was started anew."""
    table, console = table_that(lambda: SAVED, tmp_path)
    with no_more_threads("copy"):
        console.press(Button.COPY)
    assert notices(table) == ["companion.copy.unreadable"]
    assert set(console.lamps) == {console.status} == {Lamp.BLINK}
    console.press(Button.COPY)
    until(partial(says, table, "companion.copy.saved-stick"))
    with no_more_threads():
        console.press(Button.COPY)
    assert set(console.lamps) == {Lamp.OFF}, "no thread ends the sign: it does not begin"


def test_what_is_saved_is_taken_though_no_thread_ends_the_lamps_sign(tmp_path: Path) -> None:
    """The claim was in the log, and whoever made it was told that it had failed."""
    table, _ = table_that(lambda: SAVED, tmp_path)
    with no_more_threads():
        table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"


def test_nobody_begins_a_copy_by_the_panel_s_own_buttons(tmp_path: Path) -> None:
    table, _ = table_that(lambda: SAVED, tmp_path)
    with pytest.raises((ActionRefusedError, BadRequestError)):
        table.act("press", {"button": "copy"})
