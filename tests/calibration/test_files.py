"""A calibration file comes back as it was written, and nothing else passes for one."""

import json
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.errors import CalibrationFileError, WrongBoardError
from calibration.files import calibration_bytes, load_calibration
from scoring.board.board import load_board
from vision.registration.board_geometry import board_quads_mm

USA = load_board("usa")


def made(board_id: str = "usa", spaces: int = USA.space_count) -> Calibration:
    """A calibration of a smooth picture with the board from (60, 40) to (560, 380)."""
    rows, columns = np.mgrid[0:420, 0:640]
    picture = np.dstack([rows // 2, columns // 3, (rows + columns) // 5]).astype(np.uint8)
    corners = np.array([[60, 40], [560, 40], [560, 380], [60, 380]], np.float64)
    # The frame, 795 x 525 mm, fills what lies between the corners.
    quads = board_quads_mm(load_board(board_id))[:spaces] * (500, 340) / USA.frame.size_mm + (
        60,
        40,
    )
    colours = {"red": (41.5, 60.25, 40.0)}
    return Calibration(
        board_id, USA.version, "2026-01-31T20:15:00+00:00", picture, corners, quads, colours
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.calibration"
    path.write_bytes(calibration_bytes(made()))
    return path


def test_it_comes_back_as_it_was_written(file: Path) -> None:
    written, read = made(), load_calibration(file)
    assert (read.board_id, read.board_version, read.created) == (
        "usa",
        USA.version,
        "2026-01-31T20:15:00+00:00",
    )
    assert read.wagon_colours == {"red": (41.5, 60.25, 40.0)}
    np.testing.assert_allclose(read.corners_px, written.corners_px, atol=0.01)
    np.testing.assert_allclose(read.spaces_px, written.spaces_px, atol=0.01)
    difference = read.image_bgr.astype(int) - written.image_bgr
    assert np.abs(difference).max() <= 6, "JPEG of high quality"


def test_it_remembers_what_a_person_vouched_for(tmp_path: Path) -> None:
    path = tmp_path / "vouched.calibration"
    looks = ("denver--omaha", "atlanta--miami")
    told = replace(made(), looks_claimed=(*looks, "of-another--file"), vouched=True)
    path.write_bytes(calibration_bytes(told))
    reference = load_calibration(path).reference(USA)
    assert (reference.looks_claimed, reference.vouched) == (looks, True)


def test_a_calibration_from_before_vouching_is_read_as_not_vouched_for(tmp_path: Path) -> None:
    path, old = tmp_path / "new.calibration", tmp_path / "old.calibration"
    path.write_bytes(calibration_bytes(made()))
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(old, "w") as earlier:
        document = json.loads(whole.read("calibration.json"))
        del document["looks_claimed"], document["vouched"]
        earlier.writestr("calibration.json", json.dumps(document))
        earlier.writestr("empty-board.jpg", whole.read("empty-board.jpg"))
    reference = load_calibration(old).reference(USA)
    assert (reference.looks_claimed, reference.vouched) == ((), False)


def test_it_gives_the_reader_its_reference(file: Path) -> None:
    reference = load_calibration(file).reference(USA)
    assert reference.board_id == "usa"
    assert reference.spaces_px.shape == (309, 4, 2)


def test_spaces_that_were_swapped_are_not_taken_for_the_board_s() -> None:
    """Whoever held one route would be told as the owner of another."""
    whole, first, last = (
        made(),
        USA.spaces_of["atlanta--charleston"],
        USA.spaces_of["seattle--vancouver-1"],
    )
    swapped = whole.spaces_px.copy()
    swapped[first.start], swapped[last.start] = (
        whole.spaces_px[last.start],
        whole.spaces_px[first.start],
    )
    for wrong in (swapped, whole.spaces_px[::-1], np.zeros_like(swapped)):
        with pytest.raises(WrongBoardError, match="make it again"):
            replace(whole, spaces_px=wrong).reference(USA)


def test_the_homography_leads_from_the_board_to_the_picture() -> None:
    centre = made().homography @ np.array([0.5, 0.5, 1.0])
    np.testing.assert_allclose(centre[:2] / centre[2], [310, 210], atol=1e-4)


def test_the_same_calibration_gives_the_same_bytes() -> None:
    assert calibration_bytes(made()) == calibration_bytes(made())


def test_another_board_is_refused(file: Path) -> None:
    with pytest.raises(WrongBoardError, match="of the board usa, not of germany"):
        load_calibration(file).reference(load_board("germany"))
    with pytest.raises(WrongBoardError, match="changed since"):
        made(spaces=12).reference(USA)
    with pytest.raises(WrongBoardError, match="changed since"):
        replace(made(), board_version=USA.version + 1).reference(USA)


def test_every_cut_of_the_file_is_one_sentence(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    cut = tmp_path / "cut"
    for part in range(0, 100, 7):
        cut.write_bytes(whole[: len(whole) * part // 100])
        with pytest.raises(CalibrationFileError, match="not a complete calibration"):
            load_calibration(cut)


def test_a_flipped_byte_in_the_picture_is_found(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))
    with pytest.raises(CalibrationFileError):
        load_calibration(file)


def test_a_missing_file_is_not_a_broken_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_calibration(tmp_path / "none")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": 2}, "format 2, this program reads format 1"),
        ({"format": 0}, "format 0, this program reads format 1"),
        ({"corners_px": [[0, 0]] * 3}, "corners_px"),
        ({"corners_px": [[0, 0], [1, 0], [1, 1], [0, float("nan")]]}, "corners_px"),
        ({"corners_px": [[0, 0], [1e300, 0], [1, 1], [0, 1]]}, "corners_px"),
        ({"spaces_px": [[[1e300, -1e300]] * 4]}, "spaces_px"),
        ({"wagon_colours_lab": {"red": [50.0, 1e300, 0.0]}}, "wagon_colours_lab"),
        ({"wagon_colours_lab": {"red": [50.0, 1001.0, 0.0]}}, "wagon_colours_lab"),
        ({"spaces_px": "all of them"}, "not a complete calibration"),
        ({"spaces_px": [[[0, 0]]]}, "spaces_px"),
        ({"image_size_px": [1, 1]}, "640 × 420 pixels, not what the file says"),
        ({"board": 7}, "not text"),
        ({"wagon_colours_lab": {"red": [1, 2]}}, "not a complete calibration"),
        ({"created": None}, "not text"),
        ({"name": "x" * 1_001}, "not text"),
    ],
)
def test_a_document_that_breaks_the_format_is_named(
    file: Path, change: dict[str, object], sentence: str
) -> None:
    with zipfile.ZipFile(file) as archive:
        document = json.loads(archive.read("calibration.json"))
        picture = archive.read("empty-board.jpg")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("calibration.json", json.dumps({**document, **change}))
        archive.writestr("empty-board.jpg", picture)
    with pytest.raises(CalibrationFileError, match=sentence) as error:
        load_calibration(file)
    assert error.value.sentence("it") != str(error.value)


def test_a_missing_part_and_a_bomb_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("calibration.json", "{}")
    with pytest.raises(CalibrationFileError, match=r"empty-board\.jpg"):
        load_calibration(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("calibration.json", " " * 50_000_000)
    with pytest.raises(CalibrationFileError, match="larger than"):
        load_calibration(path)


@pytest.mark.parametrize(
    ("entry", "value", "words"),
    [
        ("board", 5, "5 non è un testo"),
        ("image_size_px", [1, 2], "l'immagine ha 640 × 420 pixel"),
        ("corners_px", [[1, 2]], "corners_px non è un elenco di 2 numeri"),
        ("created", None, "manca 'created'"),
    ],
)
def test_what_is_wrong_inside_is_told_in_italian_too(
    file: Path, entry: str, value: object, words: str
) -> None:
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(parts["calibration.json"])
    document[entry] = value
    if value is None:
        del document[entry]
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("calibration.json", json.dumps(document))
        archive.writestr("empty-board.jpg", parts["empty-board.jpg"])
    with pytest.raises(CalibrationFileError) as refusal:
        load_calibration(file)
    assert words in refusal.value.sentence("it")


def packed(path: Path, document: object, how: int = zipfile.ZIP_STORED) -> Path:
    """An archive with this document and a picture that nobody gets to."""
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr("calibration.json", json.dumps(document))
        archive.writestr("empty-board.jpg", b"")
    return path


def test_damage_in_another_way_of_packing_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "lzma.calibration", {"format": 1}, zipfile.ZIP_LZMA)
    content = bytearray(path.read_bytes())
    start = content.index(b"calibration.json") + len("calibration.json") + 9
    content[start : start + 6] = b"\xff" * 6
    path.write_bytes(content)
    with pytest.raises(CalibrationFileError, match="not a complete calibration file"):
        load_calibration(path)


@pytest.mark.parametrize("value", ["x" * 100_000, {"x" * 100_000: 1}, ["x" * 100_000]])
def test_a_sentence_never_quotes_a_file_at_length(tmp_path: Path, value: object) -> None:
    path = packed(tmp_path / "long.calibration", {"format": value})
    with pytest.raises(CalibrationFileError) as refused:
        load_calibration(path)
    assert len(str(refused.value)) < len(str(path)) + 300


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_that_lies_of_its_size_is_not_unpacked(tmp_path: Path, how: int) -> None:
    """The archive says 1,000 bytes and holds 64,000,000: Python unpacks them all if not bounded."""
    path = tmp_path / "liar.calibration"
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr("calibration.json", bytes(64_000_000))
    raw = bytearray(path.read_bytes())
    told = raw.index(b"PK\x01\x02") + 24  # the field "uncompressed size" of the directory
    raw[told : told + 4] = (1_000).to_bytes(4, "little")
    path.write_bytes(raw)
    tracemalloc.start()
    try:
        with pytest.raises(CalibrationFileError):
            load_calibration(path)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
