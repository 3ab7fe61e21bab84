"""What image libraries mutter is heard; what others write to the error stream reaches it."""

import errno
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


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_without_another_file_nothing_is_captured_and_none_stays_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every photo took one file more from a program that had none left, and was not read."""

    def no_more_files(_name: str) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "memfd_create", no_more_files)
    before = open_files()
    assert capture_stderr(lambda: "read") == ("read", b"")
    assert open_files() == before


def test_what_cannot_be_passed_on_stops_nothing() -> None:
    """The error stream goes into a file on a full disk: no photo was read while others wrote."""
    kept = os.dup(2)
    try:
        with Path("/dev/full").open("wb") as full:
            os.dup2(full.fileno(), 2)
            assert capture_stderr(lambda: os.write(2, b"hello\n")) == (6, b"hello\n")
    finally:
        os.dup2(kept, 2)
        os.close(kept)
