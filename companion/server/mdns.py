"""The name by which this machine is found in its network: what Avahi announces of it.

Raspberry Pi OS and most desktops run Avahi, which announces the machine's own name. Of two machines
of one name the second is announced with a number, as companion-2.local, and does not know it.
"""

import socket
import time
from contextlib import suppress
from pathlib import Path

AVAHI = Path("/run/avahi-daemon/socket")
"""There while Avahi runs. It speaks the lines that nss-mdns sends, one question a connection."""

ANSWER_S = 1.0
"""Avahi asks the network too, which takes a tenth of a second."""

KEPT_S = 60.0
"""So long a name holds: it changes where a machine of that name is switched on."""


class AnnouncedName:
    """The name that belongs to an address of this machine. For any thread."""

    def __init__(self, avahi: Path = AVAHI) -> None:
        self._avahi = avahi
        self._kept: tuple[float, str, str] | None = None

    def of(self, address: str | None) -> str | None:
        """The name in full, None where nothing announces one.

        The machine's own name where Avahi does not say which one it announces.
        """
        if not self._avahi.exists():
            return None
        own = f"{socket.gethostname().partition('.')[0].lower()}.local"
        if address is None:
            return own
        now_s, kept = time.monotonic(), self._kept
        if kept is None or kept[1] != address or now_s - kept[0] > KEPT_S:
            kept = now_s, address, _asked(self._avahi, address) or own
            self._kept = kept
        return kept[2]


def _asked(avahi: Path, address: str) -> str | None:
    """What Avahi answers: a plus, the device's number, the kind of address, the name."""
    with suppress(OSError, UnicodeError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWER_S)
        line.connect(str(avahi))
        line.sendall(f"RESOLVE-ADDRESS {address}\n".encode())
        with line.makefile(encoding="utf-8") as answer:
            words = answer.readline(1_000).split()
        if len(words) == 4 and words[0] == "+" and words[3].lower().endswith(".local"):
            return words[3].lower()
    return None
