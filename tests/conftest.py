"""What every test has."""

import pytest


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak English wherever the tests run, unless a test asks for Italian."""
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
