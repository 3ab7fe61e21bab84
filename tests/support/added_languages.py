"""Languages that a test adds are gone after it."""

from collections.abc import Iterator

import pytest

import scoring.language
from scoring.language import catalogue


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """For every test of the module that imports it."""
    yield
    scoring.language._ADDED.clear()
    catalogue.cache_clear()
