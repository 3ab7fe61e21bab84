"""An upload that breaks off leaves no open file behind; one that finds no room is told so."""

import errno
import gc
import warnings
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import pytest
from werkzeug import formparser

from tests.web.fake_table import FakeTable
from web.app import create_app

HEAD = (
    b"--edge\r\nContent-Disposition: form-data; name=images; filename=a.jpg\r\n"
    b"Content-Type: image/jpeg\r\n\r\n"
)


@pytest.mark.parametrize("action", ["upload-photo", "start"])
def test_a_photo_that_breaks_off_leaves_no_open_file(action: str) -> None:
    """A megabyte of a photo, and then the line is gone."""
    client = create_app(FakeTable()).test_client()
    gc.collect()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = client.post(
            f"/api/act/{action}",
            data=HEAD + b"\xff" * 1_000_000,
            content_type="multipart/form-data; boundary=edge",
        )
        assert 400 <= answer.status_code < 500
        del answer, client
        gc.collect()
    assert [str(one.message) for one in told if one.category is ResourceWarning] == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.ENOENT], ids=["file", "folder"])
def test_a_full_disk_is_told_to_whoever_sends_a_photo(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large photos wait in a temporary file; Python finds no folder for one on a full disk."""

    def refuse(*_: object, **__: object) -> IO[Any]:
        raise OSError(code, "as the system says it")

    monkeypatch.setattr(formparser, "SpooledTemporaryFile", refuse)
    expect_a_photo_to_find_a_full_disk()


def test_a_disk_that_fills_up_on_the_way_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of the file in the memory finds no room either when the file is closed."""

    class FullDisk(SpooledTemporaryFile[bytes]):
        def write(self, *_: Any) -> int:
            raise OSError(errno.ENOSPC, "as the system says it")

        def close(self) -> None:
            super().close()
            raise OSError(errno.ENOSPC, "as the system says it")

    monkeypatch.setattr(formparser, "SpooledTemporaryFile", FullDisk)
    expect_a_photo_to_find_a_full_disk()


def expect_a_photo_to_find_a_full_disk() -> None:
    client = create_app(FakeTable()).test_client()
    answer = client.post(
        "/api/act/upload-photo",
        data=HEAD + b"\xff" * 1_000_000 + b"\r\n--edge--\r\n",
        content_type="multipart/form-data; boundary=edge",
    )
    assert answer.status_code == 507
    assert "disk is full" in answer.get_data(as_text=True)
