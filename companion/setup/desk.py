"""Set-up on the panel: one photo of the empty board at a time, from the first look to "ready"."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from calibration.advice import advise_frame, is_too_narrow
from calibration.calibration import moment_now
from calibration.errors import CalibrationError
from calibration.make import add_wagon_colours
from calibration.survey import calibration_of
from companion.errors import RefusalError
from companion.setup.desk_tools import (
    Photo,
    PhotoSource,
    corners_to_begin_with,
    or_refused,
    scale_of,
)
from companion.setup.draft import Draft, shown, surveyed, why_not_learned, why_not_recognised
from companion.setup.kept import Kept, KeptCalibrations
from companion.setup.pictures import LIVE_SIDE_PX, kept_picture, page_photo
from companion.typed_name import NAME_LENGTH, typed_name
from scoring.board.board import Board
from scoring.board.readable_print import can_be_read
from scoring.language import Message
from vision.errors import VisionError
from vision.registration.recognition import which_board
from web.errors import ActionRefusedError
from web.setup_port import (
    BoardName,
    KeptTable,
    LiveLook,
    Point,
    SetupDraft,
    Told,
)


class SetupDesk:
    """Implements `web.setup_port.SetupPort`.

    `boards` tells the boards of the table, the one offered first in front; `shoot` photographs
    with the box's camera (None without one) and raises HardwareError; `renewed` hears that another
    calibration is in use; `is_given` tells the boards whose empty photo came with the command line.
    """

    def __init__(
        self,
        kept: KeptCalibrations,
        boards: Callable[[], Sequence[Board]],
        shoot: Callable[[], Photo] | None = None,
        renewed: Callable[[], None] = lambda: None,
        is_given: Callable[[str], bool] = lambda board_id: False,
    ) -> None:
        self._kept = kept
        self._boards = boards
        self._photos = PhotoSource(shoot)
        self._renewed = renewed
        self._is_given = is_given
        self._state = threading.Lock()
        self._work = threading.Lock()
        self._draft: Draft | None = None

    @property
    def has_camera(self) -> bool:
        """Whether the box has a camera of its own."""
        return self._photos.has_camera

    def boards(self) -> Sequence[BoardName]:
        """The boards that can be set up."""
        files = self._kept.all()
        return [
            BoardName(
                board.id,
                board.title,
                board.edition,
                self._kept.used_for(board, files) is not None or self._is_given(board.id),
            )
            for board in self._readable()
        ]

    def draft(self) -> SetupDraft | None:
        """The photo that is being set up, None before there is one."""
        with self._state:
            draft = self._draft
        return None if draft is None else self._shown(draft)

    def photo(self) -> bytes | None:
        """That photo, small enough for a page, as JPEG."""
        with self._state:
            return None if self._draft is None else self._draft.shown

    def look(self) -> LiveLook:
        """What the box's camera sees now."""
        frame = self._photos.photograph()
        told = [Told(one.message.to_json(), one.good) for one in advise_frame(frame)]
        return LiveLook(page_photo(frame, LIVE_SIDE_PX, 75), told)

    def take_photo(self, image: bytes | None, board: str | None) -> None:
        """Begin with a photo of the empty board, None for one by the box's camera."""
        photo_bgr = self._photos.photo_of(image)
        if is_too_narrow(photo_bgr):
            width, height = photo_bgr.shape[1], photo_bgr.shape[0]
            raise ActionRefusedError("companion.setup.narrow", width=width, height=height)
        with self._work:
            boards = self._readable()
            known = None if board is None else self._board(board)
            found = known or which_board(photo_bgr, boards)
            draft = Draft(
                number=1,
                photo_bgr=photo_bgr,
                shown=page_photo(photo_bgr),
                board=found,
                recognised=known is None and found is not None,
                corners_px=corners_to_begin_with(photo_bgr),
                problem=None if found else why_not_recognised(photo_bgr),
            )
            self._keep(draft if found is None else surveyed(draft, None))

    def place(self, number: int, board: str, corners: Sequence[Point] | None) -> None:
        """Look again: on that board, between these corners, or wherever it is found."""
        with self._work:
            draft = self._current(number)
            chosen = self._board(board)
            same = draft.board is not None and draft.board.id == chosen.id
            draft = replace(draft, board=chosen, recognised=draft.recognised and same)
            corners_px = None
            if corners is not None:
                corners_px = np.array(corners, np.float64) * (scale_of(draft.photo_bgr))
                draft = replace(draft, corners_px=corners_px)
            self._keep(surveyed(replace(draft, saved=None), corners_px))

    def vouch(self, number: int) -> None:
        """A person has looked: the board is empty, whatever it looks like."""
        with self._work:
            draft = self._current(number)
            if draft.board is None or draft.seen is None:
                raise ActionRefusedError("companion.setup.nothing-to-keep")
            self._keep(surveyed(replace(draft, vouched=True), draft.corners_px))

    def save(self, number: int, name: str) -> None:
        """Keep the calibration under that name, and use it from now on."""
        with self._work:
            draft = self._current(number)
            if draft.board is None or draft.seen is None or draft.seen.reference is None:
                raise ActionRefusedError("companion.setup.nothing-to-keep")
            named = or_refused(lambda: typed_name(name)) or draft.board.title[:NAME_LENGTH]
            made = calibration_of(draft.seen.reference, draft.board, moment_now(), named)
            key = or_refused(lambda: self._kept.save(made))
            self._keep(replace(draft, saved=key, colours={}, colours_problem=None))
        self._renewed()

    def take_up(self, key: str) -> None:
        """Go on with a table that is kept, at the step of its wagons."""
        known = or_refused(lambda: self._kept.load(key))
        with self._work:
            draft = Draft(
                number=1,
                photo_bgr=known.image_bgr,
                shown=page_photo(known.image_bgr),
                board=self._board(known.board_id),
                recognised=False,
                corners_px=known.corners_px,
                vouched=known.vouched,
                saved=key,
                colours=dict(known.wagon_colours),
            )
            self._keep(draft)

    def take_wagons(self, number: int, image: bytes | None) -> None:
        """Learn the wagons' colours from a photo of a game, None for one by the box's camera."""
        photo_bgr = self._photos.photo_of(image)
        with self._work:
            draft = self._current(number)
            if draft.saved is None or draft.board is None:
                raise ActionRefusedError("companion.setup.nothing-to-keep")
            key = draft.saved
            before = or_refused(lambda: self._kept.load(key))
            try:
                made = add_wagon_colours(before, draft.board, photo_bgr)
            except (VisionError, CalibrationError) as error:
                self._keep(replace(draft, colours_problem=why_not_learned(error)))
                return
            or_refused(lambda: self._kept.learn(key, made.wagon_colours))
            self._keep(replace(draft, colours=dict(made.wagon_colours), colours_problem=None))
        self._renewed()

    def kept(self) -> Sequence[KeptTable]:
        """The calibrations that are kept, the newest first."""
        files = self._kept.all()
        in_use = set(self._kept.in_use(files).values())
        boards = {board.id: board for board in self._boards()}
        titles = {id: board.title for id, board in boards.items()}
        files = [_fitting(file, boards.get(file.board_id)) for file in files]
        return [
            KeptTable(
                key=file.key,
                name=file.name or titles.get(file.board_id, file.board_id) or file.key,
                board=file.board_id,
                board_title=titles.get(file.board_id, file.board_id),
                created=file.created,
                in_use=file.key in in_use and file.problem is None,
                problem=None if file.problem is None else file.problem.to_json(),
            )
            for file in files
        ]

    def kept_picture(self, key: str) -> bytes | None:
        """The empty board of one, straightened and small, as JPEG."""
        try:
            return kept_picture(self._kept.load(key))
        except RefusalError:
            return None

    def use(self, key: str) -> None:
        """Read photos of its board with that one from now on."""
        or_refused(lambda: self._kept.use(key))
        self._renewed()

    def rename(self, key: str, name: str) -> None:
        """Give one another name."""
        named = or_refused(lambda: typed_name(name))
        if named:
            or_refused(lambda: self._kept.rename(key, named))

    def delete(self, key: str) -> None:
        """Throw one away."""
        or_refused(lambda: self._kept.delete(key))
        self._renewed()

    def export(self, key: str) -> tuple[str, bytes]:
        """The file of one, by its name."""
        return f"{key}.calibration", or_refused(lambda: self._kept.file(key))

    def bring_in(self, file: bytes) -> None:
        """Keep a file that was exported here or elsewhere, and use it."""
        or_refused(lambda: self._kept.bring_in(file))
        self._renewed()

    def _readable(self) -> list[Board]:
        return [board for board in self._boards() if can_be_read(board)]

    def _board(self, name: str) -> Board:
        for board in self._readable():
            if board.id == name:
                return board
        raise ActionRefusedError("companion.setup.no-such-board")

    def _current(self, number: int) -> Draft:
        """The draft, if it is the one that the page showed."""
        with self._state:
            if self._draft is None:
                raise ActionRefusedError("companion.setup.no-draft")
            if self._draft.number != number:
                raise ActionRefusedError("companion.setup.other-draft")
            return self._draft

    def _keep(self, draft: Draft) -> None:
        with self._state:
            before = 0 if self._draft is None else self._draft.number
            self._draft = replace(draft, number=before + 1)

    def _shown(self, draft: Draft) -> SetupDraft:
        offered = {one.id for one in self._readable()}
        return shown(draft, offered, self._name_to_offer(draft.board))

    def _name_to_offer(self, board: Board | None) -> str:
        """The name of the table in use, else the board's."""
        if board is None:
            return ""
        files = self._kept.all()
        key = self._kept.in_use(files).get(board.id)
        known = next((file.name for file in files if file.key == key), "")
        return (known or board.title)[:NAME_LENGTH]


def _fitting(file: Kept, board: Board | None) -> Kept:
    """One of before its board was taught anew cannot be used, whole as it is."""
    if file.problem is not None or board is None or file.fits(board):
        return file
    return replace(file, problem=Message("companion.setup.board-changed"))
