"""lgpio is loaded from any working directory, and leaves nothing behind in it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.console.gpio import GpioConsole
from hardware.console.lgpio_folder import load_lgpio
from hardware.console.pins import PinMap
from hardware.errors import ConsoleError

AS_THE_REAL_ONE = """
import os
folder = os.environ.get("LG_WD", "/no/such/folder")
os.chdir(folder)
open(".lgd-nfy0", "w").close()
"""
"""What lgpio 0.2.2 does on import: it changes into LG_WD and makes its pipe there."""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An lgpio to be imported; the working directory is put back after the test."""
    folder = tmp_path / "library"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(tmp_path)
    before = sys.modules.pop("lgpio", None)
    yield folder / "lgpio.py"
    sys.modules.pop("lgpio", None)
    if before is not None:
        sys.modules["lgpio"] = before


def test_the_pipe_goes_to_a_folder_of_its_own(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", "/theirs")
    library.write_text(AS_THE_REAL_ONE)
    assert load_lgpio() is None
    assert Path.cwd() == tmp_path, "relative paths mean what they meant"
    assert os.environ["LG_WD"] == "/theirs"
    assert not list(tmp_path.glob(".lgd-nfy*"))


def test_a_working_directory_that_is_gone_is_no_trouble(library: Path, tmp_path: Path) -> None:
    library.write_text(AS_THE_REAL_ONE)
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    assert load_lgpio() is None


def test_why_lgpio_does_not_start_is_the_reason_that_is_given(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.write_text("raise OSError('the pipe has burst')")
    assert "burst" in str(load_lgpio())
    # gpiozero's other libraries fail here too, by the words of the last of them.
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "rpigpio")
    with pytest.raises(ConsoleError, match="the pipe has burst"):
        GpioConsole(PinMap())


def test_an_lgpio_without_its_library_is_named_and_not_the_last_thing_tried(library: Path) -> None:
    library.write_text("")
    with pytest.raises(ConsoleError, match="lgpio"):
        GpioConsole(PinMap())
