"""Names as people type them: of a calibration, a board, its places."""

from companion.errors import RefusalError
from web.names import one_line

NAME_LENGTH = 40
"""Most letters of such a name."""


def typed_name(words: object) -> str:
    """A name on one line, perhaps an empty one; raises RefusalError for a long one."""
    name = one_line(str(words))
    if len(name) > NAME_LENGTH:
        shown = f"{name[:NAME_LENGTH]}…"
        raise RefusalError("companion.refused.name-long", name=shown, longest=NAME_LENGTH)
    return name
