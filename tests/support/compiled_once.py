"""What every app works out when it is made, templates, routes, maps, is worked out once a run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from web.drawing import board_svg
from web.drawing.labels import Label, place_labels


class Templates(BytecodeCache):
    """Keeps what was compiled in memory, by the template's file and text."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._compiled[bucket.key, bucket.checksum] = bucket.code


TEMPLATES = Templates()

_builders: dict[tuple[str, str, str, bool], Any] = {}
"""Functions that build an address of a rule; they ask the rule itself for its converters."""


_placed: dict[str, Mapping[str, Label]] = {}
"""Where the names stand on a map: a sixth of a second for each board."""


def _place_labels(**map_of_names: Any) -> Mapping[str, Label]:
    key = repr(map_of_names)
    if key not in _placed:
        _placed[key] = place_labels(**map_of_names)
    return _placed[key]


@contextmanager
def compiled_once() -> Iterator[None]:
    """Every app that is made within shares what was compiled."""
    compile_builder = Rule._compile_builder

    def builder(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, repr(rule._trace), repr(rule.defaults), append_unknown)
        if key not in _builders:
            _builders[key] = compile_builder(rule, append_unknown)
        return _builders[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": TEMPLATES})
        patch.setattr(Rule, "_compile_builder", builder)
        patch.setattr(board_svg, "place_labels", _place_labels)
        yield
