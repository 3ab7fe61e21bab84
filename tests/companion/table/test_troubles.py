"""What is wrong with camera, photo and box is told where people look, and no longer than it is."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.tellers import start_tellers
from companion.cli.troubles import TroubleReporter
from companion.doctor.doctor import BROKEN, examine
from companion.table import camera_feed
from companion.table.table import Table
from companion.table.watching import Glimpse, glimpse_of
from hardware.cameras.camera import ClosesItself
from hardware.console.virtual import VirtualConsole
from hardware.errors import CameraError, ConsoleError
from scoring.language import text
from tests.companion.tables import (
    ADA_AND_BEN,
    GreyCamera,
    ToldEye,
    ToldWatcher,
    new_table,
    scanned,
)
from tests.support.cameras import no_camera
from tests.support.waiting import until
from vision.errors import BoardNotFoundError
from vision.watch.events import WatchEvent

OTHER = BoardNotFoundError("vision.board.other", seen="Germany", wanted="USA")


def watched(kind: str, reason: BoardNotFoundError | None = None) -> Glimpse:
    return glimpse_of([WatchEvent(kind, 1.0, reason=reason)], lambda route: b"")


def watched_table(tmp_path: Path, watcher: ToldWatcher) -> Table:
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    return table


def said(message: Any, language: str = "en") -> str:
    """A message as the panel says it."""
    values = {
        name: said(value, language) if isinstance(value, dict) else value
        for name, value in message["values"].items()
    }
    return text(message["key"], language, **values)


def camera(table: Table) -> Any:
    return table.state()["camera"]


def test_a_camera_over_another_board_says_which_one_it_sees(tmp_path: Path) -> None:
    watcher = ToldWatcher(watched("blocked", OTHER))
    table = watched_table(tmp_path, watcher)
    until(lambda: camera(table)["status"] == "blocked")
    assert "this looks like Germany, not USA" in said(camera(table)["message"])
    assert "Germany" in said(camera(table)["message"], "it")
    watcher.glimpses.append(watched("blocked"))
    until(lambda: "Germany" not in said(camera(table)["message"]))
    watcher.glimpses.append(watched("settled"))
    until(lambda: camera(table) == {"status": "ready", "message": None})


def test_a_blocked_view_is_forgotten_where_nothing_is_watched_any_more(tmp_path: Path) -> None:
    table = watched_table(tmp_path, ToldWatcher(watched("blocked", OTHER)))
    until(lambda: camera(table)["status"] == "blocked")
    table.act("finish", {})
    assert camera(table) == {"status": "ready", "message": None}


def test_the_next_game_begins_without_the_last_one_s_messages(tmp_path: Path) -> None:
    table = watched_table(tmp_path, ToldWatcher(watched("blocked", OTHER)))
    until(lambda: camera(table)["status"] == "blocked")
    table.act("start", ADA_AND_BEN)
    assert camera(table) == {"status": "ready", "message": None}


def test_a_scan_s_refusal_goes_once_the_board_is_seen(tmp_path: Path) -> None:
    watcher = ToldWatcher()
    table = new_table(tmp_path, ToldEye(None), new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    until(lambda: camera(table)["message"] is not None)
    assert camera(table)["message"]["key"] == "companion.camera.unreadable"
    watcher.glimpses.append(watched("settled"))
    until(lambda: camera(table)["message"] is None)


def photo() -> dict[str, Any]:
    _, jpeg = cv2.imencode(".jpg", np.full((600, 800, 3), 120, np.uint8))
    return {"images": [jpeg.tobytes()]}


def test_an_uploaded_photo_s_refusal_stands_beside_the_camera_s(tmp_path: Path) -> None:
    table = new_table(tmp_path, ToldEye(None), open_camera=no_camera)
    table.act("start", ADA_AND_BEN)
    until(lambda: camera(table)["status"] == "lost")
    table.act("upload-photo", photo())
    scanned(table)
    assert said(table.state().get("photo")).startswith("The photo could not be read: no board")
    assert "no camera at /dev/video0" in said(camera(table)["message"])


def test_an_uploaded_photo_s_refusal_goes_with_the_next_photo(tmp_path: Path) -> None:
    eye = ToldEye(None)
    table = new_table(tmp_path, eye, open_camera=None)
    table.act("start", ADA_AND_BEN)
    table.act("upload-photo", photo())
    scanned(table)
    assert table.state().get("photo") is not None
    eye.routes = {}
    table.act("upload-photo", photo())
    scanned(table)
    assert table.state().get("photo") is None


def test_a_look_without_a_camera_is_forgotten_once_the_camera_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SCAN was pressed while it was unplugged; nothing on the board has changed since."""
    monkeypatch.setattr(camera_feed, "PHOTO_TIMEOUT_S", 0.1)
    plugged_in = False

    def camera_that_comes_back() -> ClosesItself:
        return GreyCamera() if plugged_in else no_camera()

    table = new_table(tmp_path, open_camera=camera_that_comes_back)
    table.act("start", ADA_AND_BEN)
    until(lambda: camera(table)["status"] == "lost")
    table.act("scan", {})
    scanned(table)
    assert "no camera at /dev/video0" in said(camera(table)["message"])
    plugged_in = True
    until(lambda: camera(table)["status"] == "ready")
    assert camera(table)["message"] is None


class Drifting(GreyCamera):
    """Gives pictures, and knows that their colours may drift."""

    @property
    def warning(self) -> CameraError:
        return CameraError("hardware.camera.light-not-held")


def test_colours_that_are_not_held_are_told_while_the_camera_works(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=Drifting)
    table.act("start", ADA_AND_BEN)
    until(lambda: camera(table)["status"] == "ready")
    assert "does not hold its exposure" in said(camera(table)["message"])
    assert "non tiene fermi" in said(camera(table)["message"], "it")


def test_why_a_virtual_box_stands_in_is_told(tmp_path: Path) -> None:
    reason = ConsoleError("hardware.console.no-pins", reason="No module named 'lgpio'")
    table = new_table(tmp_path, console=VirtualConsole(reason))
    assert "No module named 'lgpio'" in said(table.state().get("box"))
    assert new_table(tmp_path / "other").state().get("box") is None


def test_the_terminal_says_why_and_when_it_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = TroubleReporter(tmp_path, "it")
    told("camera", None)
    trouble = CameraError("hardware.camera.no-device", device="/dev/video0")
    told("camera", trouble)
    told("camera", trouble)
    (findings,) = [f for f in examine(tmp_path, tmp_path) if f.name == "camera"]
    assert findings.status == BROKEN
    assert "Nessuna telecamera in /dev/video0" in findings.message.text("it")
    assert "no camera at /dev/video0" in findings.message.text("en")
    told("camera", None)
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("companion serve: Nessuna telecamera in /dev/video0.")
    assert last == "companion serve: La telecamera funziona di nuovo."
    assert [f for f in examine(tmp_path, tmp_path) if f.name == "camera"] == []


def test_who_is_told_no_longer_is_in_no_trouble_any_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table told a club's hub for one evening, and the broker did not answer."""
    trouble = CameraError("hardware.camera.no-device", device="hub")
    for part in ("mqtt", "hub"):
        TroubleReporter(tmp_path, "en")(part, trouble)
    assert {"mqtt", "hub"} <= {one.name for one in examine(tmp_path, tmp_path)}
    capsys.readouterr()
    table = new_table(tmp_path / "table", open_camera=None)
    assert start_tellers(table, None, None, tmp_path, "en", TroubleReporter(tmp_path, "en")) == []
    assert not {"mqtt", "hub"} & {one.name for one in examine(tmp_path, tmp_path)}
    assert capsys.readouterr().err == ""


def test_notes_that_are_damaged_are_no_notes(tmp_path: Path) -> None:
    for damage in ("", "[]", '{"camera": 3}', '{"camera": {"at": "x"}}', "[" * 20_000):
        (tmp_path / "hardware.json").write_text(damage)
        assert [f for f in examine(tmp_path, tmp_path) if f.name == "camera"] == []
        TroubleReporter(tmp_path, "en")("camera", None)


def last_trouble(folder: Path, note: dict[str, object]) -> str:
    (folder / "hardware.json").write_text(json.dumps({"camera": note}))
    (found,) = [f for f in examine(folder, folder) if f.name == "camera"]
    return found.message.text("it")


def test_a_note_that_an_earlier_version_wrote_out_is_still_read(tmp_path: Path) -> None:
    note = {"at": "2026-11-20 20:15", "en": "There is no camera.", "it": "Non c'è."}
    told = last_trouble(tmp_path, note)
    assert "There is no camera." in told
    assert "20 novembre 2026, 20:15" in told


def test_a_note_of_no_known_time_is_told_as_it_was_written(tmp_path: Path) -> None:
    note = {"at": "yesterday", "en": "There is no camera."}
    assert "yesterday" in last_trouble(tmp_path, note)


def test_a_note_of_a_newer_version_does_not_stop_the_doctor(tmp_path: Path) -> None:
    note = {"at": "2026-11-20 20:15", "message": {"key": "hardware.of-tomorrow", "values": {}}}
    assert "versione più recente" in last_trouble(tmp_path, note)
