"""The ports of the command line."""

from companion.errors import UsageError
from companion.server.web_server import LAST_PORT


def parse_port(words: str) -> int:
    """A port from its number; raises UsageError, which the parser takes for wrong usage."""
    try:
        port = int(words)
    except ValueError:
        port = -1
    if not 0 <= port <= LAST_PORT:
        raise UsageError("companion.error.port-range")
    return port
