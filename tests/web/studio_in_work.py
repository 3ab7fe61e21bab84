"""A studio with a board in work, for the tests of its pages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask.testing import FlaskClient

from tests.support.drawn_table import empty_photo
from tests.web.studio_rig import Rig
from vision.reading import Registration


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.table.close()


@pytest.fixture
def visitor(rig: Rig) -> FlaskClient:
    return rig.app.test_client()


@pytest.fixture
def address(rig: Rig) -> Iterator[str]:
    with rig.served() as address:
        yield address


@pytest.fixture
def begun(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> str:
    """A board in work: USA as it is known, on a plain picture; no look is taken."""
    photo = empty_photo()
    found = Registration("corners", photo.corners_px, photo.spaces_px, 0.5)
    monkeypatch.setattr("companion.studio.beginning.register", lambda *args, **more: found)
    monkeypatch.setattr("companion.studio.beginning.reference_of", lambda *args, **more: None)
    image = cv2.imencode(".jpg", photo.image_bgr)[1].tobytes()
    return rig.studio.begin(image, "usa", really_empty=False)


def step(visitor: FlaskClient, key: str, do: str, **form: Any) -> Any:
    sent = {"do": do, **{name: str(value) for name, value in form.items()}}
    return visitor.post(f"/studio/{key}/step", data=sent)
