"""How the machine itself is: heat, power, memory, clock, card, name, keys, the last update.

Everything is read from the system's files under `root`, so that the tests can make a machine of
their own.
"""

import os
import re
import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.config import BoxConfig
from companion.copies.sticks import unescaped
from companion.doctor.findings import BROKEN, GOOD, MISSING, CheckResult, finding, user_name
from companion.server.mdns import AVAHI, AnnouncedName
from companion.server.web_server import lan_address
from web.days import CLOCK_SET_S, moment

HOT_C = 80.0
"""From here on a Raspberry Pi slows itself down."""

LITTLE_MEMORY_MB = 100
"""A scan takes up to half of this beyond what watching takes (docs/box.md)."""

UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_BEFORE = 1 << 0, 1 << 16
"""Bits of the firmware's `get_throttled`."""

FORGETS_NUMBER = "etc/systemd/system/companion-forget-number.service"
"""Part of the card's image (docs/decisions/0082)."""

WORN = 9
"""An eMMC's own word for a life that is used up by 80 to 90 %; 10 and 11 are worse."""


def examine_machine(
    folder: Path, config: BoxConfig, root: Path, now: datetime
) -> Iterator[CheckResult]:
    """Every finding about the machine that keeps its data in a folder."""
    yield from _temperature(root)
    yield from _power(root)
    yield from _memory(root)
    yield from _clock(now, root)
    yield from _card(folder, root)
    yield from _wifi(root)
    yield from _name(root)
    yield from _keys(config, root)
    yield from _update(root)


def _text(path: Path) -> str:
    """The file's text, empty where there is none."""
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""


def _number(text: str, base: int = 10) -> int | None:
    try:
        return int(text, base)
    except ValueError:
        return None


def _temperature(root: Path) -> Iterator[CheckResult]:
    milli = _number(_text(root / "sys/class/thermal/thermal_zone0/temp"))
    if milli is not None:
        is_hot = milli / 1000 >= HOT_C
        key = "hot" if is_hot else "temperature"
        yield finding("temperature", BROKEN if is_hot else GOOD, key, degrees=round(milli / 1000))


def _power(root: Path) -> Iterator[CheckResult]:
    paths = sorted((root / "sys/devices/platform").glob("soc*/soc*firmware/get_throttled"))
    bits = _number(_text(paths[0]), 16) if paths else None
    if bits is None:
        return
    if bits & UNDER_VOLTAGE_NOW:
        yield finding("power", BROKEN, "under-voltage")
    elif bits & UNDER_VOLTAGE_BEFORE:
        yield finding("power", BROKEN, "under-voltage-before")
    else:
        yield finding("power", GOOD, "power")


def _memory(root: Path) -> Iterator[CheckResult]:
    lines = dict(re.findall(r"^(\w+):\s+(\d+) kB", _text(root / "proc/meminfo"), re.MULTILINE))
    if "MemAvailable" not in lines:
        return
    free_mb = (int(lines["MemAvailable"]) + int(lines.get("SwapFree", 0))) // 1000
    is_short = free_mb < LITTLE_MEMORY_MB
    key = "little-memory" if is_short else "memory"
    yield finding("memory", BROKEN if is_short else GOOD, key, free=free_mb)


def _clock(now: datetime, root: Path) -> Iterator[CheckResult]:
    """A clock that cannot be right, or that nobody has set since a Pi without a battery began."""
    status, key = GOOD, "clock"
    if now.timestamp() < CLOCK_SET_S:
        status, key = BROKEN, "clock-wrong"
    elif not any((root / "sys/class/rtc").glob("rtc*")) and _is_waiting_for_the_time(root):
        status, key = MISSING, "clock-unset"
    yield finding("clock", status, key, at=moment(now))


def _is_waiting_for_the_time(root: Path) -> bool:
    """Whether systemd-timesyncd runs and has heard of no time: it leaves a file when it has."""
    timesync = root / "run/systemd/timesync"
    return timesync.is_dir() and not (timesync / "synchronized").exists()


def _card(folder: Path, root: Path) -> Iterator[CheckResult]:
    """The card: mounted for reading only after an error, errors of its file system, worn."""
    device, options = _mount_of(folder, _text(root / "proc/mounts"))
    errors = _number(_text(root / "sys/fs/ext4" / Path(device).name / "errors_count")) or 0
    lives = [_text(one / "device/life_time") for one in (root / "sys/block").glob("mmcblk*")]
    used = max((_number(word, 16) or 0 for text in lives for word in text.split()), default=0)
    if "ro" in options:
        yield finding("card", BROKEN, "card-read-only", device=device)
    elif errors:
        yield finding("card", BROKEN, "card-errors", device=device, count=errors)
    elif used >= WORN:
        yield finding("card", BROKEN, "card-worn")
    elif device:
        yield finding("card", GOOD, "card", device=device)


def _mount_of(folder: Path, mounts: str) -> tuple[str, list[str]]:
    """The device that holds a folder and its mount options, from the text of /proc/mounts."""
    best: tuple[str, list[str]] = ("", [])
    longest = -1
    real = Path(os.path.realpath(folder))
    for line in mounts.splitlines():
        words = [unescaped(word) for word in line.split()]
        if len(words) < 4 or not words[0].startswith("/dev/"):
            continue
        if real.is_relative_to(words[1]) and len(words[1]) >= longest:  # of two the one on top
            best, longest = (words[0], words[3].split(",")), len(words[1])
    return best


def _wifi(root: Path) -> Iterator[CheckResult]:
    """A radio that is switched off (rfkill): the box can neither join a Wi-Fi nor open its own."""
    radios = [
        one
        for one in sorted((root / "sys/class/rfkill").glob("rfkill*"))
        if _text(one / "type") == "wlan"
    ]
    status = MISSING if lan_address() else BROKEN  # with a cable it may be meant so
    if any(_text(one / "hard") == "1" for one in radios):
        yield finding("wifi", status, "wifi-hard")
    elif any(_text(one / "soft") == "1" for one in radios):
        yield finding("wifi", status, "wifi-off")


def _name(root: Path) -> Iterator[CheckResult]:
    """The name by which tablets find the panel without its address."""
    own = f"{_text(root / 'etc/hostname') or socket.gethostname()}.local"
    name = AnnouncedName(root / AVAHI.relative_to("/")).of(lan_address()) or own
    if (root / "run/avahi-daemon/pid").exists():
        key = "name-numbered" if _has_number(root, name) else "name"
        yield finding("name", GOOD, key, name=name)
    else:
        yield finding("name", MISSING, "no-name", name=name)


def _has_number(root: Path, name: str) -> bool:
    """Whether the card's image gave the name its number, which a file on the card takes off."""
    is_of_image = (root / FORGETS_NUMBER).exists()
    return is_of_image and re.fullmatch(r".+-\d{1,2}\.local", name) is not None


def _keys(config: BoxConfig, root: Path) -> Iterator[CheckResult]:
    if config.keys is None:
        return
    devices = sorted(root.glob(config.keys.device.removeprefix("/")))
    closed = [path for path in devices if not os.access(path, os.R_OK)]
    if not devices:
        yield finding("keys", MISSING, "no-keys", device=config.keys.device)
    elif closed:
        yield finding("keys", BROKEN, "keys-forbidden", count=len(closed), user=user_name())
    else:
        yield finding("keys", GOOD, "keys", count=len(devices))


def _update(root: Path) -> Iterator[CheckResult]:
    """An update that was put back, or that a power cut left half done."""
    words = _text(root / "opt/companion/rolled-back").split()
    if len(words) == 2:
        yield finding("update", BROKEN, "rolled-back", new=words[0], old=words[1])
    state = _package_state(root)
    if state == "half-installed":
        yield finding("update", BROKEN, "update-cut")
    elif state.startswith(("half-", "unpacked", "triggers-")):
        yield finding("update", BROKEN, "update-unfinished")


def _package_state(root: Path) -> str:
    """How far dpkg came with the package, empty where it knows none.

    What it does is noted in files of their own first; after a power cut only those tell of it.
    """
    notes = sorted((root / "var/lib/dpkg/updates").glob("[0-9]*"))
    told = "\n".join(_text(path) for path in (root / "var/lib/dpkg/status", *notes))
    states = re.findall(r"^Package: companion\nStatus: \S+ \S+ (\S+)", told, re.M)
    return states[-1] if states else ""
