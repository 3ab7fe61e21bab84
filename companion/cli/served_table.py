"""The table that is served, and what its panel offers beside the game: all on the same folder."""

from collections.abc import Callable
from functools import partial

from companion.cli.box import may_power_off, power_off
from companion.cli.outputs import as_command_error
from companion.cli.serve_options import ServeOptions
from companion.cli.troubles import Report
from companion.copies.desk import CopyDesk
from companion.copies.restore import RestoreDesk
from companion.copies.sticks import find_sticks
from companion.log.file import StoreError
from companion.mqtt.settings import table_name
from companion.setup.board_photos import TableBoardPhotos
from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.clock import since_start
from companion.table.hand_photos.reader import ProcessReader
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye, VisionWatcher
from hardware.console.key_pad import KeyPad
from scoring.language import SpokenError


class ServedTable:
    """A table as the options say, with its desks; raises CommandError for its log.

    `start_anew` has the program started once more, soon after it returns; `not_taken` says why this
    start did not take the copy that waited.
    """

    def __init__(
        self,
        options: ServeOptions,
        report: Report,
        start_anew: Callable[[], None],
        not_taken: SpokenError | None = None,
    ) -> None:
        kept = KeptCalibrations(options.data)
        references = TableReferences(kept, options.reference)
        hand_reader = ProcessReader()
        shoot = None if options.feed is None else options.feed.photograph
        find = partial(find_sticks, options.config.copies)
        self.photos = TableBoardPhotos(references.of)
        self.copies = CopyDesk(
            options.data,
            lambda: self.table.evening,
            table_name() if options.home is None else options.home.name,
            find,
        )
        self.restore = RestoreDesk(
            options.data,
            lambda: self.table.evening.is_new,
            start_anew,
            find,
            None if not_taken is None else not_taken.message,
        )
        self.table = _lay(options, report, references, hand_reader, self.copies)
        self.setup = SetupDesk(
            kept, lambda: self.table.boards, shoot, references.renew, references.is_given
        )
        self.studio = StudioDesk(
            StudioStore(options.data),
            TaughtBoards(options.data, self.table.offer),
            kept,
            lambda: self.table.boards,
            shoot,
            references.renew,
            hand_reader.read_new if hand_reader.is_installed else None,
            hand_reader.read_map if hand_reader.is_installed else None,
        )


def _lay(
    options: ServeOptions,
    report: Report,
    references: TableReferences,
    hand_reader: ProcessReader,
    copies: CopyDesk,
) -> Table:
    config, eye = options.config, VisionEye(references.of)
    parts = TableConfig(
        options.boards,
        options.data,
        eye,
        options.feed,
        options.console,
        lambda board, colours: VisionWatcher(board, colours, references.of),
        report,
        hand_reader=hand_reader,
        cover_board=eye.cover_board,
        keys=[] if config.keys is None else [KeyPad(config.keys)],
        power_off=power_off if may_power_off(config, options.console) else None,
        config_trouble=config.troubles[0] if config.troubles else None,
        save_copy=copies.save_by_button,
        steady=since_start(),
    )
    try:
        return Table(parts)
    except StoreError as error:
        options.console.close()
        raise as_command_error(error) from error
