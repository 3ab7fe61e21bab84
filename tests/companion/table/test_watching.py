"""What people answer reaches whoever watches the board, so that the two never disagree for long."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.session.events import (
    Notice,
    ProposedPlace,
    ReadingProposed,
    RouteProposal,
    SeatedPlayer,
)
from companion.session.state import Facts, RouteAnswer
from companion.table.eye import Seen
from companion.table.table import Table
from companion.table.vision_eye import VisionWatcher
from companion.table.watching import GameWatcher, Glimpse, TableWatch
from scoring.language import Message, text
from tests.companion.tables import (
    ADA_AND_BEN,
    ADA_BEN_AND_CLEO,
    USA,
    ToldEye,
    new_table,
    notices,
    owners,
    scanned,
    sure,
    unsure,
)
from tests.companion.tables import ToldWatcher as GlimpsingWatcher
from tests.support.cameras import FRAME
from tests.support.waiting import until
from tests.vision.watch.watch_stories import LABELS, TruthfulEye, drawn
from vision.spaces.evidence import SpaceEvidence
from vision.watch.eye import FrameReading

FIRST, SECOND = "el-paso--los-angeles", "portland--salt-lake-city"
GAME = Facts(
    number=1,
    phase="look",
    board="usa",
    camera=True,
    players=tuple(SeatedPlayer(colour, colour) for colour in USA.player_colours),
)
ANSWERED = replace(GAME, answers={FIRST: RouteAnswer("yellow", "yellow", had_proposal=True)})


@dataclass(eq=False)
class HesitantEye(TruthfulEye):
    """Reads what was drawn, but hesitates between two labels on the first route's spaces."""

    hesitates: tuple[str, str] | None = None

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> FrameReading:
        read = super().read(frame_bgr, spaces_px)
        if self.hesitates is None:
            return read
        rows = read.evidence.probabilities.copy()
        one, other = (LABELS.index(label) for label in self.hesitates)
        rows[USA.spaces_of[FIRST]] = 0.0
        rows[USA.spaces_of[FIRST], one], rows[USA.spaces_of[FIRST], other] = 0.52, 0.48
        return FrameReading(SpaceEvidence(read.evidence.labels, rows))


class Watching:
    """A table's watch, shown one drawn photo after the other, ten seconds apart."""

    def __init__(self) -> None:
        self._eye = HesitantEye(drawn(0))
        self._watch = TableWatch(
            lambda board, colours: VisionWatcher(board, colours, None, self._eye)
        )
        self._frames = 0

    def show(
        self, claimed: int, facts: Facts = GAME, hesitates: tuple[str, str] | None = None
    ) -> Glimpse:
        self._eye.photo, self._eye.hesitates = drawn(claimed), hesitates
        self._frames += 1
        return self._watch.see(self._eye.photo.image_bgr, 10.0 * self._frames, USA, facts)


def proposed(glimpse: Glimpse) -> dict[str, tuple[str | None, bool]]:
    """Owner and review of each route that the watcher told of."""
    routes = {} if glimpse.seen is None else glimpse.seen.proposed.routes
    return {name: (route.owner, route.review) for name, route in routes.items()}


def test_a_route_that_a_person_answered_is_not_asked_again_by_the_watcher() -> None:
    watching = Watching()
    watching.show(0)
    assert proposed(watching.show(1, hesitates=("yellow", "red"))) == {FIRST: ("yellow", True)}
    again = watching.show(2, ANSWERED, hesitates=("yellow", "blue"))
    assert proposed(again) == {SECOND: ("red", False)}


def test_a_doubt_that_nobody_answered_is_told_anew_between_other_owners() -> None:
    watching = Watching()
    watching.show(0)
    watching.show(1, hesitates=("yellow", "red"))
    again = watching.show(2, hesitates=("yellow", "blue"))
    assert proposed(again) == {FIRST: ("yellow", True), SECOND: ("red", False)}


def test_wagons_gone_after_a_person_said_whose_they_were_are_told() -> None:
    watching = Watching()
    watching.show(0)
    watching.show(1, hesitates=("yellow", "red"))
    assert proposed(watching.show(0, ANSWERED)) == {FIRST: (None, False)}


@dataclass(eq=False)
class ListeningWatcher:
    """Sees nothing, and remembers what it is told."""

    told: list[tuple[str, str | None]] = field(default_factory=list)

    def feed(self, image_bgr: object, t_s: float) -> Glimpse:
        return Glimpse()

    def confirm(self, route: str, owner: str | None) -> None:
        self.told.append((route, owner))


def test_an_answer_on_the_panel_reaches_the_watcher_once(tmp_path: Path) -> None:
    watcher = ListeningWatcher()
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    until(lambda: len(watcher.told) == 1)
    table.act("correct-route", {"route": "atlanta--miami", "owner": None})
    until(lambda: len(watcher.told) == 2)
    assert watcher.told == [("denver--omaha", "red"), ("atlanta--miami", None)]


def test_a_new_game_s_watcher_hears_none_of_the_old_game_s_answers(tmp_path: Path) -> None:
    hired: list[ListeningWatcher] = []

    def hire(board: object, colours: object) -> ListeningWatcher:
        hired.append(ListeningWatcher())
        return hired[-1]

    table = new_table(tmp_path, new_watcher=hire)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    until(lambda: bool(hired and hired[0].told))
    table.act("start", ADA_AND_BEN)
    until(lambda: len(hired) == 2)
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    until(lambda: bool(hired[1].told))
    assert hired[1].told == [("atlanta--miami", "blue")]


def test_a_start_taken_back_and_made_anew_is_watched_for_its_own_players(tmp_path: Path) -> None:
    hired: list[tuple[str, ...]] = []

    def hire(board: object, colours: Sequence[str]) -> ListeningWatcher:
        hired.append(tuple(colours))
        return ListeningWatcher()

    table = new_table(tmp_path, new_watcher=hire)
    table.act("start", ADA_AND_BEN)
    until(lambda: len(hired) == 1)
    table.act("undo", {"really": True})
    table.act("start", ADA_BEN_AND_CLEO)
    until(lambda: len(hired) == 2)
    assert hired == [("red", "blue"), ("red", "blue", "green")]


def test_a_player_who_was_forgotten_is_watched_for_from_then_on(tmp_path: Path) -> None:
    """The new watcher hears what people have said so far; a new name alone needs none."""
    hired: list[tuple[tuple[str, ...], ListeningWatcher]] = []

    def hire(board: object, colours: Sequence[str]) -> ListeningWatcher:
        hired.append((tuple(colours), ListeningWatcher()))
        return hired[-1][1]

    table = new_table(tmp_path, new_watcher=hire)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("rename-player", {"player": "red", "name": "Adele"})
    until(lambda: bool(hired and hired[0][1].told))
    table.act("add-player", {"colour": "green", "name": "Cleo"})
    until(lambda: len(hired) == 2 and bool(hired[1][1].told))
    assert [colours for colours, _ in hired] == [("red", "blue"), ("red", "blue", "green")]
    assert hired[1][1].told == [("denver--omaha", "red")]


class BusyWatcher:
    """Sees a claim in the first frame and that it is gone in the second, which takes a while."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._owners = iter(("red", None))
        self._meanwhile = meanwhile

    def feed(self, image_bgr: object, t_s: float) -> Glimpse:
        owner = next(self._owners)
        if owner is None:
            self._meanwhile()
        seen = ReadingProposed({"denver--omaha": sure(owner)}, whole=False)
        return Glimpse(Seen(seen, lambda route: b"a picture"))

    def confirm(self, route: str, owner: str | None) -> None:
        """Nobody answers."""


def test_a_board_that_is_cleared_during_the_tally_costs_nobody_a_route(tmp_path: Path) -> None:
    """Denver - Omaha is 4 wagons: 7 points and the longest path. It is asked about instead."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    watch = TableWatch(lambda board, colours: BusyWatcher(lambda: None))
    table._looks.watch(watch, FRAME)
    table.act("finish", {})
    table.act("reopen", {})
    table._looks.watch(watch, FRAME)
    state = table.state()
    assert [doubt["route"] for doubt in state["doubts"]] == ["denver--omaha"]
    assert [one["owner"] for one in state["doubts"][0]["alternatives"]][:2] == ["red", None]
    assert state["routes"]["denver--omaha"]["owner"] == "red"
    assert table.crop("denver--omaha") == b"a picture"
    table.act("finish", {})
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [17, 0]


class ToldWatcher:
    """Sees what it is told to: the owners of routes, one frame after the other."""

    def __init__(self, *frames: dict[str, str | None]) -> None:
        self._frames = iter(frames)

    def feed(self, image_bgr: object, t_s: float) -> Glimpse:
        routes = {route: sure(owner) for route, owner in next(self._frames).items()}
        return Glimpse(Seen(ReadingProposed(routes, whole=False), lambda route: b"a picture"))

    def confirm(self, route: str, owner: str | None) -> None:
        """Nothing to learn."""


def test_a_board_that_is_cleared_route_by_route_asks_nothing_in_the_end(tmp_path: Path) -> None:
    """Three routes gone are no correction: the questions about the first two are taken back.

    Ben's wagons swept onto Chicago - Pittsburgh give him nothing, either. Denver - Omaha (4) and
    Dallas - Houston (1) are Ada's, 7 + 1 points; Boston - New York (2), Ben's, is 2. The longest
    path is Ada's, 10 points.
    """
    denver, dallas, boston = "denver--omaha", "dallas--houston-1", "boston--new-york-1"
    watcher = ToldWatcher(
        {denver: "red", dallas: "red", boston: "blue"},
        {denver: None},
        {dallas: None},
        {boston: None, "chicago--pittsburgh-1": "blue"},
        {boston: "blue", "helena--omaha": "blue"},
    )
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    watch = TableWatch(lambda board, colours: watcher)
    table._looks.watch(watch, FRAME)
    table.act("finish", {})
    table.act("reopen", {})
    asked = []
    for _ in range(4):
        table._looks.watch(watch, FRAME)
        asked.append([doubt["route"] for doubt in table.state()["doubts"]])
    assert asked == [[denver], [denver, dallas], [], []]
    table.act("finish", {})
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [18, 2]


EARLY = {"denver--omaha": "red", "dallas--houston-1": "red"}
LATE = {"boston--new-york-1": "blue", "chicago--pittsburgh-1": "blue"}
GONE = dict.fromkeys((*EARLY, *LATE))


def watched(
    data: Path, *frames: Mapping[str, str | None]
) -> tuple[Table, Callable[[], dict[str, str | None]]]:
    """A table, and what shows its camera the next of the frames and tells whose the routes are."""
    watcher = ToldWatcher(*map(dict, frames))
    table = new_table(data, ToldEye({}))
    table.act("start", ADA_AND_BEN)
    until(lambda: table.state()["camera"]["status"] == "ready")
    watch = TableWatch(lambda board, colours: watcher)

    def look() -> dict[str, str | None]:
        table._looks.watch(watch, FRAME)
        return owners(table)

    return table, look


def looked_at(data: Path) -> tuple[Table, ToldEye]:
    """A table whose board was looked at once, and what sees it, by then with all claims."""
    eye = ToldEye({name: sure(owner) for name, owner in (EARLY | LATE).items()})
    table = new_table(data, eye)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    return table, eye


def camera_says(table: Table, language: str) -> str:
    message = table.state()["camera"]["message"]
    return "" if message is None else text(message["key"], language, **message["values"])


def test_a_board_that_is_cleared_before_anybody_said_that_the_game_is_over_keeps_its_points(
    tmp_path: Path,
) -> None:
    """The wagons went into their bags first, and the sheet had nothing but zeros.

    Ada's 4 and 1 wagons are 7 + 1 points, and the longest path 10; Ben's 2 and 3 are 2 + 4.
    """
    table, look = watched(tmp_path, EARLY, LATE, GONE)
    look()
    look()
    assert look() == EARLY | LATE
    assert "4 routes" in camera_says(table, "en")
    assert "4 tratte" in camera_says(table, "it")
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [18, 6]


def test_a_finished_game_tells_nothing_of_what_was_withheld(tmp_path: Path) -> None:
    table, look = watched(tmp_path, EARLY, LATE, GONE, {})
    for _ in range(3):
        look()
    table.act("finish", {})
    assert camera_says(table, "en") == ""
    table.act("reopen", {})
    table.act("show", {"phase": "look"})
    assert look() == EARLY | LATE
    assert "4 routes" in camera_says(table, "en")


def test_wagons_that_went_one_after_the_other_count_too(tmp_path: Path) -> None:
    """Two routes may be a mistake that is put right; the third brings them back."""
    _, look = watched(tmp_path, EARLY, LATE, *({name: None} for name in GONE))
    held = [look() for _ in range(6)]
    assert [len(one) for one in held] == [2, 4, 3, 2, 4, 4]
    assert held[-1] == EARLY | LATE


def test_another_game_under_the_camera_counts_for_nobody(tmp_path: Path) -> None:
    """It goes on as soon as the table's own board lies there again, with what is new on it."""
    other = dict.fromkeys(("helena--omaha", "duluth--omaha-1", "atlanta--miami"), "blue")
    back = EARLY | LATE | dict.fromkeys(other) | {"el-paso--houston": "red"}
    table, look = watched(tmp_path, EARLY, LATE, GONE | other, back)
    look()
    look()
    assert look() == EARLY | LATE
    assert look() == EARLY | LATE | {"el-paso--houston": "red"}
    assert camera_says(table, "en") == ""


def test_the_wagons_of_the_last_game_may_be_put_away_once_a_game_has_begun(tmp_path: Path) -> None:
    table, look = watched(tmp_path, EARLY | LATE, GONE)
    assert [len(look()), len(look())] == [4, 0]
    assert camera_says(table, "en") == ""


def test_wagons_of_the_last_game_that_were_put_away_stay_away(tmp_path: Path) -> None:
    """They came back, with their old owners, at the second claim of the new game."""
    first, second = {"helena--omaha": "red"}, {"atlanta--miami": "blue"}
    table, look = watched(tmp_path, EARLY | LATE, GONE, first, second)
    assert [look() for _ in range(4)] == [EARLY | LATE, {}, first, first | second]
    assert camera_says(table, "en") == ""


def test_nor_do_they_where_wagons_had_gone_at_once_in_the_last_game(tmp_path: Path) -> None:
    """Some were put away before the next game began, the others, seen again, after that."""
    table, look = watched(tmp_path, EARLY, LATE, GONE, {}, EARLY | LATE, GONE)
    for _ in range(3):
        look()
    table.act("start", ADA_AND_BEN)
    assert [look() for _ in range(3)] == [{}, EARLY | LATE, {}]
    assert camera_says(table, "en") == ""


def test_what_is_withheld_counts_once_people_say_that_all_of_it_is_free(tmp_path: Path) -> None:
    table, look = watched(tmp_path, EARLY, LATE, GONE, {"helena--omaha": "red"}, {}, {}, {})
    for _ in range(4):
        look()
    *most, last = GONE
    for route in most:
        table.act("correct-route", {"route": route, "owner": None})
    assert look() == {last: "blue"}
    assert "count as they lay" in camera_says(table, "en")
    table.act("correct-route", {"route": last, "owner": None})
    assert look() == {"helena--omaha": "red"}
    assert camera_says(table, "en") == ""


def test_what_was_withheld_in_a_colour_that_is_no_longer_in_play_is_nobody_s(
    tmp_path: Path,
) -> None:
    """Ada plays green, as is put right while her board is cleared: red wagons are nobody's now.

    What lies there a new watcher tells once more.
    """
    there = {"denver--omaha": "green", "dallas--houston-1": "green"} | LATE
    table, look = watched(tmp_path, EARLY, LATE, GONE, {"helena--omaha": "red"}, there)
    for _ in range(4):
        look()
    table.act("change-colour", {"player": "red", "colour": "green"})
    assert look() == there
    assert camera_says(table, "en") == ""


def test_a_look_that_is_undone_on_a_cleared_board_stays_undone_and_redo_brings_it_back(
    tmp_path: Path,
) -> None:
    table, _ = looked_at(tmp_path)
    watcher = ToldWatcher({**GONE}, {}, {"helena--omaha": "red"}, {})
    watch = TableWatch(lambda board, colours: watcher)

    def look() -> dict[str, str | None]:
        table._looks.watch(watch, FRAME)
        return owners(table)

    assert look() == EARLY | LATE
    table.act("undo", {})
    assert [look(), look()] == [{}, {}]
    table.act("redo", {})
    assert look() == EARLY | LATE


def test_what_was_seen_of_the_game_before_is_nothing_of_the_new_one(tmp_path: Path) -> None:
    """A slow Pi still reads a frame while the next game begins, its wagons not yet put away."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    slow = BusyWatcher(lambda: table.act("start", ADA_AND_BEN))
    told = ToldWatcher({**EARLY, **LATE}, {**GONE})
    watchers: Iterator[GameWatcher] = iter((slow, told))
    watch = TableWatch(lambda board, colours: next(watchers))
    for _ in range(4):
        table._looks.watch(watch, FRAME)
    assert owners(table) == {}
    assert camera_says(table, "en") == ""


def test_free_routes_that_were_asked_about_are_no_board_that_is_cleared(tmp_path: Path) -> None:
    """A sleeve lay over four routes; one has Ada's wagons, as was seen before."""
    lies = Notice("covered", Message("vision.warning.covered", count=4), tuple(GONE))
    table = new_table(tmp_path, ToldEye(dict.fromkeys(GONE, unsure("red", None)), (lies,)))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    watcher = SureWatcher()
    watcher.sure = {name: sure(owner) for name, owner in (GONE | {"denver--omaha": "red"}).items()}
    table._looks.watch(TableWatch(lambda board, colours: watcher), FRAME)
    assert owners(table) == {"denver--omaha": "red"}
    assert (table.state()["doubts"], camera_says(table, "en")) == ([], "")


def test_claims_that_become_doubtful_together_are_asked_about(tmp_path: Path) -> None:
    """A shadow falls over four routes: it is no clearing as long as nothing is gone for sure."""
    table = new_table(tmp_path)
    table.act("start", ADA_AND_BEN)
    doubts = ReadingProposed(dict.fromkeys(GONE, unsure(None, "red")), whole=False)
    seen = [
        ReadingProposed({name: sure(owner) for name, owner in one.items()}, whole=False)
        for one in (EARLY, LATE)
    ]
    told = [Glimpse(Seen(one, lambda route: b"a picture")) for one in (*seen, doubts)]
    watch = TableWatch(lambda board, colours: GlimpsingWatcher(*told))
    for _ in range(3):
        table._looks.watch(watch, FRAME)
    assert {doubt["route"] for doubt in table.state()["doubts"]} == set(GONE)
    assert camera_says(table, "en") == ""


def test_after_a_restart_all_that_is_seen_is_of_this_game(tmp_path: Path) -> None:
    table, look = watched(tmp_path, EARLY)
    look()
    table.close()
    watcher = ToldWatcher(dict(EARLY | LATE), dict(GONE))
    table = new_table(tmp_path)
    watch = TableWatch(lambda board, colours: watcher)
    table._looks.watch(watch, FRAME)
    table._looks.watch(watch, FRAME)
    assert owners(table) == EARLY | LATE


def test_who_has_a_changed_board_looked_at_is_believed(tmp_path: Path) -> None:
    table, look = watched(tmp_path, EARLY, LATE, GONE)
    for _ in range(3):
        look()
    table.act("scan", {})
    scanned(table)
    assert owners(table) == {}
    assert camera_says(table, "en") == ""


def test_a_look_at_a_cleared_board_says_that_it_took_the_routes_and_undo_brings_them_back(
    tmp_path: Path,
) -> None:
    table, eye = looked_at(tmp_path)
    eye.routes = dict.fromkeys(GONE, sure(None))
    table.act("scan", {})
    scanned(table)
    assert owners(table) == {}
    told = [one for one in table.state()["notices"] if one["key"].endswith("found-free")]
    assert [sorted(one["routes"]) for one in told] == [sorted(GONE)]
    for language, words in (("en", "4 routes free"), ("it", "libere 4 tratte")):
        assert words in text(told[0]["key"], language, **told[0]["values"])
    *most, last = GONE
    for route in most:
        table.act("correct-route", {"route": route, "owner": "red"})
    (one,) = table.state()["notices"]
    assert one["routes"] == [last]
    for language, words in (("en", "a route free"), ("it", "libera una tratta")):
        assert words in text(one["key"], language, **one["values"])
    for _ in (*most, "look"):
        table.act("undo", {})
    assert owners(table) == EARLY | LATE
    assert notices(table) == []


@pytest.mark.parametrize(
    "seen",
    [
        {**dict.fromkeys(EARLY, sure(None)), **dict.fromkeys(LATE, sure("blue"))},
        dict.fromkeys(GONE, unsure(None, "red")),
    ],
    ids=["two-routes-put-right", "four-that-are-asked-about"],
)
def test_a_look_that_finds_few_routes_free_needs_no_words(
    tmp_path: Path, seen: Mapping[str, RouteProposal]
) -> None:
    table, eye = looked_at(tmp_path)
    eye.routes = seen
    table.act("scan", {})
    scanned(table)
    assert notices(table) == []


def test_a_look_that_takes_the_lines_of_doubles_for_each_other_finds_none_free(
    tmp_path: Path,
) -> None:
    doubles = ("atlanta--raleigh", "boston--new-york", "chicago--pittsburgh")
    places = tuple(ProposedPlace((f"{name}-1", f"{name}-2")) for name in doubles)
    eye = ToldEye({f"{name}-1": sure("red") for name in doubles}, places=places)
    table = new_table(tmp_path, eye)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    eye.routes = {
        **{f"{name}-1": sure(None) for name in doubles},
        **{f"{name}-2": sure("red") for name in doubles},
    }
    table.act("scan", {})
    scanned(table)
    assert owners(table) == {f"{name}-2": "red" for name in doubles}
    assert notices(table) == []


def test_a_new_game_after_a_cleared_board_is_watched_as_ever(tmp_path: Path) -> None:
    routes = ("denver--omaha", "dallas--houston-1", "boston--new-york-1")
    claimed: dict[str, str | None] = dict.fromkeys(routes, "red")
    watcher = ToldWatcher(claimed, dict.fromkeys(routes, None), {routes[0]: "blue"})
    table = new_table(tmp_path, open_camera=None)
    watch = TableWatch(lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    table._looks.watch(watch, FRAME)
    table.act("finish", {})
    table.act("reopen", {})
    table._looks.watch(watch, FRAME)
    assert (table.state()["doubts"], table.state()["routes"][routes[0]]["owner"]) == ([], "red")
    table.act("finish", {})
    table.act("start", ADA_AND_BEN)
    table._looks.watch(watch, FRAME)
    assert table.state()["routes"][routes[0]]["owner"] == "blue"


def test_wagons_gone_while_the_game_goes_on_are_believed(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    watch = TableWatch(lambda board, colours: BusyWatcher(lambda: None))
    table._looks.watch(watch, FRAME)
    table._looks.watch(watch, FRAME)
    state = table.state()
    assert (state["doubts"], state["routes"]["denver--omaha"]["owner"]) == ([], None)


def test_what_the_camera_sees_while_a_game_is_finished_changes_no_sheet(tmp_path: Path) -> None:
    """A slow Pi reads for half a minute, and somebody has begun to clear the board."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    watch = TableWatch(lambda board, colours: BusyWatcher(lambda: table.act("finish", {})))
    table._looks.watch(watch, FRAME)
    table._looks.watch(watch, FRAME)
    state = table.state()
    assert state["phase"] == "sheet"
    assert state["routes"]["denver--omaha"]["owner"] == "red"
    assert state["sheet"] is not None
    assert [player["total"] for player in state["sheet"]["players"]] == [17, 0]


COVERED_LINES = ("denver--omaha", "kansas-city--omaha-1", "kansas-city--omaha-2")


class SureWatcher:
    """Sees nothing new, and is sure of the routes it is told to be sure of."""

    def __init__(self) -> None:
        self.sure: dict[str, RouteProposal] = {}

    def feed(self, image_bgr: object, t_s: float) -> Glimpse:
        return Glimpse(sure=lambda: self.sure)

    def confirm(self, route: str, owner: str | None) -> None:
        """What people answer is no news to it."""


def test_what_a_look_asked_of_hidden_routes_is_answered_by_what_the_camera_then_sees(
    tmp_path: Path,
) -> None:
    """What lay there is gone: Denver - Omaha is red as ever. Of the double one line is not sure
    yet, and what the look doubted of Helena - Omaha, in plain sight, a person has to say."""
    doubted = dict.fromkeys((*COVERED_LINES, "helena--omaha"), unsure(None, "red"))
    lies = Notice("covered", Message("vision.warning.covered", count=3), COVERED_LINES)
    eye = ToldEye(doubted, (lies,), places=(ProposedPlace(COVERED_LINES[1:]),))
    table = new_table(tmp_path, eye)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    watcher = SureWatcher()
    watch = TableWatch(lambda board, colours: watcher)

    def asked_after(sure_of: dict[str, str | None]) -> list[str]:
        watcher.sure = {route: sure(owner) for route, owner in sure_of.items()}
        table._looks.watch(watch, FRAME)
        return [doubt["route"] for doubt in table.state()["doubts"]]

    place, other = COVERED_LINES[1:]
    assert asked_after({}) == ["denver--omaha", place, "helena--omaha"]
    seen = {"denver--omaha": "red", place: "blue", "helena--omaha": None}
    assert asked_after(seen) == [place, "helena--omaha"]
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
    assert asked_after(seen | {other: None}) == ["helena--omaha"]
    assert table.state()["routes"][place]["owner"] == "blue"
