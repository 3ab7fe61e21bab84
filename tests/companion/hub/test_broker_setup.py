"""`companion hub setup`: a real mosquitto lets each table tell of itself alone, encrypted."""

import gc
import json
import os
import re
import socket
import ssl
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.errors import UsageError
from companion.hub import broker_setup
from companion.hub.broker_setup import MOST_MEMORY_BYTES, ClubBroker
from companion.mqtt.address import parse_address
from companion.mqtt.connection import BrokerConnection, Listener
from companion.relay.wire import LARGEST_BYTES, Topics
from tests.support.mosquitto import PROGRAM, free_port, needs_mosquitto
from tests.support.waiting import until

pytest.importorskip("paho.mqtt.client")
pytestmark = [
    needs_mosquitto,
    # paho leaves the socket of a connection that was refused to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class Running:
    """The club's broker, as mosquitto runs it on the files of the set-up."""

    def __init__(self, folder: Path) -> None:
        self.broker = ClubBroker(folder, "club.example", free_port())
        self.folder = folder
        self.made = self.broker.make(2)
        self.process: subprocess.Popen[bytes] | None = None
        self.open: list[BrokerConnection] = []

    def start(self) -> None:
        assert PROGRAM is not None
        configuration = self.folder / "mosquitto.conf"
        with configuration.open("a", encoding="utf-8") as file:
            file.write("user root\n")  # the tests' folder is the tests' own
        self.process = subprocess.Popen([PROGRAM, "-c", str(configuration)], stderr=-3, stdout=-3)

    def address(self, user: str) -> str:
        if user == "hub":
            return (self.folder / "hub.env").read_text("utf-8").partition("=")[2].strip()
        document = tomllib.loads((self.folder / "tables" / f"{user}.toml").read_text("utf-8"))
        words: str = document["hub"]["address"]
        return words.replace("/etc/companion", str(self.folder)).replace(
            "club.example", "localhost"
        )

    def connect(self, user: str, words: str = "") -> tuple[BrokerConnection, list[Any]]:
        one, troubles, _ = self._new(user, words)
        one.start()
        return one, troubles

    def listen(self, user: str, topic_filter: str) -> tuple[BrokerConnection, list[str]]:
        """A connection to which the broker passes messages on, and the topics of those."""
        one, _, is_subscribed = self._new(user)
        heard: list[str] = []
        one.subscribe(topic_filter, lambda topic, payload: heard.append(topic))
        one.start()
        until(is_subscribed.is_set)
        return one, heard

    def _new(
        self, user: str, words: str = ""
    ) -> tuple[BrokerConnection, list[Any], threading.Event]:
        troubles: list[Any] = []
        is_subscribed = threading.Event()
        one = BrokerConnection(
            parse_address(words or self.address(user)),
            f"test-{user}-{len(self.open)}",
            Topics(user).status,
            Listener(tell=troubles.append, subscribed=is_subscribed.set),
            2,
        )
        self.open.append(one)
        return one, troubles, is_subscribed

    def end(self) -> None:
        while self.open:
            self.open.pop().close(2.0)
        time.sleep(0.1)  # the connections' threads let go of their sockets
        gc.collect()
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path / "club")
    running.start()
    yield running
    running.end()


def test_a_table_tells_of_itself_alone_and_a_shut_out_one_is_let_in_no_more(club: Running) -> None:
    hub, heard = club.listen("hub", "companion/room/+/event")
    table, overheard = club.listen("table-1", "companion/room/#")
    table.publish(Topics("table-2").event, "forged")
    table.publish(Topics("table-1").have, "forged")
    table.publish(Topics("table-1").event, "x" * 2 * LARGEST_BYTES)
    table.publish(Topics("table-1").event, "own")
    until(lambda: bool(heard and overheard))
    assert heard == ["companion/room/table-1/event"]
    assert set(overheard) == {Topics("table-1").status}

    rounds: list[bytes] = []
    table.subscribe(Topics("table-1").round, lambda topic, payload: rounds.append(payload))
    table.publish(Topics("table-1").round, "forged")
    hub.publish(Topics("table-2").round, "of another")
    hub.publish(Topics("table-1").round, "own", retain=True)
    until(lambda: b"own" in rounds)
    assert set(rounds) == {b"own"}

    said: list[bytes] = []
    hub.subscribe(Topics("table-1").status, lambda topic, payload: said.append(payload))
    until(lambda: said == [b"online"])
    copy, _ = club.connect("table-1")  # of the box, with its password
    until(lambda: copy.is_online)
    copy.close()
    until(lambda: said[-2:] == [b"offline", b"online"])

    words = club.address("table-1")
    club.broker.shut_out("table-1")
    assert club.process is not None
    club.process.send_signal(1)  # what `systemctl reload mosquitto` sends
    again, troubles = club.connect("table-1", words)
    until(lambda: bool(troubles))
    assert "user name and password" in str(troubles[0])
    assert not again.is_online
    until(lambda: not table.is_online)
    other, _ = club.connect("table-2")
    until(lambda: other.is_online)


def test_the_broker_holds_no_message_whose_sender_says_nothing_more(club: Running) -> None:
    """What is sent exactly once it would hold until then, five hundred of half a megabyte for each
    connection, and for ever where that has left a session behind."""
    _, heard = club.listen("hub", "companion/room/+/event")
    table, troubles = club.connect("table-1")
    until(lambda: table.is_online)
    table.publish(Topics("table-1").event, "to be kept", qos=2)
    until(lambda: any(troubles))
    other, _ = club.connect("table-2")
    until(lambda: other.is_online)
    other.publish(Topics("table-2").event, "as ours are sent")
    until(lambda: bool(heard))
    assert heard == ["companion/room/table-2/event"]


def has_ended(connection: socket.socket) -> bool:
    """Whether the broker has sent it away."""
    try:
        return not connection.recv(1)
    except TimeoutError:
        return False
    except OSError:
        return True


def test_strangers_who_begin_packets_and_never_end_them_take_no_memory_without_end(
    tmp_path: Path,
) -> None:
    """200 of them took 380 MB, for a minute and a half. Here the limit is a hundredth."""
    club = Running(tmp_path / "club")
    settings = club.folder / "mosquitto.conf"
    usual = f"memory_limit {MOST_MEMORY_BYTES}"
    assert usual in settings.read_text("utf-8")
    small = settings.read_text("utf-8").replace(usual, "memory_limit 3000000")
    settings.write_text(small, "utf-8")
    club.start()
    authority = ssl.create_default_context(cafile=club.folder / "authority.pem")
    begun = b"\x10\xe0\xb6\x79" + b"x" * 1_500_000  # a CONNECT of 1,989,472 bytes
    strangers = []
    try:
        hub, _ = club.connect("hub")
        until(lambda: hub.is_online)
        for _ in range(4):
            plain = socket.create_connection(("localhost", club.broker.port), 10)
            strangers.append(authority.wrap_socket(plain, server_hostname="localhost"))
            with suppress(OSError):
                strangers[-1].sendall(begun)
        assert has_ended(strangers[-1])
        table, _ = club.connect("table-1")
        until(lambda: table.is_online)
        assert hub.is_online
    finally:
        for one in strangers:
            one.close()
        club.end()


def test_a_wrong_certificate_is_one_sentence(club: Running, tmp_path: Path) -> None:
    other = ClubBroker(tmp_path / "other", "localhost", club.broker.port)
    other.make(1)
    words = club.address("table-1").replace(str(club.folder), str(other.folder))
    _, troubles = club.connect("table-1", words)
    until(lambda: any(troubles))
    said = str(next(filter(None, troubles)))
    assert "certificate" in said
    assert "\n" not in said


def date_the_broker_s_certificate(folder: Path, first: str, last: str) -> None:
    """The broker's certificate anew, by the club's own authority, with another time."""
    (folder / "index").touch()
    (folder / "serial").write_text("01\n")
    (folder / "ca.conf").write_text(
        f"[ca]\ndefault_ca=club\n[club]\ndatabase={folder}/index\nserial={folder}/serial\n"
        f"new_certs_dir={folder}\ndefault_md=sha256\npolicy=any\ncopy_extensions=copy\n"
        "[any]\ncommonName=supplied\n"
    )
    request = ["openssl", "req", "-new", "-key", f"{folder}/broker.key", "-subj", "/CN=localhost"]
    named = ["-addext", "subjectAltName=DNS:localhost", "-out", f"{folder}/request"]
    signed = ["openssl", "ca", "-batch", "-notext", "-config", f"{folder}/ca.conf"]
    by = ["-cert", f"{folder}/authority.pem", "-keyfile", f"{folder}/authority.key"]
    dates = ["-startdate", first, "-enddate", last]
    files = ["-in", f"{folder}/request", "-out", f"{folder}/broker.pem"]
    for words in ([*request, *named], [*signed, *by, *dates, *files]):
        subprocess.run(words, capture_output=True, check=True)


def of_certificates(troubles: Sequence[Any]) -> list[str]:
    """What was told of certificates; that mosquitto is not there yet is told before."""
    return [str(one) for one in troubles if "certificate" in str(one)]


def test_a_table_whose_clock_is_behind_the_certificate_gets_through(tmp_path: Path) -> None:
    """Without internet a Pi's clock goes on from when it was switched off: no hub let it in."""
    running = Running(tmp_path / "club")
    date_the_broker_s_certificate(running.folder, "20490101000000Z", "20591231000000Z")
    running.start()
    try:
        table, troubles = running.connect("table-1")
        until(lambda: table.is_online)
        assert of_certificates(troubles) == []
        other = ClubBroker(tmp_path / "other", "localhost", running.broker.port)
        other.make(1)
        words = running.address("table-1").replace(str(running.folder), str(other.folder))
        stranger, told = running.connect("table-1", words)
        until(lambda: bool(of_certificates(told)))
        assert "is not trusted" in of_certificates(told)[0]
        assert not stranger.is_online
    finally:
        running.end()


def test_a_certificate_that_has_run_out_is_told_with_the_clock(tmp_path: Path) -> None:
    running = Running(tmp_path / "club")
    date_the_broker_s_certificate(running.folder, "20200101000000Z", "20210101000000Z")
    running.start()
    try:
        table, troubles = running.connect("table-1")
        until(lambda: bool(of_certificates(troubles)))
        said = of_certificates(troubles)[0]
        assert re.search(r"this machine's clock, \d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d \(", said)
        assert "certificate has expired" in said
        assert not table.is_online
    finally:
        running.end()


def test_the_certificates_are_as_strict_programs_want_them(tmp_path: Path) -> None:
    ClubBroker(tmp_path, "club.example").make(1)
    words = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname"]
    files = ["-CAfile", str(tmp_path / "authority.pem"), str(tmp_path / "broker.pem")]
    for host in ("club.example", "localhost"):
        done = subprocess.run([*words, host, *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_more_tables_keep_the_credentials_of_those_that_are_there(tmp_path: Path) -> None:
    broker = ClubBroker(tmp_path, "localhost")
    first = broker.make(2)
    before = [path.read_text("utf-8") for path in first]
    assert [path.name for path in broker.make(3)] == ["table-3.toml"]
    assert [path.read_text("utf-8") for path in first] == before
    for name in ("passwords", "authority.key", "broker.key", "hub.env", "tables/table-1.toml"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0, name


class CutError(Exception):
    """The power fails."""


@pytest.mark.parametrize("file", ["hub.env", "passwords", "tables/table-1.toml"])
@pytest.mark.parametrize("is_written", [False, True])
def test_a_set_up_that_lost_power_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, is_written: bool
) -> None:
    """Whose password the broker knew, but nobody else, was never given another one."""
    write = broker_setup.write_whole

    def cut(path: Path, data: bytes, **more: Any) -> None:
        if is_written or path != tmp_path / file:
            write(path, data, **more)
        if path == tmp_path / file:
            raise CutError

    monkeypatch.setattr(broker_setup, "write_whole", cut)
    known = spy_on_passwords(monkeypatch)
    broker = ClubBroker(tmp_path, "localhost")
    with pytest.raises(CutError):
        broker.make(1)
    monkeypatch.setattr(broker_setup, "write_whole", write)
    broker.make(1)
    for user, path in (("hub", "hub.env"), ("table-1", "tables/table-1.toml")):
        told = re.findall(rf"mqtts://{user}:([\w-]+)@", (tmp_path / path).read_text("utf-8"))
        lines = (tmp_path / "passwords").read_text("utf-8").splitlines()
        assert [line.partition(":")[0] for line in lines].count(user) == 1
        assert told == [known[user]]


def spy_on_passwords(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The passwords that are made known to the broker from now on."""
    known: dict[str, str] = {}
    add = ClubBroker._add_user

    def added(self: ClubBroker, name: str, password: str) -> None:
        known[name] = password
        add(self, name, password)

    monkeypatch.setattr(ClubBroker, "_add_user", added)
    return known


def test_the_authority_has_its_name_only_once_the_disk_has_all_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty one counted as made: after a power cut no set-up wrote another."""
    synced: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        fsync(handle)

    def named(self: Path, target: Path) -> Path:
        if Path(target).name == "authority.pem":
            made = {"authority.draft", "authority.key", "broker.key", "broker.pem"}
            assert made <= set(synced)
            synced.append("authority.pem")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", named)
    ClubBroker(tmp_path, "localhost").make(1)
    at = synced.index("authority.pem")
    assert synced[at + 1] == tmp_path.name, "nor was the name sure to stay"


@pytest.mark.parametrize(
    ("file", "rest"), [("broker.key", 0), ("broker.pem", 0), ("authority.draft", 9)]
)
def test_a_disk_that_fills_up_is_told_in_words_and_the_next_set_up_makes_the_certificates(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: str,
    rest: int,
) -> None:
    """On a full disk openssl ends well, and leaves files with nothing in them, or a part."""
    run = broker_setup._run

    def fills_up(command: Sequence[str]) -> None:
        run(command)
        if str(tmp_path / file) in command[command.index("-keyout") :]:
            os.truncate(tmp_path / file, rest)

    words = ["hub", "setup", "--folder", str(tmp_path), "--broker-host", "localhost"]
    monkeypatch.setattr(broker_setup, "_run", fills_up)
    assert main([*words, "--language", "en"]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"The folder {tmp_path} cannot be written (there is no space left).\n")
    assert not (tmp_path / "authority.pem").exists(), "which says that all of them are there"
    monkeypatch.setattr(broker_setup, "_run", run)
    assert main(words) == 0
    for name in ("authority.pem", "authority.key", "broker.pem", "broker.key"):
        assert (tmp_path / name).read_bytes().endswith(b"-----\n")


@pytest.mark.parametrize("host", ["192.168.1.20", "fd00::1", "club.local"])
def test_a_broker_s_host_may_be_a_name_or_an_address(tmp_path: Path, host: str) -> None:
    (table,) = ClubBroker(tmp_path, host).make(1)
    words = tomllib.loads(table.read_text("utf-8"))["hub"]["address"]
    address = parse_address(words.replace("/etc/companion", str(tmp_path)))
    assert (address.host, address.port) == (host, 8883)


def test_the_folder_may_have_any_name(tmp_path: Path) -> None:
    """The hub did not take the address that its own set-up had written."""
    folder = tmp_path / "R&D 100%25 #2"
    ClubBroker(folder, "club.example").make(1)
    words = (folder / "hub.env").read_text("utf-8").partition("=")[2].strip()
    assert parse_address(words).certificates == folder / "authority.pem"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--folder", "{}", "--broker-host", "club", "--tables", "0"], 2, "between 1 and"),
        (["--folder", "{}", "--broker-host", "club", "--tables", "1001"], 2, "1 and 1000"),
        (["--folder", "{}", "--broker-host", "../x"], 2, "such as club.local"),
        (["--folder", "{}", "--broker-host", "club,DNS:other"], 2, "such as club.local"),
        (["--folder", "{}", "--broker-host", "c" * 65], 2, "such as club.local"),
        (["--folder", "{}", "--shut-out", "table-9"], 2, "no credentials"),
        (["--folder", "{}/mosquitto's", "--shut-out", "table-1"], 2, "changed with sudo"),
        (["--folder", "{}"], 2, "Give a folder"),
        (["--folder", "{}/file/x", "--broker-host", "club"], 2, "cannot be written"),
    ],
)
def test_wrong_words_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    (tmp_path / "file").write_text(json.dumps({}), "utf-8")
    (tmp_path / "mosquitto's" / "passwords").mkdir(parents=True)  # which not even root can read
    assert main(["hub", "setup", *(word.format(tmp_path) for word in words)]) == code
    assert said in capsys.readouterr().err


def test_mosquitto_is_given_its_own_files_and_the_hub_s_stay_its_owner_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all of the folder in mosquitto's hands nobody could start the hub."""
    monkeypatch.chdir(tmp_path)
    assert main(["hub", "setup", "--folder", "club", "--broker-host", "club.local"]) == 0
    said = capsys.readouterr().out
    (given,) = re.findall(r"chown mosquitto: (.*)", said)
    settings = (tmp_path / "club" / "mosquitto.conf").read_text("utf-8")
    named = re.findall(rf"{re.escape(str(tmp_path / 'club'))}/(\S+)", settings)
    assert set(given.split()) == {"mosquitto.conf", *named}
    assert f"ln -sfn {tmp_path}/club/mosquitto.conf" in said, "a link needs the whole path"


def test_the_hub_is_started_with_its_password_where_no_other_user_sees_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command's options are in the list of processes as long as it runs, its environment not."""
    assert main(["hub", "setup", "--folder", str(tmp_path), "--broker-host", "club.local"]) == 0
    (told,) = re.findall(r"4\. Start the hub: (.*?) && companion hub\.", capsys.readouterr().out)
    shell = ["sh", "-c", f"{told} && printenv COMPANION_BROKER"]
    address = subprocess.run(shell, capture_output=True, text=True, check=True).stdout.strip()
    assert parse_address(address).user == "hub"
    assert f"COMPANION_BROKER={address}\n" == (tmp_path / "hub.env").read_text("utf-8")


def test_the_hub_does_not_shut_itself_out(tmp_path: Path) -> None:
    broker = ClubBroker(tmp_path, "club.local")
    broker.make(1)
    known = (tmp_path / "passwords").read_bytes()
    with pytest.raises(UsageError, match="hub has no credentials of a table"):
        broker.shut_out("hub")
    assert (tmp_path / "passwords").read_bytes() == known


def test_no_other_user_of_the_machine_sees_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in the list of processes nor in what lies in the folder for a moment."""
    seen: list[str] = []
    run = broker_setup._run

    def watched(command: Sequence[str]) -> None:
        assert (tmp_path / "club").stat().st_mode & 0o077 == 0
        seen.append(" ".join(command))
        run(command)

    monkeypatch.setattr(broker_setup, "_run", watched)
    ClubBroker(tmp_path / "club", "localhost").make(1)
    address = (tmp_path / "club" / "hub.env").read_text("utf-8")
    password = address.partition("//hub:")[2].partition("@")[0]
    assert len(password) > 20
    assert any("mosquitto_passwd" in command for command in seen)
    assert not any(password in command for command in seen)


@pytest.mark.parametrize(("language", "name"), [("en", "Table 1"), ("it", "Tavolo 1")])
def test_new_tables_are_named_in_the_clubs_language(
    tmp_path: Path, language: str, name: str
) -> None:
    (table,) = ClubBroker(tmp_path, "localhost", language=language).make(1)
    assert tomllib.loads(table.read_text("utf-8"))["hub"]["name"] == name
