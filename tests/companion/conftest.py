"""What every test of this room has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.tables import OPEN
from tests.support.mosquitto import Mosquitto


@pytest.fixture(autouse=True)
def close_tables() -> Iterator[None]:
    """No table's threads or files outlive their test."""
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that runs, for tests that need mosquitto."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()
