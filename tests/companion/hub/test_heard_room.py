"""What the room makes of what tables say, without a broker."""

from typing import Any

from companion.hub.room import Room
from scoring.board.board import load_board
from scoring.documents.game import parse_game
from scoring.language import Message
from scoring.sheet.sheet import score
from web.hub.ports import Evidence

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


def test_a_message_that_is_set_aside_again_after_a_while_is_told_again() -> None:
    """A card tells it for a quarter of an hour; what comes meanwhile is no news to a page."""
    now_s, reason = [NOW_S], Message("companion.relay.no-message")
    room = Room({}, now=lambda: now_s[0])

    def is_news() -> bool:
        version = room.wait(-1, 0.0)
        room.hear_aside("table-1", reason)
        return room.wait(-1, 0.0) != version

    def told() -> list[str]:
        room.hear_state("table-1", state(now_s[0]))
        return [str(trouble["key"]) for trouble in room.tables()[0].troubles]

    assert is_news()
    now_s[0] += 600
    assert not is_news()
    now_s[0] += 1000
    assert told() == []
    assert is_news()
    assert told() == [reason.key]


def test_what_was_wrong_with_the_hub_is_told_no_more_once_it_is_right() -> None:
    room = Room({})
    room.trouble("database", Message("companion.hub.database-gone", reason="it sleeps"))
    assert [one["key"] for one in room.troubles()] == ["companion.hub.database-gone"]
    room.trouble("database", None)
    assert room.troubles() == []


ADA_AND_BEN = {
    "game": "usa",
    "players": [
        {"name": "Ada", "colour": "red", "routes": ["duluth--helena"], "tickets": []},
        {"name": "Ben", "colour": "blue", "routes": [], "tickets": []},
    ],
}
"""Six wagons are 15 points, the longest path 10 more."""


def test_a_table_and_a_room_of_different_age_that_disagree_are_told() -> None:
    """The table swapped two names, which this room does not know of."""
    board = load_board("usa")
    game = parse_game(ADA_AND_BEN, board)
    room = Room({"usa": board}, now=lambda: NOW_S)

    def troubles(place: int, *standing: tuple[str, int]) -> list[str]:
        rows = [{"name": name, "points": points} for name, points in standing]
        shown = {"phase": "sheet", "place": place, "players": [], "standing": rows}
        room.hear_state("table-1", state(NOW_S) | shown)
        return [str(trouble["key"]) for trouble in room.tables()[0].troubles]

    room.hear_evidence("table-1", Evidence(board, game, score(game), is_whole=True), {}, 4)
    assert troubles(4, ("Ada", 25), ("Ben", 0)) == []
    assert troubles(5, ("Ben", 25), ("Ada", 0)) == [], "the room has not worked that out yet"
    room.hear_evidence("table-1", Evidence(board, game, score(game), is_whole=True), {}, 5)
    assert troubles(5, ("Ben", 25), ("Ada", 0)) == ["companion.hub.other-result"]
    assert troubles(5, ("Ben", 0), ("Ada", 25)) == []
    room.hear_evidence("table-1", Evidence(board, game, score(game), is_whole=False), {}, 5)
    assert troubles(5, ("Ada", 40), ("Ben", 0)) == [], "tickets are kept back until the reveal"
