"""Fits a board's known spaces to what is seen: which turn, which board, and each space exactly.

The photo is straightened by a rough outline to 1 px a millimetre; a network marks where spaces
are, which way they lie and where their centres are; the board file's pattern of spaces is laid
over that in every turn, and bent to it where it fits best.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.network import image_input, load_network, sigmoid
from vision.registration.board_geometry import board_quads_mm, outline_mm
from vision.registration.geometry import (
    Points,
    corners_of_size,
    fit_bending,
    homography_of_quads,
    project,
)
from vision.registration.outline import robust_line

MARGIN_MM = 40.0
"""How much beyond the rough outline is looked at, which may be that wrong."""

CELL_MM = 4.0
SHIFTS_MM = np.arange(-16.0, 17.0, 4.0)
SCALES = (0.965, 1.0, 1.035)
"""Search about the rough outline: it is off by some millimetres, and borders differ by edition."""

BENDS = ((9.0, 2.0, True), (6.0, 2.0, True), (5.0, 2.0, False), (4.0, 2.0, False))
"""Of each bending of the whole: how far about a space is looked (mm), from what residual one counts
for little (mm), and whether it is linear."""

LAST_BENDS = ((9.0, 2.0, True), (6.0, 2.0, True), (5.0, 1.0, False), (3.0, 1.0, False))
"""The same where the board lies right: wagons stand beside their boxes and lean, so that free
spaces are to settle it."""

NOISE_ALONG, NOISE_ACROSS = 0.9, 0.55
"""By how much whole lines seem to lie beside their place, along and across themselves, in units of
how far single spaces seem to lie beside their line, where the print is the board file's."""

HOLD_ALONG, HOLD_ACROSS = 20.0, 2.0
"""Damping of a line's shift, in spaces seen, while the board is searched for: of seven settings the
best."""

MOST_SEEMING_MM = 0.8
"""They seem to no farther: where spaces scatter more, it is the file's that lie beside theirs."""

FEWEST_SEEN, SEVERAL_SEEN = 0.8, 1.5
"""Of so many spaces seen a line tells of the print; of so many, of how its spaces scatter."""

SEEN_OF_MOST = 2.5
"""So many spaces of a line are seen as a rule, by their weight."""


@dataclass(frozen=True, slots=True, eq=False)
class SpaceHeatmaps:
    """What the network sees on a straightened board, one value a cell of 4 x 4 mm, (h, w) each.

    `to_photo` maps straightened millimetres (origin MARGIN_MM beyond the outline's first corner)
    to photo pixels; `size_mm` is the outline's size there. `centre` is how likely a space's centre
    is near, `double` (h, w, 2) the cosine and sine of twice its direction, `votes_mm` (h, w, 2)
    where its centre lies; `board` how likely the cell is board at all.
    """

    to_photo: Points
    size_mm: tuple[float, float]
    board: NDArray[np.float32]
    centre: NDArray[np.float32]
    double: NDArray[np.float32]
    votes_mm: NDArray[np.float32]

    @property
    def marked_mm2(self) -> float:
        """The area that is marked as middles of spaces, cells by how likely they are that."""
        return float(self.centre.sum()) * CELL_MM**2


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """A board's pattern of spaces fitted to heatmaps as one rigid whole.

    `turn` is how many corners on the print's top left is; `score` the mean evidence a space, 0..1;
    `quads_mm` (N, 4, 2) and `outline_mm` (4, 2) are in the heatmaps's straightened millimetres, the
    latter as the board file has it.
    """

    board: Board
    turn: int
    score: float
    quads_mm: Points
    outline_mm: Points


@dataclass(frozen=True, slots=True, eq=False)
class SnappedSpaces:
    """The spaces after bending to what is seen: straightened millimetres, and what is left.

    `evidence` (N,) is how surely each space is seen there, 0..1; `as_laid` the mean of that before
    single lines were moved; `error_mm` the scatter of single spaces about their lines.
    """

    quads_mm: Points
    evidence: Points
    as_laid: float
    error_mm: float

    @property
    def score(self) -> float:
        """Mean evidence a space."""
        return float(self.evidence.mean())


def predict_heatmaps(
    photo_bgr: NDArray[np.uint8], corners_px: Points, size_mm: tuple[float, float]
) -> SpaceHeatmaps:
    """Straighten the quadrilateral to that size and let the network see it.

    `corners_px` (4, 2) are the outline's corners, clockwise; `size_mm` is (width, height) of the
    outline beginning with the side from the first corner to the second.
    """
    width, height = (_whole_cells(side + 2 * MARGIN_MM) for side in size_mm)
    to_photo = homography_of_quads(rectangle(size_mm), corners_px)
    straight = cv2.warpPerspective(
        photo_bgr,
        to_photo,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    seen = image_input(np.asarray(straight, np.uint8))
    cells = load_network("snap").run({"image": seen})[0]
    y, x = np.mgrid[0 : cells.shape[1], 0 : cells.shape[2]].astype(np.float32)
    here = np.stack([x, y], axis=-1) * CELL_MM + (CELL_MM - 1) / 2
    return SpaceHeatmaps(
        to_photo=to_photo,
        size_mm=size_mm,
        board=sigmoid(cells[0]),
        centre=sigmoid(cells[1]),
        double=np.ascontiguousarray(cells[2:4].transpose(1, 2, 0)),
        votes_mm=here + CELL_MM * cells[4:6].transpose(1, 2, 0),
    )


def rectangle(size_mm: tuple[float, float]) -> Points:
    """The outline in straightened millimetres, clockwise from its first corner; shape (4, 2)."""
    return corners_of_size(size_mm) + MARGIN_MM


def _whole_cells(length_mm: float) -> int:
    """Length in pixels that the network's halvings divide."""
    return int(np.ceil(length_mm / 8)) * 8


def best_fit(heatmaps: SpaceHeatmaps, board: Board) -> PatternFit:
    """The board's pattern in the turn, shift and size in which it fits best."""
    fits = [_fit_turn(heatmaps, board, turn) for turn in _possible_turns(heatmaps, board)]
    return max(fits, key=lambda fit: fit.score)


def _possible_turns(heatmaps: SpaceHeatmaps, board: Board) -> tuple[int, ...]:
    """All four for a nearly square outline, otherwise the two that match long side to long side."""
    seen = np.log(heatmaps.size_mm[0] / heatmaps.size_mm[1])
    outline = outline_mm(board)
    own = np.log((outline[1, 0] - outline[0, 0]) / (outline[2, 1] - outline[1, 1]))
    turns = tuple(t for t in range(4) if abs(seen - (own if t % 2 == 0 else -own)) < 0.35)
    return turns or (0, 1, 2, 3)


def _fit_turn(heatmaps: SpaceHeatmaps, board: Board, turn: int) -> PatternFit:
    outline, quads = outline_mm(board), board_quads_mm(board)
    corners = np.roll(rectangle(heatmaps.size_mm), -turn, axis=0)
    laid = project(homography_of_quads(outline, corners), quads)
    scale, shift, score = _coarse(heatmaps, laid)
    middle = corners.mean(axis=0)
    return PatternFit(
        board,
        turn,
        score,
        (laid - middle) * scale + middle + shift,
        (corners - middle) * scale + middle + shift,
    )


def in_print(fit: PatternFit, board: Board) -> PatternFit:
    """Another print of the fitted board, fitted in the same way."""
    laid = homography_of_quads(outline_mm(board), fit.outline_mm)
    return replace(fit, board=board, quads_mm=project(laid, board_quads_mm(board)))


def _coarse(heatmaps: SpaceHeatmaps, quads: Points) -> tuple[Points, Points, float]:
    """Scale (2,), shift (2,) and score with the most evidence, by trying them all."""
    centres, double = quads.mean(axis=1), doubled_direction(quads)
    middle = np.array(heatmaps.size_mm) / 2 + MARGIN_MM
    shifts = np.stack(np.meshgrid(SHIFTS_MM, SHIFTS_MM, indexing="ij"), axis=-1).reshape(-1, 2)
    best = (np.ones(2), np.zeros(2), -1.0)
    # Columns depend on the scale and shift in x alone, rows on those in y: (scales, shifts, N).
    scaled = (centres - middle) * np.array(SCALES)[:, None, None] + middle
    moved = scaled[:, None] + SHIFTS_MM[:, None, None]
    columns, rows = _cells_at(heatmaps, moved)
    for x, scale_x in enumerate(SCALES):
        for y, scale_y in enumerate(SCALES):
            cells = (rows[y][None] + columns[x][:, None]).reshape(len(shifts), -1)
            scores = _evidence_in(heatmaps, cells, double).mean(axis=1)
            chosen = int(scores.argmax())
            if scores[chosen] > best[2]:
                best = (np.array([scale_x, scale_y]), shifts[chosen], float(scores[chosen]))
    return best


def doubled_direction(quads: Points) -> Points:
    """Cosine and sine of twice the direction of each box's first edge; shape (N, 2)."""
    along = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angle = 2 * np.arctan2(along[:, 1], along[:, 0])
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _evidence(heatmaps: SpaceHeatmaps, centres: Points, double: Points) -> NDArray[np.float64]:
    """How likely a space with that direction is centred at each point (..., N, 2); 0..1."""
    columns, rows = _cells_at(heatmaps, centres)
    return _evidence_in(heatmaps, rows + columns, double)


def _cells_at(
    heatmaps: SpaceHeatmaps, points: Points
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells nearest to points (..., 2): each one's column, and where its row begins."""
    height, width = heatmaps.centre.shape
    cells = np.round((points - (CELL_MM - 1) / 2) / CELL_MM).astype(np.int64)
    return np.clip(cells[..., 0], 0, width - 1), np.clip(cells[..., 1], 0, height - 1) * width


def _evidence_in(
    heatmaps: SpaceHeatmaps, cells: NDArray[np.int64], double: Points
) -> NDArray[np.float64]:
    """How likely a space with that direction is centred in each cell (..., N), by its number."""
    agreement = _agreement(heatmaps, cells, double)
    return np.asarray(heatmaps.centre.take(cells) * agreement, np.float64)


def _agreement(
    heatmaps: SpaceHeatmaps, cells: NDArray[np.int64], double: Points
) -> NDArray[np.float64]:
    """How well the direction that is seen in each cell agrees with `double` (..., 2); 0..1."""
    cosine, sine = (heatmaps.double[..., k].take(cells) for k in (0, 1))
    return np.clip(cosine * double[..., 0] + sine * double[..., 1], 0, 1)


def snap(heatmaps: SpaceHeatmaps, fit: PatternFit, *, is_found: bool = False) -> SnappedSpaces:
    """Bend a fitted pattern to the centres that the network sees.

    First as a whole, then line by line, once the board `is_found` as far as this print differs
    from the file: by up to a line's width. A double moves as one, so that its lines can't both snap
    to the same boxes.
    """
    quads, double = fit.quads_mm, doubled_direction(fit.quads_mm)
    for reach_mm, spread_mm, linear in LAST_BENDS if is_found else BENDS:
        centres = quads.mean(axis=1)
        seen, weight = _gather(heatmaps, centres, double, reach_mm)
        bending = fit_bending(centres, seen - centres, spread_mm, weights=weight, linear=linear)
        quads = quads + bending(quads.reshape(-1, 2)).reshape(quads.shape)
    laid = quads.mean(axis=1)
    as_laid = float(_evidence(heatmaps, laid, double).mean())
    centres = _line_by_line(heatmaps, laid, double, _groups(fit.board), is_found=is_found)
    seen, weight = _gather(heatmaps, centres, double, 3.0)
    sure = weight > 0.3
    scatter = np.hypot(*(seen - centres)[sure].T) if sure.any() else np.array([np.inf])
    return SnappedSpaces(
        quads_mm=quads + (centres - laid)[:, None, :],
        evidence=_evidence(heatmaps, centres, double),
        as_laid=as_laid,
        error_mm=float(np.median(scatter)),
    )


def _groups(board: Board) -> NDArray[np.int64]:
    """A number for every space that those of the same line, or lines side by side, share; (N,)."""
    names = [route.parallel_group or route.id for route in board.routes for _ in route.spaces]
    return np.asarray(np.unique(names, return_inverse=True)[1], np.int64)


def _line_by_line(
    heatmaps: SpaceHeatmaps,
    laid: Points,
    double: Points,
    groups: NDArray[np.int64],
    *,
    is_found: bool,
) -> Points:
    """The centres `laid` (N, 2), each group's moved together towards where they are seen."""
    angle = np.arctan2(double[:, 1], double[:, 0]) / 2
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    centres = laid
    for reach_mm in (5.0, 3.0):
        seen, weight = _gather(heatmaps, centres, double, reach_mm)
        origin = laid if is_found else centres
        moved = np.zeros_like(laid)
        for axis, noise, hold in (
            (along, NOISE_ALONG, HOLD_ALONG),
            (across, NOISE_ACROSS, HOLD_ACROSS),
        ):
            beside = ((seen - origin) * axis).sum(axis=1)
            if is_found:
                shifts = _shifts(beside, weight, groups, noise)
            else:
                total = np.bincount(groups, weights=weight)
                shifts = np.bincount(groups, weights=weight * beside) / (total + hold)
            moved += shifts[groups, None] * axis
        centres = origin + moved
    return centres


def _shifts(
    beside: Points, weight: Points, groups: NDArray[np.int64], noise: float
) -> NDArray[np.float64]:
    """How far each group (G,) lies beside its place, by how far its spaces (N,) seem to.

    Believed is as much of it as lines differ from the board file by more than the scatter of their
    spaces explains: nothing, where the print is the file's (empirical Bayes: Efron & Morris 1973).
    """
    seen = np.bincount(groups, weights=weight)
    mean = np.bincount(groups, weights=weight * beside) / np.maximum(seen, 1e-9)
    several, told = seen > SEVERAL_SEEN, seen > FEWEST_SEEN
    if not several.any():
        return np.zeros(len(seen))
    squares = np.bincount(groups, weights=weight * (beside - mean[groups]) ** 2)
    scatter2 = squares[several].sum() / (seen[several] - 1).sum()
    seeming2 = min(noise**2 * scatter2, MOST_SEEMING_MM**2)
    true2 = max(0.0, (1.4826 * float(np.median(np.abs(mean[told])))) ** 2 - seeming2)
    of_fewer = (1 + 1 / np.maximum(seen, 1e-3)) / (1 + 1 / SEEN_OF_MOST)
    return np.asarray(mean * true2 / (true2 + seeming2 * of_fewer + 1e-9))


def _gather(
    heatmaps: SpaceHeatmaps, centres: Points, double: Points, reach_mm: float
) -> tuple[Points, NDArray[np.float64]]:
    """Where the cells about each expected centre say that it is (N, 2), and how surely (N,).

    A cell's vote counts by its likeness to a centre, by its direction, and by how near to the
    expected place it points.
    """
    height, width = heatmaps.centre.shape
    reach = int(np.ceil(1.5 * reach_mm / CELL_MM))
    around = np.arange(-reach, reach + 1)
    middle = np.round((centres - (CELL_MM - 1) / 2) / CELL_MM).astype(np.int64)
    # The cells about a centre are all columns in all rows about it: (N, rows, columns).
    rows, columns = (middle[:, 1:] + around)[:, :, None], (middle[:, :1] + around)[:, None]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    cells = np.clip(rows, 0, height - 1) * width + np.clip(columns, 0, width - 1)
    inside, cells = inside.reshape(len(centres), -1), cells.reshape(len(centres), -1)
    x, y = (heatmaps.votes_mm[..., k].take(cells).astype(np.float64) for k in (0, 1))
    agreement = _agreement(heatmaps, cells, double[:, None]) ** 2
    apart = (x - centres[:, :1]) ** 2 + (y - centres[:, 1:]) ** 2
    weights = inside * heatmaps.centre.take(cells) * agreement * np.exp(-apart / (2 * reach_mm**2))
    total = weights.sum(axis=1)
    summed = np.stack([(votes * weights).T.copy().sum(axis=0) for votes in (x, y)], axis=1)
    mean = summed / np.maximum(total, 1e-9)[:, None]
    return np.where(total[:, None] > 1e-6, mean, centres), np.minimum(total / 2.0, 1.0)


def seen_outline(heatmaps: SpaceHeatmaps) -> Points:
    """The board's outer corners as the network sees them, straightened millimetres, (4, 2).

    Clockwise as the straightened outline. Each side is a line through the places where the board
    begins along it; a side that is not seen stays where it was.
    """
    corners = rectangle(heatmaps.size_mm)
    lines = [_side_line(heatmaps, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    crossings = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return np.array([c[:2] / c[2] for c in crossings])


def _side_line(heatmaps: SpaceHeatmaps, start: Points, end: Points) -> Points:
    """The line (a, b, c), a x + b y + c = 0, along which the board begins."""
    along = (end - start) / np.linalg.norm(end - start)
    inward = np.array([-along[1], along[0]])
    places = start + np.linspace(0.04, 0.96, 60)[:, None] * (end - start)
    depths = np.arange(-MARGIN_MM + 4, MARGIN_MM, 1.0)
    samples = places[:, None] + depths[:, None] * inward
    at = ((samples - (CELL_MM - 1) / 2) / CELL_MM).astype(np.float32)
    profile = cv2.remap(heatmaps.board, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    begins, sure = _first_crossing(np.asarray(profile, np.float32), depths)
    points = (places + begins[:, None] * inward)[sure]
    if len(points) < 15:
        return np.array([*inward, -float(inward @ start)])
    return robust_line(points, near=2.0)


def _first_crossing(
    profile: NDArray[np.float32], depths: Points
) -> tuple[Points, NDArray[np.bool_]]:
    """Depth at which each row of (M, D) rises through a half for good, and whether it does."""
    outside = profile < 0.5
    last = outside.shape[1] - 1 - np.argmax(outside[:, ::-1], axis=1)
    sure = outside.any(axis=1) & (last < outside.shape[1] - 1) & outside[:, 0]
    after = np.minimum(last + 1, outside.shape[1] - 1)
    rows = np.arange(len(profile))
    low, high = profile[rows, last], profile[rows, after]
    part = np.clip((0.5 - low) / np.maximum(high - low, 1e-6), 0, 1)
    return depths[last] + part * (depths[after] - depths[last]), sure
