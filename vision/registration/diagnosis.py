"""Why a board was not found: what the photo shows instead, and what to do about it."""

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from vision.errors import BoardNotFoundError
from vision.images.photo import TAKE_ANOTHER, take_another
from vision.registration.geometry import Points, share_inside
from vision.registration.outline import BoardOutline, find_outline
from vision.registration.pattern_fit import (
    REGISTRATION_LIMITS,
    SearchedPhoto,
    is_found,
    score_of,
)


def refuse_outside(spaces: Points, photo_bgr: NDArray[np.uint8]) -> None:
    """Raise BoardNotFoundError if too many of the spaces (N, 4, 2) lie beyond the photo."""
    if share_inside(spaces.mean(axis=1), photo_bgr) < REGISTRATION_LIMITS.min_inside:
        raise BoardNotFoundError("vision.board.outside", again=TAKE_ANOTHER)


def not_found(photo_bgr: NDArray[np.uint8], board: Board) -> BoardNotFoundError:
    """The error that says what the photo (H, W, 3), BGR, shows instead; this may take seconds."""
    outline = find_outline(photo_bgr)
    if outline is None:
        return no_board(photo_bgr)
    searched = SearchedPhoto(photo_bgr)
    aligned = searched.align(outline, board)
    instead = seen_instead(searched, outline, board, score_of(aligned))
    if instead is not None:
        return instead
    if is_found(aligned):
        return BoardNotFoundError("vision.board.other-print", board=board.name)
    return nowhere(photo_bgr, outline, board)


def no_board(photo_bgr: NDArray[np.uint8]) -> BoardNotFoundError:
    """The error where nothing in the photo looks like a board."""
    return BoardNotFoundError("vision.board.none", again=take_another(photo_bgr))


def astray(photo_bgr: NDArray[np.uint8], board: Board) -> BoardNotFoundError:
    """The error where the board isn't between the corners that a person gave.

    The corners are wrong, unless something else than the board is seen in the photo.
    """
    outline = find_outline(photo_bgr)
    if outline is None:
        return BoardNotFoundError("vision.board.corners-astray")
    searched = SearchedPhoto(photo_bgr)
    score = score_of(searched.align(outline, board))
    instead = seen_instead(searched, outline, board, score)
    return instead or BoardNotFoundError("vision.board.corners-astray")


def seen_instead(
    searched: SearchedPhoto, outline: BoardOutline, board: Board, score: float
) -> BoardNotFoundError | None:
    """The error that names what lies in the outline: another board, or the board's mirror image.

    Where the `score` says that the board itself is seen, if badly, nothing else is; but a file of
    somebody's own may describe one of the program's boards wrongly.
    """
    others = _others(board)
    if score >= REGISTRATION_LIMITS.own_score and len(others) < len(BOARDS_WITH_DATA):
        return None
    for other in others:
        if is_found(searched.align(outline, other)):
            return _other(other, board)
    if _is_mirrored(searched, outline, board):
        return BoardNotFoundError("vision.board.mirrored")
    return None


def _other(seen: Board, wanted: Board) -> BoardNotFoundError:
    """The error that names another board, or says that a file describes this one wrongly."""
    if seen.id == wanted.id or seen.title == wanted.title:
        error = BoardNotFoundError("vision.board.other-file", seen=seen.name)
    else:
        error = BoardNotFoundError("vision.board.other", seen=seen.name, wanted=wanted.name)
    error.seen = seen.id
    return error


def nowhere(
    photo_bgr: NDArray[np.uint8], outline: BoardOutline, board: Board
) -> BoardNotFoundError:
    """The error where nothing known lies in the outline."""
    if outline.likeness < REGISTRATION_LIMITS.min_likeness:
        return no_board(photo_bgr)
    again = take_another(photo_bgr)
    if outline.cut <= REGISTRATION_LIMITS.cut_share:
        return BoardNotFoundError("vision.board.not-this", board=board.name, again=again)
    if outline.likeness >= REGISTRATION_LIMITS.cut_likeness:
        return BoardNotFoundError("vision.board.outside", again=again)
    return BoardNotFoundError("vision.board.cut-off", board=board.name, again=again)


def _others(board: Board) -> list[Board]:
    """The program's boards; its own one too where a file of that name describes it otherwise."""
    shipped = (load_board(name) for name in BOARDS_WITH_DATA)
    return [other for other in shipped if other != board]


def _is_mirrored(searched: SearchedPhoto, outline: BoardOutline, board: Board) -> bool:
    """Whether the board is found in the photo's mirror image, in which as much is seen."""
    if searched.is_bare(outline, board):
        return False
    corners = outline.corners_px * (-1, 1) + (searched.width_px - 1, 0)
    mirrored = BoardOutline(corners[[1, 0, 3, 2]], outline.likeness, outline.cut)
    return is_found(searched.mirrored().align(mirrored, board))
