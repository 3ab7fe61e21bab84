"""What every test of this room has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.tables import OPEN
from tests.support.compiled_once import compiled_once
from tests.support.mosquitto import Mosquitto


@pytest.fixture(scope="session", autouse=True)
def apps_are_compiled_once() -> Iterator[None]:
    """They are made by the hundred."""
    with compiled_once():
        yield


@pytest.fixture(autouse=True)
def close_tables() -> Iterator[None]:
    """No table's threads or files outlive their test."""
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture(autouse=True)
def brokers_are_tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.mqtt.connection.FIRST_PAUSE_S", 0.1)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that runs, for tests that need mosquitto."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()
