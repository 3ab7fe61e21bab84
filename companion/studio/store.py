"""The boards in work on disk: a folder each, with the photo, its picture and the steps."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import RefusalError
from companion.studio.draft import (
    Draft,
    check_draft,
    checked_text,
    draft_from_json,
    draft_to_json,
)
from companion.studio.reframing import corners_in_photo
from companion.studio.step_fields import Step
from companion.studio.steps import replay
from companion.whole_file import write_whole
from scoring.language import Message
from vision.images.plain_file import is_folder, read_plain
from vision.registration.geometry import Points

FOLDER = "studio"
FORMAT = 1
"""Version of the draft's file that this program reads and writes."""

DOCUMENT, PHOTO, PICTURE, PRINTED = "draft.json", "photo.jpg", "board.jpg", "printed.json"

LARGEST_PHOTO_BYTES = 80_000_000

LARGEST_DOCUMENT = 8_000_000
"""Characters of a draft's file, of four bytes at most: a step takes some hundred, and a board some
thousand steps."""

NO_DRAFT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a damaged document ends in: a field that lacks, one of another kind, 1e999."""

MOST_DRAFTS = 100
"""Boards in work at a time: each keeps its photo."""


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A board in work: how it began, the steps since, and where it led to.

    `base_corners_px` (4, 2) are the corners in the photo that it began with, `known` is the board
    of which it is another print; `now` is what the steps lead to.
    """

    key: str
    created: str
    base_corners_px: Points
    vouched: bool
    base: Draft
    steps: tuple[Step, ...]
    now: Draft
    saved_as: str | None = None
    file_version: int = 0
    known: str | None = None

    @property
    def corners_px(self) -> Points:
        """The board's corners (4, 2) in the photo."""
        return corners_in_photo(self.now, self.base_corners_px)

    def after(self, step: Step, now: Draft) -> "Work":
        """One step on."""
        return replace(self, steps=(*self.steps, step), now=now)

    def undone(self) -> "Work":
        """One step back; raises RefusalError at the beginning."""
        if not self.steps:
            raise RefusalError("companion.studio.nothing-to-undo")
        steps = self.steps[:-1]
        return replace(self, steps=steps, now=replay(self.base, steps))


@dataclass(frozen=True, slots=True)
class Listed:
    """A board in work as the list shows it."""

    key: str
    title: str
    created: str
    steps: int
    problem: Message | None = None


class StudioStore:
    """The folder of boards in work; what it cannot do it refuses with RefusalError."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def create(
        self,
        base: Draft,
        corners_px: Points,
        photo: bytes,
        picture: bytes,
        *,
        vouched: bool,
        known: str | None = None,
    ) -> Work:
        """A new one; the photo is written before the document that speaks of it."""
        if len(self.all()) >= MOST_DRAFTS:
            raise RefusalError("companion.studio.many-drafts", most=MOST_DRAFTS)
        now = datetime.now(UTC)
        key = self._free_key(now.strftime("%Y%m%d-%H%M%S"))
        created = now.isoformat(timespec="seconds")
        work = Work(key, created, corners_px, vouched, base, (), base, known=known)
        try:
            (self._folder / key).mkdir(parents=True)
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error
        try:
            self._put(key, PHOTO, photo)
            self._put(key, PICTURE, picture)
            self.save(work)
        except RefusalError:  # half of it would stand in the list, and keep its room on the disk
            shutil.rmtree(self._folder / key, ignore_errors=True)
            raise
        return work

    def save(self, work: Work) -> None:
        """Write the document whole or not at all."""
        document = {
            "format": FORMAT,
            "created": work.created,
            "corners_px": work.base_corners_px.round(2).tolist(),
            "vouched": work.vouched,
            "base": draft_to_json(work.base),
            "steps": [dict(step) for step in work.steps],
            "title": work.now.rules.title,
            "saved_as": work.saved_as,
            "file_version": work.file_version,
            "known": work.known,
        }
        written = json.dumps(document, ensure_ascii=False)
        if len(written) > LARGEST_DOCUMENT:
            raise RefusalError("companion.studio.too-much")
        try:
            write_whole(self._folder / work.key / DOCUMENT, written.encode())
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error

    def load(self, key: str) -> Work:
        """One with all its steps taken."""
        data = self._document(key)
        try:
            base = draft_from_json(data["base"])
            steps = tuple(dict(step) for step in data["steps"])
            corners = np.array(data["corners_px"], np.float64).reshape(4, 2)
            now = replay(base, steps)
            check_draft(now)
            return Work(
                key=key,
                created=checked_text(data["created"]),
                base_corners_px=corners,
                vouched=data["vouched"] is True,
                base=base,
                steps=steps,
                now=now,
                saved_as=_text_or_none(data, "saved_as"),
                file_version=int(data.get("file_version", 0)),
                known=_text_or_none(data, "known"),
            )
        except (*NO_DRAFT, RefusalError) as error:
            raise RefusalError("companion.studio.damaged") from error

    def all(self) -> list[Listed]:
        """Every one, the newest first."""
        try:
            keys = sorted((p.name for p in self._folder.iterdir() if p.is_dir()), reverse=True)
        except OSError:
            return []
        return [self._listed(key) for key in keys]

    def photo(self, key: str) -> bytes:
        """The photo that one began with."""
        return self._bytes(key, PHOTO)

    def picture(self, key: str) -> bytes:
        """Its straightened picture."""
        return self._bytes(key, PICTURE)

    def put_picture(self, key: str, picture: bytes) -> None:
        """Another straightened picture, since its corners were moved."""
        self._put(key, PICTURE, picture)

    def printed(self, key: str) -> bytes:
        """The names that were read on its map."""
        return self._bytes(key, PRINTED, LARGEST_DOCUMENT)

    def put_printed(self, key: str, names: bytes) -> None:
        """Keep them."""
        self._put(key, PRINTED, names)

    def delete(self, key: str) -> None:
        """Throw one away; on a disk that refuses it stays in the list."""
        try:
            shutil.rmtree(self._path(key))
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error

    def _listed(self, key: str) -> Listed:
        try:
            data = self._document(key)
            steps: Sequence[object] = data["steps"]
            title = checked_text(data.get("title", ""))
            return Listed(key, title, checked_text(data["created"]), len(steps))
        except RefusalError as error:
            return Listed(key, "", "", 0, error.message)
        except (KeyError, TypeError, ValueError):
            return Listed(key, "", "", 0, Message("companion.studio.damaged"))

    def _document(self, key: str) -> dict[str, Any]:
        kept = self._bytes(key, DOCUMENT, 4 * LARGEST_DOCUMENT)
        try:
            data = json.loads(kept)
        except (ValueError, RecursionError):
            raise RefusalError("companion.studio.damaged") from None
        if not isinstance(data, dict):
            raise RefusalError("companion.studio.damaged")
        if data.get("format") != FORMAT:
            raise RefusalError("companion.studio.newer")
        return data

    def _put(self, key: str, name: str, data: bytes) -> None:
        try:
            write_whole(self._path(key) / name, data)
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error

    def _bytes(self, key: str, name: str, most: int = LARGEST_PHOTO_BYTES) -> bytes:
        try:
            return read_plain(self._path(key) / name, most)
        except OSError as error:
            raise RefusalError("companion.studio.gone") from error

    def _path(self, key: str) -> Path:
        if not re.fullmatch(r"[0-9-]+", key) or not is_folder(self._folder / key):
            raise RefusalError("companion.studio.gone")
        return self._folder / key

    def _free_key(self, base: str) -> str:
        key, number = base, 1
        while (self._folder / key).exists():
            number += 1
            key = f"{base}-{number}"
        return key


def _text_or_none(data: Mapping[str, Any], field: str) -> str | None:
    value = data.get(field)
    return None if value is None else checked_text(value)
