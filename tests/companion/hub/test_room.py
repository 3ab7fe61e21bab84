"""A table, a real broker, a real database and the hub: what is played arrives, once, in order."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from companion.hub import receiver as receivers
from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database, DatabaseGoneError
from companion.hub.receiver import Receiver
from companion.hub.room import Room
from companion.log.store import LOG_NAME
from companion.mqtt.address import parse_address
from companion.mqtt.connection import BrokerConnection, Listener
from companion.mqtt.hub_settings import HubSettings
from companion.relay import delivery as deliveries
from companion.relay.log_chain import LogChain
from companion.relay.outbox import Outbox
from companion.relay.position import open_position
from companion.relay.wire import Topics, link_from_json, link_to_json
from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, USA, new_table
from tests.support.mosquitto import Mosquitto, needs_mosquitto
from tests.support.postgres import Cluster
from tests.support.waiting import until
from web.access.club import Club as SeatsAndHosts
from web.access.club import LetIn
from web.access.devices import Devices
from web.hub.app import create_hub_app
from web.table_state import ClubRound

paho = pytest.importorskip("paho.mqtt.client")
pytestmark = needs_mosquitto

TICKET = "boston--miami"


@dataclass
class Club:
    """A broker and a hub; tables come and go."""

    folder: Path
    database_address: str
    broker: Mosquitto
    open: list[Any] = field(default_factory=list)

    def hub(self) -> tuple[Database, Receiver, Room]:
        database = Database.open(self.database_address)
        room = Room({"usa": USA}, database.keep_shut_out)
        receiver = Receiver(self.address("hub"), database, room)
        receiver.start()
        self.open += [receiver, database]
        return database, receiver, room

    def outbox(self, table: Table, id: str = "table-1", name: str = "Table 1") -> Outbox:
        log = self.folder / id / LOG_NAME
        outbox = Outbox(
            table,
            log,
            HubSettings(self.address(id), id, name),
            show_round=table.show_round,
        )
        outbox.start()
        self.open.append(outbox)
        return outbox

    def table(self, id: str = "table-1") -> Table:
        return new_table(self.folder / id, open_camera=None)

    def address(self, user: str) -> Any:
        return parse_address(f"mqtt://{user}:x@127.0.0.1:{self.broker.port}")

    def evening(self) -> "Evening":
        """A hub that has heard of a game's beginning, and the table where it is played."""
        database, receiver, room = self.hub()
        table = self.table()
        outbox = self.outbox(table)
        table.act("start", START)
        until(lambda: kinds(database) == ["started"], "the start")
        return Evening(database, receiver, room, table, outbox)

    def close(self, one: Any) -> None:
        self.open.remove(one)
        one.close()


class Evening(NamedTuple):
    """A game that is told: the hub's parts, and the table's."""

    database: Database
    receiver: Receiver
    room: Room
    table: Table
    outbox: Outbox


def finish_the_game(table: Table, room: Room) -> None:
    """Ada lays six wagons, 15 points and 10 for the longest path; the room has the sheet."""
    claim(table, "duluth--helena")
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})
    until(lambda: room.evidence("table-1") is not None, "the sheet")


@pytest.fixture
def club(
    postgres: Cluster, broker: Mosquitto, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Club]:
    running = Club(tmp_path, postgres.database(request.node.name), broker)
    yield running
    for one in running.open:
        with suppress(Exception):
            one.close()


def rows(database: Database, query: str) -> list[dict[str, Any]]:
    with database.transaction() as connection:
        return connection.execute(query).fetchall()


def told(database: Database) -> list[tuple[int, str | None]]:
    """Place and kind of everything that the hub was told, in order."""
    query = (
        "SELECT place, kind FROM events LEFT JOIN openings USING (table_id, event_id)"
        " ORDER BY table_id, place"
    )
    return [(row["place"], row["kind"]) for row in rows(database, query)]


def kinds(database: Database) -> list[str | None]:
    return [kind for _, kind in told(database)]


START = {**ADA_AND_BEN, "camera": False}


def claim(table: Table, route: str, owner: str = "red") -> None:
    table.act("correct-route", {"route": route, "owner": owner})


def test_a_hand_is_told_only_at_the_reveal_and_the_sheet_comes_out_the_same(club: Club) -> None:
    database, _, room, table, _ = club.evening()
    claim(table, "duluth--helena")
    table.act("show", {"phase": "tickets"})
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    table.act("add-ticket", {"player": "blue", "ticket": "denver--pittsburgh"})
    table.act("undo", {})
    until(lambda: len(told(database)) == 6, "six events")
    assert kinds(database) == ["started", "route-corrected", "shown", None, None, None]
    assert TICKET not in str(rows(database, "SELECT * FROM openings"))
    until(lambda: len(room.tables()) == 1 and room.tables()[0].state["phase"] == "tickets", "state")
    assert "boston" not in json.dumps(dict(room.tables()[0].state))

    table.act("finish", {})
    until(lambda: room.evidence("table-1") is not None, "the sheet")
    assert kinds(database)[6:] == ["finished", "ticket-added", "ticket-added", "undone"]
    evidence, own = room.evidence("table-1"), table.moment().sheet
    assert evidence is not None
    assert own is not None
    assert evidence.is_whole
    # Six wagons are 15 points, the longest path 10 more; Boston - Miami (12) is not joined.
    assert [one.total for one in evidence.sheet.players] == [13, 0]
    assert evidence.sheet.to_json() == own.to_json()
    (evening,) = rows(database, "SELECT board, result FROM evenings")
    assert evening["board"] == "usa"
    assert [one["total"] for one in evening["result"]["players"]] == [13, 0]


def test_a_deleted_person_is_named_no_more_on_the_page_of_a_table_that_shows_their_game(
    club: Club,
) -> None:
    """Ada, with 15 points and 10 for the longest path, is deleted before the next game."""
    database, receiver, room, table, _ = club.evening()
    finish_the_game(table, room)
    until(lambda: [one.state["winners"] for one in room.tables()] == [["Ada"]], "the state")
    desk = ClubDesk(database, room, {"usa": USA}, forgotten=receiver.work_out_anew)
    desk.forget(desk.add_person("Ada").id)
    until(lambda: "Ada" not in json.dumps(dict(room.tables()[0].state)), "no name")
    state = room.tables()[0].state
    assert [(one["name"], one["points"]) for one in state["standing"]] == [("–", 25), ("Ben", 0)]
    assert state["winners"] == ["–"]
    client = create_hub_app(room, SeatsAndHosts(Devices(b"k" * 32), LetIn())).test_client()
    for page in ("/", "/scoreboard", "/tables/table-1"):
        assert "Ada" not in client.get(page).text
    table.act("new-game", {})
    table.act("start", START)
    until(lambda: room.tables()[0].state["players"][0]["name"] == "Ada", "another game names her")


def test_a_deleted_person_is_named_no_more_where_a_table_was_switched_off_in_their_game(
    club: Club,
) -> None:
    """Nobody ends that game; a guest called like Ada, who plays the next one there, is named."""
    database, receiver, room, table, outbox = club.evening()
    claim(table, "duluth--helena")
    until(lambda: bool(room.tables()) and room.tables()[0].state.get("place") == 2, "the claim")
    until(lambda: len(kinds(database)) == 2, "the claim in the database, which may come later")
    club.close(outbox)
    table.close()
    desk = ClubDesk(database, room, {"usa": USA}, forgotten=receiver.work_out_anew)
    desk.forget(desk.add_person("Ada").id)
    until(lambda: "Ada" not in json.dumps(dict(room.tables()[0].state)), "no name")
    standing = room.tables()[0].state["standing"]
    assert [(one["name"], one["points"]) for one in standing] == [("–", 15), ("Ben", 0)]
    again = club.table()
    club.outbox(again)
    again.act("start", START)
    until(lambda: room.tables()[0].state["players"][0]["name"] == "Ada", "the next game's guest")


def test_names_that_are_swapped_on_the_final_sheet_are_swapped_in_the_room(club: Club) -> None:
    """Fifteen points and ten for the longest path were Ben's: he sat where Ada was typed."""
    database, _, room, table, _ = club.evening()
    finish_the_game(table, room)
    table.act("rename-player", {"player": "red", "name": "Ben"})

    def sheet() -> list[tuple[str, int]]:
        evidence = room.evidence("table-1")
        return [(one.name, one.total) for one in evidence.sheet.players] if evidence else []

    until(lambda: sheet() == [("Ben", 25), ("Ada", 0)], "the room's sheet")
    (evening,) = rows(database, "SELECT result FROM evenings")
    assert [one["name"] for one in evening["result"]["players"]] == ["Ben", "Ada"]


def test_a_table_plays_on_without_a_broker_and_its_events_come_later_once_in_order(
    club: Club,
) -> None:
    database, _, room, table, outbox = club.evening()
    club.broker.stop()
    claim(table, "duluth--helena")
    club.close(outbox)
    table.close()
    again = club.table()
    club.outbox(again)
    claim(again, "duluth--omaha-1")
    club.broker.start()
    claim(again, "denver--omaha", "blue")
    until(lambda: len(told(database)) == 4, "all four events")
    time.sleep(0.5)
    assert told(database) == [
        (1, "started"),
        (2, "route-corrected"),
        (3, "route-corrected"),
        (4, "route-corrected"),
    ]
    until(lambda: room.tables()[0].state["routes"].get("denver--omaha") == "blue", "the state")
    again.close()


def test_what_the_hub_missed_is_sent_again_and_what_it_has_is_not_doubled(club: Club) -> None:
    database, receiver, _, table, _ = club.evening()
    club.close(receiver)
    club.close(database)
    claim(table, "duluth--helena")
    claim(table, "duluth--omaha-1")
    database, _, room = club.hub()
    until(lambda: len(told(database)) == 3, "what the hub missed")
    until(lambda: len(room.tables()) == 1 and bool(room.tables()[0].state), "its state")
    assert room.tables()[0].name == "Table 1"


def replace_by_an_empty_one(address: str) -> None:
    """What an organiser does who begins with a database anew while the hub runs."""
    server, _, name = address.rpartition("=")
    with psycopg.connect(f"{server}=postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())


def empty(address: str) -> None:
    """All tables of the database go, the database stays."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@pytest.mark.parametrize("lose", [replace_by_an_empty_one, empty])
def test_a_database_that_is_another_one_is_filled_again_while_the_hub_runs(
    club: Club, lose: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing happens at the table meanwhile; the table that was shut out stays shut out."""
    monkeypatch.setattr(receivers, "LOOK_AT_DATABASE_S", 0.2)
    database, receiver, room, table, _ = club.evening()
    finish_the_game(table, room)
    room.shut_out("table-2", True)
    before = told(database)
    lose(club.database_address)

    def is_filled() -> bool:
        with suppress(DatabaseGoneError):
            return told(database) == before and bool(rows(database, "SELECT FROM evenings"))
        return False

    until(is_filled, "all of it once more")
    shut = rows(database, "SELECT id FROM tables WHERE is_shut_out")
    assert [row["id"] for row in shut] == ["table-2"]
    until(lambda: not room.troubles(), "the hub's banner is empty")
    desk = ClubDesk(database, room, {"usa": USA}, forgotten=receiver.work_out_anew)
    assert [one.board for one in desk.results()] == ["usa"]


def test_a_database_that_is_another_one_when_the_hub_starts_is_filled_though_nobody_plays(
    club: Club,
) -> None:
    database, receiver, _, table, _ = club.evening()
    claim(table, "duluth--helena")
    until(lambda: len(told(database)) == 2, "two events")
    club.close(receiver)
    club.close(database)
    replace_by_an_empty_one(club.database_address)
    database, _, _ = club.hub()
    until(lambda: kinds(database) == ["started", "route-corrected"], "both, once more")


def test_a_hub_that_starts_knows_every_table_before_it_shows_the_room(club: Club) -> None:
    speaker = BrokerConnection(club.address("x"), "speaker", "x/status", Listener())
    speaker.start()
    until(lambda: speaker.is_online, "the broker")
    kept: list[int] = []
    for number in range(39):
        topic = Topics(f"table-{number}").status
        speaker.publish(topic, "online", retain=True, confirmed=lambda: kept.append(1))
    until(lambda: len(kept) == 39, "the broker has them")
    _, receiver, room = club.hub()
    receiver.settle()
    assert len(room.tables()) == 39
    speaker.close()


def test_a_table_that_is_away_keeps_its_name_where_hub_and_broker_lose_their_power(
    club: Club,
) -> None:
    """The broker had not written yet what the table told of itself."""
    database, receiver, room, _, outbox = club.evening()
    until(lambda: room.name_of("table-1") == "Table 1", "the table")
    for one in (outbox, receiver, database):
        club.close(one)
    club.broker.stop()
    club.broker.start()
    database, _, again = club.hub()
    until(lambda: [table.name for table in again.tables()] == ["Table 1"], "the table by its name")
    assert rows(database, "SELECT name FROM tables") == [{"name": "Table 1"}]


def test_a_log_that_was_begun_anew_is_another_chain(club: Club) -> None:
    database, _, _, table, outbox = club.evening()
    claim(table, "duluth--helena")
    until(lambda: len(told(database)) == 2, "two events")
    time.sleep(1.2)  # the position is kept once a second
    claim(table, "duluth--omaha-1")
    until(lambda: len(told(database)) == 3, "three events")
    club.close(outbox)
    table.close()
    for path in (club.folder / "table-1").glob("evening.*"):
        path.unlink()
    again = club.table()
    club.outbox(again)
    again.act("start", START)
    until(lambda: len(told(database)) == 4, "the new log")
    assert len(rows(database, "SELECT DISTINCT chain FROM events")) == 2
    again.close()


def restored_table(club: Club, database: Database, *routes: str) -> Table:
    """A table whose folder is a copy of after its start: what it claimed then only the hub has."""
    table = club.table()
    outbox = club.outbox(table)
    table.act("start", START)
    until(lambda: len(told(database)) == 1, "the start")
    time.sleep(1.2)  # the position is kept once a second
    club.close(outbox)
    table.close()
    backup = shutil.copytree(club.folder / "table-1", club.folder / "backup")
    table = club.table()
    outbox = club.outbox(table)
    for route in routes:
        claim(table, route)
    until(lambda: len(told(database)) == 1 + len(routes), "what was claimed")
    club.close(outbox)
    table.close()
    shutil.rmtree(club.folder / "table-1")
    backup.rename(club.folder / "table-1")
    return club.table()


def test_a_folder_restored_from_a_backup_is_another_chain_and_loses_nothing(club: Club) -> None:
    database, _, _ = club.hub()
    table = restored_table(club, database, "duluth--helena", "duluth--omaha-1")
    club.outbox(table)
    claim(table, "denver--omaha", "blue")
    until(lambda: len(told(database)) == 5, "the restored log from its start")
    newest = "SELECT chain FROM events ORDER BY received_at DESC LIMIT 1"
    (chain,) = {row["chain"] for row in rows(database, newest)}
    places = rows(database, f"SELECT place, number FROM events WHERE chain = '{chain}'")
    assert sorted(row["place"] for row in places) == [1, 2]
    claim(table, "duluth--helena")
    claim(table, "duluth--omaha-1")
    until(lambda: len(told(database)) == 7, "and what is played after it")
    table.close()


def test_a_restored_log_that_has_grown_past_the_hub_is_another_chain(club: Club) -> None:
    database, _, _ = club.hub()
    table = restored_table(club, database, "duluth--helena")
    for route in ("denver--omaha", "duluth--omaha-1"):
        claim(table, route, "blue")
    club.outbox(table)
    until(lambda: len(told(database)) == 5, "all three events of the restored log")
    assert not rows(database, "SELECT id FROM set_aside")
    table.close()


def test_forged_and_foreign_messages_are_set_aside_and_told(club: Club) -> None:
    database, _, room, table, _ = club.evening()
    folder = club.folder / "table-1"
    chain = LogChain(folder / LOG_NAME, open_position(folder)[0])
    assert chain.read()
    (link,) = chain.links(0, 1)
    forger = BrokerConnection(club.address("table-1"), "forger", "forger/status", Listener())
    club.open.append(forger)
    forger.start()
    until(lambda: forger.is_online, "the forger's connection")
    changed = json.loads(link_to_json(link))
    changed["content"]["data"] = changed["content"]["data"].replace("Ada", "Eve")
    for payload in (json.dumps(changed), "{", "[]", '{"chain": 1}'):
        forger.publish(Topics("table-1").event, payload)
    until(lambda: len(rows(database, "SELECT id FROM set_aside")) == 4, "all set aside")
    assert "companion.relay" in str(room.tables()[0].troubles)
    assert len(told(database)) == 1
    claim(table, "duluth--helena")
    until(lambda: len(told(database)) == 2, "the table goes on")
    assert link_from_json(link_to_json(link).encode()) == link


def test_the_broker_keeps_no_word_of_the_hub_for_sessions_that_somebody_left_behind(
    club: Club,
) -> None:
    """With a table's credentials thousands are left, and each kept a word for every event."""
    database, receiver, _, table, _ = club.evening()
    heard: list[str] = []

    def come(then: str) -> Any:
        version = paho.CallbackAPIVersion.VERSION2
        guest = paho.Client(version, client_id="left-behind", clean_session=False)
        guest.on_subscribe = lambda *_: heard.append("subscribed")
        guest.on_message = lambda _client, _data, message: heard.append(message.topic)
        guest.connect("127.0.0.1", club.broker.port)
        if then == "subscribed":
            guest.subscribe([(Topics("table-1").have, 1), (Topics("table-1").round, 1)])
        guest.loop_start()
        until(lambda: then in heard, then)
        return guest

    def leave(guest: Any) -> None:
        guest.disconnect()
        guest.loop_stop()

    leave(come("subscribed"))
    heard.clear()
    for route in ("duluth--helena", "duluth--omaha-1"):
        claim(table, route)
    until(lambda: len(told(database)) == 3, "the claims")
    receiver.tell_round("table-1", ClubRound(tournament="Cup", number=1, table="1", ends_s=2e9))
    time.sleep(0.2)
    leave(come(Topics("table-1").round))
    assert heard == [Topics("table-1").round]


def test_a_table_that_is_shut_out_is_heard_no_more(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "AGAIN_S", 0.5)
    database, _, room, table, outbox = club.evening()
    room.shut_out("table-1", True)
    claim(table, "duluth--helena")
    time.sleep(1.0)
    assert len(told(database)) == 1
    club.close(outbox)
    until(lambda: not room.tables()[0].is_online, "that it is gone")
    club.outbox(table)
    until(lambda: room.tables()[0].is_online, "that it is there again")
    room.shut_out("table-1", False)
    until(lambda: len(told(database)) == 2, "what was missed", 15)


def test_a_round_is_told_to_its_table_and_again_after_a_power_cut(club: Club) -> None:
    _, receiver, room = club.hub()
    table = club.table()
    outbox = club.outbox(table)
    until(lambda: len(room.tables()) == 1, "the table")
    cup = ClubRound(tournament="Cup", number=1, table="1", ends_s=1_750_000_000.0)
    receiver.tell_round("table-1", cup)
    until(lambda: table.state().get("club_round") == cup, "the round")
    club.close(outbox)
    table.close()
    again = club.table()
    club.outbox(again)
    until(lambda: again.state().get("club_round") == cup, "the round after a power cut")
    receiver.tell_round("table-1", None)
    until(lambda: "club_round" not in again.state(), "the end of the round")


def test_a_table_that_comes_after_the_timer_s_start_is_told_its_round(club: Club) -> None:
    """So is one that is given the tournament's name only then, and any after the hub's restart."""
    database = Database.open(club.database_address)
    room = Room({"usa": USA})
    receiver = Receiver(club.address("hub"), database, room)
    desk = ClubDesk(database, room, {"usa": USA}, receiver.tell_round)
    club.open += [receiver, database]
    evening = desk.add_tournament("Cup", 90)
    desk.add_table(evening, "Table 1", "usa")
    for name in ("Ada", "Ben", "Cleo"):
        desk.arrive(evening, desk.add_person(name).id)
    desk.draw(evening)
    desk.begin_round(evening)
    receiver.start(desk.tell_tables)
    table = club.table()
    outbox = club.outbox(table, name="The bar")
    until(lambda: room.name_of("table-1") == "The bar", "the table")
    assert "club_round" not in table.state()
    club.close(outbox)
    club.outbox(table, name="Table 1")
    until(lambda: table.state().get("club_round", {}).get("table") == "Table 1", "the round")
