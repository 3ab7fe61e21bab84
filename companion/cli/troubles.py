"""Says what is wrong with the parts of a table that serves."""

import sys
from collections.abc import Callable
from pathlib import Path

from companion.cli.outputs import tell
from companion.doctor.hardware_notes import HardwareNotes, spoken
from scoring.language import SpokenError

Report = Callable[[str, SpokenError | None], None]
"""Called with a part and what is wrong with it, None once nothing is."""


class TroubleReporter:
    """Prints what is wrong with camera and box, once per change, and keeps it for the doctor."""

    def __init__(self, folder: Path, language: str) -> None:
        self._notes = HardwareNotes(folder)
        self._language = language
        self._said: dict[str, str] = {}

    def __call__(self, part: str, trouble: SpokenError | None) -> None:
        self._notes.note(part, trouble)
        key = "" if trouble is None else str(trouble)
        if self._said.get(part, "") != key:
            self._said[part] = key
            tell(f"companion serve: {spoken(part, trouble, self._language)}", sys.stderr)
