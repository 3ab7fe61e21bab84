"""Aligns a board's pattern of spaces with a photo, straightening the photo again where needed."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.resize import shrunk
from vision.registration.board_geometry import (
    board_centres_mm,
    board_quads_mm,
    board_size_mm,
    outline_mm,
)
from vision.registration.geometry import (
    Points,
    corners_of_size,
    is_seen_from_above,
    project,
    px_per_mm,
)
from vision.registration.heatmaps import (
    SpaceHeatmaps,
    predict_heatmaps,
    rectangle,
    seen_outline,
)
from vision.registration.laying import evidence_as_laid, lay
from vision.registration.outline import BoardOutline
from vision.registration.snapping import PatternFit, SnappedSpaces, best_fit, in_print, snap


@dataclass(frozen=True, slots=True)
class RegistrationLimits:
    """When a registration is believed. Each figure says what set it."""

    min_score: float = 0.39
    """Mean evidence a space: of 301 photos and renders right boards have 0.42 up (with a ninth of
    one covered), one laid half astray had 0.37, others and mirrored ones have 0.13 at most."""
    faint_score: float = 0.25
    """A board that explains what is marked is believed with this, where no look at the photo has
    more: a lamp, grain and a flat view take evidence from all its spaces alike."""
    explained: float = 0.55
    """Part of what is marked that its own spaces explain, at least. In 268 photos of games on
    prints and tables of all kinds and their empty boards it is 0.56 and more where the places of
    the spaces are right to 1.4 mm at the median, 0.48 to 0.52 where they are 2 to 3 mm off, and
    0.16 at most where the board was not found."""
    own_score: float = 0.2
    """From this on it is this board that is seen, if badly, and no other."""
    sure_less: float = 0.36
    """What has less than this in its place is refused however its corners are moved a little: that
    changed the scores of 20 blurred photos by 0.02 at most."""
    good_score: float = 0.6
    """Under this the photo is straightened a second time, by the spaces found."""
    good_part: float = 0.5
    """The same where a ninth of the board has less than this: it may lie astray there. One that lay
    14 mm astray had 0.47, for spaces of neighbouring lines were seen in its place."""
    gain: float = 0.01
    """Straightening anew goes on while it adds this to the score."""
    seen_evidence: float = 0.5
    """From this on a space counts as found."""
    most_seen: float = 0.8
    """Where this part of the spaces is found, all of these are what they are taken for."""
    space_mm2: float = 100.0
    """What a space marks that is seen wholly."""
    least_marked_mm2: float = 32.0
    """A board isn't found where less than this is marked for each of its spaces. A score of 0.39
    takes 50 on any board and photo, and what is marked differs by a tenth between outlines of one
    board. All that were found so had 58 from the first look on, whatever the outline."""
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
    straightened_px_per_mm: float = 1.35
    """Resolution that the straightened picture is cut from."""


REGISTRATION_LIMITS = RegistrationLimits()

MOST_ALIGNMENTS = 6
"""How often a photo is straightened anew at most; where the outline was far off, each time mends a
part of it."""

NEARLY_MM, ROUGHLY_MM = 4.0, 25.0
"""Corners that lie nearer than this to others lie nearly, or roughly, there."""

EACH_COUNTS, ASTRAY_MM = 0, 4.0
"""OpenCV's number for least squares; what lies farther off than this is left out otherwise."""

MIN_IN_PART = 8
"""Spaces that a part of the board must have to be judged by."""

MIN_SEEN = 20
"""Spaces that must be found to straighten by them."""


KEPT = 4
"""Heatmaps that are kept of a photo, of 1 MB each: other boards are looked for where one was."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardAlignment:
    """A board fitted to the heatmaps of a straightened photo, its spaces snapped to them."""

    heatmaps: SpaceHeatmaps
    fit: PatternFit
    snapped: SnappedSpaces


class SearchedPhoto:
    """A photo (H, W, 3), uint8, BGR, in which boards are looked for, and what was seen so far."""

    def __init__(self, photo_bgr: NDArray[np.uint8]) -> None:
        self._photo_bgr = photo_bgr
        self.width_px = photo_bgr.shape[1]
        self._seen: dict[tuple[bytes, tuple[float, float]], SpaceHeatmaps] = {}
        self._marked: list[tuple[Points, tuple[float, float], float]] = []
        self._badly_seen: list[tuple[Board, Points, BoardAlignment]] = []

    def heatmaps_at(self, corners: Points, size_mm: tuple[float, float]) -> SpaceHeatmaps:
        """As `heatmaps_at`, once for each place."""
        place = corners.tobytes(), size_mm
        if place not in self._seen:
            while len(self._seen) >= KEPT:
                del self._seen[next(iter(self._seen))]
            self._seen[place] = heatmaps_at(self._photo_bgr, corners, size_mm)
        return self._seen[place]

    def align(self, outline: BoardOutline, board: Board) -> BoardAlignment | None:
        """The board's pattern in an outline of the photo, straightened again where needed.

        None where far too little is seen for it. What lies nearly where far too little was seen
        before isn't looked at again.
        """
        size, corners = _nearer_size(outline.corners_px, board), outline.corners_px
        if self.is_bare(outline, board):
            return None
        heatmaps = self.heatmaps_at(corners, size)
        self._marked.append((corners, size, heatmaps.marked_mm2))
        if heatmaps.marked_mm2 < REGISTRATION_LIMITS.least_marked_mm2 * board.space_count:
            return None
        fit = best_fit(heatmaps, board)
        own = size if _lies_so(fit, size, board) else (size[1], size[0])
        if own != size or _moved_mm(heatmaps) > 3.0:
            corners = project(heatmaps.to_photo, seen_outline(heatmaps))
            known = self._seen_badly_at(corners, board)
            if known is not None:
                return known
            heatmaps = self.heatmaps_at(corners, own)
            fit = best_fit(heatmaps, board)
        aligned = self._settled(align_print(heatmaps, board, fit), board)
        if _is_seen_badly(aligned):
            self._badly_seen.append((board, corners, aligned))
        return aligned

    def is_bare(self, outline: BoardOutline, board: Board) -> bool:
        """Whether hardly a space was marked in another outline that lies nearly so.

        Half of what a board takes, for what is marked differs by less between such outlines.
        """
        corners, size = outline.corners_px, _nearer_size(outline.corners_px, board)
        near_px = ROUGHLY_MM * px_per_mm(corners, outline_mm(board))
        enough_mm2 = REGISTRATION_LIMITS.least_marked_mm2 / 2 * board.space_count
        return any(
            marked_mm2 < enough_mm2 and other == size and _furthest(before - corners) < near_px
            for before, other, marked_mm2 in self._marked
        )

    def mirrored(self) -> "SearchedPhoto":
        """The photo's mirror image, as an untouched one."""
        return SearchedPhoto(np.ascontiguousarray(self._photo_bgr[:, ::-1]))

    def _settled(self, aligned: BoardAlignment, board: Board) -> BoardAlignment:
        for _ in range(MOST_ALIGNMENTS):
            if _lies_well(aligned):
                break
            again = self._align_again(aligned, board)
            if again.snapped.score < aligned.snapped.score + REGISTRATION_LIMITS.gain:
                break
            aligned = again
        return aligned

    def _align_again(self, aligned: BoardAlignment, board: Board) -> BoardAlignment:
        """Straighten anew by the spaces that were found: a hidden side can't mislead these."""
        seen = aligned.snapped.evidence > REGISTRATION_LIMITS.seen_evidence
        if seen.sum() < MIN_SEEN:
            return aligned
        # A wide lens bends lines: leaving spaces out would leave out a side of the board. Where few
        # are seen, some may be others.
        method = EACH_COUNTS if seen.mean() >= REGISTRATION_LIMITS.most_seen else cv2.RHO
        expected = _outline_by_spaces(aligned, seen, method)
        corners = project(aligned.heatmaps.to_photo, np.roll(expected, aligned.fit.turn, axis=0))
        if not is_seen_from_above(corners):
            return aligned
        heatmaps = self.heatmaps_at(corners, aligned.heatmaps.size_mm)
        return align_print(heatmaps, board, best_fit(heatmaps, board))

    def _seen_badly_at(self, corners: Points, board: Board) -> BoardAlignment | None:
        """What was seen of the board between corners (4, 2) that lie nearly so, if badly."""
        near_px = NEARLY_MM * px_per_mm(corners, outline_mm(board))
        for other, before, aligned in self._badly_seen:
            if other is board and _furthest(before - corners) < near_px:
                return aligned
        return None


def score_of(aligned: BoardAlignment | None) -> float:
    """Mean evidence a space, 0 where far too little was seen."""
    return 0.0 if aligned is None else aligned.snapped.score


def is_found(aligned: BoardAlignment | None) -> bool:
    """Whether a registration is believed at once."""
    return score_of(aligned) >= REGISTRATION_LIMITS.min_score


def is_faint(aligned: BoardAlignment | None) -> bool:
    """Whether it is this board and in its place, though little is seen of it: nearly all that is
    marked are its spaces. Of one that lies astray, or is another, much else is."""
    if aligned is None or aligned.snapped.score < REGISTRATION_LIMITS.faint_score:
        return False
    own_mm2 = REGISTRATION_LIMITS.space_mm2 * float(aligned.snapped.evidence.sum())
    return own_mm2 >= REGISTRATION_LIMITS.explained * aligned.heatmaps.marked_mm2


def _is_seen_badly(aligned: BoardAlignment) -> bool:
    """Whether it is this board that is seen, in its place, and so badly that it is refused."""
    return (
        REGISTRATION_LIMITS.own_score <= aligned.snapped.score < REGISTRATION_LIMITS.sure_less
        and float(_astray_mm(aligned).max()) < REGISTRATION_LIMITS.far_mm
    )


def _furthest(ways: Points) -> float:
    return float(np.hypot(*ways.T).max())


def _lies_well(aligned: BoardAlignment) -> bool:
    """Whether nothing speaks for straightening the photo anew: spaces seen, everywhere, and a
    border where they expect it."""
    return (
        aligned.snapped.score >= REGISTRATION_LIMITS.good_score
        and _weakest_part(aligned) >= REGISTRATION_LIMITS.good_part
        and float(_astray_mm(aligned).max()) < REGISTRATION_LIMITS.far_mm
    )


def _weakest_part(aligned: BoardAlignment) -> float:
    """Mean evidence a space in that ninth of the board where least is seen."""
    board = aligned.fit.board
    thirds = np.floor(board_centres_mm(board) / np.array(board.frame.size_mm) * 3).clip(0, 2)
    part = (thirds @ (1, 3)).astype(np.int64)
    count = np.bincount(part, minlength=9)
    total = np.bincount(part, weights=aligned.snapped.evidence, minlength=9)
    enough = count >= MIN_IN_PART
    return float((total[enough] / count[enough]).min(initial=1.0))  # 1 where all parts are small


def _astray_mm(aligned: BoardAlignment) -> Points:
    """How far each outer corner is seen from where the spaces expect it; shape (4,)."""
    seen = np.roll(seen_outline(aligned.heatmaps), -aligned.fit.turn, axis=0)
    expected = _outline_by_spaces(aligned, aligned.snapped.evidence >= 0)
    return np.asarray(np.hypot(*(seen - expected).T))


def _outline_by_spaces(
    aligned: BoardAlignment, seen: NDArray[np.bool_], method: int = cv2.RHO
) -> Points:
    """Where the outer corners as printed must lie by the spaces seen; straightened mm, (4, 2)."""
    own = board_quads_mm(aligned.fit.board).mean(axis=1)[seen]
    there = aligned.snapped.quads_mm.mean(axis=1)[seen]
    homography, _ = cv2.findHomography(own, there, method, ASTRAY_MM)
    if homography is None:  # too few spaces, or all of them nearly in one line
        return aligned.fit.outline_mm
    return project(np.asarray(homography, np.float64), outline_mm(aligned.fit.board))


def outer_corners(aligned: BoardAlignment) -> Points:
    """The board's outer corners as printed, photo pixels, (4, 2).

    As seen, where that is near to where the spaces say that they are (borders differ by edition);
    as the spaces say, where it is far off (a sleeve along a side); half-way between.
    """
    seen = np.roll(seen_outline(aligned.heatmaps), -aligned.fit.turn, axis=0)
    expected = _outline_by_spaces(aligned, aligned.snapped.evidence >= 0)
    apart = _astray_mm(aligned)[:, None]
    doubt = np.where(
        apart < REGISTRATION_LIMITS.near_mm,
        0.0,
        np.where(apart < REGISTRATION_LIMITS.far_mm, 0.5, 1.0),
    )
    return project(aligned.heatmaps.to_photo, (1 - doubt) * seen + doubt * expected)


def align_print(heatmaps: SpaceHeatmaps, board: Board, fit: PatternFit) -> BoardAlignment:
    """The fitted board in that of its prints whose spaces are seen most surely."""
    prints = (in_print(fit, printed) for printed in board.as_printed)
    tried = (BoardAlignment(heatmaps, laid, snap(heatmaps, laid)) for laid in prints)
    return max(tried, key=lambda aligned: aligned.snapped.score)


def lay_print(found: BoardAlignment, board: Board) -> BoardAlignment:
    """A board that was found, its spaces laid in that of its prints on which they are seen most
    surely.

    On photos of one print 0.022 to 0.049 a space lie between the two of the USA board, on renders
    of the other 0.029 to 0.072.
    """
    prints = (in_print(found.fit, printed) for printed in board.as_printed)
    best = max(prints, key=lambda fit: evidence_as_laid(found.heatmaps, fit))
    return BoardAlignment(found.heatmaps, best, lay(found.heatmaps, best))


def heatmaps_at(
    photo_bgr: NDArray[np.uint8], corners: Points, size_mm: tuple[float, float]
) -> SpaceHeatmaps:
    """Heatmaps of a photo (H, W, 3), shrunk first so that straightening skips no pixels."""
    seen_px_per_mm = px_per_mm(corners, corners_of_size(size_mm))
    scale = REGISTRATION_LIMITS.straightened_px_per_mm / max(seen_px_per_mm, 1e-6)
    if scale > 0.8:
        return predict_heatmaps(photo_bgr, corners, size_mm)
    heatmaps = predict_heatmaps(shrunk(photo_bgr, scale), corners * scale, size_mm)
    grown = np.diag([1 / scale, 1 / scale, 1.0]) @ heatmaps.to_photo
    return SpaceHeatmaps(
        grown, size_mm, heatmaps.board, heatmaps.centre, heatmaps.double, heatmaps.votes_mm
    )


def _moved_mm(heatmaps: SpaceHeatmaps) -> float:
    """How far the rough outline was off at its worst corner."""
    return _furthest(seen_outline(heatmaps) - rectangle(heatmaps.size_mm))


def without_strays(corners: Points, aligned: BoardAlignment) -> Points:
    """Corners (4, 2) of markers; where the spaces say that one is far off, as the spaces say."""
    by_spaces = _outline_by_spaces(aligned, aligned.snapped.evidence >= 0)
    expected = project(aligned.heatmaps.to_photo, by_spaces)
    scale = px_per_mm(expected, outline_mm(aligned.fit.board))
    stray = np.hypot(*(corners - expected).T) > REGISTRATION_LIMITS.near_mm * scale
    return np.where(stray[:, None], expected, corners)


def _nearer_size(corners: Points, board: Board) -> tuple[float, float]:
    """The board's size, or turned by a quarter, whichever is nearer to the outline's sides."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    seen = np.log((sides[0] + sides[2]) / (sides[1] + sides[3]))
    width, height = board_size_mm(board)
    own = np.log(width / height)
    return (width, height) if abs(seen - own) <= abs(seen + own) else (height, width)


def _lies_so(fit: PatternFit, size: tuple[float, float], board: Board) -> bool:
    """Whether the straightened picture has the sides that the fitted turn asks for."""
    upright = size == board_size_mm(board)
    return upright == (fit.turn % 2 == 0)
