"""The walk through the house names files and functions that exist, in every room."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.catalogues import whole_catalogue

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


def folders_of(room: str) -> set[str]:
    """The folders of a room that hold code or pages of its own; `language` stands for all rooms."""
    kept = {one.parent.relative_to(ROOT / room) for one in (ROOT / room).glob("*/*.*")}
    return {str(folder) for folder in kept} - {"__pycache__", "language", "weights"}


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_every_folder_of_a_room_is_told(room: str) -> None:
    (said,) = re.findall(rf"^\| `{room}/` \| .*$|`{room}/` has a folder per room.*$", WALK, re.M)
    told = set(re.findall(r"`(\w+)/`", said))
    assert folders_of(room) - set(ROOMS) == told - {room}


def test_the_numbered_steps_have_no_gap() -> None:
    steps = [int(number) for number in re.findall(r"^(\d+)\. ", WALK, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))


MENTION = re.compile(r"`((?:scoring|vision|calibration|hardware|web|companion)(?:\.\w+)+)`")


def is_there(mention: str) -> bool:
    """Whether a dotted name is a module of ours, or a name that a module of ours holds."""
    path = ROOT.joinpath(*mention.split("."))
    holder = path.parent.with_suffix(".py")
    return (
        path.is_dir()
        or path.with_suffix(".py").is_file()
        or (holder.is_file() and path.name in holder.read_text("utf-8"))
    )


def is_text(mention: str) -> bool:
    return mention in whole_catalogue("en")


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_that_a_comment_mentions_is_there(room: str) -> None:
    gone = {
        (str(path.relative_to(ROOT)), mention)
        for path in (ROOT / room).rglob("*.py")
        for mention in MENTION.findall(path.read_text("utf-8"))
        if not is_there(mention) and not is_text(mention)
    }
    assert not gone


OPENS_ITS_OWN_DATA = ("scoring/board/shipped.py", "scoring/language/__init__.py")


def test_scoring_opens_no_file_but_its_boards_and_its_sentences() -> None:
    files = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "scoring").rglob("*.py")
        if any(map(touches_files, ast.walk(ast.parse(path.read_text("utf-8")))))
    }
    assert files == set(OPENS_ITS_OWN_DATA)


def touches_files(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name in ("io", "os", "pathlib", "shutil") for alias in names)
        case ast.ImportFrom(module="importlib" | "io" | "os" | "pathlib" | "shutil"):
            return True
        case ast.Call(func=ast.Name(id="open")):
            return True
        case _:
            return False
