"""Where a broker is and how to log in, as one address."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from companion.errors import UsageError
from companion.typed_path import path_of

T = TypeVar("T")

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The ports that IANA gives MQTT, without and with TLS."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker: its host and port, whether the connection is encrypted, and who logs in.

    `certificates` is a file of the authorities to trust in place of the system's.
    """

    host: str
    port: int
    has_tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    certificates: Path | None = None

    def __str__(self) -> str:
        """Host and port, as sentences name the broker; never the password."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(words: object) -> BrokerAddress:
    """The broker of mqtt(s)://USER:PASSWORD@HOST:PORT?ca=FILE; all but scheme and host optional.

    Raises UsageError where it is none; the sentence repeats nothing, because of the password.
    """
    if not isinstance(words, str):
        raise UsageError("companion.mqtt.address")
    try:
        parts = urlsplit(words.strip())
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # as it is looked up: what has no such form is no name
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise UsageError("companion.mqtt.address") from None
    if parts.scheme not in PORTS or not host or port == 0 or parts.path not in ("", "/"):
        raise UsageError("companion.mqtt.address")
    return BrokerAddress(
        host,
        port or PORTS[parts.scheme],
        parts.scheme == "mqtts",
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
        _certificates(options, parts.scheme),
    )


def told_address(words: object, read: Callable[[object], T], wrong: list[UsageError]) -> T | None:
    """What a reader makes of a section's address; None where it is none, which `wrong` tells."""
    try:
        return read(words)
    except UsageError as error:
        wrong.append(error)
        return None


def _certificates(options: dict[str, list[str]], scheme: str) -> Path | None:
    """The file of `ca`, the only option that there is."""
    if not options:
        return None
    if set(options) != {"ca"} or len(options["ca"]) != 1 or scheme != "mqtts":
        raise UsageError("companion.mqtt.address")
    path = path_of(options["ca"][0])
    try:
        is_there = path.is_file()
    except OSError as error:  # in another user's folder, or a name too long
        raise UsageError("companion.error.cannot-read", path=path, reason=error) from error
    if not is_there:
        raise UsageError("companion.error.no-file", path=path)
    return path
