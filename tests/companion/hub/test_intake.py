"""What the hub takes in, on a real PostgreSQL: no table keeps back another, nothing grows."""

from collections.abc import Iterator

import pytest

from companion.hub import intake
from companion.hub.database import Connection, Database
from companion.hub.intake import Intake
from companion.hub.receiver import Receiver
from companion.hub.room import Room
from companion.log.rows import Row
from companion.mqtt.address import parse_address
from companion.relay.wire import Have, Link, link_row
from scoring.language import Message
from tests.support.postgres import Cluster

NONCE = "b" * 32


@pytest.fixture
def database(postgres: Cluster, request: pytest.FixtureRequest) -> Iterator[Database]:
    with Database.open(postgres.database(request.node.name)) as database:
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


def test_a_message_that_cannot_be_taken_keeps_back_no_other_table(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("paho.mqtt.client")
    good, bad = links("a" * 32, 3), links("c" * 32, 2)
    write = intake._write

    def fails(connection: Connection, table: str, link: Link, name: str) -> None:
        if link == bad[1]:
            raise ValueError("a fault of the program")
        write(connection, table, link, name)

    monkeypatch.setattr(intake, "_write", fails)
    receiver = Receiver(parse_address("mqtt://hub:x@127.0.0.1:1"), database, Room({}))
    batch = [("good", good[0]), ("bad", bad[0]), ("good", good[1]), ("bad", bad[1])]
    receiver._write([*batch, ("good", good[2])])
    have = Intake(database).have()
    assert (have["good"].place, have["bad"].place) == (3, 1)
    assert [table for table, _ in aside(database)] == ["bad"]

    receiver._write([("bad", bad[1])])  # as the table sends it again
    assert [table for table, _ in aside(database)] == ["bad"]
    (told,) = caplog.records
    assert "A message of bad could not be taken." in told.getMessage()


def test_what_is_set_aside_is_kept_once_and_the_newest_of_each_table(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MOST_ASIDE", 3)
    reason, taker = Message("companion.relay.no-message"), Intake(database)
    for payload in ("0", "1", "1", "2", "2", "3", "4", "4"):
        taker.set_aside("t1", payload.encode(), reason)
    taker.set_aside("t2", b"4", reason)
    assert aside(database) == [("t1", "2"), ("t1", "3"), ("t1", "4"), ("t2", "4")]
