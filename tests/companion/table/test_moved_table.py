"""A watched table that is bumped, lit otherwise, and covered: pictures drawn, all else real."""

import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.table.camera_feed import CameraFeed
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye, VisionWatcher
from hardware.cameras.camera import ClosesItself, Frame
from scoring.language import Message
from tests.companion.tables import ADA_BEN_AND_CLEO, OPEN, owners, scanned
from tests.support.drawn_table import CLAIMED, USA, VIEW, drawn, full_photo, true_calibration
from tests.support.waiting import until

BUMPED = replace(VIEW, tilt_deg=13.0, azimuth_deg=18.0, roll_deg=-1.5, fill=0.9)
"""The tripod was knocked: the board lies 2.5 degrees otherwise, and some centimetres elsewhere."""

NEW = {"helena--winnipeg": "red"}


class Stage(ClosesItself):
    """A camera that sees what the test puts before it."""

    name = "stage"

    def __init__(self) -> None:
        self.picture = full_photo().image_bgr
        self.frames = 0

    def read(self) -> Frame:
        time.sleep(0.05)
        self.frames += 1
        return Frame(self.picture, None, time.monotonic())

    def wait_until_seen(self) -> None:
        """Until the table has taken in ten more frames: it reads one before it takes the next."""
        wanted = self.frames + 10
        until(lambda: self.frames >= wanted)


@cache
def bumped(with_new: bool = False) -> np.ndarray[Any, Any]:
    """The drawn table as the knocked camera sees it, the same wagons or those of one route more."""
    return drawn(USA, CLAIMED | NEW if with_new else CLAIMED, seed=2, view=BUMPED).image_bgr


def table_before(stage: Stage, data: Path) -> Table:
    reference = true_calibration().reference(USA)
    config = TableConfig(
        [USA],
        data,
        VisionEye(reference),
        CameraFeed(lambda: stage, interval_s=0.1),
        new_watcher=lambda board, colours: VisionWatcher(board, colours, reference),
    )
    table = Table(config)
    OPEN.append(table)
    table.act("start", ADA_BEN_AND_CLEO)
    return table


def asked(table: Table) -> list[str]:
    routes = table.state()["routes"]
    return [name for name, route in routes.items() if route["status"] == "doubtful"]


def begin(table: Table) -> None:
    """The three routes are read, and the one question about a short double is answered."""
    until(lambda: owners(table) == CLAIMED)
    for route in asked(table):
        table.act("correct-route", {"route": route, "owner": CLAIMED.get(route)})
    assert asked(table) == []


def said_of(table: Table) -> str:
    """What the panel says of the camera, "" where there is nothing to do."""
    message = table.state()["camera"]["message"]
    return "" if message is None else str(Message.from_json(message))


def test_a_bumped_camera_is_followed_silently_and_a_changed_lamp_claims_nothing(
    tmp_path: Path,
) -> None:
    stage = Stage()
    table = table_before(stage, tmp_path)
    begin(table)

    stage.picture = bumped()
    stage.wait_until_seen()
    assert owners(table) == CLAIMED
    assert asked(table) == []
    assert table.state()["camera"]["status"] == "ready", "nobody has to do anything"

    lamp = np.array([0.55, 0.65, 0.8])  # instead of the window
    stage.picture = np.asarray(lamp * bumped(), np.uint8)
    stage.wait_until_seen()
    assert owners(table) == CLAIMED
    assert asked(table) == []

    stage.picture = np.asarray(lamp * bumped(with_new=True), np.uint8)
    until(lambda: owners(table).items() >= NEW.items())
    assert owners(table) == CLAIMED | NEW, "read where it lies now, in that light"

    # Knocked once more: the east coast leaves the picture, six lines from New York and Boston.
    stage.picture = np.roll(stage.picture, 250, axis=1)
    stage.picture[:, :250] = 90
    until(lambda: "(routes: 6)" in said_of(table))
    assert owners(table) == CLAIMED | NEW
    stage.picture = np.asarray(lamp * bumped(with_new=True), np.uint8)
    until(lambda: said_of(table) == "")


def test_where_the_board_is_not_found_again_people_are_told_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    stage = Stage()
    table = table_before(stage, tmp_path)
    begin(table)

    stage.picture = np.full((1200, 1600, 3), 90, np.uint8)  # the camera fell over
    until(lambda: table.state()["camera"]["status"] == "blocked")
    assert owners(table) == CLAIMED
    assert asked(table) == []
    stage.picture = bumped()
    until(lambda: table.state()["camera"]["status"] == "ready")
    assert owners(table) == CLAIMED
    assert asked(table) == []


def lies_over(table: Table) -> list[str]:
    """The routes over which something is said to lie."""
    told = table.state()["notices"]
    return [r for one in told if one["key"] == "vision.warning.covered" for r in one["routes"]]


def test_what_lay_over_the_board_is_told_until_the_camera_sees_it_gone(tmp_path: Path) -> None:
    stage = Stage()
    table = table_before(stage, tmp_path)
    begin(table)
    table.act("scan", {})
    scanned(table)
    assert lies_over(table) == []

    bare = stage.picture
    stage.picture = bare.copy()
    cv2.ellipse(stage.picture, (820, 560), (170, 110), 25.0, 0, 360, (120, 150, 205), -1)
    stage.wait_until_seen()
    table.act("scan", {})
    scanned(table)
    assert len(lies_over(table)) >= 2, "a hand lies over the middle of the map"
    assert "denver--omaha" in asked(table)
    assert owners(table) != CLAIMED

    stage.picture = bare
    until(lambda: lies_over(table) == [])
    until(lambda: asked(table) == [])
    assert owners(table) == CLAIMED, "what the hand hid is Ada's again, and nobody had to say so"
