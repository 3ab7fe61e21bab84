"""How a table tells a hub that does not answer, and on a disk that takes nothing."""

import errno
import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.log.store import LOG_NAME
from companion.mqtt.hub_settings import hub_of
from companion.relay import delivery as deliveries
from companion.relay.delivery import Delivery
from companion.relay.position import open_position
from companion.relay.wire import Have, have_from_json, have_to_json
from companion.table.table import Table
from tests.companion.log.test_full_disk import full
from tests.companion.tables import ADA_AND_BEN, game_by_hand, new_table


class Broker:
    """Takes everything; the hub behind it is away."""

    is_online = True

    def __init__(self) -> None:
        self.events = self.states = 0
        self.kept = set[str]()

    def publish(self, topic: str, payload: str, *, retain: bool = False) -> bool:
        self.events += topic.endswith("/event")
        self.states += topic.endswith("/state")
        if retain:
            self.kept.add(topic.rpartition("/")[2])
        return True


def telling(table: Table, data: Path) -> tuple[Delivery, Broker]:
    """What tells a table's hub, and what stands for its broker."""
    broker = Broker()
    hub = hub_of("mqtt://t1:p@localhost")
    return Delivery(table, data / LOG_NAME, hub, broker, "run"), broker


def game_told(data: Path) -> tuple[Table, Delivery, Broker]:
    """A game by hand at a table, and what tells it."""
    table = game_by_hand(data)
    return table, *telling(table, data)


def clock_by_hand(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What the delivery takes for the time, `now_s`, which passes when the test says so."""
    clock = SimpleNamespace(monotonic=lambda: clock.now_s, time=lambda: clock.now_s, now_s=1000.0)
    monkeypatch.setattr(deliveries, "time", clock)
    return clock


def test_a_hub_that_is_away_is_tried_ever_less_often_and_at_once_when_it_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    version = delivery.look(1, -1)
    assert broker.events == 1
    assert delivery.is_under_way
    for _ in range(600):
        clock.now_s += 1
        delivery.look(version, version)
    # Behind the first after 5, 10, 20 and 40 s, and from then on once a minute.
    assert 10 <= broker.events <= 14
    assert not delivery.is_under_way  # nothing is looked at twenty times a second

    sent = broker.events
    delivery.hub_has(have_to_json(Have(delivery.chain, 0, "run")).encode())
    clock.now_s += 1
    delivery.look(version, version)
    assert broker.events == sent + 1
    assert delivery.is_under_way
    table.close()


def said(delivery: Delivery, place: int, hub: str, id: str = "") -> None:
    delivery.hub_has(have_to_json(Have(delivery.chain, place, hub, id)).encode())


def test_a_hub_that_starts_anew_or_was_set_back_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    told = []
    for place, hub in ((0, "one"), (0, "one"), (0, "two"), (1, "two"), (0, "two")):
        said(delivery, place, hub)
        delivery.look(1, 1)
        told.append(broker.events)
    assert told == [1, 1, 2, 2, 3]
    table.close()


def test_a_new_connection_waits_for_the_hubs_word_and_then_tells_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    broker.is_online = False
    assert delivery.look(1, 1) == -1, "the state is told as soon as the broker is there"
    broker.is_online = True
    delivery.begin_anew()
    delivery.subscribed()
    assert delivery.look(1, -1) == 1
    assert (broker.events, broker.states) == (0, 1)
    for _ in range(3):
        clock.now_s += 1.1
        delivery.look(1, 1)
    assert broker.events == 1
    table.close()


def test_what_the_broker_does_not_take_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    with monkeypatch.context() as full_up:
        full_up.setattr(broker, "publish", lambda *_, **__: False)
        assert delivery.look(1, -1) == -1
    assert delivery.look(1, -1) == 1
    assert (broker.events, broker.states) == (1, 1)
    table.close()


def test_the_state_is_kept_by_the_broker_and_told_now_and_then_but_not_without_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    assert delivery.look(1, -1) == 1
    assert delivery.look(2, 1) == 1, "it waits a moment"
    clock.now_s += 0.2
    assert delivery.look(2, 1) == 2
    clock.now_s += 59
    delivery.look(2, 2)
    assert broker.states == 2
    clock.now_s += 2
    delivery.look(2, 2)
    assert broker.states == 3, "by it the hub sees the table's clock"
    assert broker.kept == {"state"}
    table.close()


def test_a_hub_that_has_another_message_in_that_place_is_told_another_chain(
    tmp_path: Path,
) -> None:
    """The folder was restored from a copy, and played on: what the hub has is lost here."""
    table, delivery, _ = game_told(tmp_path)
    delivery.look(1, 1)
    before = delivery.chain
    said(delivery, 1, "run", "ef" * 16)
    delivery.look(1, 1)
    assert delivery.chain != before
    table.close()


def test_a_table_that_waits_for_room_tells_nothing_and_all_once_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log may not be there yet: reading it failed once a second, each time with a traceback."""
    with full(tmp_path):
        table = new_table(tmp_path, open_camera=None)
        delivery, broker = telling(table, tmp_path)
        version = table.wait(-1, 0)
        assert delivery.look(version, -1) == version, "nothing is looked at twenty times a second"
        assert (broker.events, broker.states) == (0, 0)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    begun = table.wait(version, 0)
    assert delivery.look(begun, version) == begun
    assert (broker.events, broker.states) == (1, 1)
    table.close()


def no_room(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_nothing_is_told_of_a_chain_whose_name_a_restart_would_forget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub would have the same game twice: once under the name that was lost."""
    table = game_by_hand(tmp_path)
    with full(tmp_path):
        delivery, broker = telling(table, tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(deliveries, "save_position", no_room)
            delivery.look(1, -1)
    assert not (tmp_path / "relay.json").exists()
    assert (broker.events, broker.states) == (0, 0)
    delivery.look(1, 1)
    assert broker.events == 1
    assert open_position(tmp_path)[0].chain == delivery.chain
    table.close()


def test_a_folder_that_was_restored_on_a_full_disk_is_one_other_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at it, once a second, counted as another one."""
    table, delivery, broker = game_told(tmp_path)
    lost = delivery.chain
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "save_position", no_room)
        for _ in range(3):
            delivery.hub_has(have_to_json(Have(delivery.chain, 7, "run")).encode())
            delivery.look(1, -1)
            if delivery.chain != lost:
                break
        other = delivery.chain
        for _ in range(3):
            delivery.look(1, -1)
    assert other != lost
    assert delivery.chain == other
    assert broker.events == 0
    delivery.look(1, -1)
    assert broker.events == 1
    assert open_position(tmp_path)[0].generation == 1
    table.close()


def test_a_full_disk_keeps_no_event_from_the_hub_that_confirms_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far the hub is cannot be noted: that is done later, and the rest is told all the same."""
    clock = clock_by_hand(monkeypatch)
    table, delivery, broker = game_told(tmp_path)
    delivery.look(1, -1)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    confirmed = have_to_json(Have(delivery.chain, 1, "run")).encode()
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "save_position", no_room)
        delivery.hub_has(confirmed)
        delivery.look(2, 1)
    assert broker.events == 2
    assert open_position(tmp_path)[0].place == 0
    clock.now_s += 2
    delivery.hub_has(confirmed)
    delivery.look(2, 2)
    assert open_position(tmp_path)[0].place == 1
    table.close()


def test_the_word_of_an_older_hub_is_understood() -> None:
    old = b'{"chain": "c", "place": 3, "hub": "run"}'
    assert have_from_json(old) == Have("c", 3, "run", "")
    assert have_from_json(b'{"chain": "c", "place": 3, "hub": "run", "id": 7}') is None
    assert have_from_json(b"[]") is None


@pytest.mark.parametrize("damage", [{"place": -5}, {"seal": 3}, {"number": 2**70}])
def test_a_position_that_is_none_is_begun_anew(tmp_path: Path, damage: dict[str, object]) -> None:
    """With a place before the first every try to tell the hub failed."""
    before, _ = open_position(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | damage), "utf-8")
    after, is_kept = open_position(tmp_path)
    assert (after.place, after.number, is_kept) == (0, 0, True)
    assert after.chain != before.chain
