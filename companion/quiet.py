"""Keeps what image libraries print by themselves away from people: our one sentence will do."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from vision.errors import VisionError

STDERR = 2


@contextmanager
def libraries_quiet() -> Iterator[None]:
    """Swallow what code in C writes to stderr, unless an error escapes that nobody expected.

    libjpeg and libpng tell of a damaged file there and can't be asked not to. The whole process is
    silenced, so this is for commands that read photos on their only thread, not for the server.
    """
    try:
        kept = os.dup(STDERR)
    except OSError:  # stderr is closed: nobody listens
        yield
        return
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), STDERR)
        try:
            yield
        except (VisionError, OSError):
            raise
        except BaseException:
            said.seek(0)
            os.write(kept, said.read())
            raise
        finally:
            os.dup2(kept, STDERR)
            os.close(kept)
