"""Finds and reads what a user wrote: games to score, and the boards and card sets of a table."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.errors import UnusableInputError, UsageError

LARGEST_FILE_BYTES = 32 * 1024 * 1024
"""No game and no board is larger; a longer file is something else."""

STDIN = "-"


def read_json(name: str) -> Any:
    """The JSON document of a file, or of stdin for `-`.

    Raises UsageError where there is no such file, UnusableInputError where it is no JSON.
    """
    return parse_json(_read_bytes(name), "stdin" if name == STDIN else Path(name).name)


def parse_json(raw: bytes, name: str) -> Any:
    """A JSON document; a key that stands twice is refused, because one value would be lost."""
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique_keys)
    except RecursionError:
        raise UnusableInputError(f"{name} is nested too deeply to be a game") from None
    except UnicodeDecodeError:
        raise UnusableInputError(f"{name} is no text in UTF-8, so no JSON file") from None
    except ValueError as error:
        raise UnusableInputError(f"{name} is no whole JSON document: {error}") from None


def _unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise ValueError(f"the key {key[:40]!r} stands twice in one object")
        entries[key] = value
    return entries


def _read_bytes(name: str) -> bytes:
    raw = _read_stdin() if name == STDIN else _read_file(Path(name))
    if len(raw) > LARGEST_FILE_BYTES:
        raise UnusableInputError(f"{name} is larger than any game (over 32 MB)")
    return raw


def _read_stdin() -> bytes:
    return sys.stdin.buffer.read(LARGEST_FILE_BYTES + 1)


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"the file {path} can't be read: {reason}") from None
