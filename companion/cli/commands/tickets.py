"""`companion tickets`: reads the ticket cards in photos of one hand."""

import argparse
import json
from collections.abc import Sequence

from companion.cli.inputs import read_photo
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import refuse_to_overwrite
from companion.cli.photo_results import hand_in_file_pixels, refused_photo
from companion.cli.picture_file import picture_path, write_picture
from companion.cli.ticket_report import ticket_report
from companion.config import data_folder
from companion.user_files.board_choice import choose_board
from scoring.board.board import Board
from vision.errors import VisionError
from vision.images.photo import Photo
from vision.tickets.overlay import draw_tickets
from vision.tickets.reader import read_tickets
from vision.tickets.reading import HandReading


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion tickets`."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="companion.help.tickets.photos")
    parser.add_argument("--board", required=True, metavar="B", help="companion.help.board")
    parser.add_argument("--overlay", metavar="OUT.png", help="companion.help.tickets.overlay")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the photos, print the tickets, write the overlay."""
    board = choose_board(arguments.board, data_folder(None))
    overlay = None if arguments.overlay is None else picture_path(arguments.overlay)
    if overlay is not None:
        refuse_to_overwrite(overlay, *arguments.photos, arguments.board)
    photos = [read_photo(name, colours_matter=False) for name in arguments.photos]
    reading = _read(photos, board, arguments.photos)
    names = {place.id: place.name for place in board.places}
    language = language_choice(arguments.language)
    try:
        if overlay is not None:
            write_picture(overlay, draw_tickets(photos[0].image_bgr, reading, 0, names.__getitem__))
    finally:  # a picture that finds no room takes no ticket away
        reading = hand_in_file_pixels(reading, photos)
        if arguments.json:
            print(json.dumps(reading.to_json(language), ensure_ascii=False))
        else:
            print(ticket_report(reading, board, language))
    return 0


def _read(photos: Sequence[Photo], board: Board, names: Sequence[str]) -> HandReading:
    """Raises UnusableInputError, naming the photo that is meant where there are several."""
    try:
        return read_tickets([photo.image_bgr for photo in photos], board)
    except VisionError as error:
        raise refused_photo(error, names) from error
