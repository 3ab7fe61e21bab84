"""The box that a table has: its buttons and lamps, and whether they switch the machine off."""

import argparse
import subprocess
import sys
from pathlib import Path

from companion.cli.outputs import tell
from companion.config import BoxConfig
from hardware.console.console import Console
from hardware.console.gpio import GpioConsole
from hardware.console.virtual import VirtualConsole
from hardware.errors import ConsoleError
from scoring.language import text


def open_console(arguments: argparse.Namespace, config: BoxConfig, language: str) -> Console:
    """The box on its pins, or the virtual box if there are none or none are wanted."""
    if arguments.no_hardware or config.pins is None:
        return VirtualConsole()
    try:
        console = GpioConsole(config.pins)
    except ConsoleError as error:
        tell(text("companion.serve.virtual-box", language), sys.stderr)
        return VirtualConsole(error if _has_pins() else None)
    console.run()
    return console


def may_power_off(config: BoxConfig, console: Console) -> bool:
    """Whether the outer two buttons switch off: on a real box, unless configured otherwise."""
    is_real = not isinstance(console, VirtualConsole)
    return is_real if config.power_off is None else config.power_off


def power_off() -> None:
    """Switch this machine off; raises OSError."""
    try:
        done = subprocess.run(
            ["systemctl", "poweroff"], capture_output=True, text=True, timeout=30, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise OSError(str(error)) from error
    if done.returncode:
        raise OSError((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1])


def _has_pins() -> bool:
    """Whether this machine has GPIO, so that a virtual box is not what the user wants."""
    return any(Path("/dev").glob("gpiochip*"))
