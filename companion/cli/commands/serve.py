"""`companion serve`: panel, camera, buttons and lamps together."""

import argparse
import sys
from collections.abc import Sequence

from flask import Flask

from companion.cli.configured import report_left_out
from companion.cli.inputs import add_reference_options
from companion.cli.language_choice import add_language_option
from companion.cli.letting_in import access_to_table, tell_club, unsaved_teller
from companion.cli.new_start import NewStart
from companion.cli.outputs import tell
from companion.cli.ports import parse_port
from companion.cli.serve_options import ServeOptions, options_of
from companion.cli.served_table import ServedTable
from companion.cli.tellers import start_tellers
from companion.cli.troubles import Report, TroubleReporter
from companion.config import data_folder
from companion.copies.restore import take_waiting
from companion.doctor.doctor import examine, urgent
from companion.doctor.findings import GOOD, CheckResult, finding
from companion.doctor.wiring import wiring_of
from companion.errors import UnusableInputError, UsageError
from companion.log.file import StoreError
from companion.server.notify import Heartbeat, answers
from companion.server.web_server import WebServer
from companion.table.camera_feed import CameraFeed
from companion.table.process_memory import use_little_memory
from companion.whole_file import FULL
from scoring.language import text
from web.access.club import Club
from web.access.visitors import Access
from web.app import create_app
from web.ports import Finding


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion serve`."""
    parser.add_argument("--host", help="companion.help.host")
    parser.add_argument("--port", type=parse_port, metavar="PORT", help="companion.help.serve.port")
    parser.add_argument("--data", metavar="DIR", help="companion.help.data")
    parser.add_argument(
        "--camera",
        metavar="SPEC",
        help="companion.help.serve.camera",
    )
    parser.add_argument("--fps", type=float, help="companion.help.fps")
    parser.add_argument(
        "--no-hardware", action="store_true", help="companion.help.serve.no-hardware"
    )
    parser.add_argument("--club", action="store_true", help="companion.help.serve.club")
    parser.add_argument("--mqtt", metavar="URL", help="companion.help.serve.mqtt")
    parser.add_argument("--hub", metavar="URL", help="companion.help.serve.hub")
    parser.add_argument("--board", metavar="B", help="companion.help.serve.board")
    add_reference_options(parser)
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Set up the table and serve its panel until stopped."""
    use_little_memory()
    not_taken = _take_waiting_copy(arguments)
    options = options_of(arguments)
    report = TroubleReporter(options.data, options.language)
    report_left_out(options.left_out, report)
    report("restore", not_taken)
    new_start = NewStart()
    served = ServedTable(options, report, new_start.ask, not_taken)
    table = served.table
    if table.evening.no_room is not None:
        tell(f"companion serve: {table.evening.no_room.text(options.language)}", sys.stderr)
    tell_unsaved = unsaved_teller(table, report)
    access = access_to_table(
        options.let_in, options.is_club, options.language, tell_unsaved, options.config.pin
    )
    tellers = start_tellers(
        table, options.home, options.hub, options.data, options.language, report
    )
    try:
        _serve(options, served, access, report, new_start)
    finally:
        for teller in tellers:
            teller.close()
        table.close()
    new_start.make()
    return 0


def _take_waiting_copy(arguments: argparse.Namespace) -> UsageError | None:
    """Make a copy that waits for this start the table; returns why it could not be."""
    try:
        take_waiting(data_folder(arguments.data))
    except (UnusableInputError, StoreError, OSError) as error:
        if isinstance(error, UnusableInputError) and error.key == "companion.error.table-there":
            return UsageError("companion.restore.not-new")
        if getattr(error, "errno", None) in FULL:
            return UsageError("companion.restore.full")
        return UsageError("companion.restore.not-taken", reason=error)
    return None


def _serve(
    options: ServeOptions,
    served: ServedTable,
    access: Access,
    report: Report,
    new_start: NewStart,
) -> None:
    """Say where the panel is, and serve it until stopped."""
    server = _panel(options, served, access, report)
    server.stop_on_signals(new_start.forget)
    # Of a port that was found the browser that waits for the new start knows nothing else.
    found = [] if server.port == options.port else ["--port", str(server.port)]
    new_start.stop_by(server.stop, found)
    heartbeat = Heartbeat(lambda: answers(server.own_address))
    heartbeat.start(server.addresses[0])
    for address in server.addresses:
        tell(text("companion.serve.open", options.language, address=address), sys.stdout)
    if isinstance(access, Club):
        tell_club(access, server.addresses[0], options.language)
    try:
        server.serve()
    finally:
        heartbeat.stop()


def _panel(options: ServeOptions, served: ServedTable, access: Access, report: Report) -> WebServer:
    """The panel of a table with all its desks; raises UsageError where no port can be had."""
    server: WebServer
    app = create_app(
        served.table,
        language_default=options.language,
        extra_hosts=[*options.config.hosts, options.host],
        access=access,
        setup=served.setup,
        examine=lambda: _findings(
            [*_camera_in_use(options.feed), *examine(options.data, port=server.port)]
        ),
        urgent=lambda: _findings(urgent(options.data)),
        wiring=lambda language: wiring_of(options.data, language),
        own_addresses=lambda: server.reachable,
        studio=served.studio,
        photos=served.photos,
        copies=served.copies,
        restore=served.restore,
    )
    server = _open(app, options, report)
    return server


def _open(app: Flask, options: ServeOptions, report: Report) -> WebServer:
    """The panel on its port; where a configured one cannot be had, on the usual or the next one.

    A port that the command line asks for is taken or nothing is: raises UsageError.
    """
    if options.is_port_asked:
        return WebServer(app, options.host, options.port)
    try:
        server = WebServer(app, options.host, options.port)
    except UsageError:
        if options.port is None:
            raise
        report("port", UsageError("companion.error.port-configured", port=options.port))
        return WebServer(app, options.host, None)
    report("port", None)
    return server


def _camera_in_use(feed: CameraFeed | None) -> list[CheckResult]:
    """Of whatever kind it is; what is wrong with it is among the past troubles."""
    if feed is None or feed.status.status != "ready" or feed.status.trouble is not None:
        return []
    return [finding("camera", GOOD, "camera-in-use")]


def _findings(results: Sequence[CheckResult]) -> list[Finding]:
    """What the doctor found, for the panel."""
    return [Finding(status=one.status, message=one.message.to_json()) for one in results]
