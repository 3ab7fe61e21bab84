"""What is refused is told on the page that asked for it."""

from collections.abc import Callable

from flask import request
from flask.typing import ResponseReturnValue

from web.errors import WebError
from web.panel import Panel
from web.uploads import FILE_BYTES


def told_on_page(
    panel: Panel,
    do: Callable[[], ResponseReturnValue],
    page: Callable[[str], ResponseReturnValue],
) -> ResponseReturnValue:
    """What `do` answers; where it refuses, `page` with the sentence, and the refusal's status."""
    request.max_content_length = FILE_BYTES
    try:
        panel.uploads.take_in()
        return do()
    except WebError as error:
        answer = page(panel.sentence_of(error))
        return (answer, error.status) if isinstance(answer, str) else answer
