"""A whole table in one file: what was packed is there on another box; nothing else gets in."""

import errno
import json
import math
import os
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.log.paths import copy_of
from companion.log.store import LOG_NAME, EventStore
from companion.session.events import PutAway
from tests.companion.log.log_writer import story


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with EventStore(folder / LOG_NAME) as store:
        for number in range(1, 21):
            store.append(story(number), f"request-{number}")
    (folder / "boards").mkdir()
    (folder / "boards" / "mine.json").write_text('{"id": "mine"}')
    (folder / "devices.json").write_text("secret")
    return folder


def test_a_table_is_carried_to_another_box(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 0
    assert "20 events" in capsys.readouterr().out
    with EventStore(there / LOG_NAME) as store:
        assert store.events() == [story(number) for number in range(1, 21)]
        assert "request-7" in store.request_ids
        assert (store.rescue, store.copy_renewed) == (None, False)
    assert (there / "boards" / "mine.json").read_text() == '{"id": "mine"}'
    assert not (there / "devices.json").exists()


def test_a_damaged_log_is_packed_with_a_word_of_what_is_missing(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = data / LOG_NAME
    log.write_bytes(log.read_bytes()[:4096])
    lines = copy_of(log).read_bytes().splitlines(keepends=True)
    copy_of(log).write_bytes(b"".join([*lines[:5], *lines[8:]]))
    assert main(["log", "pack", str(tmp_path / "stick.zip"), "--data", str(data)]) == 0
    told = capsys.readouterr()
    assert "17 events" in told.out
    assert "is damaged: 17 events can be read, these are missing: 6–8." in told.err


def test_a_log_of_which_nothing_can_be_read_is_no_empty_table(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever packs a table may wipe its card next."""
    for file in (data / LOG_NAME, copy_of(data / LOG_NAME)):
        file.write_bytes(b"other " * 5000)
    stick = tmp_path / "stick.zip"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 3
    assert "holds no events that can be read" in capsys.readouterr().err
    assert not stick.exists()


def test_a_log_of_a_newer_program_is_named_where_it_lies(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(data / LOG_NAME)) as connection:
        connection.execute("PRAGMA user_version = 9")
    for action in (["check"], ["export"], ["pack", str(tmp_path / "stick.zip")]):
        assert main(["log", *action, "--data", str(data)]) == 3
        assert f"The log {data / LOG_NAME} was written by a newer" in capsys.readouterr().err


def lose(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A failing disk no longer gives the files of this name."""
    open_file = Path.open

    def refused(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == name:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return open_file(path, *how, **more)

    monkeypatch.setattr(Path, "open", refused)


def test_what_a_failing_disk_does_not_give_keeps_the_log_from_no_copy(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (data / "boards" / "ours.json").write_text('{"id": "ours"}')
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    with monkeypatch.context() as patch:
        lose(patch, "mine.json")
        assert main(["log", "pack", str(stick), "--data", str(data), "--language", "it"]) == 0
    said = "Nella copia manca ciò che il disco non legge più: boards/mine.json."
    assert capsys.readouterr().err == f"companion log: {said}\n"
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 0
    assert "20 events" in capsys.readouterr().out
    assert [path.name for path in (there / "boards").iterdir()] == ["ours.json"]


def test_a_file_from_before_the_clock_was_set_is_packed_too(data: Path, tmp_path: Path) -> None:
    """A board that a Pi without a clock wrote is of 1970; a ZIP has no such year."""
    os.utime(data / "boards" / "mine.json", (0, 0))
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 0
    assert (there / "boards" / "mine.json").read_text() == '{"id": "mine"}'


def test_a_table_in_play_is_packed_and_none_is_written_over(data: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick.zip"
    with EventStore(data / LOG_NAME):
        assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(data)]) == 3
    assert main(["log", "unpack", str(tmp_path / "none.zip"), "--data", str(tmp_path / "x")]) == 2
    assert main(["log", "pack", "--data", str(data)]) == 2


def test_a_box_on_which_nothing_was_played_takes_a_table(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The package's service has made a log of its own by the time that anybody can unpack one."""
    stick, box = tmp_path / "stick.zip", tmp_path / "box"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    unpack = ["log", "unpack", str(stick), "--data", str(box)]
    with EventStore(box / LOG_NAME):
        left_by_a_power_cut = {
            path.name: path.read_bytes() for path in box.glob("evening.sqlite3*")
        }
        capsys.readouterr()
        assert main(unpack) == 3
        assert "systemctl stop companion" in capsys.readouterr().err
    for name, content in left_by_a_power_cut.items():
        (box / name).write_bytes(content)
    assert main(unpack) == 0
    assert "20 events" in capsys.readouterr().out
    with EventStore(box / LOG_NAME) as store:
        assert store.events() == [story(number) for number in range(1, 21)]
        assert (store.rescue, store.copy_renewed) == (None, False)
    assert main(unpack) == 3, "now there is a table"


def test_a_set_up_of_the_same_name_is_not_written_over(data: Path, tmp_path: Path) -> None:
    stick, box = tmp_path / "stick.zip", tmp_path / "box"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    (box / "boards").mkdir(parents=True)
    (box / "boards" / "mine.json").write_text('{"id": "mine", "name": "of this box"}')
    assert main(["log", "unpack", str(stick), "--data", str(box)]) == 3
    assert (box / "boards" / "mine.json").read_text() == '{"id": "mine", "name": "of this box"}'
    assert not (box / LOG_NAME).exists()


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "boards/../../evil",
        "boards/..",
        "devices.json",
        "boards/a/b",
        "a\\b",
        "x",
        f"boards/{'é' * 130}.json",
    ],
)
def test_a_file_that_leads_elsewhere_is_refused_whole(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("log.json", "[]")
        archive.writestr(name, "evil")
    there = tmp_path / "there"
    assert main(["log", "unpack", str(tmp_path / "evil.zip"), "--data", str(there)]) == 3
    assert not there.exists()


def test_a_file_that_unpacks_to_more_than_a_table_is_refused_whole(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some kilobytes of zeros would else fill the memory and the card of a box."""
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    (data / "boards" / "zeros.json").write_bytes(bytes(200_000))
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    monkeypatch.setattr("companion.log.table_file.MOST_BYTES", 200_000)
    assert stick.stat().st_size < 20_000
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 3
    assert not there.exists()


def test_a_link_in_the_data_folder_carries_nothing_of_elsewhere_along(
    data: Path, tmp_path: Path
) -> None:
    """A stick is given away; where a link leads may be anybody's."""
    (tmp_path / "diary").write_text("dear diary")
    (data / "boards" / "theirs.json").symlink_to(tmp_path / "diary")
    stick = tmp_path / "stick.zip"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    with zipfile.ZipFile(stick) as archive:
        assert sorted(archive.namelist()) == ["boards/mine.json", "log.json"]


def test_a_zip_that_points_before_its_own_beginning_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("log.json", "[]")
    content = bytearray((tmp_path / "bad.zip").read_bytes())
    start_of_directory = content.rindex(b"PK\x05\x06") + 16
    content[start_of_directory : start_of_directory + 4] = (1_000).to_bytes(4, "little")
    (tmp_path / "bad.zip").write_bytes(content)
    there = ["--data", str(tmp_path / "there")]
    assert main(["log", "unpack", str(tmp_path / "bad.zip"), *there]) == 3
    assert "Traceback" not in capsys.readouterr().err
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize(
    "log",
    [
        "",
        "{",
        "7",
        "[[1]]",
        '[["x", "started", "{}"]]',
        "[[1, 2, 3]]",
        '[[NaN, "started", "{}"]]',
        '[[1e300, "started", "{}"]]',
        '[[1, "\\ud800", "{}"]]',
        '[[1, "started", "{\\"x\\": \\"\\ud800\\"}"]]',
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, log: str) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("log.json", log)
    (tmp_path / "cut.zip").write_bytes((tmp_path / "bad.zip").read_bytes()[:40])
    for name in ("bad.zip", "cut.zip"):
        there = tmp_path / "there"
        assert main(["log", "unpack", str(tmp_path / name), "--data", str(there)]) == 3
        assert not there.exists()


@pytest.mark.parametrize(
    ("at_s", "kept_s"),
    [(32_503_680_000.0, 32_503_680_000.0), (253_402_300_800.0, 0.0), (math.inf, 0.0), (-5.0, 0.0)],
)
def test_a_copy_of_a_log_with_a_time_that_is_no_date_can_be_unpacked(
    tmp_path: Path, at_s: float, kept_s: float
) -> None:
    """The year 3000 is one. The year 10000 is none, nor is one before 1970: they count as 1970."""
    with EventStore(tmp_path / LOG_NAME, now=lambda: at_s) as store:
        store.append(PutAway())
    assert main(["log", "pack", str(tmp_path / "odd.zip"), "--data", str(tmp_path)]) == 0
    there = tmp_path / "there"
    assert main(["log", "unpack", str(tmp_path / "odd.zip"), "--data", str(there)]) == 0
    with EventStore(there / LOG_NAME) as store:
        assert store.dated_entries() == [(kept_s, PutAway())]


def test_damaged_events_are_carried_as_they_are(tmp_path: Path) -> None:
    rows = [[0.0, "of-a-newer-program", json.dumps({"x": 1})]]
    with zipfile.ZipFile(tmp_path / "new.zip", "w") as archive:
        archive.writestr("log.json", json.dumps(rows))
    there = tmp_path / "there"
    assert main(["log", "unpack", str(tmp_path / "new.zip"), "--data", str(there)]) == 0
    with EventStore(there / LOG_NAME) as store:
        (entry,) = store.entries()
        assert getattr(entry, "is_newer", False)


def test_a_pack_that_may_hold_passwords_is_its_owner_s_alone(data: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick.zip"
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert stick.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("named", ["pipe", "link"])
def test_what_is_no_ordinary_file_is_not_replaced_by_a_pack(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """With root's rights a pack named `/dev/null` would take the device away from the machine."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    words = ["log", "pack", str(tmp_path / named), "--data", str(data), "--language", "it"]
    assert main(words) == 2
    assert "non si può scrivere: non è un file comune" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()


def test_a_pack_is_written_to_where_a_link_leads(data: Path, tmp_path: Path) -> None:
    link, there = tmp_path / "newest.zip", tmp_path / "evening.zip"
    link.symlink_to(there.name)
    assert main(["log", "pack", str(link), "--data", str(data)]) == 0
    assert link.is_symlink()
    assert zipfile.is_zipfile(there)
    assert there.stat().st_mode & 0o777 == 0o600


def test_a_language_of_the_table_s_own_goes_with_it(data: Path, tmp_path: Path) -> None:
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    (data / "languages").mkdir()
    (data / "languages" / "de.json").write_text('{"name": "Deutsch"}')
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 0
    assert (there / "languages" / "de.json").read_text() == '{"name": "Deutsch"}'


def test_an_unpacked_configuration_is_its_owner_s_alone(data: Path, tmp_path: Path) -> None:
    """It may hold the password of a broker."""
    stick, there = tmp_path / "stick.zip", tmp_path / "there"
    (data / "companion.toml").write_text('[mqtt]\naddress = "mqtt://home:secret@broker"\n')
    assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(there)]) == 0
    assert (there / "companion.toml").read_bytes() == (data / "companion.toml").read_bytes()
    assert (there / "companion.toml").stat().st_mode & 0o077 == 0
    assert (there / "boards" / "mine.json").stat().st_mode & 0o044


@pytest.mark.parametrize("name", ["evening.sqlite3", "evening.copy.jsonl"])
@pytest.mark.parametrize("command", ["log pack {out}", "log export -o {out}"])
def test_a_table_s_own_log_is_not_written_over(
    data: Path, capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    """Who packs a log by its own file's name means what is to be read."""
    before = (data / name).read_bytes()
    words = command.format(out=data / name).split()
    assert main([*words, "--data", str(data)]) == 2
    assert "another name" in capsys.readouterr().err
    assert (data / name).read_bytes() == before


@pytest.mark.parametrize("name", ["boards/table.zip", "boards/mine.json", "companion.toml"])
def test_a_table_is_not_packed_into_itself(
    data: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A pack among the boards held the last pack, then itself until the disk was full."""
    (data / "companion.toml").write_text("[serve]\n")
    before = {path: path.read_bytes() for path in data.glob("**/*") if path.is_file()}
    for _ in range(2):
        assert main(["log", "pack", str(data / name), "--data", str(data)]) == 2
        assert "another" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in data.glob("**/*") if path.is_file()} == before


@pytest.mark.parametrize("name", [b"a\\b.json", b"x" * 230 + b".json", b"caf\xe9.json"])
def test_no_table_is_packed_with_a_name_that_no_box_takes(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: bytes
) -> None:
    """The file was refused when it was unpacked: the box that it came from may be gone by then."""
    (data / "boards" / os.fsdecode(name)).write_text("{}")
    table = tmp_path / "table.zip"
    assert main(["log", "pack", str(table), "--data", str(data)]) == 2
    told = capsys.readouterr().err
    assert name.decode("utf-8", "replace") in told
    assert told.count("\n") == 1
    assert "shorter name" in told
    assert not table.exists()


def test_no_table_is_packed_that_is_larger_than_a_box_unpacks(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """500 MB; here one byte more, of a file without any content on the disk."""
    (data / "calibrations").mkdir()
    table, large = tmp_path / "table.zip", data / "calibrations" / "large.calibration"
    main(["log", "pack", str(table), "--data", str(data)])
    with zipfile.ZipFile(table) as archive:
        others = sum(one.file_size for one in archive.infolist())
    large.touch()
    os.truncate(large, 500_000_000 - others + 1)
    capsys.readouterr()
    table.unlink()
    assert main(["log", "pack", str(table), "--data", str(data)]) == 2
    assert "delete set-ups" in capsys.readouterr().err
    assert not table.exists()


@pytest.mark.parametrize("command", ["log unpack {table} --data {to}", "log rescue --to {to}"])
def test_a_disk_that_fills_up_leaves_no_half_a_log(
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    def full(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise error

    table, to = tmp_path / "table.zip", tmp_path / "elsewhere"
    assert main(["log", "pack", str(table), "--data", str(data)]) == 0
    words = command.format(table=table, to=to).split()
    words += [] if "--data" in words else ["--data", str(data)]
    capsys.readouterr()
    room = shutil.disk_usage(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("companion.log.file.insert", full)
        patch.setattr(shutil, "disk_usage", lambda path: room._replace(free=0))
        assert main([*words, "--language", "it"]) == 2
        patch.setattr(shutil, "disk_usage", lambda path: room._replace(free=10**9))
        assert main([*words, "--language", "it"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("non si può scrivere: non c'è più spazio")
    assert second.endswith("il supporto non si legge o non si scrive: forse è guasto")
    assert [path.name for path in to.iterdir() if path.name.startswith("evening")] == []
    assert main(words) == 0
    with EventStore(data / LOG_NAME) as before, EventStore(to / LOG_NAME) as after:
        assert after.events() == before.events()
