"""What a table may configure, and the folder it keeps its things in."""

import json
from pathlib import Path

from companion import game_files
from companion.errors import UsageError
from hardware.console import PinMap, pin_map_from_json
from hardware.errors import ConsoleError
from scoring.language import Phrase
from scoring.plain_file import read_plain

LARGEST_BOX_BYTES = 100_000
"""A box's configuration is a few lines."""

TOO_DEEP = Phrase("companion.error.too-deep")


def data_folder(option: str | None) -> Path:
    """The folder of `--data`, else the user's own (see `companion.game_files`)."""
    return Path(option).expanduser() if option else game_files.data_folder()


def pin_map(folder: Path) -> PinMap:
    """The pins that `box.json` names, else the usual ones; raises UsageError where it is wrong."""
    path = folder / "box.json"
    try:
        return pin_map_from_json(json.loads(read_plain(path, LARGEST_BOX_BYTES))["pins"])
    except FileNotFoundError:
        return PinMap()
    except RecursionError:
        raise UsageError("companion.error.box", path=path, reason=TOO_DEEP) from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, ConsoleError) as error:
        raise UsageError("companion.error.box", path=path, reason=_reason(error)) from error


def _reason(error: Exception) -> Exception:
    if isinstance(error, KeyError):
        return UsageError("companion.error.missing", what=error)
    return error
