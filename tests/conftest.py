"""What every test has."""

import gc
from collections.abc import Iterator

import pytest

from tests.support.postgres import Cluster, cluster


def pytest_collection_finish() -> None:
    """What all the modules made stays: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak English wherever the tests run, unless a test asks for Italian."""
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests that need one; each takes a database of its own."""
    with cluster() as running:
        yield running
