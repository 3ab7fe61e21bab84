"""Lays a board's spaces once more, without what the wagons on them pull.

The network that sees where spaces are printed takes a part of a wagon for its box. Where wagons
lean outwards, under a wide lens near the board or from a chair, their spaces seem to lie farther
out than they do, and those beside them are laid along.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import Registration
from vision.registration.board_geometry import board_centres_mm
from vision.registration.geometry import project
from vision.routes.account import Account
from vision.spaces.camera_pose import board_to_image, lean_at_mm

PULL = 0.24
"""Part of its wagon's lean by which a space seems to lie too far out. By least squares it is 0.22
on 8,127 spaces with wagons of 72 renders and 0.23 on 8,688 of other prints, 0.03 and 0.01 on free
ones."""

SURELY_THERE = 0.67
"""A wagon found as surely as this pulls with all of its lean."""

WORTH_MM, WORTH_PERCENT = 1.0, 95
"""Laid again are the spaces only where that moves the farthest of them by more than this: such a
percentile of all. Nearer ones are read as well where they were."""


def without_pull(
    found: Registration, board: Board, account: Account, photo_size_px: tuple[int, int]
) -> Registration:
    """The registration, its spaces laid again where the wagons on them, found where they lay
    first, pull them far.

    `photo_size_px` is the photo's width and height.
    """
    if found.lay_again is None or not len(account.wagons.chances):
        return found
    to_photo = board_to_image(found.spaces_px, board)
    centres_mm = board_centres_mm(board)
    pull_mm = PULL * lean_at_mm(to_photo, centres_mm, photo_size_px) * _covered(account)[:, None]
    pull_px = project(to_photo, centres_mm + pull_mm) - project(to_photo, centres_mm)
    spaces_px = found.lay_again(pull_px)
    to_board = np.asarray(np.linalg.inv(to_photo), np.float64)
    before_mm, after_mm = (
        project(to_board, at.mean(axis=1)) for at in (found.spaces_px, spaces_px)
    )
    moved_mm = np.hypot(*(after_mm - before_mm).T)
    if np.percentile(moved_mm, WORTH_PERCENT) < WORTH_MM:
        return found
    return replace(found, spaces_px=spaces_px)


def _covered(account: Account) -> NDArray[np.float64]:
    """How surely a wagon stands on each space, and how well it fits there, (N,)."""
    covered = (account.fits * account.wagons.chances).max(axis=1) / SURELY_THERE
    return np.asarray(np.minimum(covered, 1.0))
