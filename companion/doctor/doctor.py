"""Checks camera, pins, storage and network, and says how to fix what is missing."""

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from companion.config import BoxConfig, owner_if_another, port_of_the_machine, read_config
from companion.doctor.findings import BROKEN, GOOD, MISSING, CheckResult, finding, user_name
from companion.doctor.hardware_notes import HardwareNotes
from companion.doctor.machine import examine_machine
from companion.doctor.raspberry_pi import PiSoftware, lgpio_finding, look, picamera2_finding
from companion.server.notify import answers
from companion.server.web_server import HTTP_PORT, USUAL_PORT, lan_address
from companion.user_files.board_choice import games_here
from hardware.cameras.found import misses_ribbon_camera, usb_cameras
from scoring.language import Message
from vision.images.plain_file import is_folder

FREE_BYTES = 200_000_000
"""Enough for a game: its log takes less than 20 MB."""


def examine(
    folder: Path,
    root: Path = Path("/"),
    pi_software: PiSoftware | None = None,
    port: int | None = None,
) -> list[CheckResult]:
    """Look at everything; `root` is where the system's files are.

    `pi_software` is what was found of a Pi's own software, looked at here if None. `port` is the
    one that the panel has, where that is known.
    """
    pi = pi_software or look(root)
    # Nothing that lies in a closed folder is wrong by itself: that the folder is closed is told.
    is_closed = _damaged_logs(folder) is None
    config = BoxConfig() if is_closed else read_config(folder)
    parts: tuple[Callable[[], Iterator[CheckResult]], ...] = (
        _program,
        lambda: _usb_cameras(root),
        lambda: iter([picamera2_finding(pi, is_unseen=misses_ribbon_camera(root))]),
        lambda: _gpio(root, pi),
        lambda: _past_troubles(folder),
        lambda: _configuration(config),
        lambda: _home(config),
        lambda: _hub(config),
        lambda: _storage(folder),
        lambda: iter(()) if is_closed else _board_files(folder),
        lambda: _network(port, config.serve.get("port") or port_of_the_machine() or USUAL_PORT),
        lambda: examine_machine(folder, config, root, datetime.now()),
    )
    return [found for part in parts for found in part()]


def urgent(folder: Path, root: Path = Path("/"), now: datetime | None = None) -> list[CheckResult]:
    """What may spoil an evening, however well the program is: card, clock, power, memory, update.

    Quick enough for every visit to the start page.
    """
    machine = examine_machine(folder, BoxConfig(), root, now or datetime.now())
    return [one for one in (*_space(folder), *machine) if one.status == BROKEN]


def _program() -> Iterator[CheckResult]:
    version = platform.python_version()
    machine = f"{platform.system()} {platform.machine()}"
    yield finding("python", GOOD, "python", version=version, machine=machine)
    for package in ("cv2", "numpy", "onnxruntime", "flask"):
        if not _importable(package):
            yield finding("packages", BROKEN, "package-missing", package=package)


def _usb_cameras(root: Path) -> Iterator[CheckResult]:
    """USB cameras by the kernel's names."""
    cameras = usb_cameras(root)
    if not cameras:
        yield finding("usb-camera", MISSING, "no-usb-camera")
    for device, model in cameras.items():
        allowed = os.access(root / device.removeprefix("/"), os.R_OK | os.W_OK)
        key = "usb-camera" if allowed else "usb-camera-forbidden"
        status = GOOD if allowed else BROKEN
        yield finding("usb-camera", status, key, device=device, model=model, user=user_name())


def _gpio(root: Path, pi: PiSoftware) -> Iterator[CheckResult]:
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        yield finding("gpio", MISSING, "no-gpio")
        return
    chip = f"/dev/{chips[0].name}"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        yield finding("gpio", BROKEN, "gpio-forbidden", chip=chip, user=user_name())
    else:
        yield lgpio_finding(pi) or finding("gpio", GOOD, "gpio", chip=chip)


def _past_troubles(folder: Path) -> Iterator[CheckResult]:
    """What the table last found wrong with camera or box, if it has not worked since."""
    for past in HardwareNotes(folder).read():
        yield finding(past.part, BROKEN, "last-trouble", at=past.when, what=past.message)


def _configuration(config: BoxConfig) -> Iterator[CheckResult]:
    for trouble in config.troubles:
        yield finding("configuration", BROKEN, "config-wrong", **trouble.message.values)
    if config.pins is not None:
        parts = tuple(
            Message("companion.doctor.pin", part=one.name, pin=one.pin)
            for one in config.pins.parts()
        )
        yield finding("pins", GOOD, "pins", parts=parts)


def _home(config: BoxConfig) -> Iterator[CheckResult]:
    """Home automation; a broker that cannot be reached is among the past troubles."""
    if (home := config.home) is None:
        return
    if _importable("paho"):
        yield finding("mqtt", GOOD, "mqtt", broker=str(home.address), name=home.name)
    else:
        yield finding("mqtt", BROKEN, "mqtt-missing", python=sys.executable)


def _hub(config: BoxConfig) -> Iterator[CheckResult]:
    """A club's hub, likewise."""
    if (hub := config.hub) is None:
        return
    if _importable("paho"):
        address = str(hub.address)
        yield finding("hub", GOOD, "hub", broker=address, name=hub.name, table=hub.table)
    else:
        yield finding("hub", BROKEN, "hub-missing", python=sys.executable)


def _storage(folder: Path) -> Iterator[CheckResult]:
    damaged = _damaged_logs(folder)
    if damaged is None:
        yield _forbidden(folder)
        return
    yield from _space(folder)
    if damaged:
        yield finding("storage", BROKEN, "damaged-log", path=damaged[-1], count=len(damaged))


def _space(folder: Path) -> Iterator[CheckResult]:
    """Whether there is room to save, and the right to."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if is_folder(path))
    if not os.access(nearest, os.W_OK):
        yield _forbidden(folder)
        return
    free = shutil.disk_usage(nearest).free
    status, key = (GOOD, "storage") if free >= FREE_BYTES else (BROKEN, "disk-full")
    yield finding("storage", status, key, folder=folder, free=free // 1_000_000)


def _forbidden(folder: Path) -> CheckResult:
    """Nothing can be saved there."""
    if (user := owner_if_another(folder)) is not None:
        return finding("storage", BROKEN, "folder-of-another", folder=folder, user=user)
    return finding("storage", BROKEN, "folder-forbidden", folder=folder)


def _damaged_logs(folder: Path) -> list[Path] | None:
    """The logs that were set aside; None where the folder cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.match("*.damaged-*.sqlite3"))
    except FileNotFoundError:
        return []
    except OSError:
        return None


def _board_files(folder: Path) -> Iterator[CheckResult]:
    """The table's own boards: one whose file cannot be used is on no list of the panel."""
    for problem in games_here(folder)[1]:
        yield finding("boards", BROKEN, "board-file", what=problem)


def _network(port: int | None, configured_port: int) -> Iterator[CheckResult]:
    """Where the panel is; whether it answers there, unless it runs on `port`, as it says itself.

    Where another program has the configured port, the panel took the usual one.
    """
    host = lan_address()
    asked = dict.fromkeys((configured_port, USUAL_PORT)) if port is None else ()
    found = port or next((one for one in asked if answers(_address(host, one))), None)
    shown = _address(host, found or configured_port)
    if found is None:
        yield finding("network", MISSING, "panel-off", address=shown)
    elif host is None:
        yield finding("network", MISSING, "no-network", address=shown)
    else:
        yield finding("network", GOOD, "network", address=shown)


def _address(host: str | None, port: int) -> str:
    return f"http://{host or 'localhost'}{'' if port == HTTP_PORT else f':{port}'}/"


def _importable(name: str) -> bool:
    return importlib.util.find_spec(name) is not None
