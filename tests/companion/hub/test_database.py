"""The hub's schema comes by migrations, keeps what was told, and yields to a newer program."""

import os
import signal
import subprocess
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest
from yoyo.backends.base import DatabaseBackend

from companion.cli.main import main
from companion.errors import UnusableInputError, UsageError
from companion.hub import database as database_module
from companion.hub.database import MIGRATIONS, Database, DatabaseGoneError, migrate
from tests.support.postgres import Cluster

PACKAGE = Path(__file__).parents[3] / "packaging/hub"


@pytest.fixture
def address(postgres: Cluster, request: pytest.FixtureRequest) -> str:
    return postgres.database(request.node.name)


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


def test_a_hub_that_was_killed_while_it_began_keeps_no_later_one_out(address: str) -> None:
    """The row is yoyo's lock, as a power cut leaves it."""
    migrate(address)
    with psycopg.connect(address) as connection:
        connection.execute("INSERT INTO yoyo_lock (locked, ctime, pid) VALUES (1, now(), 4711)")
    with Database.open(address) as database:
        told(database)


@pytest.mark.parametrize("done", [0, 3, 5])
def test_a_hub_that_was_killed_in_the_middle_of_its_migrations_goes_on_with_the_next(
    address: str, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """Killed where it notes that one is done: nothing more reaches the server. Its tables were
    there then, and whichever hub began later wanted to make them once more."""
    noted: list[str] = []
    execute = DatabaseBackend.execute

    def until_the_kill(backend: DatabaseBackend, sql: str, params: Any = None) -> Any:
        noted.extend([sql] * sql.startswith('INSERT INTO "migrations"'))
        if len(noted) > done:
            raise KeyboardInterrupt
        return execute(backend, sql, params)

    with monkeypatch.context() as patch:
        patch.setattr(DatabaseBackend, "execute", until_the_kill)
        with pytest.raises(KeyboardInterrupt):
            migrate(address)
    with Database.open(address) as database:
        told(database)


@pytest.mark.parametrize("table", ["events", "openings"])
@pytest.mark.parametrize("change", ["UPDATE {} SET received_at = now()", "DELETE FROM {}"])
def test_what_was_told_can_be_neither_changed_nor_deleted(
    postgres: Cluster, table: str, change: str
) -> None:
    name = f"stay_{table}_{change[:6].lower()}"
    with Database.open(postgres.database(name)) as database:
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


def test_results_that_counted_before_are_known_by_the_names_that_they_counted_by(
    address: str,
) -> None:
    """Where this program reads other names in the table's events, the organiser is asked."""
    migrate(address)
    with psycopg.connect(address) as connection:
        connection.execute((MIGRATIONS / "0003.told.rollback.sql").read_bytes())
        connection.execute("DELETE FROM migrations WHERE migration_id = '0003.told'")
        connection.execute("INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " VALUES ('t1', 'e1', 'usa', now(), now(), '{}',"
            """ '{"players": [{"name": "Zoe"}, {"name": "Ben"}]}')"""
        )
        connection.execute(
            "INSERT INTO games (board, ended_at, table_id, evening)"
            " VALUES ('usa', now(), 't1', 'e1'), ('usa', now(), NULL, NULL)"
        )
    migrate(address)
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT told FROM games ORDER BY id").fetchall()
    assert rows == [(["Zoe", "Ben"],), (None,)]


@pytest.mark.parametrize(
    ("login", "reason"),
    [
        ("host={folder} user=postgres dbname=nosuch", 'database "nosuch" does not exist'),
        ("host={folder} user=nobody dbname=postgres", 'role "nobody" does not exist'),
        ("host={folder}/away dbname=postgres", "No such file or directory"),
        ("host=127.0.0.1 port=1 dbname=postgres", "Connection refused"),
    ],
)
def test_why_the_hub_cannot_use_its_database_is_one_sentence_with_what_to_do(
    postgres: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], login: str, reason: str
) -> None:
    address = login.format(folder=postgres.folder)
    words = ["hub", "--database", address, "--data", str(tmp_path), "--port", "0"]
    assert main([*words, "--language", "it"]) == 3
    (said,) = capsys.readouterr().err.splitlines()
    ours, theirs = said.split("PostgreSQL dice: ")
    assert ours == (
        "companion hub: Il database non risponde, o non fa entrare l'hub. Avvia PostgreSQL, oppure"
        " indica con --database l'indirizzo, il nome, l'utente e la password giusti. "
    )
    assert reason in theirs


def test_a_database_in_which_the_hub_may_make_no_tables_is_told(
    postgres: Cluster, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So it is where `createdb` was called without an owner (PostgreSQL 15 and later)."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE ROLE club LOGIN")
        connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")  # older ones allow it
    name = address.rpartition("=")[2]
    login = f"host={postgres.folder} user=club dbname={name}"
    assert main(["hub", "--database", login, "--data", str(tmp_path), "--port", "0"]) == 3
    (said,) = capsys.readouterr().err.splitlines()
    assert f"ALTER DATABASE {name} OWNER TO club" in said


def test_a_database_that_only_lets_the_hub_read_is_told_at_the_start(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a copy that stands in for the club's server does."""
    migrate(address)
    read_only = f"{address} options='-c default_transaction_read_only=on'"
    assert main(["hub", "--database", read_only, "--data", str(tmp_path), "--port", "0"]) == 3
    (said,) = capsys.readouterr().err.splitlines()
    assert "lets the hub read, but not write (cannot execute" in said


@pytest.mark.parametrize(
    ("away", "reason"),
    [
        ("SET TRANSACTION READ ONLY", "read-only transaction"),
        ("SET LOCAL ROLE guest", "permission denied for table tables"),
    ],
)
def test_a_database_that_lets_the_hub_write_no_more_is_told_until_it_does(
    address: str, away: str, reason: str
) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest")
    with Database.open(address) as database:
        with (
            pytest.raises(DatabaseGoneError, match=rf"read, but not write \(.*{reason}"),
            database.transaction() as connection,
        ):
            connection.execute(f"{away}; INSERT INTO tables (id, name) VALUES ('t1', 'Table 1')")
        told(database)


def test_a_server_that_has_no_connection_left_says_so(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or whose user has another password since: the organiser reads what PostgreSQL says."""
    monkeypatch.setattr(database_module, "CONNECT_S", 0.5)
    name = address.rpartition("=")[2]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest_of_none LOGIN")
        connection.execute(f"ALTER DATABASE {name} OWNER TO guest_of_none".encode())
        login = f"host={postgres.folder} user=guest_of_none dbname={name}"
        with Database.open(login) as database:
            told(database)
            connection.execute("ALTER ROLE guest_of_none CONNECTION LIMIT 0")
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s"
            connection.execute(ended, ["guest_of_none"])
            with (
                pytest.raises(DatabaseGoneError, match="too many connections for role"),
                database.transaction(),
            ):
                pass


def test_a_server_that_stands_still_holds_no_page_for_ever(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where its disk hangs: connections stay open, and nothing is answered."""
    monkeypatch.setattr(database_module, "CONNECT_S", 0.5)
    with Database.open(address) as database:
        told(database)
        found = []

        def ask() -> None:
            try:
                with database.transaction():
                    pass
            except DatabaseGoneError as error:
                found.append(error.message.key)

        asking = Thread(target=ask, daemon=True)
        try:
            postgres.hold(signal.SIGSTOP)
            asking.start()
            asking.join(30)
        finally:
            postgres.hold(signal.SIGCONT)
        assert found == ["companion.hub.database-gone"]
        with database.transaction() as connection:
            assert connection.execute("SELECT id FROM tables").fetchall() == [{"id": "t1"}]


def test_no_server_and_no_address_are_one_sentence_each(tmp_path: object) -> None:
    with pytest.raises(DatabaseGoneError, match="does not answer"):
        migrate(f"host={tmp_path} dbname=companion user=x")
    with pytest.raises(UsageError, match="not an address"):
        migrate("postgresql://[")


def test_two_changes_that_wait_for_each_other_are_no_database_that_is_away(address: str) -> None:
    """One of the two is given up, and can be tried again."""
    first = "INSERT INTO tables (id, name) VALUES ('t1', 'Table 1'), ('t2', 'Table 2')"
    change = "UPDATE tables SET name = 'X' WHERE id = %s"
    both, refused = Barrier(2), []

    def work(database: Database, one: str, other: str) -> None:
        try:
            with database.transaction() as connection:
                connection.execute(change, [one])
                both.wait(30)
                connection.execute(change, [other])
        except DatabaseGoneError as error:
            refused.append(error)

    with Database.open(address) as database:
        with database.transaction() as connection:
            connection.execute(first)
        threads = [Thread(target=work, args=(database, *w)) for w in (("t1", "t2"), ("t2", "t1"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    (error,) = refused
    assert "Somebody else changed the same" in error.sentence("en")
    assert error.public_key is None


def test_a_server_without_room_is_told_as_one_that_answers(address: str) -> None:
    """PostgreSQL's own word for it (53100) is raised in its place: no test fills a disk."""
    full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
    with Database.open(address) as database:
        with (
            pytest.raises(DatabaseGoneError, match=r"no room left.*could not extend file"),
            database.transaction() as connection,
        ):
            connection.execute(full)
        told(database)


def test_an_address_with_a_mistake_is_not_repeated_for_it_may_hold_a_password() -> None:
    with pytest.raises(UsageError) as raised:
        migrate("postgresql:/club:SECRET@host/companion")
    assert "SECRET" not in raised.value.sentence("en") + raised.value.sentence("it")
    assert raised.value.__cause__ is None


def package(
    postgres: Cluster, address: str, script: str, *words: str, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run a script of the package for the database of an address."""
    environment = {
        **os.environ,
        "PGHOST": str(postgres.folder),
        "PGUSER": "postgres",
        "COMPANION_HUB_DATABASE": address.rpartition("=")[2],
        "COMPANION_HUB_OWNER": "postgres",
        "COMPANION_HUB_ADMIN": "env",
        **more,
    }
    command = ["sh", str(PACKAGE / script), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def backed_up(postgres: Cluster, address: str, folder: Path) -> Path:
    """The copy that the package's own script makes of a database."""
    copy = package(postgres, address, "companion-hub-backup", str(folder))
    assert copy.returncode == 0, copy.stderr
    return Path(copy.stdout.strip())


def told_database(postgres: Cluster, name: str) -> str:
    """The address of a new database that was told of a table."""
    address = postgres.database(name)
    with Database.open(address) as database:
        told(database)
    return address


def tables_in(address: str) -> list[str]:
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT id FROM tables ORDER BY id").fetchall()
    return [id for (id,) in rows]


def test_a_backup_comes_back_whole_and_is_as_unchangeable(
    postgres: Cluster, tmp_path: Path
) -> None:
    """By the package's own scripts."""
    address = told_database(postgres, "backed_up")
    copy = backed_up(postgres, address, tmp_path)
    assert copy.stat().st_mode & 0o077 == 0, "others could read players' links"
    half = tmp_path / "half.dump"
    half.write_bytes(copy.read_bytes()[:3000])
    with psycopg.connect(address) as connection:
        connection.execute("INSERT INTO tables (id, name) VALUES ('t2', 'Table 2')")
    refused = package(postgres, address, "companion-hub-restore", str(half))
    assert refused.returncode == 3
    assert "nothing was changed" in refused.stderr
    assert tables_in(address) == ["t1", "t2"]
    with psycopg.connect(address):  # as a psql that somebody has left open
        restored = package(postgres, address, "companion-hub-restore", str(copy))
    assert restored.returncode == 0, restored.stderr
    with Database.open(address) as database:
        with database.transaction() as connection:
            assert connection.execute("SELECT event_id FROM openings").fetchall() == [
                {"event_id": "e1"}
            ]
            assert connection.execute("SELECT id FROM tables").fetchall() == [{"id": "t1"}]
        with (
            pytest.raises(psycopg.errors.RaiseException, match="append-only"),
            database.transaction() as connection,
        ):
            connection.execute("DELETE FROM events")


def test_a_copy_of_something_else_or_of_a_newer_program_takes_no_clubs_place(
    postgres: Cluster, tmp_path: Path
) -> None:
    """Whoever takes the wrong file had an empty club, and was told that it is as in that file."""
    address, other = told_database(postgres, "replaced"), postgres.database("other")
    known = tmp_path / "migrations"
    known.mkdir()
    for one in sorted(MIGRATIONS.glob("*.sql"))[:-1]:  # as the program was before its newest one
        (known / one.name).touch()
    with psycopg.connect(other) as connection:
        connection.execute("CREATE TABLE recipes (name text)")
    newer, foreign, bare = (tmp_path / f"{name}.dump" for name in ("newer", "foreign", "bare"))
    for file, of, *what in (
        (newer, address),
        (foreign, other),
        (bare, address, "--schema-only"),
    ):
        dump = ["pg_dump", "--format=custom", f"--file={file}", f"--dbname={of}", *what]
        subprocess.run(dump, check=True)
    for file, told_so in (
        (foreign, "no copy of a club's database"),
        (bare, "no copy of a club's database"),
        (newer, "a newer Companion"),
    ):
        refused = package(
            postgres,
            address,
            "companion-hub-restore",
            str(file),
            COMPANION_HUB_MIGRATIONS=str(known),
        )
        assert refused.returncode == 3
        assert told_so in refused.stderr
        assert tables_in(address) == ["t1"]
    restored = package(
        postgres,
        address,
        "companion-hub-restore",
        str(newer),
        COMPANION_HUB_MIGRATIONS=str(MIGRATIONS),
    )
    assert restored.returncode == 0, restored.stderr


def test_a_database_that_was_lost_comes_back_from_its_copy(
    postgres: Cluster, tmp_path: Path
) -> None:
    address = told_database(postgres, "lost")
    copy = backed_up(postgres, address, tmp_path)
    server = address.replace(address.rpartition("=")[2], "postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {address.rpartition('=')[2]}".encode())
    restored = package(postgres, address, "companion-hub-restore", str(copy))
    assert restored.returncode == 0, restored.stderr
    assert tables_in(address) == ["t1"]


def test_a_backup_by_a_clock_that_is_behind_is_kept(postgres: Cluster, tmp_path: Path) -> None:
    """Thirty copies by a clock that was years ahead once: the night's own was deleted at once."""
    address = postgres.database("kept")
    migrate(address)
    for day in range(1, 31):
        (tmp_path / f"companion-204003{day:02}-043000.dump").touch()
    assert backed_up(postgres, address, tmp_path).exists()
    assert len(list(tmp_path.iterdir())) == 30
