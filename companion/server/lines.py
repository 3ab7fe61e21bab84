"""Holds the answers without end: all pages that listen on one thread, told by another one."""

import asyncio
import fcntl
import logging
import resource
import socket
import threading
import time
from collections.abc import Callable, Hashable, Iterable

from web.events import HEARTBEAT_S, LOOK_S, Line, Source

SILENCE_S = 20.0
"""A page that takes nothing of what is sent for so long is gone."""

WAITING_BYTES = 65_536
"""So much may be on its way to a page. One that is slower hears less often, not later."""

LOW_FILES = 1024
"""Lines get file numbers above these, which libraries need that wait by `select`."""

MOST_FILES = 16_384
"""So many files the program asks the system for, where it may have them."""

JOIN_S = 5.0
"""Longer than the thread of the lines is ever busy."""

LAST_CHUNK = b"0\r\n\r\n"

log = logging.getLogger(__name__)


class Lines:
    """Goes on with lines whose first event is sent, until they end or `close`. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._pages: dict[Source, dict[_Page, None]] = {}
        self._closing = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads: list[threading.Thread] = []

    def take(self, connection: socket.socket, line: Line) -> None:
        """Go on with a line; the connection may be closed, but not shut down, afterwards.

        Raises OSError where the system gives no more files, RuntimeError where no more threads.
        """
        if self._closing.is_set():
            raise RuntimeError("the lines are at their end")
        loop = self._running(line.source)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_BYTES)
        own = _another_handle(connection)
        page = _Page(line, self._gone)
        join = _join(loop, page, own)
        try:
            joining = asyncio.run_coroutine_threadsafe(join, loop)
        except RuntimeError:
            join.close()
            own.close()
            raise
        try:
            joining.result(JOIN_S)
        except TimeoutError:
            joining.cancel()
            raise
        line.is_held = True
        self._join(page)

    def close(self) -> None:
        """End every line."""
        self._closing.set()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
        for thread in self._threads:
            thread.join(2 * LOOK_S)

    def _join(self, page: "_Page") -> None:
        source = page.line.source
        with self._lock:
            self._pages[source][page] = None
        if page.is_gone:
            self._gone(page)
        elif source.wait(-1, 0.0) != page.line.told:
            self._tell([page])  # something happened on the way here

    def _gone(self, page: "_Page") -> None:
        with self._lock:
            self._pages.get(page.line.source, {}).pop(page, None)
        page.line.end()

    def _running(self, source: Source) -> asyncio.AbstractEventLoop:
        """The loop, with the threads that hold and tell the pages of a source."""
        with self._lock:
            if self._loop is None:
                _ask_for_files()
                self._loop = asyncio.new_event_loop()
            if not self._threads:
                self._start("lines", self._run)
            if source not in self._pages:
                self._start("tell", lambda: self._tell_all(source))
                self._pages[source] = {}
            return self._loop

    def _start(self, name: str, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _run(self) -> None:
        loop = self._loop
        assert loop is not None
        loop.call_later(LOOK_S, self._look)
        loop.run_forever()
        for page in self._all():
            page.close(at_once=True)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    def _look(self) -> None:
        """Whose line is to end, and who has long heard nothing."""
        assert self._loop is not None
        now_s = time.monotonic()
        for page in self._all():
            page.look(now_s)
        self._loop.call_later(LOOK_S, self._look)

    def _all(self) -> list["_Page"]:
        with self._lock:
            return [page for pages in self._pages.values() for page in pages]

    def _tell_all(self, source: Source) -> None:
        """Tell the pages of a source what is new, as soon as there is something."""
        version = -1
        while not self._closing.is_set():
            latest = source.wait(version, LOOK_S)
            with self._lock:
                pages = list(self._pages[source])
            behind = [page for page in pages if page.line.told != latest]
            if behind:
                began_s = time.monotonic()
                try:
                    self._tell(behind)
                except Exception:
                    log.exception("What is new could not be told.")
                # At least half of the time is the others'.
                self._closing.wait(max(source.pause_s, time.monotonic() - began_s))
            version = latest

    def _tell(self, pages: Iterable["_Page"]) -> None:
        """Make what is new once for all who lack the same, and have it sent at once."""
        assert self._loop is not None
        with self._telling:
            alike: dict[tuple[Hashable, int], list[_Page]] = {}
            for page in pages:
                if not page.is_full:  # else it gets all that it lacks another time
                    alike.setdefault((page.line.channel, page.line.told), []).append(page)
            for (_, told), group in alike.items():
                version, event = group[0].line.news(told)
                for page in group:
                    page.line.told = version
                if event is not None and version != told and not self._closing.is_set():
                    self._loop.call_soon_threadsafe(_send, group, _chunk(event))


class _Page(asyncio.Protocol):
    """The connection of one page that listens."""

    def __init__(self, line: Line, gone: Callable[["_Page"], None]) -> None:
        self.line = line
        self.is_full = False
        """Whether something of what was sent still waits to be taken."""
        self.is_gone = False
        self._tell_gone = gone
        self._heard_s = time.monotonic()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_gone = True
        self._tell_gone(self)

    def data_received(self, data: bytes) -> None:
        """A page that listens has nothing more to say."""
        self.close(at_once=True)

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False
        self._heard_s = time.monotonic()

    def send(self, data: bytes) -> None:
        if self._transport is not None:
            self._heard_s = time.monotonic()
            self._transport.write(data)

    def look(self, now_s: float) -> None:
        silent_s = now_s - self._heard_s
        if self.line.is_over:
            self.send(LAST_CHUNK)
            self.close()
        elif self.is_full and silent_s > SILENCE_S:
            self.close(at_once=True)
        elif silent_s >= HEARTBEAT_S and not self.is_full:
            self.send(_chunk(self.line.heartbeat))

    def close(self, *, at_once: bool = False) -> None:
        if self._transport is not None and (at_once or self.is_full):
            self._transport.abort()
        elif self._transport is not None:
            self._transport.close()


async def _join(loop: asyncio.AbstractEventLoop, page: _Page, own: socket.socket) -> None:
    """Give a page its connection, which is the loop's from here on."""
    try:
        await loop.connect_accepted_socket(lambda: page, own)
    except BaseException:
        own.close()
        raise


def _send(pages: Iterable[_Page], data: bytes) -> None:
    for page in pages:
        page.send(data)


def _chunk(event: str) -> bytes:
    """An event as a chunk of an answer whose length nobody knows (RFC 9112, 7.1)."""
    data = event.encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def _another_handle(connection: socket.socket) -> socket.socket:
    """A connection under another file number, a high one where the system allows it."""
    number = connection.fileno()
    try:
        return socket.socket(fileno=fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, LOW_FILES))
    except OSError:
        return connection.dup()


def _ask_for_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
