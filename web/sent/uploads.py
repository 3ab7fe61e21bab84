"""Photos come in one after another: together they would fill the memory of a small box."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from os import SEEK_END
from typing import IO, Any, overload

from flask import Request, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import ClientDisconnected

from web.errors import BadRequestError, NoRoomError, SlowError
from web.sent.arrivals import ARRIVES, PATIENCE_S, Arrivals, Upload
from web.sent.reading_turns import HandQueues, ReadingTurns

REQUEST_BYTES = 64 * 1024
"""Largest request that is not a photo."""

PHOTO_BYTES = 60 * 1024 * 1024
"""Largest upload: a few photos of a phone. Everything else stays under the app's own limit."""

FILE_BYTES = 90 * 1024 * 1024
"""Largest single file: a photo as large as any that can be decoded, or a file made here."""

MOST_PHOTOS = 6

HAND_PATIENCE_S = 120.0
"""So long photos of a hand wait for those of others: each reads for a while at a time."""

NAME_SHOWN = 60
"""So much of a file's name is told."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOENT)
"""A disk without room; Python finds no folder at all for a temporary file there."""


class UploadRequest(Request):
    """A request that closes the file of every upload, also of one that broke off half-way."""

    def __init__(self, *arguments: Any, **names: Any) -> None:
        super().__init__(*arguments, **names)
        self._arrived: list[IO[bytes]] = []

    def _get_file_stream(self, *arguments: Any, **names: Any) -> IO[bytes]:
        stream = super()._get_file_stream(*arguments, **names)
        self._arrived.append(stream)
        return stream

    def close(self) -> None:
        """Called by Flask when the answer is out."""
        super().close()
        for stream in self._arrived:
            with suppress(OSError):  # a full disk takes the rest of what is thrown away no more
                stream.close()


class SentPhotos(Sequence[bytes]):
    """Photos of a request, which lie in files and are read from there each time."""

    def __init__(self, files: Sequence[FileStorage]) -> None:
        self._files = files

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, at: int) -> bytes: ...

    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...

    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        if isinstance(at, slice):
            return [_read(file) for file in self._files[at]]
        return _read(self._files[at])


class Uploads:
    """The turns of uploads. Raises BusyError where there are too many at once."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._arrivals = Arrivals(patience_s=patience_s)
        self._turns = ReadingTurns()
        self._hands = HandQueues()
        self._patience_s = patience_s

    @contextmanager
    def arriving(self) -> Iterator[None]:
        """While the request is received."""
        upload = request.environ.get(ARRIVES) or Upload(request.remote_addr)
        with self._arrivals.place(upload), _told_if_full(), _told_if_slow():
            yield

    @contextmanager
    def reading(self, hand: str = "") -> Iterator[None]:
        """While photos are in the memory: those of one upload at a time, the hands in turn."""
        with self._turns.of(hand, HAND_PATIENCE_S if hand else self._patience_s):
            yield

    def one_of_hand(self, hand: int) -> AbstractContextManager[None]:
        """While photos of a hand are looked at from the first to the last of one upload."""
        return self._hands.of(hand, HAND_PATIENCE_S)

    def others_go_first(self, hand: str) -> bool:
        """Whether photos of a hand wait while others are read."""
        return self._turns.others_go_first(hand)

    def take_in(self) -> None:
        """Receive a request that may hold a file, as one of the few that are on their way."""
        length = request.content_length
        if length is None or length > REQUEST_BYTES:
            with self.arriving():
                request.form.keys()  # reads all of it, once

    @contextmanager
    def file(self, field: str) -> Iterator[bytes | None]:
        """The file in a field of the present request's form, None where none was chosen.

        While somebody works on it: large ones of several requests would fill the memory. Raises
        BadRequestError where it is empty.
        """
        sent = self.on_disk(field)
        with self.reading():
            yield None if sent is None else _taken(sent)

    def on_disk(self, field: str) -> FileStorage | None:
        """The same where it lies, for what need not be in the memory; raises the same."""
        self.take_in()
        sent = _chosen(request.files.getlist(field))
        return sent[0] if sent else None

    @contextmanager
    def photos(self) -> Iterator[tuple[dict[str, str], list[bytes]]]:
        """The fields of the present request's form and its photos, while they are worked on.

        Raises BadRequestError where they are too many or one is empty; a field in which none was
        chosen counts as none.
        """
        fields, sent = self._photos()
        with self.reading():
            yield fields, [_taken(one) for one in sent]

    def photos_of_hand(self) -> tuple[dict[str, str], SentPhotos]:
        """The same before anybody works on them: each `reading` takes its own from the files."""
        fields, sent = self._photos()
        return fields, SentPhotos(sent)

    def _photos(self) -> tuple[dict[str, str], Sequence[FileStorage]]:
        request.max_content_length = PHOTO_BYTES
        with self.arriving():
            sent, fields = request.files.getlist("images"), request.form.to_dict()
        if len(sent) > MOST_PHOTOS:
            raise BadRequestError("web.error.many-photos", most=MOST_PHOTOS)
        return fields, _chosen(sent)


@contextmanager
def _told_if_full() -> Iterator[None]:
    """Large files of a request are kept on the disk while it is received; raises NoRoomError."""
    try:
        yield
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        raise NoRoomError("web.error.no-room") from error


@contextmanager
def _told_if_slow() -> Iterator[None]:
    """Who sends too slowly is told so, while the sender still listens; raises SlowError."""
    try:
        yield
    except ClientDisconnected as error:
        raise SlowError("web.error.slow") from error


def _chosen(sent: Sequence[FileStorage]) -> list[FileStorage]:
    """The files that somebody chose: a browser also sends each field that was left empty.

    Raises BadRequestError for one that holds nothing, as a phone without room for its photo leaves
    it.
    """
    chosen = []
    for file in sent:
        if file.seek(0, SEEK_END):
            chosen.append(file)
        elif file.filename:
            raise BadRequestError("web.error.empty-file", name=file.filename[:NAME_SHOWN])
    return chosen


def _read(file: FileStorage) -> bytes:
    file.seek(0)
    return bytes(file.read())


def _taken(file: FileStorage) -> bytes:
    """What is in a file; a large one lies in a temporary file, which is let go."""
    with closing(file):
        return _read(file)
