"""The final sheet as the panel shows it: each line in words, with the routes that prove it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.board.board import Board
from scoring.board.names import place_name
from scoring.language import text
from web.language import count, say, say_if_known
from web.travel_order import Step, walk

WALKED_KINDS = frozenset({"ticket", "longest-path"})
"""Lines whose evidence is a path, which is drawn step by step."""

PLACES: tuple[str, ...] = ("most", "second")
"""What passengers are scored for: the most of a colour, and the second most."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line: what for, the details, the points, and the evidence to light up on the board."""

    kind: str
    title: str
    detail: str
    points: int
    routes: tuple[str, ...]
    trail: tuple[Mapping[str, Any], ...]
    """The evidence as a walk: a route, whether it is travelled backwards, and a caption a step."""
    failed: bool


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A player's part of the sheet."""

    name: str
    colour: str
    rank: int
    total: int
    winner: bool
    lines: tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True)
class SheetView:
    """The whole sheet, best player first."""

    headline: str
    tie_break: str
    """Which rule decided, as a sentence; empty where points did."""
    cards: tuple[SheetCard, ...]


def view_sheet(sheet: Mapping[str, Any], board: Board | None, language: str) -> SheetView:
    """The sheet of `score --json` in words; a board lets its places be named."""
    winners = [str(name) for name in sheet["winners"]]
    cards = [_card(player, winners, board, language) for player in sheet["players"]]
    return SheetView(
        headline=_headline(winners, language),
        tie_break=_tie_break(sheet.get("tie_break"), language),
        cards=tuple(sorted(cards, key=lambda card: card.rank)),
    )


def _headline(winners: Sequence[str], language: str) -> str:
    if len(winners) == 1:
        return say("sheet.winner.one", language, name=winners[0])
    return say("sheet.winner.many", language, names=join_names(winners, language))


def join_names(names: Sequence[str], language: str) -> str:
    """Names as spoken: "Ada, Ben and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return say("list.and", language, first=", ".join(names[:-1]), last=names[-1])


def _tie_break(rule: object, language: str) -> str:
    return say_if_known(f"sheet.tie.{rule}", language, str(rule)) if rule else ""


def _card(
    player: Mapping[str, Any], winners: Sequence[str], board: Board | None, language: str
) -> SheetCard:
    lines = (_line(line, player, board, language) for line in player["lines"])
    return SheetCard(
        name=str(player["name"]),
        colour=str(player.get("colour") or "grey"),
        rank=int(player["rank"]),
        total=int(player["total"]),
        winner=player["name"] in winners,
        lines=tuple(lines),
    )


def _line(
    line: Mapping[str, Any], player: Mapping[str, Any], board: Board | None, language: str
) -> SheetLine:
    kind = str(line["kind"])
    evidence = line.get("evidence") or {}
    path = _known_routes(evidence.get("path"), board)
    shown = evidence.get("routes") or evidence.get("missing")
    routes = path or _known_routes(shown, board)
    return SheetLine(
        kind=kind,
        title=_title(kind, line, board, language),
        detail=_detail(kind, line, player, language),
        points=int(line["points"]),
        routes=routes,
        trail=() if board is None or kind not in WALKED_KINDS else _trail(path, board, language),
        failed=kind == "ticket" and not line.get("completed", True),
    )


def _known_routes(routes: object, board: Board | None) -> tuple[str, ...]:
    if board is None or not isinstance(routes, Sequence):
        return ()
    return tuple(name for name in routes if name in board.route_by_id)


def _trail(path: Sequence[str], board: Board, language: str) -> tuple[Mapping[str, Any], ...]:
    steps = walk(board, path)
    return tuple(
        {
            "route": step.route,
            "backwards": step.backwards,
            "caption": _caption(number, len(steps), step, board, language),
        }
        for number, step in enumerate(steps, start=1)
    )


def _caption(number: int, steps: int, step: Step, board: Board, language: str) -> str:
    return say(
        "trail.caption",
        language,
        step=number,
        steps=steps,
        start=place_name(board, step.start),
        end=place_name(board, step.end),
        wagons=count("count.wagons", step.length, language),
        total=step.total,
    )


def _title(kind: str, line: Mapping[str, Any], board: Board | None, language: str) -> str:
    ticket = line.get("ticket")
    if ticket:
        return " – ".join(place_name(board, str(place)) for place in ticket)
    title = say_if_known(f"sheet.kind.{kind}", language, kind)
    if "colour" in line:
        colour = str(line["colour"])
        return f"{title}: {text(f'scoring.colour.{colour}', language)}"
    if "bonus" in line:
        name = str(line["bonus"])
        return f"{title}: {say_if_known(f'sheet.kind.{name}', language, name)}"
    return f"{title}: {place_name(board, str(line['city']))}" if "city" in line else title


def _detail(kind: str, line: Mapping[str, Any], player: Mapping[str, Any], language: str) -> str:
    evidence = line.get("evidence") or {}
    if kind == "routes":
        routes = count("count.routes", len(evidence.get("routes") or ()), language)
        return f"{routes}, {count('count.wagons', int(player.get('wagons_used') or 0), language)}"
    if kind == "ticket":
        return _outcome(line, evidence, language)
    if kind == "longest-path":
        return count("count.wagons", int(evidence.get("length") or 0), language)
    if kind == "stations":
        figures = {key: evidence.get(key, 0) for key in ("left", "each")}
        return text("scoring.sheet.stations", language, **figures)
    return _compare(kind, evidence, language)


def _outcome(line: Mapping[str, Any], evidence: Mapping[str, Any], language: str) -> str:
    """Whether a ticket was completed, and by how few wagons it was not."""
    if line.get("completed", True):
        return say("sheet.ticket.done", language)
    if not evidence.get("missing_wagons"):
        return say("sheet.ticket.failed", language)
    wagons = count("count.wagons", int(evidence["missing_wagons"]), language)
    return say("sheet.ticket.short", language, wagons=wagons)


def _compare(kind: str, evidence: Mapping[str, Any], language: str) -> str:
    """Everybody's number, the largest first, and the place where a second one scores too."""
    counts = sorted((evidence.get("counts") or {}).items(), key=lambda item: -int(item[1]))
    numbers = ", ".join(f"{name} {number}" for name, number in counts)
    if kind == "globetrotter":
        return text("scoring.sheet.completed", language, count=numbers)
    if "place" not in evidence:
        return numbers
    place = str(evidence["place"])
    return f"{text(f'scoring.sheet.place.{place}', language)}: {numbers}"
