"""What the configuration says wrong of `companion serve` must not cost the panel of a box."""

import html
import urllib.request
from argparse import Namespace
from pathlib import Path

import pytest

from companion.cli.configured import ConfiguredOptions
from companion.cli.main import main
from companion.config import CONFIG_NAME, SERVE_OPTIONS, read_config
from tests.companion.cli.test_serve import get, serving


def configured(folder: Path, *lines: str) -> Path:
    (folder / CONFIG_NAME).write_text("\n".join(["[serve]", *lines]), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (['board = "usaa"'], "unknown board"),
        (['board = "usa"', 'reference = "/media/stick/empty.jpg"'], "no file"),
        (['board = "usaa"', 'reference = "/media/stick/empty.jpg"'], "unknown board"),
        (['reference = "/media/stick/empty.jpg"'], "left out: reference in [serve]"),
        (['board = "usa"', 'calibration = "/tmp"'], "it is a folder"),
        (['camera = "pii"'], "No camera is called pii"),
        (['camera = "still:/media/stick/board.jpg"'], "There is no file"),
        (['camera = "v4l2:0"', "fps = nan"], "from 0.01 to 60"),
        (['camera = "v4l2:0"', "fps = 0"], "from 0.01 to 60"),
        (['language = "tedesco"'], "no language “tedesco” here; known languages: en, it"),
    ],
)
def test_the_panel_opens_and_says_what_is_left_out(
    lines: list[str], told: str, tmp_path: Path
) -> None:
    with serving(configured(tmp_path, *lines)) as address:
        assert get(address)["boards"][0]["id"] == "usa"
        for page in ("box", "checkup"):
            with urllib.request.urlopen(f"{address}{page}?language=en", timeout=60) as answer:
                assert told in html.unescape(answer.read().decode())


def test_a_language_of_the_tables_own_can_be_the_one_it_begins_with(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    own = tmp_path / "languages" / "tlh.json"
    own.write_text('{"name": "tlhIngan Hol", "web.start.title": "Quj chu\'"}', "utf-8")
    with (
        serving(configured(tmp_path, 'language = "tlh"')) as address,
        urllib.request.urlopen(f"{address}start", timeout=60) as answer,
    ):
        assert "Quj chu'" in html.unescape(answer.read().decode())


def test_a_typed_option_is_refused_as_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = configured(tmp_path, 'camera = "pi"')
    assert main(["serve", "--data", str(data), "--board", "usaa", "--language", "en"]) == 2
    assert "unknown board" in capsys.readouterr().err


def test_an_empty_photo_that_is_typed_replaces_the_configured_one(tmp_path: Path) -> None:
    typed = Namespace(**{**dict.fromkeys(SERVE_OPTIONS), "reference": "today.jpg"})
    config = read_config(configured(tmp_path, 'calibration = "old.calibration"', 'board = "usa"'))
    ConfiguredOptions(typed, config, tmp_path)
    assert (typed.reference, typed.calibration, typed.board) == ("today.jpg", None, "usa")


def test_one_wrong_option_takes_no_other_along(tmp_path: Path) -> None:
    """A panel for this machine alone stays so, whatever else is misspelt beside it."""
    lines = ['host = "127.0.0.1"', 'bord = "usa"', "fps = true", 'camera = "\\u0000"']
    config = read_config(configured(tmp_path, *lines))
    assert config.serve == {"host": "127.0.0.1"}
    told = [trouble.sentence("en") for trouble in config.troubles]
    assert len(told) == 3
    assert "no option bord" in told[0]


@pytest.mark.parametrize("option", ["host", "reference"])
def test_a_name_that_no_file_or_machine_can_have_is_told(option: str, tmp_path: Path) -> None:
    with serving(configured(tmp_path, f'{option} = "a\\u0000"')) as address:
        assert get(address)["box"]["values"]["reason"]["values"]["name"] == option
