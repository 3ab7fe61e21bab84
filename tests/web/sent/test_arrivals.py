"""Four uploads at once, and whoever trickles makes room for the next."""

import threading
import time
from contextlib import ExitStack
from io import BytesIO

import pytest
from flask import Flask
from flask.ctx import RequestContext

from tests.support.waiting import until
from tests.web.fake_table import FakeTable
from web.access.visitors import HomeTable
from web.app import create_app
from web.errors import BusyError
from web.pages.told_on_page import told_on_page
from web.panel import Panel
from web.sent.arrivals import Arrivals, Upload
from web.sent.uploads import Uploads

SECOND_FAST = 1_000_000.0


class Sender(Upload):
    """An upload at a steady speed, in bytes a second."""

    def __init__(self, machine: str, speed: float) -> None:
        super().__init__(machine, self._sent, self._cut)
        self.speed, self.is_cut = speed, False

    def _sent(self) -> int:
        return int(self.speed * (time.monotonic() - self.since_s))

    def _cut(self) -> None:
        self.is_cut = True


def cut(senders: list[Sender]) -> list[str]:
    return [str(one.machine) for one in senders if one.is_cut]


def all_places(arrivals: Arrivals, stack: ExitStack, *senders: Sender) -> list[Sender]:
    for one in senders:
        stack.enter_context(arrivals.place(one))
    return list(senders)


def test_a_machine_waits_for_one_place_at_a_time() -> None:
    """One that asks without end would stand before all others."""
    arrivals = Arrivals(most=1, patience_s=20.0, grace_s=3600.0)
    came = threading.Event()

    def wait() -> None:
        with arrivals.place(Sender("greedy", SECOND_FAST)):
            came.set()

    with arrivals.place(Sender("player", SECOND_FAST)):
        waiting = threading.Thread(target=wait)
        waiting.start()
        until(lambda: bool(arrivals._waiting))
        began_s = time.monotonic()
        with pytest.raises(BusyError), arrivals.place(Sender("greedy", SECOND_FAST)):
            pass
        assert time.monotonic() - began_s < 10, "it is told at once"
    waiting.join()
    assert came.is_set()


def test_the_machine_that_holds_most_places_loses_its_slowest_at_once() -> None:
    arrivals = Arrivals()
    with ExitStack() as stack:
        there = all_places(
            arrivals,
            stack,
            Sender("player", 40_000),
            Sender("greedy", 2 * SECOND_FAST),
            Sender("greedy", 900_000),
            Sender("greedy", 3 * SECOND_FAST),
        )
        with arrivals.place(Sender("phone", SECOND_FAST)):
            assert [one.is_cut for one in there] == [False, False, True, False]


def test_of_four_machines_the_one_that_trickles_goes_after_its_grace() -> None:
    arrivals = Arrivals(grace_s=0.3)
    with ExitStack() as stack:
        speeds = {"a": 50_000, "b": 300, "c": 10, "d": 2_000}
        there = all_places(arrivals, stack, *[Sender(*one) for one in speeds.items()])
        begun_s = time.monotonic()
        with arrivals.place(Sender("phone", SECOND_FAST)):
            assert cut(there) == ["c"]
        assert time.monotonic() - begun_s >= 0.25


def test_nobody_who_sends_at_a_good_pace_is_cut() -> None:
    arrivals = Arrivals(patience_s=0.3, grace_s=0.1)
    with ExitStack() as stack:
        there = all_places(arrivals, stack, *[Sender(name, 60_000) for name in "abcd"])
        with pytest.raises(BusyError), arrivals.place(Sender("phone", SECOND_FAST)):
            pytest.fail("a fifth one")
        assert cut(there) == []


def test_many_people_behind_one_proxy_are_not_taken_for_one() -> None:
    arrivals = Arrivals(patience_s=0.1)
    with ExitStack() as stack:
        there = all_places(arrivals, stack, *[Sender("127.0.0.1", 10) for _ in range(4)])
        with pytest.raises(BusyError), arrivals.place(Sender("127.0.0.1", SECOND_FAST)):
            pytest.fail("a fifth one")
        assert cut(there) == []


def test_a_place_that_comes_free_is_given_away_again() -> None:
    arrivals = Arrivals(patience_s=0.0)
    for _ in range(9):
        with arrivals.place(Sender("phone", SECOND_FAST)):
            pass


def sending(app: Flask, size: int = 3) -> RequestContext:
    file = {"file": (BytesIO(bytes(size)), "a.calibration")}
    return app.test_request_context("/setup/save", method="POST", data=file)


def test_one_file_at_a_time_lies_in_the_memory() -> None:
    uploads, app = Uploads(patience_s=0.01), create_app(FakeTable())
    with sending(app), uploads.file("file") as file:
        assert file == bytes(3)
        with sending(app), pytest.raises(BusyError), uploads.file("file"):
            pytest.fail("two at once")


def test_a_small_form_that_brings_a_large_file_takes_a_place_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else any number of them would lie in the temporary folder at once."""
    monkeypatch.setattr("web.sent.uploads.Arrivals", lambda patience_s: Arrivals(0, patience_s=0.0))
    app = create_app(FakeTable())
    panel = Panel(FakeTable(), "en", HomeTable())
    answers = []
    for size in (100_000, 100):
        with sending(app, size):
            answers.append(told_on_page(panel, lambda: "done", lambda _: "busy"))
    assert [(one.status_code, one.get_data(as_text=True)) for one in answers] == [
        (503, "busy"),
        (200, "done"),
    ]
