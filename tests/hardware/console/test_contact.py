"""A contact whose edges come late, or not at all: each tap counts once."""

import pytest

from hardware.console.contact import Contact
from hardware.console.gpio import BELIEVE_S

TAPS = 20
TAP_S, PAUSE_S = 0.030, 0.090
"""The shortest tap that counts, and a quick finger's pause."""


def presses(late_s: float, look_every_s: float, lost: int = 0) -> int:
    """The presses that are counted when edges arrive late and levels are looked at meanwhile.

    Every `lost`-th edge never arrives; 0: all do.
    """
    edges = list[tuple[float, bool]]()
    for tap in range(TAPS):
        start_s = 1.0 + tap * (TAP_S + PAUSE_S)
        edges += [(start_s, True), (start_s + TAP_S, False)]
    arriving = [edge for n, edge in enumerate(edges, 1) if not lost or n % lost]
    contact, changes = Contact(), []
    for step in range(4_000):
        now_s = step / 1_000
        while arriving and arriving[0][0] + late_s <= now_s:
            at_s, is_closed = arriving.pop(0)
            changes.append(contact.edge(is_closed, at_s))
        if step % round(1_000 * look_every_s) == 0:
            level = [is_closed for at_s, is_closed in edges if at_s <= now_s]
            is_closed = bool(level and level[-1])
            if is_closed != contact.is_closed and now_s > contact.since_s + BELIEVE_S:
                changes.append(contact.edge(is_closed, now_s))
        changes.append(contact.settle(now_s))
    return sum(change is not None and change.is_down for change in changes)


@pytest.mark.parametrize("late_ms", [0, 25, 85, 150])
@pytest.mark.parametrize("look_every_ms", [5, 17, 50])
def test_no_tap_is_lost_or_counted_twice_when_edges_come_late(
    late_ms: int, look_every_ms: int
) -> None:
    """A machine that is busy with a scan hands edges over after their button was looked at."""
    assert presses(late_ms / 1_000, look_every_ms / 1_000) == TAPS


def test_no_tap_is_counted_twice_even_when_its_edges_come_after_the_next_one() -> None:
    assert presses(0.4, 0.05) <= TAPS


def test_edges_that_never_come_are_made_up_for_by_looking() -> None:
    assert presses(0.0, 0.005, lost=3) == TAPS
