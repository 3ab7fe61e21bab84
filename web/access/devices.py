"""Tells one browser from another by a random name in a signed cookie."""

import secrets

from flask import Response, request
from itsdangerous import BadSignature, Signer

from web.cookies import keep_cookie

COOKIE = "device"
"""A panel's; browsers send the cookies of a machine to every port of it, so a hub has its own."""

HUB_COOKIE = "hub-device"

MARK = "panel.device"
"""In a request's environment: the name given to a browser that has none yet."""


class Devices:
    """Gives browsers their names in a cookie. `key` signs them: nobody else can make one up.

    Browsers don't send a `SameSite` cookie with what a page of another site loads.
    """

    cookie = COOKIE

    def __init__(self, key: bytes) -> None:
        self._signer = Signer(key, salt="companion.device")

    def known(self) -> str:
        """The name of the browser that sends the present request, empty if it has none."""
        try:
            return self._signer.unsign(request.cookies.get(self.cookie, "")).decode()
        except (BadSignature, UnicodeError):
            return ""

    def named(self) -> str:
        """The browser's name; it gets one with the answer where it has none."""
        name = self.known() or request.environ.get(MARK, "")
        if not name:
            name = request.environ[MARK] = secrets.token_urlsafe(12)
        return str(name)

    def signed(self, name: str) -> str:
        """A browser's name as its cookie holds it."""
        return self._signer.sign(name).decode()

    def remember(self, response: Response) -> Response:
        """Give a browser its name with its first page, and with each later one for longer."""
        is_page = response.mimetype == "text/html" and response.status_code == 200
        if is_page or MARK in request.environ:
            keep_cookie(response, self.cookie, self.signed(self.named()))
        return response
