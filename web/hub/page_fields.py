"""Fields of a form that its page fills in, and nobody types."""

from flask import request

from web.errors import BadRequestError
from web.names import one_line


def of_page(name: str) -> str:
    """What the page says of itself.

    Raises BadRequestError where it says nothing: it was opened before the hub was updated.
    """
    value = one_line(request.form.get(name, ""))
    if not value:
        raise BadRequestError("web.hub.error.older-page")
    return value
