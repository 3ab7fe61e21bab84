"""A name that does not fit is refused in one sentence wherever it is typed, and never cut."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from scoring.game.mapless import mapless_games
from tests.companion.tables import new_table
from tests.web.studio_in_work import begun as begun
from tests.web.studio_in_work import rig as rig
from tests.web.studio_rig import Rig
from web.app import create_app

LONG = "Maximiliana von Habsburg-L"
"""26 letters; "Maximiliana von Habsburg" has 24."""

SENTENCES = {
    "en": "“Maximiliana von Habsburg…” is too long: at most 24 letters.",
    "it": "«Maximiliana von Habsburg…» è troppo lungo: al massimo 24 lettere.",
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return new_table(tmp_path, open_camera=None, boards=mapless_games())


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def said(client: FlaskClient, action: str, sent: dict[str, str], language: str = "en") -> str:
    answer = client.post(f"/api/act/{action}", json=sent, headers={"Accept-Language": language})
    assert answer.status_code == 400
    return str(answer.get_json()["error"])


@pytest.mark.parametrize("language", SENTENCES)
def test_a_player_is_told_and_no_game_begins(
    client: FlaskClient, table: Table, language: str
) -> None:
    form = {"board": "any-map", "name-red": LONG, "name-blue": "Ben"}
    assert said(client, "start", form, language) == SENTENCES[language]
    assert table.state()["board"] is None
    form["name-red"] = "Maximiliana von Habsburg"
    assert client.post("/api/act/start", json=form).status_code == 200


def test_two_long_bonuses_do_not_become_one(client: FlaskClient, table: Table) -> None:
    players = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
    table.act("start", {"board": "any-map", "players": players, "camera": False})
    sent = {"player": "red", "bonus": LONG, "points": "10"}
    assert said(client, "set-bonuses", sent) == SENTENCES["en"]
    whole = {"player": "red", "bonuses": {LONG: 10, f"{LONG}2": 5}}
    assert client.post("/api/act/set-bonuses", json=whole).status_code == 400


@pytest.mark.parametrize("step", [{"do": "name-place", "place": "1"}, {"do": "add-place"}])
def test_a_place_in_the_studio_is_told(rig: Rig, begun: str, step: dict[str, str]) -> None:
    visitor = rig.app.test_client()
    sent = {**step, "x": "0.5", "y": "0.5", "name": "A" * 41}
    answer = visitor.post(f"/studio/{begun}/step", data=sent)
    assert answer.status_code == 409
    assert "is too long: at most 40 letters." in answer.text


def test_a_pasted_list_with_a_long_name_is_told_and_stays_in_its_field(
    rig: Rig, begun: str
) -> None:
    long = "Sankt Bartholomä an der langen Straße bei Unterammergau"
    visitor = rig.app.test_client()
    form = {"do": "names", "at": "names", "names": f"Oakville\n{long}"}
    answer = visitor.post(f"/studio/{begun}/step?at=names", data=form)
    assert answer.status_code == 409
    assert f"Oakville\n{long}</textarea>" in answer.text
    assert "is too long: at most 40 letters." in answer.text
    assert rig.studio.board(begun).names == []


def test_no_field_of_a_name_cuts_what_is_pasted(client: FlaskClient) -> None:
    page = client.get("/start?board=any-map").text
    field = page.split('name="name-red"')[1].split(">")[0]
    assert "maxlength" not in field
