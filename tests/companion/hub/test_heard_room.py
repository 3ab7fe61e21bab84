"""What the room makes of what tables say, without a broker."""

from typing import Any

from companion.hub.room import Room

NOW_S = 1_750_000_000.0

DAY_S = 86_400.0


def state(sent_at_s: float) -> dict[str, Any]:
    return {"instance": "x", "name": "Table 1", "sent_at": sent_at_s, "board": None}


def test_a_table_switched_off_long_ago_is_not_there_after_the_hub_s_restart() -> None:
    room = Room({}, now=lambda: NOW_S)
    room.hear_status("table-1", False)  # as the broker kept them
    room.hear_state("table-1", state(NOW_S - DAY_S))
    (table,) = room.tables()
    assert not table.is_online

    room.hear_status("table-1", True)
    room.hear_state("table-1", state(NOW_S))
    (table,) = room.tables()
    assert table.is_online
