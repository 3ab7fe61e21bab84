"""What every test has."""

import gc
from collections.abc import Iterator

import pytest

from tests.support.postgres import Cluster, cluster
from tests.support.seen_once import seen_once
from tests.support.skips import skips_by_reason


def pytest_collection() -> None:
    """All that importing the tests makes stays: the collector looks through it in vain."""
    gc.disable()


LONGEST = (
    "tests/web/test_studio.py",
    "tests/web/test_map_games.py",
    "tests/web/test_unsent_photos.py",
    "tests/vision/registration/test_registration.py",
    "tests/vision/tickets/test_tickets.py",
    "tests/vision/watch/",
)
"""Several workers take a file at a time: with these at the end, all would wait for one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first; then those of the panel spread among the others: the ones wait a
    lot, the others calculate, and side by side they keep the cores busy."""
    files = list(dict.fromkeys(item.path for item in items))
    panel = [file for file in files if "web" in file.parts]
    others = [file for file in files if "web" not in file.parts]
    place = {file: k / len(some) for some in (panel, others) for k, file in enumerate(some)}
    items.sort(key=lambda item: (not item.nodeid.startswith(LONGEST), place[item.path]))


def pytest_collection_finish() -> None:
    """Nor need it do so between the tests."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Without a browser, a broker and a database hundreds are skipped; -rs tells where each is."""
    if skipped := terminalreporter.getreports("skipped"):
        terminalreporter.section("skipped, and why", "-")
        for line in skips_by_reason(skipped):
            terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak English wherever the tests run, unless a test asks for Italian."""
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")


@pytest.fixture(scope="module", autouse=True)
def the_same_is_seen_once() -> Iterator[None]:
    """Looking costs more than all else that tests of photos do."""
    with seen_once():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests that need one; each takes a database of its own."""
    with cluster() as running:
        yield running
