"""`companion calibrate`: makes a calibration file from photos or the camera, and prints markers."""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration, moment_now
from calibration.check import check_calibration
from calibration.errors import CalibrationError
from calibration.files import calibration_bytes
from calibration.make import add_wagon_colours, make_calibration
from calibration.marker_sheet import markers_page, markers_pdf, markers_png
from calibration.wagon_colours import look_alike
from companion.cli.inputs import (
    add_corners_option,
    add_vouching_option,
    explain_refusal,
    load_calibration_file,
    parse_camera,
    read_photo,
    scale_corners,
    take_photo,
    warn_of_claimed,
)
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import refuse_to_overwrite, require_writable, write_output
from companion.config import data_folder
from companion.errors import UnusableInputError, UsageError
from companion.user_files.board_choice import choose_board_to_read
from scoring.board.board import Board
from scoring.language import Message, text
from vision.empty_board import named_routes
from vision.errors import VisionError
from vision.images.photo import Photo

OLD = "companion.error.calibration-old"


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion calibrate`."""
    parser.add_argument("--board", metavar="B", help="companion.help.board")
    empty = parser.add_mutually_exclusive_group(required=True)
    empty.add_argument("--empty", metavar="PHOTO", help="companion.help.calibrate.empty")
    empty.add_argument("--camera", metavar="SPEC", help="companion.help.calibrate.camera")
    empty.add_argument(
        "--print-markers",
        metavar="OUT",
        help="companion.help.calibrate.print-markers",
    )
    empty.add_argument("--check", metavar="PHOTO", help="companion.help.calibrate.check")
    parser.add_argument(
        "--calibration", metavar="FILE", help="companion.help.calibrate.calibration"
    )
    add_corners_option(parser, "companion.help.calibrate.corners")
    add_vouching_option(parser)
    parser.add_argument("--wagons", metavar="PHOTO", help="companion.help.calibrate.wagons")
    parser.add_argument("-o", "--output", metavar="FILE", help="companion.help.calibrate.output")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Find the board and its spaces, measure the wagons, write the file."""
    language = language_choice(arguments.language)
    if arguments.print_markers is not None:
        return _print_markers(arguments.print_markers, language)
    if arguments.check is not None:
        return _check(arguments, language)
    if arguments.calibration is not None:
        raise UsageError("companion.error.calibration-of-what")
    if arguments.board is None or arguments.output is None:
        raise UsageError("companion.error.calibrate-needs")
    _refuse_own_input(arguments)
    require_writable(Path(arguments.output))
    board = choose_board_to_read(arguments.board, data_folder(None))
    camera = arguments.camera
    empty = read_photo(arguments.empty) if camera is None else take_photo(camera)
    corners_px = scale_corners(empty, arguments.corners)
    # Read before the minute's work: a missing file is known at once.
    wagons = None if arguments.wagons is None else read_photo(arguments.wagons)
    calibration = _calibrate(empty, board, corners_px, arguments.really_empty)
    if wagons is not None:
        calibration = _with_wagons(calibration, board, arguments.wagons, wagons)
    write_output(Path(arguments.output), calibration_bytes(calibration))
    print(_report(calibration, board, arguments.output, language))
    return 0


def _refuse_own_input(arguments: argparse.Namespace) -> None:
    """Raise UsageError where the calibration would take the place of what it is made from."""
    picture = parse_camera(arguments.camera).where if arguments.camera else ""
    read = (arguments.empty, arguments.wagons, arguments.board, picture or None)
    refuse_to_overwrite(Path(arguments.output), *read)


def _check(arguments: argparse.Namespace, language: str) -> int:
    """Say in one sentence whether a calibration still holds; exit code 3 if it does not."""
    path = arguments.calibration
    if path is None:
        raise UsageError("companion.error.check-what")
    calibration = load_calibration_file(path)
    board = choose_board_to_read(arguments.board or calibration.board_id, data_folder(None))
    photo = read_photo(arguments.check)
    try:
        found = check_calibration(calibration, board, photo.image_bgr)
    except CalibrationError as error:
        raise UnusableInputError.saying(error) from error
    except VisionError as error:
        raise UnusableInputError(OLD, path=path, reason=error) from None
    if not found.holds:
        off = Message("companion.calibrate.off", error=round(found.error_mm, 1))
        raise UnusableInputError(OLD, path=path, reason=off)
    key = "companion.calibrate.holds"
    if found.lamp_changed:
        key = "companion.calibrate.holds-lamp"
    elif found.is_elsewhere:
        key = "companion.calibrate.holds-moved"
    print(text(key, language, path=path, error=round(found.error_mm, 1)))
    return 0


def _calibrate(
    empty: Photo, board: Board, corners_px: NDArray[np.float64] | None, really_empty: bool
) -> Calibration:
    try:
        return make_calibration(
            empty.image_bgr, board, moment_now(), corners_px=corners_px, really_empty=really_empty
        )
    except VisionError as error:
        raise UnusableInputError.saying(explain_refusal(error)) from error


def _with_wagons(calibration: Calibration, board: Board, name: str, wagons: Photo) -> Calibration:
    try:
        return add_wagon_colours(calibration, board, wagons.image_bgr)
    except VisionError as error:
        raise UnusableInputError("companion.error.photo", path=name, reason=error) from error
    except CalibrationError as error:
        raise UnusableInputError.saying(error) from error


def _print_markers(name: str, language: str) -> int:
    formats = {".png": markers_png, ".pdf": markers_pdf}
    path = Path(name)
    if path.suffix.lower() not in formats:
        raise UsageError("companion.error.markers-name", path=name)
    write_output(path, formats[path.suffix.lower()](markers_page()))
    print(text("companion.calibrate.markers", language, path=name))
    return 0


def _report(calibration: Calibration, board: Board, path: str, language: str) -> str:
    names = {c: text(f"scoring.colour.{c}", language) for c in calibration.wagon_colours}
    done = text(
        "companion.calibrate.done" if names else "companion.calibrate.done-without-wagons",
        language,
        path=path,
        board=calibration.board_id,
        spaces=len(calibration.spaces_px),
        colours=", ".join(names.values()),
    )
    alike = [
        text("companion.calibrate.alike", language, one=names[one], other=names[other])
        for one, other in look_alike(calibration.wagon_colours)
    ]
    return "\n".join([done, *alike, *_of_looks(calibration, board, language)])


def _of_looks(calibration: Calibration, board: Board, language: str) -> list[str]:
    """What to say of routes that looked claimed on the empty photo."""
    if calibration.vouched and calibration.looks_claimed:
        routes = named_routes(calibration.looks_claimed, board)
        return [text("companion.reference.vouched", language, routes=routes)]
    told = warn_of_claimed(calibration.reference(board), board, language)
    return [] if told is None else [told]
