"""What people answer reaches whoever watches the board, so that the two never disagree for long."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.session.events import SeatedPlayer
from companion.session.state import Facts, RouteAnswer
from companion.table.vision_eye import VisionWatcher
from companion.table.watching import Glimpse, TableWatch
from tests.companion.tables import ADA_AND_BEN, USA, new_table, until
from tests.vision.watch.watch_stories import LABELS, TruthfulEye, drawn
from vision.spaces.evidence import SpaceEvidence

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

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> SpaceEvidence:
        read = super().read(frame_bgr, spaces_px)
        if self.hesitates is None:
            return read
        rows = read.probabilities.copy()
        one, other = (LABELS.index(label) for label in self.hesitates)
        rows[USA.spaces_of[FIRST]] = 0.0
        rows[USA.spaces_of[FIRST], one], rows[USA.spaces_of[FIRST], other] = 0.52, 0.48
        return SpaceEvidence(read.labels, rows)


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
    until(table, lambda: len(watcher.told) == 1)
    table.act("correct-route", {"route": "atlanta--miami", "owner": None})
    until(table, lambda: len(watcher.told) == 2)
    assert watcher.told == [("denver--omaha", "red"), ("atlanta--miami", None)]


def test_a_new_game_s_watcher_hears_none_of_the_old_game_s_answers(tmp_path: Path) -> None:
    hired: list[ListeningWatcher] = []

    def hire(board: object, colours: object) -> ListeningWatcher:
        hired.append(ListeningWatcher())
        return hired[-1]

    table = new_table(tmp_path, new_watcher=hire)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    until(table, lambda: bool(hired and hired[0].told))
    table.act("start", ADA_AND_BEN)
    until(table, lambda: len(hired) == 2)
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    until(table, lambda: bool(hired[1].told))
    assert hired[1].told == [("atlanta--miami", "blue")]
