"""The tables that are kept side by side: saved whole, chosen, named, exported, refused."""

import io
import json
import os
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest

from calibration.calibration import Calibration
from calibration.files import load_calibration
from companion.errors import RefusalError
from companion.setup.desk import SetupDesk
from companion.setup.kept import FOLDER, IN_USE, KeptCalibrations
from companion.setup.references import TableReferences
from scoring.board.board import load_board
from tests.support.drawn_table import USA, true_calibration


@pytest.fixture
def kept(tmp_path: Path) -> KeptCalibrations:
    return KeptCalibrations(tmp_path)


def named(name: str, day: int) -> Calibration:
    return replace(true_calibration(), name=name, created=f"2026-02-{day:02}T20:15:00+00:00")


def test_a_new_table_is_used_and_the_old_one_stays(kept: KeptCalibrations) -> None:
    kitchen = kept.save(named("Kitchen", 1))
    garden = kept.save(named("Garden", 2))
    assert [(one.name, one.board_id) for one in kept.all()] == [
        ("Garden", "usa"),
        ("Kitchen", "usa"),
    ]
    assert kept.in_use() == {"usa": garden}
    kept.use(kitchen)
    assert kept.in_use() == {"usa": kitchen}
    kept.delete(kitchen)
    assert kept.in_use() == {"usa": garden}


@pytest.mark.parametrize("key", ["a" * 300, "..", "in-use.json", "usa-20260201201500"])
def test_an_address_that_names_no_table_is_told_as_that(kept: KeptCalibrations, key: str) -> None:
    """A name longer than any file's ended in the page of a fault of the program."""
    kept.save(named("Garden", 2))
    for ask in (kept.use, kept.load, kept.delete, lambda one: kept.rename(one, "Kitchen")):
        with pytest.raises(RefusalError) as refused:
            ask(key)
        assert refused.value.key == "companion.setup.gone"


def test_two_tables_of_one_second_do_not_overwrite_each_other(kept: KeptCalibrations) -> None:
    assert kept.save(named("A", 1)) != kept.save(named("B", 1))
    assert len(kept.all()) == 2


def test_name_and_colours_that_come_at_once_both_stay(
    kept: KeptCalibrations, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, measured = kept.save(named("Kitchen", 1)), {"red": (41.0, 60.0, 44.0)}
    both = Barrier(2)

    def load(path: Path) -> Calibration:
        loaded = load_calibration(path)
        with suppress(BrokenBarrierError):
            both.wait(0.5)
        return loaded

    monkeypatch.setattr("companion.setup.kept.load_calibration", load)
    changes = (lambda: kept.rename(key, "Garden"), lambda: kept.learn(key, measured))
    threads = [Thread(target=change) for change in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = kept.load(key)
    assert (made.name, made.wagon_colours) == ("Garden", measured)


def test_a_file_goes_out_and_comes_in_elsewhere(kept: KeptCalibrations, tmp_path: Path) -> None:
    key = kept.save(named("Kitchen", 1))
    there = KeptCalibrations(tmp_path / "other box")
    brought = there.bring_in(kept.file(key))
    assert there.all()[0].name == "Kitchen"
    assert there.load(brought).reference(USA).spaces_px.shape == (USA.space_count, 4, 2)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 cut short", b'{"format": 1}'])
def test_a_foreign_file_is_refused_and_nothing_is_lost(kept: KeptCalibrations, data: bytes) -> None:
    kept.save(named("Kitchen", 1))
    with pytest.raises(RefusalError, match="no set-up file of Companion"):
        kept.bring_in(data)
    assert [one.name for one in kept.all()] == ["Kitchen"]


def test_a_damaged_file_is_told_and_the_others_work(kept: KeptCalibrations, tmp_path: Path) -> None:
    key = kept.save(named("Kitchen", 1))
    whole = kept.file(key)
    (tmp_path / FOLDER / "broken.calibration").write_bytes(whole[: len(whole) // 2])
    good, broken = kept.all()
    assert good.problem is None
    assert broken.problem is not None
    assert "damaged or cut short" in broken.problem.text()
    assert str(tmp_path) not in broken.problem.text()
    assert kept.in_use() == {"usa": key}


def test_a_damaged_picture_is_told_and_the_table_reads_beside_the_set_up_before(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    """It was said to be in use, and photos were read beside none."""
    kitchen, garden = kept.save(named("Kitchen", 1)), kept.save(named("Garden", 2))
    path = tmp_path / FOLDER / f"{garden}.calibration"
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    path.write_bytes(raw)
    good, broken = kept.all()
    assert (good.name, good.problem) == ("Kitchen", None)
    assert broken.problem is not None
    assert "damaged or cut short" in broken.problem.text()
    assert kept.in_use() == {"usa": kitchen}
    assert TableReferences(kept).of(USA) is not None


def test_a_file_of_another_version_of_the_program_is_told_and_not_used(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    """As after going back to an older program."""
    key = kept.save(named("Kitchen", 1))
    path = tmp_path / FOLDER / f"{key}.calibration"
    with zipfile.ZipFile(path) as ours:
        document, picture = json.loads(ours.read("calibration.json")), ours.read("empty-board.jpg")
    with zipfile.ZipFile(path, "w") as newer:
        newer.writestr("calibration.json", json.dumps({**document, "format": 2}))
        newer.writestr("empty-board.jpg", picture)
    (told,) = kept.all()
    assert told.problem is not None
    assert told.problem.text() == "another version of the program wrote it"
    assert kept.in_use() == {}


def test_a_set_up_of_before_its_board_was_taught_anew_is_told_and_not_said_to_be_in_use(
    kept: KeptCalibrations,
) -> None:
    kept.save(named("Kitchen", 1))
    boards = [USA]
    desk = SetupDesk(kept, lambda: boards)
    assert [one.is_set_up for one in desk.boards()] == [True]
    assert [(one.in_use, one.problem) for one in desk.kept()] == [(True, None)]
    boards[0] = replace(USA, version=USA.version + 1)
    assert [one.is_set_up for one in desk.boards()] == [False]
    (told,) = desk.kept()
    assert not told.in_use
    assert told.problem == {"key": "companion.setup.board-changed", "values": {}}
    assert TableReferences(kept).of(boards[0]) is None


def test_a_save_that_was_cut_off_leaves_the_old_file(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    key = kept.save(named("Kitchen", 1))
    (tmp_path / FOLDER / f"{key}.calibration.draft").write_bytes(b"half")
    assert [one.name for one in kept.all()] == ["Kitchen"]


def test_what_a_power_cut_left_of_a_save_goes_with_the_next_one(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    """Each has a name of its own, so nothing else would ever take it away."""
    key = kept.save(named("kitchen", 1))
    cut = next(tmp_path.rglob(f"{key}*"))
    cut = cut.rename(cut.with_name("usa-20260101000000.calibration.draft"))
    kept.save(named("garden", 2))
    assert not cut.exists()


def test_the_draft_of_a_save_is_no_way_into_another_file(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    key = kept.save(named("Kitchen", 1))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"another's")
    (tmp_path / FOLDER / f"{key}.calibration.draft").symlink_to(elsewhere)
    kept.rename(key, "Garden")
    assert elsewhere.read_bytes() == b"another's"
    assert [one.name for one in kept.all()] == ["Garden"]


def test_a_file_of_before_names_has_none_and_works(kept: KeptCalibrations, tmp_path: Path) -> None:
    key = kept.save(named("Kitchen", 1))
    path, old = tmp_path / FOLDER / f"{key}.calibration", tmp_path / FOLDER / "old.calibration"
    with zipfile.ZipFile(path) as new, zipfile.ZipFile(old, "w") as before:
        document = json.loads(new.read("calibration.json"))
        del document["name"]
        before.writestr("calibration.json", json.dumps(document))
        before.writestr("empty-board.jpg", new.read("empty-board.jpg"))
    assert {one.name for one in kept.all()} == {"Kitchen", ""}
    assert kept.load("old").name == ""


@pytest.mark.parametrize("key", ["../usa", "..", "", "nowhere", "a/b", "in-use.json"])
def test_a_key_never_leads_out_of_the_folder(
    kept: KeptCalibrations, key: str, tmp_path: Path
) -> None:
    kept.save(named("Kitchen", 1))
    (tmp_path / FOLDER / "a").mkdir()
    for elsewhere in (tmp_path / "usa.calibration", tmp_path / FOLDER / "a" / "b.calibration"):
        elsewhere.write_text("not for every browser")
    with pytest.raises(RefusalError, match="no longer there"):
        kept.file(key)


def test_a_damaged_choice_is_forgotten_for_the_newest(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    kept.save(named("Kitchen", 1))
    garden = kept.save(named("Garden", 2))
    (tmp_path / FOLDER / "in-use.json").write_text("[1, 2")
    assert kept.in_use() == {"usa": garden}


def test_the_table_reads_beside_the_newest_choice(kept: KeptCalibrations) -> None:
    references = TableReferences(kept)
    assert references.of(USA) is None
    kept.save(named("Kitchen", 1))
    references.renew()
    first = references.of(USA)
    assert first is not None
    assert first is references.of(USA), "it is loaded once"
    kept.save(named("Garden", 2))
    references.renew()
    assert references.of(USA) is not first


def test_set_up_comes_before_what_the_command_line_gave(kept: KeptCalibrations) -> None:
    given = true_calibration().reference(USA)
    references = TableReferences(kept, given)
    assert references.of(USA) is given
    assert references.of(load_board("germany")) is None, "another board's photo helps nobody"
    kept.save(named("Kitchen", 1))
    references.renew()
    assert references.of(USA) is not given


def test_a_calibration_of_another_state_of_the_board_is_left_out(kept: KeptCalibrations) -> None:
    kept.save(replace(named("Kitchen", 1), board_version=USA.version + 1))
    assert TableReferences(kept).of(USA) is None


def with_label(kept: KeptCalibrations, **other: object) -> bytes:
    """A whole file that says something else of itself."""
    whole = zipfile.ZipFile(io.BytesIO(kept.file(kept.save(named("Kitchen", 1)))))
    document = json.loads(whole.read("calibration.json")) | other
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("calibration.json", json.dumps(document))
        archive.writestr("empty-board.jpg", whole.read("empty-board.jpg"))
    return made.getvalue()


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Kit\ud800chen"},
        {"created": "\ud800"},
        {"board": "\ud800"},
        {"board": "x" * 100_000},
        {"wagon_colours_lab": {"red": [float("nan"), 0, 0]}},
    ],
)
def test_a_file_that_no_page_could_show_is_not_let_in(
    kept: KeptCalibrations, other: dict[str, object]
) -> None:
    data = with_label(kept, **other)
    with pytest.raises(RefusalError):
        kept.bring_in(data)
    assert [one.name for one in kept.all()] == ["Kitchen"]


@pytest.mark.parametrize("board", ["\N{CJK UNIFIED IDEOGRAPH-6771}", "../../x", "x" * 400])
def test_a_board_from_elsewhere_never_makes_a_name_that_no_disk_takes(
    kept: KeptCalibrations, board: str
) -> None:
    key = kept.bring_in(with_label(kept, board=board))
    assert key.isascii()
    assert len(key) < 200
    assert "/" not in key
    assert kept.load(key).board_id == board


def test_a_folder_that_cannot_be_made_is_refused_in_a_sentence(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    """As on a full disk: the first calibration of a table makes the folder."""
    kept.save(true_calibration())
    file = kept.file(kept.all()[0].key)
    (tmp_path / "full").write_text("no folder")
    with pytest.raises(RefusalError, match="disk"):
        KeptCalibrations(tmp_path / "full").bring_in(file)


def test_a_pipe_in_the_place_of_what_was_chosen_is_not_waited_for(
    kept: KeptCalibrations, tmp_path: Path
) -> None:
    key = kept.save(named("Kitchen", 1))
    (tmp_path / FOLDER / IN_USE).unlink()
    os.mkfifo(tmp_path / FOLDER / IN_USE)
    assert kept.in_use() == {"usa": key}
