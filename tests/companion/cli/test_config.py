"""Which folder, which board, which pins: what a command line and a data folder may say."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.config import data_folder, extra_hosts, pin_map
from companion.errors import UnusableInputError, UsageError
from companion.user_files.board_choice import boards_here, choose_board, choose_board_to_read
from hardware.console.console import PinMap


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
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
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


def test_a_data_folder_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "boards").symlink_to("boards")  # a loop, which not even root can read
    with pytest.raises(UsageError, match=r"the data folder .* cannot be read"):
        boards_here(tmp_path)
    with pytest.raises(UsageError, match=r"the data folder .* cannot be read"):
        choose_board("usa", tmp_path)


def usa_routes() -> list[dict[str, Any]]:
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
    return list(usa["routes"])


def placed(routes: list[dict[str, Any]], count: int, at: object = None) -> list[dict[str, Any]]:
    """The routes, so many of them with their spaces (all of these `at` one point if that's given),
    the others without."""
    return [
        {**route, "spaces": [at or space for space in route["spaces"]] if number < count else []}
        for number, route in enumerate(routes)
    ]


@pytest.mark.parametrize(
    ("count", "at", "reason"),
    [
        (0, None, "gives no positions of its printed spaces, so it can be scored but not read"),
        (99, None, "no positions of the printed spaces of sault-st-marie--winnipeg, so"),
        (100, [0.5, 0.5, 0], "in one place or line"),
    ],
)
@pytest.mark.parametrize(
    "command",
    ["scan none.jpg", "watch v4l2:98", "calibrate --empty none.jpg -o out", "scan none.jpg -it"],
)
def test_a_board_without_positions_is_not_read_from_photos(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    count: int,
    at: object,
    reason: str,
) -> None:
    routes = sorted(usa_routes(), key=lambda route: "winnipeg" in route["id"])
    path = own_board(tmp_path, "atlantis", routes=placed(routes, count, at), prints=[])
    assert choose_board(str(path), tmp_path).id == "atlantis"
    words = command.removesuffix(" -it").split()
    language = "it" if command.endswith("-it") else "en"
    assert main([*words, "--board", str(path), "--language", language]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert ("non si leggono le foto" if language == "it" else reason) in line


def test_a_board_of_one_route_is_not_read_from_photos(tmp_path: Path) -> None:
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
    ends = (usa["routes"][0]["from"], usa["routes"][0]["to"])
    places = [place for place in usa["places"] if place["id"] in ends]
    rest = {"routes": usa["routes"][:1], "places": places, "tickets": [], "prints": []}
    own_board(tmp_path, "atlantis", **rest)
    with pytest.raises(UnusableInputError, match="too few spaces"):
        choose_board_to_read("atlantis", tmp_path)


def test_pins_come_from_the_data_folder(tmp_path: Path) -> None:
    assert pin_map(tmp_path) == PinMap()
    (tmp_path / "box.json").write_text('{"pins": {"scan": 20}}')
    assert pin_map(tmp_path).scan == 20


def test_names_of_the_box_come_from_the_data_folder_with_or_without_pins(tmp_path: Path) -> None:
    assert extra_hosts(tmp_path) == ()
    box = tmp_path / "box.json"
    box.write_text('{"hosts": ["pi.fritz.box", "Train.Example.org"]}')
    assert extra_hosts(tmp_path) == ("pi.fritz.box", "Train.Example.org")
    assert pin_map(tmp_path) == PinMap()
    box.write_text('{"pins": {"scan": 20}}')
    assert extra_hosts(tmp_path) == ()


@pytest.mark.parametrize("hosts", ["pi.fritz.box", ["http://pi"], ["pi:80"], [""], [7], {}, None])
def test_a_wrong_name_of_the_box_is_one_sentence_and_ends_serve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hosts: object
) -> None:
    (tmp_path / "box.json").write_text(json.dumps({"hosts": hosts}))
    assert main(["serve", "--no-hardware", "--data", str(tmp_path), "--port", "0"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "list of host names" in line


@pytest.mark.parametrize("content", ["{", "[]", '{"pins": {"scan": 99}}', "{}"])
def test_a_broken_box_file_is_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "box.json").write_text(content)
    with pytest.raises(UsageError, match=r"box\.json is not the configuration"):
        pin_map(tmp_path)
