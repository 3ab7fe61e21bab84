"""What was last wrong with the camera and the box, kept in the data folder for `companion doctor`.

The doctor runs beside the table or after it; it cannot ask a camera or pins that the table holds.
"""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from scoring.documents.plain_file import read_plain
from scoring.language import LANGUAGES, SpokenError, text

LARGEST_NOTES_BYTES = 100_000
"""Two sentences in each language take a hundredth of it."""


@dataclass(frozen=True, slots=True)
class PastTrouble:
    """What was wrong with a part ("camera", "box") at a time of day, said in any language."""

    part: str
    at: str
    sentences: dict[str, str]

    def sentence(self, language: str) -> str:
        """What was wrong, in that language."""
        return self.sentences[language]

    def __str__(self) -> str:
        return self.sentence("en")


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
        notes = {old.part: _document(old.at, old.sentences) for old in self.read()}
        before = dict(notes)
        notes.pop(part, None)
        if trouble is not None:
            said = {language: trouble.sentence(language) for language in LANGUAGES}
            notes[part] = _document(f"{datetime.now():%Y-%m-%d %H:%M}", said)
        if notes != before:
            self._write(notes)

    def read(self) -> list[PastTrouble]:
        """What is noted; nothing where the file is missing or damaged."""
        try:
            return list(_past_troubles(json.loads(read_plain(self._path, LARGEST_NOTES_BYTES))))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return []

    def _write(self, notes: dict[str, dict[str, str]]) -> None:
        try:
            draft = self._path.with_suffix(".draft")
            draft.write_text(json.dumps(notes, ensure_ascii=False), "utf-8")
            draft.replace(self._path)
        except OSError:
            return


def _document(at: str, sentences: dict[str, str]) -> dict[str, str]:
    return {"at": at, **sentences}


def _past_troubles(notes: dict[str, dict[str, str]]) -> Iterator[PastTrouble]:
    for part, note in notes.items():
        sentences = {language: str(note[language]) for language in LANGUAGES}
        yield PastTrouble(part, str(note["at"]), sentences)


def spoken(part: str, trouble: SpokenError | None, language: str) -> str:
    """What a terminal says of a part: its trouble, or that it works again."""
    if trouble is None:
        return text(f"companion.{part}.back", language)
    return trouble.sentence(language)
