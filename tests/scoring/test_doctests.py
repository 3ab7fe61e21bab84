"""Every public function of the rules has an example in its docstring."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "scoring").rglob("*.py")
)


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
