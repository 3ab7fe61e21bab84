"""Finds where copies lie: on sticks that are plugged in, and in a folder of one's own."""

import errno
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

LABELS = Path("/dev/disk/by-label")
"""Links from the names of file systems to their devices; udev keeps them."""

PLUGGED_IN = ("/media/", "/run/media/")
"""Where desktops, and the rule of our own package, mount what is plugged in."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A folder that copies may be written to; `key` names this one and no other."""

    key: str
    name: str
    folder: Path
    is_mounted: bool = True
    """Whether a device is mounted there; without it the folder is the machine's own."""

    def is_there(self, handle: int) -> bool:
        """Whether the open folder lies on its device, and not on what is left without it."""
        own, outer = os.fstat(handle), self.folder.parent.stat()
        return not self.is_mounted or own.st_dev != outer.st_dev


@contextmanager
def open_folder(stick: Stick) -> Iterator[Path]:
    """Its folder through a handle: a stick that is pulled is not written beside. Raises OSError."""
    handle = os.open(stick.folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not stick.is_there(handle):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        yield Path(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)


def find_sticks(
    folder: Path | None = None, mounts: Path = MOUNTS, labels: Path = LABELS
) -> Sequence[Stick]:
    """What is plugged in now, by name, and a folder that the configuration names."""
    named = _names(labels)
    plugged = [
        Stick(key_of(where, number), named.get(source) or where.name, where)
        for where, number, source in _mounted(mounts)
    ]
    own = [] if folder is None else [Stick(key_of(folder, ""), str(folder), folder, False)]
    return [*sorted(plugged, key=lambda one: (one.name, one.folder)), *own]


def _mounted(mounts: Path) -> Iterator[tuple[Path, str, str]]:
    """Folder, number and device of each mount; proc(5) says what stands where."""
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        first, _, second = line.partition(" - ")
        fields, (kind, source, *_) = first.split(), [*second.split(), "", ""]
        if len(fields) > 4 and kind != "autofs" and unescaped(fields[4]).startswith(PLUGGED_IN):
            yield Path(unescaped(fields[4])), f"{fields[0]} {fields[2]}", unescaped(source)


def _names(labels: Path) -> dict[str, str]:
    """Names of file systems by their devices."""
    try:
        links = list(labels.iterdir())
    except OSError:
        return {}
    return {os.path.realpath(link): unescaped(link.name) for link in links}


def unescaped(words: str) -> str:
    r"""Without the escapes of the kernel (`\040`) and of udev (`\x20`)."""
    raw = re.sub(
        rb"\\(?:x([0-9a-f]{2})|([0-7]{3}))",
        lambda found: bytes([int(found[1], 16) if found[1] else int(found[2], 8) & 255]),
        words.encode("utf-8", "surrogateescape"),
    )
    return raw.decode("utf-8", "replace")


def key_of(place: Path | str, name: str) -> str:
    """Tells a stick in a folder, or a file on a stick, from others of its name."""
    return hashlib.sha256(f"{place}|{name}".encode("utf-8", "replace")).hexdigest()[:16]
