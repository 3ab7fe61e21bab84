"""A contact whose edges come late, in bursts, or not at all: each press counts once."""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from operator import itemgetter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.console.contact import PRESS_STEADY_S, RELEASE_STEADY_S, Change, Contact

TAPS = 20
TAP_MS, PAUSE_MS = 30, 90
"""The shortest tap that counts, and a quick finger's pause."""

Edge = tuple[int, bool]
"""When a contact closed or opened, in milliseconds, and which."""


def downs(changes: Sequence[Change]) -> int:
    return sum(change.is_down for change in changes)


def counted(
    edges: Sequence[Edge],
    arrivals_ms: Sequence[int],
    looks_ms: Sequence[int],
    stalls_ms: Sequence[tuple[int, int]] = (),
) -> int:
    """The presses that are counted where edges arrive late and levels are looked at meanwhile.

    `stalls_ms` are times, from and to, in which the thread that looks does nothing.
    """
    contact, changes = Contact(), list[Change]()
    waiting = list(zip(arrivals_ms, edges, strict=True))
    times_ms = deque(sorted({*arrivals_ms, *looks_ms}))
    while times_ms:
        now_ms = min(times_ms[0], math.floor(1000 * min(contact.due_s, 1e6)) + 1)
        now_ms = next((end for start, end in stalls_ms if start <= now_ms < end), now_ms)
        while times_ms and times_ms[0] <= now_ms:
            times_ms.popleft()
        while waiting and waiting[0][0] <= now_ms:
            at_ms, is_closed = waiting.pop(0)[1]
            contact.edge(is_closed, at_ms / 1000)
        contact.look(level(edges, now_ms), now_ms / 1000)
        changes += contact.settle(now_ms / 1000)
    return downs(changes)


def level(edges: Sequence[Edge], at_ms: int) -> bool:
    past = bisect_right(edges, at_ms, key=itemgetter(0))
    return past > 0 and edges[past - 1][1]


def taps() -> list[Edge]:
    starts_ms = [1000 + tap * (TAP_MS + PAUSE_MS) for tap in range(TAPS)]
    return [edge for ms in starts_ms for edge in ((ms, True), (ms + TAP_MS, False))]


@pytest.mark.parametrize("late_ms", [0, 25, 85, 150, 400, 3000])
@pytest.mark.parametrize("look_every_ms", [5, 17, 50])
def test_no_tap_is_lost_or_counted_twice_when_edges_come_late(
    late_ms: int, look_every_ms: int
) -> None:
    """A machine that is busy with a scan hands edges over after their button was looked at."""
    edges = taps()
    arrivals_ms = [at_ms + late_ms for at_ms, _ in edges]
    assert counted(edges, arrivals_ms, range(0, 8000, look_every_ms)) == TAPS


def test_edges_that_never_come_are_made_up_for_by_looking() -> None:
    contact, changes = Contact(), list[Change]()
    edges = taps()
    for now_ms in range(4000):
        for n, (at_ms, is_closed) in enumerate(edges):
            if at_ms == now_ms and n % 3:
                contact.edge(is_closed, at_ms / 1000)
        if now_ms % 5 == 0:
            contact.look(level(edges, now_ms), now_ms / 1000)
        changes += contact.settle(now_ms / 1000)
    assert downs(changes) == TAPS


@st.composite
def bouncing_presses(draw: st.DrawFn, count: int) -> list[Edge]:
    """Presses of 30 ms and more whose contact bounces at both ends; 60 ms of pause and more."""
    edges, now_ms = list[Edge](), 1000
    bounce = st.lists(st.integers(1, 2), max_size=3)

    def bounces(at_ms: int, is_closed: bool) -> Iterator[Edge]:
        for apart_ms in draw(bounce):
            yield at_ms, is_closed
            yield at_ms + apart_ms, not is_closed
            at_ms += 2 * apart_ms
        yield at_ms, is_closed

    for _ in range(count):
        for is_closed, least_ms in ((True, 30), (False, 60)):
            new = list(bounces(now_ms, is_closed))
            edges += new
            now_ms = new[-1][0] + least_ms + draw(st.integers(0, 90))
    return edges


HELD_UP = st.tuples(st.integers(20, 400), st.integers(1, 300))
"""Milliseconds until a thread is held up, and for how long."""


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_thousand_presses_are_a_thousand_whenever_their_edges_are_handed_over(
    data: st.DataObject,
) -> None:
    """In their order, as the system tells them, but in bursts of any length up to two seconds.

    Hypothesis tries a hundred rows of ten presses; the looks fall anywhere between, and the thread
    that looks is held up now and then.
    """
    edges = data.draw(bouncing_presses(10))
    arrivals_ms, free_ms = list[int](), 0
    for at_ms, _ in edges:
        if at_ms >= free_ms:
            free_ms = at_ms + data.draw(st.one_of(st.just(0), st.integers(0, 2000)))
        arrivals_ms.append(max(at_ms, free_ms))
    step_ms = data.draw(st.integers(3, 80))
    first_ms = data.draw(st.integers(0, 80))
    looks_ms = range(first_ms, arrivals_ms[-1] + 200, step_ms)
    stalls_ms, end_ms = list[tuple[int, int]](), 900
    for apart_ms, long_ms in data.draw(st.lists(HELD_UP, max_size=8)):
        stalls_ms.append((end_ms + apart_ms, end_ms := end_ms + apart_ms + long_ms))
    assert counted(edges, arrivals_ms, looks_ms, stalls_ms) == 10


def test_a_press_after_a_release_that_was_noticed_late_is_not_taken_for_a_bounce() -> None:
    """The thread slept from the release to the next press, whose edges come after its level."""
    edges = [(1000, True), (1031, False), (1097, True), (1128, False)]
    arrivals_ms = [1010, 1038, 1124, 1148]
    looks_ms = [1000, 1050, 1100, 1150, 1200]
    assert counted(edges, arrivals_ms, looks_ms, [(1041, 1117)]) == 2


def test_a_change_is_told_as_soon_as_it_has_lasted() -> None:
    contact = Contact()
    contact.edge(True, 1.0)
    assert contact.settle(1.0) == []
    assert contact.due_s == pytest.approx(1.0 + PRESS_STEADY_S)
    assert contact.settle(contact.due_s) == [Change(is_down=True, at_s=1.0)]
    contact.edge(False, 1.5)
    assert contact.settle(1.5) == []
    assert contact.due_s == pytest.approx(1.5 + RELEASE_STEADY_S)
    assert contact.settle(1.6) == [Change(is_down=False, at_s=1.5)]
    assert contact.settle(60.0) == []


def test_what_is_told_of_more_than_ten_seconds_late_is_no_press() -> None:
    """Nobody knows any more what it was meant for."""
    contact = Contact()
    assert contact.settle(20.0) == []
    contact.edge(True, 9.0)
    contact.edge(False, 9.1)
    assert contact.settle(20.1) == []
    contact.edge(True, 11.0)
    contact.edge(False, 11.1)
    assert downs(contact.settle(20.2)) == 1


def test_old_edges_are_let_go_and_nothing_is_told_again() -> None:
    contact, changes = Contact(), list[Change]()
    for tap in range(200):
        for at_s, is_closed in ((tap, True), (tap + 0.1, False)):
            contact.edge(is_closed, at_s)
            changes += contact.settle(at_s + 0.05)
    assert downs(changes) == 200
    assert len(contact._edges) < 30
