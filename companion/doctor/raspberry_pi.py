"""What a Raspberry Pi's own software lacks: picamera2 under the system's Python, lgpio in ours.

Looking (`look`) is apart from judging (`picamera2_finding`, `lgpio_finding`), which is pure.
"""

import importlib.metadata
import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from companion.doctor.findings import BROKEN, GOOD, MISSING, CheckResult, finding
from hardware.cameras.system_python import SYSTEM_PACKAGES, SYSTEM_PYTHON, has_picamera2
from hardware.console.lgpio_folder import load_lgpio
from scoring.language import Message

IMPORT_TIMEOUT_S = 60.0
"""Importing picamera2 takes some 10 s from a slow card."""

STUB_VERSION = "0.0.0.2"
"""The version that pip installs without a wheel or a compiler: a stub without the library."""

PACKAGE = "/opt/companion/"
"""Where the Debian package lives, whose environment sees what apt installs."""

WHEELS_BEFORE = (3, 13)
"""PyPI has wheels of lgpio for every Python before this one."""


@dataclass(frozen=True, slots=True)
class PiSoftware:
    """What was found.

    `picamera2` and `lgpio`: None where it isn't there, "" where it starts, else why it doesn't.
    `lgpio_version` is the version in our environment; `apt_lgpio` whether apt's lgpio is there;
    `python` and `system` are versions as (3, 11), `system` None without a system Python;
    `executable` and `venv` are our own Python and its environment.
    """

    picamera2: str | None = None
    lgpio: str | None = None
    lgpio_version: str = ""
    apt_lgpio: bool = False
    python: tuple[int, int] = (3, 11)
    system: tuple[int, int] | None = None
    executable: str = ".venv/bin/python"
    venv: str = ".venv"


def look(root: Path = Path("/")) -> PiSoftware:
    """Look at this machine; `root` is where the system's files are."""
    return PiSoftware(
        picamera2=_start_picamera2(root),
        lgpio=_start_lgpio(),
        lgpio_version=_version("lgpio"),
        apt_lgpio=(root / SYSTEM_PACKAGES / "lgpio.py").exists(),
        python=(sys.version_info.major, sys.version_info.minor),
        system=_system_version(root),
        executable=sys.executable,
        venv=sys.prefix,
    )


def picamera2_finding(pi: PiSoftware, *, is_unseen: bool) -> CheckResult:
    """The Pi's camera: its library works, is missing or does not start, or the Pi sees none."""
    if pi.picamera2 is None:
        return finding("pi-camera", MISSING, "no-picamera2")
    if pi.picamera2:
        return finding("pi-camera", BROKEN, "picamera2-broken", reason=pi.picamera2)
    if is_unseen:
        return finding("pi-camera", MISSING, "no-ribbon-camera")
    return finding("pi-camera", GOOD, "picamera2")


def lgpio_finding(pi: PiSoftware) -> CheckResult | None:
    """What keeps lgpio from driving the pins, with the command that mends it; None if nothing."""
    if pi.lgpio is not None and pi.lgpio_version == STUB_VERSION:
        return _lgpio("lgpio-hollow", version=STUB_VERSION, python=pi.executable, venv=pi.venv)
    if pi.lgpio:
        return _lgpio("lgpio-broken", reason=pi.lgpio)
    if pi.lgpio is not None:
        return None
    if pi.venv.startswith(PACKAGE):
        return _lgpio("no-lgpio-apt")
    if pi.apt_lgpio and pi.system == pi.python:
        return _lgpio("lgpio-unseen", venv=pi.venv)
    if pi.apt_lgpio and pi.system is not None:
        system, version = _dotted(pi.system), _dotted(pi.python)
        return _lgpio("lgpio-other-python", system=system, version=version, venv=pi.venv)
    if pi.python < WHEELS_BEFORE:
        return _lgpio("no-lgpio-pip", python=pi.executable)
    return _lgpio("no-lgpio", python=pi.executable, venv=pi.venv)


def _lgpio(key: str, **values: object) -> CheckResult:
    return CheckResult("gpio", BROKEN, Message(f"companion.doctor.{key}", **values))


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _start_picamera2(root: Path) -> str | None:
    """Import picamera2 as the capture child would, in a process of its own."""
    if has_picamera2(root):
        python = [str(root / SYSTEM_PYTHON), "-I"]
    elif importlib.util.find_spec("picamera2") is not None:
        python = [sys.executable]
    else:
        return None
    return _last_line_of([*python, "-c", "import picamera2"])


def _last_line_of(command: list[str]) -> str:
    """ "" where a command succeeds, else the last thing it said."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=IMPORT_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    said = done.stderr.strip().splitlines()
    return said[-1] if said else f"{command[0]}: {done.returncode}"


def _start_lgpio() -> str | None:
    if importlib.util.find_spec("lgpio") is None:
        return None
    error = load_lgpio()
    return "" if error is None else str(error) or type(error).__name__


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _system_version(root: Path) -> tuple[int, int] | None:
    """The version that /usr/bin/python3 points to, by the name of its file."""
    python = (root / SYSTEM_PYTHON).resolve()
    digits = python.name.removeprefix("python").split(".")
    if len(digits) != 2 or not all(part.isdigit() for part in digits):
        return None
    return int(digits[0]), int(digits[1])
