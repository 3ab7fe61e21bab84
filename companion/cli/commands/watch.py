"""`companion watch`: follows a camera or a recording and prints events as they happen."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable

from companion.cli.inputs import (
    add_reference_options,
    choose_reference,
    open_or_refuse,
    parse_camera,
    parse_players,
)
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import tell
from companion.config import data_folder
from companion.doctor.hardware_notes import spoken
from companion.errors import UnusableInputError, UsageError
from companion.user_files.board_choice import choose_board_to_read
from hardware.cameras.camera import DEFAULT_FPS, Frame, good_frames
from hardware.cameras.open import open_apart
from hardware.cameras.reconnecting import lasting_frames
from hardware.errors import BadPictureError, CameraError, HardwareError
from scoring.board.board import Board
from vision.errors import VisionError
from vision.watch.events import WatchEvent
from vision.watch.watcher import Watcher


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion watch`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="companion.help.watch.source",
    )
    parser.add_argument("--board", required=True, metavar="B", help="companion.help.board")
    parser.add_argument("--players", metavar="red,blue,…", help="companion.help.players")
    add_reference_options(parser)
    parser.add_argument("--fps", type=float, default=DEFAULT_FPS, help="companion.help.fps")
    parser.add_argument("--json", action="store_true", help="companion.help.watch.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch until the recording ends or the program is stopped; a device may go and come back."""
    if not 0.01 <= arguments.fps <= 60:
        raise UsageError("companion.error.fps")
    board = choose_board_to_read(arguments.board, data_folder(None))
    players = parse_players(arguments.players, board)
    spec = parse_camera(arguments.source)
    watcher = Watcher(board, choose_reference(arguments, board), players)
    language = language_choice(arguments.language)
    in_words = _json_line(language) if arguments.json else _sentence(board, language)
    try:
        if spec.is_live:
            _watch(
                lasting_frames(lambda: open_apart(spec, 0.0, True), _news(language)),
                watcher,
                in_words,
            )
        else:
            with open_or_refuse(spec, arguments.fps, live=False) as camera:
                _watch(good_frames(camera, _complaint(language)), watcher, in_words)
    except (CameraError, VisionError) as error:
        raise UnusableInputError.saying(error) from error
    return 0


InWords = Callable[[Frame, WatchEvent], str]


def _complaint(language: str) -> Callable[[BadPictureError], None]:
    def complain(error: BadPictureError) -> None:
        tell(f"companion watch: {error.sentence(language)}", sys.stderr)

    return complain


def _news(language: str) -> Callable[[HardwareError | None], None]:
    def news(trouble: HardwareError | None) -> None:
        tell(f"companion watch: {spoken('camera', trouble, language)}", sys.stderr)

    return news


def _watch(frames: Iterable[Frame], watcher: Watcher, in_words: InWords) -> None:
    frame: Frame | None = None
    for frame in frames:
        for event in watcher.feed(frame.image_bgr, frame.t_s):
            print(in_words(frame, event), flush=True)
    if frame is not None:
        for event in watcher.finish():
            print(in_words(frame, event), flush=True)


def _json_line(language: str) -> InWords:
    def in_words(frame: Frame, event: WatchEvent) -> str:
        name = {} if frame.name is None else {"frame": frame.name}
        return json.dumps({**name, **event.to_json(language)}, ensure_ascii=False)

    return in_words


def _sentence(board: Board, language: str) -> InWords:
    def in_words(frame: Frame, event: WatchEvent) -> str:
        return f"{frame.name or f'{frame.t_s:7.1f} s'}  {event.text(board, language)}"

    return in_words
