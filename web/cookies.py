"""What a browser keeps for its next visits."""

from flask import Response

YEAR_S = 365 * 24 * 3600


def keep_cookie(response: Response, name: str, value: str) -> None:
    """Let the browser keep a value for a year; no script reads it, no other site sends it."""
    response.set_cookie(name, value, max_age=YEAR_S, samesite="Strict", httponly=True)
