"""Tables take turns, each within what it may tell, and the last state of each is what counts."""

import pytest

from companion.hub.allowance import Allowance, Rate
from companion.hub.waiting import MOST_OF_ONE, LatestStates, Waiting
from companion.relay.wire import Link


def link(place: int) -> Link:
    return Link("", place, place, 0.0, "", "", "", None)


def test_tables_take_turns_and_each_keeps_its_order() -> None:
    waiting = Waiting()
    for place in range(1, 6):
        waiting.put("busy", link(place))
    waiting.put("calm", link(1))
    first, second = waiting.take(3, 0.0), waiting.take(9, 0.0)
    told = [(table, one.place) for table, one in first]
    assert told == [("busy", 1), ("calm", 1), ("busy", 2)]
    assert [(table, one.place) for table, one in second] == [("busy", n) for n in (3, 4, 5)]
    assert waiting.take(9, 0.0) == []


def test_so_many_of_one_table_wait_and_another_has_its_own_place() -> None:
    waiting = Waiting()
    for place in range(MOST_OF_ONE):
        assert waiting.has_place("busy")
        waiting.put("busy", link(place + 1))
    assert not waiting.has_place("busy")
    assert waiting.has_place("calm")


def test_all_tables_together_let_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.hub.waiting.MOST_WAITING", 3)
    waiting = Waiting()
    for table in ("t1", "t2", "t3"):
        assert waiting.has_place(table)
        waiting.put(table, link(1))
    assert not waiting.has_place("t4")
    waiting.take(1, 0.0)
    assert waiting.has_place("t4")


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_table_may_tell_so_much_at_once_and_so_much_a_second() -> None:
    clock = Clock()
    allowance = Allowance(Rate(3, 0.5), clock)
    assert [allowance.covers("t1") for _ in range(4)] == [True, True, True, False]
    assert allowance.covers("t2", 3)
    clock.now_s += 4  # two more
    assert [allowance.covers("t1") for _ in range(3)] == [True, True, False]
    clock.now_s += 1e6
    assert not allowance.covers("t1", 4)


def test_of_tables_without_end_the_one_that_told_longest_ago_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.hub.allowance.MOST_TABLES", 2)
    allowance = Allowance(Rate(1, 0.0), Clock())
    assert [allowance.covers(table) for table in ("t1", "t2", "t1", "t3")] == [
        True,
        True,
        False,
        True,
    ]
    assert not allowance.covers("t1"), "it told after t2"
    assert allowance.covers("t2"), "as new"


def test_of_the_states_of_a_table_the_last_one_is_looked_at() -> None:
    clock = Clock()
    states = LatestStates(clock)
    states.put("t1", b"1")
    assert states.take(0.0) == {"t1": b"1"}
    for number in range(2, 900):
        states.put("t1", b"%d" % number)
    states.put("t2", b"other")
    assert states.take(0.0) == {"t2": b"other"}
    clock.now_s += 0.06
    assert states.take(0.0) == {"t1": b"899"}
    assert states.take(0.0) == {}
