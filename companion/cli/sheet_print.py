"""Prints a sheet: who won and why, then every player's lines with their evidence."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from companion.cli.names import Speaker
from scoring.board.board import Board, load_board
from scoring.board.names import places_name
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.documents.settings_in_words import settings_in_words
from scoring.game.rules import LOCOMOTIVE
from scoring.language.lists import join_names
from scoring.language.pieces import GAMES_WITH_BUSES
from scoring.sheet.lines import place_key

WIDTH = 96
"""Characters of a printed row."""

KIND_WIDTH = 16

TOLD_ELSEWHERE = frozenset({"marker", "ticket-shared", "wagons-left", "one-player"})
"""Remarks whose matter stands on the sheet anyway: below the players, beside each, at the top."""

Document = Mapping[str, Any]
"""A part of a sheet's JSON document."""


def print_sheet(sheet: Document, language: str, board: Board | None = None) -> str:
    """A sheet's JSON document as text; `board` names the places of a taught map."""
    if board is None and sheet["game"] in BOARDS_WITH_DATA:
        board = load_board(sheet["game"])
    speaker = Speaker(language, board, buses=sheet["game"] in GAMES_WITH_BUSES)
    blocks = [_heading(sheet, speaker)]
    blocks += [_player(player, speaker) for player in by_rank(sheet)]
    blocks += ["\n".join(note) for note in _notes(sheet, speaker) if note]
    return "\n\n".join(blocks)


def by_rank(sheet: Document) -> list[Document]:
    """The players, the best first, ties in the order of the game."""
    return sorted(sheet["players"], key=lambda player: int(player["rank"]))


def _heading(sheet: Document, speaker: Speaker) -> str:
    players = by_rank(sheet)
    names = {player["name"]: _who(player, speaker) for player in players}
    width = max(len(name) for name in names.values())
    rows = [speaker.game(sheet["game"]), _victory(sheet, speaker), ""]
    for player in players:
        who = names[player["name"]].ljust(width)
        rows.append(f"{player['rank']:>3}. {who} {speaker.points(player['total']):>6}")
    return "\n".join(rows)


def _who(player: Document, speaker: Speaker) -> str:
    return speaker.player(player["name"], player["colour"])


def _victory(sheet: Document, speaker: Speaker) -> str:
    winners, rule = sheet["winners"], sheet["tie_break"]
    names = join_names(winners, speaker.language)
    if len(sheet["players"]) == 1:
        return speaker.say("alone", names=names)
    if len(winners) > 1:
        return speaker.say("shared", names=names)
    if rule is None:
        return speaker.say("won", names=names)
    return speaker.say("won_tie", names=names, rule=speaker.say(f"tie.{rule}"))


def _player(player: Document, speaker: Speaker) -> str:
    rows = [_who(player, speaker)]
    for line in player["lines"]:
        rows += _line(line, speaker)
    rows.append(f"{speaker.points(player['total']):>6}  {speaker.say('total')}")
    rows += _other_facts(player, speaker)
    return "\n".join(rows)


def _line(line: Document, speaker: Speaker) -> list[str]:
    """One line: points, kind, and the evidence wrapped to the right of both."""
    points, kind = speaker.points(line["points"]), speaker.say(f"kind.{line['kind']}")
    start = f"{points:>6}  {kind:<{KIND_WIDTH}}"
    evidence = "; ".join(_evidence(line, speaker)) or " "
    return textwrap.wrap(
        evidence,
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    ) or [start.rstrip()]


def _other_facts(player: Document, speaker: Speaker) -> list[str]:
    """What scores nothing: tickets, wagons, and the longest path if it earned no bonus."""
    facts = [speaker.say("completed", count=player["tickets_completed"])]
    if player["wagons_used"]:
        facts.append(speaker.say("wagons", count=player["wagons_used"]))
    if player.get("wagons_left") is not None:
        facts.append(speaker.say("wagons_left", count=player["wagons_left"]))
    paid = any(line["kind"] == "longest-path" for line in player["lines"])
    trail = player["longest_path"]
    if trail is not None and trail["length"] and not paid:
        facts.append(speaker.say("path", length=trail["length"], way=speaker.way(trail["path"])))
    return textwrap.wrap("; ".join(facts), WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)


def _evidence(line: Document, speaker: Speaker) -> Iterator[str]:
    writer = {
        "routes": _routes,
        "ticket": _ticket,
        "longest-path": _longest_path,
        "globetrotter": _counts,
        "passengers": _passengers,
        "flags": _flags,
        "big-city": _big_city,
        "stations": _stations,
        "bonus": _bonus,
    }[line["kind"]]
    return writer(line, line["evidence"], speaker)


def _routes(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    rows = evidence["by_length"].items()
    yield ", ".join(
        speaker.say("by_length", count=row["routes"], length=length, points=row["points"])
        for length, row in rows
    ) or speaker.say("no_routes")


def _ticket(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    places = line["ticket"]
    name = speaker.say("typed") if places is None else places_name(speaker.board, places)
    yield name if line["completed"] else speaker.say("failed", ticket=name)
    yield from _ticket_reason(line, evidence, speaker)


def _ticket_reason(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    if evidence.get("path"):
        yield speaker.way(evidence["path"], line["ticket"][0])
        lent = evidence.get("borrowed", ())
        if lent:
            routes = join_names(list(map(speaker.route, lent)), speaker.language)
            yield speaker.say("borrowed", routes=routes, n=len(lent))
    elif "cards" in evidence:
        yield _cards(evidence["cards"], speaker)
    elif "pass" in evidence:
        yield speaker.say("first_pass")
    elif "missing_wagons" in evidence:
        routes = ", ".join(map(speaker.route, evidence["missing"]))
        yield speaker.say("missing", count=evidence["missing_wagons"], routes=routes)
    elif "path" in evidence:
        yield speaker.say("cut_off")
    elif "missing" in evidence:
        yield speaker.say("lacking", cards=_cards(evidence["missing"], speaker))
    if evidence.get("dead_ends"):
        countries = join_names(list(map(speaker.place, evidence["dead_ends"])), speaker.language)
        yield speaker.say("dead_ends", countries=countries)


def _cards(cards: Document, speaker: Speaker) -> str:
    return ", ".join(f"{count} × {_card(kind, speaker)}" for kind, count in cards.items())


def _card(kind: str, speaker: Speaker) -> str:
    return speaker.say("locomotive") if kind == LOCOMOTIVE else speaker.colour(kind)


def _longest_path(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield speaker.say("trail", length=evidence["length"], way=speaker.way(evidence["path"]))
    yield _compare(evidence["lengths"])


def _counts(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield _compare(evidence["counts"])


def _passengers(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    place = speaker.say(f"place.{place_key(evidence['place'], evidence['counts'])}")
    counts = _compare(evidence["counts"])
    colour = speaker.colour(line["colour"])
    yield f"{colour}, {place}: {counts}"


def _flags(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield speaker.say("flags", count=evidence["flags"])


def _big_city(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield f"{speaker.place(line['city'])}: {_compare(evidence['counts'])}"


def _stations(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield speaker.say("stations", left=evidence["left"], each=evidence["each"])
    for built in evidence.get("built", ()):
        city = speaker.place(built["city"])
        if built["route"] is None:
            yield speaker.say("station_idle", city=city)
        else:
            route = speaker.route(built["route"])
            yield speaker.say("station_lends", city=city, route=route, owner=built["owner"])


def _bonus(line: Document, evidence: Document, speaker: Speaker) -> Iterator[str]:
    yield speaker.bonus(line["bonus"])


def _compare(counts: Mapping[str, int]) -> str:
    """Everybody's number, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {count}" for name, count in ordered)


def _notes(sheet: Document, speaker: Speaker) -> Iterator[list[str]]:
    """The notes below the players: violations, markers, assumptions and settings."""
    yield _titled("violations", [entry["text"] for entry in sheet["violations"]], speaker)
    markers = [check for check in sheet["marker_checks"] if not check["agrees"]]
    yield _titled("markers", [_marker(check, speaker) for check in markers], speaker)
    remarks = [one for one in sheet.get("remarks", ()) if one["code"] not in TOLD_ELSEWHERE]
    yield _titled("remarks", [f"{one['text']} {one['mend']}" for one in remarks], speaker)
    assumed = sheet.get("assumed", {}).items()
    names = {one["colour"] or one["name"]: one["name"] for one in sheet["players"]}
    nobody = speaker.say("nobody")
    yield _titled(
        "assumed",
        [f"{speaker.route(route)}: {names.get(owner, nobody)}" for route, owner in assumed],
        speaker,
    )
    settings = [_setting(*one, language=speaker.language) for one in sheet["settings"].items()]
    yield _titled("settings", settings, speaker)


def _titled(title: str, entries: list[str], speaker: Speaker) -> list[str]:
    told = [f"  • {speaker.of_pieces(entry)}" for entry in entries]
    return [speaker.say(f"title.{title}"), *told] if told else []


def _marker(check: Document, speaker: Speaker) -> str:
    off = check["difference"]
    direction = "ahead" if off > 0 else "behind"
    return speaker.say(
        f"marker.{direction}",
        player=check["name"],
        marker=check["marker"],
        expected=check["expected"],
        off=abs(off),
    )


def _setting(name: str, value: object, *, language: str) -> str:
    """A setting in words, and as it stands in the file, so that it can be looked up and changed."""
    in_file = _in_file(name, value)
    for title, answer in settings_in_words({name: value}, language):
        return f"{title}: {answer} ({in_file})"
    return in_file


def _in_file(name: str, value: object) -> str:
    if isinstance(value, bool):
        return f"{name}: {str(value).lower()}"
    if isinstance(value, Mapping):
        return f"{name}: " + ", ".join(f"{key} → {entry}" for key, entry in value.items())
    return f"{name}: " + (", ".join(map(str, value)) if isinstance(value, list) else str(value))
