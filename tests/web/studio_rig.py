"""A real table with the board studio, for tests of its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from werkzeug.serving import make_server

from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye
from scoring.board.board import load_board
from web.app import create_app


class Rig:
    """A real table with the studio."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.kept = KeptCalibrations(data)
        self.references = TableReferences(self.kept)
        self.table = Table(TableConfig([load_board("usa")], data, VisionEye(self.references.of)))
        self.studio = StudioDesk(
            StudioStore(data),
            TaughtBoards(data, self.table.offer),
            self.kept,
            lambda: self.table.boards,
            None,
            self.references.renew,
        )
        setup = SetupDesk(self.kept, lambda: self.table.boards, None, self.references.renew)
        self.app = create_app(self.table, setup=setup, studio=self.studio)

    @contextmanager
    def served(self) -> Iterator[str]:
        """The panel on a free port of this machine; gives the address."""
        server = make_server("127.0.0.1", 0, self.app, threaded=True)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()
