"""The examples in docstrings hold, in every room."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "web", "hardware", "calibration", "vision", "scoring")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for room in ROOMS
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_hold(module: str) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(import_module(module)):
        runner.run(found, out=report.append)
    done = runner.summarize(verbose=False)
    assert done.attempted
    assert not done.failed, "".join(report)
