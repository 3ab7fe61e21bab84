"""What an MQTT address says, and what is refused."""

import errno
import os
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.mqtt.address import BrokerAddress, parse_address


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("mqtt://hub.lan", BrokerAddress("hub.lan", 1883)),
        ("mqtts://hub.lan", BrokerAddress("hub.lan", 8883, True)),
        ("mqtt://192.168.1.5:1900/", BrokerAddress("192.168.1.5", 1900)),
        ("mqtt://ada:s%40f%2Fe@hub", BrokerAddress("hub", 1883, False, "ada", "s@f/e")),
        ("mqtt://[fd00::1]:1884", BrokerAddress("fd00::1", 1884)),
    ],
)
def test_an_address_says_who_where_and_how(words: str, address: BrokerAddress) -> None:
    assert parse_address(words) == address


@pytest.mark.parametrize(
    "words",
    [
        "",
        "hub.lan",
        "http://hub.lan",
        "mqtt://",
        "mqtt://ada:secret@hub:port",
        "mqtt://hub:99999",
        "mqtt://hub:0",
        "mqtt://hub/topic",
        "mqtt://[fd00",
        "mqtt://casa..di-ada",
        "mqtt://è..lan",
        "mqtts://hub?ca",
        "mqtts://hub?key=x",
        "mqtt://hub?ca=/etc/hostname",
    ],
)
def test_anything_else_is_one_sentence_without_the_password(words: str) -> None:
    with pytest.raises(UsageError, match="mqtts://USER:PASSWORD@HOST:PORT") as refused:
        parse_address(words)
    assert "secret" not in str(refused.value)


def test_certificates_of_one_s_own_are_a_file_that_exists(tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    with pytest.raises(UsageError, match=r"no file .*own\.pem"):
        parse_address(f"mqtts://hub?ca={own}")
    own.touch()
    assert parse_address(f"mqtts://hub?ca={own}").certificates == own


def test_a_password_is_in_no_text_of_an_address() -> None:
    address = parse_address("mqtts://ada:secret@hub.lan:8884")
    assert str(address) == "hub.lan:8884"
    assert "secret" not in repr(address)


def test_a_certificate_that_may_not_be_looked_at_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a folder of root's the panel did not start, and ended in a traceback."""
    with pytest.raises(UsageError, match=r"cannot be read: the file's name is too long"):
        parse_address(f"mqtts://hub?ca=/{'a' * 300}")

    def refused(path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "is_file", refused)
    with pytest.raises(UsageError, match=r"the file /own/a.pem cannot be read: there is no perm"):
        parse_address("mqtts://hub?ca=/own/a.pem")
