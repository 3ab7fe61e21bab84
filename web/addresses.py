"""Where a request says it comes from and what it wants back; neither can be trusted."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from flask import request

THIS_MACHINE = ("127.0.0.1", "::1")
"""The box itself: its own screen, or a proxy through which all the others come."""


def split_address(words: str) -> SplitResult | None:
    """The parts of an address, None where it is none (`http://[`, a port that is no number)."""
    try:
        parts = urlsplit(words)
        _ = parts.port, parts.hostname
    except ValueError:
        return None
    return parts


def wants_page() -> bool:
    """Whether a browser asks for a page to show, rather than a program or the panel's script.

    Browsers name text/html; a program that takes anything gets JSON.
    """
    kinds = ["application/json", "text/html"]
    return request.accept_mimetypes.best_match(kinds, "application/json") == "text/html"


def is_sent_by_script() -> bool:
    """Whether the panel's own script sent a page's form, and goes on by itself.

    It names JSON before anything else; whoever takes anything, as programs do, gets a redirect.
    """
    return request.accept_mimetypes.best == "application/json"


def is_own_address(address: str, host: str) -> bool:
    """Whether a web address that a browser sent (`Origin`, `Referer`) is a page of this host.

    False for "null" and for whatever is no address at all.
    """
    parts = split_address(address)
    if parts is None or not parts.hostname or parts.scheme not in ("http", "https"):
        return False
    return parts.netloc.lower() == host.lower()


def way_back(sent: Mapping[str, Any]) -> str:
    """The page that a form stood on, never another site's; the phase's page if unknown.

    A form on an open hand has the hand's key with it, so that the hand stays open.
    """
    sender = request.referrer or ""
    parts = split_address(sender) if is_own_address(sender, request.host) else None
    path = "/" if parts is None else parts.path
    if not path.startswith("/") or path.startswith(("//", "/api/")):
        return "/"
    return f"{path}?{urlencode({'hand': sent['hand']})}" if "hand" in sent else path
