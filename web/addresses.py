"""What a request says about where it comes from and what it wants back; anybody may lie in it."""

from urllib.parse import SplitResult, urlsplit

from flask import request


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


def way_back() -> str:
    """The page that a form stood on, never another site's; the phase's page if unknown."""
    sender = split_address(request.referrer or "")
    if sender is None or sender.netloc != request.host:
        return "/"
    is_page = sender.path.startswith("/") and not sender.path.startswith("/api/")
    return sender.path if is_page else "/"
