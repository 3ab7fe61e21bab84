"""The panel's own scripts and styles: their addresses, and the modules that travel together.

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

TOGETHER = "panel.js"
"""Every page of the table needs it: it comes as one file with the modules that it imports.
One by one they are there a quarter of a second later on a slow phone."""

IMPORT = re.compile(r"^import (?:\{([^}]*)\} from )?\"\./([\w-]+)\.js\";$", re.MULTILINE)

EXPORT = re.compile(r"^export ((?:async )?function|const) ([\w$]+)", re.MULTILINE)


class App(Flask):
    """An app whose static files may also be asked for by the address that names their content."""

    def send_static_file(self, filename: str) -> Response:
        """The file; kept by the browser where its address names what it is today."""
        mark, _, rest = filename.partition("/")
        if not mark.startswith("v-") or not rest:
            return self._static(filename)
        response = self._static(rest)
        if mark == content_mark():
            response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
        return response

    def _static(self, name: str) -> Response:
        if name == TOGETHER:
            return Response(in_one(name), mimetype="text/javascript")
        return super().send_static_file(name)


@cache
def content_mark() -> str:
    """The part of the address that names the content of all static files."""
    known = hashlib.sha256()
    for file in sorted(STATIC.iterdir()):
        known.update(file.name.encode() + b"\0" + file.read_bytes())
    return f"v-{known.hexdigest()[:12]}"


@cache
def in_one(entry: str) -> str:
    """A script with all modules that it imports, through others too: a function each, in its turn.

    Every `import` is a line of its own that names what it takes; no two modules import each other.
    """
    modules = [_as_function(name) for name in modules_of(entry)]
    return "\n".join([*modules, _taking(_script(entry))])


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """The names of all modules that a script imports, through others too, in the order in which
    they run: each after those that it imports itself."""
    found: dict[str, None] = {}
    for _, stem in IMPORT.findall(_script(entry)):
        found |= dict.fromkeys((*modules_of(f"{stem}.js"), f"{stem}.js"))
    return tuple(found)


def _script(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _as_function(name: str) -> str:
    """A module as a function that has run and gave what it exports."""
    script = _script(name)
    exported = ", ".join(name for _, name in EXPORT.findall(script))
    body = _taking(EXPORT.sub(r"\1 \2", script))
    given = _of_module(name.removesuffix(".js"))
    return f"const {given} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def _taking(script: str) -> str:
    """A script that takes what it imports from the functions of the modules before it."""

    def taken(found: re.Match[str]) -> str:
        names, stem = found.groups()
        return f"const {{{names}}} = {_of_module(stem)};" if names else ""

    return IMPORT.sub(taken, script)


def _of_module(stem: str) -> str:
    return f"module_{stem}"
