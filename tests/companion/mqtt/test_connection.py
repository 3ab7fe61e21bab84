"""The connection to a real broker: what arrives, what is kept, and what happens without it."""

import gc
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from companion.errors import UsageError
from companion.mqtt import connection as connection_module
from companion.mqtt.address import BrokerAddress, parse_address
from companion.mqtt.connection import BrokerConnection, BrokerError, Listener
from tests.support.mosquitto import Mosquitto, needs_mosquitto, with_certificate, with_login
from tests.support.waiting import until

PATIENCE_S = 20.0


class Party:
    """A connection, with all that it was told and heard."""

    def __init__(self, address: BrokerAddress, name: str) -> None:
        self.heard: Queue[tuple[str, str]] = Queue()
        self.told: list[BrokerError | None] = []
        self.times_online = 0
        self.times_subscribed = 0
        self.at_once: Callable[[], None] = lambda: None
        listener = Listener(self._online, self.told.append, self._subscribed)
        self.connection = BrokerConnection(address, name, f"{name}/status", listener)

    def _online(self) -> None:
        self.at_once()
        self.times_online += 1

    def _subscribed(self) -> None:
        self.times_subscribed += 1

    def hear(self, topic_filter: str) -> None:
        self.connection.subscribe(
            topic_filter, lambda topic, payload: self.heard.put((topic, payload.decode()))
        )

    def next(self) -> tuple[str, str]:
        try:
            return self.heard.get(timeout=PATIENCE_S)
        except Empty:
            raise AssertionError("nothing was heard") from None


@pytest.fixture
def parties() -> Iterator[Callable[[BrokerAddress, str], Party]]:
    """Makes parties, and closes them in the end."""
    made: list[Party] = []

    def make(address: BrokerAddress, name: str) -> Party:
        made.append(Party(address, name))
        return made[-1]

    yield make
    for party in made:
        party.connection.close(0.2)


Make = Callable[[BrokerAddress, str], Party]


def address_of(broker: Mosquitto) -> BrokerAddress:
    return parse_address(f"mqtt://127.0.0.1:{broker.port}")


@needs_mosquitto
def test_what_one_publishes_the_other_hears_once_confirmed(
    broker: Mosquitto, parties: Make
) -> None:
    table, home = parties(address_of(broker), "table"), parties(address_of(broker), "home")
    home.hear("table/score/#")
    home.connection.start()
    table.connection.start()
    until(lambda: table.times_online == 1 and home.times_subscribed == 1)
    confirmed: list[str] = []
    for points in ("7", "12"):
        told = partial(confirmed.append, points)
        assert table.connection.publish("table/score/ada", points, confirmed=told)
    assert [home.next(), home.next()] == [("table/score/ada", "7"), ("table/score/ada", "12")]
    until(lambda: confirmed == ["7", "12"])
    assert table.told == [None]


@needs_mosquitto
def test_a_topic_that_is_asked_for_in_the_moment_of_the_connection_is_heard(
    broker: Mosquitto, parties: Make
) -> None:
    table = parties(address_of(broker), "table")
    table.at_once = lambda: table.hear("order")
    table.connection.start()
    until(lambda: table.times_online == 1)
    table.connection.publish("order", "a look")
    assert table.next() == ("order", "a look")


@needs_mosquitto
def test_the_status_is_kept_for_who_comes_later(broker: Mosquitto, parties: Make) -> None:
    table, home = parties(address_of(broker), "table"), parties(address_of(broker), "home")
    table.connection.start()
    until(lambda: table.times_online == 1)
    home.hear("table/status")
    home.connection.start()
    assert home.next() == ("table/status", "online")
    table.connection.close()
    assert home.next() == ("table/status", "offline")


@needs_mosquitto
def test_a_program_that_dies_is_offline_by_its_last_will(broker: Mosquitto, parties: Make) -> None:
    table, home = parties(address_of(broker), "table"), parties(address_of(broker), "home")
    home.hear("table/status")
    home.connection.start()
    table.connection.start()
    assert home.next() == ("table/status", "online")
    table.connection._client.socket().close()  # as a kill would, without a word
    assert home.next() == ("table/status", "offline")
    assert home.next() == ("table/status", "online")  # and it comes back by itself


@needs_mosquitto
def test_a_table_whose_power_came_back_before_the_broker_missed_it_stays_online(
    broker: Mosquitto, parties: Make
) -> None:
    """The last will of its first run comes once the second one is there, and is retained."""
    home, table = parties(address_of(broker), "home"), parties(address_of(broker), "table")
    table.connection.start()
    until(lambda: table.times_online == 1)
    home.hear("table/status")
    home.connection.start()
    assert home.next() == ("table/status", "online")
    home.connection.publish("table/status", "offline", retain=True)
    assert home.next() == ("table/status", "offline")
    assert home.next() == ("table/status", "online")
    later = parties(address_of(broker), "later")
    later.hear("table/status")
    later.connection.start()
    assert later.next() == ("table/status", "online")


@needs_mosquitto
def test_a_broker_that_comes_late_goes_and_comes_back(tmp_path: Path, parties: Make) -> None:
    broker = Mosquitto(tmp_path)
    table = parties(address_of(broker), "table")
    table.hear("order")
    table.connection.start()
    until(lambda: bool(table.told))
    assert "cannot be reached (the connection was refused)" in str(table.told[0])
    assert not table.connection.publish("table/score", "1")  # said at once, and nothing is kept
    broker.start()
    until(lambda: table.times_online == 1)
    broker.stop()
    until(lambda: "is gone" in str(table.told[-1]) or "cannot be reached" in str(table.told[-1]))
    broker.start()
    until(lambda: table.times_online == 2)
    assert table.told[-1] is None
    assert table.connection.publish("order", "still subscribed")
    assert table.next() == ("order", "still subscribed")
    broker.stop()


@needs_mosquitto
def test_a_message_at_the_moment_of_a_break_is_under_way_and_comes_once(
    tmp_path: Path, parties: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called refused, and the library sent it all the same: whoever sent it anew sent it
    twice. The moment is that in which the library still says it is connected."""
    broker = Mosquitto(tmp_path)
    broker.start()
    ada, ben = parties(address_of(broker), "ada"), parties(address_of(broker), "ben")
    ben.hear("club/#")
    for party in (ada, ben):
        party.connection.start()
        until(lambda party=party: party.times_subscribed == 1)
    broker.stop()
    until(lambda: not ada.connection.is_online)
    said = threading.Event()
    with monkeypatch.context() as moment:
        moment.setattr("paho.mqtt.client.Client.is_connected", lambda client: True)
        is_under_way = ada.connection.publish("club/x", "one", confirmed=said.set)
    assert not ada.connection.publish("club/x", "refused")
    broker.start()
    try:
        until(lambda: ada.times_subscribed == ben.times_subscribed == 2)
        assert is_under_way
        assert said.wait(PATIENCE_S)
        ada.connection.publish("club/x", "last")
        heard = []
        while "last" not in heard:
            heard.append(ben.next()[1])
        assert set(heard) <= {"one", "last"}, "ben may have come back after the first"
        assert len(heard) == len(set(heard))
    finally:
        broker.stop()


@needs_mosquitto
def test_a_message_that_would_fill_the_memory_is_not_read(broker: Mosquitto, parties: Make) -> None:
    """Two megabytes here stand for 200, which took 690 MB of the table, at every connection."""
    stranger, table = parties(address_of(broker), "stranger"), parties(address_of(broker), "table")
    stranger.connection.start()
    until(lambda: stranger.times_online == 1)
    kept: list[str] = []
    stranger.connection.publish(
        "order", b"x" * 2_000_000, retain=True, confirmed=lambda: kept.append("kept")
    )
    until(lambda: bool(kept))
    table.hear("order")
    table.connection.start()
    until(lambda: "far too large" in str(table.told[-1:]))
    assert table.heard.empty()
    time.sleep(1.0)
    assert table.times_online == 1, "with the usual pause it would have come back four times"


@needs_mosquitto
def test_a_listener_s_fault_does_not_end_the_connection(broker: Mosquitto, parties: Make) -> None:
    table = parties(address_of(broker), "table")
    table.connection.subscribe("wrong", lambda topic, payload: payload.decode("ascii").zfill(-1))
    table.hear("right")
    table.connection.start()
    until(lambda: table.times_online == 1)
    table.connection.publish("wrong", b"\xff")
    table.connection.publish("right", "here")
    assert table.next() == ("right", "here")


@needs_mosquitto
def test_a_login_is_checked_and_a_wrong_one_named(tmp_path: Path, parties: Make) -> None:
    broker = Mosquitto(tmp_path, with_login(tmp_path, "ada", "s@fe"))
    broker.start()
    try:
        known = parties(parse_address(f"mqtt://ada:s%40fe@127.0.0.1:{broker.port}"), "known")
        wrong = parties(parse_address(f"mqtt://ada:guess@127.0.0.1:{broker.port}"), "wrong")
        known.connection.start()
        wrong.connection.start()
        until(lambda: known.told == [None] and bool(wrong.told))
        assert "lets nobody in with this user name and password" in str(wrong.told[0])
        assert "guess" not in str(wrong.told[0])
        assert not wrong.connection.is_online
    finally:
        broker.stop()


# The library leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@needs_mosquitto
def test_encryption_trusts_only_known_certificates(tmp_path: Path, parties: Make) -> None:
    broker = Mosquitto(tmp_path, with_certificate(tmp_path))
    broker.start()
    try:
        where = f"mqtts://localhost:{broker.port}"
        known = parties(parse_address(f"{where}?ca={tmp_path / 'own.pem'}"), "known")
        stranger = parties(parse_address(where), "stranger")
        known.connection.start()
        stranger.connection.start()
        until(lambda: known.told == [None] and bool(stranger.told))
        assert "certificate" in str(stranger.told[0])
        assert "?ca=FILE" in str(stranger.told[0])
        assert not stranger.connection.is_online
    finally:
        broker.stop()
        gc.collect()  # here, where it is allowed to be told


def test_without_the_library_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(UsageError, match=re.escape(f"`{sys.executable} -m pip install paho-mqtt`")):
        BrokerConnection(BrokerAddress("hub", 1883), "table", "table/status", Listener())


def test_closing_does_not_wait_for_a_broker_that_is_not_there() -> None:
    # 192.0.2.1 is reserved for documentation and answers nobody.
    connection = BrokerConnection(BrokerAddress("192.0.2.1", 1883), "table", "s", Listener())
    connection.start()
    before_s = time.monotonic()
    connection.close(patience_s=0.5)
    assert time.monotonic() - before_s < 3
    assert connection_module.CONNECT_S > 3


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@needs_mosquitto
def test_a_connection_that_is_closed_leaves_no_file_open(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    broker.start()
    gc.collect()
    gc.disable()  # what only it would close is open until it runs, whenever that is
    try:
        before = open_files()
        for number in range(3):
            connection = Party(address_of(broker), f"table-{number}").connection
            connection.start()
            until(partial(getattr, connection, "is_online"))
            connection.close(PATIENCE_S)
        assert open_files() <= before  # others may just have closed theirs
    finally:
        gc.enable()
        broker.stop()


def test_what_connects_while_it_is_closed_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, connecting = socket.create_connection, threading.Event()

    def connect_once_it_is_leaving(*where: Any, **how: Any) -> socket.socket:
        connecting.set()
        until(lambda: any(thread.name == "mqtt-stop" for thread in threading.enumerate()))
        return connect(*where, **how)

    monkeypatch.setattr(socket, "create_connection", connect_once_it_is_leaving)
    with socket.create_server(("127.0.0.1", 0)) as broker:
        broker.settimeout(PATIENCE_S)
        address = BrokerAddress("127.0.0.1", broker.getsockname()[1])
        connection = BrokerConnection(address, "table", "s", Listener())
        connection.start()
        assert connecting.wait(PATIENCE_S)
        connection.close(PATIENCE_S)
        with broker.accept()[0] as line:
            line.settimeout(2)
            while line.recv(1000):  # what it sends until it hangs up; else the time is up
                pass
