"""The examples in scoring's docstrings hold, and every public function has one."""

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "scoring").rglob("*.py")
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_hold(module: str) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(import_module(module)):
        runner.run(found, out=report.append)
    assert not runner.summarize(verbose=False).failed, "".join(report)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_has_an_example(module: str) -> None:
    source = Path(str(import_module(module).__file__)).read_text("utf-8")
    without = [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and ">>>" not in (ast.get_docstring(node) or "")
    ]
    assert not without
