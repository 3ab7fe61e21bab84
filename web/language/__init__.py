"""Which language a visitor reads: asked for in the address, remembered, or the browser's own.

A page stays in its own: what its script asks for says which (`web/static/language.js`).
"""

from urllib.parse import urlencode

from flask import Response, request

from scoring.language import Message, has_text, languages
from web.cookies import keep_cookie
from web.names import isolated_in

COOKIE = "language"

OF_ITS_PAGE = "X-Language"
"""The head in which the script of a page names the language of that page."""


def language_of_request(default: str) -> str:
    """The language of this request: its page's, `?lang=`, the cookie's, then Accept-Language."""
    page, asked = request.headers.get(OF_ITS_PAGE), request.args.get("lang")
    for wish in (page, asked, request.cookies.get(COOKIE)):
        if wish in languages():
            return str(wish)
    return request.accept_languages.best_match(languages()) or default


def remember_language(response: Response) -> Response:
    """Keep the language in which a page was asked for for the visits to come."""
    wish = request.args.get("lang")
    is_page = response.mimetype == "text/html" and OF_ITS_PAGE not in request.headers
    if is_page and wish in languages():
        keep_cookie(response, COOKIE, str(wish))
    return response


def in_language(code: str) -> str:
    """What the present address asks for, in another language; a hand's key and letters stay out."""
    asked = request.args.items(multi=True)
    kept = [(key, value) for key, value in asked if key not in ("lang", "hand", "q")]
    return f"?{urlencode([*kept, ('lang', code)])}"


def say(key: str, language: str, **values: object) -> str:
    """A text of this room by its key without the room's name."""
    return in_words(Message(f"web.{key}", **values), language)


def in_words(message: Message, language: str) -> str:
    """A message as a page shows it, where names of any script stand beside figures."""
    values = {name: _isolating(value) for name, value in message.values.items()}
    return Message(message.key, **values).text(language)


def _isolating(value: object) -> object:
    if isinstance(value, Message):
        values = {name: _isolating(one) for name, one in value.values.items()}
        return Message(value.key, **values)
    if isinstance(value, tuple):
        return tuple(map(_isolating, value))
    return isolated_in(value) if isinstance(value, str) else value


def count(key: str, number: int, language: str) -> str:
    """A number with its noun: the key's `.one` or `.many`, which hold `{n}`."""
    return say(f"{key}.{'one' if number == 1 else 'many'}", language, n=number)


def say_if_known(key: str, language: str, fallback: str) -> str:
    """A text of this room, or the fallback where the catalogue has no such key."""
    return say(key, language) if has_text(f"web.{key}") else fallback


def full_sentence(said: str) -> str:
    """Words that stand by themselves: with a capital and a full stop.

    >>> full_sentence("the board is not flat"), full_sentence("Is that so?")
    ('The board is not flat.', 'Is that so?')
    """
    return f"{said[:1].upper()}{said[1:]}" + ("" if said.endswith((".", "?", "!")) else ".")
