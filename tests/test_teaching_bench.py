"""`make teach` where the photos are not."""

from pathlib import Path

import pytest

from tests.bench import teaching


def test_it_says_at_once_that_there_are_no_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It taught three made-up maps first, for three minutes."""

    def taught(seed: int, data: Path) -> None:
        raise AssertionError(f"map {seed} was taught first")

    monkeypatch.setattr(teaching, "SHARED", tmp_path)
    monkeypatch.setattr(teaching, "_teach_made_up", taught)
    with pytest.raises(SystemExit) as ended:
        teaching.run()
    assert ended.value.code == 2
    photo = tmp_path / "photos" / "IMG_4048_blank.jpg"
    assert capsys.readouterr().err == f"make teach: there is no photo {photo}\n"
