"""The chain of messages that a table's log makes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.log.rows import Row, seal_row
from companion.log.store import LOG_NAME
from companion.relay.log_chain import LogChain
from companion.relay.position import Position
from companion.relay.telling import Teller
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.companion.tables import ADA_AND_BEN, USA


def test_a_board_taught_in_the_course_of_the_evening_opens_its_hands_at_the_reveal(
    tmp_path: Path,
) -> None:
    table = Table(TableConfig([load_board("germany")], tmp_path))
    chain = LogChain(tmp_path / LOG_NAME, Position("ab" * 32))
    assert chain.read()
    table.offer(USA)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": "duluth--el-paso"})
    chain.read()
    before = chain.length
    assert [link.content is None for link in chain.links(0, before)] == [False, True]
    table.act("finish", {})
    chain.read()
    told = [link.content for link in chain.links(before, chain.length)]
    assert "duluth--el-paso" in "".join(content.data for content in told if content is not None)
    table.close()


def test_a_board_that_was_taught_anew_changes_nothing_of_what_its_old_games_told(
    tmp_path: Path,
) -> None:
    """Red, which Ada played, is gone from it, and so is her ticket."""
    table = Table(TableConfig([USA], tmp_path))
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": "duluth--el-paso"})
    table.act("finish", {})
    table.act("new-game", {})
    chain = LogChain(tmp_path / LOG_NAME, Position("ab" * 32))
    assert chain.read()
    told = [(link.id, link.content) for link in chain.links(0, chain.length)]
    assert "duluth--el-paso" in "".join(content.data for _, content in told if content)
    colours = tuple(one for one in USA.player_colours if one != "red")
    tickets = tuple(one for one in USA.tickets if one.id != "duluth--el-paso")
    table.offer(replace(USA, player_colours=colours, tickets=tickets))
    again = LogChain(tmp_path / LOG_NAME, Position("ab" * 32))
    assert again.read()
    assert [(link.id, link.content) for link in again.links(0, again.length)] == told
    table.close()


Entry = tuple[str, Mapping[str, Any]]
"""Kind and document of an event."""


def log_of(*entries: Entry) -> list[Row]:
    rows: list[Row] = []
    for kind, document in entries:
        rows.append(seal_row(rows[-1] if rows else None, 1e9, kind, json.dumps(document)))
    return rows


STARTED = ("started", {**ADA_AND_BEN, "camera": False})
TICKET = ("ticket-added", {"colour": "red", "ticket": "duluth--el-paso"})
FINISHED: Entry = ("finished", {})
REOPENED: Entry = ("reopened", {})
UNDONE: Entry = ("undone", {})
REDONE: Entry = ("redone", {})
OF_A_NEWER_PROGRAM: Entry = ("juggled", {})
REFUSED = ("ticket-removed", {"colour": "red", "ticket": "duluth--helena"})


def test_what_is_done_to_a_hand_is_kept_back_until_the_reveal_and_then_opened_once() -> None:
    """Who adds a ticket and takes it back, or what may be a hand, is nobody's to know before."""
    hidden = [TICKET, UNDONE, REDONE, REFUSED, OF_A_NEWER_PROGRAM]
    teller = Teller("ab" * 16, b"key")
    told = [
        [link.content and link.content.kind for link in teller.tell(row)]
        for row in log_of(STARTED, *hidden, FINISHED, REOPENED, FINISHED)
    ]
    opened = [kind for kind, _ in hidden]
    assert told == [["started"], *[[None]] * 5, ["finished", *opened], ["reopened"], ["finished"]]


def test_a_log_that_is_another_one_is_noticed(tmp_path: Path) -> None:
    for name, colour in (("one", "red"), ("two", "blue")):
        table = Table(TableConfig([USA], tmp_path / name))
        table.act("start", {**ADA_AND_BEN, "camera": False})
        table.act("correct-route", {"route": "denver--omaha", "owner": colour})
        table.close()
    path = tmp_path / "one" / LOG_NAME
    chain = LogChain(path, Position("ab" * 32))
    assert chain.read()
    number, seal = chain.row_of(1)
    assert LogChain(path, Position("ab" * 32, 0, 1, number, seal)).read(), "after a restart"
    assert not LogChain(path, Position("ab" * 32, 0, 1, number, "0" * 32)).read()
    path.write_bytes((tmp_path / "two" / LOG_NAME).read_bytes())
    assert not chain.read()


def test_what_was_told_long_ago_can_be_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.relay.log_chain.MOST_UNDER_WAY", 1)
    table = Table(TableConfig([USA], tmp_path))
    table.act("start", {**ADA_AND_BEN, "camera": False})
    for owner in ("red", "blue", "red"):
        table.act("correct-route", {"route": "denver--omaha", "owner": owner})
    chain = LogChain(tmp_path / LOG_NAME, Position("ab" * 32))
    assert chain.read()
    assert [link.place for link in chain.links(0, 4)] == [1, 2, 3, 4]
    assert [link.place for link in chain.links(3, 4)] == [4]
    table.close()


@pytest.mark.parametrize("lost", [[OF_A_NEWER_PROGRAM] * 2, [REFUSED]])
def test_undos_of_what_cannot_be_read_open_no_sheet_again_and_with_it_no_hand(
    lost: list[Entry],
) -> None:
    """The table, which reads its log anew, stands at the tickets too."""
    rows = log_of(STARTED, FINISHED, REOPENED, *lost, *([UNDONE] * len(lost)), TICKET)
    teller = Teller("ab" * 16, b"key")
    told = [link.content for row in rows for link in teller.tell(row)]
    assert "duluth--el-paso" not in "".join(one.data for one in told if one is not None)


def test_a_data_folder_may_have_any_name(tmp_path: Path) -> None:
    """`#`, `?` and `%` mean something in an address: another file was opened, and made."""
    folder = tmp_path / "Table #1 50%25?"
    table = Table(TableConfig([USA], folder))
    table.act("start", {**ADA_AND_BEN, "camera": False})
    chain = LogChain(folder / LOG_NAME, Position("ab" * 32))
    assert chain.read()
    assert chain.length == 1
    assert list(tmp_path.iterdir()) == [folder]
    table.close()
