"""What one photo says about each space: a distribution over empty, occluded and player colours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.errors import ImageError
from vision.images.photo import TAKE_ANOTHER
from vision.network import load_network, softmax
from vision.reading import EMPTY, OCCLUDED, Why
from vision.registration.board_geometry import board_centres_mm
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
from vision.spaces.plain_cover import under_something_plain
from vision.spaces.print_colours import shows_other_colours
from vision.spaces.print_light import print_light
from vision.spaces.roof_check import roofs_bgr
from vision.spaces.roofs_of_routes import check_roofs
from vision.spaces.shown_spaces import ShownSpaces, shown_spaces
from vision.spaces.space_cache import SpaceCache
from vision.spaces.tint import tinted

OWN_SPACE = 0.8
"""A mask of spaces or roofs shows the space's own and no neighbour's above this part of 255."""

OUT_OF_PLAY = 0.9
"""A wagon has a colour that nobody plays where the colours out of play have together more than
this part of the probability."""

SURELY_OTHER = 0.9
"""A space surely shows a wagon of a colour above this probability."""

SURELY_HIDDEN = 0.98
"""A space that nothing can be seen of is hidden with at least this probability."""

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
    """What `spaces_told` says of a photo among the colours in play: see `SpacesTold.among`."""
    return spaces_told(seen, board, empty, cache).among(colours, is_frame=is_frame)


def spaces_told(
    seen: SeenBoard,
    board: Board,
    empty: LocatedImage | None = None,
    cache: SpaceCache | None = None,
) -> "SpacesTold":
    """Look at every space of a photo, beside the same spaces of the empty board if there is one.

    `cache` holds the network's answers about earlier frames of the same camera, where only the
    spaces that changed are to be looked at. A lamp's light is balanced first
    (`vision/images/light.py`).
    """
    shown = shown_spaces(seen, board, empty)
    alone = (cache or SpaceCache()).read(
        shown.patches, lambda which: load_network("spaces").run_in_slices(shown.inputs, which)
    )
    beside, owners = beside_neighbours(alone, board)
    shown = replace(shown, empty=None)  # large, and done with
    return SpacesTold(seen, board, shown, alone[:, :OUTPUTS].astype(np.float64), beside, owners)


@dataclass(frozen=True, slots=True, eq=False)
class SpacesTold:
    """What the networks tell of a photo's spaces, whoever plays: logits.

    `alone` and `beside` (N, 3 + all colours) are each space's, alone and beside its neighbours;
    `owners` (R, 1 + all colours) each route's.
    """

    seen: SeenBoard
    board: Board
    shown: ShownSpaces
    alone: NDArray[np.float64]
    beside: NDArray[np.float64]
    owners: NDArray[np.float64]

    def among(self, colours: Sequence[str], *, is_frame: bool = False) -> SpaceEvidence:
        """The evidence where these colours are in play, in the order of its columns.

        What a mirrored lamp washes out, or something plain lies on, is hidden, and a photo with
        wagons but no colours, or with other colours than the print's, is refused, an ImageError;
        not so with `is_frame`: frames of one camera are compared with each other.
        """
        shown, board = self.shown, self.board
        evidence = self._by_networks(colours)
        own = shown.around[:, 0] > 255 * OWN_SPACE
        glare = {**evidence.doubts, Why.GLARE: under_glare(shown.lit, own)}
        light = print_light(shown.patches, board, shown.light_bgr)
        wagons_bgr = _roofs_of_wagons_bgr(evidence, shown)
        evidence = check_roofs(
            replace(evidence, doubts=glare), board, wagons_bgr, light, shown.is_cleared
        )
        evidence = replace(evidence, tinted=tinted(shown.patches, wagons_bgr, evidence, board))
        if is_frame:
            return evidence
        washed = washed_out(shown.lit, own)
        spaces_bgr = roofs_bgr(shown.patches, own)
        spaces_bgr[washed] = np.nan  # they have the lamp's colour
        _refuse_strange_colours(spaces_bgr, evidence, board)
        hidden = washed | under_something_plain(shown.lit, own)
        if hidden.any():
            sure = evidence.probabilities[:, FIRST_COLOUR_COLUMN:].max(axis=1) > SURELY_OTHER
            hidden = without_standing(hidden, sure, shown.lit, own, board_centres_mm(board))
        return _hide(evidence, hidden, hidden & washed, board)

    def _by_networks(self, colours: Sequence[str]) -> SpaceEvidence:
        """What the networks tell of the spaces: of each alone, beside its neighbours, and by
        route."""
        alone, beside = (
            _evidence(logits, colours, self.board.player_colours)
            for logits in (self.alone, self.beside)
        )
        owners = self.owners[:, [0, *(1 + COLOURS.index(colour) for colour in colours)]]
        return replace(
            _two_colours(alone, beside), by_route=softmax(owners), alone=alone.probabilities
        )


def _roofs_of_wagons_bgr(evidence: SpaceEvidence, shown: ShownSpaces) -> NDArray[np.float64]:
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
