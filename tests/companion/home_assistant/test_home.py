"""A home hears of the table by a real broker, as Home Assistant does, and asks for scans."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config import read_config
from companion.home_assistant.discovery import Topics, discovery_messages
from companion.home_assistant.document import home_document
from companion.home_assistant.link import HomeLink
from companion.mqtt.address import parse_address
from companion.mqtt.connection import BrokerConnection, Listener
from companion.mqtt.settings import HomeSettings, table_name
from companion.table.table import Table
from scoring.game.colours import COLOURS
from tests.companion.log.test_full_disk import full
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, sure
from tests.support.mosquitto import Mosquitto, needs_mosquitto
from tests.support.waiting import until
from web.table_state import PanelPlayer

PATIENCE_S = 20.0


class Home:
    """Another client of the broker, which keeps the newest message of each topic."""

    def __init__(self, broker: Mosquitto) -> None:
        self.topics: dict[str, str] = {}
        address = parse_address(f"mqtt://127.0.0.1:{broker.port}")
        self.connection = BrokerConnection(address, "home", "home/status", Listener())
        self.connection.subscribe("#", self._hear)
        self.connection.start()

    def _hear(self, topic: str, payload: bytes) -> None:
        self.topics[topic] = payload.decode()

    def until(self, is_so: Callable[[], bool]) -> None:
        until(is_so, self.topics)

    @property
    def table(self) -> dict[str, Any]:
        """What it knows of the table."""
        document: dict[str, Any] = json.loads(self.topics.get("companion/salon/state", "{}"))
        return document

    def entity(self, component: str, name: str) -> dict[str, Any]:
        topic = f"homeassistant/{component}/companion_salon/{name}/config"
        document: dict[str, Any] = json.loads(self.topics[topic])
        return document


@pytest.fixture
def home(broker: Mosquitto) -> Iterator[Home]:
    home = Home(broker)
    yield home
    home.connection.close(0.2)


Link = Callable[[Table, str], HomeLink]


@pytest.fixture
def link(broker: Mosquitto) -> Iterator[Link]:
    """Links a table to the broker, and ends it."""
    made: list[HomeLink] = []

    def begin(table: Table, language: str = "en") -> HomeLink:
        address = parse_address(f"mqtt://127.0.0.1:{broker.port}")
        made.append(HomeLink(table, HomeSettings(address, "salon"), language))
        made[-1].start()
        return made[-1]

    yield begin
    for one in made:
        one.close()


@needs_mosquitto
def test_a_home_finds_the_table_and_follows_its_score(
    tmp_path: Path, home: Home, link: Link
) -> None:
    table = new_table(tmp_path, open_camera=None)
    link(table, "en")
    home.until(lambda: home.table.get("phase") == "start")
    assert home.topics["companion/salon/status"] == "online"
    assert home.entity("button", "scan")["command_topic"] == "companion/salon/scan"
    assert home.entity("sensor", "camera")["availability_topic"] == "companion/salon/status"
    assert not home.topics["homeassistant/sensor/companion_salon/seat_1/config"]

    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "portland--san-francisco-1", "owner": "red"})
    home.until(lambda: bool(home.table["seats"]) and home.table["seats"][0]["points"] == 10)
    ada, ben = home.table["seats"]
    # Portland to San Francisco has five spaces: ten points, and 45 - 5 wagons are left.
    assert ada == {
        "name": "Ada",
        "colour": "red",
        "points": 10,
        "routes": 1,
        "wagons_left": 40,
    }
    assert (ben["name"], ben["points"]) == ("Ben", 0)
    assert home.entity("sensor", "seat_2")["name"] == "Points of Ben"
    assert home.entity("sensor", "seat_2")["value_template"] == "{{ value_json.seats[1].points }}"
    assert not home.topics["homeassistant/sensor/companion_salon/seat_3/config"]


@needs_mosquitto
def test_a_scan_is_asked_for_once_and_never_by_an_old_message(
    tmp_path: Path, home: Home, link: Link
) -> None:
    eye = ToldEye({"denver--omaha": sure("blue")})
    table = new_table(tmp_path, eye)
    table.act("start", ADA_AND_BEN)
    until(lambda: table.state()["camera"]["status"] == "ready")
    home.until(lambda: home.connection.is_online)
    home.connection.publish("companion/salon/scan", "PRESS", retain=True)
    home.until(lambda: "companion/salon/scan" in home.topics)
    link(table, "en")
    home.until(lambda: home.table.get("camera") == "ready")
    assert eye.looks == 0
    home.connection.publish("companion/salon/scan", "PRESS")
    # Denver to Omaha has four spaces: seven points.
    home.until(lambda: home.table["seats"][1]["points"] == 7)
    assert eye.looks == 1


@needs_mosquitto
def test_many_requests_during_a_scan_are_one_more_scan_and_a_fault_ends_nothing(
    tmp_path: Path, home: Home, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_table(tmp_path, open_camera=None)
    go_on, begun = threading.Event(), []

    def scan(action: str, _sent: Any) -> None:
        begun.append(action)
        go_on.wait(PATIENCE_S)
        if len(begun) == 1:
            raise RuntimeError("a fault of the camera")

    monkeypatch.setattr(table, "act", scan)
    one = link(table, "en")
    home.until(lambda: bool(home.table))
    one._scan("companion/salon/scan", b"PRESS")
    home.until(lambda: begun == ["scan"])
    threads = threading.active_count()
    for _ in range(20):
        one._scan("companion/salon/scan", b"PRESS")
    assert threading.active_count() == threads
    go_on.set()
    home.until(lambda: len(begun) == 2)
    time.sleep(0.2)
    assert begun == ["scan", "scan"]


@needs_mosquitto
def test_after_the_broker_s_power_cut_everything_is_said_again(
    tmp_path: Path, broker: Mosquitto, home: Home, link: Link
) -> None:
    table = new_table(tmp_path, open_camera=None)
    link(table, "en")
    home.until(lambda: home.table.get("phase") == "start")
    broker.stop()
    table.act("start", ADA_AND_BEN)  # the table goes on
    home.topics.clear()
    broker.start()  # it has forgotten all that was retained
    home.until(lambda: home.table.get("phase") == "look")
    home.until(lambda: "homeassistant/button/companion_salon/scan/config" in home.topics)
    assert home.topics["companion/salon/status"] == "online"


@needs_mosquitto
def test_it_says_offline_when_the_table_is_put_away(tmp_path: Path, home: Home, link: Link) -> None:
    one = link(new_table(tmp_path, open_camera=None), "en")
    home.until(lambda: home.topics.get("companion/salon/status") == "online")
    one.close()
    home.until(lambda: home.topics["companion/salon/status"] == "offline")


def test_no_hand_reaches_the_home_before_the_sheet(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.act("show", {"phase": "tickets"})
    document = home_document(table.state(), "it")
    assert document["turn"] == "Ada"
    assert document["phase_text"] == "Inserimento dei biglietti"
    # Denver to Omaha has four spaces: 7 points. The ticket's 4 are a secret still.
    assert document["seats"][0]["points"] == 7
    assert "el-paso" not in json.dumps(document)
    table.act("finish", {})
    assert home_document(table.state(), "it")["winners"] == ["Ada"]
    # 7 - 4 for the ticket, which is not completed, + 10 for the longest path.
    assert home_document(table.state(), "it")["seats"][0]["points"] == 13


def test_a_camera_that_is_gone_is_trouble_in_the_home_s_language(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    state = table.state()
    assert home_document(state, "en")["trouble"] is None
    state["camera"] = {"status": "lost", "message": None}
    assert home_document(state, "en")["trouble"] == "The camera is gone"
    state["camera"] = {
        "status": "lost",
        "message": {"key": "companion.camera.no-frame", "values": {}},
    }
    assert "in tempo" in home_document(state, "it")["trouble"]


def test_a_full_disk_is_trouble_until_there_is_room(tmp_path: Path) -> None:
    """Nothing can be entered: the home says so as the panel and the lamps do."""
    with full(tmp_path):
        table = new_table(tmp_path, open_camera=None)
        assert "No room is left" in home_document(table.state(), "en")["trouble"]
    table.act("start", {**ADA_AND_BEN, "camera": False})
    assert home_document(table.state(), "en")["trouble"] is None


def test_seats_that_a_game_has_not_are_taken_away() -> None:
    topics = Topics("salon", "homeassistant")
    messages = discovery_messages(topics, [{"name": "Ada", "colour": "red"}], "en", "1")
    topic = "homeassistant/sensor/companion_salon/seat_{}/config"
    seats = [messages[topic.format(n)] for n in range(1, 11)]
    assert "Ada" in seats[0]
    assert seats[1:] == [""] * 9
    ids = [json.loads(message)["unique_id"] for message in messages.values() if message]
    assert len(ids) == len(set(ids)) == 7


def test_a_board_of_one_s_own_may_have_ten_seats() -> None:
    topics = Topics("salon", "homeassistant")
    players = [PanelPlayer(name=f"Player {n}", colour=c) for n, c in enumerate(COLOURS, 1)]
    messages = discovery_messages(topics, players, "en", "1.0")
    tenth = json.loads(messages["homeassistant/sensor/companion_salon/seat_10/config"])
    assert tenth["name"] == "Points of Player 10"
    assert tenth["value_template"] == "{{ value_json.seats[9].points }}"


@pytest.mark.parametrize(
    ("section", "settings"),
    [
        ('address = "mqtt://hub"', HomeSettings(parse_address("mqtt://hub"), table_name())),
        (
            'address = "mqtt://hub"\nname = "salon"\ndiscovery = "ha"',
            HomeSettings(parse_address("mqtt://hub"), "salon", "ha"),
        ),
    ],
)
def test_the_configuration_names_the_broker(
    tmp_path: Path, section: str, settings: HomeSettings
) -> None:
    (tmp_path / "companion.toml").write_text(f"[mqtt]\n{section}\n")
    config = read_config(tmp_path)
    assert config.troubles == ()
    assert config.home == settings


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("", "mqtt://HOST"),
        ('address = "hub"', "mqtt://HOST"),
        ('adress = "mqtt://hub"', "knows address, name, discovery"),
        ('address = "mqtt://hub"\nname = "the salon"', "one word of small letters"),
        ('address = "mqtt://hub"\ndiscovery = "a/b"', "one word of small letters"),
    ],
)
def test_what_is_wrong_in_it_is_named_and_the_table_goes_on(
    tmp_path: Path, section: str, said: str
) -> None:
    (tmp_path / "companion.toml").write_text(f"[mqtt]\n{section}\n")
    config = read_config(tmp_path)
    assert config.home is None
    assert said in str(config.troubles[0])
