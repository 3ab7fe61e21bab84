"""What a table may configure, and the folder it keeps its things in.

One file in TOML says all of it. It is read section by section: what is wrong in one of them is told
and left out, and the table goes on with the rest.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from pwd import getpwuid
from typing import Any, TypeVar

from companion.errors import UsageError
from companion.mqtt.hub_settings import HubSettings, hub_settings
from companion.mqtt.settings import HomeSettings, home_settings
from companion.typed_path import path_of
from companion.user_files import game_files
from hardware.console.keys import KeyMap, key_map_from_json
from hardware.console.pins import Part, PinMap, as_written, pin_map_from_json, planned_parts
from hardware.errors import MOST_TOLD, ConsoleError
from scoring.language import Message, SpokenError
from scoring.language.foreign import repeated
from vision.images.plain_file import is_file, read_plain
from web.access.pin import own_pin
from web.security import host_name
from web.sent.whole_numbers import whole_number

LARGEST_BOX_BYTES = 100_000
"""A box's configuration is a few lines."""

CONFIG_NAME = "companion.toml"

OLD_NAME = "box.json"
"""The configuration of earlier versions, which knew pins and hosts; still read."""

OLD_SECTIONS = ("pins", "hosts")

SECTIONS = ("serve", "panel", "pins", "keys", "power", "mqtt", "hub", "copies")

PANEL_KEYS = ("hosts", "club", "pin")

SERVE_OPTIONS: Mapping[str, type | tuple[type, ...]] = {
    "host": str,
    "port": int,
    "camera": str,
    "fps": (int, float),
    "board": str,
    "reference": str,
    "calibration": str,
    "language": str,
}
"""Options of `companion serve` that the configuration may give, with the kind of their values."""

TOO_DEEP = Message("companion.error.too-deep")

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class BoxConfig:
    """What a configuration says, and what is wrong with it.

    `pins` is None where they are wrong, `keys` where none are wanted or they are wrong.
    `serve` holds options of `companion serve` by name. `power_off` None: only a real box may.
    """

    pins: PinMap | None = field(default_factory=PinMap)
    parts: tuple[Part, ...] = field(default_factory=lambda: PinMap().parts())
    """What the configuration puts on pins, clashes and all; none where it cannot be read."""
    keys: KeyMap | None = None
    hosts: tuple[str, ...] = ()
    serve: Mapping[str, Any] = field(default_factory=dict)
    power_off: bool | None = None
    is_club: bool = False
    """Whether visitors have to be let in (see `web.access`); in doubt they have."""
    says_club: bool | None = None
    """What is written there of that; None where nothing is, or nothing that makes sense."""
    pin: str | None = None
    """The host's own PIN at a club's table, beside the one that the program makes."""
    home: HomeSettings | None = None
    """The broker for home automation, where one is wanted."""
    hub: HubSettings | None = None
    """A club's hub, where this table belongs to one."""
    copies: Path | None = None
    """A folder that copies of the table may be written to, beside sticks that are plugged in."""
    troubles: tuple[UsageError, ...] = ()


def data_folder(option: str | None) -> Path:
    """The folder of `--data`, else the user's own (see `companion.user_files.game_files`).

    Raises UsageError where its user has no home here, a file has that name, or the present folder,
    in which it would lie, was deleted.
    """
    folder = path_of(option) if option else game_files.data_folder()
    try:
        folder.absolute()
    except OSError:
        raise UsageError("companion.error.present-folder", path=folder) from None
    if is_file(folder):
        raise UsageError("companion.error.data-file", path=folder)
    return folder


def owner_if_another(folder: Path) -> str | None:
    """The other user to whom a folder belongs, on a box the service's; None where it is none."""
    with suppress(OSError, KeyError):  # a user without an entry
        if (owner := folder.stat().st_uid) not in (0, os.getuid()):
            return getpwuid(owner).pw_name
    return None


def require_readable(folder: Path, command: str) -> None:
    """Raise UsageError, which names the command for root, where only another user may look."""
    user = owner_if_another(folder)
    if user is not None and not os.access(folder, os.R_OK | os.X_OK):
        raise UsageError(
            "companion.error.folder-of-another", folder=folder, user=user, command=command
        )


def config_path(folder: Path) -> Path:
    """The configuration: the file that $COMPANION_CONFIG names, else the one in the data folder."""
    named = os.environ.get("COMPANION_CONFIG")
    if not named:
        return folder / CONFIG_NAME
    try:
        return path_of(named)
    except UsageError:  # told as a file that is not there
        return Path(named)


def port_of_the_machine() -> int | None:
    """The port in $COMPANION_PORT: a service is found there whatever its configuration says."""
    return whole_number(os.environ.get("COMPANION_PORT", ""))


def read_config(folder: Path, named: Path | None = None) -> BoxConfig:
    """The configuration of a table, with everything that is wrong with it; never raises.

    `named` is a file in the place of the table's own.
    """
    return _Reader(folder, named).read()


class _Reader:
    """Reads both files and collects what is wrong."""

    def __init__(self, folder: Path, named: Path | None) -> None:
        self._new, self._old = named or config_path(folder), folder / OLD_NAME
        self._must_exist = named is not None or "COMPANION_CONFIG" in os.environ
        self._troubles: list[UsageError] = []

    def read(self) -> BoxConfig:
        old = self._document(self._old, _parse_old) or {}
        new = self._document(self._new, _parse_toml)
        is_lost = bool(self._troubles)
        sections = dict(new or {})
        for name in sections.keys() - set(SECTIONS):
            known = ", ".join(SECTIONS)
            self._wrong(
                self._new, UsageError("companion.error.section", name=repeated(name), known=known)
            )
        self._check_panel(sections.get("panel"))
        pins = self._section(sections, old, "pins", pin_map_from_json, PinMap())
        return BoxConfig(
            pins=None if is_lost else pins,
            parts=() if is_lost else _planned(sections, old),
            keys=self._section(sections, {}, "keys", key_map_from_json, None),
            hosts=self._section(sections, {"panel": old}, "panel", _hosts, ()) or (),
            serve=self._serve(sections.get("serve", {})),
            power_off=self._section(sections, {}, "power", _power, None),
            is_club=self._is_club(new),
            says_club=_says_club(new or {}),
            pin=_pin(sections.get("panel")),
            home=self._section(sections, {}, "mqtt", home_settings, None),
            hub=self._section(sections, {}, "hub", hub_settings, None),
            copies=self._section(sections, {}, "copies", _copies, None),
            troubles=tuple(self._troubles),
        )

    def _check_panel(self, panel: Any) -> None:
        """Tell keys that there are none of: a `club` that is spelt otherwise, above all.

        So is a `club` that is neither yes nor no, which shuts the table.
        """
        if not isinstance(panel, Mapping):
            return
        if not isinstance(panel.get("club", False), bool):
            self._wrong(self._new, UsageError("companion.error.panel-club"))
        if "pin" in panel and _pin(panel) is None:
            self._wrong(self._new, UsageError("companion.error.panel-pin"))
        for name in panel:
            if name not in PANEL_KEYS:
                known = ", ".join(PANEL_KEYS)
                self._wrong(
                    self._new,
                    UsageError("companion.error.panel-keys", name=repeated(name), known=known),
                )

    def _is_club(self, new: Mapping[str, Any] | None) -> bool:
        """Whether `club` is set in the section `panel`.

        In doubt it is: no mistake in the file opens a club's table to everybody, and neither does
        one that is there and cannot be read. A `club` in another place was meant for here.
        """
        if new is None:
            try:
                raw = read_plain(self._new, LARGEST_BOX_BYTES)
            except (FileNotFoundError, NotADirectoryError):
                return False
            except OSError:
                return True
            return b"club" in raw.replace(b"\0", b"").lower()  # two bytes a letter are no UTF-8
        said = _says_club(new)
        return _speaks_of_a_club(new) if said is None else said

    def _document(
        self, path: Path, parse: Callable[[bytes], Mapping[str, Any]]
    ) -> Mapping[str, Any] | None:
        try:
            return parse(read_plain(path, LARGEST_BOX_BYTES))
        except (FileNotFoundError, NotADirectoryError):
            if path == self._new and self._must_exist:
                self._wrong(path, UsageError("companion.error.no-file", path=path))
        except RecursionError:
            self._wrong(path, TOO_DEEP)
        except (OSError, ValueError) as error:
            self._wrong(path, error)
        return None

    def _section(
        self,
        new: Mapping[str, Any],
        old: Mapping[str, Any],
        name: str,
        read: Callable[[Any], Read],
        otherwise: Read,
    ) -> Read | None:
        """A section as its reader understands it; None where it is wrong."""
        if name not in new and name not in old:
            return otherwise
        path, data = (self._new, new[name]) if name in new else (self._old, old[name])
        try:
            return read(data)
        except (SpokenError, OverflowError) as error:
            self._wrong(path, error)
            return None

    def _serve(self, options: Any) -> Mapping[str, Any]:
        """Those that make sense: one that is wrong takes no other along, the `host` above all."""
        if not isinstance(options, Mapping):
            options = {str(options)[:80]: None}
        kept = {}
        for name, value in options.items():
            try:
                _check_option(name, value)
            except UsageError as error:
                self._wrong(self._new, error)
            else:
                kept[name] = value
        return kept

    def _wrong(self, path: Path, reason: object) -> None:
        self._troubles.append(UsageError("companion.error.box", path=path, reason=reason))


def _planned(new: Mapping[str, Any], old: Mapping[str, Any]) -> tuple[Part, ...]:
    with suppress(ConsoleError, OverflowError):
        return planned_parts(new.get("pins", old.get("pins", {})))
    return ()


def _speaks_of_a_club(document: Mapping[str, Any]) -> bool:
    """Whether any key is `club`, however it is written, and does not say no."""
    waiting: list[Any] = [document]
    while waiting:
        match waiting.pop():
            case dict() as table:
                if any(_is_club_key(key) and one is not False for key, one in table.items()):
                    return True
                waiting += table.values()
            case list() as several:
                waiting += several
    return False


def _is_club_key(key: str) -> bool:
    return key.lower().startswith("club")


def _says_club(sections: Mapping[str, Any]) -> bool | None:
    panel = sections.get("panel")
    said = panel.get("club") if isinstance(panel, Mapping) else None
    return said if isinstance(said, bool) else None


def _pin(panel: Any) -> str | None:
    """The host's own PIN, which may stand there without quotes."""
    said = panel.get("pin") if isinstance(panel, Mapping) else None
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 10**12:
        said = str(said)
    return own_pin(said) if isinstance(said, str) else None


def _parse_toml(raw: bytes) -> Mapping[str, Any]:
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError("companion.error.config-utf8") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        if line is None:
            raise UsageError("companion.error.config-cut") from None
        # A line of the template that is made to count beside one of one's own, for instance.
        is_twice = str(error).startswith(("Cannot overwrite", "Cannot declare"))
        key = "config-twice" if is_twice else "config-line"
        raise UsageError(f"companion.error.{key}", line=line[1]) from None


def _parse_old(raw: bytes) -> Mapping[str, Any]:
    try:
        box = json.loads(raw)
    except UnicodeDecodeError:
        raise UsageError("companion.error.config-utf8") from None
    except json.JSONDecodeError as error:
        at = {"line": error.lineno, "column": error.colno}
        raise UsageError("companion.error.json-at", **at) from None
    if not isinstance(box, dict) or not set(OLD_SECTIONS) & set(box):
        raise UsageError("companion.error.box-keys")
    return box


def _hosts(panel: Any) -> tuple[str, ...]:
    """Names beyond those of any home network by which the panel is called."""
    names = panel.get("hosts", []) if isinstance(panel, Mapping) else panel
    if not isinstance(names, list):
        raise UsageError("companion.error.hosts", given=str(names)[:80])
    wrong = [one for one in names if not isinstance(one, str) or host_name(one) != one.lower()]
    if wrong:
        given = ", ".join(str(one)[:80] for one in wrong[:MOST_TOLD])
        raise UsageError("companion.error.hosts", given=given)
    return tuple(names)


def _check_option(name: str, value: Any) -> None:
    """Raise UsageError for an option of `[serve]` that there isn't, or of another kind."""
    if name not in SERVE_OPTIONS:
        known = ", ".join(SERVE_OPTIONS)
        raise UsageError("companion.error.serve-options", name=repeated(name), known=known)
    is_of_kind = isinstance(value, SERVE_OPTIONS[name]) and not isinstance(value, bool)
    if not is_of_kind or (isinstance(value, str) and "\0" in value):  # no file's or machine's name
        raise UsageError("companion.error.serve-value", name=name, value=as_written(value))


def _power(power: Any) -> bool:
    off = power.get("off_by_buttons") if isinstance(power, Mapping) else None
    if not isinstance(off, bool):
        raise UsageError("companion.error.power")
    return off


def _copies(copies: Any) -> Path:
    folder = copies.get("folder") if isinstance(copies, Mapping) and len(copies) == 1 else None
    if not isinstance(folder, str) or not Path(folder).is_absolute() or "\0" in folder:
        raise UsageError("companion.error.copies")
    return Path(folder)
