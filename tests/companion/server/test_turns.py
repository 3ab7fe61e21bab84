"""A machine's requests wait for each other, nobody else's for them."""

import threading
import time
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from companion.server.turns import AT_ONCE, CROWD, Turns

LIMIT_S = 10.0


def test_a_machine_has_two_places_and_another_one_its_own() -> None:
    turns, leave, inside = Turns(), threading.Event(), threading.Semaphore(0)

    def stay(machine: str) -> None:
        with turns.of(machine) as turn:
            turn.take()
            inside.release()
            leave.wait(LIMIT_S)

    threads = [threading.Thread(target=stay, args=("192.168.1.6",)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for _ in range(AT_ONCE):
        assert inside.acquire(timeout=LIMIT_S)
    assert not inside.acquire(timeout=0.2), "a third one waits"
    with turns.of("192.168.1.7") as other:
        other.take()
    leave.set()
    for thread in threads:
        thread.join(LIMIT_S)
        assert not thread.is_alive(), "all had their turn"


def test_who_took_no_place_gives_none_back() -> None:
    """An upload takes none: with a second place the next request would not have to wait."""
    turns = Turns(at_once=1)
    with turns.of("192.168.1.6") as one:
        with turns.of("192.168.1.6"):
            pass
        one.take()
        waiting = threading.Thread(target=lambda: _take(turns), daemon=True)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
    waiting.join(LIMIT_S)
    assert not waiting.is_alive()


def test_the_box_s_own_screen_and_a_proxy_wait_for_nobody() -> None:
    turns = Turns(at_once=1)
    begun_s = time.monotonic()
    with turns.of("127.0.0.1") as one, turns.of("127.0.0.1") as two:
        one.take()
        two.take()
    assert time.monotonic() - begun_s < LIMIT_S


def test_a_crowd_of_one_machine_leaves_others_the_processor_until_it_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Through a proxy on the box itself all of a club come as one machine."""
    pauses = list[float]()
    monkeypatch.setattr("companion.server.turns.time", SimpleNamespace(sleep=pauses.append))
    turns = Turns(at_once=CROWD + 2)
    for machine, paused in (("192.168.1.6", 2), ("::1", 0)):
        pauses.clear()
        with ExitStack() as crowd:
            for _ in range(CROWD + 2):
                crowd.enter_context(turns.of(machine)).take()
        assert len(pauses) == paused
    with turns.of("192.168.1.6") as one:
        one.take()
    assert pauses == []


def _take(turns: Turns) -> None:
    with turns.of("192.168.1.6") as turn:
        turn.take()
