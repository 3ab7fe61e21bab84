"""The recorded sequences of `../shared/renders`, watched with the program's own networks."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.board.board import load_board
from vision.empty_board import make_reference
from vision.images.photo import load_photo
from vision.watch.events import WatchEvent
from vision.watch.watcher import Watcher

RENDERS = Path(__file__).resolve().parents[4] / "shared" / "renders"
SEQUENCES = {"usa": "usa-seq15", "germany": "germany-seq25", "france": "france-seq35"}

pytestmark = pytest.mark.skipif(
    not RENDERS.exists(), reason="the recorded sequences are in ../shared, which is not here"
)


@cache
def truth() -> dict[str, Any]:
    labels: dict[str, Any] = json.loads((RENDERS / "labels.json").read_text("utf-8"))
    return labels


def owners(board: str, frame: int) -> dict[str, str]:
    """Who owns what in a frame, as the labels say."""
    routes = truth()[f"{SEQUENCES[board]}-f{frame}.jpg"]["routes"]
    return {name: entry["owner"] for name, entry in routes.items() if entry["owner"]}


@cache
def watched(board_id: str) -> tuple[tuple[WatchEvent, ...], ...]:
    """The events of each of the five frames, two seconds apart."""
    board = load_board(board_id)
    pictures = [load_photo(RENDERS / f"{SEQUENCES[board_id]}-f{k}.jpg") for k in range(5)]
    watcher = Watcher(board, make_reference(pictures[0], board))
    return tuple(tuple(watcher.feed(picture, 2.0 * k)) for k, picture in enumerate(pictures))


def kinds(board: str, frame: int) -> set[str]:
    """What was told of a frame, apart from its routes."""
    return {event.kind for event in watched(board)[frame] if event.route is None}


@pytest.mark.parametrize("board", SEQUENCES)
def test_the_empty_board_the_hand_and_the_nudge_are_told(board: str) -> None:
    told = [kinds(board, frame) for frame in range(5)]
    assert told[:4] == [{"empty"}, {"settled"}, {"settled"}, {"hand"}]
    # In Germany's last frame a wagon was bumped, the board stayed where it was.
    assert told[4] == ({"settled"} if board == "germany" else {"moved", "settled"})


@pytest.mark.parametrize("board", SEQUENCES)
def test_nothing_is_claimed_twice_and_nothing_is_taken_back(board: str) -> None:
    events = [event for frame in watched(board) for event in frame]
    claimed = [event.route for event in events if event.kind == "claimed"]
    assert len(claimed) == len(set(claimed))
    assert not [event for event in events if event.kind == "removed"]


@pytest.mark.parametrize("board", SEQUENCES)
def test_no_claim_is_false(board: str) -> None:
    for frame in range(5):
        claimed = {e.route: e.owner for e in watched(board)[frame] if e.kind == "claimed"}
        assert claimed.items() <= owners(board, frame).items()


@pytest.mark.parametrize(("board", "least"), [("usa", 12), ("germany", 12), ("france", 10)])
def test_claims_are_told_with_the_frame_that_shows_them(board: str, least: int) -> None:
    in_time = 0
    for frame in range(1, 5):
        new = owners(board, frame).items() - owners(board, frame - 1).items()
        told = {(e.route, e.owner) for e in watched(board)[frame] if e.kind == "claimed"}
        in_time += len(new & told)
    assert in_time >= least
