"""How a board in work begins: a photo, the board's corners in it, and what is seen between them."""

from calibration.errors import CalibrationError
from calibration.studio.finding import check_photo
from calibration.studio.proposal import propose
from calibration.studio.straightening import aspect_of
from companion.setup.desk_tools import Photo, corners_to_begin_with
from companion.studio.draft import Draft, draft_of_proposal
from companion.studio.placing import draft_of_board
from scoring.board.board import TRAIN_SPACE_MM, Board
from scoring.language import SpokenError
from vision.empty_board import reference_of
from vision.errors import NotEmptyError, VisionError
from vision.registration.geometry import Points
from vision.registration.register import register
from web.errors import ActionRefusedError

USUAL_LONG_MM = 800.0
"""Of most boards; nothing else is known of one that was not found."""

MENDED_BY_CORNERS: tuple[str, ...] = (
    "calibration.studio.no-boxes",
    "vision.board.none",
    "vision.board.not-this",
    "vision.board.other-file",
    "vision.board.other-print",
)
"""What a person can mend who shows where the board's corners lie."""


def begin_draft(
    photo_bgr: Photo, known: Board | None, *, really_empty: bool
) -> tuple[Draft, Points]:
    """The draft that a photo leads to, and the board's corners (4, 2) in it, photo pixels.

    Where no board is found the draft is empty and the corners wait to be dragged. Raises
    ActionRefusedError for a photo of no use.
    """
    try:
        check_photo(photo_bgr)
        return seen_between(photo_bgr, known, None, really_empty=really_empty)
    except (VisionError, CalibrationError) as error:
        if error.key not in MENDED_BY_CORNERS:
            raise _refused(error) from error
    corners = corners_to_begin_with(photo_bgr)
    return _empty_draft(photo_bgr, corners), corners


def draft_between(
    photo_bgr: Photo, known: Board | None, corners_px: Points, *, really_empty: bool
) -> tuple[Draft, Points]:
    """The same where a person has shown the corners; raises ActionRefusedError."""
    try:
        return seen_between(photo_bgr, known, corners_px, really_empty=really_empty)
    except (VisionError, CalibrationError) as error:
        raise _refused(error) from error


def _refused(error: SpokenError) -> ActionRefusedError:
    """What is said on the page, where somebody may vouch for an empty board by a tap."""
    if isinstance(error, NotEmptyError):
        return ActionRefusedError("companion.setup.wagons", **error.message.values)
    if error.key == "calibration.studio.wagons":
        return ActionRefusedError("companion.studio.wagons", **error.message.values)
    return ActionRefusedError("companion.studio.unusable", reason=error)


def seen_between(
    photo_bgr: Photo, known: Board | None, corners_px: Points | None, *, really_empty: bool
) -> tuple[Draft, Points]:
    """Spaces and lines as they seem to be printed, or a known board's where they lie."""
    if known is None:
        proposal = propose(photo_bgr, corners_px, really_empty=really_empty)
        return draft_of_proposal(proposal), proposal.corners_px
    found = register(photo_bgr, known, corners_px=corners_px)
    reference_of(photo_bgr, known, found, really_empty=really_empty)
    return draft_of_board(known, found.corners_px, found.spaces_px), found.corners_px


def _empty_draft(photo_bgr: Photo, corners_px: Points) -> Draft:
    aspect = aspect_of(corners_px, (photo_bgr.shape[1], photo_bgr.shape[0]))
    unit = USUAL_LONG_MM / max(aspect, 1.0)
    return Draft((aspect * unit, unit), TRAIN_SPACE_MM, {}, {})
