"""`companion scan`: reads photos of a board."""

import argparse
import json

from companion.cli.inputs import (
    add_corners_option,
    add_reference_options,
    choose_reference,
    parse_players,
    read_photo,
    scale_corners,
)
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import refuse_to_overwrite
from companion.cli.photo_results import reading_in_file_pixels, refused_photo
from companion.cli.picture_file import picture_path, write_picture
from companion.cli.scan_report import scan_report
from companion.config import data_folder
from companion.user_files.board_choice import choose_board_to_read
from vision.errors import VisionError
from vision.overlay import draw_overlay
from vision.reader import read_photos


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion scan`."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="companion.help.scan.photos")
    parser.add_argument("--board", required=True, metavar="B", help="companion.help.board")
    parser.add_argument("--players", metavar="red,blue,…", help="companion.help.players")
    add_reference_options(parser)
    add_corners_option(parser, "companion.help.scan.corners")
    parser.add_argument("--overlay", metavar="OUT.png", help="companion.help.scan.overlay")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the photos, print the reading, write the overlay."""
    board = choose_board_to_read(arguments.board, data_folder(None))
    players = parse_players(arguments.players, board)
    overlay = None if arguments.overlay is None else picture_path(arguments.overlay)
    if overlay is not None:
        read = (arguments.reference, arguments.calibration, arguments.board)
        refuse_to_overwrite(overlay, *arguments.photos, *read)
    reference = choose_reference(arguments, board)
    photos = [read_photo(name) for name in arguments.photos]
    images_bgr = [photo.image_bgr for photo in photos]
    corners_px = scale_corners(photos[0], arguments.corners)
    try:
        reading = read_photos(
            images_bgr, board, reference=reference, corners_px=corners_px, players=players
        )
    except VisionError as error:
        raise refused_photo(error, arguments.photos) from error
    language = language_choice(arguments.language)
    try:
        if overlay is not None:
            write_picture(overlay, draw_overlay(photos[0].image_bgr, board, reading))
    finally:  # a picture that finds no room takes no reading away
        reading = reading_in_file_pixels(reading, photos[0])
        if arguments.json:
            print(json.dumps(reading.to_json(language), ensure_ascii=False))
        else:
            print(scan_report(reading, board, language))
    return 0
