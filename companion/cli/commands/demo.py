"""`companion demo`: the whole job without a camera, on a drawn board."""

import argparse
import errno
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from companion.cli.demo_report import report, report_drawing
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import tell
from companion.cli.ports import parse_port
from companion.demo.demo import PLAYERS, draw_demo, play, set_up_table
from companion.errors import UsageError
from companion.log.file import StoreError
from companion.server.web_server import PanelServer, require_address
from companion.table.table import Table
from companion.whole_file import FULL
from scoring.language import text
from scoring.language.lists import join_names


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion demo`."""
    parser.add_argument("--no-serve", action="store_true", help="companion.help.demo.no-serve")
    parser.add_argument("--host", default="127.0.0.1", help="companion.help.demo.host")
    parser.add_argument("--port", type=parse_port, metavar="PORT", help="companion.help.demo.port")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw, read, ask, score, print; then serve the panel until stopped."""
    language = language_choice(arguments.language)
    if not arguments.no_serve:
        require_address(arguments.host, arguments.port)
    talk = sys.stderr if arguments.json else sys.stdout
    names = join_names([player.name for player in PLAYERS], language)
    tell(text("companion.demo.start", language, names=names), talk)
    with _folder() as folder:
        scene = draw_demo()
        tell(report_drawing(scene, language), talk)
        table, console = set_up_table(scene, folder)
        try:
            outcome = play(scene, table, console)
            if arguments.json:
                print(json.dumps(outcome.to_json(), ensure_ascii=False, indent=1), flush=True)
            else:
                print(report(outcome, scene.board, language), flush=True)
            if not arguments.no_serve:
                _serve(table, arguments, language, talk)
        finally:
            table.close()
    return 0


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the drawn game, gone afterwards; raises UsageError where there is no room."""
    try:
        with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
            yield Path(folder)
    except StoreError as error:
        raise UsageError.saying(error) from error
    except OSError as error:
        if error.errno not in (*FULL, errno.ENOENT):  # Python finds no folder on a full disk
            raise
        raise UsageError("companion.error.no-room", reason=error) from error


def _serve(table: Table, arguments: argparse.Namespace, language: str, talk: TextIO) -> None:
    """Serve the panel of the demo's table until stopped; SIGTERM ends it like Ctrl-C."""
    server = PanelServer(table, arguments.host, arguments.port, language)
    url = server.addresses[0]
    tell("\n" + text("companion.demo.serving", language, url=url), talk)
    server.stop_on_signals()
    server.serve()
