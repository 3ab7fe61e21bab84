"""Finds every key of the catalogue that the source can ask for, by reading the source."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2
from jinja2 import nodes

from tests.support.catalogues import ROOMS, ROOT

SPEAKERS: Mapping[tuple[str, str], tuple[int, str]] = {
    ("", "text"): (0, ""),
    ("", "Message"): (0, ""),
    ("", "has_text"): (0, ""),
    ("", "ticket_warning"): (0, "vision.tickets.warning."),
    ("scoring", "report"): (0, "scoring.problem."),
    ("vision", "report"): (0, "scoring.problem."),
    ("vision", "warning"): (0, "vision.warning."),
    ("", "_violation"): (0, "scoring.violation."),
    ("", "_twice"): (0, "scoring.problem."),
    ("", "_titled"): (0, "scoring.sheet.title."),
    ("companion", "finding"): (2, "companion.doctor."),
    ("companion", "_lgpio"): (0, "companion.doctor."),
    ("scoring", "_finding"): (0, "scoring.problem."),
    ("scoring", "_of_boxes"): (0, "scoring.problem."),
    ("scoring", "_of_all"): (0, "scoring.problem."),
    ("", "_say"): (1, "companion.demo."),
    ("web", "say"): (0, "web."),
    ("web", "say_if_known"): (0, "web."),
    ("web", "count"): (0, "web."),
    ("scoring", "say"): (0, "scoring.explain."),
    ("companion", "say"): (0, "scoring.sheet."),
    ("companion", "_told"): (0, ""),
    ("companion", "CommandParser"): (1, ""),
    ("companion", "add_corners_option"): (1, ""),
}
"""(room or any, function) to the place of its key among the arguments, and the key's beginning."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A key as the source writes it: whole, or `pattern` where it is put together at run time."""

    where: str
    keys: tuple[str, ...]
    pattern: str = ""


def asked_in_python() -> Iterator[Asked]:
    """Every key that Python source asks for."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "training" not in path.parts:
                yield from _asked_in_file(room, path)


def asked_in_templates() -> Iterator[Asked]:
    """Every key that the panel's templates ask for."""
    environment = jinja2.Environment(autoescape=True)
    for path in sorted((ROOT / "web" / "templates").rglob("*.html")):
        for call in environment.parse(path.read_text("utf-8")).find_all(nodes.Call):
            name = call.node.attr if isinstance(call.node, nodes.Getattr) else call.node.name
            if name in ("say", "count"):
                yield from _asked_by_template(path.name, name, call.args[0])


def _asked_by_template(where: str, name: str, key: nodes.Expr) -> Iterator[Asked]:
    for part in [key.expr1, key.expr2] if isinstance(key, nodes.CondExpr) else [key]:
        assert isinstance(part, nodes.Const | nodes.Concat), f"{where}: {key}"
        if isinstance(part, nodes.Const):
            words = (f"web.{part.value}",)
            yield Asked(where, _numbered(words) if name == "count" else words)
        else:
            start = part.nodes[0]
            assert isinstance(start, nodes.Const)
            yield Asked(where, (), f"{start.value}*")


def _numbered(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{key}.{number}" for key in keys for number in ("one", "many"))


def _asked_in_file(room: str, path: Path) -> Iterator[Asked]:
    tree = ast.parse(path.read_text("utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    speaks = path.parent.name == "language" or any(
        isinstance(n, ast.ImportFrom)
        and n.module == "scoring.language"
        and any(alias.name == "text" for alias in n.names)
        for n in ast.walk(tree)
    )
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        found = _key_of(room, call)
        if found is None or (not speaks and getattr(call.func, "id", "") == "text"):
            continue
        key, start, numbered = found
        inner = [f for f in functions if f.lineno <= call.lineno <= (f.end_lineno or 0)]
        words = _words(key, inner[-1] if inner else tree)
        where = f"{path.relative_to(ROOT)}:{call.lineno}"
        if words is None:
            yield Asked(where, (), f"{path.stem}: {ast.unparse(key)}")
        else:
            keys = tuple(start + word for word in words)
            yield Asked(where, _numbered(keys) if numbered else keys)


def _key_of(room: str, call: ast.Call) -> tuple[ast.expr, str, bool] | None:
    """The expression of the key a call asks for, the key's beginning, whether it counts."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name.endswith("Error") and call.args and _is_key(call.args[0]):
        return (call.args[0], "", False)
    if (room, name) == ("companion", "add_argument"):
        return _key_of_help(call)
    place, start = SPEAKERS.get(("", name)) or SPEAKERS.get((room, name)) or (99, "")
    if len(call.args) <= place or (name == "text" and isinstance(function, ast.Attribute)):
        return None
    if name == "count" and isinstance(function, ast.Attribute) and room != "web":
        return None
    return call.args[place], start, name == "count"


def _key_of_help(option: ast.Call) -> tuple[ast.expr, str, bool] | None:
    """The key of an option's help; argparse.SUPPRESS, which hides an option, is none."""
    helps = (one.value for one in option.keywords if one.arg == "help")
    return next(((one, "", False) for one in helps if not isinstance(one, ast.Attribute)), None)


def _is_key(expression: ast.expr) -> bool:
    """Whether an error's first argument is a key, rather than a sentence or another error."""
    first = expression.values[0] if isinstance(expression, ast.JoinedStr) else expression
    words = first.value if isinstance(first, ast.Constant) else None
    return isinstance(words, str) and words.partition(".")[0] in ROOMS


def _words(expression: ast.expr, scope: ast.AST) -> tuple[str, ...] | None:
    """Every text that an expression can be; None where that is not known from the source alone."""
    match expression:
        case ast.Constant(value=str(word)):
            return (word,)
        case ast.IfExp(body=first, orelse=second):
            either = _words(first, scope), _words(second, scope)
            return None if None in either else (*(either[0] or ()), *(either[1] or ()))
        case ast.Name(id=name):
            return _assigned(name, scope)
        case ast.JoinedStr(values=parts):
            return _joined(parts, scope)
        case _:
            return None


def _joined(parts: list[ast.expr], scope: ast.AST) -> tuple[str, ...] | None:
    whole: tuple[str, ...] = ("",)
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        words = _words(inner, scope)
        if words is None:
            return None
        whole = tuple(start + word for start in whole for word in words)
    return whole


def _assigned(name: str, scope: ast.AST) -> tuple[str, ...] | None:
    """What a name is set to within a function, also as one of several at once."""
    found: list[str] = []
    for node in ast.walk(scope):
        value = _value_for(name, node)
        if value is not None:
            words = _words(value, scope)
            if words is None:
                return None
            found += words
    return tuple(found) or None


def _value_for(name: str, node: ast.AST) -> ast.expr | None:
    if not isinstance(node, ast.Assign):
        return None
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=True)
        return next((v for t, v in pairs if isinstance(t, ast.Name) and t.id == name), None)
    return value if isinstance(target, ast.Name) and target.id == name else None


def first_arguments(file: str, function: str) -> tuple[str, ...]:
    """The texts that a file gives a function as its first argument."""
    calls = ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
    return tuple(
        str(call.args[0].value)
        for call in calls
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == function
        and isinstance(call.args[0], ast.Constant)
    )


def metavars() -> tuple[str, ...]:
    """What the command line's options call their values."""
    calls = (
        call
        for path in sorted((ROOT / "companion" / "cli").rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
    )
    named = [one.value for call in calls for one in call.keywords if one.arg == "metavar"]
    words = [node for value in named for node in ast.walk(value)]
    return tuple(str(node.value) for node in words if isinstance(node, ast.Constant))
