"""The panel's templates are compiled once for all apps of a test run, not once an app."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

import pytest
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache


class CompiledOnce(BytecodeCache):
    """Keeps what was compiled in memory, by the template's file and text."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._compiled[bucket.key, bucket.checksum] = bucket.code


COMPILED = CompiledOnce()


@contextmanager
def compiled_once() -> Iterator[None]:
    """Every app that is made within shares the compiled templates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": COMPILED})
        yield
