"""Photos, corners and references as the command line names them, turned into what vision reads."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.files import load_calibration
from companion.cli.language_choice import language_choice
from companion.errors import UnusableInputError, UsageError
from companion.user_files.board_choice import require_positions
from scoring.board.board import Board
from scoring.documents.plain_file import NotPlainFileError, why
from scoring.language import text
from vision.empty_board import make_reference, named_routes
from vision.errors import NotEmptyError, VisionError
from vision.images.photo import Photo, open_photo
from vision.registration.reference import Reference


def add_reference_options(parser: argparse.ArgumentParser) -> None:
    """Give a command `--reference` and `--calibration`."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--reference", metavar="EMPTY", help="photo of this table's empty board")
    which.add_argument("--calibration", metavar="FILE", help="what `companion calibrate` wrote")
    add_vouching_option(parser)


def add_vouching_option(parser: argparse.ArgumentParser) -> None:
    """Give a command `--really-empty`."""
    parser.add_argument(
        "--really-empty",
        action="store_true",
        help="I have looked: the photo of the empty board shows no wagons, whatever it looks like",
    )


def add_corners_option(parser: argparse.ArgumentParser, of: str) -> None:
    """Give a command `--corners`."""
    parser.add_argument(
        "--corners",
        nargs=4,
        type=corner,
        metavar="x,y",
        help=f"the board's corners in {of}, in pixels: top-left, top-right, bottom-right, "
        "bottom-left as printed",
    )


def corner(words: str) -> tuple[float, float]:
    """A corner from `x,y`; raises ArgumentTypeError, which argparse turns into wrong usage."""
    try:
        x, y = (float(number) for number in words.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is no corner; write x,y") from None
    return x, y


def photo_of(name: str) -> Photo:
    """A photo file; raises UsageError if it isn't there, UnusableInputError if it is no photo."""
    try:
        return open_photo(Path(name))
    except VisionError as error:
        raise UnusableInputError.saying(error) from error
    except FileNotFoundError:
        raise UsageError("companion.error.no-file", path=name) from None
    except OSError as error:
        raise UsageError("companion.error.cannot-read", path=name, reason=why(error)) from None


def corners_in(
    photo: Photo, corners: Sequence[tuple[float, float]] | None
) -> NDArray[np.float64] | None:
    """Corners given in the file's pixels, in those of the decoded photo: shape (4, 2).

    Raises UsageError where one lies farther outside the photo than the photo is wide or high.
    """
    if corners is None:
        return None
    height, width = (side * photo.scale for side in photo.image_bgr.shape[:2])
    for x, y in corners:
        if not (-width <= x <= 2 * width and -height <= y <= 2 * height):  # nor is NaN inside
            raise UsageError(
                "companion.error.far-corner",
                corner=f"{x:g},{y:g}",
                width=round(width),
                height=round(height),
            )
    return np.array(corners, np.float64) / photo.scale


def reference_of(arguments: argparse.Namespace, board: Board) -> Reference | None:
    """The empty board of `--reference` or `--calibration`, None if neither is given.

    Routes of it that look claimed are named on stderr. Raises UsageError and UnusableInputError as
    `photo_of`.
    """
    if arguments.calibration is None and arguments.reference is None:
        if arguments.really_empty:
            raise UsageError("companion.error.really-empty-of-what")
        return None
    require_positions(board)
    if arguments.calibration is not None:
        kept = calibrated(arguments.calibration, board)
        reference = replace(kept, vouched=kept.vouched or arguments.really_empty)
    else:
        reference = _photographed(arguments.reference, board, arguments.really_empty)
    told = unsure_of(reference, board, language_choice(arguments.language))
    if told is not None:
        print(told, file=sys.stderr)
    return reference


def _photographed(name: str, board: Board, really_empty: bool) -> Reference:
    empty = photo_of(name)
    try:
        return make_reference(empty.image_bgr, board, really_empty=really_empty)
    except VisionError as error:
        raise UnusableInputError(
            "companion.error.reference", path=name, reason=with_a_way_on(error)
        ) from error


def with_a_way_on(error: VisionError) -> VisionError | UnusableInputError:
    """The error, and how a person who knows better vouches for the photo, where that helps."""
    if isinstance(error, NotEmptyError):
        return UnusableInputError("companion.error.not-empty", reason=error)
    return error


def unsure_of(reference: Reference, board: Board, language: str) -> str | None:
    """What to say of an empty board some of whose routes look claimed; None if nothing."""
    if not reference.looks_claimed or reference.vouched:
        return None
    routes = named_routes(reference.looks_claimed, board)
    return text("companion.reference.unsure", language, routes=routes)


def calibrated(name: str, board: Board) -> Reference:
    """The empty board of a calibration file."""
    try:
        return load_calibration(Path(name)).reference(board)
    except FileNotFoundError:
        raise UsageError("companion.error.no-file", path=name) from None
    except NotPlainFileError as error:
        raise UsageError("companion.error.cannot-read", path=name, reason=error) from None
    except CalibrationError as error:
        raise UnusableInputError.saying(error) from error
