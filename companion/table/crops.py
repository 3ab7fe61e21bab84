"""The photo's piece around each route; those of doubtful routes are kept on disk for a restart."""

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.errors import CompanionError
from companion.whole_file import FULL, write_whole
from scoring.language import SpokenError

Cutter = Callable[[str], bytes]
"""From a route's id to its crop as the bytes of a picture."""

GAMES_KEPT = 20
"""Numbers of games whose crops stay on disk (putting a game away takes one, too): an undo may lead
back to one of the last."""


class CropsError(SpokenError, CompanionError, OSError):
    """The crops could not be kept on disk; they are there until the program stops."""


class Crops:
    """The crops of the newest look, in a folder of their own for each game."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: tuple[int, Cutter] | None = None
        self._cut: dict[str, bytes] = {}

    def renew(self, game: int, cut: Cutter, doubtful: Mapping[str, bytes]) -> None:
        """Take over a new look: `cut` on demand from now on, keep `doubtful` routes' on disk.

        Raises CropsError where the disk refuses; the look is taken over all the same.
        """
        self._newest, self._cut = (game, cut), dict(doubtful)
        _forget(self._folder, game - GAMES_KEPT)
        try:
            _keep(self._place(game), doubtful)
        except OSError as error:
            key = "disk-full" if error.errno in FULL else "not-written"
            raise CropsError(f"companion.crops.{key}", reason=error) from error

    def get(self, game: int, route: str) -> bytes | None:
        """The crop of a route in this game, None where there is no photo of it that can be read."""
        newest, pieces = self._newest, self._cut
        if newest is not None and newest[0] == game:
            if route not in pieces:
                pieces[route] = newest[1](route)
            return pieces[route]
        try:
            return (self._place(game) / _file_name(route)).read_bytes()
        except OSError:
            return None

    def _place(self, game: int) -> Path:
        return self._folder / f"game-{game}"


def _file_name(route: str) -> str:
    """Route ids come from board files that users write: only harmless letters get into a path."""
    return re.sub(r"[^a-z0-9-]", "_", route) + ".png"


def _keep(place: Path, pieces: Mapping[str, bytes]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for route, piece in pieces.items():
        write_whole(place / _file_name(route), piece, lasting=False)


def _forget(folder: Path, last: int) -> None:
    """Delete the crops of all games up to this one."""
    for place in folder.glob("game-*"):
        number = place.name.removeprefix("game-")
        if number.isdecimal() and int(number) <= last:
            shutil.rmtree(place, ignore_errors=True)
