"""What the program says of its API is true: requests made from its document, all checks.

`API_EXAMPLES` says how many requests each address gets (`make torture` asks for more).
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from web.app import create_app

EXAMPLES = int(os.environ.get("API_EXAMPLES", "1"))

START = {
    "board": "germany",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}],
    "camera": False,
}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of a real table at a game of Germany, without what never ends."""
    table = Table(TableConfig([load_board("germany")], tmp_path_factory.mktemp("data")))
    table.act("start", START)
    table.act("finish", {})  # an evening of the history
    table.act("new-game", {})
    table.act("start", START)
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", create_app(table))
    yield schema.exclude(path="/api/v1/events")
    table.close()


MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
"""Requests as the document says, and requests that break what it says."""


def operations(schema: Any) -> Iterator[Any]:
    for found in schema.get_all_operations():
        yield found.ok()


def can_be_broken(operation: Any) -> bool:
    """Whether a request can break the document: any text is right as a name within an address."""
    return bool([*operation.query, *operation.body])


def test_the_api_does_what_its_document_says(described: Any) -> None:
    walked = 0
    for operation in operations(described):
        for mode in MODES if can_be_broken(operation) else MODES[:1]:
            try:
                requests = operation.as_strategy(generation_mode=mode)
            except Unsatisfiable:
                continue
            _walk(requests)
        walked += 1
    assert walked > 30


def _walk(requests: Any) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize="API_EXAMPLES" not in os.environ,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )
    @given(case=requests)
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Accept-Encoding": "identity"})  # read as it comes

    try:
        ask()
    except Unsatisfiable:
        return
