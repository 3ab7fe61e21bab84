"""Straightened boards with every wagon on them known, for training the network that finds wagons.

Work folder: `geo/<board>/*.json`, the renderer's geometry of `../shared/renders/more`;
`careless/<board>/` and `new/<board>/`, renders with theirs; `rendered/<number>/<board>/`, prints
of our own; `standing/`, boards of the program's own drawing (`vision.training.wagons_drawn`).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.game.colours import COLOURS
from vision.evaluate.labelled import (
    COLOUR_NAMES,
    RENDER_OUTER_MM,
    LabelledImage,
    photos,
    renders,
    use_renderer,
)
from vision.registration.board_geometry import board_angles_rad, board_quads_mm
from vision.registration.geometry import Points, corners_of_size, homography_of_quads, project
from vision.spaces.camera_pose import WAGON_HEIGHT_MM, board_to_image, lean_mm
from vision.training.snap_truth import PHOTOS_HELD_OUT
from vision.wagons.find import MIDDLE_HEIGHT_MM
from vision.wagons.straighten import straighten

KEPT_PX_PER_MM = 1.25
"""Scenes are kept finer than the network sees them, so that a crop may be turned and scaled."""

SEEN, HIDDEN = 0.6, 0.15
"""A wagon of which more than the first part is seen has to be found; of less than the second it
must not; what lies between says nothing."""

X, Y, ANGLE, COLOUR, LYING, WEIGHT = range(6)
"""Columns of `Scene.wagons`."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A straightened board at `KEPT_PX_PER_MM` and its wagons, one a row.

    `wagons` (M, 6): where the middle is seen, pixels; direction in radians, x towards y; index of
    the colour; 1 where it has toppled; 1 where it has to be found, 0 where nothing is known.
    """

    image_bgr: NDArray[np.uint8]
    wagons: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A picture's wagons in its own pixels, and its board's corners."""

    path: Path
    corners_px: Points
    outer_mm: tuple[float, float]
    wagons: Points


def load_scenes(shared: Path, work: Path) -> dict[str, list[Scene]]:
    """Every scene that may be trained on, by what it shows: photos, renders, prints or drawn."""
    use_renderer(shared / "renderer")
    known = {
        "photos": _photos(shared),
        "renders": [
            *_shared_renders(shared, work),
            *_renders(work, "careless/*/*.json", "new/*/*.json"),
        ],
        "prints": _renders(work, "rendered/*/*/*.json"),
        "drawn": _drawn(work),
    }
    return {kind: [_scene(one) for one in ones] for kind, ones in known.items()}


def _renders(work: Path, *patterns: str) -> Iterator[_Known]:
    for pattern in patterns:
        for path in sorted(work.glob(pattern)):
            yield from _render(path)


def _scene(known: _Known) -> Scene:
    image = cv2.imread(str(known.path), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(known.path)
    edge = corners_of_size(known.outer_mm)
    to_photo = homography_of_quads(edge, known.corners_px)
    view = straighten(np.asarray(image, np.uint8), to_photo, edge, KEPT_PX_PER_MM)
    wagons = known.wagons.astype(np.float32)
    if len(wagons):
        at_mm = project(np.asarray(np.linalg.inv(to_photo), np.float64), known.wagons[:, :2])
        wagons[:, :2] = (at_mm - view.origin_mm) * KEPT_PX_PER_MM - 0.5
    return Scene(view.image_bgr, wagons)


def _render(path: Path, image: Path | None = None, to_full: Points | None = None) -> list[_Known]:
    """What a JSON file of the renderer says; none for other files or where the image lacks."""
    truth = json.loads(path.read_text("utf-8"))
    image = path.with_suffix(".jpg") if image is None else image
    if not isinstance(truth, dict) or "spaces" not in truth or not image.exists():
        return []
    wagons = [_render_wagon(space) for space in truth["spaces"] if space["label"]]
    table = np.array(wagons, np.float64).reshape(-1, 6)
    corners = np.array(truth["outer_corners_px"])
    if to_full is not None:
        table[:, :2] = np.c_[table[:, :2], np.ones(len(table))] @ to_full
        corners = np.c_[corners, np.ones(4)] @ to_full
    return [_Known(image, corners, RENDER_OUTER_MM[truth["board"]], table)]


def _render_wagon(space: dict[str, Any]) -> tuple[float, ...]:
    """The renderer turns a wagon against the clock, its spaces clockwise."""
    angle = np.radians(space["map_px"][2] - space["d_rot_deg"])
    colour = COLOURS.index(COLOUR_NAMES.get(space["label"], space["label"]))
    x, y = space["wagon_center_px"]
    return x, y, angle, colour, space["pose"] == "toppled", _weight(space["visible_frac"])


def _weight(visible: float) -> float:
    return 1.0 if visible > SEEN else -1.0 if visible < HIDDEN else 0.0


def _shared_renders(shared: Path, work: Path) -> Iterator[_Known]:
    folder = shared / "renders" / "more"
    entries = json.loads((folder / "labels.json").read_text("utf-8"))
    for image in renders(folder, work / "geo"):
        path = work / "geo" / image.board.id / f"{image.path.stem}.json"
        if path.exists():
            truth, entry = json.loads(path.read_text("utf-8")), entries[image.path.name]
            small = np.array(truth["outer_corners_px"] + truth["art_corners_px"])
            full = np.array(entry["corners"] + entry["art_corners"])
            to_full = np.linalg.lstsq(np.c_[small, np.ones(len(small))], full, rcond=None)[0]
            yield from _render(path, image.path, to_full)


def _photos(shared: Path) -> Iterator[_Known]:
    """The real photos: a wagon stands on its space, as well as people lay them."""
    for image in photos(shared):
        if image.path.name not in PHOTOS_HELD_OUT:
            yield _Known(image.path, image.corners_px, image.outer_mm, _on_spaces(image))


def _on_spaces(image: LabelledImage) -> Points:
    photo = cv2.imread(str(image.path), cv2.IMREAD_REDUCED_COLOR_8)
    assert photo is not None
    board = image.board.as_printed[1]
    quads = board_quads_mm(board)
    height, width = np.asarray(photo).shape[:2]
    lean = lean_mm(board_to_image(image.spaces_px / 8, board), quads, (width, height))
    along, across = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    axes = np.stack([along, across], 1)
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    moved = (lean[:, :, None] * axes).sum(1) * (MIDDLE_HEIGHT_MM / WAGON_HEIGHT_MM)
    edge = corners_of_size(board.frame.size_mm)
    to_photo = homography_of_quads(edge, image.corners_px)
    at_px = project(to_photo, quads.mean(axis=1) + moved)
    angles = board_angles_rad(board)
    rows = [
        (*at, angle, COLOURS.index(label), 0.0, 1.0)
        for at, angle, label in zip(at_px, angles, image.labels, strict=True)
        if label != "empty"
    ]
    return np.array(rows, np.float64).reshape(-1, 6)


def _drawn(work: Path) -> Iterator[_Known]:
    for path in sorted((work / "standing").glob("*.json")):
        told = json.loads(path.read_text("utf-8"))
        wagons = np.array(told["wagons"], np.float64).reshape(-1, 6)
        yield _Known(
            path.with_suffix(".jpg"), np.array(told["corners"]), tuple(told["outer_mm"]), wagons
        )
