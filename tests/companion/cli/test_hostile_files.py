"""Whatever a file holds, a command ends with a sentence and the right code, never a traceback."""

import json
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.config import port_of_the_machine, read_config
from companion.log.store import LOG_NAME, EventStore
from companion.session.events import SeatedPlayer, Started
from tests.support.hostile import DEEP_LIST, DEEP_OBJECT, variations, wholes

ROOT = Path(__file__).parents[3]
PLAYER = {"name": "Ada", "colour": "red", "routes": ["denver--omaha"], "passengers": {}}
GAME = {
    "game": "usa",
    "settings": {"globetrotter-needs-a-ticket": True},
    "players": [{**PLAYER, "tickets": [["helena", "los-angeles"], {"points": 5}]}],
}
PARIS = json.loads(
    next(
        block
        for block in re.findall(r"```json\n(.*?)```", (ROOT / "docs/boards.md").read_text(), re.S)
        if '"id": "paris"' in block
    )
)
CARDS = {
    "format": 1,
    "id": "card-game",
    "title": "Our Card Game",
    "tickets": [{"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}}],
    "big_cities": {"chicago": 8},
}
PINS = {"pins": {"scan": 5, "lamps": [17, 27]}}

COMMANDS: dict[str, tuple[list[str], object]] = {
    "score": (["score", "FILE", "--json"], GAME),
    "explain": (["explain", "FILE", "--player", "Ada"], GAME),
    "diff": (["diff", "FILE", "FILE"], GAME),
    "boards check": (["boards", "check", "FILE"], PARIS),
    "boards check --json": (["boards", "check", "FILE", "--json"], CARDS),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a data folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return tmp_path


def documents(good: object) -> Iterator[str]:
    yield from variations(good)
    yield from wholes()


@pytest.mark.parametrize("name", COMMANDS)
def test_no_value_of_any_file_makes_a_command_fail(
    folder: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    words, good = COMMANDS[name]
    for document in documents(good):
        Path("FILE").write_text(document, "utf-8")
        code = main(words)
        printed = capfd.readouterr()
        assert code in (0, 2, 3), document[:300]  # 2: the game is of no known board
        if code:
            assert len(printed.err.splitlines()) == 1, document[:300]


def test_no_value_of_the_boxs_file_makes_doctor_fail(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for document in documents(PINS):
        (folder / "data" / "box.json").write_text(document, "utf-8")
        assert main(["doctor"]) in (0, 3), document[:300]
    assert "Traceback" not in "".join(capfd.readouterr())


def test_no_file_among_the_boards_keeps_the_others_from_being_listed(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    boards = folder / "data" / "boards"
    boards.mkdir()
    for number, document in enumerate(wholes()):
        (boards / f"odd-{number}.json").write_text(document, "utf-8")
    assert main(["boards"]) == 0
    assert "germany" in capfd.readouterr().out


def calibration(document: str, picture: bytes = b"no picture") -> None:
    with zipfile.ZipFile("usa.cal", "w") as archive:
        archive.writestr("calibration.json", document)
        archive.writestr("empty-board.jpg", picture)


def scan_with_it() -> int:
    return main(["scan", "photo.jpg", "--board", "usa", "--calibration", "usa.cal"])


CALIBRATION = {
    "format": 1,
    "board": "usa",
    "board_version": 1,
    "created": "2024-01-01",
    "image_size_px": [400, 400],
    "corners_px": [[0, 0], [1, 0], [1, 1], [0, 1]],
    "spaces_px": [[[0, 0], [1, 0], [1, 1], [0, 1]]],
    "wagon_colours_lab": {"red": [50, 60, 40]},
}


def test_no_value_of_a_calibration_makes_a_scan_fail(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = cv2.imencode(".jpg", np.full((400, 400, 3), 120, np.uint8))[1].tobytes()
    Path("photo.jpg").write_bytes(picture)
    for document in documents(CALIBRATION):
        calibration(document, picture)
        assert scan_with_it() == 3, document[:300]
        assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_nested_calibration_says_so(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("photo.jpg").write_bytes(b"")
    for document in (DEEP_LIST, DEEP_OBJECT):
        calibration(document)
        assert scan_with_it() == 3
        assert "its document is nested too deeply" in capfd.readouterr().err


def test_an_archive_with_a_password_is_no_calibration(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The flag that says "encrypted" is bit 0 of a member's flags, in both of its headers."""
    calibration("{}")
    raw = bytearray(Path("usa.cal").read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(sign) + offset] |= 1
    Path("usa.cal").write_bytes(raw)
    Path("photo.jpg").write_bytes(b"")
    assert scan_with_it() == 3
    (line,) = capfd.readouterr().err.splitlines()
    assert "usa.cal" in line
    assert "password" in line


READERS = {
    "calibration": ["scan", "PHOTO", "--board", "usa", "--calibration", "FILE"],
    "configuration": ["wiring", "--config", "FILE"],
    "packed table": ["log", "unpack", "FILE", "--data", "new"],
}


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("kind", ["missing", "folder", "pipe"])
def test_what_is_no_file_to_read_is_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], kind: str
) -> None:
    cv2.imwrite("photo.png", np.full((400, 600, 3), (40, 90, 160), np.uint8))
    if kind == "folder":
        Path("FILE").mkdir()
    elif kind == "pipe":
        os.mkfifo("FILE")
    assert main([word.replace("PHOTO", "photo.png") for word in words]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert (
        "there is no file FILE" if kind == "missing" else "the file FILE cannot be read"
    ) in told
    assert not Path("new").exists()


def test_a_folder_without_a_table_is_not_packed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip in the folder's name would leave a copy that holds nothing."""
    assert main(["log", "pack", "copy.zip", "--data", "dtaa"]) == 2
    assert "there is no log dtaa/evening.sqlite3" in capsys.readouterr().err
    assert not Path("copy.zip").exists()


@pytest.mark.parametrize(
    "command",
    [
        "scan photo.png --board usa --calibration kept.png --overlay kept.png",
        "scan photo.png --board kept.png --overlay kept.png",
        "tickets photo.png --board kept.png --overlay kept.png",
        "calibrate --board kept.json --empty photo.png -o kept.json",
        "calibrate --board usa --camera still:kept.png -o kept.png",
        "wiring --config kept.toml --svg kept.toml",
        "wiring --data . --svg companion.toml",
        "log export --data . -o companion.toml",
        "log export --data . -o devices.json",
        "log pack devices.json --data .",
        "log pack evening.sqlite3-wal --data .",
    ],
)
def test_no_result_takes_the_place_of_a_file_that_its_command_needs(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with EventStore(folder / LOG_NAME) as store:
        store.append(Started("usa", (SeatedPlayer("Ada", "red"),)))
    usa = (ROOT / "scoring/board/data/usa.json").read_bytes()
    for name in ("kept.png", "kept.json", "kept.toml", "companion.toml", "devices.json"):
        Path(name).write_bytes(b"" if name.endswith(".toml") else usa)
    before = {path.name: path.read_bytes() for path in folder.glob("*.*") if path.is_file()}
    assert main(command.split()) == 2
    assert "give the new file another name" in capsys.readouterr().err
    after = {path.name: path.read_bytes() for path in folder.glob("*.*") if path.is_file()}
    assert after == before


@pytest.mark.parametrize(
    "command",
    [
        "log check --data ~nobody-here/x",
        "log check --file ~nobody-here/x",
        "log pack ~nobody-here/x",
        "doctor --data ~nobody-here/x",
        "wiring --config ~nobody-here/x",
        "serve --data ~nobody-here/x",
        "height --data ~nobody-here/x",
        "hub setup --folder ~nobody-here/x --broker-host hub",
    ],
)
def test_the_home_of_a_user_who_is_not_here_is_wrong_usage(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "~nobody-here/x" in told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("doctor --language en --data x", "the present folder was deleted, so x is nowhere"),
        ("log check --language en --data x", "the present folder was deleted, so x is nowhere"),
        ("hub setup --language en --folder x --broker-host hub", "The folder x cannot be written"),
    ],
)
def test_a_present_folder_that_was_deleted_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    told: str,
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(command.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


@pytest.mark.parametrize("words", ["9" * 5000, "", "-1", "٣", "eighty"])
def test_a_port_of_the_machine_that_is_none_counts_as_none(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five thousand figures ended the panel before it began."""
    monkeypatch.setenv("COMPANION_PORT", words)
    assert port_of_the_machine() is None


def test_a_configuration_in_the_home_of_nobody_is_told_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", "~nobody-here/companion.toml")
    (trouble,) = read_config(tmp_path).troubles
    assert "there is no file ~nobody-here/companion.toml" in str(trouble)


@pytest.mark.parametrize(
    "command",
    [
        "log check --data {refused}",
        "log check --file {refused}",
        "log pack out.zip --data {refused}",
        "log rescue --to {refused} --data .",
        "serve --data {refused}",
    ],
)
def test_a_folder_that_the_system_refuses_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """As another user's folder is; too long a name is refused to root as well."""
    monkeypatch.chdir(tmp_path)
    with EventStore(tmp_path / LOG_NAME) as store:
        store.append(Started("usa", (SeatedPlayer("Ada", "red"),)))
    assert main(command.format(refused="a" * 300).split()) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "too long" in told
    assert not (tmp_path / "out.zip").exists()


@pytest.mark.parametrize("command", ["serve", "log check", "log export", "log pack out.zip"])
def test_the_folder_of_a_box_s_service_names_the_command_for_root(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("companion.config.getpwuid", lambda _: SimpleNamespace(pw_name="companion"))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: SimpleNamespace(st_uid=120, st_mode=0o40750))
    assert main(command.split()) == 2
    typed = " ".join(command.split()[:2])
    assert capsys.readouterr().err == (
        f"companion {command.split()[0]}: the folder {tmp_path} belongs to the user companion; on a"
        f" box type `sudo companion {typed}`, or give another folder with --data\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        "scan photo.png --board usa --overlay photo.png",
        "scan other.png --board usa --reference photo.png --overlay ./photo.png",
        "tickets photo.png --board usa --overlay photo.png",
        "calibrate --board usa --empty photo.png -o photo.png",
    ],
)
def test_no_photo_is_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    for name in ("photo.png", "other.png"):
        cv2.imwrite(name, np.full((400, 600, 3), (40, 90, 160), np.uint8))
    before = Path("photo.png").read_bytes()
    assert main(command.split()) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "give the new file another name" in told
    assert Path("photo.png").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "scan {}.jpg --board usa",
        "score {}.json",
        "calibrate --empty {}.jpg --board usa -o usa.cal",
        "watch replay:{} --board usa",
        "serve --data {}",
        "log unpack {}",
        "boards check {}",
        "wiring --svg {}",
        "{}",
        "height {}",
    ],
)
def test_a_name_without_end_fills_no_terminal(
    folder: Path, capfd: pytest.CaptureFixture[str], words: str
) -> None:
    with suppress(SystemExit):  # where no command line is meant
        assert main(words.format("a" * 10_000).split()) == 2
    told = capfd.readouterr().err
    assert len(told.splitlines()) == 1
    assert 40 < len(told) < 600


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (
            "explain FILE --player red",
            '{"board": "usa", "registration": {}, "routes": {"\\u001b[2J": 1}, "review": []}',
        ),
        ("boards cards FILE", "from,to,points,\x1b[2J\na,b,5,1\n"),
        ("wiring --config FILE", '["\\u001b[2J"]\n'),
        ("wiring --config FILE", '[panel]\n"\\u001b[2J" = 1\n'),
        ("wiring --config FILE", '[pins]\nscan = "\\u202e\\u009b2J"\n'),
    ],
)
def test_no_sign_of_a_file_is_obeyed_by_the_terminal(
    folder: Path, capfd: pytest.CaptureFixture[str], words: str, file: str
) -> None:
    """A file that somebody sent could clear the screen, or turn a line round."""
    Path("FILE").write_text(file, "utf-8")
    main(words.split())
    told = "".join(capfd.readouterr())
    assert not {"\x1b", "\u009b", "\u202e"} & {*told}


def test_routes_in_doubt_of_a_file_are_named_without_signs_that_a_terminal_obeys(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reading = {"board": "usa", "registration": {}, "routes": {"denver--omaha": {"owner": "red"}}}
    Path("FILE").write_text(json.dumps({**reading, "review": ["\x1b[2J\nx", "x" * 5_000]}))
    assert main(["score", "FILE"]) == 0
    told = capfd.readouterr().err
    assert "\x1b" not in told
    assert len(told.splitlines()) == 1
    assert len(told) < 400


@pytest.mark.parametrize("section", ["\n", "\x1b", "x" * 5_000])
def test_a_section_of_the_configuration_that_is_none_is_told_in_one_line(
    tmp_path: Path, section: str
) -> None:
    Path(tmp_path, "companion.toml").write_text(f"[{json.dumps(section)}]\n", "utf-8")
    (trouble,) = read_config(tmp_path).troubles
    words = str(trouble).replace(str(tmp_path), "")
    assert section not in words
    assert len(words) < 400
