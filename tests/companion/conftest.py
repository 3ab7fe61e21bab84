"""What every test of this room has."""

from collections.abc import Iterator

import pytest

from tests.companion.tables import OPEN


@pytest.fixture(autouse=True)
def close_tables() -> Iterator[None]:
    """No table's threads or files outlive their test."""
    yield
    while OPEN:
        OPEN.pop().close()
