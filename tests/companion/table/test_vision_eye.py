"""The table's real eye: a drawn board seen through camera, reader and session."""

import weakref
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.session.events import ProposedPlace
from companion.table.camera_feed import CameraFeed
from companion.table.kept_photo import KeptPhoto
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye, VisionWatcher, place_crop, proposal_of
from companion.table.watching import Glimpse
from hardware.cameras.camera import CameraSpec
from hardware.cameras.open import open_camera
from tests.companion.tables import ADA_BEN_AND_CLEO, OPEN, GreyCamera, owners, scanned
from tests.support.drawn_table import CLAIMED, USA, full_photo, true_calibration, write_table
from tests.support.waiting import until
from vision.reading import PlaceReading, Reading, Registration, RouteReading, SpaceReading, Why


def drawn_table(tmp_path: Path, watched: bool) -> Table:
    _, _, full = write_table(tmp_path)
    reference = true_calibration().reference(USA)
    camera = CameraSpec("still", str(full))
    feed = CameraFeed(lambda: open_camera(camera, live=True), interval_s=0.1)
    config = TableConfig(
        [USA],
        tmp_path / "data",
        VisionEye(reference),
        feed,
        new_watcher=(lambda b, colours: VisionWatcher(b, colours, reference)) if watched else None,
    )
    table = Table(config)
    OPEN.append(table)
    return table


def test_a_board_without_positions_is_played_by_hand_beside_a_camera(tmp_path: Path) -> None:
    unplaced = replace(USA, routes=tuple(replace(r, spaces=()) for r in USA.routes), prints=())
    feed = CameraFeed(GreyCamera, interval_s=0.05)
    watcher = VisionWatcher(unplaced, ("red", "blue"), None)
    config = TableConfig(
        [unplaced], tmp_path / "data", VisionEye(), feed, new_watcher=lambda b, colours: watcher
    )
    table = Table(config)
    OPEN.append(table)
    table.act("start", ADA_BEN_AND_CLEO)
    table.act("scan", {})
    until(lambda: table.state()["camera"]["message"] is not None)
    assert "scoring.unplaced.all" in str(table.state()["camera"]["message"])
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert owners(table) == {"denver--omaha": "red"}
    assert watcher.feed(np.zeros((400, 600, 3), np.uint8), 0.0) == Glimpse()


def test_a_scan_reads_the_camera_s_picture_and_cuts_crops(tmp_path: Path) -> None:
    table = drawn_table(tmp_path, watched=False)
    table.act("start", ADA_BEN_AND_CLEO)
    table.act("scan", {})
    scanned(table)
    assert owners(table) == CLAIMED
    for route in USA.routes:
        piece = table.crop(route.id)
        assert piece is not None
        assert len(piece) <= 20_000, route.id
        crop = cv2.imdecode(np.frombuffer(piece, np.uint8), cv2.IMREAD_COLOR)
        assert crop is not None
        assert max(crop.shape[:2]) >= 350, route.id
        assert min(crop.shape[:2]) > 40, route.id
    assert table.crop("dallas--houston-1") == table.crop("dallas--houston-2"), "one place"
    assert table.crop("dallas--houston-1") != table.crop("denver--omaha")


def test_the_picture_of_a_double_shows_the_boxes_of_both_lines() -> None:
    photo, quads = full_photo(), full_photo().spaces_px
    where = Registration("corners", photo.corners_px, quads, 0.5)
    for route, boxes in (("dallas--houston-1", 2), ("denver--omaha", 4)):
        data = np.frombuffer(place_crop(photo.image_bgr, USA, where, route), np.uint8)
        crop = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert crop is not None
        blue, green, red = (crop[..., k].astype(int) for k in range(3))
        magenta = ((np.minimum(blue, red) - green) > 60).astype(np.uint8)
        found, _ = cv2.findContours(magenta, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        assert sum(cv2.contourArea(one) > 400 for one in found) == boxes, route


def test_a_reading_names_its_places_and_why_it_asks() -> None:
    space = SpaceReading("red", 0.6, {"red": 0.6, "empty": 0.4})
    lines = {
        name: RouteReading(name, owner, 0.6, why, (space,), ((owner, 0.6),))
        for name, owner, why in (
            ("dallas--houston-1", "red", (Why.SINGLE_SPACE,)),
            ("dallas--houston-2", None, (Why.OTHER_LINE,)),
            ("denver--omaha", "red", ()),
        )
    }
    places = (
        PlaceReading(
            ("dallas--houston-1", "dallas--houston-2"), ("red", None), (Why.SINGLE_SPACE,)
        ),
        PlaceReading(("denver--omaha",), ("red",)),
    )
    where = Registration("corners", np.zeros((4, 2)), np.zeros((0, 4, 2)), 0.5)
    event = proposal_of(Reading("usa", where, lines, (), {}, places))
    assert [proposal.review for proposal in event.routes.values()] == [True, True, False]
    assert event.places == (
        ProposedPlace(("dallas--houston-1", "dallas--houston-2"), ("single-space",)),
    )


def test_a_watched_table_needs_no_scan(tmp_path: Path) -> None:
    table = drawn_table(tmp_path, watched=True)
    table.act("start", ADA_BEN_AND_CLEO)
    until(lambda: owners(table) == CLAIMED)
    assert table.crop("denver--omaha") is not None


def test_a_photo_that_is_put_away_still_shows_the_same() -> None:
    across, down = np.meshgrid(np.arange(640), np.arange(480))
    photo = np.stack([across % 256, down % 256, (across + down) // 5], axis=-1).astype(np.uint8)
    photo = cv2.GaussianBlur(photo, (0, 0), 3)
    kept = KeptPhoto(photo.copy())
    held = weakref.ref(kept.photo_bgr)
    kept.put_away()
    assert held() is None, "nobody keeps its 900 kB"
    assert np.abs(kept.photo_bgr.astype(int) - photo.astype(int)).mean() < 2
