"""What the panel's app and the hub's have in common: guards, limits, colours, errors in words."""

from collections.abc import Callable, Collection, Mapping, Sequence

from flask import Flask, Response, jsonify
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from scoring.language import Message
from scoring.language.figures import figure, signed
from web.access.gate import admit
from web.access.roles import Role, open_to
from web.access.visitors import Access
from web.addresses import is_sent_by_script
from web.compression import compress
from web.drawing.colour_styles import style_sheet
from web.errors import BadRequestError, WebError
from web.language import in_language, remember_language, say, say_if_known
from web.security import guard
from web.sent.uploads import REQUEST_BYTES, UploadRequest
from web.static_files import App, content_mark, modules_of
from web.typed_commands import with_code


def new_app(
    access: Access,
    extra_hosts: Collection[str],
    language_default: str,
    unknown_host: str = "web.error.host",
) -> Flask:
    """An app that knows its visitors and refuses foreign requests, without pages yet.

    An address that declares no role is the host's alone. The colours' style sheet comes from the
    one list. `unknown_host` is the key of what is said to a request by a name that is not allowed.
    """
    app = App(__name__, static_folder="static", template_folder="templates")
    app.request_class = UploadRequest
    app.config["MAX_CONTENT_LENGTH"] = REQUEST_BYTES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters |= {"figure": figure, "signed": signed, "with_code": with_code}
    app.jinja_env.globals |= {
        "static": f"/static/{content_mark()}",
        "modules_of": modules_of,
        "in_language": in_language,
    }
    guard(app, extra_hosts, language_default, unknown_host)
    admit(app, access)
    app.after_request(access.devices.remember)
    app.after_request(remember_language)
    app.after_request(_tell_where_to_go_on)
    compress(app)

    @app.get("/colours.css")
    @open_to(Role.SPECTATOR)
    def colours() -> Response:
        return Response(
            style_sheet(), mimetype="text/css", headers={"Cache-Control": "max-age=3600"}
        )

    return app


def answer_errors(
    app: Flask,
    answer: Callable[[str, int, Sequence[Mapping[str, str]]], ResponseReturnValue],
    sentence_of: Callable[[WebError], str],
    told: Callable[[Message], str],
    language: Callable[[], str],
) -> None:
    """Every error is one sentence in the visitor's language; `answer` makes of it what is sent.

    It is given what is wrong at each field, too, for the form to tell it there, as `told` says it.
    """

    def spoken(error: WebError) -> ResponseReturnValue:
        by_field = error.by_field if isinstance(error, BadRequestError) else {}
        fields = [{"field": name, "error": told(one)} for name, one in by_field.items()]
        return answer(sentence_of(error), error.status, fields)

    def unspoken(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        fallback = say("error.http.500", language())
        return answer(say_if_known(f"error.http.{status}", language(), fallback), status, ())

    app.register_error_handler(WebError, spoken)
    app.register_error_handler(HTTPException, unspoken)


def _tell_where_to_go_on(answer: Response) -> Response:
    """A script that sent a form learns the address of what comes of it, instead of its page."""
    if answer.status_code != 303 or not is_sent_by_script():
        return answer
    told = jsonify({"go": answer.location})
    told.headers.extend((n, v) for n, v in answer.headers if n == "Set-Cookie")
    return told
