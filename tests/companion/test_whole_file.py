"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from companion.whole_file import OWNER_ONLY, write_whole


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "in-use"
    write_whole(path, b"first")
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert [one.name for one in tmp_path.iterdir()] == ["in-use"]


def test_a_disk_that_refuses_leaves_the_file_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in-use"
    write_whole(path, b"first")

    def refuses(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuses)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"second")
    assert path.read_bytes() == b"first"
    assert [one.name for one in tmp_path.iterdir()] == ["in-use"]


def test_after_a_power_cut_a_file_is_whole_and_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it holds reaches the disk before its name does, and the name before anybody relies on
    it. What can be made anew waits for nothing."""
    fsync, replace, done = os.fsync, Path.replace, list[str]()

    def noted(handle: int) -> None:
        fsync(handle)
        done.append(f"synced {Path(f'/proc/self/fd/{handle}').readlink().name}")

    def placed(draft: Path, target: Path) -> Path:
        done.append("placed")
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", placed)
    write_whole(tmp_path / "kept", b"for good")
    assert done == ["synced kept.draft", "placed", f"synced {tmp_path.name}"]
    done.clear()
    write_whole(tmp_path / "again", b"at any time", lasting=False)
    assert done == ["placed"]


def test_a_half_written_one_and_a_link_in_its_place_are_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"another's")
    (tmp_path / "key.draft").symlink_to(elsewhere)
    write_whole(tmp_path / "key", b"secret", mode=OWNER_ONLY)
    assert elsewhere.read_bytes() == b"another's"
    assert (tmp_path / "key").read_bytes() == b"secret"
    assert not (tmp_path / "key").is_symlink()
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
