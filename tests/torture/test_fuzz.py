"""A little of the fuzzing; `make torture` does it for an hour."""

from pathlib import Path

import pytest

from tests.support.added_languages import forgotten as forgotten
from tests.torture import fuzz


@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_files_as_they_should_be_are_taken(name: str, tmp_path: Path) -> None:
    for number, seed in enumerate(fuzz.TARGETS[name].seeds()):
        (tmp_path / str(number)).mkdir()
        fuzz.TARGETS[name].take(seed, tmp_path / str(number))


def test_changed_files_are_taken_or_refused_in_a_sentence(tmp_path: Path) -> None:
    counts = fuzz.fuzz(list(fuzz.TARGETS), lambda done: done >= 400, seed=1, keep=tmp_path)
    told = "\n".join(path.read_text() for path in tmp_path.glob("*.told"))
    assert not any(count.bad for count in counts.values()), told
    assert sum(count.refused for count in counts.values()) > 100


def test_what_hangs_or_falls_over_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(data: bytes, folder: Path) -> None:
        raise KeyError("nobody expected that")

    worse = fuzz.Target(lambda: [b"some bytes"], fall_over)
    monkeypatch.setitem(fuzz.TARGETS, "worse", worse)
    counts = fuzz.fuzz(["worse"], lambda done: done >= 5, seed=1, keep=tmp_path)
    assert len(counts["worse"].bad) == 1
    assert "nobody expected that" in (tmp_path / "worse-1.told").read_text()
