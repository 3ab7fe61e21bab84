"""The `companion` command: finds the command's module, runs it, turns errors into exit codes."""

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, TextIO

from companion.cli.command_parser import WRONG_USAGE, CommandParser
from companion.cli.language_choice import add_language_option, asked_language, language_choice
from companion.cli.outputs import print_utf8, tell
from companion.errors import CommandError, UnusableInputError, UsageError
from companion.whole_file import FULL
from scoring.language import text
from scoring.printable import printable

COMMANDS: Sequence[str] = (
    "demo",
    "boards",
    "scan",
    "tickets",
    "score",
    "explain",
    "diff",
    "calibrate",
    "studio",
    "watch",
    "serve",
    "hub",
    "log",
    "wiring",
    "height",
    "doctor",
)
"""Every command; each is a module of `companion.cli.commands`."""

DONE, FAULT, UNUSABLE = 0, 1, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code of the contracts."""
    _replace_unprintable()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except BrokenPipeError:  # nobody reads on, as after `| head -1`
        _drop_output(sys.stdout)
        return DONE
    except OSError as error:
        if error.errno not in FULL:  # no fault of the program; printing into a file meets it too
            raise
        _drop_output(sys.stdout)
        full = UsageError("companion.error.no-room", reason=error)
        return _complain(_program(words), asked_language(words), full, WRONG_USAGE)


def _run(words: Sequence[str]) -> int:
    """Run the command that the words name; what could not be printed is an OSError."""
    language = language_choice(asked_language(words))
    before = _parser(language).parse_args(words)
    name = before.command
    module = importlib.import_module(f"companion.cli.commands.{name}")
    command = CommandParser(
        f"companion {name}",
        f"companion.command.{name}",
        language,
        epilog=text(
            "companion.example", language, line=text(f"companion.example.{name}", language)
        ),
    )
    module.configure(command)
    command.set_defaults(language=before.language)
    parsed = command.parse_args(words[words.index(name) + 1 :])
    if getattr(parsed, "json", False):
        print_utf8()
    try:
        code = int(module.run(parsed))
        sys.stdout.flush()
    except UsageError as error:
        return _complain(command.prog, parsed.language, error, WRONG_USAGE)
    except UnusableInputError as error:
        return _complain(command.prog, parsed.language, error, UNUSABLE)
    except KeyboardInterrupt:
        return DONE
    return code


def entry() -> NoReturn:
    """The console command: run `main` and end the process with its exit code.

    A camera's or a reading's thread may still be inside native code. Taking the interpreter down
    under such a thread aborts the process, so the process then ends without that.
    """
    _open_missing_streams()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # others would only wait, and busily
    try:
        code: int | str | None = main()
    except SystemExit as ended:  # the parser's, after help, the version and what cannot be meant
        code = ended.code
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _drop_output(stream)
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        os._exit(code if isinstance(code, int) else DONE)
    sys.exit(code)


def _open_missing_streams() -> None:
    """Read nothing, and print to nowhere, where whoever started the program closed its streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _replace_unprintable() -> None:
    """Print a question mark for characters that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output(stream: TextIO) -> None:
    """Forget what could not be printed: the end of the process would try it once more, and fail."""
    with suppress(OSError):  # nor has every stand-in for stdout a file behind it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class _PrintVersion(argparse.Action):
    """Looks the version up only where it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"companion {importlib.metadata.version('ttr-companion')}", flush=True)
        parser.exit()


def _parser(language: str) -> CommandParser:
    told = ((name, text(f"companion.command.{name}", language)) for name in COMMANDS)
    parser = CommandParser(
        "companion",
        "companion.command",
        language,
        epilog="\n".join(f"  {name:<10} {what}" for name, what in told)
        + f"\n\n{text('companion.command.first', language)}",
    )
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="companion.help.version")
    add_language_option(parser)
    parser.add_argument(
        "command", choices=COMMANDS, metavar="COMMAND", help="companion.help.command"
    )
    own = parser.add_argument("own", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    own.required = False  # Python 3.11 names it too where the command is missing
    return parser


def _program(words: Sequence[str]) -> str:
    """What the command is called in what it says: the first word that names one, if any does."""
    return " ".join(["companion", *(word for word in words if word in COMMANDS)][:2])


def _complain(program: str, language: str | None, error: CommandError, code: int) -> int:
    """One line on stderr in the command's language, no traceback."""
    sentence = error.sentence(language_choice(language))
    tell(printable(f"{program}: {' '.join(sentence.split())}"), sys.stderr)
    return code


if __name__ == "__main__":
    entry()
