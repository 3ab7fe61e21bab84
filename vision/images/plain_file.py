"""Opens what must be an ordinary file: a device never ends, and a pipe may never begin.

It lies here because photos are files first; `calibration` and `companion` read theirs with it too.
"""

import stat
import zipfile
from pathlib import Path
from typing import BinaryIO

from scoring.language import SpokenError


class NotPlainFileError(SpokenError, OSError):
    """A device, a pipe or a socket was named where an ordinary file is read.

    No VisionError: the photo was not looked at, as with any other OSError.
    """


def open_plain(path: Path) -> BinaryIO:
    """An ordinary file, open for reading.

    Raises NotPlainFileError where it is none, before it is opened (which might wait for ever), and
    OSError as `open` does.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # of a folder `open` itself complains
        raise NotPlainFileError("vision.file.not-plain")
    return path.open("rb")


def read_plain(path: Path, most_bytes: int) -> bytes:
    """The bytes of an ordinary file, one more than `most_bytes` at most; raises as `open_plain`."""
    with open_plain(path) as file:
        return file.read(most_bytes + 1)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A file of a ZIP archive, of which no more is unpacked than the archive says it holds.

    `ZipFile.read` unpacks all of it first: 800 bytes may be a gigabyte. Raises KeyError where there
    is none of that name, BadZipFile for a kind of packing without such a bound, and what zipfile
    and zlib raise where it is damaged.
    """
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"compression type {info.compress_type}")
    with archive.open(info) as file:
        return file.read(info.file_size)


def is_file(path: Path) -> bool:
    """Whether a file is there; what cannot even be looked at (a name too long) counts as none."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder is there, likewise."""
    try:
        return path.is_dir()
    except OSError:
        return False
