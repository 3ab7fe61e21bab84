"""The chain of messages that a table's log makes."""

from pathlib import Path

from companion.log.store import LOG_NAME
from companion.relay.log_chain import LogChain
from companion.relay.position import Position
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
