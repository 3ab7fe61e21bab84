"""`companion serve`: panel, camera, buttons and lamps together."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from companion.cli.box import may_power_off, open_console, power_off
from companion.cli.configured import EMPTY_PHOTO, ConfiguredOptions, report_left_out
from companion.cli.inputs import (
    add_reference_options,
    choose_reference,
    open_or_refuse,
    parse_camera,
)
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import tell
from companion.cli.tellers import home_settings, start_tellers
from companion.cli.troubles import Report, TroubleReporter
from companion.config import BoxConfig, config_path, data_folder, read_config
from companion.copies.desk import CopyDesk
from companion.copies.sticks import find_sticks
from companion.doctor.doctor import examine, urgent
from companion.doctor.findings import CheckResult
from companion.doctor.wiring import wiring_of
from companion.errors import UnusableInputError, UsageError
from companion.log.store import StoreError
from companion.mqtt.hub_settings import hub_of
from companion.mqtt.settings import table_name
from companion.server.let_in_file import LetInError, LetInFile, open_let_in_file
from companion.server.notify import Heartbeat, answers
from companion.server.panel_server import PanelServer
from companion.setup.board_photos import TableBoardPhotos
from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.camera_feed import CameraFeed
from companion.table.eye import Photo
from companion.table.hand_photos.reader import ProcessReader
from companion.table.looks import FRAME_TIMEOUT_S
from companion.table.table import Table, TableConfig
from companion.table.thrift import use_little_memory
from companion.table.vision_eye import VisionEye, VisionWatcher
from companion.table.watching import NewWatcher
from companion.user_files.board_choice import choose_board, games_here
from companion.user_files.game_files import taught_files
from companion.user_files.languages import add_languages
from hardware.cameras.open import open_apart
from hardware.console.key_pad import KeyPad
from scoring.board.board import Board
from scoring.board.readable_print import UnplacedError, refuse_unplaced
from scoring.language import Message, text
from vision.registration.reference import Reference
from web.access.club import Club
from web.access.devices import Devices
from web.access.visitors import Access, HomeTable
from web.ports import Finding


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion serve`."""
    parser.add_argument("--host", help="address to listen on (default: all)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8000 or the next)")
    parser.add_argument("--data", metavar="DIR", help="folder of this table's log and boards")
    parser.add_argument(
        "--camera",
        metavar="SPEC",
        help="auto, pi, v4l2:0, rtsp://…, http://…, replay:DIR or still:FILE (default: none)",
    )
    parser.add_argument("--fps", type=float, help="speed of a replayed folder")
    parser.add_argument("--no-hardware", action="store_true", help="a virtual box on the panel")
    parser.add_argument(
        "--club", action="store_true", help="let in by PIN and link; the others only watch"
    )
    parser.add_argument(
        "--mqtt", metavar="URL", help="tell a home what goes on: mqtt(s)://USER:PASSWORD@HOST"
    )
    parser.add_argument(
        "--hub", metavar="URL", help="tell a club's hub what goes on: mqtts://TABLE:PASSWORD@HOST"
    )
    parser.add_argument("--board", metavar="B", help="the board to offer first, id or file")
    add_reference_options(parser)
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Set up the table and serve its panel until stopped."""
    use_little_memory()
    data = data_folder(arguments.data)
    taught_files(data)  # raises UsageError where the folder is another user's
    let_in_file, config = _club_remembered(data, read_config(data))
    is_port_asked = arguments.port is not None
    configured = ConfiguredOptions(arguments, config, data)
    language = language_choice(arguments.language)
    for trouble in config.troubles:
        print(f"companion serve: {trouble.sentence(language)}", file=sys.stderr)
    for trouble_of_words in add_languages(data):
        print(f"companion serve: {trouble_of_words.text(language)}", file=sys.stderr)
    boards, reference = _boards(arguments, configured, data, language)
    for one in urgent(data):
        print(f"companion serve: {one.message.text(language)}", file=sys.stderr)
    home = home_settings(arguments.mqtt, config)
    hub = config.hub if arguments.hub is None else hub_of(arguments.hub)
    configured.make(lambda: _require_fps(arguments), "fps")
    feed = configured.make(lambda: _feed(arguments), "camera")
    config = replace(config, troubles=(*config.troubles, *configured.troubles))
    console = open_console(arguments, config, language)
    kept = KeptCalibrations(data)
    references = TableReferences(kept, reference)
    eye = VisionEye(references.of)
    hand_reader = ProcessReader()
    reporter = TroubleReporter(data, language)
    report_left_out(configured.troubles, reporter)
    copies = CopyDesk(
        data,
        lambda: table.evening,
        table_name() if home is None else home.name,
        lambda: find_sticks(config.copies),
    )
    table = _lay(
        TableConfig(
            boards,
            data,
            eye,
            feed,
            console,
            _watcher_of(references),
            reporter,
            hand_reader=hand_reader,
            cover_board=eye.cover_board,
            keys=[] if config.keys is None else [KeyPad(config.keys)],
            power_off=power_off if may_power_off(config, console) else None,
            config_trouble=config.troubles[0] if config.troubles else None,
            save_copy=copies.save_by_button,
        )
    )
    if table.evening.no_room is not None:
        print(f"companion serve: {table.evening.no_room.text(language)}", file=sys.stderr)
    access = _access(
        let_in_file,
        arguments.club or config.is_club,
        language,
        _tell_unsaved(table, reporter),
    )
    tellers = start_tellers(table, home, hub, data, language, reporter)
    try:
        shoot = _shoot_with(feed)
        setup = SetupDesk(kept, lambda: table.boards, shoot, references.renew, references.is_given)
        studio = StudioDesk(
            StudioStore(data),
            TaughtBoards(data, table.offer),
            kept,
            lambda: table.boards,
            shoot,
            references.renew,
            hand_reader.read_new if hand_reader.is_installed else None,
            hand_reader.read_map if hand_reader.is_installed else None,
        )
        server: PanelServer
        panel = partial(
            PanelServer,
            table,
            arguments.host,
            language=language,
            extra_hosts=config.hosts,
            access=access,
            setup=setup,
            examine=lambda: _findings(examine(data, port=server.port)),
            urgent=lambda: _findings(urgent(data)),
            studio=studio,
            wiring=lambda language: wiring_of(data, language),
            photos=TableBoardPhotos(references.of),
            copies=copies,
        )
        server = _open(panel, arguments.port, is_port_asked, reporter)
        server.stop_on_signals()
        heartbeat = Heartbeat(lambda: answers(server.own_address))
        heartbeat.start(server.addresses[0])
        for address in server.addresses:
            print(text("companion.serve.open", language, address=address), flush=True)
        if isinstance(access, Club):
            _tell_club(access, server.addresses[0], language)
        try:
            server.serve()
        finally:
            heartbeat.stop()
    finally:
        for teller in tellers:
            teller.close()
        table.close()
    return 0


def _findings(results: Sequence[CheckResult]) -> list[Finding]:
    """What the doctor found, for the panel."""
    return [Finding(status=one.status, message=one.message.to_json()) for one in results]


def _open(
    panel: Callable[..., PanelServer],
    port: int | None,
    is_asked: bool,
    reporter: Report,
) -> PanelServer:
    """The panel on its port; where a configured one cannot be had, on the usual or the next one.

    A port that the command line asks for is taken or nothing is: raises UsageError.
    """
    if port is None:
        reporter("port", None)
    if port is None or is_asked:
        return panel(port=port)
    try:
        server = panel(port=port)
    except UsageError:
        reporter("port", UsageError("companion.error.port-configured", port=port))
        return panel(port=None)
    reporter("port", None)
    return server


def _club_remembered(data: Path, config: BoxConfig) -> tuple[LetInFile, BoxConfig]:
    """The table's file of those let in; a club's table stays one until the configuration says no.

    A power cut may have taken the line that made it one.
    """
    kept = open_let_in_file(data).remembering(config.says_club)
    if config.is_club or not kept.is_club:
        return kept, config
    lost = UsageError(
        "companion.error.box",
        path=config_path(data),
        reason=Message("companion.error.config-club"),
    )
    return kept, replace(config, is_club=True, troubles=(*config.troubles, lost))


def _tell_unsaved(table: Table, reporter: Report) -> Callable[[LetInError | None], None]:
    """Says on panel and terminal where those who were let in could not be saved."""
    reporter("devices", None)

    def tell_unsaved(trouble: LetInError | None) -> None:
        reporter("devices", trouble)
        table.say_unsaved(None if trouble is None else trouble.message)

    return tell_unsaved


def _access(
    kept: LetInFile,
    is_club: bool,
    language: str,
    tell_unsaved: Callable[[LetInError | None], None],
) -> Access:
    """Who may do what: at home everybody, in a club those who were let in."""
    devices = Devices(kept.key)
    if not is_club:
        return HomeTable(devices)

    def tell_pin(pin: str) -> None:
        tell(text("companion.serve.club-pin", language, pin=pin), sys.stdout)

    club = Club(devices, kept.let_in, kept.save_and_tell(tell_unsaved), tell_pin)
    club.save()
    return club


def _tell_club(club: Club, address: str, language: str) -> None:
    """Print how to become the host."""
    pin, link = club.pin.pin, club.link()
    print(text("companion.serve.club", language, pin=pin, address=address, link=link), flush=True)


def _boards(
    arguments: argparse.Namespace, configured: ConfiguredOptions, data: Path, language: str
) -> tuple[list[Board], Reference | None]:
    """Every known board, the requested one first, and the reference of that one."""
    boards, problems = games_here(data)
    for problem in problems:
        print(f"companion serve: {problem.sentence(language)}", file=sys.stderr)
    first = configured.make(lambda: _first_board(arguments, data), "board", *EMPTY_PHOTO)
    if first is None:
        return boards, None
    others = [board for board in boards if board.id != first.id]
    if arguments.camera is not None:
        _warn_of_scoring_only(first, language)
    reference = configured.make(lambda: choose_reference(arguments, first), *EMPTY_PHOTO)
    return [first, *others], reference


def _first_board(arguments: argparse.Namespace, data: Path) -> Board | None:
    """The board to offer first, None where none is asked for, nor its empty photo."""
    if arguments.board is not None:
        return choose_board(arguments.board, data)
    if arguments.reference or arguments.calibration or arguments.really_empty:
        raise UsageError("companion.error.reference-of-which")
    return None


def _warn_of_scoring_only(board: Board, language: str) -> None:
    """Warn that a board without positions is scored, but not read by the camera."""
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        print(f"companion serve: {error.sentence(language)}", file=sys.stderr)


def _require_fps(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a speed that no camera has."""
    if arguments.camera is not None and not 0.01 <= arguments.fps <= 60:
        raise UsageError("companion.error.fps")


def _feed(arguments: argparse.Namespace) -> CameraFeed | None:
    """The camera feed, which opens a device on its own thread.

    Raises UsageError for a wrong specification, UnusableInputError if a recording cannot be read.
    """
    if arguments.camera is None:
        return None
    spec = parse_camera(arguments.camera)
    if not spec.is_live:
        open_or_refuse(spec, arguments.fps, live=True).close()
    return CameraFeed(lambda: open_apart(spec, arguments.fps, live=True))


def _watcher_of(references: TableReferences) -> NewWatcher:
    return lambda board, colours: VisionWatcher(board, colours, references.of)


def _shoot_with(feed: CameraFeed | None) -> Callable[[], Photo] | None:
    """How set-up photographs with the table's camera; None without one."""
    return None if feed is None else lambda: feed.fresh(FRAME_TIMEOUT_S).image_bgr


def _lay(config: TableConfig) -> Table:
    try:
        return Table(config)
    except StoreError as error:
        config.console.close()
        raise UnusableInputError.saying(error) from error
