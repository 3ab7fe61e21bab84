"""`companion hub`: the tables of a whole room, from a broker into a database and onto pages."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.letting_in import club_of
from companion.cli.outputs import tell
from companion.cli.ports import parse_port
from companion.config import data_folder
from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address
from companion.server.let_in_file import LetInError, LetInFile, open_let_in_file
from companion.server.web_server import WebServer, require_address
from companion.typed_path import path_of
from companion.user_files.board_choice import games_here
from scoring.board.board import Board
from scoring.language import Message, text
from web.access.club import Club
from web.access.pin import own_pin

if TYPE_CHECKING:
    from companion.hub.club.desk import ClubDesk
    from companion.hub.receiver import Receiver
    from companion.hub.room import Room

PACKAGES = ("psycopg", "psycopg_pool", "yoyo", "openskill", "highspy")
"""What the extra `hub` installs."""

USUAL_PORT = 8080
"""Beside a table's panel on the same machine."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion hub`."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=["serve", "setup"],
        default="serve",
        metavar="ACTION",
        help="companion.help.hub.action",
    )
    parser.add_argument("--folder", metavar="DIR", help="companion.help.hub.folder")
    parser.add_argument("--broker-host", metavar="NAME", help="companion.help.hub.broker-host")
    parser.add_argument(
        "--tables", type=int, metavar="TABLES", default=1, help="companion.help.hub.tables"
    )
    parser.add_argument("--shut-out", metavar="TABLE", help="companion.help.hub.shut-out")
    parser.add_argument("--database", metavar="URL", help="companion.help.hub.database")
    parser.add_argument("--broker", metavar="URL", help="companion.help.hub.broker")
    parser.add_argument("--host", default="0.0.0.0", help="companion.help.host")
    parser.add_argument(
        "--port",
        type=parse_port,
        metavar="PORT",
        default=USUAL_PORT,
        help="companion.help.hub.port",
    )
    parser.add_argument("--data", metavar="DIR", help="companion.help.hub.data")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Set up the club's broker, or serve the room's pages until stopped."""
    if arguments.action == "setup":
        return _set_up(arguments)
    _refuse_without_packages()
    from companion.hub.club.desk import ClubDesk
    from companion.hub.database import USUAL_ADDRESS, Database
    from companion.hub.receiver import Receiver
    from companion.hub.room import Room

    language = language_choice(arguments.language)
    require_address(arguments.host, arguments.port)
    kept = open_let_in_file(data_folder(arguments.data) / "hub")
    boards = _boards_here(arguments.data, language)
    broker = _broker_of(arguments.broker)
    with Database.open(arguments.database or USUAL_ADDRESS) as database:
        room = Room(boards, database.keep_shut_out)
        access = _access_to_room(kept, room, language)
        receiver = None if broker is None else Receiver(broker, database, room)
        tell_round = (lambda *told: None) if receiver is None else receiver.tell_round
        forgotten = (lambda: None) if receiver is None else receiver.work_out_anew
        desk = ClubDesk(database, room, boards, tell_round, forgotten)
        _serve(arguments, language, room, access, desk, receiver)
    return 0


def _boards_here(data: str | None, language: str) -> dict[str, Board]:
    """The boards by id; tells which files cannot be used."""
    games, problems = games_here(data_folder(data))
    for problem in problems:
        tell(f"companion hub: {problem.sentence(language)}", sys.stderr)
    return {board.id: board for board in games}


def _broker_of(words: str | None) -> BrokerAddress | None:
    """Where the tables tell, None for a room of whose tables nothing is heard."""
    if words is None:  # an empty one was meant to be an address
        words = os.environ.get("COMPANION_BROKER") or None
    return None if words is None else parse_address(words)


def _serve(
    arguments: argparse.Namespace,
    language: str,
    room: "Room",
    access: Club,
    desk: "ClubDesk",
    receiver: "Receiver | None",
) -> None:
    """Show the room's pages and hear its tables until stopped."""
    from web.hub.app import create_hub_app
    from web.hub.club_parts import club_parts

    app = create_hub_app(
        room,
        access,
        language_default=language,
        extra_hosts=[arguments.host],
        own_addresses=lambda: server.reachable,
        parts=club_parts(desk),
    )
    server = WebServer(app, arguments.host, arguments.port)
    server.stop_on_signals()
    if receiver is not None:
        receiver.start(desk.tell_tables)
        receiver.settle()
    _tell_where(server, access, language)
    try:
        server.serve()
    finally:
        if receiver is not None:
            receiver.close()


def _access_to_room(kept: LetInFile, room: "Room", language: str) -> Club:
    """Who may do what: visitors watch, the organiser enters a PIN."""

    def tell_unsaved(trouble: LetInError | None) -> None:
        if trouble is not None:
            tell(f"companion hub: {trouble.sentence(language)}", sys.stderr)
        room.trouble("devices", None if trouble is None else trouble.message)

    return club_of(kept, "companion.hub.new-pin", language, tell_unsaved, _own_pin(room, language))


def _own_pin(room: "Room", language: str) -> str | None:
    """The organiser's own PIN, from the environment, which no other user of the machine sees."""
    words = os.environ.get("COMPANION_PIN")
    pin = own_pin(words or "")
    if words and pin is None:
        wrong = Message("companion.error.hub-pin")
        tell(f"companion hub: {wrong.text(language)}", sys.stderr)
        room.trouble("pin", wrong)
    return pin


def _tell_where(server: WebServer, access: Club, language: str) -> None:
    """Print the addresses of the room's pages, and how to become the organiser."""
    for address in server.addresses:
        print(text("companion.hub.open", language, address=address), flush=True)
    address, pin = server.addresses[0], access.pin.pin
    print(text("companion.hub.pin", language, pin=pin, address=address), flush=True)


def _set_up(arguments: argparse.Namespace) -> int:
    """Write the broker's files and say what to do with them; or shut a table out."""
    from companion.hub.broker_setup import ClubBroker

    language = language_choice(arguments.language)
    if not arguments.folder or not (arguments.broker_host or arguments.shut_out):
        raise UsageError("companion.hub.setup.needs")
    folder = _folder_of(arguments.folder)
    broker = ClubBroker(folder, arguments.broker_host or "", language=language)
    if arguments.shut_out:
        broker.shut_out(arguments.shut_out)
        print(text("companion.hub.setup.shut-out", language, table=arguments.shut_out))
        return 0
    made = broker.make(arguments.tables)
    print(text("companion.hub.setup.done", language, folder=folder, port=broker.port))
    print(text("companion.hub.setup.new", language, folder=folder, count=len(made)))
    return 0


def _folder_of(words: str) -> Path:
    """The whole path of the broker's folder.

    Raises UsageError where the present one is gone, and for a name that no address can hold.
    """
    folder = path_of(words)
    try:
        whole = os.path.realpath(folder)  # `resolve` fails on a link that leads to itself
    except OSError as error:
        raise UsageError("companion.hub.setup.folder", path=folder, reason=error) from error
    if not whole.isprintable():
        raise UsageError("companion.hub.setup.folder-name", path=folder)
    return Path(whole)


def _refuse_without_packages() -> None:
    """Raises UsageError where the packages of the extra `hub` are not installed."""
    if not all(find_spec(name) for name in PACKAGES):
        raise UsageError("companion.hub.missing-packages", python=sys.executable)
