"""The panel's own scripts and styles: their addresses, and which scripts belong together.

An address names the content of all of them (`/static/v-3f2a…/panel.js`), so a browser keeps what it
has loaded and asks for nothing again; a module's relative imports lead to the same address.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

from flask import Flask, Response

STATIC = Path(__file__).parent / "static"

KEEP_S = 365 * 24 * 3600
"""What an address names never changes."""

IMPORT = re.compile(r"^import (?:[^\"]*? from )?\"\./([\w-]+\.js)\";$", re.MULTILINE)


class App(Flask):
    """An app whose static files may also be asked for by the address that names their content."""

    def send_static_file(self, filename: str) -> Response:
        """The file; kept by the browser where its address names what it is today."""
        mark, _, rest = filename.partition("/")
        if not mark.startswith("v-") or not rest:
            return super().send_static_file(filename)
        response = super().send_static_file(rest)
        if mark == content_mark():
            response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
        return response


@cache
def content_mark() -> str:
    """The part of the address that names the content of all static files."""
    known = hashlib.sha256()
    for file in sorted(STATIC.iterdir()):
        known.update(file.name.encode() + b"\0" + file.read_bytes())
    return f"v-{known.hexdigest()[:12]}"


@cache
def modules_of(*entries: str) -> tuple[str, ...]:
    """The names of all modules that entries import, through others too, without the entries.

    Named in a page's head they are asked for at once, instead of one behind the other.
    """
    found = dict.fromkeys(entries)
    waiting = list(entries)
    while waiting:
        script = (STATIC / waiting.pop(0)).read_text(encoding="utf-8")
        new = [name for name in IMPORT.findall(script) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(name for name in found if name not in entries)
