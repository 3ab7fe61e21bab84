"""The model card's table: figures of several folders, written between the page's markers."""

from pathlib import Path

import pytest

from scoring.board.board import load_board
from vision.evaluate.__main__ import main
from vision.evaluate.card import BEGIN, END, figures_of, row, write_card
from vision.evaluate.labels import Labelled
from vision.evaluate.result import PlaceCounts, Result
from vision.reading import Reading

USA, FRANCE = load_board("usa"), load_board("france")
READ: Reading = object()  # type: ignore[assignment]
"""Stands for a reading: only its presence counts here."""


def result(board=USA, wrong=(), silent=(), asked=(), hidden=(), read=True) -> Result:
    image = Labelled.__new__(Labelled)
    object.__setattr__(image, "board", board)
    return Result(
        image,
        reading=READ if read else None,
        routes=100,
        wrong=list(wrong),
        places=PlaceCounts(asked=list(asked), silent=list(silent)),
        hidden=set(hidden),
    )


def test_the_figures_are_counted_over_what_was_read() -> None:
    images = [
        result(wrong=["a", "b", "c"], silent=["a"], asked=["b", "c", "d"], hidden=["c"]),
        result(asked=["e"]),
        result(read=False),
    ]
    # 3 of 200 routes are wrong; of the 199 in view 2 are. 3 and 1 questions: median 2.
    assert row("x", [figures_of(images)]) == "| x | 2 of 3 | 98.50 | 98.99 | 1 | 2 (3) |"


def test_both_modes_stand_in_a_cell_where_they_differ() -> None:
    beside, alone = figures_of([result()]), figures_of([result(wrong=["a"], asked=["a"])])
    assert row("x", [beside, alone]) == (
        "| x | 1 of 1 | 100.00 / 99.00 | 100.00 / 99.00 | 0 | 0 (0) / 1 (1) |"
    )


def test_nothing_read_has_no_share() -> None:
    assert row("x", [figures_of([result(read=False)])]) == "| x | 0 of 1 | – | – | 0 | 0 (0) |"


def test_the_table_replaces_what_stood_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "card.md"
    page.write_text(f"# Card\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    games = [result(), result(FRANCE)]
    write_card(page, [("photos", [[result()], [result()]]), ("renders", [games, games])])
    lines = page.read_text().splitlines()
    assert lines[:3] == ["# Card", "", BEGIN]
    names = [line.split(" | ")[0] for line in lines[5:-3]]
    assert names == ["| photos: usa", "| renders: france", "| renders: usa", "| renders: all"]
    assert lines[-3:] == [END, "", "After."]


def test_a_page_without_markers_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "card.md"
    page.write_text("# Card\n")
    (tmp_path / "labels.json").write_text("{}")
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path), "--card", str(page)])
    assert end.value.code == 3
    assert "has no place for the figures" in capsys.readouterr().err
    assert page.read_text() == "# Card\n"


def test_the_card_of_this_project_has_its_markers() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reading.md").read_text("utf-8")
    assert page.index(BEGIN) < page.index(END)
    assert len(page.split()) <= 1500, "a model card, not a diary"
