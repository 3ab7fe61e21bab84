"""A message tells a row's moment as the log itself does."""

import json
import math

import pytest

from companion.log.rows import seal_row
from companion.relay.wire import LARGEST_BYTES, WireError, link_from_json, link_row, link_to_json

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


@pytest.mark.parametrize(
    "change",
    [
        {"at": 2.5},
        {"number": 2},
        {"place": 2},
        {"before": "ef" * 16},
        {"commitment": "ef" * 16},
        {"chain": "ef" * 16},
        {"id": "ef" * 16},
        {"content": {"kind": "finished", "data": "{}", "nonce": "cd" * 16}},
    ],
    ids=str,
)
def test_a_message_in_which_anything_was_changed_is_forged(change: dict[str, object]) -> None:
    link = link_row("ab" * 16, None, seal_row(None, 1.5, "put-away", "{}"), "cd" * 16, is_open=True)
    sent = json.loads(link_to_json(link))
    assert link_from_json(json.dumps(sent).encode()) == link
    with pytest.raises(WireError, match="does not fit its checksum"):
        link_from_json(json.dumps(sent | change).encode())


def test_a_message_beyond_all_bounds_is_not_read() -> None:
    row = seal_row(None, 1.5, "put-away", json.dumps("x" * LARGEST_BYTES))
    link = link_row("ab" * 16, None, row, "cd" * 16, is_open=True)
    with pytest.raises(WireError):
        link_from_json(link_to_json(link).encode())
