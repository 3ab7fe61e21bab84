"""Undo at the table: it says what it takes back, and takes back nothing else."""

from errno import EACCES, ENOSPC
from pathlib import Path

import pytest

from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, scanned, unsure
from web.app import create_app
from web.errors import ActionRefusedError
from web.table_state import UndoStep

DENVER, MIAMI = "denver--omaha", "atlanta--miami"
TICKET, OTHER = "denver--el-paso", "chicago--atlanta"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = new_table(tmp_path, ToldEye({DENVER: unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    return table


def step_of(table: Table) -> UndoStep:
    step = table.state().get("undo_step")
    assert step is not None
    return step


def test_the_step_names_route_and_owner_but_no_ticket(table: Table) -> None:
    table.act("correct-route", {"route": MIAMI, "owner": "red"})
    step = step_of(table)
    assert (step["action"], step["route"], step["owner"]) == ("correct-route", MIAMI, "red")
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    step = step_of(table)
    assert (step["action"], step["player"], step["asks"]) == ("add-ticket", "red", False)
    assert TICKET not in str(step)


def test_a_tablet_cannot_take_back_what_it_does_not_show(table: Table) -> None:
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    shown = step_of(table)["step"]
    table.act("add-ticket", {"player": "blue", "ticket": OTHER})
    with pytest.raises(ActionRefusedError, match="in the meantime"):
        table.act("undo", {"step": shown})
    assert [len(hand) for hand in table.state()["tickets"].values()] == [1, 1]
    table.act("undo", {"step": step_of(table)["step"]})
    table.act("undo", {"step": shown})
    assert [len(hand) for hand in table.state()["tickets"].values()] == [0, 0]


def test_many_taps_on_one_button_take_back_one_step(table: Table) -> None:
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    table.act("add-ticket", {"player": "red", "ticket": OTHER})
    shown = step_of(table)["step"]
    table.act("undo", {"step": shown})
    for _ in range(3):
        with pytest.raises(ActionRefusedError):
            table.act("undo", {"step": shown})
    assert [one["ticket"] for one in table.state()["tickets"]["red"]] == [TICKET]


def test_the_start_of_a_game_is_taken_back_only_when_really_meant(table: Table) -> None:
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    table.act("undo", {})
    for payload in ({}, {"step": step_of(table)["step"]}):
        with pytest.raises(ActionRefusedError, match="start of the game"):
            table.act("undo", payload)
    assert table.state()["board"] == "usa"
    assert step_of(table)["asks"]
    table.act("undo", {"really": True})
    assert table.state()["board"] is None


def test_a_game_that_was_put_away_is_asked_about_too(table: Table) -> None:
    table.act("new-game", {})
    assert step_of(table)["asks"]


def test_a_step_done_again_keeps_its_number_over_a_restart(table: Table, tmp_path: Path) -> None:
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    before = step_of(table)
    table.close()
    assert step_of(new_table(tmp_path)) == before


@pytest.mark.parametrize(
    ("language", "route", "ticket"),
    [
        ("en", "Undo: Atlanta – Miami set to Ada (red)", "Undo: Ada&#39;s last ticket"),
        (
            "it",
            "Annulla: Atlanta – Miami a Ada (rosso)",
            "Annulla: l&#39;ultimo biglietto di Ada",
        ),
    ],
)
def test_every_page_says_what_undo_takes_back(
    table: Table, language: str, route: str, ticket: str
) -> None:
    client = create_app(table).test_client()
    table.act("correct-route", {"route": MIAMI, "owner": "red"})
    for page in ("/board", "/tickets"):
        assert route in client.get(f"{page}?lang={language}").text
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    page = client.get(f"/board?lang={language}").text
    assert ticket in page
    assert "El Paso" not in page.split("<main")[0]


def test_without_script_the_start_is_asked_about_on_a_page_of_its_own(table: Table) -> None:
    client = create_app(table).test_client()
    assert '<form id="undo" data-live method="get" action="/undo">' in client.get("/board").text
    page = client.get("/undo").text
    assert "the start of the game" in page
    sent = {"step": str(step_of(table)["step"])}
    html = {"Accept": "text/html"}
    assert client.post("/api/act/undo", data=sent, headers=html).status_code == 409
    assert table.state()["board"] == "usa"
    answer = client.post("/api/act/undo", data={**sent, "really": "yes"}, headers=html)
    assert answer.status_code == 303
    assert table.state()["board"] is None


@pytest.mark.parametrize("step", [[], {"a": 1}, "x", "-1", "9" * 4000, None, True])
def test_a_step_that_is_no_number_is_refused(table: Table, step: object) -> None:
    client = create_app(table).test_client()
    assert client.post("/api/act/undo", json={"step": step, "really": True}).status_code == 400
    assert table.state()["board"] == "usa"


def test_a_full_disk_keeps_the_reading_and_blames_no_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(path: Path, data: bytes, *, lasting: bool) -> None:
        raise OSError(ENOSPC, "No space left on device", path)

    monkeypatch.setattr("companion.table.crops.write_whole", no_room)
    table = new_table(tmp_path, ToldEye({DENVER: unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    state = table.state()
    assert [doubt["route"] for doubt in state["doubts"]] == [DENVER]
    assert state["camera"]["message"] is None
    assert [notice["key"] for notice in state["notices"]] == ["companion.crops.disk-full"]
    assert table.crop(DENVER) == f"PNG of {DENVER}".encode()
    assert "The disk is full." in create_app(table).test_client().get("/board").text
    monkeypatch.undo()
    table.act("scan", {})
    scanned(table)
    assert table.state()["notices"] == []


def test_a_card_on_which_nothing_fits_keeps_no_reading_and_says_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside "nothing was changed" it stood that the reading was kept."""

    def no_room(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    table = new_table(tmp_path, ToldEye({DENVER: unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    with monkeypatch.context() as full:
        full.setattr("companion.table.crops.write_whole", no_room)
        full.setattr("companion.log.copy.LogCopy.append", no_room)
        table.act("scan", {})
        scanned(table)
    state = table.state()
    assert state["doubts"] == []
    assert state["notices"] == []
    page = create_app(table).test_client().get("/board").text
    assert "there is no space left" in page
    assert "The reading was kept" not in page


def test_a_folder_that_refuses_is_told_to_nobody_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(EACCES, "Permission denied", str(path))

    table = new_table(tmp_path, ToldEye({DENVER: unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    monkeypatch.setattr("companion.table.crops.write_whole", refused)
    table.act("scan", {})
    scanned(table)
    panel = create_app(table).test_client()
    monkeypatch.setattr("companion.log.copy.LogCopy.append", lambda *_: refused(tmp_path / "log"))
    answer = panel.post("/api/act/correct-route", json={"route": DENVER, "owner": "red"})
    assert answer.status_code == 409
    told = {
        panel.get("/board").text: "there is no permission",
        panel.get("/api/state").text: '"reason":"Permission denied"',
        answer.json["error"]: "there is no permission",
    }
    for said, reason in told.items():
        assert reason in said
        assert str(tmp_path) not in said
    assert table.state()["routes"][DENVER]["status"] == "doubtful"


def test_a_picture_that_the_disk_no_longer_gives_is_missing_and_no_more(tmp_path: Path) -> None:
    table = new_table(tmp_path, ToldEye({DENVER: unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    table.close()
    (kept,) = (tmp_path / "crops").rglob("*.png")
    kept.unlink()
    kept.symlink_to("/proc/self/mem")  # a file that is there and cannot be read
    again = create_app(new_table(tmp_path)).test_client()
    assert again.get(f"/api/crop/{DENVER}.png").status_code == 404
    assert again.get("/board").status_code == 200
