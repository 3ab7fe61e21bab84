"""All spaces of a labelled image, cut into patches with what is true of each."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.board.board import Board, load_board
from scoring.game.colours import COLOURS
from vision.evaluate.labelled import LabelledImage
from vision.registration.board_geometry import board_centres_mm
from vision.spaces.located_image import LocatedImage, seen_board
from vision.spaces.patches import cut_patches, print_around
from vision.spaces.print_light import background_bgr
from vision.spaces.shown_spaces import in_daylight

MARGIN_PX = 8
"""Extra patch border that jitter may move into view."""

BESIDE_MM = 16.0
"""A wagon nearer than this to a space can lean over it, or hide the wagon on it."""

EMPTY, WAGON, COVERED = range(3)
HIDDEN_BELOW, SEEN_ABOVE = 0.35, 0.6
"""Visible part under which a space counts as covered, and over which as seen; between: unused."""


@dataclass(eq=False)
class SpaceSample:
    """All spaces of one image, cut and labelled."""

    image: LabelledImage
    patches: Tensor  # (N, 3, H, W) uint8, with margin
    around: Tensor  # (N, 4, H, W) uint8, with margin: mask of the spaces, their printed BGR
    lean: Tensor  # (N, 2) millimetres
    state: Tensor  # (N,) int64
    colour: Tensor  # (N,) int64, -1 where there is no wagon
    weight: Tensor  # (N,) float
    printed: Tensor  # (N,) int64, index of the printed colour or -1
    chance: NDArray[np.float64]  # (N,) how often a space is drawn, against the others
    gain_bgr: NDArray[np.float64]  # (3,) median of the print's background


def cut_moment(image: LabelledImage) -> SpaceSample:
    """Cut every space of a labelled image, its light balanced as it is for reading."""
    photo_bgr = np.asarray(cv2.imread(str(image.path)), dtype=np.uint8)
    board = image.board
    seen = seen_board(LocatedImage(photo_bgr, image.spaces_px), board)
    photo_bgr = in_daylight(seen, None, board)[0].lit_bgr
    patches = cut_patches(photo_bgr, image.spaces_px, board.space_size_mm, MARGIN_PX)
    lean = seen.leans_mm
    state, colour, weight = _targets(image)
    return SpaceSample(
        image=image,
        patches=_channels_first(patches),
        around=_padded_print(image.board.id),
        lean=torch.from_numpy(lean).float(),
        state=state,
        colour=colour,
        weight=weight,
        printed=_printed(board),
        chance=_chance(image, state.numpy(), weight.numpy()),
        gain_bgr=background_bgr(patches),
    )


def _channels_first(patches: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(patches.transpose(0, 3, 1, 2)))


@cache
def _padded_print(board_id: str) -> Tensor:
    around = print_around(load_board(board_id))
    margin = (MARGIN_PX, MARGIN_PX)
    return torch.from_numpy(np.pad(around, ((0, 0), (0, 0), margin, margin), mode="edge"))


def _targets(image: LabelledImage) -> tuple[Tensor, Tensor, Tensor]:
    wagon = np.array([label not in ("empty", "none") for label in image.labels])
    state = np.where(wagon, WAGON, EMPTY)
    state[image.visible < HIDDEN_BELOW] = COVERED
    colour = np.array(
        [COLOURS.index(label) if on else -1 for label, on in zip(image.labels, wagon, strict=True)]
    )
    colour[state == COVERED] = -1
    between = (image.visible >= HIDDEN_BELOW) & (image.visible < SEEN_ABOVE)
    weight = np.where(between | image.ambiguous, 0.0, 1.0)
    return torch.from_numpy(state), torch.from_numpy(colour), torch.from_numpy(weight).float()


def _printed(board: Board) -> Tensor:
    index = [COLOURS.index(r.colour) if r.colour in COLOURS else -1 for r in board.routes]
    return torch.tensor([index[k] for k, r in enumerate(board.routes) for _ in range(r.length)])


def _chance(
    image: LabelledImage, state: NDArray[np.int64], weight: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Hard spaces come more often: wagons, covered ones, track pieces, an empty line of a double
    whose other line bears a wagon, and a wagon beside one of another player."""
    board = image.board
    chance = np.array([1.0, 1.6, 1.5])[state]
    names = [route.id for route in board.routes for _ in route.spaces]
    chance[np.isin(names, list(image.tracks))] *= 3.0
    centres = board_centres_mm(board)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    apart[:, state != WAGON] = np.inf
    chance[(state == EMPTY) & (apart.min(axis=1) < BESIDE_MM)] *= 2.0
    labels = np.array(image.labels)
    apart[labels[:, None] == labels[None]] = np.inf
    chance[(state == WAGON) & (apart.min(axis=1) < BESIDE_MM)] *= 2.0
    chance *= weight + 1e-9
    return np.asarray(chance / chance.sum())
