"""What is refused is told on the page that asked for it; what comes again is done once."""

from collections.abc import Callable

from flask import Response, make_response, request
from flask.typing import ResponseReturnValue

from web.errors import WebError
from web.panel import Panel
from web.sent.uploads import FILE_BYTES


def told_on_page(
    panel: Panel,
    do: Callable[[], ResponseReturnValue],
    page: Callable[[str], ResponseReturnValue],
) -> ResponseReturnValue:
    """What `do` answers; where it refuses, `page` with the sentence, and the refusal's status.

    A request whose name is that of one before is answered as that was.
    """
    request.max_content_length = FILE_BYTES

    def refused(error: WebError) -> Response:
        said = page(panel.sentence_of(error))
        return make_response((said, error.status) if isinstance(said, str) else said)

    def answer() -> Response:
        try:
            return make_response(do())
        except WebError as error:
            return refused(error)

    try:
        panel.uploads.take_in()
    except WebError as error:
        return refused(error)
    return panel.sent.answer(answer)
