"""The calibrations that a table keeps: one file each in the data folder, and which are in use."""

import json
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.calibration import Calibration, Lab
from calibration.errors import CalibrationError
from calibration.files import calibration_bytes, load_calibration, load_label
from companion.errors import RefusalError
from companion.whole_file import clear_drafts, write_whole
from scoring.board.board import Board
from scoring.language import Message
from vision.images.plain_file import is_file, read_plain

FOLDER = "calibrations"
SUFFIX = ".calibration"
IN_USE = "in-use.json"

LARGEST_IN_USE = 1_000_000
"""Bytes: a board has one name in there."""

LONGEST_KEY = 100
"""Characters of a board's id in a file's name: no file system takes more than 255 bytes."""

LARGEST_FILE = 90_000_000
"""Bytes: more than the largest picture and document of a calibration."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One file: which board and table it is about, or why it cannot be used."""

    key: str
    board_id: str = ""
    board_version: int = 0
    created: str = ""
    name: str = ""
    problem: Message | None = None

    def fits(self, board: Board) -> bool:
        """Whether its photo is of the board as its file is now, not before it was taught anew."""
        return self.board_version == board.version


class KeptCalibrations:
    """The folder of calibrations; a key is a file's name without its ending.

    What a method cannot do it refuses with RefusalError; files that were there stay as they are.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._lock = threading.RLock()
        self._labels: dict[Path, tuple[tuple[int, ...], Kept]] = {}
        """What was read off files, with what tells that one is another since."""

    def all(self) -> list[Kept]:
        """Every file, the newest first; broken ones last."""
        try:
            paths = sorted(p for p in self._folder.iterdir() if p.suffix == SUFFIX)
        except OSError:
            return []
        files = [self._kept(path) for path in paths]
        return sorted(files, key=lambda file: (file.problem is None, file.created), reverse=True)

    def in_use(self, files: Sequence[Kept] | None = None) -> Mapping[str, str]:
        """The key that is used, by board: as somebody chose, else the newest.

        `files` is what `all` has told already.
        """
        with self._lock:
            known = self.all() if files is None else files
            usable = {file.key: file for file in known if file.problem is None}
            newest = {file.board_id: key for key, file in reversed(usable.items())}
            chosen = {
                board: key
                for board, key in self._chosen().items()
                if key in usable and usable[key].board_id == board
            }
            return {**newest, **chosen}

    def used_for(self, board: Board, files: Sequence[Kept] | None = None) -> str | None:
        """The key in use for a board, None where it does not fit the board's file as it is now."""
        known = self.all() if files is None else files
        key = self.in_use(known).get(board.id)
        return next((one.key for one in known if one.key == key and one.fits(board)), None)

    def load(self, key: str) -> Calibration:
        """The whole calibration; raises RefusalError."""
        try:
            return load_calibration(self._path(key))
        except (CalibrationError, OSError) as error:
            raise RefusalError("companion.setup.broken", reason=_why(error)) from error

    def save(self, calibration: Calibration) -> str:
        """Keep a new one and use it; returns its key."""
        with self._lock:
            key = self._new_key(calibration)
            with suppress(OSError):  # told where the file is written
                clear_drafts(self._folder, f"*{SUFFIX}")
            self._write(calibration, key)
            self.use(key)
            return key

    def learn(self, key: str, wagon_colours: Mapping[str, Lab]) -> None:
        """Give one the colours of the table's wagons."""
        self._change(key, wagon_colours=dict(wagon_colours))

    def rename(self, key: str, name: str) -> None:
        """Give one another name."""
        self._change(key, name=name)

    def use(self, key: str) -> None:
        """Use it for its board from now on."""
        with self._lock:
            label = self._kept(self._path(key))
            if label.problem is not None:
                raise RefusalError("companion.setup.broken", reason=label.problem)
            chosen = {**self._chosen(), label.board_id: key}
            try:
                write_whole(self._folder / IN_USE, json.dumps(chosen).encode())
            except OSError as error:
                raise RefusalError("companion.setup.disk", reason=error) from error

    def delete(self, key: str) -> None:
        """Throw one away."""
        with self._lock:
            try:
                self._path(key).unlink(missing_ok=True)
            except OSError as error:
                raise RefusalError("companion.setup.disk", reason=error) from error

    def file(self, key: str) -> bytes:
        """The bytes of one."""
        try:
            return read_plain(self._path(key), LARGEST_FILE)
        except OSError as error:
            raise RefusalError("companion.setup.broken", reason=error) from error

    def bring_in(self, data: bytes) -> str:
        """Keep a file from elsewhere, once it is known to be whole; returns its key."""
        with self._lock:
            draft = self._folder / "brought-in.draft"
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                draft.write_bytes(data)
                calibration = load_calibration(draft)
            except CalibrationError as error:
                raise RefusalError("companion.setup.foreign", reason=_why(error)) from error
            except OSError as error:
                raise RefusalError("companion.setup.disk", reason=error) from error
            finally:
                with suppress(OSError):
                    draft.unlink(missing_ok=True)
            return self.save(calibration)

    def _change(self, key: str, **fields: Any) -> None:
        """What another device has changed meanwhile stays."""
        with self._lock:
            self._write(replace(self.load(key), **fields), key)

    def _kept(self, path: Path) -> Kept:
        """One file; it is read again once it is another."""
        try:
            found = path.stat()
        except OSError as error:
            return Kept(path.stem, problem=_why(error))
        marks = (found.st_ino, found.st_size, found.st_mtime_ns)
        with self._lock:
            before, known = self._labels.get(path, ((), None))
            if known is not None and before == marks:
                return known
            read = _kept(path)
            if read.problem is None:  # a disk that refused may let it be read the next time
                self._labels[path] = (marks, read)
            return read

    def _path(self, key: str) -> Path:
        """The file of a key that is there; raises RefusalError."""
        path = self._folder / f"{key}{SUFFIX}"
        if not re.fullmatch(r"[\w.-]+", key) or not is_file(path):
            raise RefusalError("companion.setup.gone")
        return path

    def _new_key(self, calibration: Calibration) -> str:
        moment = re.sub(r"[^0-9]", "", calibration.created)[:14]
        board = re.sub(r"[^a-z0-9-]", "", calibration.board_id)[:LONGEST_KEY]
        base = key = f"{board}-{moment}"
        number = 1
        while (self._folder / f"{key}{SUFFIX}").exists():
            number += 1
            key = f"{base}-{number}"
        return key

    def _write(self, calibration: Calibration, key: str) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / f"{key}{SUFFIX}", calibration_bytes(calibration))
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error

    def _chosen(self) -> dict[str, str]:
        """What somebody chose; nothing where that file is missing or damaged."""
        try:
            chosen = json.loads(read_plain(self._folder / IN_USE, LARGEST_IN_USE))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(chosen, dict):
            return {}
        return {str(board): key for board, key in chosen.items() if isinstance(key, str)}


def _kept(path: Path) -> Kept:
    try:
        label = load_label(path)
    except (CalibrationError, OSError) as error:
        return Kept(path.stem, problem=_why(error))
    return Kept(path.stem, label.board_id, label.board_version, label.created, label.name)


def _why(error: CalibrationError | OSError) -> Message:
    """What is wrong with a file, without its path and without commands: the panel has its own."""
    if not isinstance(error, CalibrationError):
        return Message("companion.setup.gone")
    if error.key == "calibration.other-format":
        return Message("companion.setup.other-version")
    return Message("companion.setup.damaged")
