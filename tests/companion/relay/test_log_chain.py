"""The chain of messages that a table's log makes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.log.rows import Row, seal_row
from companion.log.store import LOG_NAME
from companion.relay.log_chain import LogChain
from companion.relay.position import Position
from companion.relay.telling import Teller
from companion.table.table import Table, TableConfig
from scoring.board.board import load_board
from tests.companion.tables import ADA_AND_BEN, USA


def test_a_board_taught_in_the_course_of_the_evening_opens_its_hands_at_the_reveal(
    tmp_path: Path,
) -> None:
    table = Table(TableConfig([load_board("germany")], tmp_path))
    boards = lambda: {board.id: board for board in table.boards}  # noqa: E731
    chain = LogChain(tmp_path / LOG_NAME, Position("ab" * 32), boards)
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
OF_A_NEWER_PROGRAM: Entry = ("juggled", {})
REFUSED = ("ticket-removed", {"colour": "red", "ticket": "duluth--helena"})


@pytest.mark.parametrize("lost", [[OF_A_NEWER_PROGRAM] * 2, [REFUSED]])
def test_undos_of_what_cannot_be_read_open_no_sheet_again_and_with_it_no_hand(
    lost: list[Entry],
) -> None:
    """The table, which reads its log anew, stands at the tickets too."""
    rows = log_of(STARTED, FINISHED, REOPENED, *lost, *([UNDONE] * len(lost)), TICKET)
    teller = Teller("ab" * 16, b"key", lambda: {"usa": USA})
    told = [link.content for row in rows for link in teller.tell(row)]
    assert "duluth--el-paso" not in "".join(one.data for one in told if one is not None)
