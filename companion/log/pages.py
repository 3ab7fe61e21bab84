"""Reads table rows out of the pages of a damaged SQLite file, without SQLite.

Source: https://www.sqlite.org/fileformat2.html, sections 1.6 (b-tree pages), 1.7 (overflow pages),
2.1 (record format) and 4.1 (write-ahead log). A row is found by the look of its record header, not
through the page's own pointers, so that a page with a damaged head still gives its rows.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

PAGE_SIZE = 4096
"""SQLite's default, with which every log was made: tried where a header names another size."""

WAL_HEADER_BYTES = 32
FRAME_HEADER_BYTES = 24
"""Of the write-ahead log, and of each page in it (section 4.1)."""

_HEADER = re.compile(rb"(?=[\x05-\x0c]\x00[\x01-\x09][\x0d-\x7f])")
"""Start of a row's record header: its length, NULL (the row's number), a number, a short text."""

_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of the integer types."""

Value = float | int | bytes | None


@dataclass(frozen=True, slots=True)
class Record:
    """A row as it was found: its number and its columns; texts as bytes."""

    number: int
    values: tuple[Value, ...]


def find_records(main: bytes, wal: bytes = b"") -> Iterator[Record]:
    """Every row of the log's table that lies whole in a database file and its write-ahead log.

    The same row may come several times: a page may lie in both files.
    """
    for size in sorted({PAGE_SIZE, _page_size(main)}):
        yield from _Pages(main, wal, size).records()


def _page_size(main: bytes) -> int:
    size = int.from_bytes(main[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else PAGE_SIZE


@dataclass(frozen=True)
class _Pages:
    main: bytes
    wal: bytes
    size: int

    def records(self) -> Iterator[Record]:
        for start in range(0, len(self.main), self.size):
            yield from self._on(self.main[start : start + self.size])
        for _, page in self._frames:
            yield from self._on(page)

    @cached_property
    def _frames(self) -> list[tuple[int, bytes]]:
        """Page number and page of every frame of the write-ahead log, damaged or not."""
        step = FRAME_HEADER_BYTES + self.size
        starts = range(WAL_HEADER_BYTES, len(self.wal), step)
        numbers = [int.from_bytes(self.wal[start : start + 4], "big") for start in starts]
        pages = [self.wal[start + FRAME_HEADER_BYTES : start + step] for start in starts]
        return list(zip(numbers, pages, strict=True))

    @cached_property
    def _newest(self) -> Mapping[int, bytes]:
        """Pages of the write-ahead log by number. Rows never change, so any version will do."""
        return dict(self._frames)

    def _page(self, number: int) -> bytes:
        if number in self._newest:
            return self._newest[number]
        return self.main[(number - 1) * self.size : number * self.size]

    def _on(self, page: bytes) -> Iterator[Record]:
        for found in _HEADER.finditer(page):
            record = self._record(page, found.start())
            if record is not None:
                yield record

    def _record(self, page: bytes, header: int) -> Record | None:
        """The row whose record header begins there, None if there is none or it is not whole."""
        types = _types(page[header : header + page[header]])
        if types is None:
            return None
        payload_size = page[header] + sum(_width(kind) for kind in types)
        number_at = _varint_before(page, header)
        if number_at == header or not page[:number_at].endswith(_as_varint(payload_size)):
            return None
        payload = self._payload(page, header, payload_size)
        if payload is None:
            return None
        number, _ = _varint(page, number_at)
        return Record(number, tuple(_values(payload[page[header] :], types)))

    def _payload(self, page: bytes, start: int, size: int) -> bytes | None:
        local = _local_bytes(size, self.size)
        payload = page[start : start + local]
        following = int.from_bytes(page[start + local : start + local + 4], "big")
        missing = size - local
        if missing > len(self.main) + len(self.wal):
            return None  # pages that lead back to themselves would give it all the same
        while missing > 0:
            overflow = self._page(following) if following else b""
            part = overflow[4 : 4 + min(missing, self.size - 4)]
            if not part:
                return None
            payload, missing = payload + part, missing - len(part)
            following = int.from_bytes(overflow[:4], "big")
        return payload if len(payload) == size else None


def _varint_before(page: bytes, end: int) -> int:
    """Where the variable-length integer begins that ends before `end`; `end` if there is none."""
    if end < 1 or page[end - 1] & 0x80:
        return end
    start = end - 1
    while start > 0 and end - start < 5 and page[start - 1] & 0x80:
        start -= 1
    return start


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length integer of up to 8 bytes and where it ends; raises IndexError."""
    value = 0
    for end in range(at, at + 8):
        value = value << 7 | data[end] & 0x7F
        if not data[end] & 0x80:
            return value, end + 1
    raise IndexError("no such integer")


def _as_varint(value: int) -> bytes:
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))


def _types(header: bytes) -> list[int] | None:
    """The columns' types of a record header that begins with its own length."""
    types, at = [], 1
    try:
        while at < len(header):
            kind, at = _varint(header, at)
            types.append(kind)
    except IndexError:
        return None
    return types if len(header) == header[0] and at == len(header) else None


def _width(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return 8 if kind == 7 else _INTEGERS.get(kind, 0)


def _values(body: bytes, types: list[int]) -> Iterator[Value]:
    at = 0
    for kind in types:
        yield _value(body[at : at + _width(kind)], kind)
        at += _width(kind)


def _value(data: bytes, kind: int) -> Value:
    if kind >= 12:
        return data
    if kind == 7:
        return float(struct.unpack(">d", data)[0])
    if kind in (8, 9):
        return kind - 8
    return int.from_bytes(data, "big", signed=True) if kind in _INTEGERS else None


def _local_bytes(payload: int, page: int) -> int:
    """How much of a row's payload lies on its own page (section 1.6, table b-tree leaf cells)."""
    most = page - 35
    if payload <= most:
        return payload
    least = (page - 12) * 32 // 255 - 23
    local = least + (payload - least) % (page - 4)
    return local if local <= most else least
