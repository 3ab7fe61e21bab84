"""What happens at the table some time from now, and what is left of it once the table is closed."""

import threading
from pathlib import Path

from companion.table.later import Later
from tests.companion.tables import ADA_AND_BEN, new_table
from tests.support.threads import no_more_threads


def timers() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if isinstance(one, threading.Timer)}


def test_a_closed_table_leaves_no_timer_behind(tmp_path: Path) -> None:
    """The lamp of a claim shines for six seconds; its end spoke to a table that was gone."""
    before = timers()
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert timers() - before
    table.close()
    assert timers() == before


def test_what_is_asked_for_is_called_once_and_not_after_the_end() -> None:
    later, called = Later(), list[str]()
    done = threading.Event()
    later.call(0.0, lambda: (called.append("now"), done.set())[0])
    assert done.wait(20)
    later.call(60.0, lambda: called.append("in a minute"))
    later.close()
    later.call(0.0, lambda: called.append("behind the end"))
    assert called == ["now"]


def test_the_end_waits_for_what_has_begun_and_may_come_from_it() -> None:
    later, begun, ended = Later(), threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        later.close()
        ended.set()

    later.call(0.0, slow)
    assert begun.wait(20)
    later.close()
    assert ended.wait(20)


def test_without_a_thread_it_is_called_at_once() -> None:
    later, called = Later(), list[str]()
    with no_more_threads():
        later.call(60.0, lambda: called.append("at once"))
    assert called == ["at once"]
