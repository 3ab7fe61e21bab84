"""A form that is delivered several times is answered once: the others get the same answer."""

import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from flask import Response, request
from werkzeug.datastructures import Headers

from web.errors import BadRequestError

REQUEST_ID = "Idempotency-Key"
"""The header by which a request that is sent again is known again."""

REQUEST_ID_PATTERN = "^[A-Za-z0-9_-]{8,64}$"

IN_ADDRESS = "request"
"""Where a form that the browser itself sends has its name: it can't set a header."""

MOST_KEPT = 32
"""Answers kept at a time, of the last requests; a page has some ten kilobytes."""


class SentOnce:
    """Makes one answer for each request's name. For any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, str], Future[Response]] = OrderedDict()

    def answer(self, make: Callable[[], Response]) -> Response:
        """What `make` answers to the present request, or did when it first came.

        Raises what `make` raises, after which the request may be sent again, and BadRequestError
        where the request's name is not one.
        """
        name = _name()
        if not name:
            return make()
        key = (request.path, name)
        with self._lock:
            known = self._kept.get(key)
            mine = self._kept[key] = known or Future()
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        if known is None:
            self._make(key, mine, make)
        return _copy(mine.result())

    def _make(
        self, key: tuple[str, str], mine: Future[Response], make: Callable[[], Response]
    ) -> None:
        try:
            mine.set_result(make())
        except BaseException as error:
            with self._lock:
                self._kept.pop(key, None)
            mine.set_exception(error)


def _name() -> str:
    """The name of the present request, empty where it has none."""
    name = request.headers.get(REQUEST_ID) or request.args.get(IN_ADDRESS, "")
    return checked_name(name) if name else ""


def checked_name(name: str) -> str:
    """A request's name as it was sent. Raises BadRequestError where it is not one."""
    if not re.fullmatch(REQUEST_ID_PATTERN, name):
        raise BadRequestError("web.error.request-id")
    return name


def _copy(made: Response) -> Response:
    """One for each request, for what is done to it afterwards."""
    return Response(made.get_data(), made.status, Headers(made.headers))
