"""`companion studio`: proposes the spaces and lines of a board that nobody has taught."""

import argparse
import json
from dataclasses import replace

from calibration.errors import CalibrationError
from calibration.studio.proposal import BoardProposal, propose
from companion.cli.inputs import add_corners_option, read_photo, scale_corners
from companion.cli.language_choice import add_language_option, language_choice
from companion.errors import UnusableInputError, UsageError
from scoring.language import text
from vision.errors import VisionError

LEAST_MM, MOST_MM = 100.0, 2000.0
"""Sides that a board may have; a board file takes no more either."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion studio`."""
    parser.add_argument(
        "action", choices=["propose"], metavar="ACTION", help="companion.help.studio.action"
    )
    parser.add_argument("photo", metavar="PHOTO", help="companion.help.studio.photo")
    add_corners_option(parser, "companion.help.studio.corners")
    parser.add_argument(
        "--size-mm",
        nargs=2,
        type=_side,
        metavar=("W", "H"),
        help="companion.help.studio.size-mm",
    )
    parser.add_argument(
        "--really-empty", action="store_true", help="companion.help.studio.really-empty"
    )
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the photo, print what is proposed."""
    photo = read_photo(arguments.photo)
    corners_px = scale_corners(photo, arguments.corners)
    size_mm = None if arguments.size_mm is None else (arguments.size_mm[0], arguments.size_mm[1])
    try:
        proposal = propose(photo.image_bgr, corners_px, size_mm, arguments.really_empty)
    except (VisionError, CalibrationError) as error:
        raise UnusableInputError.saying(error) from error
    proposal = replace(proposal, corners_px=proposal.corners_px * photo.scale)
    if arguments.json:
        print(json.dumps(proposal.to_json(), ensure_ascii=False))
    else:
        print(_report(proposal, language_choice(arguments.language)))
    return 0


def _side(words: str) -> float:
    """A board's side in mm; raises UsageError, which the parser takes for wrong usage."""
    try:
        side = float(words)
    except ValueError:
        raise UsageError("companion.error.no-length", words=repr(words)) from None
    if not LEAST_MM <= side <= MOST_MM:
        raise UsageError(
            "companion.error.no-side", words=words, least=f"{LEAST_MM:g}", most=f"{MOST_MM:g}"
        )
    return side


def _report(proposal: BoardProposal, language: str) -> str:
    """What was found, in a few lines."""
    lengths = sorted({len(line.spaces) for line in proposal.lines})
    counts = [
        f"{sum(len(line.spaces) == length for line in proposal.lines)} × {length}"
        for length in lengths
    ]
    return text(
        "companion.studio.proposed",
        language,
        spaces=len(proposal.spaces),
        lines=len(proposal.lines),
        lengths=", ".join(counts),
        places=len(proposal.places),
        width=round(proposal.size_mm[0]),
        height=round(proposal.size_mm[1]),
    )
