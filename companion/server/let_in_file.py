"""Keeps who has been let in, and the key that signs their names, in the table's data folder.

Beside them it remembers that the table is a club's: a power cut may take the line of the
configuration that says so, and what is left of the file may make sense without it.
"""

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from companion.errors import CompanionError, UsageError
from companion.whole_file import FULL, OWNER_ONLY, UNWRITABLE, write_whole
from scoring.language import SpokenError
from web.access.club import LetIn

FILE_NAME = "devices.json"

KEY_BYTES = 32

LARGEST_BYTES = 100_000
"""A table's file holds a few hundred."""


class LetInError(SpokenError, CompanionError, OSError):
    """Who has been let in could not be kept on disk; it holds until the program stops."""


@dataclass(frozen=True, slots=True)
class LetInFile:
    """The file of one data folder, readable by its owner alone."""

    path: Path
    key: bytes
    let_in: LetIn
    is_club: bool = False
    """What the configuration said when it last said anything of a club."""

    def save(self, let_in: LetIn) -> None:
        """Write who has been let in. Raises LetInError where the disk refuses."""
        try:
            _write(self.path, self.key, let_in, self.is_club)
        except OSError as error:
            key = "disk-full" if error.errno in FULL else "not-written"
            raise LetInError(f"companion.let-in.{key}", reason=error) from error

    def save_and_tell(self, tell: Callable[[LetInError | None], None]) -> Callable[[LetIn], None]:
        """`save`, which tells each time what was in the way, None: nothing."""

        def save(let_in: LetIn) -> None:
            try:
                self.save(let_in)
            except LetInError as error:
                tell(error)
                raise
            tell(None)

        return save

    def remembering(self, says_club: bool | None) -> Self:
        """The file with what the configuration says of a club now; None: nothing.

        Where the disk refuses, the next save writes it, and tells.
        """
        if says_club in (None, self.is_club):
            return self
        after = replace(self, is_club=says_club)
        with suppress(LetInError):
            after.save(self.let_in)
        return after


def open_let_in_file(folder: Path) -> LetInFile:
    """The file in a data folder. One that is missing or damaged is begun anew, with a new key.

    On a disk that takes nothing it holds until the program stops, unless a later save finds room.
    Raises UsageError where it cannot be written for another reason.
    """
    path = folder / FILE_NAME
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _read(path)
    key, nobody = secrets.token_bytes(KEY_BYTES), LetIn()
    try:
        _write(path, key, nobody, is_club=False)
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise UsageError("companion.error.devices", path=path, reason=error) from error
    return LetInFile(path, key, nobody)


def _read(path: Path) -> LetInFile:
    """Raises OSError, ValueError, TypeError, KeyError, AttributeError or RecursionError."""
    if not path.is_file() or path.stat().st_size > LARGEST_BYTES:
        raise ValueError
    document = json.loads(path.read_bytes())
    key = bytes.fromhex(document["key"])
    hosts, seats = document["hosts"], document["seats"]
    players, game_ms = document.get("players", {}), document.get("game_ms")
    names = [*hosts, *seats, *seats.values(), *players.values()]
    if len(key) != KEY_BYTES or not all(isinstance(name, str) and name for name in names):
        raise ValueError
    is_club = document.get("is_club", False)
    if not isinstance(game_ms, int | None) or not isinstance(is_club, bool):
        raise TypeError
    return LetInFile(path, key, LetIn(hosts, seats, players, game_ms), is_club)


def _write(path: Path, key: bytes, let_in: LetIn, is_club: bool) -> None:
    """At once or not at all, in its folder, which a full disk may not have taken before. Raises
    OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "key": key.hex(),
        "hosts": list(let_in.hosts),
        "seats": dict(let_in.seats),
        "players": dict(let_in.players),
        "game_ms": let_in.game_ms,
        "is_club": is_club,
    }
    write_whole(path, json.dumps(document, indent=1).encode(), mode=OWNER_ONLY)
