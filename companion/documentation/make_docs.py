"""Makes the pictures and tables of the documentation from the program itself (`make docs`)."""

import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.copies.desk import CopyDesk
from companion.demo.demo import DemoScene, draw_demo
from companion.doctor.wiring import wiring_of
from companion.documentation.app_icons import ICONS, draw_icon
from companion.documentation.guards import write_table
from companion.documentation.hard_to_read import SITUATIONS, picture_of
from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.table import Table
from companion.table.table_config import TableConfig
from vision.empty_board import make_reference
from vision.images.encode import png
from vision.overlay import draw_overlay
from vision.reader import read_photos
from web.app import create_app

SMALLEST = (int(cv2.IMWRITE_PNG_COMPRESSION), 9)
"""The best packing that PNG has: icons are packed once and loaded often."""

CHECKOUT = Path(__file__).parents[2]
"""The folder of the checkout; an installed program has none, and no docs to write into."""

IMAGES = CHECKOUT / "docs" / "images"

DONE, WRONG_USAGE = 0, 2
"""Exit codes, as those of `companion`."""

HEIGHT_PX = 460
MARGIN_PX = 60
JPEG_QUALITY = 75

Picture = NDArray[Any]
"""An ndarray of shape (H, W, 3), uint8, BGR."""

PICTURES: Mapping[str, Callable[[], Picture]] = {
    "reading.jpg": lambda: photo_and_reading(draw_demo()),
    **{f"hard-{hard.name}.jpg": partial(picture_of, hard) for hard in SITUATIONS},
}
"""Every picture's file and what makes it."""


def main() -> int:
    """Write every picture; the same program writes the same files. Returns the exit code."""
    if not (CHECKOUT / "docs" / "architecture.md").is_file():
        print(f"make_docs: {CHECKOUT} is no checkout; run `make docs` in one", file=sys.stderr)
        return WRONG_USAGE
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, make in PICTURES.items():
        write(IMAGES / name, make())
    for name, (side_px, full) in ICONS.items():
        icon = png(draw_icon(side_px, full=full), SMALLEST)
        (CHECKOUT / "web" / "static" / name).write_bytes(icon)
    if (security := IMAGES.parent / "security.md").is_file():
        write_guards(security)
    return DONE


def write_guards(document: Path) -> None:
    """Write the table of all routes into the document."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        kept = KeptCalibrations(data)
        setup = SetupDesk(kept, list)
        studio = StudioDesk(StudioStore(data), TaughtBoards(data), kept, list)
        with closing(Table(TableConfig([], data))) as table:
            app = create_app(
                table,
                setup=setup,
                studio=studio,
                examine=list,
                wiring=lambda language: wiring_of(data, language),
                copies=CopyDesk(data, lambda: table.evening, "table"),
            )
            write_table(document, app)


def photo_and_reading(scene: DemoScene) -> Picture:
    """The drawn photo, and beside it what the program read in it, on the straightened board."""
    reference = make_reference(scene.empty.image_bgr, scene.board)
    photo = scene.full.image_bgr
    colours = [player.colour for player in scene.game.players]
    reading = read_photos([photo], scene.board, reference=reference, players=colours)
    overlay = draw_overlay(photo, scene.board, reading)
    return beside([_about_board(photo, scene.full.corners_px), overlay])


def _about_board(photo_bgr: Picture, corners_px: NDArray[np.float64]) -> Picture:
    """The photo without the table far from the board."""
    height, width = photo_bgr.shape[:2]
    left, top = np.maximum(corners_px.min(axis=0) - MARGIN_PX, 0).astype(int)
    right, bottom = np.minimum(corners_px.max(axis=0) + MARGIN_PX, (width, height)).astype(int)
    return photo_bgr[top:bottom, left:right]


def beside(pictures: list[Picture]) -> Picture:
    """Pictures brought to one height, side by side with a white gap."""
    gap = np.full((HEIGHT_PX, 12, 3), 255, np.uint8)
    row: list[Picture] = []
    for picture in pictures:
        width = round(picture.shape[1] * HEIGHT_PX / picture.shape[0])
        scaled = cv2.resize(picture, (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)
        row += [gap, scaled] if row else [scaled]
    return np.concatenate(row, axis=1)


def write(path: Path, picture: Picture) -> None:
    """Write a picture in one step, so that a stopped run leaves the old one whole."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        if not cv2.imwrite(str(made), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]):
            raise OSError(f"{path} cannot be written")
        made.replace(path)
    print(f"{path.relative_to(IMAGES.parent.parent)}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    sys.exit(main())
