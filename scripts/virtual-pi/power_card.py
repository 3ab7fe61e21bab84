"""A memory card that may lose what was written and not flushed: serves a disk image over NBD.

Used as `power_card.py SOCKET IMAGE LOSES SEED`. When the virtual machine ends without saying so,
its power was cut. LOSES tells what is gone then: `nothing`, `all` that was not flushed, or `some`
of it, in pieces. What comes under seed 1 is recorded in `writes-1`.
"""

import os
import random
import socket
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PIECE = 4096
"""Bytes that a card writes whole or not at all.

In pieces of 512 now and then ext4's own first block is torn, from which no Linux starts.
"""

MAGIC, OPTION_MAGIC = b"NBDMAGIC", b"IHAVEOPT"
REPLY_MAGIC, REQUEST_MAGIC, ANSWER_MAGIC = 0x3E889045565A9, 0x25609513, 0x67446698
INFO, GO = 6, 7
ACKNOWLEDGED, TOLD, UNKNOWN = 1, 3, 1 << 31 | 1
HAS_FLAGS, TAKES_FLUSH = 1, 4
HEAD = "<dQI"
"""What stands before each write in the log: when, where, how many bytes."""

READ, WRITE, DISCONNECT, FLUSH = range(4)


class CutError(Exception):
    """The other side is gone."""


class Card:
    """The image, with what was there before each write since the last flush."""

    def __init__(self, image: Path, log: IO[bytes] | None = None) -> None:
        self._file, self._log = os.open(image, os.O_RDWR), log
        self.size = os.fstat(self._file).st_size
        self._since: list[tuple[int, bytes, bytes]] = []

    def read(self, at: int, count: int) -> bytes:
        return os.pread(self._file, count, at)

    def write(self, at: int, data: bytes) -> None:
        self._note(at, data)
        self._since.append((at, self.read(at, len(data)), data))
        os.pwrite(self._file, data, at)

    def flush(self) -> None:
        self._note(0, b"")
        self._since.clear()

    def _note(self, at: int, data: bytes) -> None:
        """For whoever makes cuts at other moments; a flush has no data."""
        if self._log is not None:
            self._log.write(struct.pack(HEAD, time.monotonic(), at, len(data)) + data)

    def lose(self, share: float, chance: random.Random) -> str:
        """Take back a share of what was not flushed; says how much that was."""
        for at, before, _ in reversed(self._since):
            os.pwrite(self._file, before, at)
        kept = whole = 0
        for at, _, data in self._since:
            whole += len(data)
            is_torn, is_lost = chance.random() < 0.5, chance.random() < share
            for start in range(0, len(data), PIECE):
                if chance.random() < share if is_torn else is_lost:
                    continue
                piece = data[start : start + PIECE]
                os.pwrite(self._file, piece, at + start)
                kept += len(piece)
        lost = f"{(whole - kept) // 1024} of {whole // 1024} kB lost"
        return f"{len(self._since)} writes not flushed, {lost}"

    @contextmanager
    def without(self, share: float, chance: random.Random) -> Iterator[None]:
        """While this lasts, a share of what was not flushed is lost."""
        self.lose(share, chance)
        yield
        for at, _, data in self._since:
            os.pwrite(self._file, data, at)


class Line:
    """The connection to the virtual machine."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire

    def take(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            try:
                part = self._wire.recv(count - len(parts))
            except ConnectionError:
                part = b""
            if not part:
                raise CutError
            parts += part
        return bytes(parts)

    def give(self, data: bytes) -> None:
        try:
            self._wire.sendall(data)
        except OSError:
            raise CutError from None

    def agree(self, size: int) -> None:
        """The handshake, of which only what qemu asks for is known."""
        self.give(MAGIC + OPTION_MAGIC + struct.pack(">H", 3))
        self.take(4)
        while True:
            _, option, length = struct.unpack(">8sII", self.take(16))
            self.take(length)
            if option in (INFO, GO):
                told = struct.pack(">HQH", 0, size, HAS_FLAGS | TAKES_FLUSH)
                self._reply(option, TOLD, told)
                self._reply(option, ACKNOWLEDGED)
                if option == GO:
                    return
            else:
                self._reply(option, UNKNOWN)

    def _reply(self, option: int, kind: int, data: bytes = b"") -> None:
        self.give(struct.pack(">QIII", REPLY_MAGIC, option, kind, len(data)) + data)

    def serve(self, card: Card) -> None:
        """Do what is asked until the machine is switched off. Raises CutError."""
        while True:
            _, _, kind, handle, at, count = struct.unpack(">IHHQQI", self.take(28))
            if kind == DISCONNECT:
                return
            answer = b""
            if kind == READ:
                answer = card.read(at, count)
            elif kind == WRITE:
                card.write(at, self.take(count))
            elif kind == FLUSH:
                card.flush()
            self.give(struct.pack(">IIQ", ANSWER_MAGIC, 0, handle) + answer)


def main(path: str, image: str, loses: str, seed: str) -> None:
    with Path("writes-1" if seed == "1" else os.devnull).open("wb") as log:
        card = Card(Path(image), log)
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(1)
            line = Line(door.accept()[0])
        try:
            line.agree(card.size)
            line.serve(card)
            print("switched off")
        except CutError:
            share = {"nothing": 0.0, "some": 0.5, "all": 1.0}[loses]
            print("cut:", card.lose(share, random.Random(seed)))


if __name__ == "__main__":
    main(*sys.argv[1:])
