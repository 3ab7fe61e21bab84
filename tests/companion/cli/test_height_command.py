"""`companion height`: a table of cameras for each board."""

from pathlib import Path

import pytest

from companion.cli.main import main


def test_every_board_has_a_row_for_every_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["height", "--data", str(tmp_path), "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert told.count("Camera Module 3 Wide") == 3
    # USA is 79.5 x 52.5 cm. The Camera Module 3 sees 41 degrees down and, in a picture of 4:3,
    # 4/3 of tan 20.5 degrees across: (39.75 + 4) / 0.4985 = 87.8 cm.
    usa = told.split("\n\n")[0]
    assert "Camera Module 3         88 cm" in usa


def test_a_camera_of_one_s_own_in_italian(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "height",
        "--data",
        str(tmp_path),
        "--board",
        "usa",
        "--angles",
        "90",
        "90",
        "--pixels",
        "1000",
        "1000",
    ]
    assert main([*words, "--margin", "0", "--language", "it"]) == 0
    told = capsys.readouterr().out
    assert "90° × 90°               40 cm" in told  # 79.5 / 2, rounded up
    assert "79,5 × 52,5 cm" in told
    assert "1,35 pixel" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--angles", "0", "60"], "from 5 to 170 degrees"),
        (["--angles", "60", "nan"], "from 5 to 170 degrees"),
        (["--angles", "60", "40", "--pixels", "0", "5"], "pixels"),
        (["--pixels", "0", "0"], "--pixels takes the width and the height"),
        (["--f-number", "0"], "--f-number goes from 0.5 to 32"),
        (["--pixels", "640", "480"], "give its angles too"),
        (["--f-number", "2.8"], "give its angles too"),
        (["--margin", "-1"], "from 0 to 100"),
        (["--board", "atlantis"], "unknown board"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["height", "--data", str(tmp_path), "--language", "en", *words]) == 2
    assert said in capsys.readouterr().err
