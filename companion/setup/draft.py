"""The photo that is being set up: what was seen of it, and how a page shows it."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from calibration.calibration import Lab
from calibration.errors import CalibrationError
from calibration.survey import Survey, survey
from companion.setup.desk_tools import Photo, points_of, scale_of
from companion.setup.words import colours_told, quality_told
from scoring.board.board import Board
from scoring.language import Message
from vision.empty_board import named_routes
from vision.errors import BoardNotFoundError, VisionError
from vision.images.photo import check_quality
from vision.registration.geometry import Points
from web.setup_port import DrawnSpace, SetupDraft


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The photo in work, and all that is known of it."""

    number: int
    photo_bgr: Photo
    shown: bytes
    board: Board | None
    recognised: bool
    corners_px: Points
    seen: Survey | None = None
    problem: Message | None = None
    instead: str | None = None
    """The id of the board that is seen where another one was chosen."""
    vouched: bool = False
    saved: str | None = None
    colours: dict[str, Lab] = field(default_factory=dict)
    colours_problem: Message | None = None


def surveyed(draft: Draft, corners_px: Points | None) -> Draft:
    """The draft with what a new look at its photo shows."""
    assert draft.board is not None, "a board is looked for"
    try:
        seen = survey(draft.photo_bgr, draft.board, corners_px, really_empty=draft.vouched)
    except VisionError as error:
        instead = error.seen if isinstance(error, BoardNotFoundError) else None
        return replace(draft, seen=None, problem=_why_not_found(error), instead=instead)
    problem: Message | None = None
    if seen.claimed:
        names = named_routes(seen.claimed, draft.board)
        problem = Message("companion.setup.wagons", routes=names, count=len(seen.claimed))
    return replace(draft, seen=seen, corners_px=seen.corners_px, problem=problem, instead=None)


def shown(draft: Draft, offered: Collection[str], name: str) -> SetupDraft:
    """The draft as a page shows it; `offered` are boards that can be set up, `name` is proposed."""
    scale = scale_of(draft.photo_bgr)
    board, seen = draft.board, draft.seen
    told = [] if board is None or seen is None else quality_told(seen, draft.vouched)
    return SetupDraft(
        number=draft.number,
        height=draft.photo_bgr.shape[0] / scale,
        board=None if board is None else board.id,
        board_title="" if board is None else board.title,
        recognised=draft.recognised,
        corners=points_of(draft.corners_px / scale),
        spaces=[] if board is None or seen is None else _spaces(seen, board, scale),
        quality=told,
        problem=None if draft.problem is None else draft.problem.to_json(),
        instead=draft.instead if draft.instead in offered else None,
        can_vouch=seen is not None and bool(seen.claimed),
        is_usable=seen is not None and seen.is_usable,
        name=name,
        saved=draft.saved,
        colours=colours_told(draft.colours),
        colours_problem=None if draft.colours_problem is None else draft.colours_problem.to_json(),
    )


def why_not_recognised(photo_bgr: Photo) -> Message:
    """Why none of the boards was found in a photo."""
    try:
        check_quality(photo_bgr)
    except VisionError as error:
        return _why_not_found(error)
    return Message("companion.setup.unknown")


def _why_not_found(error: VisionError) -> Message:
    if error.key in ("vision.board.corners", "vision.board.corners-astray"):
        return Message("companion.setup.astray")
    if error.key == "vision.board.other":
        return Message("companion.setup.other", **error.message.values)
    if error.key == "vision.board.other-print":
        return Message("companion.setup.other-print", **error.message.values)
    return Message("companion.setup.not-found", reason=error)


def why_not_learned(error: VisionError | CalibrationError) -> Message:
    """Why a photo of wagons taught no colours."""
    if error.key == "vision.board.other":  # which board it is was chosen a page ago
        return Message("companion.setup.other-photo", **error.message.values)
    return error.message


def _spaces(seen: Survey, board: Board, scale: float) -> list[DrawnSpace]:
    wagons = {n for name in seen.claimed for n in _rows(board.spaces_of[name])}
    looks = [
        "wagon" if n in wagons else "found" if is_seen else "unseen"
        for n, is_seen in enumerate(seen.seen)
    ]
    quads = seen.spaces_px / scale
    return [DrawnSpace(points_of(quad), look) for quad, look in zip(quads, looks, strict=True)]


def _rows(rows: slice) -> range:
    return range(rows.start, rows.stop)
