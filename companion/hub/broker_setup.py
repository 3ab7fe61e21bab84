"""Sets up mosquitto for a club: encryption, credentials for each table, and what each may do."""

import errno
import ipaddress
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from companion.errors import UnusableInputError, UsageError
from companion.hub.room import MOST_TABLES
from companion.mqtt.hub_settings import TABLE_ID
from companion.relay.wire import LARGEST_BYTES, ROOT
from companion.whole_file import OWNER_ONLY, sync_folder, write_whole
from scoring.language import text

PORT = 8883

HUB = "hub"
"""The hub's own user name."""

HERE = "localhost"
"""Where the hub finds the broker: on its own machine, whatever that is called in the network."""

YEARS = 10

HOST_NAME = re.compile(r"(?=.{1,64}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
"""A name in a network, of no more letters than a certificate takes."""

FOLDER_OF_OWNER = 0o700
"""The programs that write there make drafts that others could read."""

ACCESS = f"""\
# The hub reads every table, says how far it has each one's log, and tells a tournament's round.
user {HUB}
topic read {ROOT}/#
topic write {ROOT}/+/have
topic write {ROOT}/+/round
topic readwrite {ROOT}-hub/status

# A table tells of itself alone (%u is its user name) and hears how far the hub is, and its round.
# What is said of its status it hears too: an old connection's last will is put right.
pattern readwrite {ROOT}/%u/status
pattern write {ROOT}/%u/state
pattern write {ROOT}/%u/event
pattern read {ROOT}/%u/have
pattern read {ROOT}/%u/round
"""

CONFIGURATION = """\
# Made by `companion hub setup`. A broker for a club's tables: encrypted, nobody without a password.
per_listener_settings false
listener {port}
certfile {folder}/broker.pem
keyfile {folder}/broker.key
# Of a message that is sent exactly once the broker keeps the whole until its sender says more: five
# hundred for each connection. Nothing of ours is sent so.
max_qos 1
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/access
max_inflight_messages 500
max_queued_messages 20000
max_queued_bytes 100000000
set_tcp_nodelay true
# None of ours leaves a session behind; of others' no more stay than an hour makes.
persistent_client_expiration 1h
# A table's largest message, with some room; larger ones would fill the hub's memory.
message_size_limit {largest}
# Who announces a packet far beyond it, a stranger too, is sent away before it is read.
max_packet_size {packet}
# Several times what a thousand tables take. Strangers who begin packets and never end them, each on
# a connection of its own, would else take all memory of the machine.
memory_limit {memory}
"""

MOST_MEMORY_BYTES = 300_000_000

PEM_END = b"-----\n"
"""With what a whole file of a key or a certificate ends."""


@dataclass(frozen=True, slots=True)
class ClubBroker:
    """The files of a club's broker in one folder; `host` is the broker's name in the network.

    New tables are named in the language.
    """

    folder: Path
    host: str
    port: int = PORT
    language: str = "en"

    def make(self, tables: int) -> list[Path]:
        """Write what is missing, and credentials for tables 1 to `tables` that have none.

        Returns the files for the new tables. Raises UsageError and UnusableInputError.
        """
        if not 0 < tables <= MOST_TABLES:
            raise UsageError("companion.hub.setup.tables", most=MOST_TABLES)
        if _ip_version(self.host) is None and not HOST_NAME.fullmatch(self.host):
            raise UsageError("companion.hub.setup.host", host=self.host)
        _need_programs("openssl", "mosquitto_passwd")
        try:
            self.folder.mkdir(mode=FOLDER_OF_OWNER, parents=True, exist_ok=True)
            (self.folder / "tables").mkdir(exist_ok=True)
            if not (self.folder / "authority.pem").exists():
                self._make_certificates()
            self._write("access", ACCESS)
            configuration = CONFIGURATION.format(
                port=self.port,
                folder=self.folder.resolve(),
                largest=LARGEST_BYTES,
                packet=4 * LARGEST_BYTES,
                memory=MOST_MEMORY_BYTES,
            )
            self._write("mosquitto.conf", configuration)
            return self._make_credentials(tables)
        except OSError as error:
            raise UsageError(
                "companion.hub.setup.folder", path=self.folder, reason=error
            ) from error

    def shut_out(self, table: str) -> None:
        """Take a table's credentials away; it is let in no more once mosquitto has reloaded.

        Raises UsageError where there are none, for the hub itself, or where only another user may
        change them.
        """
        _need_programs("mosquitto_passwd")
        try:
            users = self._users()
        except OSError as error:
            raise UsageError(
                "companion.hub.setup.unreadable", path=self.folder, reason=error
            ) from error
        if table not in users or table == HUB or not TABLE_ID.fullmatch(table):
            raise UsageError("companion.hub.setup.no-table", table=table)
        _run(["mosquitto_passwd", "-D", str(self.folder / "passwords"), table])
        (self.folder / "tables" / f"{table}.toml").unlink(missing_ok=True)

    def _users(self) -> set[str]:
        path = self.folder / "passwords"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return {line.partition(":")[0] for line in lines}

    def _make_credentials(self, tables: int) -> list[Path]:
        """Each password is written for its user first, then made known to the broker.

        Where the power fails in between, the next set-up writes another one.
        """
        known, made = self._users(), []
        if HUB not in known:
            password = _new_password()
            address = self._address(HUB, password, self.folder.resolve(), HERE)
            self._write("hub.env", f"COMPANION_BROKER={address}\n")
            self._add_user(HUB, password)
        for number in range(1, tables + 1):
            table = f"table-{number}"
            if table in known:
                continue
            password = _new_password()
            address = self._address(table, password, Path("/etc/companion"))
            path = self.folder / "tables" / f"{table}.toml"
            name = text("companion.hub.setup.table", self.language, number=number)
            section = f'[hub]\naddress = "{address}"\nname = "{name}"\n'
            write_whole(path, section.encode(), mode=OWNER_ONLY)
            self._add_user(table, password)
            made.append(path)
        return made

    def _add_user(self, name: str, password: str) -> None:
        """Let a user in by this password.

        It is handed over in a file: everybody on the machine sees what a command is called with.
        """
        path = self.folder / "passwords"
        draft = self.folder / "new-user"
        try:
            write_whole(draft, f"{name}:{password}\n".encode(), mode=OWNER_ONLY)
            _run(["mosquitto_passwd", "-U", str(draft)])
            known = path.read_bytes() if path.exists() else b""
            write_whole(path, known + draft.read_bytes(), mode=OWNER_ONLY)
        finally:
            draft.unlink(missing_ok=True)

    def _address(self, user: str, password: str, authority: Path, host: str = "") -> str:
        where = host or self.host
        where = f"[{where}]" if _ip_version(where) == 6 else where
        path = quote(f"{authority}/authority.pem")  # a folder may be called “R&D”
        return f"mqtts://{user}:{password}@{where}:{self.port}?ca={path}"

    def _make_certificates(self) -> None:
        """An authority of the club's own, and the broker's certificate by it."""
        draft, key = f"{self.folder}/authority.draft", f"{self.folder}/authority.key"
        kind = "DNS" if _ip_version(self.host) is None else "IP"
        _make_certificate(
            "Companion club", key, draft, extensions=["keyUsage=critical,keyCertSign,cRLSign"]
        )
        _make_certificate(
            self.host,
            f"{self.folder}/broker.key",
            f"{self.folder}/broker.pem",
            extensions=[
                f"subjectAltName={kind}:{self.host},DNS:{HERE}",
                "basicConstraints=critical,CA:FALSE",
                "keyUsage=critical,digitalSignature",
                "extendedKeyUsage=serverAuth",
            ],
            signed_by=["-CA", draft, "-CAkey", key],
        )
        for name in ("authority.key", "broker.key"):
            (self.folder / name).chmod(OWNER_ONLY)
        for path in (Path(draft), *self.folder.glob("*.key"), self.folder / "broker.pem"):
            with path.open("rb") as file:
                os.fsync(file.fileno())  # the authority's name says that all of them are there
        Path(draft).replace(self.folder / "authority.pem")
        sync_folder(self.folder)

    def _write(self, name: str, text: str) -> None:
        write_whole(self.folder / name, text.encode(), mode=OWNER_ONLY)


def _new_password() -> str:
    return secrets.token_urlsafe(18)


def _make_certificate(
    name: str, key: str, out: str, *, extensions: Sequence[str], signed_by: Sequence[str] = ()
) -> None:
    """A key and its certificate, by itself or by another.

    Raises as `_run`, and OSError on a full disk: openssl says nothing of one, and leaves a file
    empty, or without its end.
    """
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    added = [word for extension in extensions for word in ("-addext", extension)]
    request = ["openssl", "req", "-x509", *curve, "-days", str(365 * YEARS), *signed_by]
    _run([*request, "-subj", f"/CN={name}", *added, "-keyout", key, "-out", out])
    for path in map(Path, (key, out)):
        if not path.read_bytes().endswith(PEM_END):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def _ip_version(host: str) -> int | None:
    """4 or 6 for an address in figures, None for a name."""
    try:
        return ipaddress.ip_address(host).version
    except ValueError:
        return None


def _need_programs(*names: str) -> None:
    for name in names:
        if shutil.which(name) is None:
            raise UsageError("companion.hub.setup.no-program", name=name)


def _run(command: Sequence[str]) -> None:
    """Run a program to its end; raises UnusableInputError with its last word where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        raise UnusableInputError("companion.hub.setup.failed", program=command[0], reason=reason)
