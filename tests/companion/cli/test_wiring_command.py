"""`companion wiring`: what goes where, as a table and as a drawing."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from companion.cli.main import main


def test_without_a_configuration_it_tells_the_usual_pins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wiring", "--data", str(tmp_path), "--language", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Scan button: GPIO 5, pin 29 of the header"
    assert len(lines) == 9


def test_a_drawing_of_a_configuration_that_clashes_is_written_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "box.toml"
    config.write_text("[pins]\nbuzzer = 19\n")
    drawing = tmp_path / "wiring.svg"
    words = ["wiring", "--config", str(config), "--svg", str(drawing), "--language", "it"]
    assert main(words) == 3
    said = capsys.readouterr()
    assert "pulsante Conferma, cicalino" in said.err
    assert said.out == f"Il disegno è in {drawing}.\n"
    assert drawing.read_text("utf-8").count("⚠") == 3  # both parts, and the sentence below


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        ("[pins\n", 3, "line 1 makes no sense"),
        ('[pins]\nscan = "x"\n', 3, 'scan = "x" is no pin'),
        (None, 2, "there is no file"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    written: str | None,
    code: int,
    said: str,
) -> None:
    config = tmp_path / "box.toml"
    if written is not None:
        config.write_text(written)
    assert main(["wiring", "--config", str(config), "--language", "en"]) == code
    assert said in capsys.readouterr().err


def test_a_drawing_that_goes_through_a_pipe_has_no_word_beside_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "wiring", "--data", str(tmp_path)]
    drawn = run([*command, "--svg", "/dev/stdout"], capture_output=True, text=True, check=True)
    assert drawn.stdout.startswith("<svg")
    assert drawn.stdout.rstrip().endswith("</svg>")


def test_a_drawing_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["wiring", "--data", str(tmp_path), "--svg", str(tmp_path / "no" / "w.svg")]
    assert main([*words, "--language", "en"]) == 2
    assert "cannot be written" in capsys.readouterr().err
