"""How far the hub has this table's log, kept in the data folder."""

import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from hmac import digest
from pathlib import Path

from companion.errors import UsageError
from companion.log.rows import FIRST
from companion.whole_file import OWNER_ONLY, UNWRITABLE, write_whole
from vision.images.plain_file import read_plain

FILE_NAME = "relay.json"

KEY_BYTES = 32

LARGEST_BYTES = 100_000
"""The file holds a few hundred."""


@dataclass(frozen=True, slots=True)
class Position:
    """The hub has everything up to `place`, which told row `number` of the log with this seal.

    `key` makes the secret numbers of the chain. A log that had to be begun anew is another chain:
    `generation` counts them.
    """

    key: str
    generation: int = 0
    place: int = 0
    number: int = 0
    seal: str = FIRST

    @property
    def chain(self) -> str:
        """The name of the chain."""
        return digest(bytes.fromhex(self.key), str(self.generation).encode(), "sha256").hex()[:32]


def open_position(folder: Path) -> tuple[Position, bool]:
    """The position in a data folder, and whether it is kept there; a missing or damaged one is
    begun anew, as another chain.

    A disk that takes nothing does not keep it yet. Raises UsageError where it cannot be written for
    another reason.
    """
    path = folder / FILE_NAME
    position = _noted_position(folder)
    if position is not None:
        return position, True
    position = Position(secrets.token_hex(KEY_BYTES))
    try:
        save_position(folder, position, lasting=True)
    except OSError as error:
        if error.errno in UNWRITABLE:
            return position, False
        raise UsageError("companion.error.devices", path=path, reason=error) from error
    return position, True


def save_position(folder: Path, position: Position, *, lasting: bool = False) -> None:
    """Keep it. One that a power cut takes back is only an older one. Raises OSError."""
    document = json.dumps(asdict(position)).encode()
    write_whole(folder / FILE_NAME, document, mode=OWNER_ONLY, lasting=lasting)


def _noted_position(folder: Path) -> Position | None:
    """The position that a data folder holds; None where there is none, or a damaged one."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        position = Position(**json.loads(read_plain(folder / FILE_NAME, LARGEST_BYTES)))
        numbers = (position.generation, position.place, position.number)
        is_key = len(bytes.fromhex(position.key)) == KEY_BYTES
        if is_key and isinstance(position.seal, str) and all(map(_is_count, numbers)):
            return position
    return None


def _is_count(number: object) -> bool:
    """Whether a number may count rows; SQLite takes none that is longer."""
    return type(number) is int and 0 <= number < 2**31
