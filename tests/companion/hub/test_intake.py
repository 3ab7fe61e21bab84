"""What the hub takes in, on a real PostgreSQL: no table keeps back another, nothing grows."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.hub import evidence, intake
from companion.hub import receiver as receiver_module
from companion.hub.club.finished import FinishedGames
from companion.hub.database import Connection, Database, migrate
from companion.hub.evidence import keep_evenings, replayed_rows
from companion.hub.inbox import ASIDE, CHAINS
from companion.hub.intake import Intake, Taken, aside_of
from companion.hub.receiver import Receiver
from companion.hub.replays import Replays
from companion.hub.room import Room
from companion.log.file import read_log
from companion.log.rows import Row
from companion.log.store import LOG_NAME
from companion.mqtt.address import BrokerAddress, parse_address
from companion.mqtt.connection import Heard, Listener
from companion.relay.wire import Have, Link, Topics, link_row, link_to_json
from scoring.game.game import Game
from scoring.language import Message
from scoring.sheet.sheet import Sheet
from tests.companion.tables import ADA_AND_BEN, USA, new_table
from tests.support.postgres import Cluster
from tests.support.waiting import until

NONCE = "b" * 32


@pytest.fixture
def database(postgres: Cluster, request: pytest.FixtureRequest) -> Iterator[Database]:
    with Database.open(postgres.database(request.node.name, migrate)) as database:
        yield database


def links(chain: str, count: int) -> list[Link]:
    made: list[Link] = []
    for number in range(1, count + 1):
        row = Row(number, 1e9 + number, "shown", "{}", "", "")
        made.append(link_row(chain, made[-1] if made else None, row, NONCE, is_open=True))
    return made


def aside(database: Database) -> list[tuple[str, str]]:
    with database.transaction() as connection:
        found = connection.execute("SELECT table_id, payload FROM set_aside ORDER BY id").fetchall()
    return [(row["table_id"], row["payload"]) for row in found]


def test_the_hub_s_word_names_its_last_message_also_after_a_restart(database: Database) -> None:
    chain = links("a" * 32, 3)
    taken = Intake(database).take([("t1", link) for link in chain], {})
    assert taken.have == {"t1": Have("a" * 32, 3, id=chain[2].id)}
    assert Intake(database).have() == taken.have


class Broker:
    """A connection to a broker that is there at once; messages are delivered by `hear`."""

    def __init__(
        self, address: BrokerAddress, name: str, status_topic: str, listener: Listener, *_: int
    ) -> None:
        self.name = name
        self.said: list[str | bytes] = []
        self._listener = listener
        self._heard: dict[str, Heard] = {}

    def subscribe(self, topic_filter: str, heard: Heard) -> None:
        self._heard[topic_filter.rpartition("/")[2]] = heard

    def start(self) -> None:
        self._listener.online()

    def close(self) -> None:
        """Nothing is open."""

    def publish(self, topic: str, payload: str | bytes, **_: bool) -> None:
        self.said.append(payload)

    def hear(self, table: str, payloads: Iterable[bytes]) -> None:
        topic = Topics(table).event
        for payload in payloads:
            self._heard["event"](topic, payload)


@pytest.fixture
def hub(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Receiver, Broker, Room]]:
    """A receiver that is started by the test, its broker and its room."""
    made: list[Broker] = []

    def connected(*given: Any) -> Broker:
        made.append(Broker(*given))
        return made[0]

    monkeypatch.setattr(receiver_module, "BrokerConnection", connected)
    room = Room({})
    receiver = Receiver(parse_address("mqtt://hub:x@127.0.0.1:1"), database, room)
    yield receiver, made[0], room
    receiver.close()


def place_of(database: Database, table: str) -> int:
    have = Intake(database).have().get(table)
    return 0 if have is None else have.place


def as_sent(*links: Link) -> list[bytes]:
    return [link_to_json(link).encode() for link in links]


def test_a_message_that_cannot_be_taken_keeps_back_no_other_table(
    database: Database,
    hub: tuple[Receiver, Broker, Room],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    receiver, broker, _ = hub
    good, bad = links("a" * 32, 4), links("c" * 32, 2)
    write = intake._write

    def fails(
        connection: Connection, new: Mapping[tuple[str, str], Link], names: Mapping[str, str]
    ) -> None:
        if bad[1] in new.values():
            raise ValueError("a fault of the program")
        write(connection, new, names)

    monkeypatch.setattr(intake, "_write", fails)
    for table, link in [("good", good[0]), ("bad", bad[0]), ("good", good[1]), ("bad", bad[1])]:
        broker.hear(table, as_sent(link))
    broker.hear("good", as_sent(good[2]))
    receiver.start()
    until(lambda: place_of(database, "good") == 3 and aside(database) != [])
    assert place_of(database, "bad") == 1
    assert [table for table, _ in aside(database)] == ["bad"]

    broker.hear("bad", as_sent(bad[1]))  # as the table sends it again
    broker.hear("good", as_sent(good[3]))
    until(lambda: place_of(database, "good") == 4)
    assert [table for table, _ in aside(database)] == ["bad"]
    (told,) = caplog.records
    assert "A message of bad could not be taken." in told.getMessage()


def test_what_is_set_aside_is_kept_once_and_the_newest_of_each_table(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MOST_ASIDE", 3)
    reason, taker = Message("companion.relay.no-message"), Intake(database)
    for payload in ("0", "1", "1", "2", "2", "3", "4", "4"):
        taker.set_aside(aside_of("t1", payload.encode(), reason))
    taker.set_aside(aside_of("t2", b"4", reason))
    assert aside(database) == [("t1", "2"), ("t1", "3"), ("t1", "4"), ("t2", "4")]


def test_a_name_deleted_while_games_are_worked_out_stays_in_none_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As at the hub's start, when every table's games are: they were written with the name."""
    replays = Replays(Database(""), Room({}), lambda table: Have("a" * 32, 1))
    replays.work_out_anew(["t1"])
    worked_out: list[str] = []

    def work_out(table: str) -> None:
        worked_out.append(table)
        if len(worked_out) == 1:
            replays.work_out_anew(["t1"])

    monkeypatch.setattr(replays, "_work_out", work_out)
    for _ in range(3):
        replays.work_out_due()
    assert worked_out == ["t1", "t1"]


def test_a_table_that_floods_the_room_keeps_back_no_other(
    database: Database, hub: tuple[Receiver, Broker, Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rubbish, logs begun anew, one message again and again: the other's comes with the next."""
    receiver, broker, room = hub
    taken: list[list[str]] = []
    take = Intake.take

    def noted(self: Intake, batch: Sequence[tuple[str, Link]], names: dict[str, str]) -> Taken:
        taken.append([table for table, _ in batch])
        return take(self, batch, names)

    monkeypatch.setattr(Intake, "take", noted)
    monkeypatch.setattr(receiver_module, "MOST_AT_ONCE", 2)
    broker.hear("evil", (b"%d" % n for n in range(1_000)))
    begun = as_sent(*(links(f"{n:032x}", 1)[0] for n in range(1_000)))
    broker.hear("evil", begun)
    broker.hear("evil", begun[:1] * 1_000)
    (good,) = links("a" * 32, 1)
    broker.hear("good", as_sent(good))
    receiver.start()

    def chains() -> int:
        with database.transaction() as connection:
            (kept,) = connection.execute("SELECT count(*) AS n FROM chains").fetchall()
        return int(kept["n"])

    until(lambda: chains() == 1 + CHAINS.at_once and len(aside(database)) == ASIDE.at_once)
    assert "good" in taken[0]
    assert Intake(database).have()["good"] == Have("a" * 32, 1, id=good.id)
    (evil,) = [one for one in room.tables() if one.id == "evil"]
    assert [trouble["key"] for trouble in evil.troubles] == ["companion.hub.too-much"]


def test_no_table_learns_the_name_by_which_the_hub_is_known_to_the_broker(
    database: Database, hub: tuple[Receiver, Broker, Room]
) -> None:
    """The broker ends the connection of whoever has the name that another one comes with."""
    receiver, broker, _ = hub
    Intake(database).take([("t1", links("a" * 32, 1)[0])], {})
    receiver.start()
    until(lambda: broker.said != [])
    assert json.loads(broker.said[0])["hub"] not in broker.name


def test_games_that_are_what_they_were_are_not_scored_again(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A season's games at every further one would keep the others' waiting."""
    scored: list[Game] = []
    score = evidence.score

    def counting(game: Game) -> Sheet:
        scored.append(game)
        return score(game)

    monkeypatch.setattr(evidence, "score", counting)
    table = new_table(tmp_path, open_camera=None)
    kept: dict[str, bytes] = {}
    counts = []
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
    for _ in range(2):
        table.act("start", {**ADA_AND_BEN, "camera": False})
        table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
        table.act("finish", {})
        table.act("new-game", {})
        rows = [
            {"number": row.number, "at_s": row.at, "kind": row.kind, "data": row.data}
            for row in read_log(tmp_path / LOG_NAME)[1]
        ]
        found = replayed_rows(rows, {"usa": USA})
        kept = keep_evenings(database, "t1", found, {"usa": USA}, kept)
        counts.append(len(scored))
    table.close()
    assert len(kept) == 2
    assert counts == [1, 2]


def test_a_finished_game_waits_with_what_its_sheet_holds_against_it(
    database: Database, tmp_path: Path
) -> None:
    """Duluth - Helena is 6 of 45 wagons: 39 are left, and somebody counted 40."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    table.act("count-wagons", {"player": "red", "wagons": 40})
    table.act("finish", {})
    table.close()
    told_games(database, tmp_path)
    (game,) = FinishedGames(database).newest()
    assert game.against_it("en") == [
        "No ticket has been entered for Ada.",
        "No ticket has been entered for Ben.",
        "Nobody has 2 wagons or fewer left, which ends the game: the fewest are 39 (Ada).",
        "Wagons left of Ada: 40 by count, 39 by the board.",
    ]


def told_games(database: Database, folder: Path) -> list[bool]:
    """Whether each game that the table told counts as deleted, the oldest first."""
    log = read_log(folder / LOG_NAME)[1]
    told = [
        {"number": row.number, "at_s": row.at, "kind": row.kind, "data": row.data} for row in log
    ]
    keep_evenings(database, "t1", replayed_rows(told, {"usa": USA}), {"usa": USA}, {})
    with database.transaction() as connection:
        kept = connection.execute("SELECT is_deleted FROM evenings ORDER BY began_at")
        return [row["is_deleted"] for row in kept]


def test_a_finished_game_that_its_table_takes_back_waits_for_nobody(
    database: Database, tmp_path: Path
) -> None:
    """A trial game: finished, then taken back step by step; the next one is played for good."""
    table = new_table(tmp_path, open_camera=None)
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("finish", {})
    assert told_games(database, tmp_path) == [False]
    table.act("undo", {"really": True})
    assert told_games(database, tmp_path) == [False], "it is corrected perhaps"
    table.act("undo", {"really": True})
    assert told_games(database, tmp_path) == [True]
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("finish", {})
    assert told_games(database, tmp_path) == [True, False]
    table.close()


def test_a_copy_from_the_middle_of_a_game_takes_no_result_away(
    database: Database, tmp_path: Path
) -> None:
    """A box is broken, and its copy is older than the end of its last game."""
    table = new_table(tmp_path / "box", open_camera=None)
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
    table.act("start", {**ADA_AND_BEN, "camera": False})
    shutil.copytree(tmp_path / "box", tmp_path / "copy")
    table.act("finish", {})
    table.close()
    assert told_games(database, tmp_path / "box") == [False]
    table = new_table(tmp_path / "copy", open_camera=None)
    table.act("new-game", {})
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.close()
    assert told_games(database, tmp_path / "copy") == [False]


def test_the_hub_keeps_no_name_that_a_table_joins_with_another(database: Database) -> None:
    """It knows its people itself, and a name that was deleted there would be back."""
    said = json.dumps({"alias": "Giuly", "person": "Giulia"})
    kinds = ("names-joined", "names-parted")
    chain: list[Link] = []
    for number, kind in enumerate(kinds, 1):
        row = Row(number, 1e9 + number, kind, said, "", "")
        chain.append(link_row("a" * 32, chain[-1] if chain else None, row, NONCE, is_open=True))
    taken = Intake(database).take([("t1", link) for link in chain], {})
    assert taken.have == {"t1": Have("a" * 32, 2, id=chain[1].id)}
    with database.transaction() as connection:
        kept = connection.execute("SELECT kind, data, nonce FROM openings").fetchall()
    assert sorted(row["kind"] for row in kept) == list(kinds)
    assert "Giul" not in str(kept)
    assert {row["nonce"] for row in kept} == {""}
    rows = [{"number": 1 + n, "at_s": 1e9, **one} for n, one in enumerate(kept)]
    assert replayed_rows(rows, {}).evenings == ()
