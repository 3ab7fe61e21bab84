"""The final sheet as the panel shows it: each line in words, with the routes that prove it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.board.board import Board
from scoring.board.names import place_name, places_name, route_name
from scoring.language import text
from scoring.language.lists import join_names
from scoring.sheet.awarding import tie_of
from scoring.sheet.lines import Line, place_key
from scoring.sheet.ranking import SHARED
from scoring.sheet.sheet import Objection, PlayerSheet, Sheet
from web.language import count, full_sentence, in_words, say, say_if_known
from web.names import isolated
from web.pieces import by_its_pieces
from web.sheet.travel_order import TrailStep, walk, walk_trail
from web.without_map import cards_in_words

WALKED_KINDS = frozenset({"ticket", "longest-path"})
"""Lines whose evidence is a path, which is drawn step by step."""

NEVER_BROKEN = "\N{NO-BREAK SPACE}"
"""Keeps a small sum on one line."""

FEW: tuple[str, ...] = ("one", "two")
"""So many missing routes are named."""

TOLD_APART = frozenset({"no-tickets", "unanswered", "big-cities"})
"""Remarks that a page tells in a sentence of their own, as it does the breaches."""


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
    way: str
    """The same on paper: the places that it passes."""
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
    objections: tuple[str, ...]
    """All that stands against it, a sentence each."""
    apart: tuple[str, ...]
    """Those that a page tells above the sheet, each by itself."""
    waved: tuple[str, ...]
    """The others, which are counted there and listed below it."""


def view_sheet(sheet: Sheet, board: Board | None, language: str) -> SheetView:
    """The sheet in words; a board lets its places be named."""
    cards = [_card(player, sheet.winners, board, language) for player in sheet.players]
    told = {
        one: full_sentence(by_its_pieces(in_words(one.message, language), board, language))
        for one in sheet.objections
    }
    return SheetView(
        headline=_headline(sheet.winners, language),
        tie_break=tie_break_in_words(sheet, language),
        cards=tuple(sorted(cards, key=lambda card: card.rank)),
        objections=tuple(told.values()),
        apart=tuple(said for one, said in told.items() if _is_told_apart(one)),
        waved=tuple(said for one, said in told.items() if not _is_told_apart(one)),
    )


def _is_told_apart(one: Objection) -> bool:
    return one.is_breach or one.code in TOLD_APART


def _headline(winners: Sequence[str], language: str) -> str:
    if len(winners) == 1:
        return say("sheet.winner.one", language, name=winners[0])
    return say("sheet.winner.many", language, names=join_names(winners, language))


def tie_break_in_words(sheet: Sheet, language: str) -> str:
    """What decided between players level on points, with its numbers; empty where none were.

    It names what they are level on: a table may have agreed on other rules, or on another order.
    """
    rule = sheet.tie_break
    if rule is None:
        return ""
    if rule == SHARED and _are_winners_level_in_everything(sheet):
        return say("sheet.tie.shared", language)
    level = [
        say("sheet.tie-points", language),
        *(text(f"scoring.setting.tie.{one}", language) for one in _rules_before(rule, sheet)),
    ]
    key = "shared-as-agreed" if rule == SHARED else rule
    told = say(f"sheet.tie.{key}", language, level=join_names(level, language))
    tie = tie_of(sheet)
    return f"{told} {numbers_in_words(tie.measures)}" if tie and tie.measures else told


def numbers_in_words(numbers: Mapping[str, int]) -> str:
    """Everybody's number, the highest first."""
    ordered = sorted(numbers.items(), key=lambda item: -item[1])
    return f"{', '.join(f'{isolated(name)} {number}' for name, number in ordered)}."


def _rules_before(rule: str, sheet: Sheet) -> Sequence[str]:
    """The rules that could not decide, in the table's order."""
    agreed = sheet.settings["tie-breaks"]
    order = [str(one) for one in agreed] if isinstance(agreed, Sequence) else []
    return order if rule == SHARED else order[: order.index(rule)]


def _are_winners_level_in_everything(sheet: Sheet) -> bool:
    first = [place for place, player in enumerate(sheet.players) if player.rank == 1]
    return all(len({counts[place] for place in first}) == 1 for counts in sheet.measures.values())


def _card(
    player: PlayerSheet, winners: Sequence[str], board: Board | None, language: str
) -> SheetCard:
    return SheetCard(
        name=player.name,
        colour=player.colour or "grey",
        rank=player.rank,
        total=player.total,
        winner=player.name in winners,
        lines=tuple(_line(line, player, board, language) for line in player.lines),
    )


def _line(line: Line, player: PlayerSheet, board: Board | None, language: str) -> SheetLine:
    evidence: Mapping[str, Any] = line.evidence
    path = _known_routes(evidence.get("path"), board)
    shown = evidence.get("routes") or evidence.get("missing")
    steps = () if board is None else _steps(line, player, path, board)
    return SheetLine(
        kind=line.kind,
        title=_title(line, board, language),
        detail=by_its_pieces(_detail(line, player, board, language), board, language),
        points=line.points,
        routes=path or _known_routes(shown, board),
        trail=() if board is None else _trail(steps, board, language),
        way="" if board is None else _way(steps, board),
        failed=line.kind == "ticket" and not line.detail.get("completed", True),
    )


def _steps(
    line: Line, player: PlayerSheet, path: Sequence[str], board: Board
) -> Sequence[TrailStep]:
    """The evidence as a walk: the longest path knows its stops, a ticket's path is followed."""
    if line.kind == "longest-path" and player.longest_path is not None:
        return walk_trail(board, player.longest_path)
    return walk(board, path) if line.kind in WALKED_KINDS else ()


def _known_routes(routes: object, board: Board | None) -> tuple[str, ...]:
    if board is None or not isinstance(routes, Sequence):
        return ()
    return tuple(name for name in routes if name in board.route_by_id)


def _trail(
    steps: Sequence[TrailStep], board: Board, language: str
) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        {
            "route": step.route,
            "backwards": step.backwards,
            "caption": _caption(number, len(steps), step, board, language),
        }
        for number, step in enumerate(steps, start=1)
    )


def _way(steps: Sequence[TrailStep], board: Board) -> str:
    stops = [steps[0].start, *(step.end for step in steps)] if steps else []
    return " → ".join(place_name(board, stop) for stop in stops)


def _caption(number: int, steps: int, step: TrailStep, board: Board, language: str) -> str:
    wagons = count("count.wagons", step.length, language)
    return say(
        "trail.caption",
        language,
        step=number,
        steps=steps,
        start=place_name(board, step.start),
        end=place_name(board, step.end),
        wagons=by_its_pieces(wagons, board, language),
        total=step.total,
    )


def _title(line: Line, board: Board | None, language: str) -> str:
    detail: Mapping[str, Any] = line.detail
    kind = line.kind
    if detail.get("ticket"):
        return places_name(board, detail["ticket"])
    title = say_if_known(f"sheet.kind.{kind}", language, kind)
    if "colour" in detail:
        colour = str(detail["colour"])
        return f"{title}: {text(f'scoring.colour.{colour}', language)}"
    if "bonus" in detail:
        name = str(detail["bonus"])
        return f"{title}: {say_if_known(f'sheet.kind.{name}', language, name)}"
    return f"{title}: {place_name(board, str(detail['city']))}" if "city" in detail else title


def _detail(line: Line, player: PlayerSheet, board: Board | None, language: str) -> str:
    evidence: Mapping[str, Any] = line.evidence
    if line.kind == "routes":
        return _routes(evidence, player.wagons_used, language)
    if line.kind == "ticket":
        return _outcome(line, board, language)
    if line.kind == "longest-path":
        return _longest_path(evidence, player.name, language)
    if line.kind == "stations":
        return "; ".join(_stations(evidence, board, language))
    if line.kind == "flags":
        return text("scoring.sheet.flags", language, count=evidence["flags"])
    return _compare(line.kind, evidence, language)


def _stations(evidence: Mapping[str, Any], board: Board | None, language: str) -> Iterator[str]:
    """How many were never built, and what each of the others lends."""
    figures = {key: evidence.get(key, 0) for key in ("left", "each")}
    yield text("scoring.sheet.stations", language, **figures)
    for built in evidence.get("built", ()):
        city = place_name(board, built["city"])
        if built["route"] is None:
            yield text("scoring.sheet.station_idle", language, city=city)
        else:
            route, owner = route_name(board, built["route"]), isolated(built["owner"])
            yield text("scoring.sheet.station_lends", language, city=city, route=route, owner=owner)


def _routes(evidence: Mapping[str, Any], wagons_used: int, language: str) -> str:
    """How many routes and wagons, and the points of each length to be checked by hand."""
    rows = _by_length(evidence.get("by_length") or {}, language)
    if rows and not evidence["routes"]:
        return rows
    routes = count("count.routes", len(evidence["routes"]), language)
    told = f"{routes}, {count('count.wagons', wagons_used, language)}"
    return f"{told} ({rows})" if rows else told


def _by_length(rows: Mapping[str, Mapping[str, int]], language: str) -> str:
    """How many routes of each length, and what they score."""
    return ", ".join(
        text(
            "scoring.sheet.by_length",
            language,
            count=row["routes"],
            length=length,
            points=row["points"],
        ).replace(" ", NEVER_BROKEN)
        for length, row in rows.items()
    )


def _outcome(line: Line, board: Board | None, language: str) -> str:
    """Whether a ticket was completed and with which cards, or what it lacked."""
    evidence: Mapping[str, Any] = line.evidence
    if "pass" in evidence:
        return text("scoring.sheet.first_pass", language)
    if "cards" in evidence:
        cards = cards_in_words(evidence["cards"], language)
        return say("sheet.ticket.cards", language, cards=cards)
    if isinstance(evidence.get("missing"), Mapping):
        cards = cards_in_words(evidence["missing"], language)
        return say("sheet.ticket.lacks" if cards else "sheet.ticket.left", language, cards=cards)
    if line.detail.get("completed", True):
        done, lent = say("sheet.ticket.done", language), evidence.get("borrowed", ())
        if not lent:
            return done
        routes = join_names([route_name(board, route) for route in lent], language)
        return f"{done}, {text('scoring.sheet.borrowed', language, routes=routes, n=len(lent))}"
    if evidence.get("missing_wagons"):
        told = _short(evidence.get("missing"), board, language)
    else:
        told = say("sheet.ticket.failed", language)
    ends = evidence.get("dead_ends")
    return f"{told}; {_dead_ends(ends, board, language)}" if ends else told


def _dead_ends(countries: Sequence[str], board: Board | None, language: str) -> str:
    """Why lines that reach one country complete no ticket together."""
    names = join_names([place_name(board, country) for country in countries], language)
    return text("scoring.sheet.dead_ends", language, countries=names)


def _short(missing: object, board: Board | None, language: str) -> str:
    """What a failed ticket lacked: one or two routes by name, more by their number.

    Of a double each line would have done, so none is named.
    """
    routes = _known_routes(missing, board)
    if board is None or not routes:
        return say("sheet.ticket.failed", language)
    if len(routes) > len(FEW):
        return say("sheet.ticket.short.many", language, n=len(routes))
    names = [places_name(board, board.route_by_id[route].ends) for route in routes]
    lacking = join_names(names, language)
    return say(f"sheet.ticket.short.{FEW[len(routes) - 1]}", language, routes=lacking)


def _longest_path(evidence: Mapping[str, Any], holder: str, language: str) -> str:
    """How many wagons it has, and how far the others came."""
    wagons = count("count.wagons", int(evidence.get("length") or 0), language)
    others = {n: length for n, length in (evidence.get("lengths") or {}).items() if n != holder}
    return f"{wagons} ({_largest_first(others)})" if others else wagons


def _largest_first(counts: Mapping[str, Any]) -> str:
    ranked = sorted(counts.items(), key=lambda item: -int(item[1]))
    return ", ".join(f"{isolated(name)} {number}" for name, number in ranked)


def _compare(kind: str, evidence: Mapping[str, Any], language: str) -> str:
    """Everybody's number, the largest first, and the place where a second one scores too."""
    numbers = _largest_first(evidence.get("counts") or {})
    if kind == "globetrotter":
        return text("scoring.sheet.completed", language, count=numbers)
    if "place" not in evidence:
        return numbers
    place = place_key(evidence["place"], evidence["counts"])
    return f"{text(f'scoring.sheet.place.{place}', language)}: {numbers}"
