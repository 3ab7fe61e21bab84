"""A whole table in one file: what was packed is there on another box; nothing else gets in."""

import json
import zipfile
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.log.store import LOG_NAME, EventStore
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


def test_a_table_in_play_is_packed_and_none_is_written_over(data: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick.zip"
    with EventStore(data / LOG_NAME):
        assert main(["log", "pack", str(stick), "--data", str(data)]) == 0
    assert main(["log", "unpack", str(stick), "--data", str(data)]) == 3
    assert main(["log", "unpack", str(tmp_path / "none.zip"), "--data", str(tmp_path / "x")]) == 2
    assert main(["log", "pack", "--data", str(data)]) == 2


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "boards/../../evil",
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


def test_damaged_events_are_carried_as_they_are(tmp_path: Path) -> None:
    rows = [[0.0, "of-a-newer-program", json.dumps({"x": 1})]]
    with zipfile.ZipFile(tmp_path / "new.zip", "w") as archive:
        archive.writestr("log.json", json.dumps(rows))
    there = tmp_path / "there"
    assert main(["log", "unpack", str(tmp_path / "new.zip"), "--data", str(there)]) == 0
    with EventStore(there / LOG_NAME) as store:
        (entry,) = store.entries()
        assert getattr(entry, "is_newer", False)
