"""The hub's schema comes by migrations, keeps what was told, and yields to a newer program."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from companion.errors import UnusableInputError, UsageError
from companion.hub.database import Database, DatabaseGoneError, migrate
from tests.support.postgres import Cluster, cluster


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def address(server: Cluster, request: pytest.FixtureRequest) -> str:
    return server.database(request.node.name.lower()[:60])


def told(database: Database) -> None:
    """One event of one table, with what it says."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
        connection.execute("INSERT INTO chains (table_id, chain) VALUES ('t1', 'c')")
        connection.execute(
            "INSERT INTO events"
            " (table_id, event_id, chain, place, number, at_s, before_id, commitment)"
            " VALUES ('t1', 'e1', 'c', 1, 1, 0, 'y', 'x')"
        )
        connection.execute(
            "INSERT INTO openings (table_id, event_id, kind, data, nonce)"
            " VALUES ('t1', 'e1', 'started', '{}', 'n')"
        )


def test_migrating_twice_changes_nothing(address: str) -> None:
    migrate(address)
    with Database.open(address) as database:
        told(database)
    with Database.open(address) as database, database.transaction() as connection:
        assert connection.execute("SELECT kind FROM openings").fetchall() == [{"kind": "started"}]


@pytest.mark.parametrize("table", ["events", "openings"])
@pytest.mark.parametrize("change", ["UPDATE {} SET received_at = now()", "DELETE FROM {}"])
def test_what_was_told_can_be_neither_changed_nor_deleted(
    server: Cluster, table: str, change: str
) -> None:
    name = f"stay_{table}_{change[:6].lower()}"
    with Database.open(server.database(name)) as database:
        told(database)
        with (
            pytest.raises(psycopg.errors.RaiseException, match="append-only"),
            database.transaction() as connection,
        ):
            connection.execute(change.format(table))


def test_a_database_of_a_newer_program_is_left_alone(address: str) -> None:
    migrate(address)
    with psycopg.connect(address) as connection:
        connection.execute(
            "INSERT INTO migrations (migration_hash, migration_id, applied_at_utc)"
            " VALUES ('x', '9999.tomorrow', now())"
        )
    with pytest.raises(UnusableInputError, match=r"newer.*9999\.tomorrow"):
        migrate(address)


def test_no_server_and_no_address_are_one_sentence_each(tmp_path: object) -> None:
    with pytest.raises(DatabaseGoneError, match="does not answer"):
        migrate(f"host={tmp_path} dbname=companion user=x")
    with pytest.raises(UsageError, match="not an address"):
        migrate("postgresql://[")


def test_an_address_with_a_mistake_is_not_repeated_for_it_may_hold_a_password() -> None:
    with pytest.raises(UsageError) as raised:
        migrate("postgresql:/club:SECRET@host/companion")
    assert "SECRET" not in raised.value.sentence("en") + raised.value.sentence("it")
    assert raised.value.__cause__ is None


def test_a_backup_comes_back_whole_and_is_as_unchangeable(server: Cluster, tmp_path: Path) -> None:
    with Database.open(server.database("before_backup")) as database:
        told(database)
    dump = tmp_path / "club.dump"
    login = ["-h", str(server.folder), "-U", "postgres"]
    again = server.database("after_backup")
    for words in (
        ["pg_dump", *login, "--format=custom", f"--file={dump}", "before_backup"],
        ["pg_restore", *login, "--dbname=after_backup", str(dump)],
    ):
        subprocess.run(words, check=True, capture_output=True)
    with Database.open(again) as database:
        with database.transaction() as connection:
            assert connection.execute("SELECT event_id FROM openings").fetchall() == [
                {"event_id": "e1"}
            ]
        with (
            pytest.raises(psycopg.errors.RaiseException, match="append-only"),
            database.transaction() as connection,
        ):
            connection.execute("DELETE FROM events")
