"""The `companion` command: finds the command's module, runs it, turns errors into exit codes."""

import argparse
import errno
import importlib
import importlib.metadata
import io
import os
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NoReturn

from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import tell
from companion.errors import CommandError, UnusableInputError, UsageError
from scoring.language import text

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "demo": "the whole job without a camera, on a drawn board",
        "boards": "the supported games; `boards check FILE` checks a board or game file",
        "scan": "read photos of a board",
        "tickets": "read the ticket cards in photos of one hand",
        "score": "score a game without any camera",
        "explain": "why a player's longest path is what it is",
        "diff": "what changed between two sheets",
        "calibrate": "make a calibration file from photos or the camera",
        "studio": "propose the spaces and lines of an unknown board from a photo of it, empty",
        "watch": "follow a camera or a recording and print events",
        "serve": "panel, camera, buttons and lamps together",
        "hub": "the tables of a whole room in one place, for a club",
        "log": "check, export or rescue the evening's log; pack the table into one file",
        "wiring": "what goes on which pin of the Pi, as a table or a drawing",
        "height": "how high the camera hangs over a board, how sharp it sees, how much light",
        "doctor": "what camera, GPIO, storage and network are here",
    }
)
"""Every command with its one-line help; each is a module of `companion.cli.commands`."""

MISSING = "the following arguments are required: "
"""How argparse begins its sentence about options that a command cannot do without."""

DONE, FAULT, WRONG_USAGE, UNUSABLE = 0, 1, 2, 3

NO_ROOM: frozenset[int] = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of a full disk, which is no fault of the program; printing into a file meets them too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code of the contracts."""
    _replace_unprintable()
    words = list(sys.argv[1:] if arguments is None else arguments)
    before = _parser().parse_args(words)
    name = before.command
    module = importlib.import_module(f"companion.cli.commands.{name}")
    command = _OneLineParser(prog=f"companion {name}", description=COMMANDS[name])
    module.configure(command)
    command.set_defaults(language=before.language)
    parsed = command.parse_args(words[words.index(name) + 1 :])
    try:
        code = int(module.run(parsed))
        sys.stdout.flush()
    except UsageError as error:
        return _complain(parsed, name, error, WRONG_USAGE)
    except UnusableInputError as error:
        return _complain(parsed, name, error, UNUSABLE)
    except KeyboardInterrupt:
        return DONE
    except BrokenPipeError:
        return DONE
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _drop_output()
        full = UsageError("companion.error.no-room", reason=error.strerror)
        return _complain(parsed, name, full, WRONG_USAGE)
    return code


def entry() -> NoReturn:
    """The console command: run `main` and end the process with its exit code.

    A camera's or a reading's thread may still be inside native code. Taking the interpreter down
    under such a thread aborts the process, so the process then ends without that.
    """
    _open_missing_streams()
    code = main()
    with suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


def _open_missing_streams() -> None:
    """Print to nowhere where whoever started the program closed its output."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def _replace_unprintable() -> None:
    """Print a question mark for characters that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Forget what could not be printed: the end of the process would try it once more, and fail."""
    with suppress(OSError):  # nor has every stand-in for stdout a file behind it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, and lets points start with a minus."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # A corner just outside the picture, as in `--corners -5,3 …`, is no option.
        self._negative_number_matcher = re.compile(r"^-\d+(\.\d*)?(,-?\d+(\.\d*)?)?$")

    def error(self, message: str) -> NoReturn:
        told = f"{message}; `{self.prog} --help` tells the options"
        if message.startswith(MISSING):
            language, missing = self.get_default("language"), message.removeprefix(MISSING)
            told = text(
                "companion.error.missing",
                language_choice(language),
                options=missing,
                command=self.prog,
            )
        self.exit(WRONG_USAGE, f"{self.prog}: {told}\n")


class _PrintVersion(argparse.Action):
    """Looks the version up only where it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"companion {importlib.metadata.version('ttr-companion')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(
        prog="companion",
        description="Reads a Ticket to Ride board, keeps the score and shows why.",
        epilog="\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="say which version it is")
    add_language_option(parser)
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    own = parser.add_argument("own", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    own.required = False  # Python 3.11 names it too where the command is missing
    return parser


def _complain(parsed: argparse.Namespace, name: str, error: CommandError, code: int) -> int:
    """One line on stderr in the command's language, no traceback."""
    sentence = error.sentence(language_choice(parsed.language))
    tell(f"companion {name}: {' '.join(sentence.split())}", sys.stderr)
    return code


if __name__ == "__main__":
    entry()
