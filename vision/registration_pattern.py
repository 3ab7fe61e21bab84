"""Finds a board with no reference: by corners, markers or outline, then by its spaces."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import BOARDS_WITH_DATA, Board, load_board
from vision.errors import BoardNotFoundError
from vision.markers import find_markers
from vision.outline import PLAIN, Glance, Outline, find_outline, find_turned_outline
from vision.patches import board_centres_mm, board_quads_mm
from vision.photo import TAKE_ANOTHER, take_another
from vision.reading import Registration
from vision.registration_geometry import (
    Points,
    is_seen_from_above,
    outline_mm,
    project,
    px_per_mm,
    share_inside,
)
from vision.shrink import shrunk
from vision.snapping import (
    Fit,
    Sight,
    Snapped,
    best_fit,
    in_print,
    look,
    rectangle,
    seen_outline,
    snap,
)


@dataclass(frozen=True, slots=True)
class RegistrationLimits:
    """When a registration is believed. Each figure says what set it."""

    min_score: float = 0.39
    """Mean evidence a space: of 301 photos and renders right boards have 0.42 up (with a ninth of
    one covered), one laid half astray had 0.37, others and mirrored ones have 0.13 at most."""
    good_score: float = 0.6
    """Under this the photo is straightened a second time, by the spaces found."""
    good_part: float = 0.35
    """The same where a ninth of the board has less than this: it may lie astray there."""
    gain: float = 0.01
    """Straightening anew goes on while it adds this to the score."""
    seen_evidence: float = 0.5
    """From this on a space counts as found."""
    min_likeness: float = 0.78
    """An outline that holds what the network marked worse than that is no board's: boards have
    0.79 and more, half of one included."""
    cut_share: float = 0.2
    """An outline of which more than this runs along the photo's edge may leave the photo."""
    cut_likeness: float = 0.92
    """A board is only said to leave the photo from this on: of 39 photos that cut a board off 38
    have 0.94 and more, pictures of noise at most 0.91."""
    min_inside: float = 0.9
    """Share of the spaces that must lie in the photo: half a board can't be scored."""
    near_mm: float = 9.0
    """A corner seen this near to where the spaces expect it is believed: borders differ so."""
    far_mm: float = 20.0
    """From this on the seen outline is wrong: no edition's border differs by so much."""
    working_side_px: int = 2400
    """Long side that larger photos are shrunk to: 1.3 px a mm for a board of half this."""
    sight_px_per_mm: float = 1.35
    """Resolution that the straightened picture is cut from."""


LIMITS = RegistrationLimits()

OTHER_GLANCES = (
    Glance(blur_px=2.0),
    Glance(blur_px=3.0),
    Glance(median_px=9),
    Glance(blur_px=1.5),
    Glance(likelier_than=0.8),
)
"""How a photo is looked at where no board fits the outline that was found first."""

TURNS_DEG = (20.0, -20.0)
"""Turns in which the photo is looked at after that."""

LOOKS = 6
"""How often a photo is straightened anew at most; where an outline was far off, each look mends a
part of it."""

MIN_IN_PART = 8
"""Spaces that a part of the board must have to be judged by."""

MIN_SEEN = 20
"""Spaces that must be found to straighten by them."""


def by_corners(photo_bgr: NDArray[np.uint8], board: Board, corners: Points) -> Registration:
    """The spaces of a board whose outer corners (4, 2) are known; raises BoardNotFoundError."""
    if corners.shape != (4, 2) or not is_seen_from_above(corners):
        raise BoardNotFoundError("vision.board.corners")
    found = _between(photo_bgr, board, corners, "corners")
    if found is None:
        raise _astray(photo_bgr, board)
    return found


def _between(
    photo_bgr: NDArray[np.uint8], board: Board, corners: Points, method: str
) -> Registration | None:
    """The board between these corners, None where it doesn't lie there."""
    sight = _look(photo_bgr, corners, _size_mm(board))
    fit = best_fit(sight, board)
    if fit.score < LIMITS.min_score:
        return None
    located = _located(sight, board, fit)
    outer = np.roll(corners, -fit.turn, axis=0)
    if method == "markers":  # what a person gave stays as given; a marker may lie beside its corner
        outer = _without_strays(outer, located)
    return _registration(method, photo_bgr, located, outer)


def _without_strays(corners: Points, located: "_Located") -> Points:
    """Corners (4, 2) of markers; where the spaces say that one is far off, as the spaces say."""
    by_spaces = _outline_by_spaces(located, located.snapped.evidence >= 0)
    expected = project(located.sight.to_photo, by_spaces)
    scale = px_per_mm(expected, outline_mm(located.fit.board))
    stray = np.hypot(*(corners - expected).T) > LIMITS.near_mm * scale
    return np.where(stray[:, None], expected, corners)


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    """A board laid over a sight and snapped to it."""

    sight: Sight
    fit: Fit
    snapped: Snapped


def by_itself(photo_bgr: NDArray[np.uint8], board: Board) -> Registration:
    """A board found by its markers or else its outline; raises BoardNotFoundError."""
    small, scale = _working_copy(photo_bgr)
    found = by_markers(small, board) or _by_outline(small, board)
    return Registration(
        found.method, found.corners_px / scale, found.spaces_px / scale, found.error_px / scale
    )


def _working_copy(photo_bgr: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The photo at the size that all of this needs, and its scale: every look is then cheap."""
    scale = min(1.0, LIMITS.working_side_px / max(photo_bgr.shape[:2]))
    return shrunk(photo_bgr, scale), scale


def by_markers(photo_bgr: NDArray[np.uint8], board: Board) -> Registration | None:
    """A board with its four markers; None where they aren't all seen, or lie astray."""
    marked = find_markers(photo_bgr)
    if marked is None or not is_seen_from_above(marked):
        return None
    try:
        # None: another board, or a marker was pushed off its corner; the outline will tell.
        return _between(photo_bgr, board, marked, "markers")
    except BoardNotFoundError:
        return None


def _by_outline(photo_bgr: NDArray[np.uint8], board: Board) -> Registration:
    outlines = _outlines(photo_bgr)
    first = next(outlines, None)
    if first is None:
        raise _no_board(photo_bgr)
    located = _locate(photo_bgr, first, board)
    if located.snapped.score < LIMITS.min_score:
        # What lies there instead is asked first: it is the commoner case, and quicker.
        instead = _seen_instead(photo_bgr, first, board)
        if instead is not None:
            raise instead
        others = (_locate(photo_bgr, outline, board) for outline in outlines)
        found = next((other for other in others if other.snapped.score >= LIMITS.min_score), None)
        if found is None:
            raise _nowhere(photo_bgr, first, board)
        located = found
    return _registration("outline", photo_bgr, located, _outer_corners(located))


def _outlines(photo_bgr: NDArray[np.uint8]) -> Iterator[Outline]:
    """What may be the board: at a glance, then seen blurred, marked more surely, seen askew."""
    for glance in (PLAIN, *OTHER_GLANCES):
        outline = find_outline(photo_bgr, glance)
        if outline is not None:
            yield outline
    for degrees in TURNS_DEG:
        outline = find_turned_outline(photo_bgr, degrees)
        if outline is not None:
            yield outline


def _locate(photo_bgr: NDArray[np.uint8], outline: Outline, board: Board) -> _Located:
    """Lay the board's pattern over the outline, straightening anew where that was wrong."""
    size = _nearer_size(outline.corners_px, board)
    sight = _look(photo_bgr, outline.corners_px, size)
    corners = project(sight.to_photo, seen_outline(sight))
    fit = best_fit(sight, board)
    own = size if _lies_so(fit, size, board) else (size[1], size[0])
    if own != size or _moved_mm(sight) > 3.0:
        sight = _look(photo_bgr, corners, own)
        fit = best_fit(sight, board)
    located = _located(sight, board, fit)
    for _ in range(LOOKS):
        if _lies_well(located):
            break
        again = _look_again(photo_bgr, board, located)
        if again.snapped.score < located.snapped.score + LIMITS.gain:
            break
        located = again
    return located


def _lies_well(located: _Located) -> bool:
    """Whether nothing speaks for straightening the photo anew: spaces seen, everywhere, and a
    border where they expect it."""
    return (
        located.snapped.score >= LIMITS.good_score
        and _weakest_part(located) >= LIMITS.good_part
        and float(_astray_mm(located).max()) < LIMITS.far_mm
    )


def _weakest_part(located: _Located) -> float:
    """Mean evidence a space in that ninth of the board where least is seen."""
    board = located.fit.board
    thirds = np.floor(board_centres_mm(board) / np.array(board.frame.size_mm) * 3).clip(0, 2)
    part = (thirds @ (1, 3)).astype(np.int64)
    count = np.bincount(part, minlength=9)
    total = np.bincount(part, weights=located.snapped.evidence, minlength=9)
    enough = count >= MIN_IN_PART
    return float((total[enough] / count[enough]).min(initial=1.0))  # 1 where all parts are small


def _astray_mm(located: _Located) -> Points:
    """How far each outer corner is seen from where the spaces expect it; shape (4,)."""
    seen = np.roll(seen_outline(located.sight), -located.fit.turn, axis=0)
    expected = _outline_by_spaces(located, located.snapped.evidence >= 0)
    return np.asarray(np.hypot(*(seen - expected).T))


def _look_again(photo_bgr: NDArray[np.uint8], board: Board, located: _Located) -> _Located:
    """Straighten anew by the spaces that were found: a hidden side can't mislead these."""
    seen = located.snapped.evidence > LIMITS.seen_evidence
    if seen.sum() < MIN_SEEN:
        return located
    expected = _outline_by_spaces(located, seen)
    corners = project(located.sight.to_photo, np.roll(expected, located.fit.turn, axis=0))
    if not is_seen_from_above(corners):
        return located
    sight = _look(photo_bgr, corners, located.sight.size_mm)
    return _located(sight, board, best_fit(sight, board))


def _outline_by_spaces(located: _Located, seen: NDArray[np.bool_]) -> Points:
    """Where the outer corners as printed must lie by the spaces seen; straightened mm, (4, 2)."""
    own = board_quads_mm(located.fit.board).mean(axis=1)[seen]
    there = located.snapped.quads_mm.mean(axis=1)[seen]
    homography, _ = cv2.findHomography(own, there, cv2.RHO, 4.0)
    if homography is None:  # too few spaces, or all of them nearly in one line
        return located.fit.outline_mm
    return project(np.asarray(homography, np.float64), outline_mm(located.fit.board))


def _outer_corners(located: _Located) -> Points:
    """The board's outer corners as printed, photo pixels, (4, 2).

    As seen, where that is near to where the spaces say that they are (borders differ by edition);
    as the spaces say, where it is far off (a sleeve along a side); half-way between.
    """
    seen = np.roll(seen_outline(located.sight), -located.fit.turn, axis=0)
    expected = _outline_by_spaces(located, located.snapped.evidence >= 0)
    apart = _astray_mm(located)[:, None]
    doubt = np.where(apart < LIMITS.near_mm, 0.0, np.where(apart < LIMITS.far_mm, 0.5, 1.0))
    return project(located.sight.to_photo, (1 - doubt) * seen + doubt * expected)


def _located(sight: Sight, board: Board, fit: Fit) -> _Located:
    """The fitted board in that of its prints whose spaces are seen most surely.

    On photos of one print 0.013 to 0.030 a space lie between the two of the USA board, on renders
    of the other 0.016 to 0.032.
    """
    prints = (in_print(fit, printed) for printed in board.as_printed)
    tried = (_Located(sight, laid, snap(sight, laid)) for laid in prints)
    return max(tried, key=lambda located: located.snapped.score)


def _look(photo_bgr: NDArray[np.uint8], corners: Points, size_mm: tuple[float, float]) -> Sight:
    """Look at a photo that is shrunk first, so that straightening skips no pixels."""
    flat = np.array([[0, 0], [size_mm[0], 0], size_mm, [0, size_mm[1]]], np.float64)
    scale = LIMITS.sight_px_per_mm / max(px_per_mm(corners, flat), 1e-6)
    if scale > 0.8:
        return look(photo_bgr, corners, size_mm)
    sight = look(shrunk(photo_bgr, scale), corners * scale, size_mm)
    grown = np.diag([1 / scale, 1 / scale, 1.0]) @ sight.to_photo
    return Sight(grown, size_mm, sight.board, sight.centre, sight.double, sight.votes_mm)


def _moved_mm(sight: Sight) -> float:
    """How far the rough outline was off at its worst corner."""
    return float(np.hypot(*(seen_outline(sight) - rectangle(sight.size_mm)).T).max())


def _size_mm(board: Board) -> tuple[float, float]:
    outline = outline_mm(board)
    width, height = outline[2] - outline[0]
    return float(width), float(height)


def _nearer_size(corners: Points, board: Board) -> tuple[float, float]:
    """The board's size, or turned by a quarter, whichever is nearer to the outline's sides."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    seen = np.log((sides[0] + sides[2]) / (sides[1] + sides[3]))
    width, height = _size_mm(board)
    own = np.log(width / height)
    return (width, height) if abs(seen - own) <= abs(seen + own) else (height, width)


def _lies_so(fit: Fit, size: tuple[float, float], board: Board) -> bool:
    """Whether the straightened picture has the sides that the fitted turn asks for."""
    upright = size == _size_mm(board)
    return upright == (fit.turn % 2 == 0)


def _registration(
    method: str, photo_bgr: NDArray[np.uint8], located: _Located, corners: Points
) -> Registration:
    spaces = project(located.sight.to_photo, located.snapped.quads_mm)
    refuse_outside(spaces, photo_bgr)
    scale = px_per_mm(corners, outline_mm(located.fit.board))
    return Registration(method, corners, spaces, located.snapped.error_mm * scale)


def refuse_outside(spaces: Points, photo_bgr: NDArray[np.uint8]) -> None:
    """Raise BoardNotFoundError if too many of the spaces (N, 4, 2) lie beyond the photo."""
    if share_inside(spaces.mean(axis=1), photo_bgr) < LIMITS.min_inside:
        raise BoardNotFoundError("vision.board.outside", again=TAKE_ANOTHER)


def not_found(photo_bgr: NDArray[np.uint8], board: Board) -> BoardNotFoundError:
    """The error that says what the photo shows instead of the board; time is no matter here."""
    outline = find_outline(photo_bgr)
    if outline is None:
        return _no_board(photo_bgr)
    instead = _seen_instead(photo_bgr, outline, board)
    if instead is not None:
        return instead
    if _locate(photo_bgr, outline, board).snapped.score >= LIMITS.min_score:
        return BoardNotFoundError("vision.board.other-print", board=board.title)
    return _nowhere(photo_bgr, outline, board)


def _no_board(photo_bgr: NDArray[np.uint8]) -> BoardNotFoundError:
    return BoardNotFoundError("vision.board.none", again=take_another(photo_bgr))


def _astray(photo_bgr: NDArray[np.uint8], board: Board) -> BoardNotFoundError:
    """The error where a board isn't between the corners that a person gave: theirs is the slip,
    unless something else is seen in the photo."""
    outline = find_outline(photo_bgr)
    instead = None if outline is None else _seen_instead(photo_bgr, outline, board)
    return instead or BoardNotFoundError("vision.board.corners-astray")


def _seen_instead(
    photo_bgr: NDArray[np.uint8], outline: Outline, board: Board
) -> BoardNotFoundError | None:
    """The error that names what lies in the outline: the board's mirror image, or another board."""
    if _mirrored_score(photo_bgr, outline, board) >= LIMITS.min_score:
        return BoardNotFoundError("vision.board.mirrored")
    for other in _others(board):
        if _locate(photo_bgr, outline, other).snapped.score >= LIMITS.min_score:
            return _other(other, board)
    return None


def _other(seen: Board, wanted: Board) -> BoardNotFoundError:
    """The error that names another board, or says that a file describes this one wrongly."""
    if seen.id == wanted.id or seen.title == wanted.title:
        return BoardNotFoundError("vision.board.other-file", seen=seen.title)
    return BoardNotFoundError("vision.board.other", seen=seen.title, wanted=wanted.title)


def _nowhere(photo_bgr: NDArray[np.uint8], outline: Outline, board: Board) -> BoardNotFoundError:
    """The error where nothing known lies in the outline."""
    if outline.likeness < LIMITS.min_likeness:
        return _no_board(photo_bgr)
    again = take_another(photo_bgr)
    if outline.cut <= LIMITS.cut_share:
        return BoardNotFoundError("vision.board.not-this", board=board.title, again=again)
    if outline.likeness >= LIMITS.cut_likeness:
        return BoardNotFoundError("vision.board.outside", again=again)
    return BoardNotFoundError("vision.board.cut-off", board=board.title, again=again)


def _others(board: Board) -> Iterable[Board]:
    """The program's boards; its own one too where a file of that name describes it otherwise."""
    shipped = (load_board(name) for name in BOARDS_WITH_DATA)
    return (other for other in shipped if other != board)


def _mirrored_score(photo_bgr: NDArray[np.uint8], outline: Outline, board: Board) -> float:
    """How well the board fits the photo's mirror image."""
    flipped = np.ascontiguousarray(photo_bgr[:, ::-1])
    corners = outline.corners_px * (-1, 1) + (photo_bgr.shape[1] - 1, 0)
    mirrored = Outline(corners[[1, 0, 3, 2]], outline.likeness, outline.cut)
    return _locate(flipped, mirrored, board).snapped.score
