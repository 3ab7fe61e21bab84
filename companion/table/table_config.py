"""What a table is made of."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.table.camera_feed import CameraFeed
from companion.table.eye import Eye
from companion.table.hand_photos.photos import CoverBoard
from companion.table.hand_photos.reader import HandReader
from companion.table.watching import NewWatcher
from hardware.console.console import Buttons, Console
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board
from scoring.language import Message, SpokenError


@dataclass(frozen=True, slots=True)
class TableConfig:
    """The parts of a table; without eye or feed everything is entered by hand.

    With `new_watcher` the camera's frames are followed between scans as well. `tell` hears what
    is wrong with a part ("camera", "box") whenever that changes; None: it works. With
    `hand_reader` tickets are read from photos, with `cover_board` from the camera's as well. `keys`
    are more buttons than the console's. `power_off` switches the machine off; it may raise OSError.
    `config_trouble` is what was wrong with the table's configuration. `save_copy` writes a copy of
    the table onto a stick and returns what is to be said; it may raise SpokenError. `now` is the
    clock of the log, in seconds since 1970; `steady` is one that nobody sets, by which it is seen
    that `now` was put right. Without it nobody looks.
    """

    boards: Sequence[Board]
    data: Path
    eye: Eye | None = None
    feed: CameraFeed | None = None
    console: Console = field(default_factory=VirtualConsole)
    new_watcher: NewWatcher | None = None
    tell: Callable[[str, SpokenError | None], None] = lambda part, trouble: None
    hand_reader: HandReader | None = None
    cover_board: CoverBoard | None = None
    keys: Sequence[Buttons] = ()
    power_off: Callable[[], None] | None = None
    config_trouble: SpokenError | None = None
    save_copy: Callable[[], Message] | None = None
    now: Callable[[], float] = time.time
    steady: Callable[[], float] | None = None
