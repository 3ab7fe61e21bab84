"""How well boards are read: the development sets beside the checkout, else boards drawn here."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from tests.support.shared import SHARED
from vision.evaluate.evaluation import evaluate
from vision.evaluate.labelled import TEST_STATES
from vision.evaluate.labels import Labelled, load_labels
from vision.evaluate.report import summary
from vision.evaluate.result import Result
from vision.reading import OCCLUDED
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners

MODES: Mapping[str, str] = {
    "rig": "reference of the same camera and light",
    "other": "reference of another moment",
    "none": "no reference",
}

GAMES = 2
"""Drawn games of each board."""


def run() -> None:
    """Print the figures, set by set."""
    cv2.setNumThreads(1)
    if (SHARED / "photos" / "labels.json").is_file():
        photos = load_labels(SHARED / "photos")
        for name, states in (("never trained on", True), ("that training knows", False)):
            some = [p for p in photos if p.is_empty or (p.state in TEST_STATES) == states]
            # The empty photos are of moments of their own: "rig" would mean the same.
            _report(f"real photos of arrangements {name}", some, ("other", "none"))
        renders = load_labels(SHARED / "renders")
        _report("renders, of rigs never trained on", renders, ("rig", "other", "none"))
    else:
        with tempfile.TemporaryDirectory() as folder:
            draw_set(Path(folder))
            _report("drawn boards", load_labels(Path(folder)), ("rig", "none"))


def _report(name: str, images: Sequence[Labelled], modes: Sequence[str]) -> None:
    print(f"\nAccuracy on {name}, before any question")
    for mode in modes:
        results = list(evaluate(images, mode))
        print(f"  {MODES[mode]}")
        for board in sorted({result.image.board.id for result in results}):
            print("    " + summary(board, [r for r in results if r.image.board.id == board]))
        for result in results:
            _complain(result)


def _complain(result: Result) -> None:
    """The images where something went wrong silently, or that weren't read at all."""
    if result.reading is None:
        print(f"      {result.image.path.name} not read: {result.failure}")
    elif result.silent:
        print(f"      {result.image.path.name} silent: {' '.join(result.silent)}")


def draw_set(folder: Path) -> None:
    """Draw an empty board and two games of each board, with a labels.json for `vision.evaluate`."""
    entries = {}
    for number, name in enumerate(BOARDS_WITH_DATA):
        board = load_board(name)
        for game in range(GAMES + 1):
            seed = 900 + 10 * number + game
            owners = random_owners(board, seed=seed) if game else {}
            photo = draw_photo(
                board,
                owners,
                seed=seed,
                print_seed=900 + number,
                rig_seed=900 + number,
                oddities=None if game else Oddities.none(),
            )
            path = folder / f"{name}-{game}.jpg"
            cv2.imwrite(str(path), photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 93])
            entries[path.name] = _label(board, photo, f"{name}-rig")
    (folder / "labels.json").write_text(json.dumps(entries), "utf-8")


def _label(board: Board, photo: DrawnPhoto, rig: str) -> dict[str, Any]:
    routes = {}
    for name, these in board.spaces_of.items():
        hidden = [k for k, label in enumerate(photo.labels[these]) if label == OCCLUDED]
        routes[name] = {
            "owner": photo.owners[name],
            "spaces": list(photo.wagons[these]),
            "hidden_spaces": hidden,
        }
    return {
        "board": board.id,
        "rig": rig,
        "corners": photo.corners_px.tolist(),
        "players": list(photo.players or board.player_colours),
        "routes": routes,
    }
