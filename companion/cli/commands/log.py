"""`companion log`: looks at an evening's log, takes out what it holds, saves what can be read."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.inputs import require_file
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import (
    as_command_error,
    print_utf8,
    refuse_to_overwrite,
    tell,
    write_output,
    writing,
)
from companion.config import CONFIG_NAME, OLD_NAME, data_folder, require_readable
from companion.errors import UnusableInputError, UsageError
from companion.log.file import StoreError, write_first_log
from companion.log.inspect import LogReport, inspect_log
from companion.log.paths import LEFTOVERS, beside, copy_of
from companion.log.replay import rescue_notices, span_text
from companion.log.rows import Row, chain_anew
from companion.log.store import LOG_NAME, EventStore
from companion.log.table_file import holds_table, pack_table, unpack_table
from companion.relay.position import FILE_NAME as POSITION_NAME
from companion.server.let_in_file import FILE_NAME as LET_IN_NAME
from companion.table.history.history import RESULTS_NAME
from companion.typed_path import path_of
from scoring.language import Message, text
from vision.images.plain_file import is_folder

OWN_FILES = (CONFIG_NAME, OLD_NAME, LET_IN_NAME, POSITION_NAME, RESULTS_NAME)
"""What a table keeps beside its log."""

FORMAT = "companion-log"
"""Names the form of an exported document."""

FORMAT_VERSION = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion log`."""
    parser.add_argument(
        "action",
        choices=("check", "export", "rescue", "pack", "unpack"),
        metavar="ACTION",
        help="companion.help.log.action",
    )
    parser.add_argument(
        "table_file", nargs="?", metavar="FILE", help="companion.help.log.file-to-pack"
    )
    parser.add_argument("--data", metavar="DIR", help="companion.help.log.data")
    parser.add_argument("--file", metavar="LOG", help="companion.help.log.file")
    parser.add_argument("-o", "--out", metavar="FILE", help="companion.help.log.out")
    parser.add_argument("--to", metavar="DIR", help="companion.help.log.to")
    parser.add_argument("--json", action="store_true", help="companion.help.log.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look at the log, take its events out, or save them; exit 3 where it is damaged."""
    _refuse_options_of_others(arguments)
    language = language_choice(arguments.language)
    if arguments.action in ("pack", "unpack"):
        return _carry(arguments, language)
    path = _path(arguments)
    match arguments.action:
        case "check":
            return _check(_report(path), language, as_json=arguments.json)
        case "export":
            return _export(_report(path), arguments.out, language)
        case _ if arguments.to is not None:
            return _rescue_to(_report(path), path_of(arguments.to), language)
        case _:
            _report(path)  # a file of something else stays as it is
            return _rescue_in_place(path, language)


def _refuse_options_of_others(arguments: argparse.Namespace) -> None:
    if arguments.table_file and arguments.action not in ("pack", "unpack"):
        raise UsageError("companion.error.table-which", action="pack")
    is_json_asked = arguments.json and arguments.action != "export"  # which is JSON in any case
    given = {"check": is_json_asked, "export": arguments.out, "rescue": arguments.to}
    options = {"check": "--json", "export": "--out", "rescue": "--to"}
    for action, value in given.items():
        if value and action != arguments.action:
            raise UsageError("companion.error.log-option", option=options[action], action=action)


def _carry(arguments: argparse.Namespace, language: str) -> int:
    """Pack the table into a file, or make a packed one that of the data folder."""
    if arguments.table_file is None or arguments.file:
        raise UsageError("companion.error.table-which", action=arguments.action)
    data, path = _folder(arguments), path_of(arguments.table_file)
    if arguments.action == "pack":
        _refuse_own_log(path, data / LOG_NAME)
        report = _report_to_pack(data)
        rows = [] if report is None else report.rows
        with writing(path):
            lost = pack_table(data, path, rows)
        print(text("companion.log.packed", language, path=path, count=len(rows)))
        if report is not None and not report.is_sound:
            tell(f"companion log: {_verdict(report).text(language)}", sys.stderr)
        if lost:
            sentence = text("companion.copy.left-out", language, files=", ".join(lost))
            tell(f"companion log: {sentence}", sys.stderr)
    else:
        require_file(path)
        count = _unpack(path, data)
        print(text("companion.log.unpacked", language, data=data, count=count))
    return 0


def _folder(arguments: argparse.Namespace) -> Path:
    folder = data_folder(arguments.data)
    require_readable(folder, f"log {arguments.action}")
    return folder


def _unpack(path: Path, data: Path) -> int:
    with writing(data):
        try:
            return unpack_table(path, data)
        except StoreError as error:
            raise as_command_error(error) from error


def _report_to_pack(data: Path) -> LogReport | None:
    """What the log of a table holds, None where it has none yet; raises UsageError where there is
    no table, and UnusableInputError where nothing of its log can be read."""
    log = data / LOG_NAME
    try:
        if not holds_table(data):
            raise UsageError("companion.error.no-log", path=log)
        return _report(log) if log.exists() or copy_of(log).exists() else None
    except OSError as error:
        raise _unreadable(log, error) from error


def _refuse_own_log(out: Path, log: Path) -> None:
    """Raise UsageError where the file to be written is the log, or another of its table's files.

    Those that SQLite keeps beside a log are refused before they are there, too.
    """
    refuse_to_overwrite(out, str(log), str(copy_of(log)))
    kept = [log.parent / name for name in OWN_FILES]
    kept += [log.with_suffix(".lock"), *(beside(log, ending) for ending in LEFTOVERS)]
    if os.path.realpath(out) in map(os.path.realpath, kept):
        raise UsageError("companion.error.own-input", path=out)


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError("companion.error.log-unreadable", path=path, reason=error)


def _path(arguments: argparse.Namespace) -> Path:
    """The log that is meant; raises UsageError where there is none, or nobody may look."""
    path = path_of(arguments.file) if arguments.file else _folder(arguments) / LOG_NAME
    try:
        is_there = path.is_file() or copy_of(path).is_file()
    except OSError as error:  # the folder may be another user's
        raise _unreadable(path, error) from error
    if not is_there:
        key = "no-log"
        if is_folder(path):
            key = "log-folder" if arguments.file else "folder-for-log"
        raise UsageError(f"companion.error.{key}", path=path)
    return path


def _report(path: Path) -> LogReport:
    """What the files hold; nothing at all is an input that cannot be used."""
    try:
        report = inspect_log(path)
    except StoreError as error:
        raise as_command_error(error) from error
    except OSError as error:
        raise _unreadable(path, error) from error
    if not report.rows and not report.is_sound:
        raise UnusableInputError("companion.error.no-events", path=path)
    return report


def _check(report: LogReport, language: str, *, as_json: bool) -> int:
    message = _verdict(report)
    if as_json:
        document = {
            "log": str(report.path),
            "sound": report.is_sound,
            "events": len(report.rows),
            "missing": [list(span) for span in report.missing],
            "sealed": report.is_sealed,
            "text": message.text(language),
        }
        print(json.dumps(document, ensure_ascii=False))
    else:
        print(message.text(language))
    return 0 if report.is_sound else 3


def _verdict(report: LogReport) -> Message:
    values: dict[str, object] = {"path": str(report.path), "count": len(report.rows)}
    if report.missing:
        return Message("companion.log.missing", **values, missing=_spans(report))
    if not report.is_sealed:
        return Message("companion.log.first-version", **values)
    return Message("companion.log.sound" if report.is_sound else "companion.log.differs", **values)


def _spans(report: LogReport) -> str:
    return ", ".join(span_text(span) for span in report.missing)


def _export(report: LogReport, out: str | None, language: str) -> int:
    """Write every readable event; what is missing is said beside it and in the document."""
    words = _printable(json.dumps(_document(report), ensure_ascii=False, indent=1) + "\n")
    if out in (None, "-"):
        print_utf8()
        sys.stdout.write(words)
    else:
        path = path_of(str(out))
        _refuse_own_log(path, report.path)
        write_output(path, words.encode())
    if not report.is_sound:
        tell(_verdict(report).text(language), sys.stderr)
    return 0


def _printable(document: str) -> str:
    """A JSON text with half a character, which a damaged log may hold, in JSON's own escape."""
    return document.encode("utf-8", "backslashreplace").decode()


def _document(report: LogReport) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "missing": [list(span) for span in report.missing],
        "events": [_event(row) for row in report.rows],
    }


def _event(row: Row) -> dict[str, Any]:
    return {"number": row.number, "at": row.at, "kind": row.kind, "data": _data_of(row)}


def _data_of(row: Row) -> Any:
    """What an event says; its text as it stands where it is nested deeper than JSON is written."""
    try:
        data = json.loads(row.data)
        json.dumps([[[data]]], indent=1)  # as deep as it stands in the document
    except RecursionError:
        return row.data
    return data


def _rescue_to(report: LogReport, folder: Path, language: str) -> int:
    """A new log in another folder with everything that can be read; this one stays as it is."""
    path = folder / LOG_NAME
    rows = chain_anew(report.rows)
    with writing(path):
        if path.exists() or copy_of(path).exists():
            raise UsageError("companion.error.log-there", path=path)
        folder.mkdir(parents=True, exist_ok=True)
        write_first_log(path, rows)
    print("\n".join(message.text(language) for message in _saved(report, path)))
    return 0


def _saved(report: LogReport, path: Path) -> Iterator[Message]:
    yield Message("companion.log.saved", count=len(report.rows), path=str(path))
    if report.missing:
        yield _verdict(report)


def _rescue_in_place(path: Path, language: str) -> int:
    """What the next start would do: the damaged files are kept under another name."""
    try:
        with EventStore(path) as store:
            notices = rescue_notices(store) or [
                Message("companion.log.sound", path=str(path), count=len(store.entries()))
            ]
    except StoreError as error:
        raise as_command_error(error) from error
    print("\n".join(notice.text(language) for notice in notices))
    return 0
