"""What `python -m vision.evaluate` says of labels, files and options: one line where they're wrong.

No photo is read here; `test_evaluate.py` has those.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.board.board import load_board
from vision import network
from vision.evaluate.command import main
from vision.evaluate.labels import Labelled, load_labels
from vision.evaluate.report import summary
from vision.evaluate.result import Result
from vision.reading import Reading, Registration

USA = load_board("usa")

Change = Callable[[dict[str, Any]], object]
LABEL = {
    "board": "usa",
    "corners": [[0, 0], [900, 0], [900, 600], [0, 600]],
    "routes": {"atlanta--miami": {"owner": "red"}, "denver--omaha": {"owner": "blue"}},
}
"""An image's entry as it should be; both routes are longer than 1."""


def written(folder: Path, change: Change = lambda labels: None) -> list[Labelled]:
    """A labels.json with one image, a.jpg, changed so; returns what is in it, if it is read."""
    labels = {"a.jpg": copy.deepcopy(LABEL)}
    change(labels)
    (folder / "labels.json").write_text(json.dumps(labels), "utf-8")
    return load_labels(folder) if labels == {"a.jpg": LABEL} else []


def refused(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int | str | None, str]:
    """The exit code and the one line on stderr; nothing else was printed."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("python -m vision.evaluate: ")
    return left.value.code, said.err


def route(name: str, **entry: object) -> Change:
    """Label a route of the image so."""
    return lambda labels: labels["a.jpg"]["routes"].update({name: entry})


def image(**entry: object) -> Change:
    """Label the image so."""
    return lambda labels: labels["a.jpg"].update(entry)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (image(board="atlantis"), 'a.jpg: board: "atlantis" is none of usa, germany, france'),
        (lambda labels: labels["a.jpg"].pop("board"), "a.jpg: board: is missing"),
        (lambda labels: labels["a.jpg"].pop("corners"), "a.jpg: corners: is missing"),
        (lambda labels: labels["a.jpg"].pop("routes"), "a.jpg: routes: is missing"),
        (lambda labels: labels.update({"a.jpg": 7}), "a.jpg: entry: must be an object, not 7"),
        (lambda labels: labels.update(board="usa"), "photos: is missing"),
        (image(corners=[[0, 0], [9, 0]]), "a.jpg: corners: must be four pairs"),
        (image(corners=[[0, 0], [9, 0], [9, 9], [0, "x"]]), "a.jpg: corners: must be a number"),
        (image(players=["red", "teal"]), 'a.jpg: players: "teal" is none of'),
        (image(routes=["atlanta--miami"]), "a.jpg: routes: must be an object, not […]"),
        (
            route("atlanta--miamy", owner="red"),
            'a.jpg: routes: "atlanta--miamy" is no route of usa; did you mean atlanta--miami?',
        ),
        (route("paris--rome", owner="red"), '"paris--rome" is no route of usa'),
        (image(player_colours=["teal"]), 'a.jpg: player_colours: "teal" is none of'),
        (route("denver--omaha", owner="teal"), 'denver--omaha.owner: "teal" is none of'),
        (route("denver--omaha", ower="red"), 'denver--omaha: there is no field "ower"'),
        (
            route("denver--omaha", owner="red", spaces=["red", "empty"]),
            "a.jpg: routes.denver--omaha.spaces: 2 spaces, but length 4",
        ),
        (
            route("denver--omaha", spaces=["red", "red", "red", "teal"]),
            'a.jpg: routes.denver--omaha.spaces: "teal" is none of',
        ),
        (
            route("denver--omaha", hidden_spaces=[4]),
            "denver--omaha.hidden_spaces: must be a whole number from 0 to 3, not 4",
        ),
        (lambda labels: labels.clear(), "there is nothing to evaluate"),
        (image(routes={}), "there is nothing to evaluate"),
    ],
)
def test_labels_that_cannot_be_used_are_refused_with_image_and_route(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Change, words: str
) -> None:
    written(tmp_path, change)
    code, said = refused(capsys, tmp_path)
    assert code == 3
    assert words in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"a.jpg": {', "is not a complete JSON document"),
        (b'{"\xff": {}}', "is not a complete JSON document"),
        (b"[" * 100_000, "is not a complete JSON document"),
        (b"[]", "must be an object, not […]"),
        (b'{"a\\u0000.jpg": {}}', "name of an image: must be a text on one line"),
    ],
)
def test_a_labels_file_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes, words: str
) -> None:
    (tmp_path / "labels.json").write_bytes(text)
    code, said = refused(capsys, tmp_path)
    assert code == 3
    assert str(tmp_path / "labels.json") in said
    assert words in said


def test_many_problems_are_still_one_line_that_one_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    teal = {route: {"owner": "teal"} for route in USA.route_by_id}
    written(tmp_path, image(routes=teal))
    _, said = refused(capsys, tmp_path)
    assert said.count('"teal"') == 3
    assert "; …;" in said


def test_the_labels_of_a_folder_of_one_board_name_it_once(tmp_path: Path) -> None:
    entry = {key: value for key, value in LABEL.items() if key != "board"}
    together = {"board": "usa", "photos": {"a.jpg": entry | {"state": 3, "rig": 14}}}
    (tmp_path / "labels.json").write_text(json.dumps(together), "utf-8")
    (read,) = load_labels(tmp_path)
    assert (read.board.id, read.state, read.rig) == ("usa", "3", "14")
    assert read.owner("atlanta--miami") == "red"


def test_a_set_may_have_other_colours_than_its_board(tmp_path: Path) -> None:
    other = {"player_colours": ["pink", "orange"], "players": ["pink"]}
    pink = {"routes": {"atlanta--miami": {"owner": "pink"}}}
    (tmp_path / "labels.json").write_text(json.dumps({"a.jpg": LABEL | other | pink}), "utf-8")
    (read,) = load_labels(tmp_path)
    assert read.board.player_colours == ("pink", "orange")
    assert read.players == ("pink",)
    assert read.owner("atlanta--miami") == "pink"


def test_a_wrong_command_line_is_told_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (tmp_path / "labels.json").write_text("this would be refused with exit code 3", "utf-8")
    for arguments, words in (
        ([], "required: DIR"),
        ([tmp_path / "none"], "none is no folder"),
        ([tmp_path / "labels.json"], "is no folder"),
        ([bare], "has no labels.json"),
        ([tmp_path, "--spaces", tmp_path / "none.onnx"], "there is no file"),
        ([tmp_path, "--html", tmp_path / "none" / "page.html"], "there is no folder"),
        ([tmp_path, "--html", bare], "can't be written (Is a directory)"),
        ([tmp_path, "--html", "/proc/page.html"], "can't be written"),
        ([tmp_path, "--reference", "best"], "invalid choice"),
    ):
        code, said = refused(capsys, *arguments)
        assert code == 2
        assert words in said


def test_a_file_that_is_no_space_network_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "_INSTEAD", {})
    written(tmp_path)
    words, other = tmp_path / "words.onnx", Path(network.__file__).parent / "weights/outline.onnx"
    words.write_text("no network", "utf-8")
    for weights in (words, other):
        code, said = refused(capsys, tmp_path, "--spaces", weights)
        assert code == 3
        assert f"{weights} is not a network for spaces" in said
    assert not network._INSTEAD


def test_a_missing_empty_board_is_named_by_the_images_that_need_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, lambda labels: labels.update({"bare.jpg": labels["a.jpg"] | {"routes": {}}}))
    assert main([str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "NOT READ: its empty board bare.jpg: there is no such file" in said
    assert "all: none of 1 read" in said


def test_medians_have_a_decimal_and_nothing_read_has_no_percentage(tmp_path: Path) -> None:
    (image,) = written(tmp_path)
    registration = Registration("corners", np.zeros((4, 2)), np.zeros((0, 4, 2)), 0.0)
    reading = Reading("usa", registration, {}, (), {})
    asked = Result(image, reading, routes=2, spaces=4, spaces_right=3, review=["some-route"])
    calm = Result(image, reading)
    assert "reviews median 0.5 worst 1" in summary("both", [asked, calm])
    assert "spaces 75.00 %, routes 100.00 %" in summary("both", [asked, calm])
    assert "spaces – %, routes – %" in summary("all of it hidden", [calm])
