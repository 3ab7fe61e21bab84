"""What `companion score` says of an evening that was played at a table."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.table.live_score import game_json
from companion.table.table import Table


def sheet_of_command_line(
    table: Table,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """The document of `companion score GAME.json --json` for the evening's exported game."""
    evening = table._evening
    assert evening.board is not None
    file = folder / "GAME.json"
    file.write_text(json.dumps(game_json(evening.state, evening.board)), "utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(folder / "nothing-taught"))
    capsys.readouterr()
    assert main(["score", str(file), "--json"]) == 0
    return json.loads(capsys.readouterr().out)
