"""An upload that breaks off half-way leaves no open file behind."""

import gc
import warnings

import pytest

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
