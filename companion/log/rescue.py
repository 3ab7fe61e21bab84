"""Moves a damaged log out of the way, never deleted, and puts another one in its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.log.copy import write_copy
from companion.log.file import write_log
from companion.log.paths import LEFTOVERS, beside, copy_of, draft_of, free_name
from companion.log.rows import Row, chain_anew
from companion.log.salvage import Salvage, Span
from companion.whole_file import sync_folder, write_whole


@dataclass(frozen=True, slots=True)
class Rescue:
    """A damaged log was set aside at `kept_at`; `events` entries of it go on in a new one.

    `missing` are the numbers of those that could not be read, as far as they are known; after the
    last known one others may be missing too unless `knows_end`.
    """

    kept_at: Path
    events: int
    missing: tuple[Span, ...] = ()
    knows_end: bool = False


def set_aside(path: Path, saved: Salvage, wal: bytes) -> Rescue:
    """Move the damaged files out of the way and start a new log with what was saved.

    The new one is complete on disk before the damaged one moves, so that a power cut at any
    moment leaves both (`finish` ends the job). `wal` is the write-ahead log as it was found.
    Raises OSError.
    """
    kept_at = free_name(path, "damaged")
    rows = chain_anew(saved.rows)
    write_log(draft_of(path), rows)
    for suffix in LEFTOVERS:
        _move(beside(path, suffix), beside(kept_at, suffix))
    if wal:
        write_whole(beside(kept_at, "-wal"), wal)
    _move(path, kept_at)
    finish(path)
    _move(copy_of(path), copy_of(kept_at))
    write_copy(copy_of(path), rows)
    return Rescue(kept_at, len(rows), saved.missing, saved.knows_end)


def keep_version(path: Path, version: int, main: bytes, wal: bytes) -> Path:
    """Write a copy of a log as it was found, before it takes a newer form. Raises OSError."""
    kept_at = free_name(path, f"version-{version}")
    write_whole(kept_at, main)
    if wal:
        write_whole(beside(kept_at, "-wal"), wal)
    return kept_at


def replace_log(path: Path, rows: Sequence[Row]) -> None:
    """Put a log with these rows in the place of the present one, at once or not at all."""
    write_log(draft_of(path), rows)
    for suffix in LEFTOVERS:
        beside(path, suffix).unlink(missing_ok=True)
    draft_of(path).replace(path)
    sync_folder(path.parent)


def renew_copy(path: Path, keep: bool, rows: Sequence[Row]) -> None:
    """Write the second copy anew; the present one is kept under another name if asked for."""
    present = copy_of(path)
    if keep:
        _move(present, free_name(present, "damaged"))
    write_copy(present, rows)


def finish(path: Path) -> None:
    """Give the draft of a rescue its name, once the damaged log has left it."""
    if not path.exists() and draft_of(path).exists():
        draft_of(path).rename(path)
        sync_folder(path.parent)


def _move(part: Path, to: Path) -> None:
    if part.exists():
        part.rename(to)
