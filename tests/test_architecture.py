"""The walk through the house names files and functions that exist, in every room."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WALK = (ROOT / "docs" / "architecture.md").read_text("utf-8")
NAMES = re.findall(r"`([\w/]+\.py):([\w.]+)`", WALK)
ROOMS = ("scoring", "vision", "calibration", "hardware", "web", "companion")


def definitions(path: Path) -> set[str]:
    """Functions and classes of a module, methods as Class.method."""
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            names |= {f"{node.name}.{name}" for name in inner}
    return names


@pytest.mark.parametrize(("path", "name"), NAMES)
def test_what_the_walk_names_is_there(path: str, name: str) -> None:
    assert (ROOT / path).is_file(), f"docs/architecture.md names {path}, which is not there"
    assert name in definitions(ROOT / path), f"{path} has no {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_the_walk_comes_through_every_room(room: str) -> None:
    assert any(path.startswith(f"{room}/") for path, _ in NAMES)


def test_the_numbered_steps_have_no_gap() -> None:
    steps = [int(number) for number in re.findall(r"^(\d+)\. ", WALK, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))
