"""The board studio on the panel: photos in, steps taken, board files out."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.calibration import moment_now
from calibration.survey import calibration_of
from companion.errors import RefusalError
from companion.setup.desk_tools import (
    Photo,
    PhotoSource,
    or_refused,
    points_of,
    scale_of,
)
from companion.setup.kept import KeptCalibrations
from companion.setup.pictures import page_photo, straightened
from companion.studio.beginning import begin_draft, draft_between
from companion.studio.boards import TaughtBoards
from companion.studio.cards import (
    CardsRead,
    ReadCards,
    confirmed,
    joined,
    left_over,
    names_known,
    still_new,
)
from companion.studio.document import check, write
from companion.studio.line_steps import spread
from companion.studio.names import free_id
from companion.studio.placing import snapped
from companion.studio.printed_names import PrintedNames, ReadNames
from companion.studio.reframing import corners_step
from companion.studio.shown import shown_board
from companion.studio.step_fields import Step, check_names
from companion.studio.steps import apply
from companion.studio.store import StudioStore, Work
from companion.studio.tapped import tapped
from companion.studio.ticket_csv import text_of, tickets_of
from scoring.board.board import Board
from scoring.board.readable_print import can_be_read
from vision.empty_board import reference_of
from vision.errors import NotEmptyError, VisionError
from vision.images.photo import decode_photo
from vision.reading import Registration
from vision.registration.board_geometry import board_quads_mm, outline_mm
from vision.registration.geometry import homography_of_quads, project
from web.errors import ActionRefusedError
from web.studio_port import Point, StudioBoard, StudioCorners, StudioDraft, TaughtBoard

KEPT_QUALITY = 93
"""JPEG quality of the photo that is kept with a board in work."""

MOST_OPEN = 8
"""Boards in work that stay in the memory."""

MADE_HERE: tuple[str, ...] = ("boxes", "tickets", "file")
"""Fields of a step that no form gives: they are made of the photo and of whole lists."""


class StudioDesk:
    """Implements `web.studio_port.StudioPort`.

    `files` takes a finished board, `boards` tells those of the table, `shoot` photographs with the
    box's camera (None without one), `renewed` hears of a new calibration in `kept`. `read_cards`
    reads photos of ticket cards, `read_names` the names on a map; None where that cannot be done.
    """

    def __init__(
        self,
        store: StudioStore,
        files: TaughtBoards,
        kept: KeptCalibrations,
        boards: Callable[[], Sequence[Board]],
        shoot: Callable[[], Photo] | None = None,
        renewed: Callable[[], None] = lambda: None,
        read_cards: ReadCards | None = None,
        read_names: ReadNames | None = None,
    ) -> None:
        self._store = store
        self._files = files
        self._kept = kept
        self._boards = boards
        self._photos = PhotoSource(shoot)
        self._renewed = renewed
        self._read_cards = read_cards
        self._printed = PrintedNames(store, read_names)
        self._cards: dict[str, CardsRead] = {}
        self._lock = threading.RLock()
        self._work: dict[str, Work] = {}
        self._shown: tuple[Work, StudioBoard] | None = None

    @property
    def has_camera(self) -> bool:
        """Whether the box has a camera of its own."""
        return self._photos.has_camera

    def drafts(self) -> Sequence[StudioDraft]:
        """The boards in work, the newest first."""
        return [
            StudioDraft(
                key=one.key,
                title=one.title,
                created=one.created,
                steps=one.steps,
                problem=None if one.problem is None else one.problem.to_json(),
            )
            for one in self._store.all()
        ]

    def known(self) -> Sequence[TaughtBoard]:
        """Boards with a map that another print may be taught from."""
        readable = [board for board in self._boards() if can_be_read(board)]
        return [TaughtBoard(one.id, one.title, one.edition) for one in readable]

    def taught(self) -> Sequence[TaughtBoard]:
        """The board files of this table."""
        return [TaughtBoard(one.id, one.title, one.edition) for _, one in self._files.all()]

    def begin(self, image: bytes | None, board: str | None, *, really_empty: bool) -> str:
        """A new board from a photo of it, empty; returns its key."""
        photo_bgr = self._photos.photo_of(image)
        known = None if board is None else self._known(board)
        base, corners = begin_draft(photo_bgr, known, really_empty=really_empty)
        picture = page_photo(straightened(photo_bgr, corners, base.size_mm))
        photo = page_photo(photo_bgr, max(photo_bgr.shape[:2]), KEPT_QUALITY)
        work = or_refused(
            lambda: self._store.create(
                base, corners, photo, picture, vouched=really_empty, known=board
            )
        )
        with self._lock:
            self._remember(work)
        return work.key

    def board(self, key: str) -> StudioBoard:
        """A board in work."""
        work = self._opened(key)
        shown = self._shown
        if shown is None or shown[0] is not work:  # a step makes other work of it
            written = write(work.now, work.saved_as or "board", work.file_version + 1)
            shown = self._shown = work, shown_board(work, check(work.now, written))
        found = self._cards.get(key, CardsRead())
        return replace(
            shown[1],
            reads_cards=self._read_cards is not None,
            cards=still_new(found.cards, work.now),
            card_remarks=[remark.to_json() for remark in found.remarks],
            printed=self._printed.of(work, shown[1].height),
        )

    def read_cards(self, key: str, photos: Sequence[bytes]) -> None:
        """Read photos of ticket cards; what they show stands in the board's `cards` then."""
        known = names_known(self._opened(key).now)
        if self._read_cards is None:
            raise ActionRefusedError("vision.tickets.no-networks")
        read = self._read_cards
        cards, troubles = or_refused(lambda: read(photos, known))
        with self._lock:
            before = CardsRead(tuple(self.board(key).cards))
            self._cards = {key: joined(before, cards, troubles)}  # one deck at a time

    def forget_cards(self, key: str) -> None:
        """Nothing is taken of what the photos showed."""
        self._opened(key)
        self._cards.pop(key, None)

    def picture(self, key: str) -> bytes | None:
        """The straightened board, as JPEG."""
        try:
            return self._store.picture(key)
        except RefusalError:
            return None

    def corners(self, key: str) -> StudioCorners:
        """Its photo's shape, and where the corners of the board lie in it."""
        work = self._opened(key)
        photo_bgr = or_refused(lambda: self._photo(work))
        scale = scale_of(photo_bgr)
        return StudioCorners(
            key=key,
            version=len(work.steps),
            title=work.now.rules.title,
            height=photo_bgr.shape[0] / scale,
            corners=points_of(work.corners_px / scale),
            is_found=bool(work.base.lines),
        )

    def photo(self, key: str) -> bytes | None:
        """The photo that it began with, small enough for a page, as JPEG."""
        try:
            return page_photo(decode_photo(self._store.photo(key)))
        except (RefusalError, VisionError):
            return None

    def place(self, key: str, corners: Sequence[Point]) -> None:
        """The board lies between these corners: look again, or keep what was taught where it is."""
        work = self._opened(key)
        photo_bgr = or_refused(lambda: self._photo(work))
        corners_px = np.array(corners, np.float64) * scale_of(photo_bgr)
        if work.steps:
            step = corners_step(work.now, work.corners_px, corners_px)
            try:
                placed = work.after(step, apply(work.now, step))
            except RefusalError as error:
                raise ActionRefusedError.saying(error) from error
        else:
            known = None if work.known is None else self._known(work.known)
            base, seen_px = draft_between(photo_bgr, known, corners_px, really_empty=work.vouched)
            placed = replace(work, base=base, now=base, base_corners_px=seen_px)
        with self._lock:
            if self._opened(key) is not work:  # another device took a step meanwhile
                raise ActionRefusedError("companion.studio.went-on")
            self._keep(placed)

    def do(self, key: str, step: Mapping[str, Any]) -> int | None:
        """Take a step; returns the number of the place or line that it made, if any."""
        with self._lock:
            work = self._opened(key)
            try:
                check_names(step)
                whole = self._completed(work, step)
                now = apply(work.now, whole)
            except RefusalError as error:
                raise ActionRefusedError.saying(error) from error
            if whole["do"] == "take-tickets":
                self._cards[key] = left_over(self.board(key).cards, step, now)
            self._keep(work.after(whole, now))
        made = now.next_number - 1
        return made if now.next_number > work.now.next_number else None

    def undo(self, key: str, seen: int | None = None) -> None:
        """Take the last step back, unless another device has taken one since version `seen`."""
        with self._lock:
            work = self._opened(key)
            if seen is not None and len(work.steps) > seen:
                raise ActionRefusedError("companion.refused.undo-other")
            self._keep(or_refused(work.undone))

    def save(self, key: str, *, really: bool) -> str:
        """Write the board file, keep its empty photo, and offer it for a new game."""
        with self._lock:
            work = self._opened(key)
            if not work.now.rules.title:
                raise ActionRefusedError("companion.studio.no-title")
            taken = self._files.ids() - ({work.saved_as} if work.saved_as else set())
            name = work.saved_as or free_id(work.now.rules.title, "board", taken)
            written = write(work.now, name, work.file_version + 1)
            mistakes = [one for one in check(work.now, written) if one.is_error]
            if mistakes and not really:
                told = tuple(one.message for one in mistakes[:3])
                raise ActionRefusedError("companion.studio.mistakes", problems=told)
            board = or_refused(lambda: self._files.write(written.document))
            version = work.file_version + 1
            self._keep(replace(work, saved_as=name, file_version=version))
        self._keep_empty_photo(work, board)
        return name

    def photo_is_kept(self, key: str) -> bool:
        """Whether photos of the board that was saved are read beside a photo of it, empty."""
        saved = self._opened(key).saved_as
        board = next((one for one in self._boards() if one.id == saved), None)
        return board is not None and self._kept.used_for(board) is not None

    def delete(self, key: str) -> None:
        """Throw a board in work away; a file that was written stays."""
        with self._lock:
            or_refused(lambda: self._store.delete(key))
            self._work.pop(key, None)

    def export(self, board: str) -> tuple[str, bytes]:
        """A board file of this table, by its name."""
        return or_refused(lambda: self._files.file(board))

    def bring_in(self, file: bytes) -> str:
        """Keep a board file from elsewhere and offer it; returns the board's id."""
        return or_refused(lambda: self._files.bring_in(file)).id

    def _known(self, board: str) -> Board:
        known = next((one for one in self._boards() if one.id == board and can_be_read(one)), None)
        if known is None:
            raise ActionRefusedError("companion.setup.no-such-board")
        return known

    def _completed(self, work: Work, step: Mapping[str, Any]) -> Step:
        """The step with what only the photo or the whole list can tell."""
        what, file = step.get("do"), step.get("file")
        step = {name: value for name, value in step.items() if name not in MADE_HERE}
        if what in ("set-tickets", "corners", "lengthen-line"):
            raise RefusalError("companion.studio.no-such-step")
        if what == "take-tickets":
            return confirmed(step)
        if what == "tickets":
            rows = text_of(file) if isinstance(file, bytes) else str(step.get("rows", ""))
            return {"do": "set-tickets", "tickets": tickets_of(rows, work.now)}
        if what == "add-line":
            tried = apply(work.now, step)  # refuses what makes no sense
            line = tried.lines[tried.next_number - 1]
            boxes = spread(work.now, line.ends, len(line.boxes))
            seen = snapped(work.now, boxes, self._photo(work), work.corners_px)
            return {**step, "boxes": [[box.x, box.y, box.angle] for box in seen]}
        if what == "tap-space":
            return tapped(work.now, step, self._photo(work), work.corners_px)
        if what in ("add-space", "move-space") and "snap" in step:
            return self._snapped_space(work, step)
        return step

    def _snapped_space(self, work: Work, step: Mapping[str, Any]) -> Step:
        """A space that was tapped lies where one is seen printed near."""
        tried = apply(work.now, step)  # refuses what makes no sense
        line = int(step["line"])
        before, after = (Counter(now.lines[line].boxes) for now in (work.now, tried))
        if not (new := tuple(after - before)):
            return step  # it was tapped where it lies already
        (seen,) = snapped(work.now, new, self._photo(work), work.corners_px)
        return {**step, "x": seen.x, "y": seen.y, "angle": seen.angle}

    def _photo(self, work: Work) -> Photo:
        """The photo that it began with; raises RefusalError where its file is damaged."""
        try:
            return decode_photo(self._store.photo(work.key))
        except VisionError as error:
            raise RefusalError("companion.studio.photo-damaged") from error

    def _keep_empty_photo(self, work: Work, board: Board) -> None:
        """The photo becomes a calibration, so that the new board is read at its best at once.

        A board that is not half finished yet has too few spaces to be read from photos.
        """
        if not can_be_read(board):
            return
        try:
            photo_bgr = self._photo(work)
        except RefusalError:
            return
        to_photo = homography_of_quads(outline_mm(board), work.corners_px)
        quads = project(to_photo, board_quads_mm(board))
        found = Registration("corners", work.corners_px.copy(), quads, 0.0)
        try:
            reference = reference_of(photo_bgr, board, found, really_empty=work.vouched)
        except NotEmptyError:  # nobody vouched for it, and the reading network sees wagons
            return
        made = calibration_of(reference, board, moment_now(), board.title)
        or_refused(lambda: self._kept.save(made))
        self._renewed()

    def _opened(self, key: str) -> Work:
        with self._lock:
            if key not in self._work:
                self._remember(or_refused(lambda: self._store.load(key)))
            return self._work[key]

    def _keep(self, work: Work) -> None:
        """On disk before anything is shown of it."""
        before = self._opened(work.key)
        is_moved = not np.array_equal(before.corners_px, work.corners_px)
        photo_bgr = or_refused(lambda: self._photo(work)) if is_moved else None
        or_refused(lambda: self._store.save(work))
        if photo_bgr is not None:
            straight = straightened(photo_bgr, work.corners_px, work.now.size_mm)
            or_refused(lambda: self._store.put_picture(work.key, page_photo(straight)))
        self._remember(work)

    def _remember(self, work: Work) -> None:
        """The latest ones stay in the memory; all are on disk."""
        self._work.pop(work.key, None)
        self._work[work.key] = work
        if len(self._work) > MOST_OPEN:
            del self._work[next(iter(self._work))]
