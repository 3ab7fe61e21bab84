"""A little of each torture; `make torture` does it at length."""

import pytest

from tests.torture.trials import ALL


@pytest.mark.parametrize("kind", ALL)
def test_nothing_that_was_confirmed_is_lost(kind: str) -> None:
    run, trials, _ = ALL[kind]
    outcome = run(trials)
    assert outcome.trials >= 1
    assert outcome.bad == 0, str(outcome)
