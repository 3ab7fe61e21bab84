"""Labelled images from outside the repository: where every space lies and what is on it.

Sources, all optional: `photos/` and `renders/` of the shared folder, a folder of the renderer's own
output, whose JSON files hold the camera's exact geometry, and one of rendered prints of our own.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from vision.registration.board_geometry import board_quads_mm, outline_mm
from vision.registration.geometry import corners_of_size, homography_of_quads, project

ART_FRAME = {
    "usa": ((0.93953, 0.91352), (0.02873, 0.04075)),
    "germany": ((0.9295, 1441.2 / 1500), (0.03868, 33.32 / 1500)),
    "france": ((1.0, 1.0), (0.0, 0.0)),
}
"""(scale, offset) from the art's 0..1 frame to the board file's, as the shared notes give it."""

PHOTO_OUTER_MM = (795.0, 525.0)
RENDER_OUTER_MM = {"usa": (795.0, 531.0), "germany": (531.0, 795.0), "france": (714.3, 795.0)}
"""Outer sizes, width and height, of the boards in the shared photos and renders."""

COLOUR_NAMES = {"violet": "purple"}

OWN_ART = 0
"""Number of the boards' own art among the prints of rendered scenes."""

TEST_STATES = ("4066", "4076")
"""Arrangements of wagons on real photos that training never sees."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledImage:
    """One image with the truth about it.

    `state` names the arrangement of wagons and `rig` the camera, light and table: a split must
    never have one state, or one rig, on both sides. Images of one `print_id` show the same print,
    so that an empty one can serve the others as reference. `spaces_px` is (N, 4, 2); `labels`
    one word a space ("empty" or a colour); `visible` (N,) is the part of each space, or of the
    wagon on it, that nothing covers; `tracks` are France's routes under a bare track piece.
    """

    path: Path
    board: Board
    source: str
    state: str
    rig: str
    print_id: str
    players: tuple[str, ...]
    labels: tuple[str, ...]
    owners: dict[str, str | None]
    visible: NDArray[np.float64]
    ambiguous: NDArray[np.bool_]
    spaces_px: NDArray[np.float64]
    corners_px: NDArray[np.float64]
    tracks: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        return all(label == "empty" for label in self.labels)

    @property
    def outer_mm(self) -> tuple[float, float]:
        """Outer width and height of the board in the picture, mm."""
        return PHOTO_OUTER_MM if self.source == "photo" else RENDER_OUTER_MM[self.board.id]


def photos(shared: Path) -> Iterator[LabelledImage]:
    """The real photos of a USA board: its second print, laid by the labelled corners."""
    folder = shared / "photos"
    board = load_board("usa")
    boxes = board_quads_mm(board.as_printed[1])
    for name, entry in json.loads((folder / "labels.json").read_text("utf-8"))["photos"].items():
        corners = np.array(entry["corners"], dtype=np.float64)
        homography = homography_of_quads(outline_mm(board), corners)
        yield LabelledImage(
            path=folder / name,
            board=board,
            source="photo",
            state=entry["state"],
            rig=name,
            print_id="photo-usa",
            players=board.player_colours,
            labels=_labels(board, entry["routes"]),
            owners=_owners(board, entry["routes"]),
            visible=np.ones(board.space_count),
            ambiguous=_ambiguous(board, entry["routes"]),
            spaces_px=project(homography, boxes),
            corners_px=corners,
        )


def rendered_prints(folder: Path) -> Iterator[LabelledImage]:
    """Scenes under prints of our own, <number>/<board>/labels.json, each print a board of its own;
    number 0 is the boards' own art, whose players are careless, too."""
    for labels in sorted(folder.glob("*/*/labels.json")):
        name = f"print-{labels.parent.parent.name}"
        for image in renders(labels.parent, labels.parent.parent):
            if int(labels.parent.parent.name) == OWN_ART:
                yield replace(image, source="careless", state=f"scene-{image.state}")
            else:
                state, rig = f"{name}-{image.state}", f"{name}-{image.rig}"
                yield replace(image, source="print", print_id=name, state=state, rig=rig)


def renders(folder: Path, geometry: Path | None = None) -> Iterator[LabelledImage]:
    """Renders of a folder with a labels.json; exact geometry is used where there is any.

    `geometry` holds <board>/<image>.json as the renderer writes them, at any scale.
    """
    for name, entry in json.loads((folder / "labels.json").read_text("utf-8")).items():
        board = load_board(entry["board"])
        exact = geometry / entry["board"] / f"{Path(name).stem}.json" if geometry else None
        if exact is not None and exact.exists():
            truth = json.loads(exact.read_text("utf-8"))
            spaces_px = _exact_spaces(board, truth, entry)
            visible = _visible(board, truth)
        else:
            spaces_px = project(_art_to_image(board, entry), board_quads_mm(board))
            visible = _visible_from_labels(board, entry["routes"])
        yield LabelledImage(
            path=folder / name,
            board=board,
            source="render",
            state=f"{entry['board']}-{_state(name)}",
            rig=f"{entry['board']}-{entry['rig']}",
            print_id=f"render-{entry['board']}",
            players=tuple(entry["players"]),
            labels=_labels(board, entry["routes"]),
            owners=_owners(board, entry["routes"]),
            visible=visible,
            ambiguous=_ambiguous(board, entry["routes"]),
            spaces_px=spaces_px,
            corners_px=np.array(entry["corners"], dtype=np.float64),
            tracks=frozenset(entry.get("tracks", ())),
        )


def _state(name: str) -> str:
    found = re.search(r"-(s\d+|seq\d+-f\d|r\d+-empty)", name)
    return found.group(1) if found else name


def _labels(board: Board, routes: dict[str, Any]) -> tuple[str, ...]:
    labels: list[str] = []
    for route in board.routes:
        entry = routes.get(route.id, {"owner": None})
        word = entry["owner"] or "empty"
        labels += [COLOUR_NAMES.get(x, x) for x in entry.get("spaces", [word] * route.length)]
    return tuple(labels)


def _owners(board: Board, routes: dict[str, Any]) -> dict[str, str | None]:
    return {route.id: routes.get(route.id, {"owner": None})["owner"] for route in board.routes}


def _ambiguous(board: Board, routes: dict[str, Any]) -> NDArray[np.bool_]:
    flags: list[bool] = []
    for route in board.routes:
        doubtful = routes.get(route.id, {}).get("ambiguous_spaces", [])
        flags += [index in doubtful for index in range(route.length)]
    return np.array(flags)


def _visible_from_labels(board: Board, routes: dict[str, Any]) -> NDArray[np.float64]:
    parts: list[float] = []
    for route in board.routes:
        hidden = routes.get(route.id, {}).get("hidden_spaces", [])
        parts += [0.0 if index in hidden else 1.0 for index in range(route.length)]
    return np.array(parts)


def _art_to_image(board: Board, entry: dict[str, Any]) -> NDArray[np.float64]:
    """From board-file millimetres to pixels, by the corners of the printed art."""
    scale, offset = ART_FRAME[board.id]
    art_mm = (corners_of_size(scale) + np.array(offset)) * np.array(board.frame.size_mm)
    return homography_of_quads(art_mm, np.array(entry["art_corners"]))


@cache
def _project_ids(assets: Path, board_id: str) -> dict[int, tuple[str, tuple[int, ...]]]:
    ids = json.loads((assets / "ids.json").read_text("utf-8"))[board_id]
    return {int(key): (route, tuple(order)) for key, (route, order) in ids.items()}


ASSETS: list[Path] = []
"""Where the renderer keeps its ids.json; set by `use_renderer`."""


def use_renderer(folder: Path) -> None:
    """Say where the renderer is, whose ids translate its geometry files."""
    ASSETS[:] = [folder / "assets"]


def per_space(board: Board, truth: dict[str, Any]) -> list[dict[str, Any] | None]:
    """The renderer's entry of every space, in board order; None where it has none. `use_renderer`
    comes first."""
    ids = _project_ids(ASSETS[0], board.id)
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for space in truth["spaces"]:
        if space["route"] in ids:
            route, order = ids[space["route"]]
            found[(route, order[space["space"]])] = space
    return [found.get((r.id, index)) for r in board.routes for index in range(r.length)]


def _exact_spaces(
    board: Board, truth: dict[str, Any], entry: dict[str, Any]
) -> NDArray[np.float64]:
    """Homography's boxes, moved to the exact centres (lens, folds and a moved board included)."""
    spaces = per_space(board, truth)
    known = np.array([space is not None for space in spaces])
    raw = np.array([space["center_px"] if space else (np.nan, np.nan) for space in spaces])
    centres_px = np.c_[raw, np.ones(len(raw))] @ _to_full_size(truth, entry)
    boxes = board_quads_mm(board)
    homography, _ = cv2.findHomography(boxes[known].mean(axis=1), centres_px[known], 0)
    quads = project(np.asarray(homography, dtype=np.float64), boxes)
    shift = np.where(known[:, None], centres_px - quads.mean(axis=1), 0.0)
    return np.asarray(quads + shift[:, None, :])


def _to_full_size(truth: dict[str, Any], entry: dict[str, Any]) -> NDArray[np.float64]:
    """Affine map, shape (3, 2), from a geometry file made at another scale to the image's pixels.

    Fitted to the eight corners that both know: a camera's crop is not scaled exactly with its size.
    """
    small = np.array(truth["outer_corners_px"] + truth["art_corners_px"])
    full = np.array(entry["corners"] + entry["art_corners"])
    solution, *_ = np.linalg.lstsq(np.c_[small, np.ones(len(small))], full, rcond=None)
    return np.asarray(solution, dtype=np.float64)


def _visible(board: Board, truth: dict[str, Any]) -> NDArray[np.float64]:
    return np.array([s["visible_frac"] if s else 1.0 for s in per_space(board, truth)])
