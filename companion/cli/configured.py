"""Options of `companion serve` that its configuration gives: a wrong one must not cost the panel.

Who types a wrong option is told so and types it again. A box starts by itself, and its panel is the
only place where it can say what is wrong.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from companion.cli.troubles import Report
from companion.config import BoxConfig, config_path, port_of_the_machine
from companion.errors import CommandError, UsageError
from hardware.cameras.camera import DEFAULT_FPS
from scoring.language import Message

EMPTY_PHOTO = ("reference", "calibration")

MOST_REPORTED = 6
"""Address, language, board, empty photo, camera and its speed can each be left out."""

Made = TypeVar("Made")


class ConfiguredOptions:
    """Fills in what the command line leaves open, and leaves out what cannot be used.

    `troubles` collects what was left out, each with the reason.
    """

    def __init__(self, arguments: argparse.Namespace, config: BoxConfig, data: Path) -> None:
        self._arguments = arguments
        self._file = config_path(data)
        self._usual = {"host": "0.0.0.0", "fps": DEFAULT_FPS, "port": port_of_the_machine()}
        self._filled: set[str] = set()
        self.troubles: list[UsageError] = []
        self._fill_in(config)

    def _fill_in(self, config: BoxConfig) -> None:
        """An empty photo that the command line gives replaces the configured one."""
        options = dict(config.serve)
        if any(getattr(self._arguments, name) for name in EMPTY_PHOTO):
            options = {name: value for name, value in options.items() if name not in EMPTY_PHOTO}
        for name, value in {**self._usual, **options}.items():
            if getattr(self._arguments, name) is None:
                setattr(self._arguments, name, value)
                if name in options:
                    self._filled.add(name)

    def make(self, make: Callable[[], Made], *names: str) -> Made:
        """What `make` makes of the options of these names, without the configured ones if need be.

        Raises what `make` raises where it isn't the configuration's fault.
        """
        try:
            return make()
        except CommandError as error:
            wrong = [name for name in names if name in self._filled]
            if not wrong:
                raise
            self._leave_out(wrong, error)
            return make()

    def _leave_out(self, names: list[str], error: CommandError) -> None:
        for name in names:
            setattr(self._arguments, name, self._usual.get(name))
            self._filled.discard(name)
        reason = Message("companion.error.left-out", names=", ".join(names), reason=error)
        trouble = UsageError("companion.error.box", path=self._file, reason=reason)
        self.troubles.append(trouble)


def report_left_out(troubles: Sequence[UsageError], report: Report) -> None:
    """Say what was left out, and keep it for the check-up; nothing is left of an earlier start."""
    for number in range(MOST_REPORTED):
        part = f"serve-{number + 1}"
        report(part, troubles[number] if number < len(troubles) else None)
