"""Which folder, which board, which pins: what a command line and a data folder may say."""

import json
from importlib import resources
from pathlib import Path

import pytest

from companion.board_choice import boards_here, choose_board
from companion.config import data_folder, pin_map
from companion.errors import UnusableInputError, UsageError
from hardware.console import PinMap


def test_the_data_folder_is_the_option_s_then_the_environment_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_DATA", "/from/environment")
    assert data_folder("/from/option") == Path("/from/option")
    assert data_folder(None) == Path("/from/environment")
    monkeypatch.delenv("COMPANION_DATA")
    assert data_folder(None).parts[-3:] == (".local", "share", "companion")


def own_board(folder: Path, name: str, **changes: object) -> Path:
    """The USA board under another name, as a table's own file."""
    usa = json.loads((resources.files("scoring") / "data" / "usa.json").read_text("utf-8"))
    path = folder / "boards" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**usa, "id": name, **changes}), "utf-8")
    return path


def test_boards_come_from_the_program_the_data_folder_and_files(tmp_path: Path) -> None:
    path = own_board(tmp_path, "atlantis")
    assert choose_board("usa", tmp_path).id == "usa"
    assert choose_board("atlantis", tmp_path).id == "atlantis"
    assert choose_board(str(path), Path("/nowhere")).id == "atlantis"
    assert [board.id for board in boards_here(tmp_path)[0]] == [
        "usa",
        "germany",
        "france",
        "atlantis",
    ]


def test_a_table_s_own_file_of_a_known_board_comes_first(tmp_path: Path) -> None:
    own_board(tmp_path, "usa", title="Our own copy")
    assert choose_board("usa", tmp_path).title == "Our own copy"
    assert boards_here(tmp_path)[0][0].title == "Our own copy"


def test_an_unknown_board_is_wrong_usage_and_names_the_known(tmp_path: Path) -> None:
    own_board(tmp_path, "atlantis")
    with pytest.raises(UsageError, match="usa, germany, france, atlantis"):
        choose_board("lemuria", tmp_path)


def test_a_broken_board_file_is_named_and_leaves_the_others(tmp_path: Path) -> None:
    own_board(tmp_path, "atlantis", format=99)
    with pytest.raises(UnusableInputError, match="not 99"):
        choose_board("atlantis", tmp_path)
    boards, problems = boards_here(tmp_path)
    assert len(boards) == 3
    assert len(problems) == 1
    assert "atlantis.json" in str(problems[0])


def test_pins_come_from_the_data_folder(tmp_path: Path) -> None:
    assert pin_map(tmp_path) == PinMap()
    (tmp_path / "box.json").write_text('{"pins": {"scan": 20}}')
    assert pin_map(tmp_path).scan == 20


@pytest.mark.parametrize("content", ["{", "[]", '{"pins": {"scan": 99}}', "{}"])
def test_a_broken_box_file_is_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "box.json").write_text(content)
    with pytest.raises(UsageError, match=r"box\.json is no configuration"):
        pin_map(tmp_path)
