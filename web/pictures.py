"""Pictures that a browser loads once: their address names their content."""

from hashlib import blake2b

from flask import Response, request
from flask.typing import ResponseReturnValue

from web.errors import NotFoundError

PNG_SIGN = b"\x89PNG"

ONCE = "private, max-age=31536000, immutable"
"""For an address that names the content: it never means another picture."""

ASK_FIRST = "private, no-cache"
"""For any other address: kept, but asked about with its mark before it is shown again."""


def mark_of(image: bytes) -> str:
    """A short hash of these bytes."""
    return blake2b(image, digest_size=9).hexdigest()


def picture(image: bytes | None) -> ResponseReturnValue:
    """The answer with a picture; `?v=` of its mark lets it be kept for good.

    Raises NotFoundError where there is none.
    """
    if image is None:
        raise NotFoundError("web.error.no-crop")
    mark = mark_of(image)
    kind = "image/png" if image.startswith(PNG_SIGN) else "image/jpeg"
    answer = Response(image, mimetype=kind)
    answer.headers["Cache-Control"] = ONCE if request.args.get("v") == mark else ASK_FIRST
    answer.set_etag(mark)
    return answer.make_conditional(request)
