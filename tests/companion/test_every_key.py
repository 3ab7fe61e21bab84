"""No sentence can be missing: every key that the source can ask for stands in every language."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from itertools import product
from types import ModuleType

import pytest

from calibration import marker_sheet
from calibration.advice import CORNERS
from calibration.survey import PARTS
from companion.cli.command_parser import SENTENCES
from companion.cli.commands.boards import COUNTED
from companion.cli.main import COMMANDS
from companion.session.events import EVENTS
from companion.session.typed_figures import FIGURES, POINTS
from companion.studio.step_fields import LINE_COLOURS
from companion.studio.steps import DEEDS
from companion.table.entry_words import AT_THE_TABLE
from hardware.console.console import Button
from hardware.console.pins import RGB
from scoring.board.inspection.axis_mistakes import AXIS_MISTAKES
from scoring.board.unverified import SHIPPED_FACTS
from scoring.documents.game import GAMES
from scoring.documents.settings_in_words import IN_WORDS, ONE_OF, YES_OR_NO
from scoring.documents.sheet import KINDS
from scoring.game.colours import COLOURS
from scoring.game.mapless import mapless_games
from scoring.game.rules import TIE_BREAKS, TRAIN_COLOURS
from scoring.language import LANGUAGES
from scoring.sheet.violations import CROSSING_BY_TRACKS
from tests.support.catalogues import whole_catalogue
from tests.support.spoken_keys import (
    Asked,
    asked_in_python,
    asked_in_templates,
    first_arguments,
    metavars,
)
from vision.images.photo import UNREAD_KINDS
from vision.reading import COVERED, Why
from vision.tickets.reading import UNREAD
from vision.watch import events as watch_events
from web.drawing.parallel_lines import SIDES
from web.exports import COLUMNS
from web.hub.site import TABS
from web.pages.checkup import STATUSES
from web.sheet.dispute import WAYS
from web.sheet.sheet import FEW
from web.table_state import BUTTONS, CAMERA_STATUSES, LAMP_STATES, PHASES, ROUTE_STATUSES

NAMED: tuple[str, ...] = (
    "points",
    "cards",
    "recipe",
    "route_lengths",
    "route_points",
    "big_cities",
    "bonuses",
    "ticket",
    "completed",
)
"""Fields that an error may name."""

PLACES: tuple[str, ...] = ("most", "most-tied", "second")
"""What passengers are scored for: the most of a colour, and the second most."""

PASSED_ON = frozenset(
    {
        "__init__: key",
        "__init__: message.key",
        "__init__: value.key",
        "document: message.key",
        "demo_report: f'companion.demo.{name}'",
        "letting_in: new_pin",
        "command_parser: about",
        "command_parser: action.help",
        "inputs: explained",
        "page_words: key",
        "page_context: key",
        "findings: f'companion.doctor.{key}'",
        "text: f'scoring.explain.{name}'",
        "checks: f'scoring.problem.{name}'",
        "fields: f'scoring.problem.{name}'",
        "sheet_print: f'title.{title}'",
        "reading: only",
        "reading: only if is_only else key",
        "reading: f'vision.warning.{code}'",
        "names: f'scoring.sheet.{name}'",
        "names: key",
        "app: error.public_key",
        "__init__: f'web.{key}'",
        "page_context: f'web.{key}'",
        "__init__: f\"{key}.{('one' if number == 1 else 'many')}\"",
        "positions: f'scoring.problem.{name}'",
        "raspberry_pi: f'companion.doctor.{key}'",
        "violations: f'scoring.violation.{code}'",
        "words: f'scoring.problem.{name}'",
        "words: key",
    }
)
"""Keys that a function is handed, or that an error or a message holds: the one who made them wrote
the key, and there it is found."""


WITHOUT_MAP = [game.id for game in mapless_games()]


def beginning(start: str, *words: Iterable[str]) -> list[str]:
    return [start + "".join(parts) for parts in product(*words)]


def kinds_of_events(module: ModuleType) -> list[str]:
    return [
        value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)
    ]


REMARKS = [
    code
    for file in ("before_sheet", "during_play")
    for code in first_arguments(f"scoring/referee/{file}.py", "make_remark")
]
"""Every remark of the referee."""

FAMILIES: Mapping[str, list[str]] = {
    "main: f'companion.command.{name}'": beginning("companion.command.", COMMANDS),
    "main: f'companion.example.{name}'": beginning("companion.example.", COMMANDS),
    "command_parser: key": list(SENTENCES.values()),
    "command_parser: f'companion.metavar.{name}'": beginning("companion.metavar.", metavars()),
    "studio.step.*": beginning("web.studio.step.", DEEDS),
    "studio.colour.*": beginning("web.studio.colour.", LINE_COLOURS),
    "advice: f'calibration.advice.out.{name}'": beginning("calibration.advice.out.", CORNERS),
    "words: f'companion.setup.uneven.{part}'": beginning("companion.setup.uneven.", PARTS),
    "help.*": [
        *beginning("web.help.", ("start", "game", "end", "blind"), ("", ".how")),
        *beginning("web.help.", ("game", "end"), (".how.player", ".how.watching")),
    ],
    "setup.step.*": beginning("web.setup.step.", ("photo", "board", "wagons", "ready")),
    "sheet: f'sheet.ticket.short.{FEW[len(routes) - 1]}'": beginning(
        "web.sheet.ticket.short.", FEW
    ),
    "pins: f'hardware.part.{button}'": beginning("hardware.part.", Button),
    "fingers: f'hardware.part.{button}'": beginning("hardware.part.", Button),
    "pins: f'scoring.colour.{shade}'": beginning("scoring.colour.", RGB),
    "frame: f'error.http.{status}'": [],  # others than these have the sentence of 500
    "calibrate: f'scoring.colour.{c}'": beginning("scoring.colour.", COLOURS),
    "page_words: f'scoring.colour.{colour}'": beginning("scoring.colour.", COLOURS),
    "page_context: f'undo.{action}'": beginning(
        "web.undo.",
        {event.action for event in EVENTS}
        - {"undo", "redo", "delete-evening", "restore-evening", "clock-set", "copied"}
        - {"join-names", "part-names"}
        | {f"set-{name.replace('_', '-')}" for name in (*FIGURES, *POINTS)},
    ),
    "scoreboard.phase.*": beginning("web.scoreboard.phase.", PHASES),
    "diff: f'kind.{line.kind}'": beginning("scoring.sheet.kind.", KINDS),
    "doctor: key": ["companion.doctor.storage", "companion.doctor.disk-full"],
    "inputs: f'companion.option.colour.{c}'": beginning("companion.option.colour.", COLOURS),
    "colours: f'scoring.colour.{colour}'": beginning("scoring.colour.", COLOURS),
    "game: f'scoring.colour.{p.colour}'": beginning("scoring.colour.", COLOURS),
    "remark: f'scoring.remark.{code}'": beginning("scoring.remark.", REMARKS),
    "remark: f'scoring.mend.{code}'": beginning("scoring.mend.", REMARKS),
    "violations: code": beginning("scoring.violation.", CROSSING_BY_TRACKS),
    "unverified: f'scoring.unverified.{name}'": beginning(
        "scoring.unverified.", *[[name for some in SHIPPED_FACTS.values() for name in some]]
    ),
    "checks: f'scoring.problem.too_many_{field}'": beginning(
        "scoring.problem.too_many_", first_arguments("scoring/game/checks.py", "_too_many")
    ),
    "checks: f'scoring.problem.{what}_{kind}'": beginning(
        "scoring.problem.",
        first_arguments("scoring/game/checks.py", "_held_twice"),
        ("_twice_by_one", "_twice_by_two"),
    ),
    "joining: why": beginning("vision.tickets.warning.", UNREAD, ("", ".one", ".only")),
    "marker_sheet: f'calibration.markers.corner-{index}'": beginning(
        "calibration.markers.corner-", map(str, range(len(marker_sheet.MARKER_IDS)))
    ),
    "marker_sheet: f'calibration.markers.{step}'": beginning(
        "calibration.markers.", marker_sheet._STEPS
    ),
    "photo: f'vision.photo.{header.kind}'": beginning("vision.photo.", UNREAD_KINDS),
    "scan_report: f'companion.scan.method.{where.method}'": beginning(
        "companion.scan.method.", ("reference", "markers", "outline", "corners")
    ),
    "scan_report: f'vision.why.{why}'": beginning("vision.why.", Why),
    "scan_report: f'scoring.colour.{owner}'": beginning("scoring.colour.", COLOURS),
    "page_context: f\"game.by.{choice['id']}\"": beginning("web.game.by.", WITHOUT_MAP),
    "mapless_entries: f'web.field.{field}'": beginning("web.field.", NAMED),
    "without_map: f'scoring.colour.{kind}'": beginning("scoring.colour.", TRAIN_COLOURS),
    "without_map: f'sheet.kind.{name}'": [],  # any name that the players give to a bonus
    "sheet: f'sheet.kind.{name}'": [],  # any name that the players give to a bonus
    "sheet: f'sheet.kind.{kind}'": beginning("web.sheet.kind.", KINDS),
    "sheet: f'sheet.tie.{key}'": beginning("web.sheet.tie.", (*TIE_BREAKS, "shared-as-agreed")),
    "sheet: f'scoring.setting.tie.{one}'": beginning("scoring.setting.tie.", TIE_BREAKS),
    "sheet: f'scoring.colour.{colour}'": beginning("scoring.colour.", COLOURS),
    "sheet: f'scoring.sheet.place.{place}'": beginning("scoring.sheet.place.", PLACES),
    "doubts: f'vision.why.{code}'": beginning("vision.why.", Why),
    "sheet_print: f\"kind.{line['kind']}\"": beginning("scoring.sheet.kind.", KINDS),
    "sheet_print: f\"place.{place_key(evidence['place'], evidence['counts'])}\"": beginning(
        "scoring.sheet.place.", PLACES
    ),
    "sheet_print: f'tie.{rule}'": beginning("scoring.sheet.tie.", TIE_BREAKS),
    "names: f'scoring.colour.{colour}'": beginning("scoring.colour.", COLOURS),
    "events: f'scoring.colour.{owner}'": beginning("scoring.colour.", COLOURS),
    "events: f'vision.watch.{self.kind}'": beginning(
        "vision.watch.", kinds_of_events(watch_events)
    ),
    "events: f'vision.watch.{self.kind}-why'": [f"vision.watch.{watch_events.BLOCKED}-why"],
    "document: f\"companion.home.camera.{camera['status']}\"": beginning(
        "companion.home.camera.", ("blocked", "lost")
    ),
    "document: f\"companion.home.camera.{state['camera']['status']}\"": beginning(
        "companion.home.camera.", CAMERA_STATUSES
    ),
    "document: f\"companion.home.phase.{state['phase']}\"": beginning(
        "companion.home.phase.", PHASES
    ),
    "discovery: f'companion.home.entity.{entity}'": beginning(
        "companion.home.entity.", ("phase", "turn", "questions", "camera")
    ),
    "hardware_notes: f'companion.{part}.back'": beginning(
        "companion.", ("camera", "box", "mqtt", "hub", "devices"), (".back",)
    ),
    "positions: f'all_{turn.name}'": beginning(
        "scoring.problem.all_", [turn.name for turn in AXIS_MISTAKES]
    ),
    "replay: f\"companion.store.{name}.{('one' if n == 1 else 'many')}\"": beginning(
        "companion.store.", ("unusable", "from-newer", "skipped"), (".one", ".many")
    ),
    "settings_in_words: f'scoring.setting.{name}'": beginning("scoring.setting.", IN_WORDS),
    "settings_in_words: f\"scoring.setting.{name}.{('yes' if value else 'no')}\"": beginning(
        "scoring.setting.", YES_OR_NO, (".yes", ".no")
    ),
    "settings_in_words: f'scoring.setting.{name}.{value}'": beginning(
        "scoring.setting.", [f"{name}.{word}" for name, words in ONE_OF.items() for word in words]
    ),
    "settings_in_words: f'scoring.setting.tie.{rule}'": beginning(
        "scoring.setting.tie.", TIE_BREAKS
    ),
    "entry_words: AT_THE_TABLE.get(problem.key, problem.key)": list(AT_THE_TABLE.values()),
    "exports: f'csv.{name}'": beginning("web.csv.", COLUMNS),
    "exports: f'scoring.colour.{one.colour}'": beginning("scoring.colour.", COLOURS),
    "names: f'scoring.taught.count.{name}'": beginning(
        "scoring.taught.count.", (*COUNTED, "spaces", "big_cities")
    ),
    "undo.ask.*": ["web.undo.ask.start", "web.undo.ask.new-game"],
    "box.*": beginning("web.box.", BUTTONS),
    "checkup.*": beginning("web.checkup.", STATUSES),
    "box.lamp.*": beginning("web.box.lamp.", LAMP_STATES),
    "camera.*": beginning("web.camera.", CAMERA_STATUSES),
    "hand.seen.why.*": beginning("web.hand.seen.why.", UNREAD),
    "club_frame: f'month.{day.month}'": beginning("web.month.", map(str, range(1, 13))),
    "days: f'web.month.{at.month}'": beginning("web.month.", map(str, range(1, 13))),
    "picture: f'web.month.{day.month}'": beginning("web.month.", map(str, range(1, 13))),
    "picture: f'scoring.colour.{one.colour}'": beginning("scoring.colour.", COLOURS),
    "game_names: f'scoring.sheet.game.{game}'": beginning(
        "scoring.sheet.game.", [name for game in mapless_games() for name in (game.id, game.game)]
    ),
    "dispute.by.*": beginning("web.dispute.by.", WAYS),
    "dispute.player.*": beginning("web.dispute.player.", ("a", "b")),
    "__init__: f'web.language.{language}'": beginning("web.language.", LANGUAGES),
    "page_words: f'line.{side}'": beginning("web.line.", SIDES),
    "board_svg: f'scoring.colour.{route.colour}'": beginning("scoring.colour.", COLOURS),
    "rule_warnings: COVERED": beginning("vision.warning.", [COVERED]),
    "site: f'scoring.colour.{colour}'": beginning("scoring.colour.", COLOURS),
    "hub.phase.*": beginning("web.hub.phase.", PHASES[1:]),
    "hub.camera.*": beginning("web.hub.camera.", CAMERA_STATUSES),
    "hub.nav.*": beginning("web.hub.nav.", [tab.name for tab in TABS]),
    "zoom.*": beginning("web.zoom.", ("in", "out", "whole")),
    "nav.*": beginning("web.nav.", PHASES[1:]),
    "status.*": beginning("web.status.", ROUTE_STATUSES),
}
"""Every key put together at run time, as it stands in the source, with all that it can become."""


@pytest.fixture(scope="module")
def asked() -> list[Asked]:
    return [*asked_in_python(), *asked_in_templates()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_the_source_writes_has_its_words(language: str, asked: list[Asked]) -> None:
    words = whole_catalogue(language)
    missing = {(one.where, key) for one in asked for key in one.keys if key not in words}
    assert not missing
    assert sum(len(one.keys) for one in asked) > 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_made_at_run_time_has_its_words_whatever_it_becomes(language: str) -> None:
    words = whole_catalogue(language)
    assert not {key for keys in FAMILIES.values() for key in keys if key not in words}


def alike(pattern: str) -> str:
    """The pattern with one kind of quotes: which it is written with depends on Python's version."""
    return pattern.replace('"', "'")


def test_no_key_is_made_at_run_time_without_saying_what_it_can_become(asked: list[Asked]) -> None:
    found = {alike(one.pattern): one.where for one in asked if one.pattern}
    known = {alike(pattern) for pattern in PASSED_ON | set(FAMILIES)}
    strangers = {where: pattern for pattern, where in found.items() if pattern not in known}
    assert not strangers, "say in FAMILIES what they can become, from the enumeration that decides"
    assert known <= set(found), "these are asked for no longer"


def test_games_have_titles_and_the_commonest_http_errors_sentences() -> None:
    words = whole_catalogue("en")
    assert set(beginning("scoring.sheet.game.", GAMES)) <= set(words)
    for status in (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR):
        assert f"web.error.http.{status.value}" in words
