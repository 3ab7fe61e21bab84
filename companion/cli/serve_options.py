"""What command line and configuration ask of `companion serve`, as far as it can be had."""

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.cli.box import open_console
from companion.cli.configured import EMPTY_PHOTO, ConfiguredOptions
from companion.cli.inputs import choose_reference, open_or_refuse, parse_camera
from companion.cli.language_choice import known_language, language_choice
from companion.cli.letting_in import club_remembered
from companion.cli.outputs import tell
from companion.cli.tellers import home_settings
from companion.config import BoxConfig, data_folder, read_config, require_readable
from companion.doctor.doctor import urgent
from companion.errors import UsageError
from companion.mqtt.hub_settings import HubSettings, hub_for_now
from companion.mqtt.settings import HomeSettings
from companion.server.let_in_file import LetInFile
from companion.server.web_server import require_address
from companion.table.camera_feed import CameraFeed
from companion.user_files.board_choice import choose_board, game_called, games_here
from companion.user_files.languages import add_languages
from hardware.cameras.open import open_apart
from hardware.console.console import Console
from scoring.board.board import Board
from scoring.board.readable_print import UnplacedError, refuse_unplaced
from scoring.language import languages
from vision.registration.reference import Reference

HOST_WAIT_S = 20.0
"""So long a configured address is waited for: a box may start before its network."""

HOST_AGAIN_S = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class ServeOptions:
    """What is to be served; `config.troubles` tells what is wrong with the configuration.

    `left_out` are those of its options that cannot be used.
    """

    data: Path
    language: str
    config: BoxConfig
    left_out: Sequence[UsageError]
    host: str
    port: int | None
    is_port_asked: bool
    """Whether the command line names the port."""
    is_club: bool
    """Also where the configured address is not there: it said who reaches the panel."""
    let_in: LetInFile
    boards: Sequence[Board]
    reference: Reference | None
    """The photo of the empty board that goes with the first of them."""
    feed: CameraFeed | None
    console: Console
    home: HomeSettings | None
    hub: HubSettings | None


def options_of(arguments: argparse.Namespace) -> ServeOptions:
    """What is asked for; what is wrong and can be left out is told on the terminal.

    Raises UsageError and UnusableInputError.
    """
    data = data_folder(arguments.data)
    require_readable(data, "serve")
    let_in, config = club_remembered(data, read_config(data))
    is_port_asked = arguments.port is not None
    is_host_asked = arguments.host is not None
    configured = ConfiguredOptions(arguments, config, data)
    of_its_own = list(add_languages(data))
    configured.make(lambda: _require_language(arguments), "language")
    language = language_choice(arguments.language)
    host = arguments.host
    if not is_host_asked:
        configured.make(lambda: _require_host(arguments), "host")
    if is_port_asked or is_host_asked:
        require_address(arguments.host, arguments.port if is_port_asked else None)
    home = home_settings(arguments.mqtt, config)
    hub = config.hub if arguments.hub is None else hub_for_now(arguments.hub, config.hub)
    _warn(trouble.sentence(language) for trouble in config.troubles)
    _warn(trouble.text(language) for trouble in of_its_own)
    boards, reference = _boards(arguments, configured, data, language)
    _warn(one.message.text(language) for one in urgent(data))
    configured.make(lambda: _require_fps(arguments), "fps")
    feed = configured.make(lambda: _feed(arguments), "camera")
    config = replace(config, troubles=(*config.troubles, *configured.troubles))
    return ServeOptions(
        data=data,
        language=language,
        config=config,
        left_out=configured.troubles,
        host=arguments.host,
        port=arguments.port,
        is_port_asked=is_port_asked,
        is_club=arguments.club or config.is_club or arguments.host != host,
        let_in=let_in,
        boards=boards,
        reference=reference,
        feed=feed,
        console=open_console(arguments, config, language),
        home=home,
        hub=None if hub is None else hub.told_in(language),
    )


def _warn(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        tell(f"companion serve: {sentence}", sys.stderr)


def _boards(
    arguments: argparse.Namespace, configured: ConfiguredOptions, data: Path, language: str
) -> tuple[list[Board], Reference | None]:
    """Every known board, the requested one first, and the reference of that one."""
    boards, problems = games_here(data)
    _warn(problem.sentence(language) for problem in problems)
    first = configured.make(lambda: _first_board(arguments, boards, data), "board", *EMPTY_PHOTO)
    if first is None:
        return boards, None
    others = [board for board in boards if board.id != first.id]
    if arguments.camera is not None:
        _warn_of_scoring_only(first, language)
    reference = configured.make(lambda: choose_reference(arguments, first), *EMPTY_PHOTO)
    return [first, *others], reference


def _first_board(
    arguments: argparse.Namespace, boards: Sequence[Board], data: Path
) -> Board | None:
    """The board to offer first, None where none is asked for, nor its empty photo."""
    if arguments.board is not None:
        return game_called(arguments.board, boards) or choose_board(arguments.board, data)
    if arguments.reference or arguments.calibration or arguments.really_empty:
        raise UsageError("companion.error.reference-of-which")
    return None


def _warn_of_scoring_only(board: Board, language: str) -> None:
    """Warn that a board without positions is scored, but not read by the camera."""
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        _warn([error.sentence(language)])


def _require_host(arguments: argparse.Namespace) -> None:
    """Raise UsageError where nothing can be served at the configured address."""
    end_s = time.monotonic() + HOST_WAIT_S
    while True:
        try:
            return require_address(arguments.host, 0)
        except UsageError as error:
            if time.monotonic() > end_s:
                values = error.message.values
                raise UsageError("companion.error.host-configured", **values) from error
        time.sleep(HOST_AGAIN_S)


def _require_language(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a language that there is none of; the locale's is no option."""
    given = arguments.language
    if given is not None and known_language(given) is None:
        known = ", ".join(languages())
        raise UsageError("companion.error.language", given=given[:80], known=known)


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
