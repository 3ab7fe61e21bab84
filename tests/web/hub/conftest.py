"""What the tests of the hub's pages share."""

import pytest

from web.access.club import Club, LetIn
from web.access.devices import Devices


@pytest.fixture
def access() -> Club:
    """Nobody is let in yet."""
    return Club(Devices(b"k" * 32), LetIn())
