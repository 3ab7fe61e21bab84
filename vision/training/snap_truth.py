"""Which labelled images the registration networks learn from, and their truth.

The split is by rig (camera, light, table): the images of `../shared/renders` and a part of the
photos are only measured on. Work folder: `geo/<board>/*.json`, the renderer's geometry of
`../shared/renders/more` at a tenth of the size, and `new/<board>/`, further renders with theirs;
`drawn/`, boards of the program's own (`vision.training.snap_drawn`).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import load_board
from vision.evaluate.labelled import (
    RENDER_OUTER_MM,
    LabelledImage,
    photos,
    renders,
    use_renderer,
)

PHOTOS_HELD_OUT = frozenset(
    f"IMG_{number}.jpg" for number in (4066, 4076, 4160, 4161, 4162, 4163, 4171, 4172, 4174)
)
"""Photos that no network of registration ever sees."""

DRAWN_OUTER_MM = {"usa": (795.0, 525.0), "germany": (525.0, 795.0), "france": (714.3, 795.0)}


@dataclass(frozen=True, slots=True, eq=False)
class TruthImage:
    """Corners (4, 2), centres and angles of the spaces and how far each can be seen."""

    path: Path
    board_id: str
    group: str
    corners_px: NDArray[np.float64]
    size_mm: tuple[float, float]
    spaces_px: NDArray[np.float64]
    visible: NDArray[np.float64]


def training_images(shared: Path, work: Path | None) -> list[TruthImage]:
    """Every image that may be trained on."""
    use_renderer(shared / "renderer")
    found = [_truth(i) for i in photos(shared) if i.path.name not in PHOTOS_HELD_OUT]
    geometry = work / "geo" if work else None
    found += [_truth(i) for i in renders(shared / "renders" / "more", geometry)]
    if work is not None:
        found += [*_new_renders(shared, work), *_drawn(work)]
    return found


def _truth(image: LabelledImage) -> TruthImage:
    return TruthImage(
        image.path,
        image.board.id,
        image.rig,
        image.corners_px,
        image.outer_mm,
        image.spaces_px,
        image.visible,
    )


def _new_renders(shared: Path, work: Path) -> Iterator[TruthImage]:
    """Renders that the renderer wrote with a JSON file of their own beside each image."""
    ids = json.loads((shared / "renderer" / "assets" / "ids.json").read_text("utf-8"))
    for path in sorted((work / "new").glob("*/*.json")):
        truth = json.loads(path.read_text("utf-8"))
        image = path.with_suffix(".jpg")
        if isinstance(truth, dict) and "spaces" in truth and image.exists():
            yield _from_renderer(image, truth, ids[truth["board"]])


def _drawn(work: Path) -> Iterator[TruthImage]:
    """The program's own drawn boards, as `snap_drawn` writes them."""
    for path in sorted((work / "drawn").glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        yield TruthImage(
            path.with_suffix(".jpg"), truth["board"], path.stem, np.array(truth["corners"]),
            DRAWN_OUTER_MM[truth["board"]], np.array(truth["spaces"]), np.array(truth["visible"]),
        )  # fmt: skip


def _from_renderer(path: Path, truth: dict[str, Any], ids: dict[str, Any]) -> TruthImage:
    """The renderer's own words for spaces, in board order; a space it lacks is not visible."""
    board = load_board(truth["board"])
    entries = {}
    for space in truth["spaces"]:
        if str(space["route"]) in ids:
            route, order = ids[str(space["route"])]
            entries[route, order[space["space"]]] = space
    keys = [(route.id, index) for route in board.routes for index in range(route.length)]
    quads = np.array([_quad(entries.get(key)) for key in keys])
    visible = np.array([entries[k]["visible_frac"] if k in entries else 0.0 for k in keys])
    corners = np.array(truth["outer_corners_px"], np.float64)
    group = f"{board.id}-{truth['rig']}"
    return TruthImage(path, board.id, group, corners, RENDER_OUTER_MM[board.id], quads, visible)


def _quad(entry: dict[str, Any] | None) -> NDArray[np.float64]:
    if entry is None:
        return np.full((4, 2), -1e4)
    quad = np.array(entry["quad_px"], np.float64)
    return quad + (np.array(entry["center_px"]) - quad.mean(0))
