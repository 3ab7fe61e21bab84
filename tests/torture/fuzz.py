"""Fuzzing: all that is read from a file or a request, changed at random, for as long as asked.

`python -m tests.torture.fuzz [TARGET …] --minutes 60 --seed 1` goes round the targets. An input
that ends in anything but a sentence, or takes longer than five seconds, is kept in a file.
"""

import argparse
import atexit
import io
import json
import logging
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import cv2
import numpy as np

from calibration.files import calibration_bytes, load_calibration, load_label
from companion.config import read_config
from companion.errors import CompanionError
from companion.log.inspect import inspect_log
from companion.log.paths import copy_of
from companion.log.store import LOG_NAME, EventStore
from companion.log.table_file import pack_table, unpack_table
from companion.server.let_in_file import open_let_in_file
from companion.setup.kept import KeptCalibrations
from companion.studio.boards import TaughtBoards
from companion.studio.document import check, write
from companion.studio.draft import Box, Draft, DraftPlace, Line
from companion.studio.steps import apply
from companion.studio.ticket_csv import text_of, tickets_of
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.user_files.game_files import parse_json
from companion.user_files.languages import add_languages
from companion.user_files.score_documents import score_games
from scoring.board.board import Board, load_board
from scoring.board.shipped import shipped_document
from scoring.language import SpokenError
from tests.companion.log.log_writer import story
from tests.support.drawn_table import true_calibration
from tests.support.golden import GOLDEN, read_golden, taught_board
from tests.support.hostile import VALUES, leaves, wholes
from tests.support.small_board import station_board
from tests.torture import fuzz_hub
from vision.images.photo import decode_photo
from web.app import create_app

LIMIT_S = 5.0
"""Whatever takes longer hangs."""

Take = Callable[[bytes, Path], None]
"""Gives an input to the program, with a folder that is empty; raises what the program raises."""


class HangError(BaseException):
    """No `except Exception` of the program catches it."""


@dataclass
class Count:
    """What a target took: inputs, those that were refused in a sentence, and the bad ones."""

    inputs: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    used_s: float = 0.0
    bad: list[str] = field(default_factory=list)


# --- changing ---


def changed_bytes(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Some random changes: bits, bytes, lengths, pieces left out, doubled or taken from others."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(out) + 1)
        to = min(len(out), at + chance.choice((1, 2, 4, 8, 64, 1024)))
        match chance.randrange(8):
            case 0 if at < len(out):
                out[at] ^= 1 << chance.randrange(8)
            case 1:
                out[at:to] = chance.randbytes(to - at)
            case 2:
                del out[at:to]
            case 3:
                out[at:at] = out[at:to]
            case 4:
                number = chance.choice((0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF))
                order = chance.choice(("big", "little"))
                out[at : at + 4] = number.to_bytes(4, order)
            case 5:
                del out[at:]
            case 6:
                other = chance.choice(others)
                start = chance.randrange(len(other) + 1)
                out[at:to] = other[start : start + chance.choice((4, 64, 1024))]
            case _:
                out[at:at] = chance.choice(PIECES)
    return bytes(out)


PIECES = (
    b"\x00", b"\n", b"\r\n", b'"', b"{", b"[" * 3_000, b"1e999", b"-1", b"NaN", b"null",
    b"9" * 5_000, b"\xff\xfe", b"\xed\xa0\x80", b"../", b"%s", b"\\ud800", b"'", b"=", b";",
    b"--x\r\n", b"PK\x05\x06",
)  # fmt: skip


def changed_json(document: Any, chance: random.Random) -> bytes:
    """The document with some of its values replaced, left out, doubled or swapped."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        ways = list(leaves(document)) if isinstance(document, dict | list) else []
        if not ways:
            break
        way = chance.choice(ways)
        document = _changed_at(document, way, chance, ways)
    text = json.dumps(document)
    if chance.random() < 0.02:
        text = chance.choice(list(wholes()))
    return text.encode("utf-8", "surrogatepass")


def _changed_at(
    document: Any, way: tuple[Any, ...], chance: random.Random, ways: list[tuple[Any, ...]]
) -> Any:
    document = json.loads(json.dumps(document))
    here = document
    for step in way[:-1]:
        here = here[step]
    match chance.randrange(6):
        case 0:
            del here[way[-1]]
        case 1 if isinstance(here, list):
            here.append(here[way[-1]])
        case 2:
            other = document
            for step in chance.choice(ways):
                other = other[step]
            here[way[-1]] = json.loads(json.dumps(other))
        case 3 if isinstance(here[way[-1]], int | float) and abs(here[way[-1]]) < 1e300:
            here[way[-1]] *= chance.choice((-1, 0, 2, 1000, 1e9, 1.5))
        case 4 if isinstance(here, dict):
            here[chance.choice(["", "id", "x" * 300, "é", "\ud800"])] = here[way[-1]]
        case _:
            here[way[-1]] = chance.choice(VALUES)
    return document


# --- the targets ---


@dataclass(frozen=True)
class Target:
    """Seeds (files as they should be) and who takes them. `documents` are changed as JSON."""

    seeds: Callable[[], Sequence[bytes]]
    take: Take
    is_json: bool = False


def _pictures() -> list[bytes]:
    noise = (cv2.resize(cv2.randu(_grey(9, 7), 0, 255), (400, 330))).copy()
    colour = cv2.applyColorMap(noise, cv2.COLORMAP_JET)
    kinds: tuple[tuple[str, list[int]], ...] = (
        (".jpg", []),
        (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
        (".png", []),
        (".webp", []),
        (".bmp", []),
    )
    encoded = [cv2.imencode(kind, colour, options)[1].tobytes() for kind, options in kinds]
    turned = encoded[0][:2] + _EXIF + encoded[0][2:]
    return [*encoded, turned]


def _grey(width: int, height: int) -> Any:
    return np.zeros((height, width), np.uint8)


_EXIF = (
    b"\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03"
    b"\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
)
"""A photo that was taken with the phone on its side."""


def _picture(data: bytes, folder: Path) -> None:
    decode_photo(data)


@cache
def _calibrations() -> tuple[bytes]:
    """A small one: as a real table's, with four of its spaces and a picture without any detail."""
    with zipfile.ZipFile(io.BytesIO(calibration_bytes(true_calibration()))) as archive:
        data = json.loads(archive.read("calibration.json"))
    data |= {"image_size_px": [400, 330], "spaces_px": data["spaces_px"][:4]}
    picture = cv2.imencode(".jpg", cv2.applyColorMap(_grey(400, 330), cv2.COLORMAP_JET))[1]
    document = json.dumps(data).encode()
    return (_zip({"calibration.json": document, "empty-board.jpg": picture.tobytes()}),)


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def _calibration(data: bytes, folder: Path) -> None:
    path = folder / "x.calibration"
    path.write_bytes(data)
    with suppress(SpokenError):
        load_label(path)
    calibration = load_calibration(path)
    with suppress(SpokenError):
        calibration.reference(load_board("usa"))
    KeptCalibrations(folder).bring_in(data)


def _calibration_document(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(_calibrations()[0])) as archive:
        picture = archive.read("empty-board.jpg")
    _calibration(_zip({"calibration.json": data, "empty-board.jpg": picture}), folder)


def _calibration_documents() -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(_calibrations()[0])) as archive:
        return [archive.read("calibration.json")]


def _board_files() -> list[bytes]:
    small = json.dumps(station_board()).encode()
    germany = shipped_document("germany") or {}
    own = {**germany, "id": "germany-of-ours"}
    edition = {"format": 1, "id": "usa-of-ours", "title": "Ours", "edition_of": "usa", "version": 1}
    return [small, small, json.dumps(own).encode(), json.dumps(edition).encode()]


def _board(data: bytes, folder: Path) -> None:
    offered: list[Board] = []
    board = TaughtBoards(folder, offered.append).bring_in(data)
    table = Table(TableConfig([load_board("usa"), board], folder))
    try:
        client = _panel(table)
        players = [{"name": "Ada", "colour": c} for c in board.player_colours[:2]]
        sent = {"board": board.id, "players": players, "camera": False}
        _answered(client.post("/api/v1/actions/start", json=sent))
        for page in ("/start", "/board", "/api/v1/state", "/api/v1/geometry", "/tickets"):
            _answered(client.get(page))
    finally:
        table.close()


def _panel(table: Table) -> Any:
    """A visitor; what the program raises comes here instead of as a page with the status 500."""
    app = create_app(table)
    app.testing = True
    return app.test_client()


def _answered(answer: Any) -> None:
    if answer.status_code >= 500:
        raise AssertionError(f"{answer.status_code}: {answer.get_data(True)[:200]}")


def _games() -> list[bytes]:
    documents = map(read_golden, GOLDEN)
    return [json.dumps(d["game"]).encode() for d in documents if taught_board(d) is None]


def _game(data: bytes, folder: Path) -> None:
    document = parse_json(data, "game")
    for sheet, _ in score_games(document if isinstance(document, list) else [document], None):
        json.dumps(sheet.to_json("it"))


@cache
def _log_files() -> tuple[bytes, bytes, bytes]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / LOG_NAME
        with EventStore(path) as store:
            for number in range(1, 15):
                store.append(story(number))
            wal = path.with_name(f"{LOG_NAME}-wal").read_bytes()
            main, copy = path.read_bytes(), copy_of(path).read_bytes()
        pack_table(path.parent, path.parent / "packed")
        return main, wal, copy


def _archives() -> list[bytes]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with EventStore(folder / LOG_NAME) as store:
            for number in range(1, 8):
                store.append(story(number))
        (folder / "boards").mkdir()
        (folder / "boards" / "small.json").write_text(json.dumps(station_board()))
        (folder / "companion.toml").write_text("[panel]\nclub = true\n")
        pack_table(folder, folder / "packed")
        return [(folder / "packed").read_bytes()]


def _archive(data: bytes, folder: Path) -> None:
    (folder / "packed").write_bytes(data)
    try:
        unpack_table(folder / "packed", folder / "data")
    finally:
        outside = [p.name for p in folder.iterdir() if p.name not in ("packed", "data")]
        assert not outside, f"written outside: {outside}"
    Table(TableConfig([load_board("usa")], folder / "data")).close()


def _archive_log(data: bytes, folder: Path) -> None:
    _archive(_zip({"log.json": data}), folder)


def _archive_logs() -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(_archives()[0])) as archive:
        return [archive.read("log.json")]


def _log(data: bytes, folder: Path) -> None:
    """The log, its write-ahead log or its second copy: its length says which one is changed."""
    main, _, copy = _log_files()
    kind = len(data) % 4
    path = folder / LOG_NAME
    path.write_bytes(data if kind == 0 else main)
    if kind == 1:
        path.with_name(f"{LOG_NAME}-wal").write_bytes(data)
    copy_of(path).write_bytes(data if kind in (2, 3) else copy)
    if kind == 3:
        path.unlink()
    inspect_log(path)
    with EventStore(path) as store:
        store.entries()
        count = len(store.events())
    with EventStore(path) as store:
        assert len(store.events()) == count, "another start finds something else"
        assert store.rescue is None, "another start rescues again"
    Table(TableConfig([load_board("usa")], folder)).close()


def _configs() -> list[bytes]:
    toml = b"""
[serve]
host = "0.0.0.0"
port = 8000
camera = "v4l2:0"
fps = 2.5
board = "usa"
language = "it"
[panel]
hosts = ["box.fritz.box"]
club = true
[power]
off_by_buttons = false
[pins]
scan = 17
"""
    packed = Path(__file__).parents[2] / "packaging"
    return [toml, *(path.read_bytes() for path in sorted(packed.rglob("*.toml")))]


def _config(data: bytes, folder: Path) -> None:
    (folder / "companion.toml").write_bytes(data)
    for trouble in read_config(folder).troubles:
        trouble.sentence("it")


def _old_configs() -> list[bytes]:
    return [json.dumps({"pins": {"buttons": {"scan": 5}}, "hosts": ["box.fritz.box"]}).encode()]


def _old_config(data: bytes, folder: Path) -> None:
    (folder / "box.json").write_bytes(data)
    for trouble in read_config(folder).troubles:
        trouble.sentence("it")


def _small_files() -> list[bytes]:
    key = "ab" * 32
    return [
        json.dumps({"key": key, "hosts": ["a"], "seats": {"b": "red"}}).encode(),
        json.dumps({"name": "Deutsch", "scoring.colour.red": "rot"}).encode(),
        json.dumps(
            {"format": 1, "evenings": {"1": {"mark": "x", "players": [], "winners": []}}}
        ).encode(),
        json.dumps({"usa": "usa-2026"}).encode(),
    ]


def _small_file(data: bytes, folder: Path) -> None:
    """The files that the program keeps beside the log."""
    for name in ("devices.json", "history.json", "results.json", "hardware.json"):
        (folder / name).write_bytes(data)
    (folder / "languages").mkdir()
    (folder / "languages" / "de.json").write_bytes(data)
    (folder / "calibrations").mkdir()
    (folder / "calibrations" / "in-use.json").write_bytes(data)
    for trouble in add_languages(folder):
        trouble.text("it")
    open_let_in_file(folder)
    KeptCalibrations(folder).in_use()
    table = Table(TableConfig([load_board("usa")], folder))
    try:
        _answered(_panel(table).get("/history"))
    finally:
        table.close()


def _tables() -> list[bytes]:
    return [b"From;To;Points\nBoston;Miami;12\nHelena;Denver;4\n", b"Boston,Miami,12\r\n"]


def _table_of_tickets(data: bytes, folder: Path) -> None:
    names = ("Boston", "Miami", "Helena", "Denver")
    places = {number: DraftPlace(0.1, 0.1, name) for number, name in enumerate(names)}
    tickets_of(text_of(data), Draft((800, 530), (25, 8), places, {}))


def _lessons() -> list[bytes]:
    """Steps of teaching a board, as its page sends them."""
    steps: list[dict[str, Any]] = [
        {"do": "name-place", "place": "3", "name": "Cedar", "country": "on"},
        {"do": "add-place", "name": "Fir", "x": "0.5", "y": "0.5"},
        {"do": "move-place", "place": "1", "x": "0.2", "y": "0.1"},
        {"do": "join-places", "place": "3", "into": "1"},
        {"do": "add-line", "from": "1", "to": "3", "length": "4", "colour": "blue"},
        {"do": "line-ends", "line": "4", "from": "1", "to": "3"},
        {"do": "mark-line", "line": "4", "colour": "red", "ferry": "1", "tunnel": "on"},
        {"do": "split-line", "line": "4", "after": "1"},
        {"do": "join-lines", "line": "4", "other": "5"},
        {"do": "add-space", "line": "4", "x": "0.3", "y": "0.3", "angle": "20"},
        {"do": "move-space", "line": "4", "space": "1", "x": "0.3", "y": "0.3", "angle": "20"},
        {"do": "delete-space", "line": "4", "space": "1"},
        {"do": "names", "names": "Elm;Oak, Yew"},
        {"do": "add-ticket", "from": "1", "to": "2", "points": "7"},
        {"do": "remove-ticket", "ticket": "1"},
        {"do": "delete-line", "line": "5"},
        {"do": "delete-place", "place": "3"},
        {
            "do": "rules", "title": "Ours", "edition": "", "players-low": "2", "players-high": "5",
            "wagons": "45", "doubles": "4", "points-1": "1", "points-2": "2", "longest-path": "10",
            "globetrotter": "0", "flag": "0", "stations": "3", "colours": ["red", "blue"],
        },
    ]  # fmt: skip
    halves = steps[:10], steps[10:]
    return [json.dumps(some).encode() for some in (*halves, *([one] for one in steps))]


def _lesson(data: bytes, folder: Path) -> None:
    """What is no list of forms is a request that another check refuses."""
    try:
        steps = json.loads(data)
    except (ValueError, RecursionError):
        return
    places = {n: DraftPlace(0.1 * n, 0.2, name) for n, name in enumerate(("Ash", "Birch", ""), 1)}
    boxes = tuple(Box(0.1 + 0.03 * k, 0.2, 0.0) for k in range(3))
    lines = {4: Line(boxes, "red", (1, 2)), 5: Line(boxes[:2], "grey", (2, 3))}
    draft = Draft((800.0, 500.0), (25.0, 9.0), places, lines, next_number=6)
    for step in steps if isinstance(steps, list) else []:
        with suppress(CompanionError):
            draft = apply(draft, _form(step))
    written = write(draft, "ours", 1)
    for remark in check(draft, written):
        remark.message.text("it")
    json.dumps(written.document)


def _form(step: Any) -> dict[str, Any]:
    """As a browser sends it: texts, and one list of them."""
    sent = step if isinstance(step, dict) else {"do": step}
    form: dict[str, Any] = {k: str(v) for k, v in sent.items()}
    if isinstance(sent.get("colours"), list):
        form["colours"] = [str(one) for one in sent["colours"]]
    return form


def _uploads() -> list[bytes]:
    part = b'--x\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\n'
    kind = b"Content-Type: image/jpeg\r\n\r\n"
    return [part + kind + _pictures()[0][:600] + b"\r\n--x--\r\n"]


@cache
def _client() -> Any:
    """One table for all requests, with a game on; it is gone with the program."""
    kept = ExitStack()
    atexit.register(kept.close)
    folder = kept.enter_context(tempfile.TemporaryDirectory())
    table = kept.enter_context(closing(Table(TableConfig([load_board("usa")], Path(folder)))))
    client = _panel(table)
    players = [{"name": n, "colour": c} for n, c in (("Ada", "red"), ("Ben", "blue"))]
    client.post("/api/v1/actions/start", json={"board": "usa", "players": players, "camera": False})
    return client


def _upload(data: bytes, folder: Path) -> None:
    kind = "multipart/form-data; boundary=x"
    for address in ("/api/act/upload-photo", "/tickets/red/photo"):
        _answered(_client().post(address, data=data, content_type=kind))


def _requests() -> list[bytes]:
    sent: tuple[tuple[str, Any], ...] = (
        ("correct-route", {"route": "duluth--helena", "owner": "red"}),
        ("show", {"phase": "tickets"}),
        ("add-ticket", {"player": "red", "ticket": "helena--los-angeles"}),
        ("enter-hand", {"player": "red", "tickets": ["helena--los-angeles"]}),
        ("set-flags", {"player": "red", "flags": 2}),
        ("answer-place", {"routes": ["duluth--helena"], "owners": ["red"]}),
        ("start", {"board": "usa", "players": [{"name": "Ada", "colour": "red"}], "camera": False}),
        ("undo", {"step": 1}),
    )
    return [json.dumps([action, payload]).encode() for action, payload in sent]


def _request(data: bytes, folder: Path) -> None:
    try:
        action, payload = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        action, payload = "show", None
    body = data if payload is None else json.dumps(payload).encode("utf-8", "replace")
    word = re.sub(r"[^a-z-]", "", str(action))[:40] or "show"
    for start in ("/api/act/", "/api/v1/actions/"):
        _answered(_client().post(f"{start}{word}", data=body, content_type="application/json"))
    for page in ("/", "/board", "/api/v1/state"):
        _answered(_client().get(page, follow_redirects=True))


TARGETS: dict[str, Target] = {
    "images": Target(_pictures, _picture),
    "calibrations": Target(_calibrations, _calibration),
    "calibration-documents": Target(_calibration_documents, _calibration_document, True),
    "boards": Target(_board_files, _board, True),
    "board-bytes": Target(_board_files, _board),
    "games": Target(_games, _game, True),
    "game-bytes": Target(_games, _game),
    "archives": Target(_archives, _archive),
    "archive-logs": Target(_archive_logs, _archive_log, True),
    "log": Target(lambda: _log_files(), _log),
    "config": Target(_configs, _config),
    "old-config": Target(_old_configs, _old_config, True),
    "small-files": Target(_small_files, _small_file, True),
    "ticket-tables": Target(_tables, _table_of_tickets),
    "lessons": Target(_lessons, _lesson, True),
    "uploads": Target(_uploads, _upload),
    "requests": Target(_requests, _request, True),
    "hub-states": Target(fuzz_hub.states, fuzz_hub.state, True),
    "hub-messages": Target(fuzz_hub.messages, fuzz_hub.message, True),
    "hub-logs": Target(fuzz_hub.logs, fuzz_hub.log, True),
}


# --- running ---


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises HangError in what takes longer."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise HangError(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def try_one(name: str, data: bytes, count: Count) -> str | None:
    """Give an input to its target; returns the traceback where it ended badly."""
    begun_s = time.process_time()
    count.inputs += 1
    with tempfile.TemporaryDirectory() as folder:
        try:
            with at_most(LIMIT_S * 3):  # the machine may be busy; the time used counts
                TARGETS[name].take(data, Path(folder))
        except (SpokenError, CompanionError):
            count.refused += 1
        except (Exception, HangError):
            return traceback.format_exc()
        finally:
            used_s = time.process_time() - begun_s
            count.used_s += used_s
            count.slowest_s = max(count.slowest_s, used_s)
    return f"hang: {used_s:.1f} s" if used_s > LIMIT_S else None


def fuzz(
    names: Sequence[str], until: Callable[[int], bool], seed: int, keep: Path
) -> dict[str, Count]:
    """Take turns, the same time for each target, until `until` of the number of inputs is true."""
    chance = random.Random(seed)
    counts = {name: Count() for name in names}
    seeds = {name: list(TARGETS[name].seeds()) for name in names}
    every = [seed for some in seeds.values() for seed in some]
    done = 0
    while not until(done):
        name = min(names, key=lambda one: counts[one].used_s)
        data = _changed(name, chance, seeds[name], every)
        told = try_one(name, data, counts[name])
        if told is not None:
            _keep(keep, name, data, told, counts[name])
        done += 1
    return counts


def _changed(name: str, chance: random.Random, seeds: list[bytes], every: list[bytes]) -> bytes:
    data = chance.choice(seeds)
    if TARGETS[name].is_json and chance.random() < 0.9:
        return changed_json(json.loads(data), chance)
    return changed_bytes(data, chance, every)


def _keep(folder: Path, name: str, data: bytes, told: str, count: Count) -> None:
    """Each place in the program once."""
    last = told.strip().splitlines()
    place = "\n".join(line for line in last if line.startswith("  File"))[-600:]
    if place in count.bad:
        return
    count.bad.append(place)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{len(count.bad)}"
    path.with_suffix(".input").write_bytes(data)
    path.with_suffix(".told").write_text(told)


def main() -> int:
    """Run for some minutes and print what each target took; returns 1 where any input was bad."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), metavar="DIR")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    end_s = time.monotonic() + 60 * arguments.minutes
    names = arguments.targets or list(TARGETS)
    counts = fuzz(names, lambda done: time.monotonic() > end_s, arguments.seed, arguments.keep)
    for name, count in counts.items():
        figures = f"{count.inputs} inputs, {count.refused} refused in a sentence"
        print(f"{name}: {figures}, slowest {count.slowest_s:.2f} s, {len(count.bad)} bad")
    return 1 if any(count.bad for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
