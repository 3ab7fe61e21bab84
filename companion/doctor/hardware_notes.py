"""What was last wrong with the camera, the box and whatever else the table reports, kept in the
data folder for `companion doctor`.

The doctor runs beside the table or after it; it cannot ask a camera or pins that the table holds.
"""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.whole_file import write_whole
from scoring.language import Message, SpokenError, text
from vision.images.plain_file import read_plain
from web.days import moment

LARGEST_NOTES_BYTES = 100_000
"""Two notes take a hundredth of it."""


@dataclass(frozen=True, slots=True)
class PastTrouble:
    """What was wrong with a part ("camera", "box"); `at` as the file notes it."""

    part: str
    at: str
    message: Message

    @property
    def when(self) -> Message | str:
        """The day and its time; as noted where it is no time."""
        try:
            return moment(datetime.fromisoformat(self.at))
        except ValueError:
            return self.at


class HardwareNotes:
    """The notes of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "hardware.json"
        self._lock = threading.Lock()

    def note(self, part: str, trouble: SpokenError | None) -> None:
        """Keep what is wrong with a part, None if nothing is; on a full disk nothing is kept."""
        with self._lock:
            self._note(part, trouble)

    def _note(self, part: str, trouble: SpokenError | None) -> None:
        notes = {old.part: _document(old.at, old.message) for old in self.read()}
        before = dict(notes)
        notes.pop(part, None)
        if trouble is not None:
            notes[part] = _document(f"{datetime.now():%Y-%m-%d %H:%M}", trouble.message)
        if notes != before:
            self._write(notes)

    def read(self) -> list[PastTrouble]:
        """What is noted; nothing where the file is missing or damaged."""
        try:
            return list(_past_troubles(json.loads(read_plain(self._path, LARGEST_NOTES_BYTES))))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return []

    def _write(self, notes: dict[str, dict[str, Any]]) -> None:
        try:
            write_whole(self._path, json.dumps(notes, ensure_ascii=False).encode())
        except OSError:
            return


def _document(at: str, message: Message) -> dict[str, Any]:
    return {"at": at, "message": message.to_json()}


def _past_troubles(notes: dict[str, dict[str, Any]]) -> Iterator[PastTrouble]:
    for part, note in notes.items():
        yield PastTrouble(part, str(note["at"]), _message(note))


def _message(note: dict[str, Any]) -> Message:
    """The sentence of a note; earlier versions wrote it out, in English among others."""
    if "message" not in note:
        return Message("companion.notice.plain", text=note["en"])
    message = Message.from_json(note["message"])
    return message if message.can_be_told() else Message("companion.notice.unknown")


def spoken(part: str, trouble: SpokenError | None, language: str) -> str:
    """What a terminal says of a part: its trouble, or that it works again."""
    if trouble is None:
        return text(f"companion.{part}.back", language)
    return trouble.sentence(language)
