"""The table's eye on `vision`: photos of one moment become a proposal, with a crop a place."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.session.events import Notice, ProposedPlace, ReadingProposed, RouteProposal
from companion.table.eye import Photo, Seen
from companion.table.kept_photo import KeptPhoto
from companion.table.small_pictures import encode_small
from companion.table.watching import Glimpse, glimpse_of
from scoring.board.board import Board
from scoring.board.readable_print import UnplacedError, can_be_read, refuse_unplaced
from scoring.language import Message
from vision.errors import VisionError
from vision.overlay import route_crop
from vision.reader import read_photos
from vision.reading import COVERED, Reading, Registration, RouteReading
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.places import places_of
from vision.watch.eye import WatchEye
from vision.watch.watcher import Watcher

ReferenceOf = Callable[[Board], Reference | None]
"""The empty board of a board as it is now; set-up may change it while a game is on."""


COVER = 1.02
"""How much larger than the board its cover is: the edge bears print as well."""


class VisionEye:
    """Reads with `vision`, against the empty board where the table has a picture of it.

    A reference of another board than the one in play is left out.
    """

    def __init__(self, reference: Reference | ReferenceOf | None = None) -> None:
        self._reference_of = _source(reference)

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        _require_positions(board)
        reference = self._reference_of(board)
        reading = read_photos(photos_bgr, board, reference=reference, players=colours)
        first = KeptPhoto(photos_bgr[0])

        def crop(route: str) -> bytes:
            return place_crop(first.photo_bgr, board, reading.registration, route)

        return Seen(proposal_of(reading), crop, first.put_away)

    def cover_board(self, photo_bgr: Photo, board: Board) -> Photo:
        """A copy of a photo whose board is covered: its print must not be taken for cards.

        Raises VisionError where the board is not found.
        """
        _require_positions(board)
        corners = register(photo_bgr, board, reference=self._reference_of(board)).corners_px
        middle = corners.mean(axis=0)
        covered = photo_bgr.copy()
        outside = np.round(middle + COVER * (corners - middle)).astype(np.int32)
        colour = [int(value) for value in np.median(photo_bgr[::16, ::16], axis=(0, 1))]
        cv2.fillConvexPoly(covered, outside.reshape(-1, 1, 2), colour)
        return covered


class VisionWatcher:
    """Follows one game with `vision.watch`, against the empty board where there is a picture.

    Of a board that can only be scored it never has anything to tell. `eye` finds and reads boards;
    the program's own networks if None. After a new set-up it begins anew beside that, and keeps to
    what people have answered.
    """

    def __init__(
        self,
        board: Board,
        colours: Sequence[str],
        reference: Reference | ReferenceOf | None,
        eye: WatchEye | None = None,
    ) -> None:
        self._board = board
        self._colours = colours
        self._eye = eye
        self._reference_of = _source(reference)
        self._beside: Reference | None = None
        self._answers: dict[str, str | None] = {}
        self._watcher: Watcher | None = None
        if can_be_read(board):
            self._watcher = self._begin()

    def confirm(self, route: str, owner: str | None) -> None:
        """A person said who owns a route: it is not asked about any more."""
        if self._watcher is not None:
            self._answers[route] = owner
            self._watcher.confirm(route, owner)

    def feed(self, image_bgr: Photo, t_s: float) -> Glimpse:
        """Take in the next frame, (H, W, 3), uint8, BGR; raises VisionError if it can't be read."""
        if self._watcher is None:
            return Glimpse()
        if self._reference_of(self._board) is not self._beside:
            self._watcher = self._begin()
        events = self._watcher.feed(image_bgr, t_s)
        where = self._watcher.where
        kept = KeptPhoto(image_bgr)

        def crop(route: str) -> bytes:
            assert where is not None, "a route was told of, so the board was seen"
            return place_crop(kept.photo_bgr, self._board, where, route)

        flaw = None if where is None else _cut_off(self._board, where, image_bgr)
        glimpse = glimpse_of(
            events, crop, places_of(self._board), kept.put_away, flaw, self._covered
        )
        return replace(glimpse, sure=self._sure)

    def _sure(self) -> dict[str, RouteProposal]:
        """The routes whose owner the board shows for sure at this moment."""
        sure = {} if self._watcher is None else self._watcher.sure
        return {name: _proposal(route) for name, route in sure.items()}

    def _covered(self) -> frozenset[str]:
        """The routes over which something lies, as last seen."""
        reading = None if self._watcher is None else self._watcher.reading
        warnings = () if reading is None else reading.warnings
        return frozenset(name for one in warnings if one.code == COVERED for name in one.routes)

    def _begin(self) -> Watcher:
        """A watcher beside the present reference, told all that people have answered."""
        self._beside = self._reference_of(self._board)
        watcher = Watcher(self._board, self._beside, self._colours, self._eye)
        for route, owner in self._answers.items():
            watcher.confirm(route, owner)
        return watcher


def proposal_of(reading: Reading) -> ReadingProposed:
    """A whole reading as the event for the log."""
    routes = {name: _proposal(route) for name, route in reading.routes.items()}
    notices = tuple(Notice(w.code, w.message, w.routes) for w in reading.warnings)
    places = tuple(
        ProposedPlace(place.routes, tuple(map(str, place.why)))
        for place in reading.places
        if len(place.routes) > 1 or place.review
    )
    return ReadingProposed(routes, whole=True, notices=notices, places=places)


def place_crop(photo_bgr: Photo, board: Board, where: Registration, route: str) -> bytes:
    """The photo's piece with all lines of the route's place, as a small picture."""
    lines = next(place for place in places_of(board) if route in place)
    own = [board.spaces_of[line] for line in lines]
    spaces_px = np.concatenate([where.spaces_px[spaces] for spaces in own])
    as_one = replace(board.route_by_id[route], length=len(spaces_px), parallel_group=None)
    alone = replace(where, spaces_px=spaces_px)
    return encode_small(route_crop(photo_bgr, replace(board, routes=(as_one,)), alone, route))


def _cut_off(board: Board, where: Registration, image_bgr: Photo) -> Message | None:
    """Routes of which a frame shows a part at most, because the board lies across its edge."""
    height, width = image_bgr.shape[:2]
    middles = where.spaces_px.mean(axis=1)
    outside = ((middles < 0) | (middles >= (width, height))).any(axis=1)
    count = sum(bool(outside[board.spaces_of[route.id]].any()) for route in board.routes)
    return Message("companion.camera.cut-off", count=count) if count else None


def _require_positions(board: Board) -> None:
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        raise VisionError.saying(error) from error


def _source(reference: Reference | ReferenceOf | None) -> ReferenceOf:
    """Where the present reference of a board comes from; a fixed one serves its own board only."""
    if not isinstance(reference, Reference | None):
        return reference

    def fixed(board: Board) -> Reference | None:
        return reference if reference is not None and reference.board_id == board.id else None

    return fixed


def _proposal(route: RouteReading) -> RouteProposal:
    return RouteProposal(route.owner, route.confidence, route.review, route.alternatives)
