"""The case has the holes that the configuration asks for; its numbers fit the drawing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.documentation.case_numbers import definitions, main
from hardware.console.pins import PinMap

ROOT = Path(__file__).parents[3]


def test_the_case_has_a_hole_for_every_lamp_and_for_what_else_there_is() -> None:
    box = PinMap(lamps=(17, (27, 22, 23), 24), buzzer=12)
    assert definitions(box) == [
        "-D",
        "buttons=4",
        "-D",
        "lamps=3",
        "-D",
        "status=false",
        "-D",
        "buzzer=true",
    ]


def test_every_number_is_one_that_the_drawing_takes() -> None:
    drawing = (ROOT / "packaging/case/box.scad").read_text("utf-8")
    taken = set(re.findall(r"^(\w+) = ", drawing, re.MULTILINE))
    assert {word.split("=")[0] for word in definitions(PinMap())[1::2]} <= taken


def test_a_configuration_that_clashes_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "box.toml"
    config.write_text("[pins]\nbuzzer = 5\n")
    assert main([str(config)]) == 3
    assert "Pin 5 is given to both" in capsys.readouterr().err


def test_without_openscad_the_script_says_what_to_install() -> None:
    words = {"OPENSCAD": "no-such-openscad", "PYTHON": sys.executable}
    done = subprocess.run(
        ["scripts/make-stl"],
        cwd=ROOT,
        env={**os.environ, **words},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "sudo apt-get install --no-install-recommends openscad" in done.stderr
