"""What image libraries mutter is heard; what others write to the error stream reaches it."""

import os
import tempfile
from pathlib import Path

import pytest

from vision.images.stderr_capture import capture_stderr


def test_a_librarys_complaint_is_heard_and_kept_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    complaint = b"Corrupt JPEG data: 30 extraneous bytes before marker 0xd9\n"
    assert capture_stderr(lambda: os.write(2, complaint)) == (len(complaint), complaint)
    assert capfd.readouterr().err == ""


def test_what_others_write_meanwhile_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    capture_stderr(lambda: os.write(2, b"the server says hello\nlibpng error: bad\n"))
    os.write(2, b"and on\n")
    assert capfd.readouterr().err == "the server says hello\nand on\n"


def test_an_error_comes_through_with_what_was_said_before_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        os.write(2, b"out of luck\n")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        capture_stderr(fail)
    os.write(2, b"and on\n")
    assert capfd.readouterr().err == "out of luck\nand on\n"


def test_nothing_is_written_to_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full one Python finds no folder for a temporary file, and no photo was read any more."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no-such-folder"))
    assert capture_stderr(lambda: os.write(2, b"libpng error: bad\n"))[1] == b"libpng error: bad\n"
