"""What a table may configure, and the folder it keeps its things in."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import UsageError
from companion.user_files import game_files
from hardware.console.console import PinMap, pin_map_from_json
from hardware.errors import ConsoleError
from scoring.language import Message
from vision.images.plain_file import read_plain
from web.security import host_name

LARGEST_BOX_BYTES = 100_000
"""A box's configuration is a few lines."""

BOX_KEYS = frozenset({"pins", "hosts", "club"})
"""What a box's configuration may say; it says one of these at least."""

TOO_DEEP = Message("companion.error.too-deep")


def data_folder(option: str | None) -> Path:
    """The folder of `--data`, else the user's own (see `companion.user_files.game_files`)."""
    return Path(option).expanduser() if option else game_files.data_folder()


def pin_map(folder: Path) -> PinMap:
    """The pins that `box.json` names, else the usual ones; raises UsageError where it is wrong."""
    box = _box(folder)
    try:
        return pin_map_from_json(box["pins"]) if "pins" in box else PinMap()
    except (ConsoleError, OverflowError) as error:
        raise _wrong(folder, error) from error


def extra_hosts(folder: Path) -> tuple[str, ...]:
    """Names that `box.json` lists, beyond those of any home network, by which the panel is called.

    Raises UsageError where one is no host name.
    """
    names = _box(folder).get("hosts", [])
    if not isinstance(names, list):
        raise _wrong(folder, UsageError("companion.error.hosts", given="hosts"))
    for name in names:
        if not isinstance(name, str) or host_name(name) != name.lower():
            raise _wrong(folder, UsageError("companion.error.hosts", given=str(name)[:80]))
    return tuple(names)


def is_club(folder: Path) -> bool:
    """Whether `box.json` says that this is a club's table; raises UsageError where it is wrong."""
    said = _box(folder).get("club", False)
    if not isinstance(said, bool):
        raise _wrong(folder, UsageError("companion.error.club", given=str(said)[:80]))
    return said


def _box(folder: Path) -> Mapping[str, Any]:
    """What `box.json` says, nothing where there is none; raises UsageError where it is wrong."""
    try:
        box = json.loads(read_plain(folder / "box.json", LARGEST_BOX_BYTES))
    except FileNotFoundError:
        return {}
    except RecursionError:
        raise _wrong(folder, TOO_DEEP) from None
    except (OSError, ValueError) as error:
        raise _wrong(folder, error) from error
    if not isinstance(box, dict) or not BOX_KEYS & set(box):
        raise _wrong(folder, UsageError("companion.error.box-keys"))
    return box


def _wrong(folder: Path, reason: object) -> UsageError:
    return UsageError("companion.error.box", path=folder / "box.json", reason=reason)
