"""Keeps other web sites from driving a box that stands, without passwords, in a home network."""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web.errors import ForbiddenError

HOME_ENDINGS: tuple[str, ...] = (
    ".local",
    ".lan",
    ".home",
    ".internal",
    ".home.arpa",
    ".localhost",
    ".fritz.box",
)
"""Endings of names that only a home network gives; no web site can own one."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Only the panel's own files are ever loaded: it works offline and runs no foreign text."""

READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def guard(app: Flask, extra_hosts: Collection[str] = ()) -> None:
    """Check every request to the app and set the headers of every answer.

    `extra_hosts` are names beyond those of a home network by which the box may be called.
    """
    allowed = frozenset(host.lower() for host in extra_hosts)

    def check() -> None:
        host = request.host
        if not is_home_name(_bare(host)) and _bare(host) not in allowed:
            raise ForbiddenError("web.error.host", host=host[:80])
        if request.method not in READING_METHODS and not _same_origin(host):
            raise ForbiddenError("web.error.origin")

    def add_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    app.before_request(check)
    app.after_request(add_headers)


def is_home_name(host: str) -> bool:
    """Whether a host name can only mean a machine in the home network.

    An address, a name without a dot, or one with a home network's ending. A web site that points
    its own name at the box's address (DNS rebinding) has none of these.
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return "." not in host or host.lower().endswith(HOME_ENDINGS)
    return True


def _bare(host: str) -> str:
    """A Host header without its port."""
    return (urlsplit(f"//{host}").hostname or "").lower()


def _same_origin(host: str) -> bool:
    """Whether the page that sent the request is one of ours.

    Browsers name the sender on every request that changes something; programs such as curl name
    none, and they can't be tricked by a web page.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()
