"""What `python -m vision.evaluate` counts, on a drawn game whose labels are right, then aren't."""

import json
import re
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from scoring.board.board import load_board
from tests.support.drawn_table import SMALL_PX
from vision import network
from vision.evaluate.command import main
from vision.spaces.neighbours import FEATURES, OUTPUTS
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo, random_owners

USA = load_board("usa")
ABOVE = View(tilt_deg=4.0, azimuth_deg=0.0, roll_deg=2.0, fill=0.9)
CLAIMED = 30


@cache
def photo(empty: bool = False) -> DrawnPhoto:
    owners = random_owners(USA, seed=11, players=3)
    names = [name for name, owner in owners.items() if owner][:CLAIMED]
    return draw_photo(
        USA,
        {} if empty else {name: owners[name] for name in names},
        seed=12 + empty,
        print_seed=13,
        rig_seed=14,
        camera=ABOVE,
        size_px=SMALL_PX,
        oddities=Oddities.none(),
    )


def owners() -> dict[str, str]:
    return {name: owner for name, owner in photo().owners.items() if owner}


def evaluated(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    truth: dict[str, str],
    *options: str,
    played: np.ndarray | None = None,
    state: str = "evening",
    unread: dict[str, str] | None = None,
) -> str:
    """What is printed of a folder with the empty board and one game, labelled so.

    `unread` names further images, with the state of each, which are labelled like the game.
    """
    labels = {}
    for name, drawn, said in (("empty", photo(True), {}), ("game", photo(), truth)):
        picture = drawn.image_bgr if played is None or name == "empty" else played
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture)
        labels[f"{name}.jpg"] = {
            "board": "usa",
            "rig": 14,
            "corners": drawn.corners_px.tolist(),
            "players": list(photo().players),
            "routes": {route: {"owner": owner} for route, owner in said.items()},
            "state": "empty" if name == "empty" else state,
        }
    for name, other_state in (unread or {}).items():
        labels[name] = labels["game.jpg"] | {"state": other_state}
    (tmp_path / "labels.json").write_text(json.dumps(labels), "utf-8")
    assert main([str(tmp_path), *options]) == 0
    return capsys.readouterr().out


def test_a_game_read_as_labelled_is_wholly_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(owners()) == CLAIMED
    said = evaluated(tmp_path, capsys, owners())
    assert "game.jpg" in said
    assert "empty.jpg" not in said
    assert "all: 1/1 images, spaces 100.00 %, routes 100.00 %" in said
    assert "silent 0" in said
    assert "boards wholly right 1" in said


def test_what_differs_from_the_labels_is_counted_named_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """USA has 100 routes: two wrong ones of them are 2 %, and nobody was asked about them."""
    truth = owners()
    taken, painted, *_ = truth
    read_as = truth.pop(taken)
    other = next(colour for colour in USA.player_colours if colour != truth[painted])
    truth[painted] = other
    page = tmp_path / "page.html"
    said = evaluated(tmp_path, capsys, truth, "--html", str(page))
    assert "routes 98.00 %" in said
    assert "silent 2" in said
    assert taken in said
    assert painted in said
    shown = page.read_text("utf-8")
    assert shown.count("<figure class='silent'>") == 2
    assert re.search(f"{taken}: read {read_as} [01].[0-9]+, is nobody", shown)
    assert f"is {other}" in shown
    assert "None" not in shown


def test_the_wrong_line_of_a_double_is_a_wrong_route_and_a_right_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Labelled on the other of two equal lines: 2 of 100 routes wrong, and no place."""
    truth = owners()
    held = (line for line in truth if line.endswith("-1") and f"{line[:-1]}2" not in truth)
    taken = next(held)
    truth[f"{taken[:-1]}2"] = truth.pop(taken)
    said = evaluated(tmp_path, capsys, truth)
    assert "routes 98.00 %" in said
    assert "places 100.00 %, in sight 100.00 %, silent 0, asked " in said


def test_the_page_begins_with_the_printed_figures_and_shows_the_alternatives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = owners()
    taken = next(iter(truth))
    read_as = truth.pop(taken)
    page = tmp_path / "page.html"
    said = evaluated(tmp_path, capsys, truth, "--html", str(page))
    top, first, *_ = page.read_text("utf-8").split("<figure")
    printed = said.split("\n\n", 1)[1].rsplit("peak memory", 1)[0]
    assert printed.strip() in top
    assert "state" not in top, "one image shares its state with no other"
    chances = re.search(f"owner: {read_as} ([01].[0-9]+), nobody ([01].[0-9]+)", first)
    assert chances is not None
    assert float(chances[1]) > float(chances[2])


def test_patches_are_small_enough_for_a_page_of_24_images_with_20_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = owners()
    for route in list(truth)[:8]:
        del truth[route]
    page = tmp_path / "page.html"
    evaluated(tmp_path, capsys, truth, "--html", str(page))
    _, *figures = page.read_text("utf-8").split("<figure")
    assert len(figures) >= 8
    assert sum(map(len, figures)) / len(figures) < 5_000_000 / (24 * 20)


def test_images_that_are_missing_or_unreadable_are_told_and_the_others_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They stay in the figures of their arrangement, which are printed where images share one."""
    (tmp_path / "words.jpg").write_text("no photo", "utf-8")
    (tmp_path / "folder.jpg").mkdir()
    unread = {"gone.jpg": "A", "words.jpg": "A", "folder.jpg": "B"}
    said = evaluated(tmp_path, capsys, owners(), state="A", unread=unread)
    assert re.search("gone.jpg +NOT READ: there is no such file", said)
    assert re.search("words.jpg +NOT READ: words.jpg is not a photo", said)
    assert re.search("folder.jpg +NOT READ: the file can't be read", said)
    assert "all: 1/4 images, spaces 100.00 %" in said
    assert "state A: 1/3 images, spaces 100.00 %" in said
    assert "state B" not in said


def test_an_image_without_a_board_is_told_and_counts_as_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(5).integers(0, 256, (900, 1200, 3)).astype(np.uint8)
    said = evaluated(tmp_path, capsys, owners(), played=noise)
    assert "game.jpg" in said
    assert "NOT READ: " in said
    assert "all: none of 1 read" in said


def test_other_weights_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that takes every space for empty gets the claimed routes wrong, and no other; but
    for one or two whose wagons the other witness finds."""
    monkeypatch.setattr(network, "_INSTEAD", {})
    weights = tmp_path / "all-empty.onnx"
    weights.write_bytes(_all_empty())
    try:
        said = evaluated(tmp_path, capsys, owners(), "--spaces", str(weights))
    finally:
        network.load_network.cache_clear()
    right = [100 - CLAIMED + found for found in range(3)]
    assert any(f"routes {one}.00 %" in said for one in right)


def _all_empty() -> bytes:
    """A space network that says "empty" whatever it sees."""
    logits = np.zeros(OUTPUTS + FEATURES, np.float32)
    logits[0] = 12.0
    count = ("n", len(logits))
    graph = helper.make_graph(
        [
            helper.make_node("ReduceSum", ["pixels", "axes"], ["sum"], keepdims=0),
            helper.make_node("Unsqueeze", ["sum", "last"], ["column"]),
            helper.make_node("ReduceSum", ["lean", "last"], ["leans"], keepdims=1),
            helper.make_node("Add", ["column", "leans"], ["seen"]),
            helper.make_node("Mul", ["seen", "nothing"], ["zeros"]),
            helper.make_node("Add", ["zeros", "said"], ["logits"]),
        ],
        "all-empty",
        [
            helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ("n", 11, 50, 70)),
            helper.make_tensor_value_info("lean", TensorProto.FLOAT, ("n", 2)),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, count)],
        [
            numpy_helper.from_array(np.array([1, 2, 3]), "axes"),
            numpy_helper.from_array(np.array([1]), "last"),
            numpy_helper.from_array(np.zeros(1, np.float32), "nothing"),
            numpy_helper.from_array(logits, "said"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return bytes(onnx.ModelProto.SerializeToString(model))
