"""A photo's spaces as the space network is shown them: cut, in plain tones, by daylight."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.board_light import light_on_board
from vision.images.light import LIGHT_LIMITS, balanced, is_cast
from vision.images.tones import in_plain_tones
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import project
from vision.spaces.camera_pose import board_to_image
from vision.spaces.deepened import deepened
from vision.spaces.located_image import LocatedImage, SeenBoard
from vision.spaces.patches import cut_patches, print_around, roofs_around
from vision.spaces.print_light import background_bgr

INPUTS = 11
"""Channels of the network's input: see `ShownSpaces.inputs`."""

CLEARED_FROM = 4.0
"""Levels by which a space's mean changes where something was taken away that lay over it."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownSpaces:
    """A photo's spaces as they are cut, and what else the network is shown of them.

    `patches` (N, H, W, 3), uint8, BGR; `lit` are the same with what a window or a lamp, mirrored in
    a part of the board, adds to them. `empty` (N, H, W, 3), float32, 0..1, are those of the empty
    board if there is one. `around` (N, 4, H, W), uint8, is the answer of `print_around`, `roofs`
    (N, H, W), uint8, that of `roofs_around`. `lean` (N, 2) is how far wagons lean, in mm;
    `light_bgr` the photo's `background_bgr`.
    """

    lit: NDArray[np.uint8]
    patches: NDArray[np.uint8]
    empty: NDArray[np.float32] | None
    around: NDArray[np.uint8]
    roofs: NDArray[np.uint8]
    lean: NDArray[np.float64]
    light_bgr: NDArray[np.float64]

    @property
    def is_cleared(self) -> NDArray[np.bool_]:
        """Of which spaces, (N,), something was taken away that a window or a lamp added."""
        if self.patches is self.lit:
            return np.zeros(len(self.lit), bool)
        means = [p.reshape(len(p), -1).mean(axis=1) for p in (self.lit, self.patches)]
        return np.asarray(np.abs(means[0] - means[1]) > CLEARED_FROM)

    def inputs(self, which: NDArray[np.intp]) -> dict[str, NDArray[np.float32]]:
        """The network's inputs for some spaces: `lean`, and `pixels` (n, 11, H, W), 0..1.

        Photo BGR, empty board BGR (zeros without one), mask of the spaces, their printed colours
        BGR, mask of the roofs of wagons on them.
        """
        height, width = self.patches.shape[1:3]
        pixels = np.zeros((len(which), INPUTS, height, width), np.float32)
        pixels[:, :3] = self.patches[which].transpose(0, 3, 1, 2)
        pixels[:, :3] /= 255
        if self.empty is not None:
            pixels[:, 3:6] = self.empty[which].transpose(0, 3, 1, 2)
        pixels[:, 6:10] = self.around[which]
        pixels[:, 10] = self.roofs[which]
        pixels[:, 6:] /= 255
        return {"pixels": pixels, "lean": self.lean[which].astype(np.float32)}


def shown_spaces(seen: SeenBoard, board: Board, empty: LocatedImage | None = None) -> ShownSpaces:
    """What the network is shown of a board, beside the same spaces of the empty one if given."""
    seen, empty = in_daylight(seen, empty, board)
    patches = lit = cut_patches(seen.lit_bgr, seen.spaces_px, board.space_size_mm)
    if seen.clear_bgr is not seen.lit_bgr:
        patches = cut_patches(seen.clear_bgr, seen.spaces_px, board.space_size_mm)
    patches = deepened(patches)
    light_bgr, around = background_bgr(patches), print_around(board)
    return ShownSpaces(
        lit=lit,
        patches=patches,
        empty=_empty_patches(light_bgr, empty, board),
        around=around,
        roofs=roofs_around(around[:, 0], seen.leans_mm),
        lean=seen.leans_mm,
        light_bgr=light_bgr,
    )


def in_daylight(
    seen: SeenBoard, empty: LocatedImage | None, board: Board
) -> tuple[SeenBoard, LocatedImage | None]:
    """The board, and the empty one in plain tones; both balanced where the photo has a cast."""
    light_bgr = light_on_board(seen.lit_bgr, seen.outline_px)
    cast = is_cast(light_bgr)
    if cast:
        lit_bgr = clear_bgr = balanced(seen.lit_bgr, light_bgr)
        if seen.clear_bgr is not seen.lit_bgr:
            clear_bgr = balanced(seen.clear_bgr, light_bgr)
        seen = replace(seen, lit_bgr=lit_bgr, clear_bgr=clear_bgr)
    if empty is not None:
        outline_px = project(board_to_image(empty.spaces_px, board), outline_mm(board))
        image_bgr = in_plain_tones(empty.image_bgr, outline_px)
        if cast:
            light_bgr = light_on_board(image_bgr, outline_px)
            image_bgr = balanced(image_bgr, light_bgr, LIGHT_LIMITS.part_of_empty)
        empty = replace(empty, image_bgr=image_bgr)
    return seen, empty


def _empty_patches(
    light_bgr: NDArray[np.float64], empty: LocatedImage | None, board: Board
) -> NDArray[np.float32] | None:
    """Patches of the empty board, brought to the photo's exposure and white balance; 0..1.

    `light_bgr` is the photo's `background_bgr`.
    """
    if empty is None:
        return None
    cut = cut_patches(empty.image_bgr, empty.spaces_px, board.space_size_mm)
    gain = (light_bgr / background_bgr(cut)).astype(np.float32)
    return np.clip(cut.astype(np.float32) / 255 * gain, 0.004, 1)
