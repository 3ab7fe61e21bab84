"""`companion log`: an evening's log is checked, taken out and saved from the command line."""

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.log.file import write_log
from companion.log.paths import copy_of
from companion.log.rows import seal_row
from companion.log.store import LOG_NAME, EventStore
from companion.session.events import Event, SeatedPlayer, Started, TicketAdded

EVENTS: list[Event] = [
    Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue"))),
    *(TicketAdded("red", f"ticket-{n}") for n in range(60)),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with EventStore(tmp_path / LOG_NAME) as store:
        for event in EVENTS:
            store.append(event)
    return tmp_path


def run(*words: object) -> int:
    return main(["log", *map(str, words)])


def cut_both(folder: Path) -> None:
    """Cut the database to its head and take lines 11 to 20 out of the second copy."""
    main_file = folder / LOG_NAME
    main_file.write_bytes(main_file.read_bytes()[:4096])
    copy = copy_of(main_file)
    lines = copy.read_bytes().splitlines(keepends=True)
    copy.write_bytes(b"".join([*lines[:10], *lines[20:]]))


def test_a_whole_log_is_told_as_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--data", folder, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["sound"], document["events"], document["missing"]) == (True, 61, [])


def test_checking_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut_both(folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert run("check", "--data", folder) == 3
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert "11–20" in capsys.readouterr().out


def test_a_log_on_a_full_disk_may_be_checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python finds no folder for temporary files on a full disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "no-such-folder"))
    assert run("check", "--data", folder) == 0


def test_a_log_in_use_may_be_checked(folder: Path) -> None:
    with EventStore(folder / LOG_NAME) as store:
        store.append(TicketAdded("red", "one-more"))
        assert run("check", "--data", folder) == 0


def test_one_damaged_file_of_the_two_loses_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main_file = folder / LOG_NAME
    main_file.write_bytes(main_file.read_bytes()[:5000])
    assert run("check", "--data", folder) == 3
    assert run("export", "--data", folder) == 0
    out = capsys.readouterr().out
    events = json.loads(out[out.index("{") :])["events"]
    assert [event["number"] for event in events] == list(range(1, 62))
    assert events[60]["data"] == {"colour": "red", "ticket": "ticket-59"}


def test_an_export_names_what_is_missing(folder: Path, tmp_path: Path) -> None:
    cut_both(folder)
    out = tmp_path / "evening.json"
    assert run("export", "--data", folder, "--out", out) == 0
    document = json.loads(out.read_text("utf-8"))
    assert document["missing"] == [[11, 20]]
    assert len(document["events"]) == 51


def test_what_can_be_read_is_saved_in_another_folder(folder: Path, tmp_path: Path) -> None:
    cut_both(folder)
    before = (folder / LOG_NAME).read_bytes()
    assert run("rescue", "--data", folder, "--to", tmp_path / "saved") == 0
    assert (folder / LOG_NAME).read_bytes() == before
    assert run("check", "--data", tmp_path / "saved") == 0
    with EventStore(tmp_path / "saved" / LOG_NAME) as store:
        assert store.events() == [*EVENTS[:10], *EVENTS[20:]]
    assert run("rescue", "--data", folder, "--to", tmp_path / "saved") == 2


def test_a_rescue_in_place_keeps_the_damaged_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_both(folder)
    assert run("rescue", "--data", folder, "--language", "it") == 0
    assert "11–20" in capsys.readouterr().out
    assert (folder / "evening.damaged-1.sqlite3").is_file()
    assert run("check", "--data", folder) == 0


@pytest.mark.parametrize(
    ("content", "code"), [(None, 2), (b"a cat", 3), (b"", 3), (b"SQLite format 3\0" + b"x" * 9, 3)]
)
def test_what_is_no_log_is_one_sentence(
    tmp_path: Path, content: bytes | None, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / LOG_NAME).write_bytes(content)
    for action in ("check", "export"):
        assert run(action, "--data", tmp_path) == code
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_rescue_leaves_alone_what_is_no_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It took its place, and the file went on under another name."""
    game = tmp_path / "GAME.json"
    game.write_text('{"game": "usa"}')
    assert run("rescue", "--file", game) == 3
    assert "is it a log of Companion?" in capsys.readouterr().err
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [
        ("GAME.json", '{"game": "usa"}')
    ]


def test_a_folder_in_the_place_of_the_log_is_told_as_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", "--file", folder) == 2
    assert f"{folder} is a folder; name it with --data" in capsys.readouterr().err
    assert run("check", "--data", folder) == 0


@pytest.mark.parametrize("command", ["check", "export", "rescue"])
def test_a_folder_with_the_name_of_the_table_s_log_is_told_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / LOG_NAME).mkdir()
    assert run(command, "--data", tmp_path) == 2
    told = f"a folder has the name of this table's log, {tmp_path / LOG_NAME}; move it away"
    assert told in capsys.readouterr().err


def test_options_of_another_action_are_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", "--data", folder, "--out", "x.json") == 2
    assert "--out goes only with export" in capsys.readouterr().err
    assert run("rescue", "--data", folder, "--json") == 2
    assert "--json goes only with check" in capsys.readouterr().err


def test_an_export_is_json_whether_or_not_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", "--data", folder) == 0
    plain = capsys.readouterr().out
    assert run("export", "--data", folder, "--json") == 0
    assert capsys.readouterr().out == plain
    assert len(json.loads(plain)["events"]) == 61


@pytest.mark.parametrize(
    "words", ["pack {out} --data {data}", "pack --data {data} {out}", "--data {data} pack {out}"]
)
def test_a_file_may_be_named_before_an_option_and_behind_it(
    folder: Path, tmp_path: Path, words: str
) -> None:
    out = tmp_path / "table.zip"
    assert run(*words.format(out=out, data=folder).split()) == 0
    assert out.is_file()


def test_a_word_too_many_is_named_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run("pack", "--data", folder, "table.zip", "more.zip")
    assert ended.value.code == 2
    assert "unrecognized arguments: more.zip;" in capsys.readouterr().err


def test_half_a_character_is_exported_as_json_writes_it(tmp_path: Path) -> None:
    log = tmp_path / LOG_NAME
    with closing(sqlite3.connect(log)) as connection:
        connection.executescript(
            "CREATE TABLE events (number INTEGER PRIMARY KEY, at REAL NOT NULL, "
            "kind TEXT NOT NULL, data TEXT NOT NULL); PRAGMA user_version = 1"
        )
        data = r'{"colour": "red", "name": "A\ud800"}'
        connection.execute("INSERT INTO events VALUES (1, 1.5, 'player-renamed', ?)", [data])
        connection.commit()
    out = tmp_path / "out.json"
    assert run("export", "--file", log, "--out", out) == 0
    (event,) = json.loads(out.read_text("utf-8"))["events"]
    assert event["data"]["name"] == "A\ud800"


def test_an_event_nested_beyond_what_can_be_read_is_exported_as_its_text(tmp_path: Path) -> None:
    """The export ended in a traceback, and no event could be taken out of that log."""
    nested = "[" * 50_000 + "]" * 50_000  # Python 3.13 reads some 10,000, 3.11 some 1,000
    write_log(tmp_path / LOG_NAME, [seal_row(None, 0.0, "shown", nested)])
    assert run("export", "--data", tmp_path, "--out", tmp_path / "log.json") == 0
    (event,) = json.loads((tmp_path / "log.json").read_text("utf-8"))["events"]
    assert event["data"] == nested


def test_a_folder_that_the_database_cannot_be_made_in_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = folder.joinpath(*["x" * 200] * 4)  # SQLite knows shorter paths only
    assert run("rescue", "--data", folder, "--to", deep) == 2
    assert "cannot be written" in capsys.readouterr().err
