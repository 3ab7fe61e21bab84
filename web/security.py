"""Protects a panel without passwords from requests that other web sites cause."""

import re
from collections.abc import Collection
from ipaddress import ip_address

from flask import Flask, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web.addresses import is_own_address, is_sent_by_script
from web.errors import ForbiddenError
from web.language import language_of_request

HOME_ENDINGS: tuple[str, ...] = (
    ".local",
    ".lan",
    ".home",
    ".internal",
    ".home.arpa",
    ".localhost",
)
"""Endings of names that only a home network gives: the public name system delegates none of them.

A router's own ending such as `.fritz.box` is not among them: `box` is a public ending, in which
anybody may own names. A table that uses such a name lists it (see `guard`).
"""

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?")
"""A `Host` in small letters as browsers write it: a name or an address, perhaps with a port."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Only the panel's own files are ever loaded: it works offline and runs no foreign text."""

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}

READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

PROGRAMS = "/api/v1/"
"""Addresses that are always answered in JSON."""

NOT_FOR_VISITORS = ("/api/", "/events")
"""Addresses that no link from elsewhere needs: they hold a resource or give data."""


def guard(
    app: Flask,
    extra_hosts: Collection[str] = (),
    language_default: str = "en",
    unknown_host: str = "web.error.host",
) -> None:
    """Check every request to the app and set the headers of every answer.

    `extra_hosts` are names beyond those of a home network by which the machine may be called;
    `unknown_host` is the key of what is said to a request by any other name.
    """
    allowed = frozenset(host.lower() for host in extra_hosts)

    def check() -> None:
        host = request.headers.get("Host", "")
        name = host_name(host)
        if name is None or not (is_home_name(name) or name in allowed):
            raise ForbiddenError(unknown_host, host=(name or host)[:80])
        if not _comes_from_here(host):
            raise ForbiddenError("web.error.origin")

    def refuse(error: ForbiddenError) -> ResponseReturnValue:
        """One sentence, and nothing of the table: whoever asked may be reading it elsewhere."""
        language = language_of_request(language_default)
        sentence = error.sentence(language)
        is_page = "text/html" in request.headers.get("Accept", "")
        is_of_api = request.path.startswith(PROGRAMS if is_page else "/api/")
        if is_of_api or is_sent_by_script():
            return jsonify({"error": sentence}), error.status
        page = render_template("refused.html", sentence=sentence, language=language)
        return page, error.status

    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    app.before_request(check)
    app.register_error_handler(ForbiddenError, refuse)
    app.after_request(add_headers)


def host_name(host: str) -> str | None:
    """The name or address in a `Host` header, without its port; None where it is no valid one."""
    found = HOST.fullmatch(host.lower())
    return None if found is None else found["name"].strip("[]")


def is_home_name(host: str) -> bool:
    """Whether a host name can only mean a machine in the home network.

    An address, a name without a dot, or one with a home network's ending. A web site that points
    its own name at the box's address (DNS rebinding) has none of these.
    """
    try:
        ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.lower().endswith(HOME_ENDINGS))
    return True


def _comes_from_here(host: str) -> bool:
    """Whether the request is one of our own pages', a program's, or a link that may be followed.

    Browsers name the sender of everything that changes something, and programs such as curl, which
    no web page can trick, name none. `Origin` comes with every request that a script may read.
    `Sec-Fetch-Site` tells of pictures and frames too, but browsers send it over HTTPS and to
    localhost only; elsewhere `Referer` may tell, and `web.events` asks for our own cookie.
    """
    origin = request.headers.get("Origin")
    if origin is not None and not is_own_address(origin, host):
        return False
    if _is_link():
        return True
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return False
    visited = request.path.startswith(NOT_FOR_VISITORS) or request.method not in READING_METHODS
    sender = request.headers.get("Referer") if visited and origin is None else None
    return sender is None or is_own_address(sender, host)


def _is_link() -> bool:
    """Whether somebody followed a link from another site to one of the pages, in a tab's own."""
    headers = request.headers
    return (
        request.method in ("GET", "HEAD")
        and not request.path.startswith(NOT_FOR_VISITORS)
        and headers.get("Sec-Fetch-Mode") == "navigate"
        and headers.get("Sec-Fetch-Dest", "document") == "document"
    )
