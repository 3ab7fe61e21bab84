"""The errors of this room: each says in the reader's language what is wrong and what to do."""

from scoring.language import text


class WebError(Exception):
    """Root of every error of this room: a key of the catalogue and its placeholders' values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(key, "en", **values))
        self.key = key
        self.values = values

    def sentence(self, language: str) -> str:
        """What is wrong and what to do, as one sentence."""
        return text(self.key, language, **self.values)


class ActionRefusedError(WebError, ValueError):
    """The table can't do that now (HTTP 409)."""


class BadRequestError(WebError, ValueError):
    """What was sent is not what the action asks for (HTTP 400)."""


class ForbiddenError(WebError, PermissionError):
    """The request comes from another site or by a name that is not the box's (HTTP 403)."""


class NotFoundError(WebError, LookupError):
    """No such page, route, player or photo (HTTP 404)."""
