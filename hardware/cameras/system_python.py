"""The system's Python as the Pi's camera needs it: with apt's picamera2 and the numpy it fits.

picamera2 and what stands under it (simplejpeg, libcamera) are built by the system against the
system's numpy, which need not be the one of this program's environment: Raspberry Pi OS Bookworm
has numpy 1.24, and a module that was built for it fails beside numpy 2. So the capture child runs
under the system's own Python, which sees this program's `hardware` and `scoring`, and nothing else
of its environment.
"""

from collections.abc import Sequence
from pathlib import Path

SYSTEM_PYTHON = "usr/bin/python3"
SYSTEM_PACKAGES = "usr/lib/python3/dist-packages"
"""Where Debian keeps its Python and the packages that apt installs for it."""

ROOMS = Path(__file__).parents[2]
"""The folder that holds the packages `hardware` and `scoring`."""

RUN_CHILD = """
import importlib.util, runpy, sys
rooms, *rest = sys.argv[1:]
for name in ("scoring", "hardware"):
    places = [f"{rooms}/{name}"]
    spec = importlib.util.spec_from_file_location(
        name, f"{places[0]}/__init__.py", submodule_search_locations=places)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
sys.argv[1:] = rest
runpy.run_module("hardware.cameras.capture_child", run_name="__main__", alter_sys=True)
"""
"""Runs the child. It loads the two packages from their files, because their folder must not be on
the path: it may hold this environment's numpy as well."""


def has_picamera2(root: Path = Path("/")) -> bool:
    """Whether apt's picamera2 is there, with a Python to run it."""
    return (root / SYSTEM_PACKAGES / "picamera2").is_dir() and (root / SYSTEM_PYTHON).exists()


def child_command(spec: str, root: Path = Path("/")) -> Sequence[str]:
    """The command that captures from a camera under the system's Python.

    `-I` keeps out the environment's variables, the user's packages and the working directory.
    """
    return [str(root / SYSTEM_PYTHON), "-I", "-c", RUN_CHILD, str(ROOMS), spec]
