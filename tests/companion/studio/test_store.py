"""The boards in work on disk: what a full disk leaves of them."""

import errno
import json
import queue
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import RefusalError
from companion.studio.draft import Draft
from companion.studio.printed_names import PrintedNames
from companion.studio.store import DOCUMENT, PHOTO, PICTURE, StudioStore
from tests.support.waiting import until
from vision.tickets.map_names import PrintedName

CORNERS = np.array([[0, 0], [8, 0], [8, 5], [0, 5]], np.float64)
EMPTY = Draft((800.0, 500.0), (25.0, 9.0), {}, {}, next_number=1)


@pytest.mark.parametrize("lost", [PHOTO, PICTURE, DOCUMENT])
def test_a_board_begun_on_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    def write(path: Path, data: bytes, **_: object) -> int:
        with path.open("wb") as file:
            file.write(data[:1])
            if path.name == lost:
                raise OSError(errno.ENOSPC, "No space left on device", path)
            return file.write(data[1:])

    store = StudioStore(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", write)
        patch.setattr("companion.studio.store.write_whole", write)
        with pytest.raises(RefusalError, match="there is no space left"):
            store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)
    assert store.all() == []
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == []
    work = store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)
    assert store.photo(work.key) == b"photo"


def test_a_board_that_the_disk_does_not_let_go_is_told_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a card that fails, which can only be read; the page took it for thrown away."""
    store = StudioStore(tmp_path)
    work = store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("os.unlink", refused)
        with pytest.raises(RefusalError, match="it can only be read"):
            store.delete(work.key)
    assert store.photo(work.key) == b"photo"
    store.delete(work.key)
    assert store.all() == []


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("size_mm", "[]"),
        ("size_mm", "5"),
        ("size_mm", "[NaN, 500]"),
        ("file_version", "1e999"),
        ("corners_px", "[1e999]"),
        ("created", '"\\ud800"'),
        ("saved_as", "[1]"),
        ("known", "true"),
        ("tickets", '[{"places": [7, 8], "points": 4}]'),
        ("places", '{"1": {"x": 0.5, "y": 0.5, "name": 5}}'),
        ("places", '{"1": {"x": 0.5, "y": 0.5, "is_country": "yes"}}'),
        ("places", '{"1": {"x": 0.5, "y": 0.5, "name": "\\ud800"}}'),
    ],
)
def test_a_document_with_a_damaged_field_is_told_as_damaged(
    tmp_path: Path, field: str, written: str
) -> None:
    """A list without its figures, and a number without end, ended the page with a fault."""
    store = StudioStore(tmp_path)
    work = store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)
    (path,) = tmp_path.rglob(DOCUMENT)
    document = json.loads(path.read_text("utf-8"))
    held = document["base"] if field in document["base"] else document
    held[field] = "the hole"
    path.write_text(json.dumps(document).replace('"the hole"', written), "utf-8")
    with pytest.raises(RefusalError, match="damaged"):
        store.load(work.key)
    (listed,) = store.all()
    f"{listed.title} {listed.created}".encode()  # the list of boards stays a page


def test_a_file_of_printed_names_that_is_nested_or_numbered_without_end_holds_none(
    tmp_path: Path,
) -> None:
    """The page of the board ended with a fault."""
    store = StudioStore(tmp_path)
    work = store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)
    names = {"corners_px": CORNERS.tolist(), "names": [["Genova", 0.5, 0.25]]}
    good = json.dumps(names)
    store.put_printed(work.key, good.encode())
    (genova,) = PrintedNames(store, None).of(work, 500.0)
    assert genova.words == "Genova"
    for damaged in ("[" * 10_000, good.replace("0.25", str(10**400))):
        store.put_printed(work.key, damaged.encode())
        assert PrintedNames(store, None).of(work, 500.0) == []


def test_the_names_of_one_board_are_read_at_a_time_and_of_one_that_was_given_up_never(
    tmp_path: Path,
) -> None:
    """Each takes 200 MB: boards begun one after another, and given up, were all read at once."""
    store = StudioStore(tmp_path)
    photo = cv2.imencode(".jpg", np.zeros((500, 800, 3), np.uint8))[1].tobytes()
    begun, may_end = queue.SimpleQueue[None](), threading.Event()

    def read(_board: bytes) -> list[PrintedName]:
        begun.put(None)
        assert may_end.wait(20)
        return [PrintedName("Genova", 0.5, 0.25)]

    first, given_up, moved, last = (
        store.create(EMPTY, 90 * CORNERS, photo, b"picture", vouched=False) for _ in range(4)
    )
    names = PrintedNames(store, read)
    assert names.of(first, 500.0) == []
    begun.get(timeout=20)
    for work in (given_up, moved, last):
        assert names.of(work, 500.0) == []
    store.delete(given_up.key)
    store.save(replace(moved, base_corners_px=80 * CORNERS))
    time.sleep(0.1)
    assert begun.empty(), "the others wait for the first"
    may_end.set()
    until(lambda: bool(names.of(first, 500.0) and names.of(last, 500.0)))
    begun.get(timeout=20)
    assert begun.empty(), "neither the one that is gone nor what lies elsewhere now"
    store.save(moved)  # these corners are read once they are back
    until(lambda: bool(names.of(moved, 500.0)))


def test_an_address_longer_than_any_name_is_that_of_no_board(tmp_path: Path) -> None:
    """The disk was blamed, which is full or can only be read, as it was said."""
    store = StudioStore(tmp_path)
    store.create(EMPTY, CORNERS, b"photo", b"picture", vouched=False)
    with pytest.raises(RefusalError) as refused:
        store.delete("1" * 300)
    assert refused.value.key == "companion.studio.gone"
