"""`companion height`: how high the camera hangs over a board, how sharp it sees, how much light."""

import argparse
import math
from collections.abc import Sequence

from companion.cli.language_choice import add_language_option, language_choice
from companion.config import data_folder
from companion.errors import UsageError
from companion.user_files.board_choice import choose_board
from hardware.cameras.optics import ENOUGH_PX_PER_MM, GAIN_ISO, LENSES, SHUTTER_S, Lens, hang
from scoring.board.board import Board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.language import text

PLAUSIBLE_DEG = (5.0, 170.0)

USUAL_PIXELS, USUAL_F_NUMBER = (1920, 1080), 2.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion height`."""
    parser.add_argument("--board", metavar="B", help="companion.help.height.board")
    parser.add_argument(
        "--angles", nargs=2, type=float, metavar="DEG", help="companion.help.height.angles"
    )
    parser.add_argument(
        "--pixels",
        nargs=2,
        type=int,
        metavar="N",
        help="companion.help.height.pixels",
    )
    parser.add_argument(
        "--f-number",
        type=float,
        metavar="F_NUMBER",
        help="companion.help.height.f-number",
    )
    parser.add_argument(
        "--margin", type=float, default=4.0, metavar="CM", help="companion.help.height.margin"
    )
    parser.add_argument("--data", metavar="DIR", help="companion.help.height.data")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each board."""
    language = language_choice(arguments.language)
    lenses = _lenses(arguments)
    if not 0 <= arguments.margin <= 100:
        raise UsageError("companion.height.margin")
    data = data_folder(arguments.data)
    names = BOARDS_WITH_DATA if arguments.board is None else [arguments.board]
    for board in [choose_board(name, data) for name in names]:
        print("\n".join(_table(board, lenses, arguments.margin * 10, language)), end="\n\n")
    exposure = f"1/{1 / SHUTTER_S:.0f}"
    print(text("companion.height.light", language, exposure=exposure, iso=GAIN_ISO))
    print(text("companion.height.sharp", language, least=ENOUGH_PX_PER_MM))
    return 0


def _lenses(arguments: argparse.Namespace) -> Sequence[Lens]:
    pixels, f_number = arguments.pixels, arguments.f_number
    pixels = USUAL_PIXELS if pixels is None else tuple(pixels)
    f_number = USUAL_F_NUMBER if f_number is None else f_number
    if min(pixels) < 1 or not 0.5 <= f_number <= 32:
        raise UsageError("companion.height.camera")
    if arguments.angles is None:
        if (arguments.pixels, arguments.f_number) != (None, None):
            raise UsageError("companion.height.no-angles")
        return LENSES
    least, most = PLAUSIBLE_DEG
    across, down = arguments.angles
    if not all(least <= angle <= most for angle in (across, down)):
        raise UsageError("companion.height.angles", least=f"{least:g}", most=f"{most:g}")
    name = f"{across:g}° × {down:g}°"
    return [Lens(name, across, down, pixels, f_number)]


def _table(board: Board, lenses: Sequence[Lens], margin_mm: float, language: str) -> list[str]:
    size_mm = board.frame.size_mm
    long_cm, short_cm = max(size_mm) / 10, min(size_mm) / 10
    rows = [
        text(
            "companion.height.board",
            language,
            board=board.name,
            long=round(long_cm, 1),
            short=round(short_cm, 1),
        )
    ]
    for lens in lenses:
        at = hang(lens, size_mm, margin_mm)
        row = text(
            "companion.height.row",
            language,
            height=math.ceil(at.height_mm / 10),
            sharp=round(at.px_per_mm, 1),
            lux=10 * round(at.lux / 10),
        )
        rows.append(f"  {lens.name:22} {row}{'' if at.is_sharp else ' ✗'}")
    return rows
