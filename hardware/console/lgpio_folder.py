"""Loads lgpio so that it needs no writable working directory.

On import lgpio makes a named pipe in the folder that LG_WD names, or in the working directory, and
changes into that folder. Here it gets a temporary folder, which is
removed once the pipe is open, and the working directory stays as it was.
"""

import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


def load_lgpio() -> Exception | None:
    """Import lgpio where it is installed; returns why it cannot be used, None where it can."""
    if "lgpio" in sys.modules:
        return None
    try:
        with _folder_of_its_own(), _same_working_directory():
            importlib.import_module("lgpio")
    except Exception as error:  # lgpio raises its own error, OSError or ImportError
        sys.modules.pop("lgpio", None)
        return error
    return None


@contextmanager
def _folder_of_its_own() -> Iterator[None]:
    """A new folder in LG_WD; raises OSError where no temporary folder can be made."""
    before = os.environ.get("LG_WD")
    with tempfile.TemporaryDirectory(prefix="companion-gpio-") as folder:
        os.environ["LG_WD"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["LG_WD"]
            else:
                os.environ["LG_WD"] = before


@contextmanager
def _same_working_directory() -> Iterator[None]:
    """Comes back to the working directory, even to one that was deleted meanwhile."""
    before = os.open(".", os.O_PATH)
    try:
        yield
    finally:
        os.fchdir(before)
        os.close(before)
