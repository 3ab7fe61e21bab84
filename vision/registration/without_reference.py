"""Finds a board without a reference: by corners, markers or outline, then by its spaces."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import BoardNotFoundError
from vision.images.resize import shrunk_to_about
from vision.reading import LayAgain, Registration
from vision.registration.board_geometry import board_size_mm, outline_mm
from vision.registration.diagnosis import astray, no_board, nowhere, refuse_outside, seen_instead
from vision.registration.geometry import Points, is_seen_from_above, project, px_per_mm
from vision.registration.laying import LaidBoard
from vision.registration.markers import find_markers
from vision.registration.outline import (
    PLAIN,
    BoardOutline,
    OutlineSettings,
    find_outlines,
    find_turned_outline,
)
from vision.registration.pattern_fit import (
    REGISTRATION_LIMITS,
    BoardAlignment,
    SearchedPhoto,
    align_print,
    heatmaps_at,
    is_faint,
    is_found,
    lay_print,
    outer_corners,
    score_of,
    without_strays,
)
from vision.registration.snapping import best_fit
from vision.registration.whole_photo import outlines_by_spaces

OTHER_SETTINGS = (
    OutlineSettings(blur_px=2.0),
    OutlineSettings(blur_px=3.0),
    OutlineSettings(median_px=9),
    OutlineSettings(blur_px=1.5),
    OutlineSettings(likelier_than=0.8),
)
"""How the outline is searched for again where no board fits the first one."""

TURNS_DEG = (20.0, -20.0)
"""Rotations of the photo that are tried after that."""


def by_corners(photo_bgr: NDArray[np.uint8], board: Board, corners: Points) -> Registration:
    """The spaces of a board whose outer corners (4, 2) are known; raises BoardNotFoundError."""
    if corners.shape != (4, 2) or not is_seen_from_above(corners):
        raise BoardNotFoundError("vision.board.corners")
    found = _between(photo_bgr, board, corners, "corners")
    if found is None:
        raise astray(photo_bgr, board)
    return found


def _between(
    photo_bgr: NDArray[np.uint8], board: Board, corners: Points, method: str
) -> Registration | None:
    """The board between these corners, None where it doesn't lie there."""
    heatmaps = heatmaps_at(photo_bgr, corners, board_size_mm(board))
    fit = best_fit(heatmaps, board)
    if fit.score < REGISTRATION_LIMITS.min_score:
        return None
    aligned = align_print(heatmaps, board, fit)
    outer = np.roll(corners, -fit.turn, axis=0)
    if method == "markers":  # what a person gave stays as given; a marker may lie beside its corner
        outer = without_strays(outer, aligned)
    return _registration(method, photo_bgr, board, aligned, outer)


def by_itself(photo_bgr: NDArray[np.uint8], board: Board, *, faintly: bool = False) -> Registration:
    """A board found in a photo (H, W, 3), BGR, by its markers or, without them, by its outline;
    with `faintly` one of which little is seen, too.

    Raises BoardNotFoundError.
    """
    small, scale = shrunk_to_about(photo_bgr, REGISTRATION_LIMITS.working_side_px)
    return enlarged(by_markers(small, board) or _by_outline(small, board, faintly), scale)


def enlarged(found: Registration, scale: float) -> Registration:
    """What was found in a copy of that scale, in the photo's own pixels."""
    if scale == 1.0:
        return found
    again = found.lay_again
    return replace(
        found,
        corners_px=_enlarged(found.corners_px, scale),
        spaces_px=_enlarged(found.spaces_px, scale),
        error_px=found.error_px / scale,
        lay_again=None if again is None else partial(_again_enlarged, again, scale),
    )


def _enlarged(points_px: Points, scale: float) -> Points:
    return (points_px + 0.5) / scale - 0.5


def _again_enlarged(lay_again: LayAgain, scale: float, pull_px: Points) -> Points:
    return _enlarged(lay_again(pull_px * scale), scale)


def by_markers(photo_bgr: NDArray[np.uint8], board: Board) -> Registration | None:
    """A board found in a photo (H, W, 3), BGR, by its four markers; None where they don't fit."""
    marked = find_markers(photo_bgr)
    if marked is None or not is_seen_from_above(marked):
        return None
    try:
        # None: another board, or a marker was pushed off its corner; the outline decides.
        return _between(photo_bgr, board, marked, "markers")
    except BoardNotFoundError:
        return None


def _by_outline(photo_bgr: NDArray[np.uint8], board: Board, faintly: bool) -> Registration:
    outlines, searched = _outlines(photo_bgr), SearchedPhoto(photo_bgr)
    first, aligned = next(outlines, None), None
    if first is not None:
        aligned = searched.align(first, board)
        if not is_found(aligned):
            # What lies there instead is asked first: it is the commoner case, and quicker.
            instead = seen_instead(searched, first, board, score_of(aligned))
            if instead is not None:
                raise instead
            others = (searched.align(outline, board) for outline in outlines)
            aligned = _surest(chain([aligned], others), faintly)
    if aligned is None:
        by_spaces = (searched.align(outline, board) for outline in outlines_by_spaces(photo_bgr))
        aligned = _surest(by_spaces, faintly)
    if aligned is None:
        raise no_board(photo_bgr) if first is None else nowhere(photo_bgr, first, board)
    found = _registration("outline", photo_bgr, board, aligned, outer_corners(aligned))
    return found if is_found(aligned) else replace(found, is_faint=True)


def _surest(tries: Iterable[BoardAlignment | None], faintly: bool) -> BoardAlignment | None:
    """The first that is found; `faintly` the surest of those of which little is seen; or None."""
    surest = None
    for aligned in tries:
        if is_found(aligned):
            return aligned
        if faintly and is_faint(aligned) and score_of(aligned) > score_of(surest):
            surest = aligned
    return surest


def _outlines(photo_bgr: NDArray[np.uint8]) -> Iterator[BoardOutline]:
    """Outlines that may be the board: as it is, blurred, with a higher threshold, turned."""
    yield from find_outlines(photo_bgr, (PLAIN, *OTHER_SETTINGS))
    for degrees in TURNS_DEG:
        outline = find_turned_outline(photo_bgr, degrees)
        if outline is not None:
            yield outline


def _registration(
    method: str,
    photo_bgr: NDArray[np.uint8],
    board: Board,
    aligned: BoardAlignment,
    corners: Points,
) -> Registration:
    laid = lay_print(aligned, board)
    spaces = project(laid.heatmaps.to_photo, laid.snapped.quads_mm)
    refuse_outside(spaces, photo_bgr)
    scale = px_per_mm(corners, outline_mm(laid.fit.board))
    return Registration(
        method,
        corners,
        spaces,
        laid.snapped.error_mm * scale,
        laid.snapped.evidence,
        lay_again=LaidBoard(laid.heatmaps, laid.fit, laid.snapped.quads_mm),
    )
