"""What a table has and lacks: camera, pins, storage, network, and how to mend what is missing."""

import importlib.util
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.config import pin_map
from companion.errors import UsageError
from companion.server import lan_address
from scoring.language import text
from scoring.plain_file import is_folder

GOOD, MISSING, BROKEN = "good", "missing", "broken"
"""Works; isn't here, which may be meant; is here and doesn't work."""

FREE_BYTES = 200_000_000
"""Room that an evening can't fill: its log takes less than 20 MB."""

NOT_CAMERAS = ("bcm2835", "pisp", "rpi")
"""How the kernel's names of a Pi's codecs and image processors begin."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `status` is "good", "missing" or "broken", `key` its sentence."""

    name: str
    status: str
    key: str
    values: dict[str, object]

    def sentence(self, language: str) -> str:
        """What was found and, if it isn't good, how to mend it."""
        return text(self.key, language, **self.values)

    def to_json(self, language: str) -> dict[str, Any]:
        """The finding's JSON document."""
        return {"name": self.name, "status": self.status, "text": self.sentence(language)}


def examine(folder: Path, root: Path = Path("/")) -> list[Finding]:
    """Look at everything; `root` is where the system's files are."""
    parts: tuple[Callable[[], Iterator[Finding]], ...] = (
        _program,
        lambda: _usb_cameras(root),
        _pi_camera,
        lambda: _gpio(root),
        lambda: _pins(folder),
        lambda: _storage(folder),
        _network,
    )
    return [finding for part in parts for finding in part()]


def _finding(name: str, status: str, key: str, **values: object) -> Finding:
    return Finding(name, status, f"companion.doctor.{key}", values)


def _program() -> Iterator[Finding]:
    version = platform.python_version()
    machine = f"{platform.system()} {platform.machine()}"
    yield _finding("python", GOOD, "python", version=version, machine=machine)
    for package in ("cv2", "numpy", "onnxruntime", "flask"):
        if not _importable(package):
            yield _finding("packages", BROKEN, "package-missing", package=package)


def _usb_cameras(root: Path) -> Iterator[Finding]:
    """Video devices by the kernel's names."""
    devices = sorted((root / "sys/class/video4linux").glob("video*"))
    cameras = [path for path in devices if not _name_of(path).startswith(NOT_CAMERAS)]
    if not cameras:
        yield _finding("usb-camera", MISSING, "no-usb-camera")
    for path in cameras:
        device = root / "dev" / path.name
        allowed = os.access(device, os.R_OK | os.W_OK)
        key = "usb-camera" if allowed else "usb-camera-forbidden"
        status = GOOD if allowed else BROKEN
        yield _finding("usb-camera", status, key, device=f"/dev/{path.name}", model=_name_of(path))


def _name_of(device: Path) -> str:
    try:
        return (device / "name").read_text("utf-8").strip()
    except OSError:
        return "?"


def _pi_camera() -> Iterator[Finding]:
    if _importable("picamera2"):
        yield _finding("pi-camera", GOOD, "picamera2")
    else:
        yield _finding("pi-camera", MISSING, "no-picamera2")


def _gpio(root: Path) -> Iterator[Finding]:
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        yield _finding("gpio", MISSING, "no-gpio")
    elif not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        yield _finding("gpio", BROKEN, "gpio-forbidden", chip=f"/dev/{chips[0].name}")
    elif not _importable("lgpio"):
        yield _finding("gpio", BROKEN, "no-lgpio")
    else:
        yield _finding("gpio", GOOD, "gpio", chip=f"/dev/{chips[0].name}")


def _pins(folder: Path) -> Iterator[Finding]:
    try:
        pins = pin_map(folder)
    except UsageError as error:
        yield _finding("pins", BROKEN, "pins-wrong", reason=error)
        return
    buttons = ", ".join(f"{button} {pin}" for button, pin in pins.buttons.items())
    lamps = ", ".join(str(pin) for pin in pins.lamps)
    yield _finding("pins", GOOD, "pins", buttons=buttons, lamps=lamps)


def _storage(folder: Path) -> Iterator[Finding]:
    nearest = next(path for path in (folder, *folder.absolute().parents) if is_folder(path))
    damaged = _damaged_logs(folder)
    if damaged is None or not os.access(nearest, os.W_OK):
        yield _finding("storage", BROKEN, "folder-forbidden", folder=folder)
        return
    free = shutil.disk_usage(nearest).free
    status, key = (GOOD, "storage") if free >= FREE_BYTES else (BROKEN, "disk-full")
    yield _finding("storage", status, key, folder=folder, free=free // 1_000_000)
    if damaged:
        yield _finding("storage", BROKEN, "damaged-log", path=damaged[-1], count=len(damaged))


def _damaged_logs(folder: Path) -> list[Path] | None:
    """The logs that were set aside; None where the folder cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.match("*.damaged-*.sqlite3"))
    except FileNotFoundError:
        return []
    except OSError:
        return None


def _network() -> Iterator[Finding]:
    address = lan_address()
    if address is None:
        yield _finding("network", MISSING, "no-network")
    else:
        yield _finding("network", GOOD, "network", address=address)


def _importable(name: str) -> bool:
    return importlib.util.find_spec(name) is not None
