"""The panel over a real socket: many pages at once, live, and a taken port."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.server import PanelServer
from companion.table import Table
from tests.companion.tables import ADA_AND_BEN, new_table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return new_table(tmp_path, open_camera=None)


@pytest.fixture
def server(table: Table) -> Iterator[PanelServer]:
    server = PanelServer(table, "127.0.0.1", 0, "en")
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server
    server.stop()
    thread.join()


def ask(server: PanelServer, path: str, stack: ExitStack) -> HTTPResponse:
    connection = HTTPConnection(server.host, server.port, timeout=20)
    stack.callback(connection.close)
    connection.request("GET", path)
    return connection.getresponse()


def test_the_address_answers_with_the_table_s_state(server: PanelServer, table: Table) -> None:
    table.act("start", ADA_AND_BEN)
    with ExitStack() as stack:
        state = json.load(ask(server, "/api/state", stack))
    assert (state["board"], state["phase"]) == ("usa", "look")


def next_version(page: HTTPResponse) -> int:
    while not (line := page.readline()).startswith(b"data:"):
        assert line
    return int(line.split(b":")[1])


def test_a_dozen_pages_hear_of_a_change_and_starve_nobody(
    server: PanelServer, table: Table
) -> None:
    with ExitStack() as stack:
        pages = [ask(server, "/events", stack) for _ in range(12)]
        before = {next_version(page) for page in pages}
        assert len(before) == 1
        version = table.act("start", ADA_AND_BEN)
        assert {next_version(page) for page in pages} == {version}
        assert ask(server, "/api/state", stack).status == 200


def test_a_taken_port_is_one_sentence_and_the_usual_one_gives_way(
    server: PanelServer, table: Table
) -> None:
    with pytest.raises(UsageError, match=f"port {server.port} of 127.0.0.1 cannot be used"):
        PanelServer(table, "127.0.0.1", server.port, "en")
    with pytest.raises(UsageError, match="port 99999"):
        PanelServer(table, "127.0.0.1", 99999, "en")


def test_addresses_can_be_opened(table: Table, server: PanelServer) -> None:
    assert server.addresses == [f"http://127.0.0.1:{server.port}/"]
