"""Photos, cameras, references and colours of the command line, as vision takes them.

Wrong words are wrong usage (UsageError); a photo or a device that cannot be used is
UnusableInputError.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration
from calibration.errors import CalibrationError
from calibration.files import load_calibration
from companion.cli.language_choice import language_choice
from companion.cli.outputs import tell
from companion.errors import UnusableInputError, UsageError
from companion.user_files.board_choice import require_positions
from hardware.cameras.camera import DEFAULT_FPS, Camera, CameraSpec
from hardware.cameras.open import open_apart, parse_spec
from hardware.errors import CameraError, CameraSpecError
from scoring.board.board import Board
from scoring.game.colours import colour_named
from scoring.language import Message, text
from vision.empty_board import make_reference, named_routes
from vision.errors import NotEmptyError, VisionError
from vision.images.photo import Photo, open_photo
from vision.images.plain_file import open_plain
from vision.registration.reference import Reference

WARM_UP_FRAMES = 3
"""Frames to skip before one is kept, while exposure and focus settle."""


def add_reference_options(parser: argparse.ArgumentParser) -> None:
    """Give a command `--reference` and `--calibration`."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--reference", metavar="EMPTY", help="companion.help.reference")
    which.add_argument("--calibration", metavar="FILE", help="companion.help.calibration")
    add_vouching_option(parser)


def add_vouching_option(parser: argparse.ArgumentParser) -> None:
    """Give a command `--really-empty`."""
    parser.add_argument(
        "--really-empty",
        action="store_true",
        help="companion.help.really-empty",
    )


def add_corners_option(parser: argparse.ArgumentParser, explained: str) -> None:
    """Give a command `--corners`; the key of its help says in which photo they are."""
    parser.add_argument(
        "--corners",
        nargs=4,
        type=parse_corner,
        metavar="x,y",
        help=explained,
    )


def parse_corner(words: str) -> tuple[float, float]:
    """A corner from `x,y`; raises UsageError, which the parser takes for wrong usage."""
    try:
        x, y = (float(number) for number in words.split(","))
    except ValueError:
        raise UsageError("companion.error.no-corner", words=repr(words)) from None
    return x, y


def read_photo(name: str, *, colours_matter: bool = True) -> Photo:
    """A photo file; raises UsageError if it isn't there, UnusableInputError if it is no photo."""
    try:
        return open_photo(Path(name), colours_matter=colours_matter)
    except VisionError as error:
        raise UnusableInputError.saying(error) from error
    except FileNotFoundError:
        raise UsageError("companion.error.no-file", path=name) from None
    except OSError as error:
        raise UsageError("companion.error.cannot-read", path=name, reason=error) from None


def require_file(path: Path) -> None:
    """Raise UsageError where there is no ordinary file that can be opened."""
    try:
        open_plain(path).close()
    except FileNotFoundError:
        raise UsageError("companion.error.no-file", path=path) from None
    except OSError as error:
        raise UsageError("companion.error.cannot-read", path=path, reason=error) from None


def scale_corners(
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


def choose_reference(arguments: argparse.Namespace, board: Board) -> Reference | None:
    """The empty board of `--reference` or `--calibration`, None if neither is given.

    Routes that look claimed on it are named on stderr. Raises as `read_photo`.
    """
    if arguments.calibration is None and arguments.reference is None:
        if arguments.really_empty:
            raise UsageError("companion.error.really-empty-of-what")
        return None
    require_positions(board)
    if arguments.calibration is not None:
        kept = load_reference(arguments.calibration, board)
        reference = replace(kept, vouched=kept.vouched or arguments.really_empty)
    else:
        reference = _reference_from_photo(arguments.reference, board, arguments.really_empty)
    told = warn_of_claimed(reference, board, language_choice(arguments.language))
    if told is not None:
        tell(told, sys.stderr)
    return reference


def _reference_from_photo(name: str, board: Board, really_empty: bool) -> Reference:
    empty = read_photo(name)
    try:
        return make_reference(empty.image_bgr, board, really_empty=really_empty)
    except VisionError as error:
        raise UnusableInputError(
            "companion.error.reference", path=name, reason=explain_refusal(error)
        ) from error


def explain_refusal(error: VisionError) -> VisionError | UnusableInputError:
    """The error; if the photo seems to show wagons, also how a person overrides that."""
    if isinstance(error, NotEmptyError):
        return UnusableInputError("companion.error.not-empty", reason=error)
    return error


def warn_of_claimed(reference: Reference, board: Board, language: str) -> str | None:
    """The warning about routes that look claimed on the empty board, None if there are none."""
    if not reference.looks_claimed or reference.vouched:
        return None
    routes = named_routes(reference.looks_claimed, board)
    return text("companion.reference.unsure", language, routes=routes)


def load_reference(name: str, board: Board) -> Reference:
    """The empty board of a calibration file; raises as `load_calibration_file`."""
    try:
        return load_calibration_file(name).reference(board)
    except CalibrationError as error:
        raise UnusableInputError.saying(error) from error


def load_calibration_file(name: str) -> Calibration:
    """A calibration by its file's name; raises UsageError and UnusableInputError."""
    require_file(Path(name))  # what cannot be opened at all is no damaged calibration
    try:
        return load_calibration(Path(name))
    except CalibrationError as error:
        raise UnusableInputError.saying(error) from error


def parse_camera(words: str) -> CameraSpec:
    """The camera of a `--camera` or SOURCE; raises UsageError."""
    try:
        return parse_spec(words)
    except CameraSpecError as error:
        raise UsageError.saying(error) from error


def open_or_refuse(spec: CameraSpec, fps: float, live: bool) -> Camera:
    """The camera itself; raises UsageError for an empty folder, UnusableInputError if it fails."""
    try:
        return open_apart(spec, fps, live)
    except CameraSpecError as error:
        raise UsageError.saying(error) from error
    except CameraError as error:
        raise UnusableInputError.saying(error) from error


def take_photo(words: str) -> Photo:
    """One settled picture of a camera; raises as `open_or_refuse`."""
    spec = parse_camera(words)
    with open_or_refuse(spec, DEFAULT_FPS, live=True) as camera:
        try:
            for _ in range(WARM_UP_FRAMES if spec.is_live else 0):
                camera.read()
            return Photo(camera.read().image_bgr, 1.0)
        except CameraError as error:
            raise UnusableInputError.saying(error) from error


def parse_players(words: str | None, board: Board) -> Sequence[str] | None:
    """The colours in play from `red,blue`, also by their names in any language of the program.

    Raises UsageError for one that the board hasn't.
    """
    if words is None:
        return None
    typed = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in typed if colour_named(word) not in board.player_colours]
    if unknown or not typed:
        raise UsageError(
            "companion.error.unknown-colour" if typed else "companion.error.no-colours",
            colours=", ".join(unknown)[:80],
            board=board.id,
            known=[Message(f"companion.option.colour.{c}") for c in board.player_colours],
        )
    return tuple(dict.fromkeys(map(colour_named, typed)))
