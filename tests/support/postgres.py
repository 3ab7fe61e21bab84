"""A PostgreSQL server of the tests' own, in a folder that goes with them."""

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest


def server_folder() -> Path | None:
    """Where this machine's newest PostgreSQL has its programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return None if initdb is None else Path(initdb).parent


class Cluster:
    """A server that listens on a socket in its folder alone; `postgres` may do everything."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._made = 0
        self._prepared: dict[Callable[[str], object], str] = {}
        self.folder = folder
        # The server refuses to run as root: then it runs as the user whom Debian's package makes.
        self._user = ["runuser", "-u", _other_user(), "--"] if os.geteuid() == 0 else []
        if self._user:
            account = pwd.getpwnam(_other_user())
            os.chown(folder, account.pw_uid, account.pw_gid)
        self._run("initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c listen_addresses='' -k {self.folder} -c fsync=off -c shared_buffers=16MB"
        log = f"{self.folder}/log"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-l", log, "-o", options, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; with `immediate` as a power cut would."""
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", mode, "-w", "stop")

    @property
    def pid(self) -> int:
        """The server's first process."""
        return int((self.folder / "data/postmaster.pid").read_text("utf-8").split()[0])

    def hold(self, signal: int) -> None:
        """Let the server and all of its processes stand still (SIGSTOP), or go on (SIGCONT)."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("utf-8").split()
        for pid in (self.pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal)

    def database(self, name: str, prepare: Callable[[str], object] | None = None) -> str:
        """A new database with a number behind its name; returns its address.

        It is empty, or as `prepare` left the first one: a copy costs a third of making its tables.
        """
        if prepare is None:
            return self._login(self._create(name))
        if prepare not in self._prepared:
            first = self._create("prepared")
            prepare(self._login(first))
            self._prepared[prepare] = first
        return self._login(self._create(name, self._prepared[prepare]))

    def _login(self, database: str) -> str:
        return f"host={self.folder} user=postgres dbname={database}"

    def _create(self, name: str, like: str = "template1") -> str:
        self._made += 1
        whole = f"{re.sub('[^a-z0-9]+', '_', name.lower())[:50]}_{self._made}"
        with psycopg.connect(self._login("postgres"), autocommit=True) as connection:
            # Older servers know this way only.
            how = "STRATEGY FILE_COPY" if connection.info.server_version >= 150_000 else ""
            connection.execute(f"CREATE DATABASE {whole} TEMPLATE {like} {how}".encode())
        return whole

    def _run(self, program: str, *words: str) -> None:
        command = [*self._user, str(self._programs / program), *words]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")


def _other_user() -> str:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise RuntimeError("no user to run PostgreSQL as")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server for some tests; without PostgreSQL they are skipped, in CI they fail."""
    programs = server_folder()
    if programs is None:
        reason = "no PostgreSQL on this machine: apt install postgresql to run the hub's tests"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # sockets want a short path
    folder.chmod(0o755)
    running = None
    try:
        running = Cluster(programs, folder)
        yield running
    finally:
        if running is not None:
            running.stop("immediate")
        # Thousands of small files: nobody waits until they are gone.
        subprocess.run(["sh", "-c", 'rm -rf "$0" &', str(folder)], check=True)
