"""The trials: each does something terrible and returns what it counted."""

import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median

from companion.log.copy import read_copy
from companion.log.file import StoreError
from companion.log.paths import copy_of
from companion.log.store import LOG_NAME, EventStore
from companion.session.events import Event
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.companion.log.log_writer import story
from tests.torture.disk import Acknowledged, Disk, Write, after_power_cut, recorded
from tests.torture.evening import evening
from tests.torture.outcome import Outcome
from tests.torture.proxy import through_a_proxy
from web.app import create_app


def power_cuts(trials: int, seed: int = 1) -> Outcome:
    """A disk that drops, tears and reorders what was not synced: every confirmed event is there."""
    chance, outcome = random.Random(seed), Outcome("power cut on a lying disk")
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk()
        events = _write(Path(folder) / "first" / LOG_NAME, disk, 60)
        confirmed_in_all = 0
        for _ in range(trials):
            steps = disk.steps[: chance.randrange(1, len(disk.steps) + 1)]
            confirmed = max((s.events for s in steps if isinstance(s, Acknowledged)), default=0)
            confirmed_in_all += confirmed
            data = Path(tempfile.mkdtemp(dir=folder))
            for path, content in after_power_cut(steps, chance).items():
                (data / Path(path).name).write_bytes(content)
            with EventStore(data / LOG_NAME) as store:
                found = store.events()
            outcome.trials += 1
            whole = confirmed <= len(found) <= confirmed + 1 and found == events[: len(found)]
            outcome.bad += not whole
        outcome.notes["confirmed events"] = confirmed_in_all
    return outcome


def full_disks(trials: int, seed: int = 2) -> Outcome:
    """The disk is full at the n-th write, for one write or for some: said, and nothing lost.

    The trials are spread over all writes of an evening, and go over them again from the start.
    """
    chance, outcome = random.Random(seed), Outcome("full disk at each write")
    whole = Disk()
    _on_a_disk(whole)
    every, refusals = whole.tried, 0
    for trial in range(trials):
        step = trial % every if trials >= every else trial * every // trials
        kept, found, refused = _on_a_disk(
            Disk(full_after=step, full_for=chance.choice((1, 2, 5, 30)))
        )
        refusals += refused
        outcome.trials += 1
        outcome.bad += found != kept
    outcome.notes |= {"writes": every, "refusals told": refusals}
    return outcome


def _on_a_disk(disk: Disk) -> tuple[list[Event], list[Event], int]:
    """The events that were confirmed, those that are there later, and how many were refused."""
    with tempfile.TemporaryDirectory() as folder:
        path, refused = Path(folder) / LOG_NAME, 0
        kept: list[Event] = []
        with recorded(disk):
            store = _open_until_it_works(path)
            for number in range(1, 30):
                try:
                    store.append(story(number))
                    kept.append(story(number))
                except StoreError:
                    refused += 1
            store.close()
        with EventStore(path) as again:
            return kept, again.events(), refused


def _open_until_it_works(path: Path) -> EventStore:
    for _ in range(60):
        with suppress(StoreError):
            return EventStore(path)
    raise AssertionError("the log never opened")


def _write(path: Path, disk: Disk, count: int) -> list[Event]:
    events = [story(number) for number in range(1, count + 1)]
    with recorded(disk), EventStore(path) as store:
        for event in events:
            disk.steps.append(Acknowledged(store.append(event)))
    assert any(isinstance(step, Write) and step.path.endswith("-wal") for step in disk.steps)
    return events


def damages(trials: int, seed: int = 3) -> Outcome:
    """Bytes flipped and ends cut off in either file: every event is there, or it is said."""
    chance, outcome = random.Random(seed), Outcome("flipped bytes and cut files")
    told = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "whole" / LOG_NAME
        with EventStore(source) as store:
            for number in range(1, 201):
                store.append(story(number))
            events = store.events()
        contents = {one: one.read_bytes() for one in (source, copy_of(source))}
        for number in range(trials):
            data = Path(tempfile.mkdtemp(dir=folder))
            hurt = chance.choice(list(contents))
            for path, content in contents.items():
                damaged = _damaged(content, chance, number % 2) if path == hurt else content
                (data / path.name).write_bytes(damaged)
            with EventStore(data / LOG_NAME) as store:
                found = store.events()
                said = store.rescue is not None or store.copy_renewed
            told += said
            outcome.trials += 1
            outcome.bad += found != events
        outcome.notes["told"] = told
    return outcome


def _damaged(content: bytes, chance: random.Random, cut: int) -> bytes:
    if cut:
        return content[: chance.randrange(len(content))]
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def both_damaged(trials: int, seed: int = 4) -> Outcome:
    """Both files hurt at once: at least 95 % of what one of them still holds is saved."""
    chance, outcome = random.Random(seed), Outcome("both files damaged")
    saved, readable = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "whole" / LOG_NAME
        with EventStore(source) as store:
            for number in range(1, 201):
                store.append(story(number))
        contents = {one: one.read_bytes() for one in (source, copy_of(source))}
        for number in range(trials):
            data = Path(tempfile.mkdtemp(dir=folder))
            for path, content in contents.items():
                (data / path.name).write_bytes(_damaged(content, chance, number % 2))
            still = len(read_copy((data / copy_of(source).name).read_bytes()).rows)
            with EventStore(data / LOG_NAME) as store:
                found, said = len(store.events()), store.rescue or store.copy_renewed
            saved, readable = saved + min(found, still), readable + still
            outcome.trials += 1
            outcome.bad += found < 0.95 * still or (found < 200 and not said)
        outcome.notes["% saved of what the copy still held"] = round(100 * saved / readable, 2)
    return outcome


def clock_jumps(trials: int, seed: int = 5) -> Outcome:
    """A clock that jumps by years in either direction: the order of events is not its business."""
    chance, outcome = random.Random(seed), Outcome("clock jumps")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(trials):
            path = Path(folder) / str(number) / LOG_NAME
            with EventStore(path, now=lambda: chance.uniform(-1e9, 4e9)) as store:
                for event in range(1, 11):
                    store.append(story(event))
            with EventStore(path) as store:
                outcome.bad += store.events() != [story(event) for event in range(1, 11)]
                outcome.bad += store.rescue is not None
            outcome.trials += 1
    return outcome


PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
EVENING: tuple[tuple[str, dict[str, object]], ...] = (
    ("start", {"board": "usa", "players": PLAYERS, "camera": False}),
    ("correct-route", {"route": "duluth--helena", "owner": "red"}),
    ("correct-route", {"route": "denver--omaha", "owner": "blue"}),
    ("show", {"phase": "doubts"}),
    ("show", {"phase": "tickets"}),
    ("add-ticket", {"player": "red", "ticket": "helena--los-angeles"}),
    ("add-ticket", {"player": "blue", "ticket": "boston--miami"}),
    ("remove-ticket", {"player": "blue", "ticket": "boston--miami"}),
    ("undo", {}),
    ("finish", {}),
    ("reopen", {}),
    ("finish", {}),
    ("new-game", {}),
)
"""A game from start to end, with everything that a tally goes through."""


def restarts_and_repeats(trials: int) -> Outcome:
    """Every request three times, and a restart after each step: the state is the same as without.

    The version, which counts changes while the program runs, is left out.
    """
    outcome = Outcome("restart in every step, each request three times")
    for _ in range(trials):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            plain, table = _table(one), _table(two)
            for number, (action, sent) in enumerate(EVENING):
                create_app(plain).test_client().post(f"/api/v1/actions/{action}", json=sent)
                name = {"Idempotency-Key": f"request-{number:04d}"}
                for again in range(3):
                    client = create_app(table).test_client()
                    answer = client.post(f"/api/v1/actions/{action}", json=sent, headers=name)
                    outcome.bad += answer.status_code != 200
                    if again == 1:
                        table.close()
                        table = _table(two)
                outcome.trials += 1
                outcome.bad += _lasting(table) != _lasting(plain)
            plain.close()
            table.close()
    return outcome


def _table(folder: str) -> Table:
    return Table(TableConfig([load_board("usa")], Path(folder)))


def _lasting(table: Table) -> str:
    state = {k: v for k, v in table.state().items() if k not in ("version", "cursor", "lamps")}
    return json.dumps(state, sort_keys=True, default=str)


def kills(trials: int, seed: int = 6) -> Outcome:
    """`kill -9` at random moments over HTTP: every event whose answer arrived is there afterwards.

    Three clients write at once; the same log goes on from kill to kill. Ctrl-C ends it early, with
    the figures of the kills so far.
    """
    chance, outcome = random.Random(seed), Outcome("kill -9 over HTTP")
    answered: set[str] = set()
    starts_s: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        with suppress(KeyboardInterrupt):
            for number in range(trials):
                starts_s.append(_kill(folder, number, chance.uniform(0.02, 0.6), answered))
                outcome.trials += 1
        with EventStore(Path(folder) / LOG_NAME) as store:
            written = {name.partition(".")[0] for name in store.request_ids}
            outcome.bad = len(answered - written) + (store.rescue is not None)
    outcome.notes |= {
        "answered events": len(answered),
        "median start s": round(median(starts_s), 1),
        "slowest start s": round(max(starts_s), 1),
    }
    return outcome


def _kill(folder: str, number: int, after_s: float, answered: set[str]) -> float:
    """One start, writers and a kill; returns the seconds from the start to the first answer."""
    begun_s = time.monotonic()
    program, port = _serve(folder)
    try:
        if number == 0:
            _post(port, "start", dict(EVENING[0][1]), "the-first-request")
        else:
            _get_state(port)
        started_s = time.monotonic() - begun_s
        over = threading.Event()
        writers = [
            threading.Thread(target=_write_on, args=(port, f"k{number}-{w}", answered, over))
            for w in range(3)
        ]
        for writer in writers:
            writer.start()
        time.sleep(after_s)
    finally:
        program.send_signal(signal.SIGKILL)
        program.communicate()
    over.set()
    for writer in writers:
        writer.join()
    return started_s


def _serve(folder: str) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "companion", "serve", "--no-hardware", "--data"]
    program = subprocess.Popen(
        [*command, folder, "--host", "127.0.0.1", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert program.stdout is not None
    told = re.search(r":(\d+)/", program.stdout.readline())
    assert told is not None
    return program, int(told[1])


def _post(port: int, action: str, sent: object, name: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    head = {"Content-Type": "application/json", "Idempotency-Key": name}
    try:
        connection.request("POST", f"/api/v1/actions/{action}", json.dumps(sent), head)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _get_state(port: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/api/v1/state")
    assert connection.getresponse().status == 200
    connection.close()


def _write_on(port: int, who: str, answered: set[str], over: threading.Event) -> None:
    routes = [route.id for route in load_board("usa").routes]
    for number in range(10_000):
        name = f"{who}-{number:05d}"
        sent = {"route": routes[number % len(routes)], "owner": ("red", "blue")[number % 2]}
        try:
            if _post(port, "correct-route", sent, name) == 200:
                answered.add(name)
        except (OSError, HTTPException):
            return
        if over.is_set():
            return


ALL: dict[str, tuple[Callable[[int], Outcome], int, int]] = {
    "power": (power_cuts, 40, 10_000),
    "full": (full_disks, 12, 1_000),
    "damage": (damages, 12, 2_000),
    "both": (both_damaged, 8, 1_000),
    "clock": (clock_jumps, 5, 200),
    "restart": (restarts_and_repeats, 1, 20),
    "proxy": (through_a_proxy, 12, 3_000),
    "evening": (evening, 98, 30_000),
    "kill": (kills, 2, 1_000),
}
"""Every kind of torture: what runs it, and its trials in `make test` and in `make torture`."""
