"""A whole table in one file: its log, boards, calibrations, languages and configuration.

A ZIP archive with the log as JSON, so that an older or newer program on another machine reads it
too. Who has been let in (`devices.json`) stays where it is: the key in it is this box's own.
"""

import errno
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from companion.errors import UnusableInputError
from companion.log.file import StoreError, remove_log, write_first_log
from companion.log.inspect import inspect_log
from companion.log.paths import copy_of
from companion.log.rows import Row, chain_anew, is_date
from companion.log.store import LOG_NAME, claim
from companion.whole_file import EVERYBODY, OWNER_ONLY, writing_whole

FOLDERS = ("boards", "calibrations", "languages")
"""Folders of the data folder that go with the table, with the files in them."""

PRIVATE_FILES = ("companion.toml",)
"""Files that may hold passwords."""

FILES = (*PRIVATE_FILES, "box.json")

LOG_IN_FILE = "log.json"

MOST_BYTES = 500_000_000
"""Of everything in the file together: a table's calibrations take some ten megabytes each."""

MOST_FILES = 2_000

READ_BYTES = 1_000_000

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError)
"""What a part of an archive that is damaged raises."""

LONGEST_NAME = 200
"""Bytes of a file's name: file systems take 255, and a draft's name is a little longer."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePack:
    """What a packed table holds: its log's rows, and its other files by their names."""

    rows: Sequence[Row]
    names: Sequence[str]
    _archive: zipfile.ZipFile

    def pieces(self, name: str) -> Iterator[bytes]:
        """A file piece by piece: all of them together take more memory than a small box has.

        No more than it says: `ZipFile.read` unpacks all of it first. Raises UnusableInputError.
        """
        try:
            yield from _pieces(self._archive, name)
        except BROKEN as error:
            path = self._archive.filename
            raise UnusableInputError("companion.error.table-file", path=path) from error


def log_rows(data: Path) -> Sequence[Row]:
    """What the log of a data folder holds, damaged or not. Raises OSError and StoreError."""
    return inspect_log(data / LOG_NAME).rows


def holds_table(data: Path) -> bool:
    """Whether a folder holds anything of a table: its log, boards, calibrations or settings."""
    log = data / LOG_NAME
    return log.exists() or copy_of(log).exists() or any(True for _ in _lasting(data))


def pack_table(
    data: Path, out: Path, rows: Sequence[Row] | None = None, *, is_private: bool = True
) -> Sequence[str]:
    """Write the table in a data folder into one file; returns its `lost_files`, left out of it.

    The file takes its place at once or not at all, and is on the disk then. `rows` are those of the
    log where they were read already. Without `is_private` files that may hold passwords are left
    out; with them the file is readable for its owner alone. A device or a pipe is refused, not
    replaced; a link is followed. Raises OSError and StoreError, also for a file among those that
    are packed: it would be packed into itself, without end.
    """
    if _goes_with_table(out, data):
        raise StoreError("companion.store.packed-into-itself")
    if out.exists() and not (out.is_file() or out.is_dir()):
        raise OSError(errno.EINVAL, "this is no ordinary file", str(out))
    out = Path(os.path.realpath(out))
    rows = log_rows(data) if rows is None else rows
    with writing_whole(out, mode=OWNER_ONLY if is_private else EVERYBODY) as file:
        return write_pack(data, file, rows, is_private=is_private)


def write_pack(
    data: Path, file: IO[bytes], rows: Sequence[Row], *, is_private: bool
) -> Sequence[str]:
    """Write the same into an open file. Returns, raises as `pack_table`."""
    log = json.dumps([[row.moment_s, row.kind, row.data] for row in rows])
    given, lost = _given_and_lost(data)
    files = [path for path in given if is_private or path.name not in PRIVATE_FILES]
    _refuse_what_no_box_takes(files, data, len(log))
    # A ZIP knows no year before 1980, in which a clock that was never set writes its files.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        archive.writestr(LOG_IN_FILE, log)
        for path in files:
            archive.write(path, path.relative_to(data).as_posix())
    return lost


def lost_files(data: Path) -> Sequence[str]:
    """The files beside the log that a failing disk does not give: a copy of the rest is all the
    more wanted. Raises OSError."""
    return _given_and_lost(data)[1]


def _given_and_lost(data: Path) -> tuple[list[Path], list[str]]:
    """The files beside the log that the disk gives, and the names of those that it does not."""
    given, lost = [], []
    for path in _lasting(data):
        if _is_given(path):
            given.append(path)
        else:
            lost.append(path.relative_to(data).as_posix())
    return given, lost


def _is_given(path: Path) -> bool:
    """Whether the disk gives a file to its end."""
    try:
        with path.open("rb") as file:
            while file.read(READ_BYTES):
                pass
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return False
    return True


def _refuse_what_no_box_takes(files: Sequence[Path], data: Path, log_bytes: int) -> None:
    """Raise StoreError for what `unpack_table` refuses: told here, the table is still there."""
    for path in files:
        if not _belongs(path.relative_to(data).as_posix()):
            raise StoreError("companion.store.pack-name", name=name_as_text(path.name))
    sizes = log_bytes + sum(path.stat().st_size for path in files)
    if len(files) + 1 > MOST_FILES or sizes > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise StoreError("companion.store.pack-large", most=most, files=MOST_FILES)


def name_as_text(name: str) -> str:
    """A file's name for a sentence: on a disk it may be no text, which no page could tell."""
    return os.fsencode(name).decode("utf-8", "replace")


def _lasting(data: Path) -> Iterator[Path]:
    """The files beside the log; links are left out, they may lead anywhere."""
    inside = [path for folder in FOLDERS for path in sorted((data / folder).glob("*"))]
    for path in [*inside, *(data / name for name in FILES)]:
        if path.is_file() and not path.is_symlink():
            yield path


def _goes_with_table(path: Path, data: Path) -> bool:
    """Whether a file is one of those beside the log, or would be."""
    real = Path(os.path.realpath(path))
    folders = {Path(os.path.realpath(data / name)) for name in FOLDERS}
    return real.parent in folders or real in {Path(os.path.realpath(data / name)) for name in FILES}


def unpack_table(source: Path, data: Path) -> int:
    """Make a packed table the one of a data folder in which nothing has been played yet.

    A box that was switched on has a log, without any event: the packed one takes its place.
    Returns the number of its events. Nothing is written where the file cannot be used, or the
    folder is in use: raises UnusableInputError, StoreError, and OSError where the disk refuses.
    """
    log = data / LOG_NAME
    with open_pack(source) as pack, claim(log) if log.exists() else nullcontext():
        refuse_another_table(data, pack)
        data.mkdir(parents=True, exist_ok=True)
        for name in pack.names:
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            mode = OWNER_ONLY if name in PRIVATE_FILES else EVERYBODY
            with writing_whole(data / name, mode=mode) as file:
                file.writelines(pack.pieces(name))
        remove_log(log)  # what SQLite keeps beside it would be read into the new one
        copy_of(log).unlink(missing_ok=True)
        write_first_log(log, pack.rows)
        return len(pack.rows)


def refuse_another_table(data: Path, pack: TablePack) -> None:
    """Raise UnusableInputError where the pack would take the place of something in a folder: a game
    or another file than its own. Raises StoreError and OSError where that cannot be told."""
    if _was_played(data / LOG_NAME) or _would_replace(data, pack):
        raise UnusableInputError("companion.error.table-there", path=data)


def _was_played(log: Path) -> bool:
    """Whether a log holds an event, or cannot be read. Raises StoreError, OSError."""
    if not log.exists() and not copy_of(log).exists():
        return False
    report = inspect_log(log)
    return bool(report.rows) or not report.is_sound


def _would_replace(data: Path, pack: TablePack) -> bool:
    """Whether a file of the folder would be lost."""
    return any(
        (data / name).exists() and not _is_as(data / name, pack, name) for name in pack.names
    )


def _is_as(path: Path, pack: TablePack, name: str) -> bool:
    """Whether a file holds what the pack's file of a name does."""
    with path.open("rb") as file:
        are_alike = all(file.read(len(piece)) == piece for piece in pack.pieces(name))
        return are_alike and not file.read(1)


@contextmanager
def open_pack(source: Path) -> Iterator[TablePack]:
    """What a packed table holds, all of it read once; raises UnusableInputError, OSError."""
    with ExitStack() as stack:
        try:
            pack = _checked(stack.enter_context(zipfile.ZipFile(source)))
        except OSError as error:
            if error.errno != errno.EINVAL:  # a ZIP that points to before its own beginning
                raise
            raise UnusableInputError("companion.error.table-file", path=source) from error
        except Exception as error:  # a ZIP can be wrong in more ways than zipfile names
            raise UnusableInputError("companion.error.table-file", path=source) from error
        yield pack


def _checked(archive: zipfile.ZipFile) -> TablePack:
    """Raises whatever zipfile does, ValueError and TypeError."""
    names = [info.filename for info in archive.infolist()]
    sizes = sum(info.file_size for info in archive.infolist())
    if len(names) > MOST_FILES or sizes > MOST_BYTES or not all(map(_belongs, names)):
        raise ValueError("this is no packed table")
    rows = _rows(json.loads(b"".join(_pieces(archive, LOG_IN_FILE))))
    files = [name for name in names if name != LOG_IN_FILE]
    for name in files:
        for _ in _pieces(archive, name):  # to its end, which tells whether it is whole
            pass
    return TablePack(rows, files, archive)


def _belongs(name: str) -> bool:
    """Whether a file may lie there; nothing leads out of the data folder."""
    parts = PurePosixPath(name).parts
    try:
        size = len(name.encode("utf-8"))
    except UnicodeEncodeError:  # a file system takes what is no text
        return False
    if "\\" in name or "\0" in name or size > LONGEST_NAME:
        return False
    if len(parts) == 1:
        return name == LOG_IN_FILE or name in FILES
    return len(parts) == 2 and parts[0] in FOLDERS and parts[1] not in (".", "..")


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A file of the archive; raises ValueError where it is shorter than it says."""
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("packed in a way that cannot be bounded")
    left = info.file_size
    with archive.open(info) as file:
        while left:
            piece = file.read(min(left, READ_BYTES))
            if not piece:
                raise ValueError("shorter than it says")
            left -= len(piece)
            yield piece
        file.read(1)  # its end: of a file that says that it is empty nothing was compared yet


def _rows(document: Any) -> list[Row]:
    """The log's rows, sealed anew; raises ValueError or TypeError where they are none."""
    rows = []
    for at, kind, data in document:
        if not isinstance(kind, str) or not isinstance(json.loads(data), dict):
            raise TypeError
        if not is_date(float(at)):
            raise ValueError
        (kind + data).encode("utf-8")  # half a character can stand in JSON, but in no log
        rows.append(Row(0, float(at), kind, data, "", ""))
    return chain_anew(rows)
