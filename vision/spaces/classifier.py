"""What one photo says about each space: a distribution over empty, occluded and player colours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.errors import ImageError
from vision.images.board_light import light_on_board
from vision.images.light import LIGHT_LIMITS, balanced, is_cast
from vision.images.photo import TAKE_ANOTHER
from vision.images.tones import in_plain_tones
from vision.network import load_network, softmax
from vision.reading import EMPTY, OCCLUDED, Why
from vision.registration.board_geometry import board_centres_mm, outline_mm
from vision.registration.geometry import project
from vision.spaces.camera_pose import board_to_image
from vision.spaces.deepened import deepened
from vision.spaces.evidence import (
    EMPTY_COLUMN,
    FIRST_COLOUR_COLUMN,
    OCCLUDED_COLUMN,
    SpaceEvidence,
)
from vision.spaces.faded import is_faded
from vision.spaces.glare import under_glare, washed_out, without_standing
from vision.spaces.located_image import LocatedImage, SeenBoard
from vision.spaces.neighbours import OUTPUTS, STATES, beside_neighbours
from vision.spaces.patches import cut_patches, print_around, roofs_around
from vision.spaces.plain_cover import under_something_plain
from vision.spaces.print_colours import shows_other_colours
from vision.spaces.print_light import background_bgr, print_light
from vision.spaces.roof_check import roofs_bgr
from vision.spaces.roofs_of_routes import check_roofs
from vision.spaces.space_cache import SpaceCache

INPUTS = 11
"""Channels of the network's input: see `ShownSpaces.inputs`."""

OWN_SPACE = 0.8
"""A mask of spaces or roofs shows the space's own and no neighbour's above this part of 255."""

OUT_OF_PLAY = 0.9
"""A wagon has a colour that nobody plays where the colours out of play have together more than
this part of the probability."""

SURELY_OTHER = 0.9
"""A space surely shows a wagon of a colour above this probability."""

SURELY_HIDDEN = 0.98
"""A space that nothing can be seen of is hidden with at least this probability."""

CLEARED_FROM = 4.0
"""Levels by which a space's mean changes where something was taken away that lay over it."""

FEWEST_WAGONS = 6
"""With fewer spaces that show wagons than this a photo without colours is let pass: it may show an
empty board whose print is grey."""


def read_spaces(
    seen: SeenBoard,
    board: Board,
    colours: Sequence[str],
    empty: LocatedImage | None = None,
    cache: SpaceCache | None = None,
    *,
    is_frame: bool = False,
) -> SpaceEvidence:
    """Read every space of a photo, beside the same spaces of the empty board if there is one.

    `colours` are those in play, in the order of the evidence's columns; `cache` holds the
    network's answers about earlier frames of the same camera, where only the spaces that changed
    are to be looked at. A lamp's light is balanced first (`vision/images/light.py`).

    What a mirrored lamp washes out, or something plain lies on, is hidden, and a photo with wagons
    but no colours, or with other colours than the print's, is refused, an ImageError; not so with
    `is_frame`: frames of one camera are compared with each other.
    """
    shown = shown_spaces(seen, board, empty)
    evidence = _by_networks(shown, board, colours, cache or SpaceCache())
    own = shown.around[:, 0] > 255 * OWN_SPACE
    glare = {**evidence.doubts, Why.GLARE: under_glare(shown.lit, own)}
    light = print_light(shown.patches, board, shown.light_bgr)
    wagons_bgr = _roofs_of_wagons_bgr(evidence, shown)
    evidence = check_roofs(
        replace(evidence, doubts=glare), board, wagons_bgr, light, shown.is_cleared
    )
    if is_frame:
        return evidence
    _refuse_strange_colours(roofs_bgr(shown.patches, own), evidence, board)
    washed = washed_out(shown.lit, own)
    hidden = washed | under_something_plain(shown.lit, own)
    if hidden.any():
        sure = evidence.probabilities[:, FIRST_COLOUR_COLUMN:].max(axis=1) > SURELY_OTHER
        hidden = without_standing(hidden, sure, shown.lit, own, board_centres_mm(board))
    return _hide(evidence, hidden, hidden & washed, board)


def _by_networks(
    shown: "ShownSpaces", board: Board, colours: Sequence[str], cache: SpaceCache
) -> SpaceEvidence:
    """What the networks tell of the spaces: of each alone, beside its neighbours, and by route."""
    told = cache.read(
        shown.patches, lambda which: load_network("spaces").run_in_slices(shown.inputs, which)
    )
    beside, owners = beside_neighbours(told, board)
    alone, together = (
        _evidence(logits, colours, board.player_colours)
        for logits in (told[:, :OUTPUTS].astype(np.float64), beside)
    )
    by_route = softmax(owners[:, [0, *(1 + COLOURS.index(colour) for colour in colours)]])
    return replace(_two_colours(alone, together), by_route=by_route, alone=alone.probabilities)


def _roofs_of_wagons_bgr(evidence: SpaceEvidence, shown: "ShownSpaces") -> NDArray[np.float64]:
    """The colour (N, 3) of what lies where roofs would be, NaN of spaces without a wagon."""
    found_bgr, wagons = np.full((len(shown.patches), 3), np.nan), evidence.shows_wagon
    roofs = shown.roofs[wagons] > 255 * OWN_SPACE
    found_bgr[wagons] = roofs_bgr(shown.patches[wagons], roofs)
    return found_bgr


def _refuse_strange_colours(
    seen_bgr: NDArray[np.float64], evidence: SpaceEvidence, board: Board
) -> None:
    """Raise ImageError for a photo whose spaces, (N, 3), show no colours, or not the print's."""
    if evidence.shows_wagon.sum() >= FEWEST_WAGONS and is_faded(seen_bgr):
        raise ImageError("vision.photo.no-colours", again=TAKE_ANOTHER)
    printed = [route.colour for route in board.routes for _ in range(route.length)]
    if shows_other_colours(seen_bgr, evidence.probabilities[:, EMPTY_COLUMN], printed):
        raise ImageError("vision.photo.other-colours", again=TAKE_ANOTHER)


def _hide(
    evidence: SpaceEvidence, hidden: NDArray[np.bool_], washed: NDArray[np.bool_], board: Board
) -> SpaceEvidence:
    """The evidence where some spaces, (N,), are hidden, whatever the networks say of them; `washed`
    are those that a mirrored lamp hides."""
    if not hidden.any():
        return evidence
    glare = evidence.doubts[Why.GLARE] | frozenset(np.flatnonzero(washed).tolist())
    rows = evidence.probabilities.copy()
    rows[hidden] *= 1 - SURELY_HIDDEN
    rows[hidden, OCCLUDED_COLUMN] += SURELY_HIDDEN
    by_route = evidence.by_route
    if by_route is not None:
        shares = [hidden[spaces].mean() for spaces in board.spaces_of.values()]
        unseen = np.array(shares)[:, None]
        by_route = by_route * (1 - unseen) + unseen / by_route.shape[1]
    doubts = {**evidence.doubts, Why.GLARE: glare}
    return replace(evidence, probabilities=rows, doubts=doubts, by_route=by_route)


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
    """What the network is shown of a photo, its parameters as of `read_spaces`."""
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


def _evidence(
    logits: NDArray[np.float64], colours: Sequence[str], of_board: Sequence[str]
) -> SpaceEvidence:
    """From logits (N, 3 + all colours) to distributions over the colours in play.

    A wagon that looks like one of the board's other colours (`of_board`) may be any player's, or no
    wagon at all.
    """
    state = softmax(logits[:, :STATES])
    colour = softmax(logits[:, _columns(colours)])
    empty, wagon, covered = state.T
    others = [c for c in of_board if c not in colours]
    among = softmax(logits[:, _columns([*colours, *others])])[:, len(colours) :]
    strange = (among.sum(axis=1) > OUT_OF_PLAY) & (wagon > 0.5)
    colour[strange] = 1 / len(colours)
    empty, wagon = empty + 0.5 * wagon * strange, wagon * np.where(strange, 0.5, 1.0)
    joined = np.concatenate([empty[:, None], covered[:, None], wagon[:, None] * colour], axis=1)
    doubts = {Why.NOT_PLAYING: frozenset(np.flatnonzero(strange).tolist())}
    return SpaceEvidence((EMPTY, OCCLUDED, *colours), joined, doubts)


def _two_colours(alone: SpaceEvidence, beside: SpaceEvidence) -> SpaceEvidence:
    """What is seen beside the neighbours, halfway back where a space alone surely shows a wagon of
    another colour: a route is one player's, but wagons of two may have been left on it."""
    shown, read = (e.probabilities[:, FIRST_COLOUR_COLUMN:] for e in (alone, beside))
    differ = (shown.max(axis=1) > SURELY_OTHER) & (shown.argmax(axis=1) != read.argmax(axis=1))
    differ &= read.max(axis=1) > 0.5
    rows = np.where(
        differ[:, None], (alone.probabilities + beside.probabilities) / 2, beside.probabilities
    )
    return replace(beside, probabilities=rows)


def _columns(colours: Sequence[str]) -> list[int]:
    """Where the network's outputs tell of these colours."""
    return [STATES + COLOURS.index(colour) for colour in colours]
