"""Commands to type, which sentences hold between backquotes, as a page sets them."""

import re

from markupsafe import Markup, escape

COMMAND = re.compile(r"`([^`]+)`")


def with_code(sentence: str) -> Markup:
    """A sentence for a page, each command in a typewriter's letters and without its backquotes.

    >>> with_code("Run `sudo apt install avahi-daemon` & try again.")
    Markup('Run <code>sudo apt install avahi-daemon</code> &amp; try again.')
    """
    parts = COMMAND.split(sentence)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )
