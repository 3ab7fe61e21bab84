"""A message tells a row's moment as the log itself does."""

import math

import pytest

from companion.log.rows import seal_row
from companion.relay.wire import link_from_json, link_row, link_to_json

YEAR_5000_S, YEAR_9999_S, YEAR_10000_S = 95_617_584_000.0, 253_370_764_800.0, 253_402_300_800.0


@pytest.mark.parametrize(
    ("at_s", "told_s"),
    [
        (1.5, 1.5),
        (YEAR_5000_S, YEAR_5000_S),
        (YEAR_9999_S, YEAR_9999_S),
        (YEAR_10000_S, 0.0),
        (math.inf, 0.0),
        (math.nan, 0.0),
        (-5.0, 0.0),
    ],
)
def test_a_moment_is_told_as_the_log_has_it_or_as_1970(at_s: float, told_s: float) -> None:
    """A log of a box whose clock runs ahead was told as one of 1970 from the year 3000 on."""
    row = seal_row(None, at_s, "put-away", "{}")
    link = link_row("ab" * 16, None, row, "cd" * 16, is_open=True)
    assert row.moment_s == told_s
    assert link_from_json(link_to_json(link).encode()).at_s == told_s
